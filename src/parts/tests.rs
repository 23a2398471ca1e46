use super::{Use, cut, uses};
use crate::bind::{self, Choice};
use crate::load::{Loaded, Request, load};

fn loaded(ruleset: &str) -> Loaded {
    load(&Request { ruleset: ruleset.to_owned(), ..Request::default() })
}

fn used(ruleset: &str, key: &str) -> Vec<String> {
    let loaded = loaded(ruleset);
    let items = bind::effective(&loaded.layers, &mut Vec::new());
    let choice = Choice { players: None, numbers: &loaded.numbers };
    let bound = bind::bind(&items, &[], choice, &mut Vec::new());
    let number = bound.numbers.iter().find(|number| number.path == key).expect("a number");
    let shown = |used: &Use| {
        let through: String = used.through.iter().map(|name| format!(" < {name}")).collect();
        format!("{} {}{through}", used.part.kind, used.part.name)
    };
    uses(&bound, &items, number).iter().map(shown).collect()
}

#[test]
fn what_uses_a_number_is_found_through_what_uses_it() {
    assert_eq!(used("tikal", "cost.camp"), ["cost camp"]);
    let sizes = used("nim", "heap.size");
    assert!(sizes.contains(&"invariant shrinking".to_owned()), "{sizes:?}");
    // What a state holds at first is handed on; what it may hold at most is not.
    assert!(sizes.iter().any(|line| line.ends_with("< pieces")), "{sizes:?}");
}

#[test]
fn every_part_has_its_own_name_and_text() {
    for name in ["tikal", "tikal:professional", "maya", "indus:combinations", "nim"] {
        let loaded = loaded(name);
        let parts = cut(&bind::effective(&loaded.layers, &mut Vec::new()));
        for part in &parts {
            let same = parts.iter().filter(|other| (other.kind, &other.name) == (part.kind, &part.name)).count();
            assert_eq!(same, 1, "{name}: {} {}", part.kind, part.name);
            assert!(!part.meaning.is_empty() && !part.lines(&loaded.sources).is_empty(), "{name}: {part:?}");
        }
    }
}

#[test]
fn comments_and_layout_are_no_part_of_a_line() {
    assert_eq!(super::without_comment("a is \"#1\"  # so"), "a is \"#1\"  ");
    assert_eq!(super::without_comment("\"\\\"#\" # \"x\""), "\"\\\"#\" ");
}
