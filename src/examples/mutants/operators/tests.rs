use std::fs;

use super::super::{Fate, Mutant, Trial, allow, list};
use crate::examples::suite::{Suite, Wants};
use crate::load::{Loaded, Request, load};
use crate::testing::case_folder;

const RULES: &str = r#"game shop "Shop"
players 2..3

numbers { limit.bought: 1..9 }

board Spot = square 3 x 3
type Good = apple | pear | plum

state {
    coins[Player]: 0..99 = 10
    goods[Player, Good]: 0..9 = 0
    at[Player]: Spot = b2
    opener: Player = seat(1)
    buyer: Player = seat(1)
    bag: set of Good = {apple, pear, plum}
    drawn: Good? = none
    closed: bool = false
}

state turn {
    bought: 0..9 = 0
}

def price(g: Good) = if g is plum then 3 else 2
def have(p: Player) = sum g in Good: goods[p, g]
def owners(g: Good) = count p in Player where p is not opener: goods[p, g] > 0
def cheapest = first g in Good by price(g)
def half(n: 0..99) = n / 2
def richer(p: Player, q: Player) = coins[p] > coins[q] - have(q)

action buy(good: Good)
    "Buy a good"
    cost coins[me]: price(good)
    require few:  bought < limit.bought  "few goods a turn"
    require room: have(me) + 1 <= 4      "four goods at most"
    require one:  goods[me, good] is 0   "one of each"
    require open: goods[me, good] is 0 and not closed  "the shop is open"
{
    goods[me, good] += 1
    bought += 1
    buyer = me
}

action go(to: Spot in neighbours(at[me]))
    "Go to the next spot"
    require free: no p in Player: at[p] is to  "nobody is there"
{
    at[me] = to
}

action give(good: Good, to: Player)
    "Give a good away"
    require mine:   goods[me, good] > 0  "one has it"
    require poorer: richer(me, to)       "the other is poorer"
{
    goods[me, good] -= 1
    goods[to, good] += 1
}

action swap(own: Good, wanted: Good)
    "Swap a good"
    require mine: goods[me, own] > 0                   "one has it"
    require dear: own is cheapest or owners(own) is 0  "nobody else wants it"
{
    goods[me, own] -= 1
    goods[me, wanted] += 1
}

action pick()
    "Draw a good"
    require left: bag is not {} and not closed  "there are some"
{
    draw drawn = g from bag where g is not plum
}

flow {
    cycle p clockwise from opener until any q in Player: coins[q] is 0 {
        turn p { repeat { choose buy, go, give, swap, pick or pass } }
    }
    end
}

award prize(p: Player)
    "Most goods"
    by have(p)
    pays 6, 2
    ties split
    alone all

score(p: Player) = half(coins[p]) + prize(p)
winner(p: Player) by score(p), have(p)
"#;

/// A change, an example that misses it, and one that notices it: what is given beside the players, entries, then what
/// must hold.
type Case = (&'static str, &'static str, [&'static str; 3], [&'static str; 3]);

