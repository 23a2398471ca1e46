use super::run;
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
