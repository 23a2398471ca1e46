//! The tower-swapping game (two players, 3x3 towers of five blocks).
//! `maya` plays the whole two-player ruleset from a fixed set-up: the second
//! player places monolith and raven, stocks of 15 stairs and 5 priests each,
//! the player's choice where the last stair or priest goes, the end after 50
//! swaps in a row that join nothing, tie-breaks by priests and stairs.
//! The others are a simpler game, the same in every system it was measured in:
//! monolith and raven start off the board, no stocks, cut off at 200 swaps
//! (some random games would never end).
//! Level 1 is the bottom; stair slots are 2 (corner), 3 (edge), 4 (centre).
use super::rng::Rng;
use std::sync::OnceLock;

pub const EDGES: [(u8, u8); 12] =
    [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8), (0, 3), (1, 4), (2, 5), (3, 6), (4, 7), (5, 8)];
const CAP: u32 = 200;
const SLOTS: [u8; 9] = [2, 3, 2, 3, 4, 3, 2, 3, 2];

/// A tower is five 4-bit colours, level 1 in the lowest nibble.
type Start = [u32; 9];

/// Bit k set: levels k+1 and k+2 have the same colour.
#[inline(always)]
fn joined(t: u32) -> u8 {
    let x = (t ^ (t >> 4)) & 0xFFFF; // nibble k: level k+1 against level k+2
    let nz = (x | x >> 1 | x >> 2 | x >> 3) & 0x1111;
    let z = !nz & 0x1111;
    ((z | z >> 3 | z >> 6 | z >> 9) & 15) as u8
}

/// The set bits of a 4-bit mask, lowest first, one per byte.
const PICK: [u32; 16] = {
    let mut t = [0u32; 16];
    let mut m = 0;
    while m < 16 {
        let (mut k, mut n) = (0, 0);
        while k < 4 {
            if m >> k & 1 == 1 {
                t[m] |= k << (8 * n);
                n += 1;
            }
            k += 1;
        }
        m += 1;
    }
    t
};

pub fn setup(rng: &mut Rng) -> Start {
    let mut t = [0u32; 9];
    for level in 0..5 {
        'again: loop {
            let mut c = [0u32, 1, 2, 3, 4, 5, 6, 7, 8];
            for i in 0..9 {
                let j = i + rng.below(9 - i);
                c.swap(i, j);
                for l in 0..level {
                    if (t[i] >> (4 * l)) & 15 == c[i] {
                        continue 'again;
                    }
                }
            }
            for i in 0..9 {
                t[i] |= c[i] << (4 * level);
            }
            break;
        }
    }
    t
}

pub fn fixed_start() -> Start {
    std::array::from_fn(|i| (0..5).map(|l| (((i + l) % 9) as u32) << (4 * l)).sum())
}

fn playout(mut t: Start, rng: &mut Rng) -> (u32, u32) {
    let mut j: [u8; 9] = std::array::from_fn(|i| joined(t[i]));
    let mut stairs = [[0u8; 9]; 2];
    let mut priests = [0u8; 2];
    let mut blocked = j; // j, but 15 for the two towers at the monolith
    let mut mono = (0, 0);
    let mut raven = 0u8; // bit L-2
    let mut list = [0u8; 52];
    let mut ply = 0;
    let mut p = 0usize;
    while ply < CAP {
        let mut n = 0;
        // a tower under the monolith counts as joined everywhere: no branches
        let free = !raven & 15;
        for (e, &(a, b)) in EDGES.iter().enumerate() {
            let ls = !(blocked[a as usize] | blocked[b as usize]) & free;
            let four = PICK[ls as usize] | 0x0101_0101 * ((e as u32) << 2);
            list[n..n + 4].copy_from_slice(&four.to_le_bytes());
            n += ls.count_ones() as usize;
        }
        if n == 0 {
            break;
        }
        let m = list[rng.below(n)];
        let (a, b) = EDGES[(m >> 2) as usize];
        let (a, b, k) = (a as usize, b as usize, m & 3); // level L = k + 2
        let d = (t[a] ^ t[b]) & (!0 << (4 * (k + 1)));
        t[a] ^= d;
        t[b] ^= d;
        blocked[mono.0] = j[mono.0];
        blocked[mono.1] = j[mono.1];
        mono = (a, b);
        raven = 1 << k;
        for x in [a, b] {
            j[x] = joined(t[x]);
            blocked[x] = 15;
            if j[x] & raven != 0 {
                if stairs[0][x] + stairs[1][x] < SLOTS[x] {
                    stairs[p][x] += 1;
                }
                priests[p] += (j[x] == 15) as u8;
            }
        }
        ply += 1;
        p ^= 1;
    }
    let mut s = [priests[0] as i32, priests[1] as i32];
    for (x, y) in stairs[0].iter().zip(&stairs[1]) {
        s[0] += (x > y) as i32;
        s[1] += (y > x) as i32;
    }
    (ply, (1 + (s[0] - s[1]).signum()) as u32)
}

const STAIRS: u8 = 15;
const PRIESTS: u8 = 5;
const QUIET: u32 = 50;

