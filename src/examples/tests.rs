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
    let played = Suite::new(&loaded).run(1, Wants { moments: true, trace: false });
    let record = Record::of(played.iter().map(|played| &played.outcome));
    let read = Record::parse(&record.to_string());
    assert_eq!(read, record);
    assert!(record.differences(&read, true).is_empty());
    let some = Record::of(played.iter().skip(1).map(|played| &played.outcome));
    assert_eq!(record.differences(&some, false), []);
    assert_eq!(record.differences(&some, true).len(), 1, "an example that is gone is told");
    assert_eq!(record.clone().with(some), record, "what was not played is kept");
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
