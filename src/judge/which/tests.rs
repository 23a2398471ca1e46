use super::{Found, Which};
use crate::judge::{By, Origin, Strictness};
use crate::log::Form;

fn find(by: By, text: &str) -> Found {
    let which = Which::new(by, Strictness::default(), 2);
    which.find(Origin::nowhere("test.log", 1), text, Form::Text).expect("something to try")
}

/// Ruleset and change of what fits.
fn fits(found: &Found) -> Vec<String> {
    let name = |ruleset: &str, change: &Option<String>| match change {
        Some(change) => format!("{ruleset} {change}"),
        None => ruleset.to_owned(),
    };
    found.fits.iter().map(|one| name(&one.candidate.ruleset, &one.candidate.change)).collect()
}

/// Who takes the last piece wins, unless the option says otherwise.
const LAST: &str =
    "game nim\nplayers first, second\n\nfirst take 3 from 1\nsecond take 4 from 2\nfirst take 5 from 3\n";

#[test]
fn the_named_rules_come_first() {
    let found = find(By::default(), "game tikal:romanian\nplayers ana, ben\n");
    let own = found.fits.first().expect("something fits");
    assert_eq!((own.candidate.ruleset.as_str(), own.candidate.own), ("tikal:romanian", true));
    let names = fits(&found);
    for wanted in ["tikal", "tikal:german", "tikal:professional", "tikal:professional+romanian"] {
        assert!(names.iter().any(|name| name == wanted), "{wanted}: {names:?}");
    }
    assert_eq!(found.fits.iter().filter(|one| one.candidate.own).count(), 1);
    assert!(names.iter().any(|name| name.starts_with("tikal:romanian ruling.")), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("tikal ruling.")), "only the closest is changed: {names:?}");
}

#[test]
fn an_option_that_the_head_forgot_is_found() {
    let text = format!("{LAST}\nresult first 0, second 1\nwinner second\n");
    assert_eq!(fits(&find(By::default(), &text)), ["nim option.last=loses"]);
    let text = format!("{LAST}\nresult first 1, second 0\nwinner first\n");
    assert_eq!(fits(&find(By::default(), &text)), ["nim"]);
    // What the log sets itself stays.
    let text = text.replace("second\n\n", "second\nset option.last = loses\n\n");
    let found = find(By::default(), &text);
    assert_eq!((found.fits.len(), found.tried), (0, 1));
}

#[test]
fn if_nothing_fits_it_is_said_what_gets_furthest() {
    let found = find(By::default(), &format!("{LAST}second take 1 from 1\n"));
    let furthest = found.furthest.as_ref().expect("something");
    assert_eq!((furthest.candidate.ruleset.as_str(), furthest.judged.entries), ("nim", 3));
    assert!(furthest.rules.is_some());
    assert_eq!(found.tried, 2);
}

#[test]
fn other_rules_can_be_asked_about() {
    let by = By { ruleset: Some("tikal:professional".to_owned()), ..By::default() };
    let found = find(by.clone(), "game tikal\nplayers ana, ben\n");
    assert!(found.fits.iter().all(|one| one.candidate.ruleset.starts_with("tikal")));
    assert!(found.fits.iter().any(|one| one.candidate.own));
    // A log of another game fits none of them.
    let found = find(by, LAST);
    let furthest = found.furthest.expect("something");
    assert_eq!((found.fits.len(), furthest.judged.verdict()), (0, "bad-argument"));
    let which = Which::new(By::default(), Strictness::default(), 1);
    assert!(which.find(Origin::nowhere("x.log", 1), "game nym\nplayers a, b\n", Form::Text).is_err());
    assert!(which.find(Origin::nowhere("x.log", 1), "players a, b\n", Form::Text).is_err());
}
