use super::{Agent, Player};
use crate::check::{self, Checked};
use crate::compile::compile;
use crate::load::{Request, load};
use crate::machine::{Machine, Move, Program, Random, Step, Waits};
use crate::report::Span;
use crate::testing::pin;

fn game(name: &str, players: Option<u32>) -> (Checked, Program) {
    let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
    let checked = check::chosen(&loaded, players, &[], Span::default()).expect("a ruleset");
    let program = compile(&checked).expect("a program");
    (checked, program)
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

#[test]
fn greedy_takes_what_wins_at_once() {
    // a1 a2 b1 b2, and c1 is the third place of what is free; a1 b1 a2 b2, and a3 wins.
    let (checked, program) = game("tictactoe", Some(2));
    let mut player = Player::new(Agent::Greedy, &checked.bound, &program);
    for seed in 0..8 {
        let mut table = begun(&program, &[0, 2, 0, 1]);
        let nth = chosen(&mut player, &mut table, &mut Random::new(seed));
        let entry = table.0.moves().expect("legal entries")[nth];
        table.0.play(entry).expect("a legal entry");
        assert_eq!((table.0.waits(), table.0.winners().expect("winners")), (Waits::Nothing, &[0][..]));
    }
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
