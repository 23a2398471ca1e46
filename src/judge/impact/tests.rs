use super::{Effect, Impact};
use crate::judge::{By, Feed, Input, Met, Shelf, Strictness, judge_all};

/// What changes about the games of a text if these numbers of Nim are set.
fn effects(text: &str, settings: &[&str]) -> Vec<(Effect, String)> {
    let shelf = |settings: &[&str]| {
        let settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
        Shelf::new(By { ruleset: Some("nim".to_owned()), settings, ..By::default() })
    };
    let (old, new) = (shelf(&[]), shelf(settings));
    let mut standard = text.as_bytes();
    let feed = Feed::new(vec![Input::Standard], &mut standard, 1 << 20);
    let mut found = Vec::new();
    let tell = |met: &Met<'_>| match met {
        Met::Game(game) => {
            let impact = Impact::of(game, &new, Strictness::default());
            (impact.effect, impact.new.fault().map(super::Finding::rule).unwrap_or_default())
        }
        Met::Unreadable(..) => (Effect::NoVerdict, "unreadable".to_owned()),
    };
    let take = &mut |told: Option<_>| {
        found.extend(told);
        Ok(())
    };
    judge_all(feed, &old, Strictness::default(), 1, tell, take).expect("nothing is written");
    found
}

const HEAD: &str = "game nim\nplayers first, second\n\n";

#[test]
fn every_effect_is_told() {
    let entries = "first take 3 from 1\nsecond take 4 from 2\nfirst take 5 from 3\n";
    let result = "result first 1, second 0\nwinner first\n";
    let whole = format!("{HEAD}{entries}");
    let one = |text: &str, settings: &[&str]| {
        let found = effects(text, settings);
        assert_eq!(found.len(), 1, "{text}");
        found[0].clone()
    };
    let plain = |effect| (effect, String::new());
    assert_eq!(one(&whole, &[]), plain(Effect::Unaffected));
    assert_eq!(one(HEAD, &["option.last=loses"]), plain(Effect::Unaffected));
    assert_eq!(one(&whole, &["option.last=loses"]), plain(Effect::Outcome));
    // A result that was right, and is not any more.
    let written = format!("{whole}{result}");
    assert_eq!(one(&written, &["option.last=loses"]), (Effect::Outcome, "bookkeeping".to_owned()));
    assert_eq!(one(&written.replace("first 1, second 0", "first 0, second 1"), &[]).0, Effect::IllegalByBoth);
    let wrong = written.replace("first 1, second 0", "first 0, second 1").replace("winner first", "winner second");
    assert_eq!(one(&wrong, &["option.last=loses"]), plain(Effect::NewlyLegal));
    // What one may not do any more.
    let less = ["heap.most=4", "heap.size=4"];
    assert_eq!(one(&format!("{HEAD}first take 3 from 4\n"), &[]).0, Effect::IllegalByBoth);
    assert_eq!(one(HEAD, &less).0, Effect::NoVerdict, "an array cannot be set so");
    // What judges nothing.
    let hex = HEAD.replace("game nim", "game hex");
    assert_eq!(one(&format!("{hex}first place a1\n"), &[]).0, Effect::NoVerdict);
    // Rules that are named decide alone, whatever the log names.
    assert_eq!(one(&whole.replace("game nim", "game hex"), &[]), plain(Effect::Unaffected));
    assert_eq!(one("game nim\n", &[]).0, Effect::NoVerdict);
    assert_eq!(one(&whole.replace("players", "set heap.mots = 3\nplayers"), &[]).0, Effect::NoVerdict);
}

#[test]
fn games_of_one_stream_keep_their_order() {
    let text = format!("{HEAD}first take 9 from 1\n{HEAD}first take 1 from 1\n");
    let found = effects(&text, &[]);
    assert_eq!(
        found.iter().map(|(effect, _)| *effect).collect::<Vec<_>>(),
        [Effect::IllegalByBoth, Effect::Unaffected]
    );
    assert_eq!(found[0].1, "requirement take.enough");
}
