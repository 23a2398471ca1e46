//! What a player can do in Tikal: every entry that is legal, and what it does.

use super::board::{BASE, Land, SPACES, Spaces, Tile};

// Kinds of entries; 0 is a pass.
pub const LAY: usize = 1;
pub const ENTER: usize = 2;
pub const HOP: usize = 3;
pub const WALK: usize = 4;
pub const UNCOVER: usize = 5;
pub const DIG: usize = 6;
pub const EXCHANGE: usize = 7;
pub const CAMP: usize = 8;
pub const GUARD: usize = 9;

/// An action, packed: its kind, whether the leader does it, what it costs, and two arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Entry(u32);

impl Entry {
    pub const PASS: Self = Self(0);
    const LEADER: u32 = 1 << 4;

    #[inline(always)]
    pub const fn new(kind: usize, cost: usize, from: usize, to: usize) -> Self {
        Self((kind | cost << 8 | from << 16 | to << 24) as u32)
    }

    const fn by_leader(self) -> Self {
        Self(self.0 | Self::LEADER)
    }

    pub const fn kind(self) -> usize {
        (self.0 & 15) as usize
    }

    pub const fn is_by_leader(self) -> bool {
        self.0 & Self::LEADER != 0
    }

    #[inline(always)]
    pub const fn cost(self) -> u32 {
        self.0 >> 8 & 255
    }

    pub const fn from(self) -> usize {
        (self.0 >> 16 & 255) as usize
    }

    pub const fn to(self) -> usize {
        (self.0 >> 24) as usize
    }
}

/// Room for more entries than there ever are: 216 for a tile, some 320 in a turn.
const ROOM: usize = 512;

/// All legal entries of a decision.
pub struct List {
    entries: [Entry; ROOM],
    count: usize,
}

impl List {
    pub const fn new() -> Self {
        Self { entries: [Entry::PASS; ROOM], count: 0 }
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries[..self.count]
    }

    /// The ways to lay a tile.
    pub fn lays(&mut self, land: &Land, tile: Tile) {
        self.count = 0;
        for at in Spaces(land.frontier) {
            let facings = land.facings(tile, at);
            for facing in 0..6 {
                self.put_if(facings >> facing & 1 != 0, Entry::new(LAY, 0, at, facing));
            }
        }
    }

    /// What a player can do with the action points that are left.
    pub fn actions<const PLAYERS: usize>(&mut self, table: &Table<PLAYERS>, me: usize, turn: &Turn) {
        self.count = 0;
        self.put(Entry::PASS);
        self.moves(&table.land, &table.sides[me], turn);
        if turn.points >= 2 {
            self.work(table, me, turn);
        }
        if turn.points >= 5 {
            self.buildings(table, me);
        }
    }

    /// Keeps the entry if it is wanted; writes it without asking.
    #[inline(always)]
    fn put_if(&mut self, wanted: bool, entry: Entry) {
        self.entries[self.count % ROOM] = entry;
        self.count += usize::from(wanted);
    }

    #[inline(always)]
    fn put(&mut self, entry: Entry) {
        self.put_if(true, entry);
    }

    /// Figures come in, hop from camp to camp, and walk.
    #[inline(always)]
    fn moves(&mut self, land: &Land, side: &Side, turn: &Turn) {
        for at in Spaces(side.linked) {
            let enter = Entry::new(ENTER, 1, 0, at);
            self.put_if(side.workers_left > 0, enter);
            self.put_if(side.leader_waits, enter.by_leader());
        }
        for from in Spaces(side.linked & (side.workers | side.leader)) {
            for to in Spaces(side.linked & !(1 << from)) {
                let hop = Entry::new(HOP, 1, from, to);
                self.put_if(side.workers >> from & 1 != 0, hop);
                self.put_if(side.leader >> from & 1 != 0, hop.by_leader());
            }
        }
        for from in Spaces(side.workers) {
            for way in &land.ways[from] {
                self.put_if(way.cost() <= turn.points, *way);
            }
        }
        for from in Spaces(side.leader) {
            for way in &land.ways[from] {
                self.put_if(way.cost() <= turn.points, way.by_leader());
            }
        }
    }

