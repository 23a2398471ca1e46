use super::{Random, Session, Stopped, render};
use crate::check::{self, Checked};
use crate::compile::compile;
use crate::evaluate::{Decision, Pause};
use crate::load::{Loaded, Request, load};
use crate::machine::Program;
use crate::report::Span;
use crate::testing::{pin, root};

fn game(name: &str, players: u32, settings: &[&str]) -> (Loaded, Checked, Program) {
    let settings = settings.iter().map(|&setting| setting.to_owned()).collect();
    let loaded = load(&Request { ruleset: name.to_owned(), settings, ..Request::default() });
    let checked = check::chosen(&loaded, Some(players), &[], Span::default()).expect("a ruleset");
    let program = compile(&checked).expect("a program");
    (loaded, checked, program)
}

/// Plays at random up to so many decisions, or to the end.
fn random_game<'c>(checked: &'c Checked, program: &'c Program, seed: u64, most: usize) -> Session<'c> {
    let mut session = Session::new(checked, program).expect("a game");
    let mut random = Random::new(seed);
    while session.decisions().len() < most {
        let Some(decision) = session.draw(&mut random).expect("legal entries") else { break };
        session.enter(&decision).expect("a legal decision");
    }
    session
}

#[test]
fn the_generator_is_the_one_described() {
    // Worked out by another program from the papers' definitions.
    let mut random = Random::new(1);
    let first = [(); 4].map(|()| random.next_word());
    assert_eq!(first, [0xcfc5_d07f_6f03_c29b, 0xbf42_4132_963f_e08d, 0x19a3_7d57_57aa_f520, 0xbf08_119f_05cd_56d6]);
    let mut random = Random::new(1);
    assert_eq!([(); 12].map(|()| random.below(6)), [4, 4, 0, 4, 1, 3, 5, 3, 0, 0, 5, 2]);
    assert_eq!(random.below(0), 0);
    assert_eq!(random.below(1), 0);
}

#[test]
fn weights_are_chances() {
    let mut random = Random::new(7);
    let mut seen = [0_u32; 4];
    for _ in 0..6000 {
        seen[random.weighted([1, 0, 2, 3].into_iter()).expect("one of them")] += 1;
    }
    assert_eq!(seen[1], 0);
    assert!((900..1100).contains(&seen[0]) && (1850..2150).contains(&seen[2]), "{seen:?}");
    assert_eq!(random.weighted([0, 0].into_iter()), None);
    assert_eq!(random.weighted(std::iter::empty()), None);
}

/// Counts sequences of decisions of this length.
fn perft(session: &mut Session<'_>, depth: usize) -> usize {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for decision in session.legal().expect("legal entries") {
        session.enter(&decision).expect("a legal decision");
        count += perft(session, depth - 1);
        assert!(session.undo().expect("a game"));
    }
    count
}

#[test]
fn sequences_of_moves_are_counted() {
    // Nim from 3, 4, 5: one move for each piece; 12 pieces, then what is left after each of these moves.
    let (_, nim, program) = game("nim", 2, &[]);
    let mut session = Session::new(&nim, &program).expect("a game");
    assert_eq!([1, 2].map(|depth| perft(&mut session, depth)), [12, 113]);
    let (_, hex, program) = game("hex", 2, &["board.size=3"]);
    let mut session = Session::new(&hex, &program).expect("a game");
    assert_eq!([1, 2, 3].map(|depth| perft(&mut session, depth)), [9, 72, 504]);
}

#[test]
fn random_games_of_hex_have_one_winner() {
    let (_, hex, program) = game("hex", 2, &["board.size=5"]);
    for seed in 0..4 {
        let session = random_game(&hex, &program, seed, 100);
        assert!(session.is_over(), "seed {seed}");
        assert_eq!(session.winners().expect("winners").len(), 1, "seed {seed}");
        assert_eq!(session.scores().expect("scores").iter().sum::<i64>(), 1);
    }
}

#[test]
fn undo_leads_back_step_by_step() {
    let (_, checked, program) = game("indus", 2, &[]);
    let mut session = Session::new(&checked, &program).expect("a game");
    let mut random = Random::new(5);
    let mut stands = Vec::new();
    for _ in 0..12 {
        stands.push(session.stand().clone());
        let decision = session.draw(&mut random).expect("legal entries").expect("a decision");
        session.enter(&decision).expect("a legal decision");
    }
    while let Some(stand) = stands.pop() {
        assert_eq!(session.undo(), Ok(true));
        assert_eq!(*session.stand(), stand);
        assert_eq!(session.history().len(), stands.len());
    }
    assert_eq!(session.undo(), Ok(false));
}

