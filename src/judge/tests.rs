use std::collections::VecDeque;
use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{By, Feed, Finding, Input, Judged, Met, Origin, Rules, Shelf, Strictness, judge_all, judge_one};
use crate::bind::{self, Choice, Entry, Notation};
use crate::check;
use crate::compile::compile;
use crate::evaluate::{Game, Pause, Refusal, Stand, State};
use crate::load::{Request, load};
use crate::log::{self, Document, Form, Log, Seat};
use crate::machine::{Machine, Program};
use crate::play::{Random, Session, seat_names};
use crate::report::{FileId, Span};
use crate::simulate::{Plan, run, written};
use crate::testing::every_ruleset;

/// A random game as its log; `most` entries at most.
fn random_log(name: &str, players: u32, seed: u64, most: u64) -> String {
    let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
    let checked = check::chosen(&loaded, Some(players), &[], Span::default()).expect("a ruleset");
    let program: Program = compile(&checked).expect("a program");
    let seats = seat_names(&checked.bound).into_iter().map(|name| Seat { name, who: None }).collect();
    let head = Log { game: name.to_owned(), rules: Some(loaded.rules_hash()), seats, ..Log::default() };
    let kept = std::sync::Mutex::new(String::new());
    let keep = |_: u64, playout: &crate::simulate::Playout| {
        let (text, played) = written(&checked.bound, &program, &head, playout);
        played.expect("a game that comes back");
        *kept.lock().expect("no panic") = text;
        Ok(())
    };
    let plan = Plan { games: 1, seed, most_entries: most, check_invariants: false, jobs: 1 };
    run(&program, plan, Some(&keep), &mut |_| Ok(())).expect("a game");
    kept.into_inner().expect("no panic")
}

fn rules_of(text: &str, form: Form) -> Rules {
    let head = super::Head::read(text, form, FileId::default()).expect("a head");
    Rules::of(head.log(), &By::default(), Origin::nowhere("game.log", 1), text).expect("rules")
}

fn judged(text: &str, form: Form) -> Judged {
    judge_one(&rules_of(text, form), text, form, Strictness::default())
}

/// Everything that a feed gives, each as its verdict.
fn verdicts(bytes: &[u8], jobs: usize, most: usize) -> Vec<String> {
    let mut standard = Cursor::new(bytes);
    let feed = Feed::new(vec![Input::Standard], &mut standard, most);
    let mut all = Vec::new();
    let tell = |met: &Met<'_>| match met {
        Met::Game(game) => format!("{}: {}", game.line, game.judged.verdict()),
        Met::Unreadable(_, line, why) => format!("{line}: {why}"),
    };
    judge_all(feed, &Shelf::new(By::default()), Strictness::default(), jobs, tell, &mut |told| {
        all.extend(told);
        Ok(())
    })
    .expect("verdicts");
    all
}

#[test]
fn what_was_played_is_legal_in_both_notations() {
    every_ruleset(|name, players| {
        let text = random_log(name, players, 5, 100_000);
        let alone = judged(&text, Form::Text);
        assert_eq!(alone.verdict(), "legal", "{name} for {players}: {:?}\n{text}", alone.findings);
        let json = Document::from_text(FileId::default(), &text).expect("a log").write(Form::JsonLines);
        let other = judged(&json, Form::JsonLines);
        assert_eq!((other.verdict(), other.entries), ("legal", alone.entries), "{name} for {players}");
        assert_eq!(other.scores, alone.scores);
    });
}

#[test]
fn what_ludex_writes_is_read_the_short_way() {
    every_ruleset(|name, players| {
        let text = random_log(name, players, 5, 100_000);
        let rules = rules_of(&text, Form::Text);
        let mut machine = Machine::new(&rules.program);
        machine.begin().expect("a beginning");
        let (_, body) = text.split_once("\n\n").expect("a head");
        for line in body.lines().take_while(|line| !line.is_empty()) {
            let step = loop {
                let step = rules.lexicon.read(&rules.program, &mut machine, line.as_bytes());
                if let Some(step) = step.filter(|step| machine.allows(*step).expect("no trouble")) {
                    break step;
                }
                assert!(machine.is_open(), "{name} for {players}: `{line}` takes the long way");
                machine.settle().expect("no trouble");
            };
            machine.take(step).expect("no trouble");
        }
    });
}

