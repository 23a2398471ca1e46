use super::secrets::Secrets;
use super::worlds::Worlds;
use super::{Agent, Player};
use crate::check::{self, Checked};
use crate::compile::compile;
use crate::evaluate::{Decision, Pause, State};
use crate::load::{Folder, Request, load};
use crate::machine::{Machine, Move, Program, Random, Step, Waits};
use crate::play::Session;
use crate::report::Span;
use crate::testing::{pin, root};

fn game(name: &str, players: Option<u32>) -> (Checked, Program) {
    let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
    let checked = check::chosen(&loaded, players, &[], Span::default()).expect("a ruleset");
    let program = compile(&checked).expect("a program");
    (checked, program)
}

/// A small ruleset with something hidden.
fn case(name: &str) -> String {
    root().join(format!("src/testing/cases/{name}.ludex")).display().to_string()
}

/// A game that begins with these entries, by their places in the list of legal ones.
fn begun<'p>(program: &'p Program, entries: &[usize]) -> (Machine<'p>, Vec<Step>) {
    let mut machine = Machine::new(program);
    machine.begin().expect("a game");
    let mut steps = Vec::new();
    for &nth in entries {
        let entry = machine.moves().expect("legal entries")[nth];
        machine.play(entry).expect("a legal entry");
        steps.push(Step::Entry(entry));
    }
    (machine, steps)
}

/// The place of what is chosen in the list of legal entries.
fn chosen(player: &mut Player<'_>, (machine, steps): &mut (Machine<'_>, Vec<Step>), random: &mut Random) -> usize {
    let before = machine.position();
    let entry = player.choose(machine, steps, random).expect("no trouble").expect("an entry");
    assert_eq!(machine.position(), before, "the game goes on by itself");
    machine.moves().expect("legal entries").iter().position(|known| *known == entry).expect("a legal entry")
}

#[test]
fn agents_have_names() {
    for name in ["random", "greedy", "mcts:1", "mcts:500", "mcts:1000000"] {
        assert_eq!(Agent::parse(name).expect("an agent").to_string(), name);
    }
    let wrong =
        ["", "gredy", "mcts", "mcts:", "mcts:0", "mcts:007", "mcts:+5", "mcts:1000001", "mtcs:50", "mcst", "alphabeta"];
    let told: Vec<String> = wrong
        .iter()
        .map(|name| {
            let (message, help) = Agent::parse(name).expect_err("no agent");
            format!("{message}; {help}\n")
        })
        .collect();
    pin("agents", "names", "", &told.concat());
}

/// Plays what is chosen, and says who wins by it.
fn won(agent: Agent, (checked, program): &(Checked, Program), entries: &[usize], seed: u64) -> Vec<u32> {
    let mut player = Player::new(agent, &checked.bound, program);
    let mut table = begun(program, entries);
    let nth = chosen(&mut player, &mut table, &mut Random::new(seed));
    let entry = table.0.moves().expect("legal entries")[nth];
    table.0.play(entry).expect("a legal entry");
    if table.0.waits() == Waits::Nothing { table.0.winners().expect("winners").to_vec() } else { Vec::new() }
}

#[test]
fn a_win_at_hand_is_taken() {
    // In tic-tac-toe cross has a1 and b1, and c1 is free; in connect four three in the first column.
    let games = vec![(game("tictactoe", None), vec![0, 2, 0, 1]), (game("connectfour", None), vec![0, 1, 0, 1, 0, 1])];
    for (game, entries) in &games {
        for seed in 0..6 {
            assert_eq!(won(Agent::Greedy, game, entries, seed), [0]);
            assert_eq!(won(Agent::Mcts(200), game, entries, seed), [0]);
        }
    }
}

#[test]
fn a_loss_at_hand_is_prevented() {
    // Cross has a1 and b1: only c1 helps, the first square that is free but for those taken. In connect four the
    // first column must be stopped.
    let games = vec![(game("tictactoe", None), vec![0, 7, 0]), (game("connectfour", None), vec![0, 1, 0, 1, 0])];
    for ((checked, program), entries) in &games {
        let mut player = Player::new(Agent::Mcts(400), &checked.bound, program);
        for seed in 0..6 {
            assert_eq!(chosen(&mut player, &mut begun(program, entries), &mut Random::new(seed)), 0);
        }
    }
}