#[test]
fn what_is_not_legal_changes_nothing_and_says_why() {
    let (_, checked, program) = game("tictactoe", 2, &[]);
    let mut session = Session::new(&checked, &program).expect("a game");
    let first = session.legal().expect("legal entries")[0].clone();
    session.enter(&first).expect("a legal decision");
    let before = session.stand().clone();
    let refused = |session: &mut Session<'_>, decision: &Decision| match session.enter(decision) {
        Err(Stopped::Refused(refusal)) => session.why(&refusal, Some(decision)).join("; "),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&mut session, &first), "wrong-player: nought is to move");
    let Decision::Act { action, args, .. } = &first else { panic!("{first:?}") };
    let same = Decision::Act { seat: 1, action: *action, args: args.clone() };
    assert_eq!(refused(&mut session, &same), "place.empty: this does not hold: a1 is empty");
    assert_eq!(
        refused(&mut session, &Decision::Pass { seat: 1 }),
        "wrong-phase: this is not offered now; nought is to move"
    );
    assert_eq!(
        refused(&mut session, &Decision::Chance(args[0].clone())),
        "wrong-phase: this is not offered now; nought is to move"
    );
    assert_eq!((session.stand(), session.history().len()), (&before, 1));
}

#[test]
fn every_legal_decision_is_written_as_it_is_read() {
    // The notation leaves out what the flow binds and what is none; both must come back.
    let (_, checked, program) = game("tikal", 2, &[]);
    let mut session = random_game(&checked, &program, 3, 20);
    let shown: Vec<String> =
        session.legal().expect("legal entries").iter().map(|decision| session.show(decision)).collect();
    let mut once = shown.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), shown.len(), "two decisions are written alike: {shown:?}");
}

#[test]
fn positions_are_drawn() {
    let drawn: [(&str, u32, &[&str], usize); 6] = [
        ("hex", 2, &["board.size=5"], 9),
        ("nim", 2, &[], 2),
        ("reversi", 2, &[], 6),
        ("tikal", 3, &[], 24),
        ("indus", 2, &[], 12),
        ("maya", 2, &[], 60),
    ];
    for (name, players, settings, most) in drawn {
        let (loaded, checked, program) = game(name, players, settings);
        let session = random_game(&checked, &program, 11, most);
        pin("positions", name, "", &render(&session, &loaded.sources, Some(0)));
    }
}

#[test]
fn what_is_hidden_is_not_drawn() {
    let (loaded, checked, program) = game("maya", 3, &[]);
    let session = random_game(&checked, &program, 2, 56);
    assert!(matches!(session.stand().pause, Pause::Choose(_)) && session.has_secrets());
    let pictures = [None, Some(0), Some(1), Some(2)].map(|viewer| render(&session, &loaded.sources, viewer));
    let hidden = |picture: &String| picture.lines().filter(|line| line.contains("task 2 hidden")).count();
    assert_eq!(pictures.each_ref().map(hidden), [3, 2, 2, 2], "{}", pictures.join("\n"));
    for (seat, picture) in pictures.iter().skip(1).enumerate() {
        let own = picture.lines().find(|line| line.contains("task {")).expect("an own task");
        assert!(own.starts_with(&(seat + 1).to_string()), "{picture}");
    }
}

#[test]
fn a_game_without_a_view_lists_its_states() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "game bare \"Bare\"\nplayers 2\nstate { heap[1..2]: 0..9 = 4; hand[Player]: set of Player = {seat(1)} seen by owner }\n\
        action take(from: 1..2) require some: heap[from] > 0 \"there is some\" { heap[from] -= 1 }\n\
        flow { cycle p clockwise from seat(1) until heap[1] is 0 { turn p { choose take } } end }\n\
        score(p: Player) = heap[2]\nwinner(p: Player) by score(p) ties share\n";
    std::fs::write(folder.path().join("bare.ludex"), text).expect("a file");
    let (loaded, checked, program) = game(&folder.path().join("bare.ludex").display().to_string(), 2, &[]);
    let session = Session::new(&checked, &program).expect("a game");
    let picture = render(&session, &loaded.sources, Some(1));
    assert_eq!(picture, "heap: 1 4, 2 4\nhand: seat1 1 hidden, seat2 {seat1}\n");
}

