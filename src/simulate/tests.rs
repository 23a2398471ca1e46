use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::report::Figures;
use super::{Halted, Level, Part, Perft, Plan, Played, Playout, Rules, Table, line, perft, play, run};
use crate::agent::Agent;
use crate::bind::Value;
use crate::check::{self, Checked};
use crate::compile::compile;
use crate::load::{Request, load};
use crate::log::{self, Line, Log, Seat};
use crate::machine::{Machine, Program, Waits};
use crate::play::{Session, seat_names, seed_of_game};
use crate::report::Span;

fn game(name: &str, players: u32, settings: &[&str]) -> (Checked, Program) {
    let settings = settings.iter().map(|&setting| setting.to_owned()).collect();
    let loaded = load(&Request { ruleset: name.to_owned(), settings, ..Request::default() });
    let checked = check::chosen(&loaded, Some(players), &[], Span::default()).expect("a ruleset");
    let program = compile(&checked).expect("a program");
    (checked, program)
}

fn levels(program: &Program, depth: u32, ends: bool, jobs: usize) -> Vec<Level> {
    let mut machine = Machine::new(program);
    machine.begin().expect("a game");
    let counted = perft(program, &machine.position(), Perft { depth, ends, jobs }, &mut |_, _| Ok(()));
    counted.expect("nobody to be told").expect("no trouble")
}

fn sequences(program: &Program, depth: u32) -> Vec<u64> {
    levels(program, depth, false, 2).iter().skip(1).map(|level| level.sequences).collect()
}

#[test]
fn sequences_of_tictactoe_are_those_of_the_literature() {
    let (_, program) = game("tictactoe", 2, &[]);
    let counted = levels(&program, 9, true, 2);
    let sequences: Vec<u64> = counted.iter().map(|level| level.sequences).collect();
    assert_eq!(sequences, [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]);
    let over: Vec<u64> = counted.iter().filter_map(|level| level.over).collect();
    assert_eq!(over, [0, 0, 0, 0, 0, 1440, 5328, 47_952, 72_576, 127_872]);
    assert_eq!(over.iter().sum::<u64>(), 255_168, "games of tic-tac-toe");
    // Nothing is longer than nine entries; and the last depth does not say what ends there unless asked to.
    let longer = levels(&program, 10, false, 1);
    assert_eq!((longer[9].over, longer[10]), (Some(127_872), Level { sequences: 0, over: None }));
}

#[test]
fn sequences_of_reversi_are_those_of_the_literature() {
    let (_, program) = game("reversi", 2, &[]);
    let counted = levels(&program, 9, false, crate::examples::cores());
    let sequences: Vec<u64> = counted.iter().skip(1).map(|level| level.sequences).collect();
    assert_eq!(sequences, [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288]);
}

/// Takes seconds in a release build: `cargo test --release -- --ignored`.
#[test]
#[ignore = "too long for a dev build"]
fn long_sequences_of_reversi_are_those_of_the_literature() {
    let (_, program) = game("reversi", 2, &[]);
    let counted = levels(&program, 10, false, crate::examples::cores());
    assert_eq!(counted[10].sequences, 24_571_056);
    // The literature has 24,571,284 at depth 10: it counts a game that is over once more at every greater depth.
    assert_eq!(counted[9].over, Some(228));
    assert_eq!(counted[10].sequences + 228, 24_571_284);
}

#[test]
fn sequences_of_nim_and_hex_follow_from_their_rules() {
    // From 3, 4, 5: one entry for each piece, then what is left after each of these.
    let (_, nim) = game("nim", 2, &[]);
    assert_eq!(sequences(&nim, 2), [12, 113]);
    // Every order of cells as long as nobody can have joined two sides.
    let (_, hex) = game("hex", 2, &["board.size=3"]);
    let counted = levels(&hex, 9, true, 2);
    let sequences: Vec<u64> = counted.iter().take(6).map(|level| level.sequences).collect();
    assert_eq!(sequences, [1, 9, 72, 504, 3024, 15120]);
    // No game is a draw: what is not over can go on, and a full board is over.
    assert_eq!(counted[9].over, Some(counted[9].sequences));
}

