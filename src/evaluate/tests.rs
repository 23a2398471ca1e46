use super::{Decision, Frame, Game, Pause, Stand};
use crate::bind::{self, Block, Choice};
use crate::check::{Checked, check};
use crate::load::{Folder, Request, load, variants};

/// A small generator of its own, so that games are the same on every machine.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("it fits") % count.max(1)
    }
}

/// A ruleset for one number of players.
fn checked(name: &str, players: u32) -> Option<Checked> {
    let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
    let mut faults = Vec::new();
    let items = bind::effective(&loaded.layers, &mut faults);
    let bound = bind::bind(&items, &[], Choice { players: Some(players), numbers: &loaded.numbers }, &mut faults);
    let possible = (bound.players.fewest..=bound.players.most).contains(&players);
    possible.then(|| check(bound, &mut faults))
}

fn invariants_hold(game: &Game<'_>, stand: &Stand) -> Result<(), String> {
    for invariant in &game.bound().invariants {
        let mut frame = Frame::new(&stand.state);
        let present = invariant.guard.is_none_or(|guard| game.holds(guard, &mut frame) == Ok(true));
        if present && game.holds(invariant.condition, &mut frame) != Ok(true) {
            return Err(format!("the invariant `{}` does not hold", invariant.name));
        }
    }
    Ok(())
}

/// Plays at random; gives how many decisions were made, and whether the game came to its end.
fn play(game: &Game<'_>, flow: &Block, seed: u64, most: usize) -> (usize, bool) {
    let mut chance = Chance(seed);
    let mut decisions: Vec<Decision> = Vec::new();
    loop {
        let beginning = game.beginning().expect("a beginning");
        let stand = game.play(flow, beginning, &decisions).unwrap_or_else(|trouble| {
            panic!("{} after {} decisions: {decisions:?}", trouble.message, decisions.len());
        });
        if let Err(message) = invariants_hold(game, &stand) {
            panic!("{message} after {} decisions: {decisions:?}", decisions.len());
        }
        let decision = match &stand.pause {
            Pause::Over => return (decisions.len(), true),
            _ if decisions.len() >= most => return (decisions.len(), false),
            Pause::Chance { candidates, .. } => Decision::Chance(candidates[chance.below(candidates.len())].0.clone()),
            Pause::Choose(choice) => {
                let legal = game.legal(choice, &stand.state).expect("the legal entries");
                assert!(!legal.is_empty(), "somebody is asked who can do nothing");
                legal[chance.below(legal.len())].clone()
            }
        };
        decisions.push(decision);
    }
}

#[test]
fn random_games_of_the_classics_come_to_their_end() {
    for name in ["tictactoe", "connectfour", "breakthrough", "reversi"] {
        let rules = checked(name, 2).expect("a game for two");
        let game = Game::new(&rules);
        let flow = rules.bound.flow.as_ref().expect("a flow");
        for seed in [1, 2] {
            let (made, over) = play(&game, flow, seed, 200);
            assert!(over && made >= 5, "{name} with seed {seed}: {made} decisions");
        }
    }
}

#[test]
fn random_openings_keep_every_invariant() {
    for name in Folder::bundled_names() {
        let mut names = vec![name.to_owned()];
        names.extend(variants(name).into_iter().map(|variant| format!("{name}:{variant}")));
        for name in names {
            for players in 1..=4 {
                let Some(rules) = checked(&name, players) else { continue };
                let flow = rules.bound.flow.as_ref().expect("a flow");
                let (made, over) = play(&Game::new(&rules), flow, u64::from(players) + 7, 24);
                assert!(over || made == 24, "{name} for {players}: {made}");
            }
        }
    }
}