    /// Levels, treasures, and treasures of others.
    #[inline(always)]
    fn work<const PLAYERS: usize>(&mut self, table: &Table<PLAYERS>, me: usize, turn: &Turn) {
        let Table { land, sides, .. } = table;
        let side = &sides[me];
        // One figure is enough for the first level or treasure of a turn, the second needs two.
        let two = side.pairs | side.workers & side.leader;
        let hands = (side.workers | side.leader) & !turn.worked | two & turn.worked & !turn.worked_twice;
        for at in Spaces(hands & land.raisable & !table.guarded) {
            self.put(Entry::new(UNCOVER, 2, 0, at));
        }
        if turn.points < 3 {
            return;
        }
        for at in Spaces(hands & land.buried) {
            self.put(Entry::new(DIG, 3, 0, at));
        }
        if side.singles == 0 {
            return;
        }
        for (other, theirs) in sides.iter().enumerate().filter(|(other, _)| *other != me) {
            for wanted in Spaces(theirs.singles) {
                for give in Spaces(side.singles) {
                    self.put(Entry::new(EXCHANGE, 3, other, wanted << 3 | give));
                }
            }
        }
    }

    /// Camps and guards.
    #[inline(always)]
    fn buildings<const PLAYERS: usize>(&mut self, table: &Table<PLAYERS>, me: usize) {
        let side = &table.sides[me];
        if side.camps_left > 0 {
            for at in Spaces(table.land.ground) {
                self.put(Entry::new(CAMP, 5, 0, at));
            }
        }
        if side.guards_left > 0 {
            for at in Spaces((side.workers | side.leader) & table.land.temples & !table.guarded) {
                let guard = Entry::new(GUARD, 5, 0, at);
                let majority = table.majority(at, me);
                self.put_if(majority && side.workers >> at & 1 != 0, guard);
                self.put_if(majority && side.leader >> at & 1 != 0, guard.by_leader());
            }
        }
    }
}

/// What counts only for one turn.
pub struct Turn {
    pub points: u32,
    /// Tiles where a level or treasure was uncovered or dug up, once or more and twice.
    worked: u64,
    worked_twice: u64,
}

impl Turn {
    pub const fn new() -> Self {
        Self { points: 10, worked: 0, worked_twice: 0 }
    }

    fn work(&mut self, at: usize) {
        let bit = 1 << at;
        self.worked_twice |= self.worked & bit;
        self.worked |= bit;
    }
}

/// What one player has.
#[derive(Clone, Copy)]
pub struct Side {
    workers_left: u8,
    leader_waits: bool,
    camps_left: u8,
    guards_left: u8,
    /// The base camp and the own camps.
    linked: u64,
    /// Spaces with a worker, and with two or more.
    workers: u64,
    pairs: u64,
    leader: u64,
    worker_count: [u8; SPACES],
    treasures: [u8; 8],
    /// Kinds of treasures of which there is one.
    singles: u64,
    pub points: u32,
}

impl Side {
    pub const START: Self = Self {
        workers_left: 18,
        leader_waits: true,
        camps_left: 2,
        guards_left: 2,
        linked: BASE,
        workers: 0,
        pairs: 0,
        leader: 0,
        worker_count: [0; SPACES],
        treasures: [0; 8],
        singles: 0,
        points: 0,
    };

    fn count_workers(&mut self, at: usize, count: u8) {
        self.worker_count[at] = count;
        let bit = 1 << at;
        self.workers = self.workers & !bit | u64::from(count > 0) << at;
        self.pairs = self.pairs & !bit | u64::from(count > 1) << at;
    }

