//! Tikal for four players as one writes it in an afternoon: a struct a space, and loops over the spaces that test
//! what the rulebook asks for, in its words. A softer yardstick than the form beside it.
//!
//! Nothing is kept but what lies on the table: no sets of spaces, nothing worked out ahead. The two share the
//! tables of tiles and neighbours and how results are counted, and no more.

use super::board::Terrain::{Base, Jungle, Temple, Treasure, Volcano};
use super::board::{LETTERS, NEIGHBOUR, PRINTED, SPACES, STACK, Terrain, Tile, opposite};
use super::{Rng, TOKENS, result};

const PLAYERS: usize = 4;
const KINDS: usize = 8;

/// Workers and the leader, what each player has of them, and what they weigh in majorities.
const FIGURES: [usize; 2] = [0, 1];
const PIECES: [u8; 2] = [18, 1];
const WEIGHT: [u8; 2] = [1, 3];
const GUARD_WEIGHT: u8 = 22;

/// Points for so many treasures of a kind.
const PRIZE: [u32; 4] = [0, 1, 3, 6];

/// Plays one game; gives entries and twice the first player's result.
pub fn tikal(rng: &mut Rng) -> (u32, u32) {
    let mut game = Game::new(rng);
    game.play();
    (game.entries, result(&game.table.sides.map(|side| side.points)))
}

#[derive(Clone, Copy)]
enum Entry {
    Pass,
    Lay { at: usize, facing: usize },
    Enter { figure: usize, at: usize },
    Hop { figure: usize, from: usize, to: usize },
    Walk { figure: usize, from: usize, to: usize, steps: u8 },
    Uncover { at: usize },
    Dig { at: usize },
    Exchange { wanted: usize, from: usize, give: usize },
    Camp { at: usize },
    Guard { figure: usize, at: usize },
}

