use super::rng::Rng;

// ---------------------------------------------------------------- tic-tac-toe

const fn ttt_table() -> [bool; 512] {
    let lines = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut t = [false; 512];
    let mut i = 0;
    while i < 512 {
        let mut k = 0;
        while k < 8 {
            if i & lines[k] == lines[k] {
                t[i] = true;
            }
            k += 1;
        }
        i += 1;
    }
    t
}
static TTT: [bool; 512] = ttt_table();

pub fn tictactoe(rng: &mut Rng) -> (u32, u32) {
    let mut b = [0usize; 2];
    let mut list = [0u8; 9];
    for ply in 0..9u32 {
        let mut e = 0x1FF & !(b[0] | b[1]) as u32;
        let mut n = 0;
        while e != 0 {
            list[n] = e.trailing_zeros() as u8;
            n += 1;
            e &= e - 1;
        }
        let p = (ply & 1) as usize;
        b[p] |= 1 << list[rng.below(n)];
        if TTT[b[p] & 511] {
            return (ply + 1, if p == 0 { 2 } else { 0 });
        }
    }
    (9, 1)
}

// --------------------------------------------------------------- connect four

pub fn connect4(rng: &mut Rng) -> (u32, u32) {
    // column c occupies bits 7c..7c+6, bit 7c+6 stays empty
    let mut b = [0u64; 2];
    let mut list = [0u64; 7];
    const BOTTOM: u64 = 0x0000_0408_1020_4081 & ((1 << 49) - 1);
    const FULL: u64 = BOTTOM * 63;
    for ply in 0..42u32 {
        let occ = b[0] | b[1];
        let mut e = (occ + BOTTOM) & FULL; // lowest empty cell of each column
        let mut n = 0;
        while e != 0 {
            list[n] = e & e.wrapping_neg();
            n += 1;
            e &= e - 1;
        }
        let p = (ply & 1) as usize;
        b[p] |= list[rng.below(n)];
        let x = b[p];
        let won = [1, 6, 7, 8].iter().any(|&s| {
            let y = x & (x >> s);
            y & (y >> (2 * s)) != 0
        });
        if won {
            return (ply + 1, if p == 0 { 2 } else { 0 });
        }
    }
    (42, 1)
}

// --------------------------------------------------------------- breakthrough

pub fn breakthrough(rng: &mut Rng) -> (u32, u32) {
    const A: u64 = 0x0101_0101_0101_0101;
    const H: u64 = A << 7;
    let (mut me, mut opp) = (0xFFFFu64, 0xFFFFu64 << 48);
    let mut up = true;
    let mut list = [(0u8, 0u8); 48];
    let mut ply = 0;
    loop {
        let empty = !(me | opp);
        let mut n = 0;
        let mut push = |mut t: u64, d: u8| {
            while t != 0 {
                let to = t.trailing_zeros() as u8;
                list[n] = (to.wrapping_sub(d), to);
                n += 1;
                t &= t - 1;
            }
        };
        if up {
            push((me << 8) & empty, 8);
            push(((me & !A) << 7) & !me, 7);
            push(((me & !H) << 9) & !me, 9);
        } else {
            push((me >> 8) & empty, 8u8.wrapping_neg());
            push(((me & !H) >> 7) & !me, 7u8.wrapping_neg());
            push(((me & !A) >> 9) & !me, 9u8.wrapping_neg());
        }
        let (from, to) = list[rng.below(n)];
        me ^= 1 << from | 1 << to;
        opp &= !(1 << to);
        ply += 1;
        if opp == 0 || (if up { to >= 56 } else { to < 8 }) {
            return (ply, if up { 2 } else { 0 });
        }
        std::mem::swap(&mut me, &mut opp);
        up = !up;
    }
}

// -------------------------------------------------------------------- othello

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const DIRS: [(i32, u64); 8] =
    [(8, !0), (-8, !0), (1, NOT_A), (-1, NOT_H), (9, NOT_A), (-9, NOT_H), (7, NOT_H), (-7, NOT_A)];

#[inline(always)]
fn sh(x: u64, d: i32, m: u64) -> u64 {
    (if d > 0 { x << d } else { x >> -d }) & m
}

#[inline(always)]
fn othello_moves(me: u64, opp: u64) -> u64 {
    let mut r = 0;
    for (d, m) in DIRS {
        let mut x = sh(me, d, m) & opp;
        for _ in 0..5 {
            x |= sh(x, d, m) & opp;
        }
        r |= sh(x, d, m);
    }
    r & !(me | opp)
}

#[inline(always)]
fn othello_flips(sq: u64, me: u64, opp: u64) -> u64 {
    let mut r = 0;
    for (d, m) in DIRS {
        let mut x = sh(sq, d, m) & opp;
        for _ in 0..5 {
            x |= sh(x, d, m) & opp;
        }
        if sh(x, d, m) & me != 0 {
            r |= x;
        }
    }
    r
}

/// A forced pass counts as a move, as in OpenSpiel and RBG.
pub fn othello(rng: &mut Rng) -> (u32, u32) {
    let (mut me, mut opp) = (0x0000_0008_1000_0000u64, 0x0000_0010_0800_0000u64);
    let mut list = [0u8; 64];
    let (mut ply, mut black) = (0, true);
    loop {
        let mut ms = othello_moves(me, opp);
        if ms == 0 {
            if othello_moves(opp, me) == 0 {
                break;
            }
        } else {
            let mut n = 0;
            while ms != 0 {
                list[n] = ms.trailing_zeros() as u8;
                n += 1;
                ms &= ms - 1;
            }
            let sq = 1u64 << list[rng.below(n)];
            let f = othello_flips(sq, me, opp);
            me |= sq | f;
            opp &= !f;
        }
        ply += 1;
        std::mem::swap(&mut me, &mut opp);
        black = !black;
    }
    let (b, w) = if black { (me, opp) } else { (opp, me) };
    let r = match b.count_ones().cmp(&w.count_ones()) {
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 0,
    };
    (ply, r)
}