#[test]
fn chance_counts_as_one_entry() {
    let (_, maya) = game("maya", 2, &[]);
    let mut machine = Machine::new(&maya);
    machine.begin().expect("a game");
    assert!(matches!(machine.waits(), Waits::Chance(_)));
    let outcomes = machine.outcomes().expect("outcomes").len() as u64;
    assert_eq!(sequences(&maya, 1), [outcomes]);
    let (_, nim) = game("nim", 2, &[]);
    assert_eq!(levels(&nim, 0, false, 1), [Level { sequences: 1, over: Some(0) }]);
}

#[test]
fn counting_does_not_depend_on_threads() {
    for (name, depth) in [("reversi", 5), ("tikal", 3), ("nim", 4)] {
        let (_, program) = game(name, 2, &[]);
        for ends in [false, true] {
            assert_eq!(levels(&program, depth, ends, 1), levels(&program, depth, ends, 5), "{name}");
        }
    }
}

#[test]
fn positions_of_connect_four_are_those_of_the_literature() {
    // Tromp's numbers count boards, not where the last disc fell: that is projected away.
    let (checked, program) = game("connectfour", 2, &[]);
    let discs = checked.bound.states.iter().position(|state| state.name == "disc").expect("the board");
    let place = program.layout.iter().find(|place| place.state.at() == discs).expect("its place");
    let bytes = place.first as usize..(place.first + place.count * u32::from(place.cell.width)) as usize;
    let mut machine = Machine::new(&program);
    machine.begin().expect("a game");
    let mut front = vec![machine.position()];
    let mut counts = Vec::new();
    for _ in 0..7 {
        counts.push(front.len());
        let mut seen = BTreeSet::new();
        let mut next = Vec::new();
        for position in &front {
            machine.load(position);
            for entry in machine.moves().expect("legal entries").to_vec() {
                machine.load(position);
                machine.play(entry).expect("no trouble");
                if seen.insert(machine.state()[bytes.clone()].to_vec()) {
                    next.push(machine.position());
                }
            }
        }
        front = next;
    }
    counts.push(front.len());
    assert_eq!(counts, [1, 7, 49, 238, 1120, 4263, 16422, 54859]);
}

fn plan(games: u64, jobs: usize) -> Plan {
    Plan { games, seed: 7, most_entries: 10_000, check_invariants: true, jobs }
}

fn played((checked, program): &(Checked, Program), plan: Plan) -> Figures {
    match run(program, plan, None, &mut |_| Ok(())) {
        Ok((tally, _)) => {
            let mut figures = tally.figures(&checked.bound, &["random".to_owned(), "random".to_owned()]).expect("room");
            figures.derive(0.95);
            figures
        }
        Err(halted) => panic!("{halted:?}"),
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    for name in ["tictactoe", "maya"] {
        let rules = game(name, 2, &[]);
        let figures = played(&rules, plan(60, 1));
        assert_eq!((figures.games, figures.unfinished), (60, 0));
        assert_eq!(figures, played(&rules, plan(60, 3)), "{name}");
        assert_ne!(figures, played(&rules, Plan { seed: 8, ..plan(60, 1) }), "{name}");
    }
}

#[test]
fn random_tictactoe_is_won_as_often_as_it_should_be() {
    // By weighing all games: 737/1260 for who begins, 121/420 for the other, 8/63 for nobody. The bound is four
    // times the standard deviation of the first.
    let figures = played(&game("tictactoe", 2, &[]), plan(20_000, 2));
    let near = |games: u64, share: f64| {
        let found = crate::statistics::ratio(i128::from(games), u128::from(figures.finished()));
        (found.expect("games") - share).abs() < 0.014
    };
    assert!(near(figures.seats[0].wins, 737.0 / 1260.0), "{figures:?}");
    assert!(near(figures.seats[1].wins, 121.0 / 420.0), "{figures:?}");
    assert!(near(figures.no_winner, 8.0 / 63.0), "{figures:?}");
    assert_eq!((figures.length.min, figures.length.max), (Some(5), Some(9)));
    assert_eq!(figures.seats[0].mean_score, figures.seats[0].win_share);
}

#[test]
fn games_are_cut_off() {
    let figures = played(&game("reversi", 2, &[]), Plan { most_entries: 5, ..plan(10, 2) });
    assert_eq!((figures.games, figures.unfinished, figures.entries), (10, 10, 50));
    let length = &figures.length;
    assert_eq!((length.mean, length.median, length.min, length.max), (None, None, None, None));
    assert_eq!((figures.seats[0].share, figures.seats[0].mean_score), (None, None));
}

#[test]
fn the_first_game_that_fails_is_told_whoever_plays_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "game slips \"Slips\"\nplayers 2\nstate { heap: 0..99 = 0; high: 0..99 = 0 }\n\
        action add(n: 1..3) { heap += n\n high = max(high, n) }\n\
        flow { cycle p clockwise from seat(1) until heap > 20 { turn p { choose add } } end }\n\
        invariant rarely: heap is not 19 \"nobody stops at 19\"\n\
        score(p: Player) = heap\nwinner(p: Player) by score(p) ties share\n";
    std::fs::write(folder.path().join("slips.ludex"), text).expect("a file");
    let rules = game(&folder.path().join("slips.ludex").display().to_string(), 2, &[]);
    let first = |jobs| match run(&rules.1, plan(200, jobs), None, &mut |_| Ok(())) {
        Err(Halted::Broken(broken)) => (broken.game, broken.playout.entries, broken.why),
        other => panic!("{other:?}"),
    };
    assert_eq!(first(1), first(4));
    assert_eq!(played(&rules, Plan { check_invariants: false, ..plan(200, 4) }).games, 200);
}

