//! Makes the files of a finding smaller: whole files, then lines, then pieces of lines.

use super::corpus::Input;
use super::tokens::{cut, join};

/// How often a smaller input is tried.
const MOST: usize = 1500;

/// A smaller input for which this still holds.
pub(super) fn shrink(mut input: Input, mut fails: impl FnMut(&Input) -> bool) -> Input {
    let mut tried = 0;
    let mut fails = |input: &Input| {
        tried += 1;
        tried <= MOST && fails(input)
    };
    for at in (1..input.files.len()).rev() {
        let mut without = input.clone();
        without.files.remove(at);
        if fails(&without) {
            input = without;
        }
    }
    for split in [lines as fn(&str) -> Vec<String>, pieces] {
        for at in 0..input.files.len() {
            let parts = fewer(split(&input.files[at].1), &mut |parts| {
                let mut smaller = input.clone();
                smaller.files[at].1 = parts.concat();
                fails(&smaller)
            });
            input.files[at].1 = parts.concat();
        }
    }
    input
}

fn lines(text: &str) -> Vec<String> {
    text.split_inclusive('\n').map(str::to_owned).collect()
}

fn pieces(text: &str) -> Vec<String> {
    cut(text).iter().map(|token| join(std::slice::from_ref(token))).collect()
}

/// Leaves parts out, many at a time at first.
fn fewer(mut parts: Vec<String>, fails: &mut impl FnMut(&[String]) -> bool) -> Vec<String> {
    let mut length = parts.len().div_ceil(2);
    while length > 0 {
        let mut start = 0;
        while start < parts.len() {
            let end = (start + length).min(parts.len());
            let without = [&parts[..start], &parts[end..]].concat();
            if fails(&without) {
                parts = without;
            } else {
                start = end;
            }
        }
        length /= 2;
    }
    parts
}

#[test]
fn what_fails_becomes_small() {
    use super::corpus::Kind;
    let text = "game a\nstate { x y z }\nflow { end }\n".to_owned();
    let files = vec![("case.ludex".to_owned(), text), ("case.toml".to_owned(), "a = 1".to_owned())];
    let small = shrink(Input { kind: Kind::Rules, files }, |input| input.files[0].1.contains('y'));
    assert_eq!(small.files, [("case.ludex".to_owned(), "y".to_owned())]);
}