/// Plays a game to its end, or up to so many entries.
fn play<'p>(players: &mut [Player<'p>], program: &'p Program, seed: u64, most: usize) -> (Machine<'p>, Vec<Step>) {
    let (mut machine, mut steps) = begun(program, &[]);
    let mut random = Random::new(seed);
    while steps.len() < most {
        let step = match machine.waits() {
            Waits::Nothing => break,
            Waits::Chance(_) => {
                let outcomes = machine.outcomes().expect("outcomes").to_vec();
                let drawn = random.weighted(outcomes.iter().map(|(_, weight)| *weight)).expect("an outcome");
                Step::Drawn(outcomes[drawn].0)
            }
            Waits::Player { seat, .. } => {
                let before = machine.position();
                let player = &mut players[seat as usize];
                let entry = player.choose(&mut machine, &steps, &mut random).expect("no trouble").expect("an entry");
                assert_eq!(machine.position(), before, "the game goes on by itself");
                Step::Entry(entry)
            }
        };
        assert_eq!(machine.allows(step), Ok(true));
        machine.take(step).expect("a legal step");
        steps.push(step);
    }
    (machine, steps)
}

#[test]
fn thinking_pays() {
    // Looking one entry ahead for discs is little in reversi: it wins some six games of ten.
    for (name, agent, games, least) in [
        ("tictactoe", Agent::Mcts(200), 30, 26),
        ("connectfour", Agent::Mcts(100), 30, 26),
        ("connectfour", Agent::Greedy, 30, 18),
        ("reversi", Agent::Greedy, 400, 205),
    ] {
        let (checked, program) = game(name, Some(2));
        let mut wins = 0;
        for seed in 0..games {
            let seat = seed % 2;
            let agents = if seat == 0 { [agent, Agent::Random] } else { [Agent::Random, agent] };
            let mut players = agents.map(|agent| Player::new(agent, &checked.bound, &program));
            let (mut machine, _) = play(&mut players, &program, seed, 1000);
            wins += usize::from(machine.winners().expect("winners").iter().any(|winner| u64::from(*winner) == seat));
        }
        assert!(wins >= least, "{agent} won {wins} of {games} games of {name}");
    }
}

#[test]
fn the_same_generator_gives_the_same_game() {
    for (name, players) in [("connectfour", 2), ("maya", 3)] {
        let (checked, program) = game(name, Some(players));
        let games = [(); 2].map(|()| {
            let agents = [Agent::Mcts(20), Agent::Greedy, Agent::Random].into_iter().take(players as usize);
            let mut players: Vec<Player<'_>> =
                agents.map(|agent| Player::new(agent, &checked.bound, &program)).collect();
            play(&mut players, &program, 5, 30).1
        });
        assert_eq!(games[0], games[1]);
    }
}

#[test]
fn every_agent_plays_every_ruleset() {
    let bundled = Folder::bundled_names().into_iter().map(|name| (name, None));
    for (name, players) in bundled.chain([("maya", Some(3)), ("maya", Some(4)), ("tikal", Some(4))]) {
        let (checked, program) = game(name, players);
        for agent in [Agent::Random, Agent::Greedy, Agent::Mcts(2)] {
            agent.fits(&checked.bound, &program).expect("an agent that can play this");
            let seats = 0..checked.bound.players.count;
            let mut players: Vec<_> = seats.map(|_| Player::new(agent, &checked.bound, &program)).collect();
            let (machine, steps) = play(&mut players, &program, 9, 3000);
            assert_eq!(machine.waits(), Waits::Nothing, "{agent} in {name}: {} entries", steps.len());
        }
    }
}

#[test]
fn what_has_no_score_is_refused() {
    let (checked, _) = game("nim", None);
    let program = Program::default();
    assert_eq!(Agent::Random.fits(&checked.bound, &program), Ok(()));
    let (message, _) = Agent::Greedy.fits(&checked.bound, &program).expect_err("nothing to go by");
    assert_eq!(message, "`greedy` needs a score and a winner to go by, and Nim does not have both");
}

#[test]
fn ties_are_broken_by_the_generator() {
    let (checked, program) = game("tictactoe", Some(2));
    let mut player = Player::new(Agent::Greedy, &checked.bound, &program);
    let mut seen = [0; 9];
    for seed in 0..180 {
        seen[chosen(&mut player, &mut begun(&program, &[]), &mut Random::new(seed))] += 1;
    }
    assert!(seen.iter().all(|count| (8..40).contains(count)), "{seen:?}");
}

#[test]
fn nobody_chooses_where_nobody_is_asked() {
    let (checked, program) = game("indus", Some(2));
    let mut machine = Machine::new(&program);
    machine.begin().expect("a game");
    assert!(matches!(machine.waits(), Waits::Chance(_)));
    for agent in [Agent::Random, Agent::Greedy] {
        let mut player = Player::new(agent, &checked.bound, &program);
        assert_eq!(player.choose(&mut machine, &[], &mut Random::new(1)), Ok(None::<Move>));
    }
}

/// What a seat is told and sees, step by step.
type Memory = Vec<(String, State)>;

