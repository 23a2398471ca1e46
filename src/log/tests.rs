use proptest::prelude::*;

use super::{Line, Log, Outcome, Seat, Setting, open, read, write};
use crate::compile::compile;
use crate::load::{Folder, Request, load, variants};
use crate::play::{Random, Session};
use crate::report::{FileId, Span};
use crate::testing::root;
use crate::{check, log};

fn reread(text: &str) -> Log {
    let read = read(FileId::default(), text);
    read.unwrap_or_else(|faults| panic!("{:?}\n{text}", faults.iter().map(|fault| &fault.message).collect::<Vec<_>>()))
}

#[test]
fn the_sample_of_the_papers_can_be_played() {
    let paper = std::fs::read_to_string(root().join("docs/logs.md")).expect("the paper");
    let start = paper.find("```log\n").expect("a sample") + "```log\n".len();
    let text = &paper[start..start + paper[start..].find("```").expect("its end")];
    let opened = open("sample.log", text).unwrap_or_else(|closed| panic!("{:?}", closed.faults));
    assert!(opened.warnings.is_empty(), "docs/logs.md has another hash: {:?}", opened.warnings);
    let program = compile(&opened.checked).expect("a program");
    let mut session = Session::new(&opened.checked, &program).expect("a game");
    for (entry, _) in &opened.entries {
        session.enter_entry(entry).expect("a legal entry");
    }
    assert!(session.is_over());
    let winners = session.winners().expect("winners").into_iter().map(|seat| seat as usize).collect();
    assert_eq!(opened.log.result, Some(Outcome { scores: session.scores().expect("scores"), winners }));
    assert_eq!(opened.log.seats[1].who.as_deref(), Some("random"));
}

#[test]
fn bundled_logs_are_legal() {
    let mut played = 0;
    for name in Folder::bundled_names() {
        let folder = Folder::bundled(name).expect("a ruleset");
        for file in folder.files("logs") {
            let text = folder.read(&format!("logs/{file}")).expect("a log");
            let opened = open(&file, &text).unwrap_or_else(|closed| panic!("{file}: {:?}", closed.faults));
            let program = compile(&opened.checked).expect("a program");
            let mut session = Session::new(&opened.checked, &program).expect("a game");
            for (entry, span) in &opened.entries {
                let entered = session.enter_entry(entry);
                assert_eq!(entered, Ok(()), "{file}: {}", opened.loaded.sources.slice(*span));
            }
            assert_eq!(session.is_over(), opened.log.result.is_some(), "{file}");
            if let Some(result) = &opened.log.result {
                assert_eq!(result.scores, session.scores().expect("scores"), "{file}");
            }
            played += 1;
        }
    }
    assert!(played > 0, "no ruleset has a log");
}

#[test]
fn comments_blanks_and_line_ends_mean_nothing() {
    let plain = "game nim\nplayers first, second\n\nfirst take 1 from 1\n";
    let other = "# a game\r\n\r\ngame   nim # here\r\nplayers first,second\r\n  first  take 1   from 1 # one\r\n";
    assert_eq!(reread(plain), reread(other));
    assert_eq!(write(&reread(other)), plain);
    let hash = "game nim\nplayers first = \"#1 of \\\"all\\\"\", second\n";
    assert_eq!(reread(hash).seats[0].who.as_deref(), Some("#1 of \"all\""));
}

#[test]
fn words_of_the_head_may_be_drawn() {
    let log = reread("game x\nplayers a, b\nseed 4\n\nseed = 5\nresult a = 2\n\nresult a 1, b -2\nwinner a\n");
    assert_eq!(log.seed, Some(4));
    assert_eq!(log.entries.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["seed = 5", "result a = 2"]);
    assert_eq!(log.result, Some(Outcome { scores: vec![1, -2], winners: vec![0] }));
}