const CASES: &[Case] = &[
    (
        "comparison",
        "bought < limit.bought -> bought <= limit.bought",
        ["", "ana buy apple", "coins[ana] is 8"],
        ["", "ana buy apple; ana buy pear; ana buy plum", "refused buy.few"],
    ),
    (
        "comparison",
        "goods[me, good] is 0 -> goods[me, good] is 0 or 0 + 1",
        ["", "ana buy apple", "coins[ana] is 8"],
        ["", "ana buy apple; ana buy apple", "refused buy.one, refused buy.open"],
    ),
    (
        "comparison",
        "coins[p] > coins[q] - have(q) -> coins[p] > coins[q] - have(q) + 1",
        ["goods ana apple = 1; coins ben = 8", "ana give apple to ben", "goods[ben, apple] is 1"],
        ["goods ana apple = 1; coins ben = 9", "ana give apple to ben", "goods[ben, apple] is 1"],
    ),
    (
        "condition",
        "p is not opener -> true",
        ["goods ben apple = 1", "", "owners(apple) is 1"],
        ["goods ana apple = 1; goods ben apple = 1", "", "owners(apple) is 1"],
    ),
    (
        "condition",
        "owners(own) is 0 -> false",
        ["goods ana apple = 1", "ana swap apple wanted pear", "goods[ana, pear] is 1"],
        ["goods ana pear = 1", "ana swap pear wanted plum", "goods[ana, plum] is 1"],
    ),
    (
        "condition",
        "bag is not {} and not closed -> bag is not {} or not closed",
        ["", "ana pick; drawn = apple", "drawn is apple"],
        ["closed = true", "ana pick", "refused pick.left"],
    ),
    (
        "condition",
        "g is plum -> false",
        ["", "ana buy pear", "coins[ana] is 8"],
        ["", "ana buy plum", "coins[ana] is 7"],
    ),
    (
        "quantifier",
        "any q in Player: coins[q] is 0 -> all q in Player: coins[q] is 0",
        ["", "ana buy apple", "not over"],
        ["coins ana = 0", "", "over"],
    ),
    (
        "quantifier",
        "sum g in Good: goods[p, g] -> max g in Good: goods[p, g]",
        ["goods ana apple = 2", "", "have(ana) is 2"],
        ["goods ana apple = 2; goods ana pear = 1", "", "have(ana) is 3"],
    ),
    ("order", "price(g) -> -price(g)", ["", "", "price(apple) is 2"], ["", "", "cheapest is apple"]),
    (
        "player",
        "goods[me, good] -> sum q in Player: goods[q, good]",
        ["", "ana buy apple", "coins[ana] is 8"],
        ["goods ben apple = 1", "ana buy apple", "coins[ana] is 8"],
    ),
    (
        "player",
        "me -> me + 1",
        ["", "ana pass", "next is ben"],
        ["", "ana buy apple", "buyer is ana, goods[ana, apple] is 1"],
    ),
    ("player", "opener -> buyer", ["", "", "next is ana"], ["buyer = ben", "", "next is ana"]),
    (
        "variable",
        "own -> wanted",
        ["goods ana pear = 1", "ana swap pear wanted plum", "goods[ana, plum] is 1"],
        ["goods ana apple = 1", "ana swap apple wanted pear", "goods[ana, apple] is 0"],
    ),
    (
        "domain",
        "neighbours(at[me]) -> Spot",
        ["", "ana go b3", "at[ana] is b3"],
        ["at ana = a1", "ana go c3", "refused bad-argument"],
    ),
    (
        "cost",
        "price(good) -> price(good) + 1 if good is plum",
        ["", "ana buy pear", "coins[ana] is 8"],
        ["", "ana buy plum", "coins[ana] is 7"],
    ),
    (
        "arithmetic",
        "n / 2 -> n / 2, rounded up",
        ["coins ana = 4", "", "score(ana) is 2"],
        ["coins ana = 5", "", "score(ana) is 2"],
    ),
    (
        "arithmetic",
        "have(me) + 1 -> have(me)",
        ["goods ana apple = 3", "ana buy pear", "goods[ana, pear] is 1"],
        ["goods ana apple = 4", "ana buy pear", "refused buy.room"],
    ),
    (
        "literal",
        "4 -> 5",
        ["goods ana apple = 3", "ana buy pear", "goods[ana, pear] is 1"],
        ["goods ana apple = 4", "ana buy pear", "refused buy.room"],
    ),
    (
        "statement",
        "buyer = me -> dropped",
        ["", "ana buy apple", "buyer is ana"],
        ["", "ana pass; ben buy apple", "buyer is ben"],
    ),
    (
        "statement",
        "goods[to, good] += 1 -> goods[to, good] = 1",
        ["goods ana apple = 1; coins ben = 5", "ana give apple to ben", "goods[ben, apple] is 1"],
        ["goods ana apple = 1; goods ben apple = 1", "ana give apple to ben", "goods[ben, apple] is 2"],
    ),
    (
        "turn",
        "not reset in a turn",
        ["", "ana buy apple; ana buy pear", "coins[ana] is 6"],
        ["", "ana buy apple; ana buy pear; ana pass; ben buy apple", "coins[ben] is 8"],
    ),
    ("choice", "one must act", ["", "ana buy apple", "next is ana"], ["", "ana pass", "next is ben"]),
    (
        "choice",
        "pick is not offered",
        ["", "ana buy apple", "next is ana"],
        ["", "ana pick; drawn = apple", "next is ana"],
    ),
    (
        "draw",
        "draw drawn = g from bag where g is not plum -> nothing is taken out",
        ["", "ana pick; drawn = apple", "drawn is apple"],
        ["", "ana pick; drawn = apple", "bag is {pear, plum}"],
    ),
    ("ties", "alone all -> dropped", ["", "", "score(ana) is 9"], ["goods ana apple = 1", "", "score(ana) is 13"]),
];

