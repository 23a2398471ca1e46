use proptest::prelude::*;

use super::{
    Claim, Document, Expect, Form, Heard, Line, Log, Outcome, Reader, Seat, Setting, Wanted, games, lines, open,
    open_game, read, write,
};
use crate::bind::Entry;
use crate::compile::compile;
use crate::load::{Folder, Request, load, variants};
use crate::play::{Random, Session};
use crate::report::{FileId, Human, Sources, Span, Style};
use crate::testing::{pin, root};
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
fn the_papers_show_both_notations_and_all_verdicts() {
    let paper = std::fs::read_to_string(root().join("docs/logs.md")).expect("the paper");
    let block = |language: &str| {
        let fence = format!("```{language}\n");
        let start = paper.find(&fence).expect("a sample") + fence.len();
        &paper[start..start + paper[start..].find("```").expect("its end")]
    };
    let json = document(block("log"), Form::Text).to_json_lines();
    assert!(json.starts_with(block("json")), "the paper should show\n{json}");
    assert_eq!(document(block("log"), Form::Text).to_text(), block("log"));
    for verdict in super::VERDICTS {
        assert!(paper.contains(&format!("`{verdict}`")), "docs/logs.md does not list {verdict}");
    }
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
    for line in ["a -> b", "a take {1", "= 4", "{a} take 1", "a take \"x"] {
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

fn claim() -> impl Strategy<Value = Claim> {
    let text =
        prop_oneof!["paid = [0-9]{1,3}", "score s0 = -[0-9]", "next = none", "[a-z]{8} a1 = \\{red, blue\\} then"];
    text.prop_map(|text| Claim { text, span: Span::default() })
}

fn expect() -> impl Strategy<Value = Option<Expect>> {
    let name = proptest::option::of("[a-z]{1,4}\\.[a-z]{1,4}");
    let expect = (proptest::sample::select(&super::VERDICTS[..]), name);
    let expect = expect.prop_map(|(verdict, name)| Expect { verdict: verdict.to_owned(), name, span: Span::default() });
    proptest::option::of(expect)
}

/// `src/log/cases/*`: each file in both notations, or what is wrong with it.
#[test]
fn files_in_both_notations_are_pinned() {
    let mut seen = 0;
    for file in std::fs::read_dir(root().join("src/log/cases")).expect("the cases") {
        let path = file.expect("a case").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let form = Form::of(&name).expect("a log");
        let text = std::fs::read_to_string(&path).expect("a text");
        let mut sources = Sources::default();
        let id = sources.add(name.as_str(), text.as_str());
        let shown = match Document::read(id, &text, form) {
            Ok(document) => format!("{}---\n{}", document.to_text(), document.to_json_lines()),
            Err(faults) => {
                let human = Human { sources: &sources, style: Style::Plain };
                faults.iter().map(|fault| human.draw(fault)).collect()
            }
        };
        pin("logs", &name.replace('.', "-"), "", &shown);
        seen += 1;
    }
    assert!(seen > 4, "only {seen} cases were found");
}

#[test]
fn several_games_are_told_apart() {
    let first = "# before\nludex 1\ngame nim # x\nplayers a, b\nludex = 4\nludex a = 3\n# after\n";
    let second = "  game nim\nplayers a, b\n";
    let third = "ludex 1\n game hex\nplayers a, b\n\ngamer take 1\n";
    let text = [first, second, third].concat();
    let found: Vec<(usize, &str)> = games(&text).collect();
    assert_eq!(found, [(0, first), (first.len(), second), (first.len() + second.len(), third)]);
    assert_eq!(games("").collect::<Vec<_>>(), [(0, "")]);
    assert_eq!(games("ludex 1\nludex 1\ngame x\n").count(), 2);
    let json = "{\"comment\":\"game\"}\n{\"ludex\":1}\n{\"game\":\"nim\"}\n{\"seat\":\"a\",\"do\":\"x\",\"args\":[\"game\"]}\n{ \"players\":[], \"game\":\"x\"}\n";
    assert_eq!(Form::JsonLines.games(json).count(), 2);
    assert!(Form::JsonLines.begins(json) && Form::Text.begins(first) && !Form::Text.begins("a take 1\ngame nim\n"));
    let closed = open("x.log", &text).expect_err("several games");
    assert_eq!(closed.faults[0].code.id, "log::several-games");
    assert_eq!(closed.sources.slice(closed.faults[0].span), "  game nim");
    let opened =
        open_game("x.log", &text, Some(2), Wanted::default()).unwrap_or_else(|closed| panic!("{:?}", closed.faults));
    assert_eq!(opened.loaded.sources.slice(opened.log.places.players), "players a, b");
    for number in [0, 4] {
        let closed = open_game("x.log", &text, Some(number), Wanted::default()).expect_err("no such game");
        assert_eq!(closed.faults[0].message, format!("the file has no game {number}"));
    }
}

/// The entries of a game with this head, bound.
fn entries(head: &str, lines: &str) -> Vec<Entry> {
    let opened = open("x.log", &format!("{head}\n{lines}\n"));
    let opened = opened.unwrap_or_else(|closed| panic!("{lines}: {:?}", closed.faults));
    opened.entries.into_iter().map(|(entry, _)| entry).collect()
}

#[test]
fn entries_may_be_spelt_freely() {
    let tikal = "game tikal\nplayers ana = \"Ana B.\", ben = \"Anton\"";
    let exact = "ana walk worker from c3 to c4\nben exchange jug from ana give frog\nana lay b2 facing NE\nben pass";
    for free in [
        "ANA Walk WORKER From C3 TO C4\nBen EXCHANGE Jug from ANA give Frog\nAna lay B2 facing ne\nBEN PASS",
        "\"ana\" \"walk\" \"worker\" \"from\" \"c3\" \"to\" \"c4\"\nben exchange \"jug\" from \"ana\" give \"frog\"\nana lay \"b2\" facing \"NE\"\n\"ben\" \"pass\"",
        "ana wa w f c3 t c4\nb exc ju f ana g fr\nana la b2 f NE\nb p",
        "\"Ana B.\" walk worker from c3 to c4\nAnton exchange jug from \"ana b.\" give frog\n\"Ana B\" lay b2 facing NE\nANTON pass",
    ] {
        assert_eq!(entries(tikal, free), entries(tikal, exact), "{free}");
    }
    let maya = "game maya\nplayers white, black";
    let exact = "starter = white\nwhite swap a1-b1 from 3\nblack build a1 colour red";
    let free = "Starter = WHITE\nW sw B1-A1 FROM 3\nbl Build A1 c RED";
    assert_eq!(entries(maya, free), entries(maya, exact));
    let indus = "game indus\nplayers a, b";
    assert_eq!(entries(indus, "a Place w AT nA"), entries(indus, "a place worker at Na"));
}

#[test]
fn what_is_not_clear_is_ambiguous() {
    let (head, lines) = (
        "game tikal\nplayers ana = \"Ann\", anton = \"Bea\", ben\n",
        [
            ("a pass", "ambiguous", "`ana`, `anton`"),
            ("be pass", "ambiguous", "`ben`, `Bea`"),
            ("ana e worker at c3", "ambiguous", "`enter`, `exchange`"),
            ("ana exchange f from ben give jug", "ambiguous", "`frog`, `flute`"),
            ("ana wlak worker from c3 to c4", "unknown-action", "did you mean `walk`?"),
            ("ana walk worker fro c3 too c4", "bad-argument", "did you mean `to`?"),
            ("carl pass", "wrong-player", "the seats"),
            ("ana walk worker from z99 to c4", "bad-argument", "its members"),
            ("ana -> c4", "unreadable", "seat action"),
        ],
    );
    let loaded = load(&Request { ruleset: "tikal".to_owned(), ..Request::default() });
    let items = crate::bind::effective(&loaded.layers, &mut Vec::new());
    let choice = crate::bind::Choice { players: Some(3), numbers: &loaded.numbers };
    let log = reread(head);
    let mut notation =
        crate::bind::Notation::new(&items, choice, log.seats.iter().map(|seat| seat.name.clone()).collect());
    notation.call(log.seats.iter().map(|seat| seat.who.clone()));
    for (line, verdict, help) in lines {
        let misread = log::read_entry(&mut notation, Span::default(), line).expect_err(line);
        let said = misread.fault.help.unwrap_or_default();
        assert!(misread.verdict == verdict && said.contains(help), "{line}: {} {said}", misread.verdict);
    }
}

#[test]
fn a_patient_reader_goes_on() {
    let text = "ludex 7\ngame nim # x\nplayers a, b\na -> b then paid = , x\nthen a = 1\nresult a 1, b 2\na take 1 from 1\nseed 3\nwinner b\n";
    let mut reader = Reader::new(FileId::default());
    let heard: Vec<String> = lines(0, text)
        .map(|line| match reader.line(&line) {
            Ok(Heard::Head) => "head".to_owned(),
            Ok(Heard::End) => "end".to_owned(),
            Ok(Heard::Entry(entry)) => {
                let claims: Vec<&str> = entry.claims.iter().map(|claim| claim.text.as_str()).collect();
                assert_eq!(&text[entry.span.range()], if entry.text.is_empty() { "" } else { entry.text.as_str() });
                format!("{}|{}", entry.text, claims.join("|"))
            }
            Err(faults) => faults[0].code.id.to_owned(),
        })
        .collect();
    let wanted =
        ["head", "head", "head", "a -> b|paid =|x", "|a = 1", "end", "a take 1 from 1|", "log::misplaced-line", "end"];
    assert_eq!(heard, wanted);
    assert!(reader.missing_head().is_empty() && reader.missing_end().is_none());
    assert_eq!((reader.log().version, reader.log().game.as_str()), (Some(7), "nim"));
    assert_eq!(reader.log().result, Some(Outcome { scores: vec![1, 2], winners: vec![1] }));
}

#[test]
fn games_are_played_from_json_lines() {
    let text = std::fs::read_to_string(root().join("rulesets/classics/nim/logs/misere.log")).expect("a log");
    let json = document(&text, Form::Text).to_json_lines();
    let (plain, other) = (open("x.log", &text), open("x.jsonl", &json));
    let (plain, other) = (plain.expect("a log"), other.unwrap_or_else(|closed| panic!("{:?}", closed.faults)));
    assert_eq!(plain.log, other.log);
    let bound = |opened: &log::Opened| opened.entries.iter().map(|(entry, _)| entry.clone()).collect::<Vec<_>>();
    assert_eq!(bound(&plain), bound(&other));
    let (_, at) = other.entries[0];
    assert_eq!(other.loaded.sources.slice(at), "{\"seat\":\"first\",\"do\":\"take\",\"args\":[\"5\",\"from\",\"3\"]}");
    let closed = open("x.jsonl", &json.replace("\"take\"", "\"tkae\"")).expect_err("a misspelt action");
    assert!(closed.sources.slice(closed.faults[0].span).starts_with("{\"seat\":\"first\""));
}

#[test]
fn long_lines_are_refused() {
    let long = "x".repeat(crate::limits::LOG_LINE_BYTES);
    let codes = |name: &str, text: &str| open(name, text).expect_err("too long").faults[0].message.clone();
    assert!(codes("x.log", &format!("game nim\nplayers a, b\na {long}\n")).contains("65538 bytes"));
    assert!(codes("x.jsonl", &format!("{{\"game\":\"nim\",\"comment\":\"{long}\"}}\n")).contains("bytes"));
    let deep = format!("{{\"args\":{}{}}}", "[".repeat(20_000), "]".repeat(20_000));
    assert!(super::json_line_to_text(&deep, Span::default()).is_err());
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
        "\"S \\\\\"0\\\\\"\" pass",
        "s0 say \"now then, [a-z]\" to \\[then, b\\]",
        " ",
    ];
    let result = proptest::option::of((proptest::collection::vec(any::<i64>(), 3), any::<u8>()));
    let parts = (
        "[!-~ ]{1,12}",
        any::<Option<u64>>(),
        seats,
        settings,
        any::<Option<u64>>(),
        proptest::collection::vec((entry, proptest::collection::vec(claim(), 0..3)), 0..5),
        result,
        (proptest::option::of(0_u64..3), expect()),
    );
    parts.prop_map(|(game, rules, seats, settings, seed, entries, result, (version, expect))| {
        let entries = entries.into_iter().filter_map(|(text, claims)| {
            let entry = crate::ast::parse_entry(FileId::default(), 0, &text).ok();
            let text = entry.map(|entry| log::entry_text(&entry)).unwrap_or_default();
            (!text.is_empty() || !claims.is_empty()).then_some(Line { text, claims, span: Span::default() })
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
            version,
            expect,
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

/// A log as lines with comments and blank lines among them.
fn any_document() -> impl Strategy<Value = String> {
    let line = |text: String| {
        let comment = proptest::option::of("[ -~äß]{0,8}");
        let before = proptest::collection::vec(proptest::option::of("[ #a-z]{0,6}"), 0..3);
        (before, comment).prop_map(move |(before, comment)| {
            let before = before.into_iter().map(|comment| comment.map_or("\n".to_owned(), |text| format!("#{text}\n")));
            let after = comment.map_or_else(String::new, |comment| format!(" #{comment}"));
            format!("{}{text}{after}\n", before.collect::<String>())
        })
    };
    let log = any_log().prop_flat_map(move |log| {
        write(&log).lines().map(|text| line(text.to_owned())).collect::<Vec<_>>().prop_map(|lines| lines.concat())
    });
    proptest::collection::vec(log, 1..3).prop_map(|logs| logs.concat())
}

fn document(text: &str, form: Form) -> Document {
    Document::read(FileId::default(), text, form).unwrap_or_else(|faults| {
        panic!("{:?}\n{text}", faults.iter().map(|fault| (&fault.message, &fault.label)).collect::<Vec<_>>())
    })
}

proptest! {
    #[test]
    fn both_notations_say_the_same(text in any_document()) {
        let first = document(&text, Form::Text);
        let canonical = first.to_text();
        prop_assert_eq!(document(&canonical, Form::Text).to_text(), canonical.clone());
        let json = first.to_json_lines();
        let again = document(&json, Form::JsonLines);
        prop_assert_eq!(again.to_text(), canonical.clone(), "{}", json);
        prop_assert_eq!(again.to_json_lines(), json.clone());
        // What is written means the same.
        let logs = |text: &str, form: Form| -> Vec<Log> {
            let read = |(start, text)| match form {
                Form::Text => super::read_game(FileId::default(), start, text),
                Form::JsonLines => super::read_json_lines(FileId::default(), start, text),
            };
            form.games(text).map(|game| read(game).expect("a log")).collect()
        };
        let plain = logs(&text, Form::Text);
        prop_assert_eq!(&logs(&json, Form::JsonLines), &plain);
        prop_assert_eq!(logs(&canonical, Form::Text), plain);
        // One line of JSON after the other gives the same as all of them.
        let lines: Vec<String> =
            json.lines().map(|line| super::json_line_to_text(line, Span::default()).expect("lines")).collect();
        prop_assert_eq!(document(&(lines.join("\n") + "\n"), Form::Text).to_text(), canonical);
    }

    #[test]
    fn no_json_breaks_the_reader(text in "[ -~\näé]{0,200}", keys in proptest::collection::vec("ludex|game|players|seat|do|args|then|set|result|chance|is|at|winner|comment", 0..4)) {
        let _ = open("x.jsonl", &text);
        let pairs: Vec<String> = keys.iter().map(|key| format!("\"{key}\":{}", serde_json::to_string(&text).expect("a string"))).collect();
        let lists: Vec<String> = keys.iter().map(|key| format!("\"{key}\":[{}]", serde_json::to_string(&text).expect("a string"))).collect();
        for line in [format!("{{{}}}", pairs.join(",")), format!("{{{}}}", lists.join(","))] {
            if let Ok(lines) = super::json_line_to_text(&line, Span::default()) {
                let _ = open("x.log", &lines);
                prop_assert!(lines.is_empty() || lines.starts_with('#') || keys.iter().any(|key| ["players", "set"].contains(&key.as_str())) || lines.lines().count() <= keys.len(), "{}", lines);
            }
            let _ = open("x.jsonl", &format!("{{\"game\":\"nim\"}}\n{line}\n"));
        }
    }
}

#[test]
fn settings_are_limited_and_said_to_be_so_once() {
    let most = crate::limits::LOG_SETTINGS;
    let log = |count: usize| {
        let lines: String = (0..count).map(|at| format!("set a{at} = 1\n")).collect();
        format!("game nim\nplayers first, second\n{lines}")
    };
    let read = |text: &str| super::read(FileId::default(), text);
    assert_eq!(read(&log(most)).expect("as many as may be").settings.len(), most);
    let faults = read(&log(most * 5)).expect_err("too many");
    assert_eq!(faults.len(), 1, "{faults:?}");
    // What is set again is a fault, up to the same limit.
    let again = format!("game nim\nplayers first, second\n{}", "set a = 1\n".repeat(most * 5));
    assert_eq!(read(&again).expect_err("too many").len(), most);
}

#[test]
fn names_that_steer_a_terminal_are_written_with_escapes_and_read_again() {
    let who = "A\u{1b}[31m\u{202e}\u{9b}\tB\n";
    let seat = |name: &str, who: &str| Seat { name: name.to_owned(), who: Some(who.to_owned()) };
    let log = Log { game: "nim".to_owned(), seats: vec![seat("first", who), seat("second", "Ben")], ..Log::default() };
    let text = super::write(&log);
    assert!(text.contains("A\\u{1b}[31m\\u{202e}\\u{9b}\\u{9}B\\n"), "{text}");
    assert_eq!(super::read(FileId::default(), &text).expect("a log").seats, log.seats);
    for broken in ["\"\\u\"", "\"\\u{}\"", "\"\\u{d800}\"", "\"\\u{1b\"", "\"\\u{1234567}\""] {
        let text = format!("game nim\nplayers first = {broken}, second\n");
        assert!(super::read(FileId::default(), &text).is_err(), "{text}");
    }
}