/// An argument without its name is read neither the short way nor the long way, however many blanks are between.
#[test]
fn arguments_have_names_however_they_are_spelt() {
    for (entry, verdict) in [
        ("first take 3 from 1", "unfinished"),
        ("first take 3  from 1", "unfinished"),
        ("first take 3 1", "bad-argument"),
        ("first take 3  1", "bad-argument"),
    ] {
        let text = format!("game nim\nplayers first, second\n\n{entry}\n");
        assert_eq!(judged(&text, Form::Text).verdict(), verdict, "{entry}");
    }
}

#[test]
fn every_spelling_is_judged_alike() {
    every_ruleset(|name, players| {
        let text = random_log(name, players, 6, 60);
        let spelt: String = text
            .lines()
            .map(|line| {
                let is_entry = line.contains(' ')
                    && !["game", "rules", "players", "seed", "result", "winner"]
                        .iter()
                        .any(|word| line.starts_with(word));
                if is_entry {
                    format!("  {}  # so\n", line.to_uppercase().replace(' ', "  "))
                } else {
                    format!("{line}\n")
                }
            })
            .collect();
        let (one, other) = (judged(&text, Form::Text), judged(&spelt, Form::Text));
        assert_eq!(
            (one.verdict(), one.entries),
            (other.verdict(), other.entries),
            "{name}: {:?}\n{spelt}",
            other.findings
        );
    });
}

/// What the reference evaluator says: the verdict, requirements that fail, and how many entries are legal.
fn by_reference(rules: &Rules, text: &str) -> (String, usize) {
    let bound = &rules.checked.bound;
    let items = bind::effective(&rules.loaded.layers, &mut Vec::new());
    let choice = Choice { players: Some(bound.players.count), numbers: &rules.loaded.numbers };
    let mut notation = Notation::new(&items, choice, seat_names(bound));
    let game = Game::new(&rules.checked);
    let flow = bound.flow.as_ref().expect("a flow");
    let body = text.split_once("\n\n").map_or("", |(_, body)| body);
    let mut lines = body.lines().filter(|line| !line.is_empty());
    let (mut open, mut found, mut legal) = (VecDeque::new(), None, 0);
    // The next entry of the log, or none at its end.
    let mut next = |found: &mut Option<String>| {
        while open.is_empty() {
            match log::read_entry(&mut notation, Span::default(), lines.next()?) {
                Ok(entries) => open.extend(entries),
                Err(misread) => {
                    *found = Some(misread.verdict.to_owned());
                    return None;
                }
            }
        }
        open.pop_front()
    };
    let decide = |state: &State, pause: &Pause, paid: i64| {
        let stand = Stand { state: state.clone(), pause: pause.clone(), paid };
        let result = match next(&mut found)? {
            Entry::Act { seat, action, first, args, .. } => {
                game.act(&stand, seat, action, first, &args).expect("no trouble")
            }
            Entry::Pass { seat } => game.pass(&stand, seat),
            Entry::Chance { name, indices, value: Some(value) } => game.chance(&stand, &name, &indices, &value),
            Entry::Chance { .. } | Entry::Unreadable { .. } => Err(Refusal::verdict("unreadable")),
        };
        match result {
            Ok(decision) => {
                legal += 1;
                Some(decision)
            }
            Err(refusal) => {
                let names = refusal.names.join(" ");
                found = Some(if names.contains('.') { format!("requirement {names}") } else { names });
                None
            }
        }
    };
    let beginning = game.beginning().expect("a beginning");
    let last = game.play_with(flow, beginning, Box::new(decide)).expect("no trouble");
    let over = last.pause == Pause::Over;
    // After the end nobody is asked any more.
    if over && found.is_none() && next(&mut found).is_some() {
        found = Some("after-end".to_owned());
    }
    (found.unwrap_or_else(|| (if over { "legal" } else { "unfinished" }).to_owned()), legal)
}