/// The ruleset with one example.
fn shop(case: &str, [given, when, then]: [&str; 3]) -> Loaded {
    let folder = case_folder(case);
    fs::create_dir_all(folder.join("examples")).expect("a folder");
    let when = if when.is_empty() { String::new() } else { format!("    when  {when}\n") };
    let example = format!("example \"it\"\n    given {{ players ana, ben; {given} }}\n{when}    then  {then}\n");
    fs::write(folder.join("case.ludex"), RULES.replace("game shop", "game case")).expect("a file");
    fs::write(folder.join("case.toml"), "limit.bought = 2\n").expect("a file");
    fs::write(folder.join("examples/case.ludex"), example).expect("a file");
    load(&Request { ruleset: folder.display().to_string(), ..Request::default() })
}

/// Mutants of this kind with this change, and what became of each.
fn fates(loaded: &Loaded, kind: &str, change: &str) -> Vec<(Mutant, Fate)> {
    let suite = Suite::new(loaded);
    let played = suite.run(1, Wants { moments: false, trace: true });
    for played in &played {
        assert_eq!(played.outcome.failures.len(), 0, "{change}: {:?}", played.outcome.failures);
    }
    let all: Vec<Mutant> =
        list(&suite, 1).into_iter().filter(|mutant| mutant.kind == kind && mutant.change == change).collect();
    assert!(!all.is_empty(), "there is no mutant {kind} {change}");
    let fates = Trial::new(&suite, &played, 1).run(&all, 1);
    all.into_iter().zip(fates).collect()
}

#[test]
fn each_operator_makes_a_rule_that_one_example_misses_and_another_notices() {
    for (kind, change, misses, notices) in CASES {
        let caught = |fate: &Fate| matches!(fate, Fate::Example(..));
        let missed = fates(&shop("mutant-missed", *misses), kind, change);
        assert!(missed.iter().any(|(_, fate)| !caught(fate)), "{kind} {change} is noticed by {misses:?}");
        let noticed = fates(&shop("mutant-noticed", *notices), kind, change);
        assert!(noticed.iter().any(|(_, fate)| caught(fate)), "{kind} {change} is missed by {notices:?}");
    }
}

#[test]
fn the_same_ruleset_is_recognised() {
    let loaded = shop("mutant-same", ["", "", "not over"]);
    let of = |kind, change, name: &str| {
        let (_, fate) = fates(&loaded, kind, change).into_iter().find(|(mutant, _)| mutant.name == name).expect(name);
        fate
    };
    assert_eq!(of("statement", "end -> dropped", "flow"), Fate::Equivalent);
    // What is legal is the same, but another requirement is named when an entry is refused.
    let fate = of("condition", "goods[me, good] is 0 -> true", "buy.open");
    assert!(matches!(fate, Fate::Survived(_)), "{fate:?}");
}

#[test]
fn a_mutant_whose_loop_never_ends_is_noticed() {
    let loaded = shop("mutant-endless", ["coins ana = 0", "", "over"]);
    for (_, fate) in fates(&loaded, "condition", "any q in Player: coins[q] is 0 -> false") {
        assert!(matches!(fate, Fate::Example(..)), "{fate:?}");
    }
}

#[test]
fn a_comment_allows_the_survivors_of_its_line() {
    let loaded = |comment: &str| {
        let folder = case_folder("mutant-allowed");
        fs::create_dir_all(folder.join("examples")).expect("a folder");
        let line = "    require few:  bought < limit.bought  \"few goods a turn\"";
        let rules = RULES.replace("game shop", "game case").replace(line, &format!("{comment}\n{line}"));
        fs::write(folder.join("case.ludex"), rules).expect("a file");
        fs::write(folder.join("case.toml"), "limit.bought = 2\n").expect("a file");
        let example = "example \"it\"\n    given { players ana, ben }\n    then  not over\n";
        fs::write(folder.join("examples/case.ludex"), example).expect("a file");
        load(&Request { ruleset: folder.display().to_string(), ..Request::default() })
    };
    let told = |comment: &str| {
        let loaded = loaded(comment);
        let change = "bought < limit.bought -> bought <= limit.bought";
        let (mutants, mut fates): (Vec<_>, Vec<_>) = fates(&loaded, "comparison", change).into_iter().unzip();
        let idle = allow(&loaded, &mutants, &mut fates);
        (fates, idle.len())
    };
    let why = Fate::Allowed("nobody has the time".to_owned());
    assert_eq!(told("    # allow test::mutant: nobody has the time"), (vec![why.clone()], 0));
    assert_eq!(told("    # allow test::mutant::comparison: nobody has the time"), (vec![why], 0));
    let (fates, idle) = told("    # allow test::mutant::literal: nobody has the time");
    assert!(matches!(fates.as_slice(), [Fate::Survived(_)]) && idle == 1, "{fates:?}");
}
