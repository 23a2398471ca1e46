use super::{Record, Suite, Wants, run};
use crate::load::{Folder, Request, load, variants};

#[test]
fn every_bundled_example_holds() {
    let mut played = 0;
    for name in Folder::bundled_names() {
        let mut names = vec![name.to_owned()];
        names.extend(variants(name).into_iter().map(|variant| format!("{name}:{variant}")));
        for name in names {
            let loaded = load(&Request { ruleset: name.clone(), ..Request::default() });
            for outcome in run(&loaded) {
                let failures: Vec<String> = outcome
                    .failures
                    .iter()
                    .map(|failure| format!("{} ({})", failure.message(), loaded.sources.slice(failure.span)))
                    .collect();
                assert!(failures.is_empty(), "{name}: {}\n{}", outcome.title, failures.join("\n"));
                assert!(outcome.expectations > 0, "{name}: {} expects nothing", outcome.title);
                played += 1;
            }
        }
    }
    assert!(played > 150, "only {played} sections were played");
}

#[test]
fn a_changed_number_breaks_the_examples_that_pin_it() {
    let changed = |setting: &str| {
        let request =
            Request { ruleset: "reversi".to_owned(), settings: vec![setting.to_owned()], ..Request::default() };
        run(&load(&request)).into_iter().filter(|outcome| !outcome.failures.is_empty()).count()
    };
    assert_eq!(changed("board.size=8"), 0);
    assert!(changed("board.size=6") > 0, "no example notices a smaller board");
}

fn moments(jobs: usize) -> Vec<String> {
    let loaded = load(&Request { ruleset: "tikal".to_owned(), ..Request::default() });
    let played = Suite::new(&loaded).run(jobs, Wants { moments: true, trace: true });
    played.iter().map(|played| format!("{:?} {:?}", played.outcome, played.readings)).collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let alone = moments(1);
    assert!(alone.len() > 50, "only {} sections were played", alone.len());
    assert_eq!(alone, moments(7));
}

#[test]
fn records_are_read_as_they_are_written() {
    let loaded = load(&Request { ruleset: "tictactoe".to_owned(), ..Request::default() });
    let suite = Suite::new(&loaded);
    let played = suite.run(1, Wants { moments: true, trace: false });
    let outcomes: Vec<_> = played.iter().map(|played| &played.outcome).collect();
    let beginnings = suite.beginnings(outcomes.iter().copied());
    let record = Record::of(&beginnings, outcomes);
    let read = Record::parse(&record.to_string());
    assert_eq!(read, record);
    assert!(record.differences(&read, true).is_empty());
    let some = Record::of(&beginnings, played.iter().skip(1).map(|played| &played.outcome));
    assert_eq!(record.differences(&some, false), []);
    assert_eq!(record.differences(&some, true).len(), 1, "an example that is gone is told");
    assert_eq!(record.clone().with(some), record, "what was not played is kept");
}

/// A ruleset with one example file, in a folder of its own.
fn written(rules: &str, numbers: &str, examples: &str) -> (tempfile::TempDir, crate::load::Loaded) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("examples")).expect("a folder");
    for (file, text) in [("shop.ludex", rules), ("shop.toml", numbers), ("examples/shop.ludex", examples)] {
        std::fs::write(folder.path().join(file), text).expect("a file");
    }
    let path = folder.path().join("shop.ludex").display().to_string();
    let loaded = load(&Request { ruleset: path, ..Request::default() });
    let report = crate::check::ruleset(&loaded);
    let messages: Vec<&str> = report.faults.iter().map(|fault| fault.message.as_str()).collect();
    assert!(!report.has_errors(), "{messages:?}");
    (folder, loaded)
}

const SHOP: &str = r#"
game shop "Shop"
players 2
numbers { price: 0..9; start: 0..9; gain[1..3]: 0..9 }
state { purse[Player]: 0..9 = start; sold[n: 1..3]: bool = false; points[Player]: 0..99 = 0 }
action buy(n: 1..3)
    cost purse[me]: price
    require there: not sold[n]             "it is there"
    require first: n is 1 or sold[n - 1]   "they go in order"
{
    sold[n] = true
    points[me] += gain[n]
}
flow { cycle p clockwise from seat(1) until sold[2] { turn p { choose buy or pass { } } } }
score(p: Player) = points[p]
winner(p: Player) by score(p) ties none
"#;