/// Breaks a log in one way.
fn mutated(text: &str, random: &mut Random) -> String {
    let (head, body) = text.split_once("\n\n").expect("a head and entries");
    let body = body.split("\n\nresult").next().unwrap_or(body);
    let mut lines: Vec<String> = body.lines().map(str::to_owned).collect();
    let mut pick = |count: usize| usize::try_from(random.below(count.max(1) as u64)).expect("few");
    let (at, other) = (pick(lines.len()), pick(lines.len()));
    match pick(5) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, other),
        3 => lines[at] = lines[other].clone(),
        _ => {
            // One word becomes a word of another line.
            let words: Vec<String> = lines[other].split(' ').map(str::to_owned).collect();
            let mut own: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let nth = pick(own.len());
            own[nth].clone_from(&words[pick(words.len())]);
            lines[at] = own.join(" ");
        }
    }
    format!("{head}\n\n{}\n", lines.join("\n"))
}

#[test]
fn one_mutation_is_judged_as_the_reference_judges_it() {
    every_ruleset(|name, players| {
        let mut random = Random::new(u64::from(players));
        let text = random_log(name, players, 9, 40);
        let rules = rules_of(&text, Form::Text);
        for _ in 0..12 {
            let broken = mutated(&text, &mut random);
            let judged = judge_one(&rules, &broken, Form::Text, Strictness::default());
            assert!(judged.faults.is_empty(), "{:?}", judged.faults);
            let names: Vec<&str> = judged
                .findings
                .iter()
                .filter(|finding| finding.is_illegal())
                .flat_map(|finding| &finding.broken)
                .map(|broken| broken.name.as_str())
                .collect();
            let found = format!("{} {}", judged.verdict(), names.join(" ")).trim_end().to_owned();
            assert_eq!((found, judged.entries), by_reference(&rules, &broken), "{name} for {players}:\n{broken}");
        }
    });
}

#[test]
fn what_a_seat_did_not_see_makes_no_log_illegal() {
    for players in [3, 4] {
        let text = random_log("maya", players, 3, 100_000);
        let opened = log::open("game.log", &text).expect("a log");
        let program = compile(&opened.checked).expect("a program");
        for viewer in 0..players {
            let mut session = Session::new(&opened.checked, &program).expect("a game");
            let (head, end) =
                (text.split_once("\n\n").expect("a head").0, text.split_once("\n\nresult").expect("an end").1);
            let mut own = format!("{head}\n\n");
            for (entry, _) in &opened.entries {
                let decision = match (entry, session.meant(entry)) {
                    (_, Some(decision)) => decision,
                    (Entry::Chance { value: Some(value), .. }, _) => crate::evaluate::Decision::Chance(value.clone()),
                    (Entry::Pass { seat }, _) => crate::evaluate::Decision::Pass { seat: *seat },
                    other => panic!("{other:?}"),
                };
                own += &format!("{}\n", session.known_to(&decision, Some(viewer)));
                session.enter(&decision).expect("legal");
            }
            assert!(own.contains('?'), "something is hidden");
            for ended in [own.clone(), format!("{own}\nresult{end}")] {
                let judged = judged(&ended, Form::Text);
                let illegal: Vec<&Finding> = judged.findings.iter().filter(|finding| finding.is_illegal()).collect();
                assert!(illegal.is_empty() && judged.faults.is_empty(), "{illegal:?} {:?}\n{ended}", judged.faults);
                assert!(["legal", "legal-if"].contains(&judged.verdict()), "{}", judged.verdict());
            }
        }
    }
}

#[test]
fn all_goes_on_after_a_fault() {
    let nim =
        "first take 3 from 3 then pieces 3 = 1\nsecond take 1 from 3\nsecond take 1 from 1\nfirst take 1 from 1\n";
    let squares = "cross place b2\nnought place b2\ncross place b2\nnought place a1\n";
    let cases = [
        (format!("game nim\nplayers first, second\n\n{nim}"), vec!["bookkeeping", "wrong-player", "unfinished"], 3),
        (
            format!("game tictactoe\nplayers cross, nought\n\n{squares}"),
            vec!["requirement", "requirement", "unfinished"],
            4,
        ),
    ];
    for (text, expected, entries) in cases {
        let all = Strictness { all: true, ..Strictness::default() };
        let judged = judge_one(&rules_of(&text, Form::Text), &text, Form::Text, all);
        let found: Vec<&str> = judged.findings.iter().map(Finding::verdict).collect();
        assert_eq!((found, judged.entries), (expected, entries), "{:?}", judged.findings);
    }
}