/// The whole two-player ruleset; every choice is one entry (returned first).
pub fn maya(rng: &mut Rng) -> (u32, u32) {
    let mut t = fixed_start();
    let mut j: [u8; 9] = std::array::from_fn(|i| joined(t[i]));
    let mut stairs = [[0u8; 9]; 2];
    let mut stock = [STAIRS; 2];
    let mut priests = [0u8; 2];
    let mut blocked = j; // j, but 15 for the two towers at the monolith
    let first = rng.below(48);
    let (a, b) = EDGES[first >> 2];
    let mut mono = (a as usize, b as usize);
    blocked[mono.0] = 15;
    blocked[mono.1] = 15;
    let mut raven = 1u8 << (first & 3);
    let mut list = [0u8; 52];
    let mut entries = 1;
    let mut quiet = 0;
    let mut p = 0usize;
    while quiet < QUIET {
        let mut n = 0;
        let free = !raven & 15;
        for (e, &(a, b)) in EDGES.iter().enumerate() {
            let ls = !(blocked[a as usize] | blocked[b as usize]) & free;
            let four = PICK[ls as usize] | 0x0101_0101 * ((e as u32) << 2);
            list[n..n + 4].copy_from_slice(&four.to_le_bytes());
            n += ls.count_ones() as usize;
        }
        if n == 0 {
            break;
        }
        let m = list[rng.below(n)];
        let (a, b) = EDGES[(m >> 2) as usize];
        let (a, b, k) = (a as usize, b as usize, m & 3); // level L = k + 2
        let d = (t[a] ^ t[b]) & (!0 << (4 * (k + 1)));
        t[a] ^= d;
        t[b] ^= d;
        blocked[mono.0] = j[mono.0];
        blocked[mono.1] = j[mono.1];
        mono = (a, b);
        raven = 1 << k;
        entries += 1;
        let pair = [a, b];
        let mut room = [false; 2];
        let mut done = [false; 2];
        for (i, &x) in pair.iter().enumerate() {
            j[x] = joined(t[x]);
            blocked[x] = 15;
            if j[x] & raven != 0 {
                room[i] = stairs[0][x] + stairs[1][x] < SLOTS[x];
                done[i] = j[x] == 15;
                quiet = u32::MAX; // joined: set back below
            }
        }
        quiet = quiet.wrapping_add(1);
        if room[0] && room[1] && stock[p] == 1 {
            room[rng.below(2)] = false;
            entries += 1;
        }
        for i in 0..2 {
            if room[i] && stock[p] > 0 {
                stairs[p][pair[i]] += 1;
                stock[p] -= 1;
            }
        }
        if done[0] && done[1] && priests[p] + 1 == PRIESTS {
            done[rng.below(2)] = false;
            entries += 1;
        }
        for d in done {
            priests[p] += (d && priests[p] < PRIESTS) as u8;
        }
        p ^= 1;
    }
    let mut s = [priests[0] as i32, priests[1] as i32];
    for (x, y) in stairs[0].iter().zip(&stairs[1]) {
        s[0] += (x > y) as i32;
        s[1] += (y > x) as i32;
    }
    let lead = (s[0], priests[0], STAIRS - stock[0]).cmp(&(s[1], priests[1], STAIRS - stock[1]));
    (entries, (1 + lead as i32) as u32)
}

/// Starts drawn from a pool of 1024 random setups (the set-up costs nothing).
pub fn pool(rng: &mut Rng) -> (u32, u32) {
    static POOL: OnceLock<Vec<Start>> = OnceLock::new();
    let pool = POOL.get_or_init(|| {
        let mut r = Rng::new(2024);
        (0..1024).map(|_| setup(&mut r)).collect()
    });
    let s = pool[rng.below(1024)];
    playout(s, rng)
}

/// Tower t, level l (both from 0) has colour (t + l) mod 9.
pub fn fixed(rng: &mut Rng) -> (u32, u32) {
    playout(fixed_start(), rng)
}

/// A fresh random setup for each playout (rejection level by level).
pub fn with_setup(rng: &mut Rng) -> (u32, u32) {
    let s = setup(rng);
    playout(s, rng)
}

/// The same rules in plain arrays, as one would write them without tuning:
/// a check of `playout` and a second, softer anchor. Starts as `fixed`.
pub fn readable(rng: &mut Rng) -> (u32, u32) {
    let mut t: [[u8; 5]; 9] = std::array::from_fn(|i| std::array::from_fn(|l| ((i + l) % 9) as u8));
    let mut stairs = [[0u8; 9]; 2];
    let mut priests = [0i32; 2];
    let mut mono: Option<(usize, usize)> = None;
    let mut raven: Option<usize> = None;
    let mut ply = 0;
    let mut p = 0;
    let mut list: Vec<(usize, usize, usize)> = Vec::new();
    while ply < CAP {
        list.clear();
        for &(a, b) in &EDGES {
            let (a, b) = (a as usize, b as usize);
            if mono.is_some_and(|(x, y)| a == x || a == y || b == x || b == y) {
                continue;
            }
            for l in 1..5 {
                if raven != Some(l) && t[a][l - 1] != t[a][l] && t[b][l - 1] != t[b][l] {
                    list.push((a, b, l));
                }
            }
        }
        if list.is_empty() {
            break;
        }
        let (a, b, l) = list[rng.below(list.len())];
        for k in l..5 {
            let (x, y) = (t[a][k], t[b][k]);
            t[a][k] = y;
            t[b][k] = x;
        }
        mono = Some((a, b));
        raven = Some(l);
        for x in [a, b] {
            if t[x][l - 1] == t[x][l] {
                if stairs[0][x] + stairs[1][x] < SLOTS[x] {
                    stairs[p][x] += 1;
                }
                if t[x].iter().all(|&c| c == t[x][0]) {
                    priests[p] += 1;
                }
            }
        }
        ply += 1;
        p = 1 - p;
    }
    let mut s = priests;
    for x in 0..9 {
        s[0] += (stairs[0][x] > stairs[1][x]) as i32;
        s[1] += (stairs[1][x] > stairs[0][x]) as i32;
    }
    (ply, (1 + (s[0] - s[1]).signum()) as u32)
}
