//! What an input goes through, and what counts as a finding.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::mem::discriminant;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::corpus::{Input, Judging, Kind};
use crate::compile::compile;
use crate::format::format;
use crate::judge::{self, Feed, Met, Strictness};
use crate::log::{Document, Form};
use crate::machine::{Engine, Machine, Program};
use crate::report::{FileId, codes};
use crate::testing::engines::{compare_games, rules};
use crate::testing::generated::simulated_is_legal;
use crate::testing::{native, run};

/// A game that goes on for longer is left there.
const MOST_ENTRIES: usize = 24;

/// One in so many sound rulesets is played natively, and simulated: translating takes much longer than playing.
const DEEP: u64 = 16;

/// Bytes of a log.
const LOG_BYTES: usize = 1 << 20;

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// Which law is broken: a smaller input must break the same.
    pub(super) law: &'static str,
    pub(super) what: String,
}

pub(super) const NO_PANIC: &str = "nothing panics";
const EXIT: &str = "every input gets an answer";
const NO_INTERNAL: &str = "no error is an internal one";
const FORMATTED: &str = "what is formatted stays";
const ENGINES: &str = "the engines agree";
const NATIVE: &str = "native code does what instructions do";
const LEGAL: &str = "what is simulated is legal";
const NOTATIONS: &str = "both notations of a log get the same verdict";

type Told = Result<(), Finding>;

fn finding(law: &'static str, what: impl Into<String>) -> Told {
    Err(Finding { law, what: what.into() })
}

/// What was reached on the way: an input that reaches something new is worth being mutated further.
#[derive(Default)]
pub(super) struct Reached {
    pub(super) features: BTreeSet<u64>,
    /// How far it came, in a word.
    pub(super) stage: &'static str,
}

impl Reached {
    fn add(&mut self, what: impl Hash) {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        self.features.insert(hasher.finish());
    }

    /// Codes of diagnostics, such as `check::type-mismatch`, in any format.
    fn codes(&mut self, text: &str) {
        for code in codes::ALL.iter().filter(|code| text.contains(code.id)) {
            self.add(code.id);
        }
    }

    /// Which instructions follow each other.
    fn program(&mut self, program: &Program) {
        for pair in program.code.windows(2) {
            self.add((discriminant(&pair[0]), discriminant(&pair[1])));
        }
    }
}

/// Writes a file, with its folder if need be.
pub(super) fn write(path: &Path, text: &str) {
    if fs::write(path, text).is_err() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
}

/// Writes the files and tries them. If the process dies, they are what it died of.
pub(super) fn attempt(input: &Input, seed: u64, folder: &Path, reached: &mut Reached) -> Told {
    for (name, text) in &input.files {
        write(&folder.join(name), text);
    }
    let tried = catch_unwind(AssertUnwindSafe(|| match &input.kind {
        Kind::Rules => ruleset(input, seed, folder, reached),
        Kind::Log(judging) => log(judging, &input.files[0], folder, reached),
        Kind::Report => report(&folder.join(&input.files[0].0), reached),
    }));
    for (name, _) in &input.files {
        let _ = fs::remove_file(folder.join(name));
    }
    tried.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        finding(NO_PANIC, text.unwrap_or("a panic"))
    })
}

/// A command must come to a verdict, or say why it cannot.
fn answer(args: &[&str], reached: &mut Reached) -> Result<(u8, String, String), Finding> {
    let (code, results, diagnostics) = run(args);
    reached.codes(&diagnostics);
    let internal = diagnostics.contains(codes::INTERNAL.id) || diagnostics.contains("internal error");
    let law = if code > 2 { EXIT } else { NO_INTERNAL };
    if code > 2 || internal {
        return Err(Finding { law, what: format!("{args:?}: exit {code}\n{results}{diagnostics}") });
    }
    Ok((code, results, diagnostics))
}