const GOOD: &str = "game nim\nplayers first, second\n\nfirst take 3 from 1\nsecond take 4 from 2\nfirst take 5 from 3\n\nresult first 1, second 0\nwinner first\n";

#[test]
fn a_file_holds_many_games_and_threads_do_not_matter() {
    let many = GOOD.repeat(5000) + "game nim\nplayers first, second\n\nsecond take 1 from 1\n" + &GOOD.repeat(2000);
    let one = verdicts(many.as_bytes(), 1, 1 << 20);
    assert_eq!(one.len(), 7001);
    assert_eq!(one[5000], format!("{}: wrong-player", 5000 * 9 + 1));
    assert_eq!(one.iter().filter(|told| told.ends_with(" legal")).count(), 7000);
    assert_eq!(one, verdicts(many.as_bytes(), 4, 1 << 20));
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(many.as_bytes()).expect("packed");
    assert_eq!(one, verdicts(&packed.finish().expect("packed"), 2, 1 << 20));
}

#[test]
fn bad_input_is_told_and_bounded() {
    let told = |text: &[u8]| verdicts(text, 2, 1 << 20);
    let head = "game nim\nplayers first, second\n\n";
    assert_eq!(told(b""), ["1: is empty"]);
    assert_eq!(told(b"\x00\x01\xfe\xff"), ["1: is not UTF-8 in line 1"]);
    assert_eq!(told(&GOOD.as_bytes()[..GOOD.len() - 30]), ["1: no-verdict"], "cut off in the middle of the result");
    assert_eq!(told(&GOOD.as_bytes()[..50]), ["1: bad-argument"], "cut off in the middle of an entry");
    assert_eq!(
        told(format!("{head}first take {} from 1\n", "1".repeat(10 << 20)).as_bytes()),
        ["1: has a game of more than 1 MiB"]
    );
    assert_eq!(told(format!("{head}first take {} from 1\n", "1".repeat(1 << 17)).as_bytes()), ["1: no-verdict"]);
    let crowd: Vec<String> = (0..1_000_000).map(|nth| format!("p{nth}")).collect();
    let crowd = format!("game nim\nplayers {}\n\n", crowd.join(", "));
    assert_eq!(verdicts(crowd.as_bytes(), 1, 1 << 24), ["1: no-verdict"]);
    assert_eq!(told(b"game nim\ngame nim\nplayers first, second\n"), ["1: no-verdict", "2: unfinished"]);
    assert_eq!(told(b"game nim\nplayers first, second\nplayers first, second\n"), ["1: no-verdict"]);
    assert_eq!(told(b"game no-such-game\nplayers first, second\n"), ["1: no-verdict"]);
    assert_eq!(told(b"ludex 7\ngame nim\nplayers first, second\n"), ["1: unknown-version"]);
    assert_eq!(
        told(b"{\"game\":\"nim\",\"players\":[{\"seat\":\"a\"},{\"seat\":\"b\"}]}\n{\"seat\":"),
        ["1: unreadable"]
    );
    // A bomb: a gigabyte of blank lines in a megabyte.
    let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
    bomb.write_all(head.as_bytes()).expect("packed");
    let blank = vec![b'\n'; 1 << 20];
    for _ in 0..64 {
        bomb.write_all(&blank).expect("packed");
    }
    assert_eq!(told(&bomb.finish().expect("packed")), ["1: has a game of more than 1 MiB"]);
    let mut cut = GzEncoder::new(Vec::new(), Compression::fast());
    cut.write_all(GOOD.as_bytes()).expect("packed");
    let cut = cut.finish().expect("packed");
    assert!(told(&cut[..cut.len() / 2])[0].contains("cannot be read"));
}

#[test]
fn games_that_are_too_long_are_cut() {
    let few = Strictness { most_entries: 2, ..Strictness::default() };
    let judged = judge_one(&rules_of(GOOD, Form::Text), GOOD, Form::Text, few);
    assert_eq!((judged.verdict(), judged.entries), ("no-verdict", 2));
    assert_eq!(judged.faults[0].code.id, "log::too-long-a-game");
}