// ------------------------------------------------------------------ hex 11x11

pub fn hex11(rng: &mut Rng) -> (u32, u32) {
    const N: usize = 11;
    const C: usize = N * N;
    // union-find per colour; nodes C, C+1 are the colour's two edges
    let mut uf = [[0u8; C + 2]; 2];
    for u in &mut uf {
        for (i, x) in u.iter_mut().enumerate() {
            *x = i as u8;
        }
    }
    #[inline(always)]
    fn find(u: &mut [u8; C + 2], mut i: u8) -> u8 {
        while u[i as usize] != i {
            u[i as usize] = u[u[i as usize] as usize];
            i = u[i as usize];
        }
        i
    }
    let mut cell = [2u8; C];
    let mut list = [0u8; C];
    let mut ply = 0u32;
    loop {
        let mut n = 0;
        for (i, &c) in cell.iter().enumerate() {
            list[n] = i as u8;
            n += (c == 2) as usize;
        }
        let s = list[rng.below(n)] as usize;
        let p = (ply & 1) as usize;
        cell[s] = p as u8;
        let (r, c) = (s / N, s % N);
        let u = &mut uf[p];
        let join = |a: usize, u: &mut [u8; C + 2]| {
            let (x, y) = (find(u, a as u8), find(u, s as u8));
            u[x as usize] = y;
        };
        let pos = if p == 0 { r } else { c };
        if pos == 0 {
            join(C, u);
        }
        if pos == N - 1 {
            join(C + 1, u);
        }
        for (dr, dc) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)] {
            let (y, x) = (r as i32 + dr, c as i32 + dc);
            if (0..N as i32).contains(&y) && (0..N as i32).contains(&x) {
                let t = (y * N as i32 + x) as usize;
                if cell[t] == p as u8 {
                    join(t, u);
                }
            }
        }
        ply += 1;
        if find(u, C as u8) == find(u, (C + 1) as u8) {
            return (ply, if p == 0 { 2 } else { 0 });
        }
    }
}

// -------------------------------------------------------------- amazons 10x10

const W: i32 = 12; // one-cell border
const ADIR: [i32; 8] = [1, -1, W, -W, W + 1, W - 1, -W + 1, -W - 1];

fn amazons_start() -> ([bool; 144], [[usize; 4]; 2]) {
    let at = |f: usize, r: usize| r * 12 + f;
    let q = [[at(4, 1), at(7, 1), at(1, 4), at(10, 4)], [at(4, 10), at(7, 10), at(1, 7), at(10, 7)]];
    let mut blocked = [true; 144];
    for r in 1..=10 {
        for f in 1..=10 {
            blocked[at(f, r)] = false;
        }
    }
    for s in q.iter().flatten() {
        blocked[*s] = true;
    }
    (blocked, q)
}

#[inline(always)]
fn rays(b: &[bool; 144], from: usize, mut f: impl FnMut(usize)) {
    for d in ADIR {
        let mut t = from as i32 + d;
        while !b[t as usize] {
            f(t as usize);
            t += d;
        }
    }
}

/// Moves are chosen in three steps (amazon, target, arrow), each from its full
/// list, as in OpenSpiel; each step counts as one move.
pub fn amazons_steps(rng: &mut Rng) -> (u32, u32) {
    let (mut b, mut q) = amazons_start();
    let mut p = 0;
    let mut ply = 0;
    loop {
        let mut list = [0u8; 100];
        let mut n = 0;
        for (i, &s) in q[p].iter().enumerate() {
            if ADIR.iter().any(|d| !b[(s as i32 + d) as usize]) {
                list[n] = i as u8;
                n += 1;
            }
        }
        if n == 0 {
            return (ply, if p == 0 { 0 } else { 2 });
        }
        let i = list[rng.below(n)] as usize;
        let s = q[p][i];
        b[s] = false;
        n = 0;
        rays(&b, s, |t| {
            list[n] = t as u8;
            n += 1;
        });
        let t = list[rng.below(n)] as usize;
        q[p][i] = t;
        b[t] = true;
        n = 0;
        rays(&b, t, |a| {
            list[n] = a as u8;
            n += 1;
        });
        b[list[rng.below(n)] as usize] = true;
        ply += 3;
        p ^= 1;
    }
}

/// Moves are triples chosen from the one full list, as in RBG.
pub fn amazons_full(rng: &mut Rng) -> (u32, u32) {
    let (mut b, mut q) = amazons_start();
    let mut p = 0;
    let mut ply = 0;
    let mut list: Vec<(u8, u8, u8)> = Vec::with_capacity(4096);
    loop {
        list.clear();
        for (i, &s) in q[p].iter().enumerate() {
            b[s] = false;
            rays(&b, s, |t| {
                rays(&b, t, |a| list.push((i as u8, t as u8, a as u8)));
            });
            b[s] = true;
        }
        if list.is_empty() {
            return (ply, if p == 0 { 0 } else { 2 });
        }
        let (i, t, a) = list[rng.below(list.len())];
        b[q[p][i as usize]] = false;
        b[t as usize] = true;
        q[p][i as usize] = t as usize;
        b[a as usize] = true;
        ply += 1;
        p ^= 1;
    }
}
