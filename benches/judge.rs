//! How fast logs are judged: `cargo bench --bench judge`.
//!
//! For every kind of game a corpus of random games is made, as text and as JSON Lines. Judging the text on one
//! thread stands beside what `serde_json` takes merely to parse the same games, both from memory and in turn;
//! then two threads, where the fastest rounds are compared: what else the machine does takes one of two cores away, but
//! never adds one. Peak memory is that of a process of its own that judges the corpus from a file.
//! `cargo bench --bench judge -- 10000 5 maya` sets games of each kind, rounds, and kinds. What is judged in a few
//! milliseconds is judged more often: so short a time is mostly chance.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a measurement talks, counts in fractions, and stops at the first surprise"
)]

use std::hint::black_box;
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use ludex::check::chosen;
use ludex::compile::compile;
use ludex::judge::{By, Feed, Input, Met, Shelf, Strictness, judge_all};
use ludex::load::{Folder, Request, load, variants};
use ludex::log::{Document, Form, Log, Seat};
use ludex::play::{seat_names, seed_of_game};
use ludex::report::{FileId, Span};
use ludex::simulate::{Plan, run, written};

/// So long everything is measured at least.
const LEAST: Duration = Duration::from_secs(4);

/// Games of one kind, one after the other.
struct Corpus {
    name: String,
    text: String,
    json: String,
    entries: usize,
}

fn corpus(name: &str, players: u32, games: u64) -> Option<Corpus> {
    let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
    let checked = chosen(&loaded, Some(players), &[], Span::default()).ok()?;
    let program = compile(&checked).expect("a program");
    let seats: Vec<Seat> =
        seat_names(&checked.bound).into_iter().map(|name| Seat { name, who: Some("random".to_owned()) }).collect();
    let head = Log { game: name.to_owned(), rules: Some(loaded.rules_hash()), seats, ..Log::default() };
    let texts = Mutex::new(Vec::new());
    let plan = Plan { games, seed: 1, most_entries: 100_000, check_invariants: false, jobs: 2 };
    let keep = |game: u64, playout: &ludex::simulate::Playout| {
        let head = Log { seed: Some(seed_of_game(1, game)), ..head.clone() };
        let (text, played) = written(&checked.bound, &program, &head, playout);
        played.expect("a game that comes back");
        texts.lock().expect("no panic").push((game, playout.entries.len(), text));
        Ok(())
    };
    run(&program, plan, Some(&keep), &mut |_| Ok(())).expect("games");
    let mut texts = texts.into_inner().expect("no panic");
    texts.sort_by_key(|(game, ..)| *game);
    let entries = texts.iter().map(|(_, entries, _)| entries).sum();
    let json = texts
        .iter()
        .map(|(_, _, text)| Document::from_text(FileId::default(), text).expect("a log").write(Form::JsonLines))
        .collect();
    let text = texts.into_iter().map(|(_, _, text)| text).collect();
    Some(Corpus { name: format!("{name} for {players}"), text, json, entries })
}

/// Seconds to judge a text; everything in it must be legal.
fn judged(corpus: &Corpus, jobs: usize) -> f64 {
    let shelf = Shelf::new(By::default());
    let begin = Instant::now();
    let mut standard = Cursor::new(corpus.text.as_bytes());
    let feed = Feed::new(vec![Input::Standard], &mut standard, 1 << 26);
    let mut entries = 0;
    let tell = |met: &Met<'_>| match met {
        Met::Game(game) if game.judged.verdict() == "legal" => game.judged.entries,
        Met::Game(game) => unreachable!("{}: {:?}", game.line, game.judged),
        Met::Unreadable(file, line, why) => unreachable!("{file}:{line}: {why}"),
    };
    judge_all(feed, &shelf, Strictness::default(), jobs, tell, &mut |told| {
        entries += told.unwrap_or(0);
        Ok(())
    })
    .expect("a verdict");
    assert_eq!(entries, corpus.entries, "every entry is judged");
    begin.elapsed().as_secs_f64()
}

/// Seconds to parse every line into a value.
fn parsed(corpus: &Corpus) -> f64 {
    let begin = Instant::now();
    for line in corpus.json.lines() {
        black_box(serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    }
    begin.elapsed().as_secs_f64()
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn fastest(all: &[f64]) -> f64 {
    all.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Peak memory of a process that judges a file, in MiB.
fn peak(corpus: &Corpus) -> f64 {
    let mut file = tempfile::Builder::new().suffix(".log").tempfile().expect("a file");
    file.write_all(corpus.text.as_bytes()).expect("a corpus on disk");
    let own = std::env::current_exe().expect("this program");
    let output = Command::new(own).arg("--judge-file").arg(file.path()).output().expect("a process");
    String::from_utf8_lossy(&output.stdout).trim().parse().unwrap_or(f64::NAN)
}

/// What the process of [`peak`] does.
fn judge_file(path: &str) {
    let shelf = Shelf::new(By::default());
    let mut nothing = std::io::empty();
    let feed = Feed::new(vec![Input::File(path.into())], &mut nothing, 1 << 26);
    judge_all(feed, &shelf, Strictness::default(), 2, |_| (), &mut |_| Ok(())).expect("a verdict");
    let status = std::fs::read_to_string(Path::new("/proc/self/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    let kib: f64 = peak.trim().trim_end_matches(" kB").parse().unwrap_or(f64::NAN);
    println!("{:.1}", kib / 1024.0);
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [flag, path] = words.as_slice()
        && flag == "--judge-file"
    {
        return judge_file(path);
    }
    let games: u64 = words.first().and_then(|word| word.parse().ok()).unwrap_or(10_000);
    let rounds: usize = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(5);
    let only = words.get(2..).unwrap_or_default();
    println!("{games} games of each kind, medians of at least {rounds} rounds");
    println!(
        "{:<28} {:>9} {:>7} {:>12} {:>7} {:>10} {:>11} {:>9}",
        "", "entries", "MB", "entries/s", "MB/s", "× parsing", "2 threads", "peak MiB"
    );
    for name in Folder::bundled_names() {
        let all = std::iter::once(name.to_owned())
            .chain(variants(name).into_iter().map(|variant| format!("{name}:{variant}")));
        for name in all.filter(|name| only.is_empty() || only.iter().any(|only| name.contains(only.as_str()))) {
            for corpus in (1..=8).filter_map(|players| corpus(&name, players, games)) {
                let (mut one, mut two, mut parse) = (Vec::new(), Vec::new(), Vec::new());
                let begin = Instant::now();
                while one.len() < rounds || begin.elapsed() < LEAST {
                    parse.push(parsed(&corpus));
                    one.push(judged(&corpus, 1));
                    two.push(judged(&corpus, 2));
                }
                let twice = fastest(&one) / fastest(&two);
                let (one, parse) = (median(one), median(parse));
                let megabytes = corpus.text.len() as f64 / 1e6;
                println!(
                    "{:<28} {:>9} {:>7.1} {:>12.0} {:>7.1} {:>10.2} {:>11.2} {:>9.1}",
                    corpus.name,
                    corpus.entries,
                    megabytes,
                    corpus.entries as f64 / one,
                    megabytes / one,
                    one / parse,
                    twice,
                    peak(&corpus)
                );
            }
        }
    }
}