#[test]
fn elements_are_put_as_they_are_read() {
    every_ruleset(|name, players| {
        let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
        let checked = check::chosen(&loaded, Some(players), &[], Span::default()).expect("a ruleset");
        let program = compile(&checked).expect("a program");
        let mut machine = Machine::new(&program);
        machine.begin().expect("a beginning");
        let types = &checked.bound.types;
        let before = machine.position();
        let state = machine.read(types);
        for (number, elements) in (0..).zip(&state.elements) {
            for (at, value) in elements.iter().enumerate() {
                let id = bind::StateId(number);
                assert!(machine.put(types, id, at, value), "{name}: {value:?} fits");
                assert_eq!(machine.value(types, id, at).as_ref(), Some(value), "{name}");
            }
        }
        assert_eq!(machine.position(), before, "{name}");
    });
}

#[test]
fn a_head_that_begins_alike_is_not_the_same() {
    let head = "game nim\nplayers first, second\n";
    let loses =
        "first take 3 from 1\nsecond take 4 from 2\nfirst take 5 from 3\n\nresult first 0, second 1\nwinner second\n";
    for between in ["\n", "seed 3\n\n", "\n# so\n"] {
        let other = format!("{head}{between}set option.last = loses\n\n{loses}");
        assert_eq!(verdicts(format!("{GOOD}{other}").as_bytes(), 1, 1 << 20), ["1: legal", "10: legal"], "{between:?}");
    }
    let late = format!("{head}\nfirst take 1 from 1\nset option.last = loses\n");
    assert_eq!(verdicts(late.as_bytes(), 1, 1 << 20), ["1: no-verdict"], "what is set belongs into the head");
    // A name that begins like a word of the head, cut off where reading stops.
    let mut long = String::from("game nim\nplayers gamer, ludexa\n\n");
    while long.len() < (1 << 17) - 4 {
        long += "#\n";
    }
    long.truncate((1 << 17) - 5);
    long += "\ngamer take 3 from 1\n";
    assert_eq!(verdicts(long.as_bytes(), 1, 1 << 20), ["1: unfinished"]);
}

#[test]
fn what_is_unknown_decides_nothing_by_chance() {
    let head = "game nim\nplayers first, second\n\nfirst take 3 from 1\nsecond take 5 from 3\nfirst take ? from 2\n";
    let won = format!("{head}\nresult first 1, second 0\nwinner first\n");
    let found = judged(&won, Form::Text);
    assert_eq!(found.verdict(), "legal-if", "{:?}", found.findings);
    assert!(found.findings[0].message.contains("first take 4 from 2"), "{}", found.findings[0].message);
    assert_eq!(found.scores, [("first".to_owned(), 1), ("second".to_owned(), 0)]);
    let open = judged(head, Form::Text);
    assert_eq!((open.verdict(), open.scores.len()), ("unfinished", 0), "it may be over, or not");
    let refused = judged(&format!("{head}first take 1 from 2\n"), Form::Text);
    assert_eq!(refused.verdict(), "wrong-player", "in every world");
}

#[test]
fn all_keeps_the_verdict_and_blames_nobody_wrongly() {
    let head = "game nim\nplayers first, second\n\n";
    let all = Strictness { all: true, ..Strictness::default() };
    for body in [
        "second take 1 from 1\nfirst take 1 from 1\n\nresult first 1, second 0\n",
        "first take 1 from 1 then pieces 1 = 3\nsecond take 3 from 1\nfirst take 1 from 1\n",
    ] {
        let text = format!("{head}{body}");
        let (few, more) = (judged(&text, Form::Text), judge_one(&rules_of(&text, Form::Text), &text, Form::Text, all));
        assert!(more.faults.is_empty(), "{:?}", more.faults);
        assert_eq!(few.verdict(), more.verdict(), "{body}");
    }
}

#[test]
fn chance_and_who_passes_pay_nothing() {
    let text = random_log("tikal", 2, 4, 60);
    let claimed: String = text
        .lines()
        .map(|line| {
            let free = line.starts_with("tile =") || line.ends_with(" pass");
            if free { format!("{line} then paid = 0\n") } else { format!("{line}\n") }
        })
        .collect();
    assert!(claimed.contains("then paid"), "{claimed}");
    let found = judged(&claimed, Form::Text);
    assert_eq!(found.verdict(), "unfinished", "{:?}", found.findings);
}