const PRICES: &str = "price = 2\nstart = 5\ngain = [1, 3, 4]\n";

const BOUGHT: &str = r#"
given rich { players ana, ben; purse ana = 9 }
example "all of it"
    given   rich
    when    ana buy 1; ben pass
    then    purse[ana] is 9 - price, next is ana
    when    ana buy 1
    then    refused buy.there
    instead ana buy 3
    then    refused buy.first
    instead ana buy 2
    then    over, winner is {ana}
    given   rich, purse ana = 1
    when    ana buy 1
    then    refused unaffordable
"#;

#[test]
fn a_record_says_what_each_step_does() {
    let (_folder, loaded) = written(SHOP, PRICES, BOUGHT);
    let suite = Suite::new(&loaded);
    let played = suite.run(1, Wants { moments: true, trace: false });
    let outcomes: Vec<_> = played.iter().map(|played| &played.outcome).collect();
    assert!(outcomes.iter().all(|outcome| outcome.passed()), "{outcomes:?}");
    let record = Record::of(&suite.beginnings(outcomes.iter().copied()), outcomes);
    insta::assert_snapshot!(record.to_string(), @r#"
    # Written by `ludex test --accept`, compared by `ludex test`.

    a game of 2 begins with
        purse: 5
        sold: false
        points: 0

    "all of it"
        given
            purse[ana] 5 -> 9
            next: ana, 2 moves #18fac3: buy 1 for 2, pass
            scores: ana 0, ben 0
        when ana buy 1
            paid: 2 purse[ana]
            purse[ana] 9 -> 7
            sold[1] false -> true
            points[ana] 0 -> 1
            next: ben, 2 moves #c76393: buy 1 for 2, pass
            scores: ana 1, ben 0
        and ben pass
            next: ana, 2 moves #8e04b6: buy 1 for 2, pass
        then purse[ana] is 9 - price: purse[ana] = 7, 9 - price = 7, price = 2
        then next is ana: ana
        when ana buy 1
            refused: buy.there
        instead ana buy 3
            refused: buy.first
        instead ana buy 2
            paid: 2 purse[ana]
            purse[ana] 7 -> 5
            sold[2] false -> true
            points[ana] 1 -> 4
            over
            scores: ana 4, ben 0
            winner: ana
        then over: true
        then winner is {ana}: {ana}

    "all of it" #2
        given
            purse[ana] 5 -> 1
            next: ana, 1 move #222325: pass
            scores: ana 0, ben 0
        when ana buy 1
            refused: unaffordable
            needs 2 purse[ana], has 1
    "#);
}

#[test]
fn a_change_that_no_condition_asks_about_shows_in_the_record() {
    let record = |numbers: &str| {
        let (_folder, loaded) = written(SHOP, numbers, BOUGHT);
        let played = Suite::new(&loaded).run(1, Wants { moments: true, trace: false });
        Record::of(&[], played.iter().map(|played| &played.outcome))
    };
    let as_it_is = record(PRICES);
    assert!(as_it_is.differences(&record(PRICES), true).is_empty());
    let gained = as_it_is.differences(&record(&PRICES.replace("[1, 3, 4]", "[1, 4, 4]")), true);
    let lines: Vec<&str> = gained.iter().flat_map(|difference| &difference.lines).map(|line| line.trim_end()).collect();
    assert!(lines.contains(&"+        points[ana] 1 -> 5"), "{lines:?}");
    // Nobody can ever pay for the third: what is possible, and what it costs, is the same.
    assert!(as_it_is.differences(&record(&PRICES.replace("[1, 3, 4]", "[1, 3, 5]")), true).is_empty());
}

/// What is always so in the shop.
const NOTHING_LOST: &str = r#"
def gone = sum n in 1..3: if sold[n] then price else 0
invariant kept: (sum p in Player: purse[p]) + gone is start * players
    "no money is lost"
"#;

/// Codes and messages of what fails.
fn failures(examples: &str, only: Option<&str>) -> Vec<String> {
    let (_folder, loaded) = written(&format!("{SHOP}{NOTHING_LOST}"), PRICES, examples);
    let played = Suite::new(&loaded).only(only).run(1, Wants::default());
    let failures = played.iter().flat_map(|played| &played.outcome.failures);
    failures.map(|failure| format!("{}: {}", failure.code.map_or("", |code| code.id), failure.message())).collect()
}

#[test]
fn a_position_keeps_the_invariants_or_says_which_it_breaks() {
    let one = "example \"one\"\n    given {POSITION}\n    when seat1 pass\n    then next is seat2\n";
    let of = |position: &str| failures(&one.replace("POSITION", position), None);
    assert!(of("players 2").is_empty(), "a game begins so");
    assert!(of("purse seat1 = 3, purse seat2 = 7").is_empty(), "it is kept by hand");
    let broken = of("purse seat1 = 3");
    assert_eq!(
        broken,
        [
            "test::position: expected that the position keeps the invariant `kept`, found (sum p in Player: purse[p]) + gone is 8 and start * players is 10"
        ]
    );
    assert!(of("purse seat1 = 3; breaks kept \"a poor buyer\"").is_empty());
    let idle = ["test::idle-breaks: expected that the position breaks the invariant `kept`, found that it holds"];
    assert_eq!(of("purse seat1 = 5; breaks kept \"a poor buyer\""), idle);
}

const SHARED: &str = r#"
given poor { purse seat1 = 3; breaks kept "a poor buyer" }
example "one"
    given poor
    when  seat1 pass
    then  next is seat2
example "two"
    given poor, purse seat2 = 7
    when  seat1 pass
    then  next is seat2
"#;

#[test]
fn a_shared_position_says_it_once() {
    assert!(failures(SHARED, None).is_empty(), "one of them breaks it");
    assert!(failures(SHARED, Some("two")).is_empty(), "the other one was not chosen");
    let kept = SHARED.replace("given poor\n", "given poor, purse seat2 = 7\n");
    assert_eq!(
        failures(&kept, None),
        [
            "test::idle-breaks: expected that the position breaks the invariant `kept`, found that it holds in every example that begins there"
        ]
    );
}

#[test]
fn a_position_is_not_held_to_rules_that_were_changed() {
    let (_folder, loaded) = written(
        &format!("{SHOP}{NOTHING_LOST}"),
        PRICES,
        "example \"one\"\n    given { purse seat1 = 3, purse seat2 = 7 }\n    when seat1 pass\n    then next is seat2\n",
    );
    let request = Request { ruleset: loaded.name.clone(), settings: vec!["start=6".to_owned()], ..Request::default() };
    assert!(run(&load(&request)).iter().all(super::Outcome::passed), "set for one run");
    let (_other, other) = written(SHOP, PRICES, "");
    let ran = super::Foreign::new(&other, &loaded).run(1);
    assert!(ran.iter().all(|(.., ran)| *ran == super::Ran::Passed), "rules without invariants: {ran:?}");
}

#[test]
fn a_loop_without_a_decision_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = "game spin \"Spin\"\nplayers 2\nstate { n: 0..9 }\naction go\n    require late: n > 3\n{ n = 1 }\n\
        flow { turn seat(1) { repeat until n is 5 { choose go else { n = 0 } } } }\n\
        score(p: Player) = n\nwinner(p: Player) by score(p) ties none\n\
        example \"it spins\"\n    given { n = 2 }\n    then over\n";
    std::fs::write(folder.path().join("spin.ludex"), rules.replace("n: 0..9", "n: 0..9 = 0")).expect("a file");
    let path = folder.path().join("spin.ludex").display().to_string();
    let loaded = load(&Request { ruleset: path, ..Request::default() });
    let report = crate::check::ruleset(&loaded);
    assert!(!report.has_errors(), "{:?}", report.faults);
    let outcomes = run(&loaded);
    let failure = &outcomes[0].failures[0];
    assert!(failure.found.starts_with("this `repeat` went round"), "{failure:?}");
    assert!(loaded.sources.slice(failure.span).starts_with("repeat"), "{failure:?}");
}