#[test]
fn sealed_arguments_are_not_told_to_others() {
    let path = root().join("src/testing/cases/sealed-bids.ludex").display().to_string();
    let (loaded, checked, program) = game(&path, 3, &[]);
    let mut session = Session::new(&checked, &program).expect("a game");
    let four = session.legal().expect("legal entries")[4].clone();
    assert_eq!(session.show_to(&four, Some(0)).as_deref(), Some("seat1 note 4"));
    assert_eq!(session.show_to(&four, Some(1)).as_deref(), Some("seat1 note ?"));
    assert_eq!(session.show_to(&four, None).as_deref(), Some("seat1 note ?"));
    session.enter(&four).expect("a legal decision");
    let own = render(&session, &loaded.sources, Some(0));
    let other = render(&session, &loaded.sources, Some(1));
    assert!(own.contains("secret: seat1 4, seat2 ?, seat3 ?"), "{own}");
    assert!(other.contains("secret: seat1 ?, seat2 0, seat3 ?"), "{other}");
}

#[test]
fn both_engines_say_who_sees_what_chance_gives() {
    let dealing = root().join("src/testing/cases/dealing-to-me.ludex").display().to_string();
    for (name, players) in [("maya", 4), ("indus", 3), (dealing.as_str(), 4)] {
        let (_, checked, program) = game(name, players, &[]);
        let mut session = Session::new(&checked, &program).expect("a game");
        let mut random = Random::new(3);
        let flow = checked.bound.flow.as_ref().expect("a flow");
        while let Some(decision) = session.draw(&mut random).expect("legal entries") {
            if session.decisions().len() > 12 {
                break;
            }
            let beginning = session.game.beginning().expect("a beginning");
            let stand = session.game.play(flow, beginning, session.decisions()).expect("a game");
            assert_eq!(stand.pause, session.stand().pause, "{name}");
            session.enter(&decision).expect("a legal decision");
        }
    }
}

/// Rules in which cards are played from a hidden hand; what the action does with a card is different.
fn card_game(effect: &str) -> String {
    format!(
        "game cards \"Cards\"\nplayers 2\ntype Card = a | b | c | d\n\
         state {{\n    deck: set of Card = Card seen by nobody\n    hand[Player]: set of Card = {{}} seen by owner\n\
         \x20   aside[Player]: Card? seen by owner\n    shown[Player]: Card?\n    pile: set of Card = {{}}\n    \
         place[Card]: 0..2 = 0\n    flag: bool = false\n}}\n\
         phase lay(card: Card) {{ shown[me] = card }}\n\
         action play(card: Card in hand[me]) \"Play\" {{ hand[me] -= card; {effect} }}\n\
         flow {{\n    for p in Player, n in 1..2 {{ draw card from deck seen by p\n        hand[p] += card }}\n    \
         for n in 1..2, p in Player {{ turn p {{ choose play }} }}\n}}\n\
         score(p: Player) = 0\nwinner(p: Player) by score(p) ties share\n"
    )
}

#[test]
fn a_card_that_is_played_openly_is_shown_to_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cards.ludex");
    for (effect, is_open) in [
        ("shown[me] = card", true),
        ("pile += card", true),
        ("place[card] = 1", true),
        ("let it = card; shown[me] = it", true),
        ("lay(card)", true),
        ("if flag { shown[me] = card } else { pile += card }", true),
        ("aside[me] = card", false),
        ("flag = true", false),
        ("if flag { shown[me] = card } else { aside[me] = card }", false),
        ("shown[me] = card; shown[me] = none", false),
        ("pile += card; pile -= card", false),
    ] {
        std::fs::write(&file, card_game(effect)).expect("a ruleset");
        let (_, checked, program) = game(&file.display().to_string(), 2, &[]);
        let mut session = Session::new(&checked, &program).expect("a game");
        for _ in 0..4 {
            let first = session.legal().expect("draws")[0].clone();
            session.enter(&first).expect("a draw");
        }
        let first = session.legal().expect("cards")[0].clone();
        let seen = |viewer| session.show_to(&first, viewer).expect("a move");
        assert_eq!(seen(Some(0)), "seat1 play a", "{effect}");
        let others = if is_open { "seat1 play a" } else { "seat1 play ?" };
        assert_eq!((seen(Some(1)).as_str(), seen(None).as_str()), (others, others), "{effect}");
    }
}
