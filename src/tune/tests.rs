use super::ranking::{Measured, ranked};
use super::tuned;
use crate::bind::{Choice, ExprId, bind, effective};
use crate::check::{Checked, check};
use crate::compile::compile;
use crate::load::{Request, load};
use crate::machine::{Program, Question};
use crate::testing::case_folder;

/// What is written first asks much and refuses hardly anything; what is written last refuses almost all for little.
const HEAVY_FIRST: &str = "game case \"Heavy first\"
players 2

state {
    here: 1..40 = 30
    mark[1..40]: 0..9 = 1
}

action go(n: 1..40)
    require few: (sum x in 1..40: if x > n then mark[x] else 0) < 40 \"few\"
    require near: n >= here and n <= here + 2 \"near\"
{
    mark[n] = 0
    here = (if n < 36 then n + 1 else 20)
}

flow {
    for k in 1..20 { for p clockwise from seat(1) { turn p { choose go } } }
}
score(p: Player) = here
winner(p: Player) by score(p) ties share
";

fn checked(case: &str) -> Checked {
    let path = case_folder(case).join("heavy-first.ludex");
    std::fs::write(&path, HEAVY_FIRST).expect("a file");
    let loaded = load(&Request { ruleset: path.display().to_string(), ..Request::default() });
    let mut faults = Vec::new();
    let items = effective(&loaded.layers, &mut faults);
    let bound = bind(&items, &[], Choice { players: Some(2), numbers: &loaded.numbers }, &mut faults);
    let checked = check(bound, &mut faults);
    assert!(faults.is_empty(), "{faults:?}");
    checked
}

/// What is tested once so many parameters are known, in the order of the program.
fn row(program: &Program, known: usize) -> Vec<Question> {
    let tests = program.tests.iter().filter(|test| test.row.known == Some(known));
    tests.map(|test| test.question).collect()
}

#[test]
fn what_refuses_most_for_least_comes_first() {
    let rules = checked("tune-order");
    let plain = compile(&rules).expect("a program");
    let tuned = tuned(&rules).expect("a program");
    assert!(tuned.after * 3 < tuned.before, "{} and {} instructions", tuned.before, tuned.after);
    let (before, after) = (row(&plain, 1), row(&tuned.program, 1));
    assert_eq!(before.len(), 3, "the parts of two requirements");
    assert_eq!(after.last(), before.first(), "what was first is last");
    assert_ne!(before, after);
}

#[test]
fn measuring_gives_the_same_each_time() {
    let rules = checked("tune-again");
    let (one, other) = (tuned(&rules).expect("a program"), tuned(&rules).expect("a program"));
    assert_eq!((one.entries, one.before, one.after), (other.entries, other.before, other.after));
    assert_eq!(one.program.code, other.program.code);
}

#[test]
fn tests_are_ranked_by_what_a_refusal_takes() {
    let ranks = |tests: &[(u64, u64, u64)]| {
        let tests: Vec<(Question, Measured)> = (0..)
            .zip(tests)
            .map(|(at, &(asked, refused, took))| (Question::Part(ExprId(at)), Measured { asked, refused, took }))
            .collect();
        let place = |question: Question| if let Question::Part(part) = question { part.0 } else { u32::MAX };
        ranked(&tests).into_iter().map(place).collect::<Vec<u32>>()
    };
    // 100, 10 and 2 instructions for a refusal.
    assert_eq!(ranks(&[(9, 1, 100), (8, 2, 20), (6, 3, 6)]), [2, 1, 0]);
    // The same for each: as they stand.
    assert_eq!(ranks(&[(9, 1, 10), (8, 2, 20), (6, 3, 30)]), [0, 1, 2]);
    // What never refuses is last, what was never asked stays.
    assert_eq!(ranks(&[(9, 0, 9), (0, 0, 0), (9, 1, 90)]), [2, 1, 0]);
    assert_eq!(ranks(&[(9, 0, 90), (9, 0, 9)]), [0, 1]);
}
