//! Mutated inputs: rulesets, TOML files, logs and reports that are nearly right, through everything that reads them.
//!
//! ```text
//! corpus   what is mutated
//! tokens   a text, cut into pieces
//! texts    how a text is changed
//! targets  what an input goes through, and what counts as a finding
//! shrink   the same finding with fewer lines
//! ```
//!
//! Inputs are tried in rounds. An input that reaches something new (a diagnostic, a pair of instructions, a verdict) joins
//! the corpus after its round, in order, so that a run depends on its seed only and not on the number of threads.
//!
//! `LUDEX_MUTATIONS=1000000 cargo test --release --lib mutated_inputs -- --nocapture` tries so many, on all cores;
//! `LUDEX_SEED=7` begins elsewhere. Each input is written below `target/cases/mutated/` before it is tried: if the process
//! dies, the files that are left there show why.

mod corpus;
mod shrink;
mod targets;
mod texts;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::root;
use crate::examples::{cores, parallel};
use crate::machine::Random;
use corpus::{Corpus, Input, Kind};
use targets::{Finding, Reached, attempt};
use texts::Mutator;

/// Inputs that are tried if nobody asks for more.
const MUTATIONS: u64 = 6000;

/// Inputs that one thread tries in a row, and how often that is done in a round.
const BATCH: u64 = 100;
const BATCHES: u64 = 32;

/// An input that takes longer is worth a look. No test fails of it: machines differ.
const SLOW: Duration = Duration::from_secs(2);

/// Findings after which a run ends.
const MOST_FINDINGS: usize = 10;

fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The time that this thread has worked, whoever else works on the same machine.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Where a batch writes its inputs.
fn folder(name: impl std::fmt::Display) -> PathBuf {
    let folder = PathBuf::from("target/cases/mutated").join(name.to_string());
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Words of the languages: those that the grammar quotes, and those that logs and TOML files have.
fn words() -> Vec<String> {
    let grammar = fs::read_to_string(root().join("grammar/ludex.pest")).expect("the grammar");
    let quoted = grammar.split('"').skip(1).step_by(2);
    let mut words: BTreeSet<String> =
        quoted.filter(|word| word.chars().all(|c| c.is_ascii_lowercase())).map(str::to_owned).collect();
    let more = "step ray neighbours adjacent between rotate opposite side edge border across inward ordinal column row \
                size top seat min max score winner me players set rules seed result ludex true false none option ruling";
    words.extend(more.split_whitespace().map(str::to_owned));
    words.into_iter().filter(|word| !word.is_empty()).collect()
}

/// A mutated input.
fn mutated(corpus: &Corpus, words: &[String], seed: u64) -> Input {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut below = |count: usize| usize::try_from(Random::below(&mut random, count.max(1) as u64)).unwrap_or(0);
    let from = match below(64) {
        0..30 => &corpus.rules,
        30 => &corpus.large,
        31..62 => &corpus.logs,
        _ => &corpus.reports,
    };
    let mut input = from[below(from.len())].clone();
    let donor = &from[below(from.len())];
    // Numbers are mutated less often than rules.
    let at = if below(4) == 0 { below(input.files.len()) } else { 0 };
    let other = donor.files.iter().find(|(name, _)| *name == input.files[at].0).unwrap_or(&donor.files[0]);
    let mut mutator = Mutator { random: &mut random, words };
    input.files[at].1 = mutator.change(&input.files[at].1, &other.1);
    input
}

/// What became of one input.
struct Tried {
    input: Input,
    reached: Reached,
    finding: Option<Finding>,
    took: Duration,
}

fn try_batch(corpus: &Corpus, words: &[String], first: u64) -> Vec<Tried> {
    let place = folder(format!("{}", first / BATCH % BATCHES));
    let tried = (first..first + BATCH).map(|seed| {
        let input = mutated(corpus, words, seed);
        let (mut reached, since) = (Reached::default(), cpu());
        let finding = attempt(&input, seed, &place, &mut reached).err();
        Tried { input, reached, finding, took: cpu().saturating_sub(since) }
    });
    tried.collect()
}

/// The files of a finding, made smaller.
fn told(input: &Input, seed: u64, finding: &Finding) -> String {
    let place = folder("smaller");
    let fails = |input: &Input| matches!(attempt(input, seed, &place, &mut Reached::default()), Err(other) if other.law == finding.law);
    let small = shrink::shrink(input.clone(), fails);
    let again = attempt(&small, seed, &place, &mut Reached::default()).err();
    let what = again.map_or_else(|| finding.what.clone(), |again| again.what);
    let by =
        if let Kind::Log(judging) = &input.kind { format!(", judged by {}", judging.ruleset) } else { String::new() };
    let mut text = format!("seed {seed}: \"{}\" does not hold{by}\n{what}\n", finding.law);
    for (name, content) in &small.files {
        let _ = writeln!(text, "---- {name}\n{content}");
    }
    text
}

/// How many inputs came how far, what was found, and what took long.
#[derive(Default)]
struct Summary {
    /// With the time that they took together.
    stages: BTreeMap<&'static str, (u64, Duration)>,
    seen: BTreeSet<u64>,
    findings: Vec<String>,
    /// Findings by their law and the beginning of their text, so that each is shown once.
    known: BTreeSet<(&'static str, String)>,
    slow: usize,
}

impl Summary {
    /// Takes what became of an input; it joins the corpus if it reached something new.
    #[expect(clippy::print_stdout, reason = "who asks for a long run wants to see what was found at once")]
    fn take(&mut self, tried: Tried, seed: u64, corpus: &mut Corpus) {
        let stage = self.stages.entry(tried.reached.stage).or_default();
        *stage = (stage.0 + 1, stage.1 + tried.took);
        if tried.took > SLOW {
            self.slow += 1;
            let place = folder(format!("slow-{seed}"));
            save(&tried.input, &place);
            println!("seed {seed} took {:?}; see {}", tried.took, place.display());
        }
        if let Some(finding) = tried.finding {
            let start = finding.what.lines().next().unwrap_or("").chars().filter(|c| !c.is_ascii_digit()).take(60);
            if self.known.insert((finding.law, start.collect())) {
                let text = told(&tried.input, seed, &finding);
                println!("{text}");
                self.findings.push(text);
            }
            return;
        }
        let before = self.seen.len();
        self.seen.extend(tried.reached.features);
        if self.seen.len() > before && tried.input.is_small() {
            match tried.input.kind {
                Kind::Rules => corpus.rules.push(tried.input),
                Kind::Log(_) => corpus.logs.push(tried.input),
                Kind::Report => corpus.reports.push(tried.input),
            }
        }
    }
}

fn save(input: &Input, place: &Path) {
    for (name, text) in &input.files {
        targets::write(&place.join(name), text);
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "who asks for a long run wants to see how far it is")]
fn mutated_inputs_get_an_answer() {
    let (count, begin) = (asked("LUDEX_MUTATIONS", MUTATIONS), asked("LUDEX_SEED", 1) * 1_000_000_007);
    let (mut corpus, words) = (Corpus::new(), words());
    println!(
        "{} rulesets, {} large, {} logs, {} reports",
        corpus.rules.len(),
        corpus.large.len(),
        corpus.logs.len(),
        corpus.reports.len()
    );
    let (mut summary, since, mut done) = (Summary::default(), Instant::now(), 0);
    while done < count && summary.findings.len() < MOST_FINDINGS {
        let round: Vec<u64> =
            (0..BATCHES).map(|batch| begin + done + batch * BATCH).take_while(|first| first - begin < count).collect();
        let tried = parallel::each(cores(), &round, |first| try_batch(&corpus, &words, *first));
        for (first, tried) in round.iter().zip(tried) {
            for (seed, tried) in (*first..).zip(tried) {
                summary.take(tried, seed, &mut corpus);
                done += 1;
            }
        }
        let speed = u128::from(done) * 1000 / since.elapsed().as_millis().max(1);
        println!(
            "{done} inputs, {speed}/s, {} features, {:?}, {} findings",
            summary.seen.len(),
            summary.stages,
            summary.findings.len()
        );
    }
    assert!(summary.findings.is_empty(), "{}", summary.findings.join("\n"));
    let played = summary.stages.get("played").map_or(0, |(played, _)| *played);
    assert!(played * 50 > done, "too few inputs are sound: {:?}", summary.stages);
}
