//! Playing programs, for measurements.

use ludex::bind::{self, Choice};
use ludex::check::{Checked, check};
use ludex::load::{Request, load_rules};
use ludex::machine::{Machine, Position, Random, Waits};

/// A bundled ruleset.
pub(crate) fn rules(name: &str, players: u32) -> Checked {
    rules_with(name, players, &[])
}

/// A bundled ruleset with some numbers changed.
pub(crate) fn rules_with(name: &str, players: u32, settings: &[String]) -> Checked {
    let request = Request { ruleset: name.to_owned(), settings: settings.to_vec(), ..Request::default() };
    let loaded = load_rules(&request);
    let mut faults = Vec::new();
    let items = bind::effective(&loaded.layers, &mut faults);
    let bound = bind::bind(&items, &[], Choice { players: Some(players), numbers: &loaded.numbers }, &mut faults);
    check(bound, &mut faults)
}

/// One random game from a position; gives entries and twice the first player's result.
pub(crate) fn playout(machine: &mut Machine<'_>, start: &Position, random: &mut Random) -> (u32, u32) {
    machine.load(start);
    let mut entries = 0;
    loop {
        match machine.waits() {
            Waits::Nothing => break,
            Waits::Player { .. } => {
                machine.play_on(random, usize::MAX).expect("no trouble");
                entries += u32::try_from(machine.played().len()).expect("a short game");
            }
            Waits::Chance(_) => {
                chance(machine, random);
                entries += 1;
            }
        }
    }
    let winners = machine.winners().expect("no trouble");
    let result = match winners {
        [0] => 2,
        [_] => 0,
        _ => 1,
    };
    (entries, result)
}

/// Chance decides, each outcome by its weight.
pub(crate) fn chance(machine: &mut Machine<'_>, random: &mut Random) {
    let outcomes = machine.outcomes().expect("no trouble");
    let drawn = random.weighted(outcomes.iter().map(|(_, weight)| *weight)).expect("an outcome");
    let drawn = outcomes[drawn].0;
    machine.draw(drawn).expect("no trouble");
}

/// Where the games begin; the set-up of the tower game is fixed, as in the hand-written one.
pub(crate) fn start(machine: &mut Machine<'_>, name: &str, players: u32) -> Position {
    machine.begin().expect("no trouble");
    let mut drawn = 0;
    while name == "maya"
        && players == 2
        && let Waits::Chance(_) = machine.waits()
    {
        let (level, place) = (drawn / 9, drawn % 9);
        machine.draw((place + level) % 9).expect("no trouble");
        drawn += 1;
    }
    machine.position()
}

/// Counts sequences of entries, playing every entry and going back by copying.
pub(crate) fn perft(machine: &mut Machine<'_>, kept: &mut Vec<Position>, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let entries = machine.moves().expect("no trouble").to_vec();
    if kept.len() <= depth {
        kept.resize_with(depth + 1, Position::default);
    }
    machine.save(&mut kept[depth]);
    let mut sequences = 0;
    for entry in entries {
        machine.play(entry).expect("no trouble");
        sequences += perft(machine, kept, depth - 1);
        machine.load(&kept[depth]);
    }
    sequences
}
