//! The same games as one writes them in an afternoon: one byte per cell, loops
//! over the board, no bitboards. A softer yardstick than `games`.
use super::rng::Rng;

/// Tic-tac-toe.
pub fn tictactoe(r: &mut Rng) -> (u32, u32) {
    let mut b = [0u8; 9];
    let mut p = 0u8;
    let mut n = 0;
    const W: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    loop {
        let mut l = [0u8; 9];
        let mut k = 0;
        for i in 0..9 {
            if b[i] == 0 {
                l[k] = i as u8;
                k += 1;
            }
        }
        if k == 0 {
            return (n, 1);
        }
        let m = l[r.below(k)] as usize;
        b[m] = p + 1;
        n += 1;
        if W.iter().any(|w| w.iter().all(|&c| b[c] == p + 1)) {
            return (n, if p == 0 { 2 } else { 0 });
        }
        p ^= 1;
    }
}
/// Connect four, heights kept per column.
pub fn connect4(r: &mut Rng) -> (u32, u32) {
    let mut b = [0u8; 42];
    let mut h = [0u8; 7];
    let mut p = 0u8;
    let mut n = 0;
    loop {
        let mut l = [0u8; 7];
        let mut k = 0;
        for c in 0..7 {
            if h[c] < 6 {
                l[k] = c as u8;
                k += 1;
            }
        }
        if k == 0 {
            return (n, 1);
        }
        let c = l[r.below(k)] as usize;
        let y = h[c] as i32;
        h[c] += 1;
        b[y as usize * 7 + c] = p + 1;
        n += 1;
        let mut win = false;
        for (dx, dy) in [(1i32, 0i32), (0, 1), (1, 1), (1, -1)] {
            let mut run = 1;
            for s in [1i32, -1] {
                let (mut x, mut yy) = (c as i32 + dx * s, y + dy * s);
                while x >= 0 && x < 7 && yy >= 0 && yy < 6 && b[(yy * 7 + x) as usize] == p + 1 {
                    run += 1;
                    x += dx * s;
                    yy += dy * s;
                }
            }
            if run >= 4 {
                win = true;
            }
        }
        if win {
            return (n, if p == 0 { 2 } else { 0 });
        }
        p ^= 1;
    }
}
/// Breakthrough on 8x8.
pub fn breakthrough(r: &mut Rng) -> (u32, u32) {
    let mut b = [0u8; 64];
    for i in 0..16 {
        b[i] = 1;
        b[48 + i] = 2;
    }
    let mut cnt = [16u32; 2];
    let mut p = 0usize;
    let mut n = 0;
    let mut l = [(0u8, 0u8); 64];
    loop {
        let mut k = 0;
        let d = if p == 0 { 8i32 } else { -8 };
        for i in 0..64i32 {
            if b[i as usize] == p as u8 + 1 {
                let t = i + d;
                let x = i & 7;
                if t >= 0 && t < 64 {
                    if b[t as usize] == 0 {
                        l[k] = (i as u8, t as u8);
                        k += 1;
                    }
                    if x > 0 && b[(t - 1) as usize] != p as u8 + 1 {
                        l[k] = (i as u8, (t - 1) as u8);
                        k += 1;
                    }
                    if x < 7 && b[(t + 1) as usize] != p as u8 + 1 {
                        l[k] = (i as u8, (t + 1) as u8);
                        k += 1;
                    }
                }
            }
        }
        if k == 0 {
            return (n, if p == 0 { 0 } else { 2 });
        }
        let (f, t) = l[r.below(k)];
        let (f, t) = (f as usize, t as usize);
        if b[t] != 0 {
            cnt[1 - p] -= 1;
        }
        b[t] = p as u8 + 1;
        b[f] = 0;
        n += 1;
        if (p == 0 && t >= 56) || (p == 1 && t < 8) || cnt[1 - p] == 0 {
            return (n, if p == 0 { 2 } else { 0 });
        }
        p ^= 1;
    }
}
/// Othello; forced passes count as moves.
pub fn othello(r: &mut Rng) -> (u32, u32) {
    let mut b = [0u8; 64];
    b[27] = 2;
    b[36] = 2;
    b[28] = 1;
    b[35] = 1;
    let mut p = 1u8;
    let mut n = 0;
    let mut passed = false;
    const D: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    fn flips(b: &[u8; 64], i: i32, p: u8, dx: i32, dy: i32) -> u32 {
        let (mut x, mut y) = ((i & 7) + dx, (i >> 3) + dy);
        let mut c = 0;
        while x >= 0 && x < 8 && y >= 0 && y < 8 {
            let v = b[(y * 8 + x) as usize];
            if v == 0 {
                return 0;
            }
            if v == p {
                return c;
            }
            c += 1;
            x += dx;
            y += dy;
        }
        0
    }
    let mut l = [0u8; 64];
    loop {
        let mut k = 0;
        for i in 0..64i32 {
            if b[i as usize] == 0 && D.iter().any(|&(dx, dy)| flips(&b, i, p, dx, dy) > 0) {
                l[k] = i as u8;
                k += 1;
            }
        }
        if k == 0 {
            if passed {
                break;
            }
            passed = true;
            n += 1;
            p = 3 - p;
            continue;
        }
        passed = false;
        let i = l[r.below(k)] as i32;
        for &(dx, dy) in &D {
            let c = flips(&b, i, p, dx, dy);
            let (mut x, mut y) = (i & 7, i >> 3);
            for _ in 0..c {
                x += dx;
                y += dy;
                b[(y * 8 + x) as usize] = p;
            }
        }
        b[i as usize] = p;
        n += 1;
        p = 3 - p;
    }
    let a = b.iter().filter(|&&v| v == 1).count() as i32;
    let c = b.iter().filter(|&&v| v == 2).count() as i32;
    (n - 1, (1 + (a - c).signum()) as u32)
}