#[test]
fn what_is_not_of_the_form_is_refused() {
    let codes = |text: &str| -> Vec<&str> {
        read(FileId::default(), text).expect_err(text).iter().map(|fault| fault.code.id).collect()
    };
    let head = "game nim\nplayers a, b\n";
    assert_eq!(codes(""), ["log::missing-line", "log::missing-line"]);
    assert_eq!(codes("players a, b\ngame nim\n"), ["log::missing-line"]);
    for line in [
        "rules 12",
        "rules 0123456789ABCDEF",
        "set a",
        "set a = b c",
        "seed -1",
        "seed 99999999999999999999",
        "result a 1",
        "result b 1, a 1",
        "result a 1, b x",
        "result a 1, b 2, a 3",
    ] {
        assert!(codes(&format!("{head}{line}\n")).contains(&"log::bad-line"), "{line}");
    }
    for line in ["winner c", "winner b, a", "winner a, a", "winner", "winner a b"] {
        assert_eq!(codes(&format!("{head}result a 1, b 1\n{line}\n")), ["log::bad-line"], "{line}");
    }
    for line in ["a -> b", "a take {1", "= 4", "\"a\" take 1", "a take \"x"] {
        assert_eq!(codes(&format!("{head}{line}\n")), ["log::not-an-entry"], "{line}");
    }
    for line in ["set k = 1\nset k = 2", "game nim", "a take 1\nseed 4", "winner a\nresult a 1, b 1"] {
        assert!(codes(&format!("{head}{line}\n")).contains(&"log::misplaced-line"), "{line}");
    }
    for seats in ["a, a", "a, game", "a, 1b", "a, none", "a, é"] {
        assert_eq!(codes(&format!("game nim\nplayers {seats}\n")), ["log::bad-seat"], "{seats}");
    }
    assert_eq!(codes("game nim\nplayers a b\n"), ["log::bad-line"]);
    assert_eq!(codes("game nim\nplayers a = b\n"), ["log::bad-line"]);
}

#[test]
fn absurd_logs_are_refused_at_once() {
    let head = "game nim\nplayers a, b\n";
    let seats: Vec<String> = (0..200_000).map(|seat| format!("s{seat}")).collect();
    let sets: String = (0..100_000).map(|key| format!("set k{key} = 1\n")).collect();
    for text in [
        format!("game nim\nplayers {}\n", seats.join(", ")),
        format!("{head}{sets}"),
        format!("{head}a take {}\n", "{".repeat(300_000)),
        format!("{head}a take {}{}\n", "[".repeat(300_000), "]".repeat(300_000)),
        format!("{head}a take {}{}\n", "[".repeat(500), "]".repeat(500)),
        format!("{head}{}\n", "a ".repeat(300_000)),
        format!("{head}seed {}\n", "9".repeat(300_000)),
    ] {
        let closed = open("x.log", &text).expect_err("absurd");
        assert!(closed.faults.iter().all(|fault| fault.message.chars().count() < 200), "{}", &text[..60]);
    }
}

#[test]
fn faults_of_settings_are_shown_in_the_log() {
    let text = "game nim\nplayers a, b\nset heap.mots = 9\n";
    let closed = open("x.log", text).expect_err("an unknown key");
    let fault = &closed.faults[0];
    assert_eq!((fault.code.id, closed.sources.slice(fault.span)), ("numbers::unknown-key", "set heap.mots = 9"));
    let closed = open("x.log", "game nym\nplayers a, b\n").expect_err("an unknown ruleset");
    assert_eq!(closed.sources.slice(closed.faults[0].span), "game nym");
    let closed = open("x.log", "game nim\nplayers a, b, c\n").expect_err("too many");
    assert_eq!(closed.faults[0].code.id, "bind::player-count");
    let closed = open("x.log", "game nim\nplayers a, b\n\na tkae 1 from 1\n").expect_err("a misspelt action");
    assert_eq!(closed.sources.slice(closed.faults[0].span), "tkae");
}