/// A game with these decisions, and what a seat remembers of it; nothing if it cannot be played.
fn remembered<'c>(
    checked: &'c Checked,
    program: &'c Program,
    decisions: &[Decision],
    seat: u32,
) -> Option<(Session<'c>, Memory)> {
    let mut session = Session::new(checked, program).expect("a game");
    let mut memory = Vec::new();
    for decision in decisions {
        let told = session.known_to(decision, Some(seat));
        session.enter(decision).ok()?;
        memory.push((told, session.seen_by(Some(seat))));
    }
    Some((session, memory))
}

/// Games that differ from this one in what the seat neither saw nor can conclude from anything it saw: one decision
/// is another one, or two are exchanged.
fn others<'c>(checked: &'c Checked, program: &'c Program, session: &Session<'_>, seat: u32) -> Vec<Session<'c>> {
    let real = session.decisions();
    let (_, memory) = remembered(checked, program, real, seat).expect("the game as it was");
    let mut before = Session::new(checked, program).expect("a game");
    let mut hidden: Vec<usize> = Vec::new();
    let mut changed: Vec<Vec<Decision>> = Vec::new();
    for (at, decision) in real.iter().enumerate() {
        if before.known_to(decision, Some(seat)) != before.show(decision) {
            for other in before.legal().expect("legal entries").into_iter().filter(|other| other != decision) {
                changed.push([&real[..at], &[other], &real[at + 1..]].concat());
            }
            for &earlier in &hidden {
                let mut decisions = real.to_vec();
                decisions.swap(at, earlier);
                changed.push(decisions);
            }
            hidden.push(at);
        }
        before.enter(decision).expect("the game as it was");
    }
    let played = changed.iter().filter_map(|decisions| remembered(checked, program, decisions, seat));
    let same = played.filter(|(_, remembered)| *remembered == memory).map(|(session, _)| session);
    same.filter(|session| matches!(&session.stand().pause, Pause::Choose(choice) if choice.seat == seat)).collect()
}

#[test]
fn nobody_peeks() {
    let games = [
        ("maya".to_owned(), 3, 66),
        ("maya".to_owned(), 4, 66),
        (case("sealed-bids"), 3, 8),
        (case("dealing-to-me"), 3, 8),
        (case("counts-are-public"), 3, 8),
        (case("cards-played-openly"), 3, 21),
    ];
    for (name, players, most) in games {
        let (checked, program) = game(&name, Some(players));
        let mut compared = 0;
        for seed in 0..3 {
            let mut session = Session::new(&checked, &program).expect("a game");
            let mut random = Random::new(seed);
            while session.decisions().len() < most {
                if let Pause::Choose(choice) = &session.stand().pause
                    && (session.decisions().len() as u64 + seed).is_multiple_of(2)
                {
                    let seat = choice.seat;
                    for mut other in others(&checked, &program, &session, seat).into_iter().take(4) {
                        for agent in [Agent::Greedy, Agent::Mcts(12)] {
                            let mut player = Player::new(agent, &checked.bound, &program);
                            assert!(player.needs_history());
                            let here = session.choose(&mut player, &mut Random::new(seed)).expect("no trouble");
                            let there = other.choose(&mut player, &mut Random::new(seed)).expect("no trouble");
                            assert_eq!(here, there, "{agent} in {name}: {:?}", session.history());
                            compared += 1;
                        }
                    }
                }
                let Some(decision) = session.draw(&mut random).expect("legal entries") else { break };
                session.enter(&decision).expect("a legal decision");
            }
        }
        assert!(compared >= 10, "{name}: only {compared} comparisons");
    }
}

#[test]
fn worlds_agree_with_everything_that_was_seen() {
    // Fifteen cards are dealt, and each card that was played must have been in the hand that it came from. Drawn
    // blindly, one deal in several thousand would do towards the end.
    let (checked, program) = game(&case("cards-played-openly"), Some(3));
    let secrets = Secrets::new(&checked.bound, &program).expect("something hidden");
    let types = &checked.bound.types;
    let mut thinking = Machine::new(&program);
    let mut worlds = Worlds::default();
    for seed in 0..3 {
        let mut players: Vec<_> = (0..3).map(|_| Player::new(Agent::Random, &checked.bound, &program)).collect();
        for most in 15..30 {
            let (machine, steps) = play(&mut players, &program, seed, most);
            let Waits::Player { seat, .. } = machine.waits() else { break };
            let (here, mut random) = (machine.position(), Random::new(seed));
            worlds.imagine(&mut thinking, &secrets, (&steps, seat, &here), 20, &mut random).expect("no trouble");
            assert_eq!(worlds.all().len(), 20, "seed {seed}, {most} entries");
            let looks = secrets.look(here.bytes(), seat);
            let mut different = std::collections::BTreeSet::new();
            for world in worlds.all() {
                assert_eq!(secrets.look(world.bytes(), seat), looks);
                thinking.load(world);
                different.insert(format!("{:?}", thinking.read(types)));
            }
            assert!(different.len() > 5 || most > 22, "seed {seed}, {most} entries: {} worlds", different.len());
        }
    }
}