/// The log of a simulated game.
fn log_of(name: &str, checked: &Checked, program: &Program, game: u64, playout: &Playout) -> String {
    let mut machine = Machine::new(program);
    machine.begin().expect("a game");
    let text = |&entry| line(&mut machine, &checked.bound, entry).expect("no trouble");
    let entries: Vec<Line> = playout.entries.iter().map(text).map(|text| Line { text, ..Line::default() }).collect();
    let seats = seat_names(&checked.bound).into_iter().map(|name| Seat { name, who: None }).collect();
    let seed = Some(seed_of_game(7, game));
    log::write(&Log { game: name.to_owned(), seats, seed, entries, ..Log::default() })
}

#[test]
fn simulated_games_are_legal_by_the_reference() {
    for name in ["maya", "indus", "tikal:professional", "nim"] {
        let (checked, program) = game(name, 2, &[]);
        let texts = Mutex::new(Vec::new());
        let keep = |game: u64, playout: &Playout| {
            texts.lock().expect("no panic").push(log_of(name, &checked, &program, game, playout));
            Ok(())
        };
        let plan = Plan { most_entries: 70, ..plan(2, 2) };
        run(&program, plan, Some(&keep), &mut |_| Ok(())).expect("no trouble");
        for text in texts.into_inner().expect("no panic") {
            let opened = log::open("x.log", &text).unwrap_or_else(|closed| panic!("{:?}\n{text}", closed.faults));
            let reference = crate::evaluate::Game::new(&opened.checked);
            let mut session = Session::new(&opened.checked, &program).expect("a game");
            for (entry, span) in &opened.entries {
                let shown = opened.loaded.sources.slice(*span);
                if let Some(crate::evaluate::Decision::Act { seat, action, args }) = session.meant(entry) {
                    let crate::bind::Entry::Act { first, .. } = entry else { continue };
                    let judged = reference.act(session.stand(), seat, action, *first, &args[*first..]);
                    assert!(judged.expect("no trouble").is_ok(), "{shown}\n{text}");
                }
                assert_eq!(session.enter_entry(entry), Ok(()), "{shown}\n{text}");
            }
            let flow = opened.checked.bound.flow.as_ref().expect("a flow");
            let beginning = reference.beginning().expect("a beginning");
            let stand = reference.play(flow, beginning, session.decisions()).expect("no trouble");
            assert_eq!(*session.stand(), stand, "{text}");
            assert!(!matches!(stand.state.elements.first().and_then(|all| all.first()), Some(Value::Unknown)));
        }
    }
}

/// Who begins is drawn, and nothing else tells the seats apart.
const FAIR: &str = "game fair \"Fair\"\nplayers 2\nstate {\n    heap: 0..99 = 0\n    starter: Player?\n    last: Player?\n}\n\
    action add(n: 1..3) {\n    heap += n\n    last = me\n}\n\
    flow {\n    draw starter in Player\n    cycle p clockwise from starter until heap > 9 { turn p { choose add } }\n    end\n}\n\
    score(p: Player) = if last is p then 1 else 0\nwinner(p: Player) by score(p) ties share\n";