/// Plays at random and writes it down; reading it gives the same game.
fn comes_back(name: &str, players: u32, most: usize) {
    let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
    let names: Vec<String> = (0..players).map(|seat| format!("who_{seat}")).collect();
    let checked = check::chosen(&loaded, Some(players), &names, Span::default()).expect("a ruleset");
    let program = compile(&checked).expect("a program");
    let mut session = Session::new(&checked, &program).expect("a game");
    let mut random = Random::new(u64::from(players));
    while session.decisions().len() < most {
        let Some(decision) = session.draw(&mut random).expect("legal entries") else { break };
        session.enter(&decision).expect("a legal decision");
    }
    let log = Log {
        game: name.to_owned(),
        rules: Some(loaded.rules_hash()),
        seats: names.into_iter().map(|name| Seat { name, who: None }).collect(),
        entries: session.history().iter().map(|text| Line { text: text.clone(), ..Line::default() }).collect(),
        ..Log::default()
    };
    let text = write(&log);
    assert_eq!(reread(&text), log, "{text}");
    let opened = open("x.log", &text).unwrap_or_else(|closed| {
        panic!("{name}: {:?}\n{text}", closed.faults.iter().map(|fault| &fault.message).collect::<Vec<_>>())
    });
    let program = compile(&opened.checked).expect("a program");
    let mut again = Session::new(&opened.checked, &program).expect("a game");
    for (entry, span) in &opened.entries {
        let entered = again.enter_entry(entry);
        assert_eq!(entered, Ok(()), "{name}: {}\n{text}", opened.loaded.sources.slice(*span));
    }
    assert_eq!(again.decisions(), session.decisions(), "{name}");
    assert_eq!(again.history(), session.history(), "{name}");
    assert_eq!(again.stand(), session.stand(), "{name}");
}

#[test]
fn games_come_back_from_their_logs() {
    for name in Folder::bundled_names() {
        let mut names = vec![name.to_owned()];
        names.extend(variants(name).into_iter().map(|variant| format!("{name}:{variant}")));
        for name in names {
            for players in [2, 3] {
                let loaded = load(&Request { ruleset: name.clone(), ..Request::default() });
                if check::chosen(&loaded, Some(players), &[], Span::default()).is_ok() {
                    // Far enough for the first turns of a game that deals its board by 46 draws.
                    comes_back(&name, players, if players == 2 { 52 } else { 24 });
                }
            }
        }
    }
}

fn any_log() -> impl Strategy<Value = Log> {
    let seat = |at: usize| {
        proptest::option::of("[ -~äß\n\\\\\"#]{0,12}").prop_map(move |who| Seat { name: format!("s{at}"), who })
    };
    let seats = (1_usize..4).prop_flat_map(move |count| (0..count).map(seat).collect::<Vec<_>>());
    let settings = proptest::collection::btree_map("[a-z]{1,4}(\\.[a-z_]{1,5}){1,2}", "[ -~]{0,8}", 0..3);
    let entry = prop_oneof![
        "s0 [a-z]{1,5}( [a-z]{1,3}[0-9]{1,2}){0,3}",
        "[a-z]{8} = -?[0-9]{1,3}",
        "dice a1 b2-c2 = \\{red, blue worker\\} \\[\\] \\?",
        "s0 say \"[a-z \\{\\}]{0,5}\" at c5S",
    ];
    let result = proptest::option::of((proptest::collection::vec(any::<i64>(), 3), any::<u8>()));
    let parts = (
        "[!-~ ]{1,12}",
        any::<Option<u64>>(),
        seats,
        settings,
        any::<Option<u64>>(),
        proptest::collection::vec(entry, 0..5),
        result,
    );
    parts.prop_map(|(game, rules, seats, settings, seed, entries, result)| {
        let entries = entries.iter().filter_map(|text| {
            let entry = crate::ast::parse_entry(FileId::default(), 0, text).ok()?;
            Some(Line { text: log::entry_text(&entry), ..Line::default() })
        });
        let settings = settings.into_iter().map(|(key, value)| Setting { key, value, span: Span::default() });
        let count = seats.len();
        let result = result.map(|(scores, winners)| Outcome {
            scores: scores.into_iter().take(count).collect(),
            winners: (0..count).filter(|seat| winners >> seat & 1 == 1).collect(),
        });
        Log {
            game,
            rules,
            settings: settings.collect(),
            seed,
            entries: entries.collect(),
            result,
            seats,
            places: super::Places::default(),
        }
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(log in any_log()) {
        let text = write(&log);
        let again = reread(&text);
        prop_assert_eq!(&again, &log, "{}", text);
        prop_assert_eq!(write(&again), text);
    }

    #[test]
    fn nothing_that_is_typed_breaks_the_reader(text in "[ -~\näé]{0,200}") {
        let _ = open("x.log", &text);
        let _ = open("x.log", &format!("game nim\nplayers a, b\n{text}"));
    }
}