fn ruleset(input: &Input, seed: u64, folder: &Path, reached: &mut Reached) -> Told {
    reached.stage = "refused";
    let path = folder.join("case.ludex").display().to_string();
    let shape = ["plain", "human", "json", "plain", "sarif", "plain", "github", "plain"][(seed % 8) as usize];
    let (code, _, _) = answer(&["check", &path, "--format", shape], reached)?;
    let once = format(&input.files[0].1);
    if format(&once) != once {
        return finding(FORMATTED, once);
    }
    if code != 0 {
        return Ok(());
    }
    reached.stage = "sound";
    let players = (0..4).map(|more| 1 + u32::try_from((seed / 8 + more) % 4).unwrap_or(0));
    let Some(rules) = { players }.find_map(|players| rules(&path, players, &[])) else { return Ok(()) };
    let Ok(program) = compile(&rules.checked) else { return Ok(()) };
    reached.program(&program);
    reached.stage = "played";
    let is_deep = seed.is_multiple_of(DEEP);
    for engine in [Engine::Bytecode, Engine::Native].into_iter().take(1 + usize::from(is_deep)) {
        let mut machine = Machine::new(&program).with_engine(engine);
        match compare_games(&rules, &mut machine, std::iter::once(seed + 1), MOST_ENTRIES, true) {
            Ok(entries) => reached.add(("entries", entries.min(3))),
            // The budgets of the engines count different things.
            Err(what) if what.contains("this takes more than") => return Ok(()),
            Err(what) => return finding(ENGINES, format!("{engine:?}: {what}")),
        }
    }
    if is_deep {
        reached.stage = "translated";
        if let Err(what) = native::both(&program, seed + 1, MOST_ENTRIES) {
            return finding(NATIVE, what);
        }
        if let Err(what) = simulated_is_legal(folder, &path) {
            return finding(LEGAL, what);
        }
        let _ = fs::remove_dir_all(folder.join("logs"));
    }
    Ok(())
}

/// What the judge says of the games of a log: whether they break a rule, and how many entries are legal. Nothing if
/// one of them has no verdict.
fn verdict(judging: &Judging, path: &Path, reached: &mut Reached) -> Option<Vec<(bool, usize)>> {
    let mut nothing = io::empty();
    let feed = Feed::new(vec![judge::Input::File(path.to_owned())], &mut nothing, LOG_BYTES);
    let mut told = Vec::new();
    let tell = |met: &Met<'_>| match met {
        Met::Unreadable(_, _, why) => (why.to_string(), None, Vec::new()),
        Met::Game(game) => {
            let judged = game.judged;
            let codes = judged.faults.iter().chain(&judged.warnings).map(|fault| fault.code.id).collect::<Vec<_>>();
            let said = judged.faults.is_empty().then(|| (judged.fault().is_some(), judged.entries));
            (judged.verdict().to_owned(), said, codes)
        }
    };
    let strictness = Strictness { all: false, most_entries: 200 };
    let judged = judge::judge_all(feed, &judging.shelf, strictness, 1, tell, &mut |one| {
        told.extend(one);
        Ok(())
    });
    judged.expect("nothing is written");
    let mut verdicts = Some(Vec::new());
    for (verdict, said, codes) in told {
        reached.stage = if said.is_some_and(|(is_illegal, _)| !is_illegal) { "legal" } else { "illegal" };
        reached.add((&judging.ruleset, &verdict, said.map(|(_, entries)| entries.min(6))));
        codes.into_iter().for_each(|code| reached.add(code));
        verdicts = verdicts.zip(said).map(|(mut all, said)| {
            all.push(said);
            all
        });
    }
    verdicts
}

fn log(judging: &Judging, (name, text): &(String, String), folder: &Path, reached: &mut Reached) -> Told {
    reached.stage = "unreadable";
    let path = folder.join(name);
    let Some(told) = verdict(judging, &path, reached) else { return Ok(()) };
    let form = Form::of(name).unwrap_or(Form::Text);
    let other = if form == Form::Text { Form::JsonLines } else { Form::Text };
    let Ok(document) = Document::read(FileId::default(), text, form) else { return Ok(()) };
    let again = folder.join(if other == Form::Text { "again.log" } else { "again.jsonl" });
    fs::write(&again, document.write(other)).expect("a file");
    let said = verdict(judging, &again, reached);
    let _ = fs::remove_file(&again);
    if said.as_ref().is_none_or(|said| told == *said) {
        return Ok(());
    }
    finding(NOTATIONS, format!("{told:?}\n{said:?}\n{}", document.write(other)))
}

fn report(path: &Path, reached: &mut Reached) -> Told {
    reached.stage = "refused";
    let (file, page) = (path.display().to_string(), path.with_extension("html").display().to_string());
    let (code, _, _) = answer(&["report", "page", &file, "-o", &page, "--force"], reached)?;
    if code == 0 {
        reached.stage = "shown";
    }
    let (code, _, diagnostics) = answer(&["report", "merge", &file], reached)?;
    reached.add((code, diagnostics.split('`').next()));
    Ok(())
}