#[test]
fn a_fair_game_is_even() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("fair.ludex"), FAIR).expect("a file");
    let rules = game(&folder.path().join("fair.ludex").display().to_string(), 2, &[]);
    let even = |games: u64, seed: u64| {
        let figures = played(&rules, Plan { seed, check_invariants: false, ..plan(games, 2) });
        let shares: Vec<_> = figures.seats.iter().map(|seat| seat.share.expect("games")).collect();
        assert!((shares[0].value + shares[1].value - 1.0).abs() < 1e-12);
        !shares[0].excludes(0.5) && !shares[1].excludes(0.5)
    };
    for seed in [1, 2, 3] {
        assert!(even(4000, seed), "seed {seed}");
    }
    // Of 300 intervals of 95 %, some must not: 300 * 0.05 = 15, give or take four times sqrt(300 * 0.05 * 0.95) = 3.8.
    let contained = (0..300).filter(|seed| even(400, *seed)).count();
    assert!((270..=299).contains(&contained), "{contained}");
}

#[test]
fn ledgers_of_games_looked_at_sum_to_their_scores() {
    for name in ["maya", "tikal:professional", "reversi"] {
        let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
        let checked = check::chosen(&loaded, Some(2), &[], Span::default()).expect("a ruleset");
        let program = compile(&checked).expect("a program");
        let rules = Some(Rules { checked: &checked, sources: &loaded.sources });
        let table = Table { program: &program, rules, agents: vec![Agent::Random; 2] };
        let part = Part { places: 0..4, shard: None, look: 4, work: crate::limits::LOOK_WORK, stop: None };
        let tables = [table];
        let done = play(&tables, plan(4, 2), &part, None, &mut |_| Ok(())).expect("no trouble");
        let figures = tables[0].figures(&done.tables[0]).expect("room");
        assert_eq!((figures.look.games, figures.look.audited), (4, 4), "{name}");
        for (at, seat) in figures.seats.iter().enumerate() {
            let points = figures.look.sources.iter().map(|source| source.points[at].gained + source.points[at].lost);
            assert_eq!(points.sum::<i128>(), seat.score.moments.sum, "{name}");
        }
        let taken: u64 = figures.actions.iter().map(|action| action.taken).sum();
        let chosen: u64 = figures.actions.iter().map(|action| action.chosen).sum();
        assert_eq!((taken, chosen), (figures.look.decisions, figures.look.decisions), "{name}");
        for action in &figures.actions {
            assert!(action.taken <= action.legal && action.legal <= action.affordable, "{name}: {action:?}");
            assert!(action.affordable <= action.offered && action.offered <= figures.look.decisions, "{name}");
        }
    }
}

#[test]
fn games_before_an_interruption_are_those_of_a_shorter_run() {
    let (checked, program) = game("nim", 2, &[]);
    let loaded = load(&Request { ruleset: "nim".to_owned(), ..Request::default() });
    let rules = Some(Rules { checked: &checked, sources: &loaded.sources });
    let tables = [Table { program: &program, rules, agents: vec![Agent::Random, Agent::Greedy] }];
    let figures = |played: &Played| {
        let mut figures = tables[0].figures(&played.tables[0]).expect("room");
        (figures.cpu_seconds, figures.look.cpu_seconds) = (0.0, 0.0);
        figures
    };
    for jobs in [1, 4] {
        let stop = AtomicBool::new(false);
        let keep = |game: u64, _: &Playout| {
            if game == 17 {
                stop.store(true, Ordering::Relaxed);
            }
            Ok(())
        };
        let part =
            Part { places: 0..1_000_000, shard: None, look: 20, work: crate::limits::LOOK_WORK, stop: Some(&stop) };
        let early = play(&tables, plan(1_000_000, jobs), &part, Some(&keep), &mut |_| Ok(())).expect("no trouble");
        assert!((17..1_000_000).contains(&early.games), "{}", early.games);
        let part = Part { places: 0..early.games, stop: None, ..part };
        let short = play(&tables, plan(early.games, 2), &part, None, &mut |_| Ok(())).expect("no trouble");
        assert_eq!(figures(&early), figures(&short));
        assert_eq!(figures(&early).games, early.games);
    }
}

#[test]
fn games_are_looked_at_again_and_again_at_fixed_numbers() {
    assert_eq!(super::looks(1000), [100, 200, 400, 800, 1000]);
    assert_eq!(super::looks(800), [100, 200, 400, 800]);
    assert_eq!((super::looks(100), super::looks(7)), (vec![100], vec![7]));
    let shard = super::report::Shard { index: 2, of: 3 };
    assert_eq!((shard.games(1), shard.games(2), shard.games(9), shard.game(2)), (0, 1, 3, 8));
}