impl Entry {
    /// In action points.
    fn cost(self) -> u8 {
        match self {
            Self::Pass | Self::Lay { .. } => 0,
            Self::Enter { .. } | Self::Hop { .. } => 1,
            Self::Walk { steps, .. } => steps,
            Self::Uncover { .. } => 2,
            Self::Dig { .. } | Self::Exchange { .. } => 3,
            Self::Camp { .. } | Self::Guard { .. } => 5,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Space {
    tile: Option<Tile>,
    /// Where the first side of the tile points.
    facing: usize,
    /// Temple levels uncovered.
    raised: u8,
    /// Treasures left, face down.
    buried: u8,
    figures: [[u8; 2]; PLAYERS],
    camp: Option<usize>,
    guard: Option<usize>,
}

impl Space {
    fn lay(&mut self, tile: Tile, facing: usize) {
        self.tile = Some(tile);
        self.facing = facing;
        self.buried = if let Treasure(tokens) = tile.0 { tokens } else { 0 };
    }
}

#[derive(Clone, Copy)]
struct Side {
    reserve: [u8; 2],
    camps_left: u8,
    guards_left: u8,
    treasures: [u8; KINDS],
    points: u32,
}

/// What lies in front of everybody.
struct Table {
    spaces: [Space; SPACES],
    sides: [Side; PLAYERS],
    /// Square temple tiles, by number; none above ten.
    supply: [u8; 12],
    /// Action points left.
    ap: u8,
    /// Levels uncovered or treasures dug up on each tile in this turn.
    worked: [u8; SPACES],
}

struct Game<'r> {
    rng: &'r mut Rng,
    table: Table,
    list: Vec<Entry>,
    /// The tiles, those that were turned up first.
    stack: [Tile; STACK.len()],
    /// The treasures, those that were found first.
    tokens: [u8; TOKENS.len()],
    found: usize,
    entries: u32,
}

impl<'r> Game<'r> {
    fn new(rng: &'r mut Rng) -> Self {
        let list = Vec::with_capacity(512);
        Self { rng, table: Table::new(), list, stack: STACK, tokens: TOKENS, found: 0, entries: 0 }
    }

    fn play(&mut self) {
        let mut player = self.draw(PLAYERS);
        let mut begin = 0;
        for end in LETTERS {
            for turned in begin..end {
                let drawn = turned + self.draw(end - turned);
                self.stack.swap(turned, drawn);
                let tile = self.stack[turned];
                if matches!(tile.0, Volcano) {
                    self.scoring_round(player);
                }
                self.lay(tile);
                self.spend(player);
                player = (player + 1) % PLAYERS;
            }
            begin = end;
        }
        self.scoring_round(player);
    }

    /// Chance decides; that is an entry too.
    fn draw(&mut self, count: usize) -> usize {
        self.entries += 1;
        self.rng.below(count)
    }

    fn pick(&mut self) -> Entry {
        let chosen = self.draw(self.list.len());
        self.list[chosen]
    }

    /// Lays the tile; one without a legal space leaves the game.
    fn lay(&mut self, tile: Tile) {
        self.list.clear();
        self.table.lays(tile, &mut self.list);
        if !self.list.is_empty()
            && let Entry::Lay { at, facing } = self.pick()
        {
            self.table.spaces[at].lay(tile, facing);
        }
    }

    /// Ten action points, or as many as the player likes.
    fn spend(&mut self, me: usize) {
        self.table.ap = 10;
        self.table.worked = [0; SPACES];
        while self.table.ap > 0 {
            self.list.clear();
            self.table.actions(me, &mut self.list);
            let entry = self.pick();
            if matches!(entry, Entry::Pass) {
                break;
            }
            self.table.act(me, entry);
            if matches!(entry, Entry::Dig { .. }) {
                self.find(me);
            }
        }
    }

    fn find(&mut self, me: usize) {
        let drawn = self.found + self.draw(TOKENS.len() - self.found);
        self.tokens.swap(self.found, drawn);
        self.table.sides[me].treasures[usize::from(self.tokens[self.found])] += 1;
        self.found += 1;
    }

    /// Everybody has ten action points and then scores, clockwise.
    fn scoring_round(&mut self, begins: usize) {
        for seat in 0..PLAYERS {
            let me = (begins + seat) % PLAYERS;
            self.spend(me);
            self.table.sides[me].points += self.table.score(me);
        }
    }
}

/// The neighbours of a space, each with the side it is at.
fn neighbours(at: usize) -> impl Iterator<Item = (usize, usize)> {
    NEIGHBOUR[at].into_iter().map(usize::from).enumerate().filter(|(_, other)| *other < SPACES)
}

/// The words of the game.
impl Table {
    fn new() -> Self {
        let mut spaces = [Space::default(); SPACES];
        for (at, tile) in PRINTED {
            spaces[at].lay(tile, 0);
        }
        let side = Side { reserve: PIECES, camps_left: 2, guards_left: 2, treasures: [0; KINDS], points: 0 };
        let supply = [0, 0, 3, 6, 9, 11, 8, 5, 3, 2, 1, 0];
        Self { spaces, sides: [side; PLAYERS], supply, ap: 0, worked: [0; SPACES] }
    }

    fn terrain(&self, at: usize) -> Option<Terrain> {
        self.spaces[at].tile.map(|tile| tile.0)
    }

    /// Is there a tile that figures can enter?
    fn open(&self, at: usize) -> bool {
        !matches!(self.terrain(at), None | Some(Volcano))
    }

    fn stones(&self, at: usize, side: usize) -> u8 {
        let space = &self.spaces[at];
        space.tile.map_or(0, |tile| tile.1[(side + 6 - space.facing) % 6])
    }

    /// How many stones lie between two neighbours, those of both tiles; 0: no way.
    fn steps(&self, from: usize, side: usize, to: usize) -> u8 {
        self.stones(from, side) + self.stones(to, opposite(side))
    }

    /// What a temple is worth; nothing else is worth anything.
    fn value(&self, at: usize) -> u8 {
        match self.terrain(at) {
            Some(Temple(value)) => value + self.spaces[at].raised,
            _ => 0,
        }
    }

    fn present(&self, player: usize, at: usize) -> u8 {
        self.spaces[at].figures[player].iter().sum()
    }

    fn linked(&self, player: usize, at: usize) -> bool {
        matches!(self.terrain(at), Some(Base)) || self.spaces[at].camp == Some(player)
    }

    fn strength(&self, player: usize, at: usize) -> u8 {
        let guard = if self.spaces[at].guard == Some(player) { GUARD_WEIGHT } else { 0 };
        guard + FIGURES.map(|figure| WEIGHT[figure] * self.spaces[at].figures[player][figure]).iter().sum::<u8>()
    }

    /// Has nobody else as much weight there?
    fn majority(&self, player: usize, at: usize) -> bool {
        let mine = self.strength(player, at);
        mine > 0 && (0..PLAYERS).all(|other| other == player || self.strength(other, at) < mine)
    }

    /// What the temples give a player, and the singles, pairs and trios of treasures.
    fn score(&self, me: usize) -> u32 {
        let won = (0..SPACES).filter(|at| self.value(*at) > 0 && self.majority(me, *at));
        let hoard = self.sides[me].treasures.iter().map(|count| PRIZE[usize::from(*count)]);
        won.map(|at| u32::from(self.value(at))).chain(hoard).sum()
    }
}

/// Every entry that is legal, and what it does.
impl Table {
    fn lays(&self, tile: Tile, list: &mut Vec<Entry>) {
        for at in 0..SPACES {
            if self.spaces[at].tile.is_some() || !neighbours(at).any(|(_, other)| self.spaces[other].tile.is_some()) {
                continue;
            }
            for facing in 0..6 {
                let entrance = |(side, other)| {
                    self.open(other) && tile.1[(side + 6 - facing) % 6] + self.stones(other, opposite(side)) > 0
                };
                if matches!(tile.0, Volcano) || neighbours(at).any(entrance) {
                    list.push(Entry::Lay { at, facing });
                }
            }
        }
    }

    fn actions(&self, me: usize, list: &mut Vec<Entry>) {
        list.push(Entry::Pass);
        for figure in FIGURES {
            if self.sides[me].reserve[figure] > 0 {
                list.extend((0..SPACES).filter(|at| self.linked(me, *at)).map(|at| Entry::Enter { figure, at }));
            }
            self.moves(me, figure, list);
        }
        if self.ap >= 2 {
            list.extend((0..SPACES).filter(|at| self.can_uncover(me, *at)).map(|at| Entry::Uncover { at }));
        }
        if self.ap >= 3 {
            let buried = (0..SPACES).filter(|at| self.spaces[*at].buried > 0 && self.has_hands(me, *at));
            list.extend(buried.map(|at| Entry::Dig { at }));
            self.exchanges(me, list);
        }
        if self.ap >= 5 && self.sides[me].camps_left > 0 {
            list.extend((0..SPACES).filter(|at| self.can_camp(*at)).map(|at| Entry::Camp { at }));
        }
        if self.ap >= 5 && self.sides[me].guards_left > 0 {
            for figure in FIGURES {
                let temples = (0..SPACES).filter(|at| self.can_guard(me, figure, *at));
                list.extend(temples.map(|at| Entry::Guard { figure, at }));
            }
        }
    }

    /// Hops from camp to camp, and walks.
    fn moves(&self, me: usize, figure: usize, list: &mut Vec<Entry>) {
        for from in (0..SPACES).filter(|from| self.spaces[*from].figures[me][figure] > 0) {
            if self.linked(me, from) {
                let others = (0..SPACES).filter(|to| *to != from && self.linked(me, *to));
                list.extend(others.map(|to| Entry::Hop { figure, from, to }));
            }
            for (side, to) in neighbours(from).filter(|(_, to)| self.open(*to)) {
                let steps = self.steps(from, side, to);
                if steps > 0 && steps <= self.ap {
                    list.push(Entry::Walk { figure, from, to, steps });
                }
            }
        }
    }

    /// Each level or treasure of a turn needs a figure of its own, and there are at most two.
    fn has_hands(&self, me: usize, at: usize) -> bool {
        self.worked[at] < 2 && self.present(me, at) > self.worked[at]
    }

    fn can_uncover(&self, me: usize, at: usize) -> bool {
        self.value(at) > 0
            && self.spaces[at].guard.is_none()
            && self.has_hands(me, at)
            && self.supply[usize::from(self.value(at)) + 1] > 0
    }

    fn exchanges(&self, me: usize, list: &mut Vec<Entry>) {
        for from in (0..PLAYERS).filter(|from| *from != me) {
            for wanted in (0..KINDS).filter(|wanted| self.sides[from].treasures[*wanted] == 1) {
                let singles = (0..KINDS).filter(|give| self.sides[me].treasures[*give] == 1);
                list.extend(singles.map(|give| Entry::Exchange { wanted, from, give }));
            }
        }
    }

    /// A camp needs a jungle or a dug-out treasure tile.
    fn can_camp(&self, at: usize) -> bool {
        let space = &self.spaces[at];
        matches!(self.terrain(at), Some(Jungle | Treasure(_))) && space.buried == 0 && space.camp.is_none()
    }

    fn can_guard(&self, me: usize, figure: usize, at: usize) -> bool {
        let space = &self.spaces[at];
        space.figures[me][figure] > 0 && self.value(at) > 0 && space.guard.is_none() && self.majority(me, at)
    }

    /// Carries out an action; what is found where somebody digs comes later.
    fn act(&mut self, me: usize, entry: Entry) {
        self.ap -= entry.cost();
        match entry {
            Entry::Pass | Entry::Lay { .. } => {}
            Entry::Enter { figure, at } => {
                self.sides[me].reserve[figure] -= 1;
                self.spaces[at].figures[me][figure] += 1;
            }
            Entry::Hop { figure, from, to } | Entry::Walk { figure, from, to, .. } => {
                self.spaces[from].figures[me][figure] -= 1;
                self.spaces[to].figures[me][figure] += 1;
            }
            Entry::Uncover { at } => {
                self.supply[usize::from(self.value(at)) + 1] -= 1;
                self.spaces[at].raised += 1;
                self.worked[at] += 1;
            }
            Entry::Dig { at } => {
                self.spaces[at].buried -= 1;
                self.worked[at] += 1;
            }
            Entry::Exchange { wanted, from, give } => {
                self.sides[from].treasures[wanted] -= 1;
                self.sides[me].treasures[give] -= 1;
                self.sides[me].treasures[wanted] += 1;
                self.sides[from].treasures[give] += 1;
            }
            Entry::Camp { at } => {
                self.sides[me].camps_left -= 1;
                self.spaces[at].camp = Some(me);
            }
            Entry::Guard { at, .. } => {
                // One stays there for good; the others leave the game.
                self.sides[me].guards_left -= 1;
                self.spaces[at].guard = Some(me);
                self.spaces[at].figures[me] = [0; 2];
            }
        }
    }
}
