//! How long checking takes: `cargo bench --bench check`.
//!
//! `cold` starts the command as a user does; `warm` does the same inside one process; `megabyte` goes
//! through a ruleset of 1 MB with distinct names and reports lines per second, stage by stage.

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use ludex::bind::{self, Choice};
use ludex::load::{self, Request};
use ludex::report::Sources;
use ludex::{ast, check};

fn main() {
    divan::main();
}

const RULESETS: &[&str] = &["reversi", "maya", "indus", "tikal", "tikal:professional"];

#[divan::bench(args = RULESETS)]
fn cold(name: &str) {
    let status = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["check", name])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()));
}

#[divan::bench(args = RULESETS)]
fn warm(bencher: Bencher<'_, '_>, name: &str) {
    let request = Request { ruleset: name.to_owned(), ..Request::default() };
    bencher.bench(|| check::ruleset(&load::load(black_box(&request))).faults.len());
}

/// A ruleset of at least 1 MB in which every copy of a small game has names of its own.
fn megabyte() -> String {
    let mut text = String::from("game large \"A large game\"\nplayers 2..4\n\nboard Square = square 8 x 8\n");
    let mut calls = String::new();
    for n in 0.. {
        if text.len() > 1_000_000 {
            break;
        }
        let _ = write!(
            text,
            r#"
state {{
    disc_{n}[Square]: Player?
    purse_{n}[Player]: 0..99 = 10
    passes_{n}: 0..9 = 0
}}

def discs_{n}(p: Player) = count c in Square: disc_{n}[c] is p
def free_{n}(c: Square) = disc_{n}[c] is none and (any d in neighbours(c): disc_{n}[d] is not none) or passes_{n} > 3

action place_{n}(at: Square, price: 1..9)
    "Place a disc and pay for it"
    cost purse_{n}[me]: price * 2
    require free:  free_{n}(at)                       "{{at}} is free"
    require fewer: discs_{n}(me) < 9                  "{{me}} has fewer than nine discs"
    require worth: price >= passes_{n} and price < 9  "it is worth it"
{{
    disc_{n}[at] = me
    for c in neighbours(at) where disc_{n}[c] is not none {{ purse_{n}[me] += 1 }}
}}

phase round_{n}(first: Player) {{
    for p clockwise from first {{
        turn p {{ choose place_{n} or pass {{ passes_{n} += 1 }} }}
    }}
}}
"#
        );
        let _ = writeln!(calls, "    round_{n}(seat(1))");
    }
    let _ = write!(
        text,
        "\nflow {{\n{calls}    end\n}}\n\nscore(p: Player) = purse_0[p]\nwinner(p: Player) by score(p) ties share\n"
    );
    text
}

#[divan::bench(sample_count = 10)]
fn megabyte_parse(bencher: Bencher<'_, '_>) {
    let text = megabyte();
    let mut sources = Sources::default();
    let id = sources.add("large.ludex", text.as_str());
    let Some(source) = sources.get(id) else { return };
    bencher
        .counter(ItemsCount::new(text.lines().count()))
        .bench_local(|| ast::parse(id, source, &mut Vec::new()).items.len());
}

#[divan::bench(sample_count = 10)]
fn megabyte_bind_and_check(bencher: Bencher<'_, '_>) {
    let text = megabyte();
    let mut sources = Sources::default();
    let id = sources.add("large.ludex", text.as_str());
    let Some(source) = sources.get(id) else { return };
    let mut faults = Vec::new();
    let layers = [ast::parse(id, source, &mut faults)];
    let items = bind::effective(&layers, &mut faults);
    let numbers = ludex::numbers::Tree::default();
    bencher.counter(ItemsCount::new(text.lines().count())).bench_local(|| {
        let mut faults = Vec::new();
        let bound = bind::bind(&items, &[], Choice { players: None, numbers: &numbers }, &mut faults);
        let checked = check::check(bound, &mut faults);
        assert!(faults.is_empty());
        checked.types.len()
    });
}