    fn count_treasures(&mut self, kind: usize, count: u8) {
        self.treasures[kind] = count;
        self.singles = self.singles & !(1 << kind) | u64::from(count == 1) << kind;
    }

    pub fn find(&mut self, kind: usize) {
        self.count_treasures(kind, self.treasures[kind] + 1);
    }

    fn lose(&mut self, kind: usize) {
        self.count_treasures(kind, self.treasures[kind] - 1);
    }

    /// Points for singles, pairs and trios.
    pub fn hoard(&self) -> u32 {
        const PRIZE: [u32; 4] = [0, 1, 3, 6];
        self.treasures.iter().map(|count| PRIZE[usize::from(count & 3)]).sum()
    }
}

/// What lies in front of everybody.
#[derive(Clone, Copy)]
pub struct Table<const PLAYERS: usize> {
    pub land: Land,
    pub sides: [Side; PLAYERS],
    guarded: u64,
    /// The weight of each player on each space, in majorities.
    strength: [[u8; PLAYERS]; SPACES],
}

impl<const PLAYERS: usize> Table<PLAYERS> {
    pub const START: Self =
        Self { land: Land::new(), sides: [Side::START; PLAYERS], guarded: 0, strength: [[0; PLAYERS]; SPACES] };

    /// Has nobody else as much weight there?
    #[inline(always)]
    fn majority(&self, at: usize, me: usize) -> bool {
        let strength = &self.strength[at];
        let rivals = strength.iter().enumerate().filter(|(other, theirs)| *other != me && **theirs >= strength[me]);
        strength[me] > 0 && rivals.count() == 0
    }

    /// What the temples give a player.
    pub fn temples(&self, me: usize) -> u32 {
        let won = Spaces(self.land.temples).filter(|at| self.majority(*at, me));
        won.map(|at| u32::from(self.land.value[at])).sum()
    }

    #[inline(always)]
    fn leave(&mut self, me: usize, leader: bool, from: usize) {
        let side = &mut self.sides[me];
        if leader {
            side.leader = 0;
        } else {
            side.count_workers(from, side.worker_count[from] - 1);
        }
        self.strength[from][me] -= if leader { 3 } else { 1 };
    }

    #[inline(always)]
    fn arrive(&mut self, me: usize, leader: bool, to: usize) {
        let side = &mut self.sides[me];
        if leader {
            side.leader = 1 << to;
        } else {
            side.count_workers(to, side.worker_count[to] + 1);
        }
        self.strength[to][me] += if leader { 3 } else { 1 };
    }

    /// Carries out an action; what is found where somebody digs comes later.
    pub fn act(&mut self, me: usize, turn: &mut Turn, entry: Entry) {
        turn.points -= entry.cost();
        let (leader, from, to) = (entry.is_by_leader(), entry.from(), entry.to());
        let side = &mut self.sides[me];
        match entry.kind() {
            HOP | WALK => {
                self.leave(me, leader, from);
                self.arrive(me, leader, to);
            }
            ENTER => {
                if leader {
                    side.leader_waits = false;
                } else {
                    side.workers_left -= 1;
                }
                self.arrive(me, leader, to);
            }
            UNCOVER => {
                self.land.uncover(to);
                turn.work(to);
            }
            DIG => {
                self.land.dig(to);
                turn.work(to);
            }
            EXCHANGE => {
                let (wanted, give) = (to >> 3, to & 7);
                side.lose(give);
                side.find(wanted);
                self.sides[from].lose(wanted);
                self.sides[from].find(give);
            }
            CAMP => {
                side.camps_left -= 1;
                side.linked |= 1 << to;
                self.land.ground &= !(1 << to);
            }
            GUARD => {
                // One stays for good and outweighs everybody; the others leave the game.
                side.guards_left -= 1;
                side.count_workers(to, 0);
                side.leader &= !(1 << to);
                self.guarded |= 1 << to;
                self.strength[to][me] = 22;
            }
            _ => {}
        }
    }
}
