//! The logs of a ruleset, held to the verdicts that they must get.
//!
//! A ruleset carries its own games in `logs/`: those that must be legal, and those that are broken in one way
//! each. What a log must come to says its line `expect`, or its name: `twice.requirement.log`.

use super::finding::Finding;
use super::game::Judge;
use super::head::Head;
use super::invariants;
use super::judged::Strictness;
use super::rules::{By, Origin, Rules};
use crate::bind;
use crate::load::{self, Folder, Trouble, parts_of};
use crate::log::{Expect, Form, VERDICTS};
use crate::report::{Fault, FileId, Sources};

/// What came of a log.
#[derive(Debug)]
pub struct Held {
    /// The file, as people see it.
    pub file: String,
    /// The line that the game begins with.
    pub line: usize,
    /// `requirement take.enough`
    pub expected: String,
    /// The same as it is.
    pub found: String,
    /// Is it as it must be?
    pub passed: bool,
    /// What was found, and the texts that it speaks of.
    pub faults: Vec<Fault>,
    /// These texts.
    pub sources: Sources,
}

/// Judges the logs in the folder of a ruleset that are of exactly this variant, with these changes.
#[must_use]
pub fn held(ruleset: &str, by: &By, only: Option<&str>) -> Vec<Held> {
    let (base, parts) = parts_of(ruleset);
    let Some(folder) = load::folder_of(base) else { return Vec::new() };
    let variants = load::variants(base);
    let mut all = Vec::new();
    for file in folder.files("logs") {
        let Some(form) = Form::of(&file) else { continue };
        if only.is_none_or(|only| file.contains(only)) {
            let judge = OneFile { folder: &folder, file: &file, base, parts: &parts, variants: &variants, by };
            judge.games(form, &mut all);
        }
    }
    all
}

struct OneFile<'h> {
    folder: &'h Folder,
    file: &'h str,
    base: &'h str,
    parts: &'h [&'h str],
    variants: &'h [String],
    by: &'h By,
}

impl OneFile<'_> {
    fn games(&self, form: Form, all: &mut Vec<Held>) {
        let shown = self.folder.shown(&format!("logs/{}", self.file));
        let file = format!("logs/{}", self.file);
        let read = if self.folder.holds(&file) { self.folder.read(&file) } else { Err(Trouble::Outside) };
        let text = match read {
            Ok(text) => text,
            Err(_) if !self.parts.is_empty() => return,
            Err(_) => {
                all.push(unread(shown));
                return;
            }
        };
        let mut line = 1;
        for (_, game) in form.games(&text) {
            all.extend(self.game(&shown, game, form, line));
            line += memchr::memchr_iter(b'\n', game.as_bytes()).count();
        }
    }

    /// One game; nothing if it is of another variant.
    fn game(&self, shown: &str, text: &str, form: Form, line: usize) -> Option<Held> {
        let closed = |expected: String, sources: Sources, faults: Vec<Fault>| {
            let found = "no verdict".to_owned();
            Some(Held { file: shown.to_owned(), line, expected, found, passed: false, faults, sources })
        };
        let head = match Head::read(text, form, FileId::default()) {
            Ok(head) => head,
            // What cannot be read belongs to no variant, so it is told once.
            Err(_) if !self.parts.is_empty() => return None,
            Err(faults) => {
                let mut sources = Sources::default();
                sources.add_part(shown, text, line);
                return closed("a log".to_owned(), sources, faults);
            }
        };
        let log = head.log();
        let (_, parts) = parts_of(&log.game);
        let own = parts.iter().filter(|part| self.variants.iter().any(|variant| variant == *part));
        if !own.eq(self.parts.iter()) {
            return None;
        }
        let expected = self.expected(log.expect.as_ref());
        let ruleset =
            if parts.is_empty() { self.base.to_owned() } else { format!("{}:{}", self.base, parts.join("+")) };
        let by = By { ruleset: Some(ruleset), ..self.by.clone() };
        let rules = match Rules::of(log, &by, Origin::nowhere(shown, line), text) {
            Ok(rules) => rules,
            Err(none) => return closed(expected, none.sources, none.faults),
        };
        let mut sources = rules.loaded.sources.clone();
        sources.add_part(shown, text, line);
        let head = match Head::read(text, form, rules.file) {
            Ok(head) => head,
            Err(faults) => return closed(expected, sources, faults),
        };
        let items = bind::effective(&rules.loaded.layers, &mut Vec::new());
        let mut judge = Judge::new(&rules, &items, Strictness::default());
        let judged = judge.game(text, form, &head.reader, head.body);
        let mut found = judged.fault().map_or_else(|| judged.verdict().to_owned(), Finding::rule);
        let mut passed = is_as_expected(&expected, &found);
        let mut faults = judged.faults;
        faults.extend(judged.findings.iter().map(Finding::fault));
        // What is unknown to the writer leads to no one position that could be asked. A ruleset that cannot go on has
        // said so.
        let broken = if judge.worlds.is_none() { invariants::broken(&rules, &judge.played).ok() } else { None };
        if let Some(fault) = broken.flatten() {
            found += ", and an invariant that does not hold";
            passed = false;
            faults = vec![fault];
        }
        Some(Held { file: shown.to_owned(), line, expected, found, passed, faults, sources })
    }

    /// What the log must come to.
    fn expected(&self, said: Option<&Expect>) -> String {
        if let Some(expect) = said {
            return match &expect.name {
                Some(name) => format!("{} {name}", expect.verdict),
                None => expect.verdict.clone(),
            };
        }
        let stem = self.file.rsplit_once('.').map_or(self.file, |(stem, _)| stem);
        let named = stem.rsplit_once('.').map(|(_, verdict)| verdict).filter(|verdict| VERDICTS.contains(verdict));
        named.unwrap_or(LEGAL_SO_FAR).to_owned()
    }
}

/// What is expected where nothing is said.
const LEGAL_SO_FAR: &str = "legal or unfinished";

fn unread(file: String) -> Held {
    Held {
        file,
        line: 1,
        expected: "a log".to_owned(),
        found: "a file that cannot be read".to_owned(),
        passed: false,
        faults: Vec::new(),
        sources: Sources::default(),
    }
}

/// A verdict may be expected without saying which requirement gives it.
fn is_as_expected(expected: &str, found: &str) -> bool {
    if expected == LEGAL_SO_FAR {
        return matches!(found, "legal" | "unfinished");
    }
    let mut words = found.split(' ');
    let verdict = words.next().unwrap_or("");
    match expected.split_once(' ') {
        Some((wanted, name)) => wanted == verdict && words.any(|word| word == name),
        None => expected == verdict,
    }
}
