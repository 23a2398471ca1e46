//! Limits on rulesets: what is just within, and what is beyond.

use super::{Case, Files};
use crate::limits;

/// A game that does nothing, with this.
pub(super) fn game(body: &str) -> String {
    format!(
        "game case \"A case\"\nplayers 2\n{body}\nflow {{ end }}\nscore(p: Player) = 1\nwinner(p: Player) by score(p)\n"
    )
}

pub(super) fn rules(body: &str) -> Files {
    vec![file("case.ludex", game(body))]
}

pub(super) fn file(name: impl Into<String>, text: impl Into<String>) -> (String, String) {
    (name.into(), text.into())
}

/// A text of exactly so many bytes: what follows is a comment.
fn padded(text: &str, bytes: usize) -> String {
    format!("{text}#{}\n", "x".repeat(bytes - text.len() - 2))
}

/// Rules with so many files of examples.
fn with_examples(count: usize) -> Files {
    let examples = (0..count).map(|nth| file(format!("examples/e{nth}.ludex"), "# nothing\n"));
    rules("").into_iter().chain(examples).collect()
}

/// A ruleset of exactly so many bytes.
fn of_bytes(bytes: usize) -> Files {
    let most = usize::try_from(limits::RULESET_FILE_BYTES).expect("a length");
    let mut files = rules("");
    let mut left = bytes - files[0].1.len();
    while left > 0 {
        let next = if left > most && left < most + 2 { most - 2 } else { left.min(most) };
        files.push(file(format!("examples/e{}.ludex", files.len()), padded("", next)));
        left -= next;
    }
    files
}

/// A ruleset of so many items.
fn of_items(items: usize) -> Files {
    let examples: String = (5..items).map(|nth| format!("example \"e{nth}\"\n    then over\n")).collect();
    vec![rules("").remove(0), file("examples/e.ludex", examples)]
}

/// A graph in which all places are joined.
fn joined(places: usize) -> Files {
    let names: Vec<String> = (0..places).map(|at| format!("p{at}")).collect();
    let row = |name: &String| {
        let others: Vec<String> =
            names.iter().filter(|other| *other != name).map(|other| format!("\"{other}\"")).collect();
        format!("{name} = [{}]\n", others.join(","))
    };
    let roads: String = names.iter().map(row).collect();
    vec![rules("board City = graph roads").remove(0), file("case.toml", format!("[roads]\n{roads}"))]
}

/// Definitions that use each other in a row.
fn chain(length: usize) -> String {
    let links: String = (1..length).map(|nth| format!("def a{nth} = a{} + 1\n", nth - 1)).collect();
    format!("def a0 = 1\n{links}invariant i: a{} > 0 \"i\"", length - 1)
}

/// So many definitions that use each other in a row, each so long that it is a routine of its own.
fn routines(length: usize) -> Files {
    let mut text = "state { s[1..9]: 0..9 = 1; n: 0..50 = 0 }\ndef a0(i: 1..9) = s[i] > 0\n".to_owned();
    for nth in 1..length {
        text += &format!("def a{nth}(i: 1..9) = ");
        for j in 0..9 {
            let (one, other) = ((j * nth) % 9 + 1, (j + nth) % 9 + 1);
            let (few, more) = (nth % 7, nth % 11);
            text += &format!(
                "(s[i] is {j} and s[{one}] > {few} and s[{other}] > {} and i + n > {j} and n + i + i > {more}) or ",
                j % 7
            );
        }
        text += &format!("a{}(i)\n", nth - 1);
    }
    text += &format!("action go(i: 1..9) require r: a{}(i) \"r\" {{ n += 1 }}", length - 1);
    choosing(&text)
}

/// The neighbours of each cell of so many boards: tables hold them all.
fn boards(count: usize) -> String {
    let board = |nth: usize| {
        let cells = format!("any a in B{nth}, c in neighbours(a): ordinal(a) > ordinal(c) + 9999");
        format!("board B{nth} = square 64 x 64\ninvariant i{nth}: {cells} \"i\"\n")
    };
    (0..count).map(board).collect()
}

/// A matching of so many with as many others.
fn partners(count: u64) -> String {
    format!("state {{ n: 0..9 = 0 }}\ninvariant i: pairing x in 1..{count}, y in 1..{count}: x + y > n \"i\"")
}

/// So many rulings, each with a rule of many parts.
fn rulings(count: usize) -> Files {
    let sum = "x + ".repeat(60);
    let ruling = |nth: usize| {
        format!("ruling r{nth}: 1..13 \"q\" \"r\"\ninvariant i{nth}: (sum x in 1..9: {sum}ruling.r{nth}) > 0 \"i\"\n")
    };
    let numbers: String = (0..count).map(|nth| format!("r{nth} = 1\n")).collect();
    let text: String = (0..count).map(ruling).collect();
    vec![rules(&text).remove(0), file("case.toml", format!("[ruling]\n{numbers}"))]
}

/// A flow that plays a phase of a hundred assignments so often.
fn phases(times: usize) -> Files {
    let hundred = "one ".repeat(100);
    let text = game(&format!("state {{ n: 0..9 = 0 }}\nphase one {{ n = 1 }}\nphase hundred {{ {hundred} }}"));
    vec![file("case.ludex", text.replace("flow { end }", &format!("flow {{ {} end }}", "hundred ".repeat(times))))]
}

/// A game in which one move goes through so many pairs of numbers.
fn loops(side: u64) -> Files {
    playing(&format!("{{ n = 0  for i in 1..{side}, j in 1..{side} {{ if i + j + n is 3 {{ n = 1 }} }} }}"))
}

/// A game in which a move does this.
fn playing(effect: &str) -> Files {
    let rules = format!(
        "game case \"A case\"\nplayers 2\nstate {{ n: 0..1099511627776 = 0 }}\naction go {effect}\nflow {{ turn seat(1) {{ choose go }} end }}\nscore(p: Player) = n\nwinner(p: Player) by score(p)\nexample \"goes\"\n    when seat1 go\n    then over\n"
    );
    vec![file("case.ludex", rules)]
}

/// A game with so many moves for each of so many.
fn moves(side: u64) -> Files {
    let mut files = playing("{ }");
    files[0].1 = files[0].1.replace("action go", &format!("action go(a: 1..{side}, b: 1..{side})"));
    files[0].1 = files[0].1.replace("seat1 go", "seat1 go 1 1");
    files
}

/// A game whose flow goes round so often before anybody is asked.
fn rounds(rounds: u32) -> Files {
    let rules = format!(
        "game case \"A case\"\nplayers 2\nstate {{ n: 0..99999 = 0 }}\naction go {{ }}\naction never require no: n > 99998 \"no\" {{ }}\nflow {{ repeat until n is {rounds} {{ turn seat(1) {{ choose never else {{ n += 1 }} }} }} turn seat(1) {{ choose go }} end }}\nscore(p: Player) = n\nwinner(p: Player) by score(p)\nexample \"goes\"\n    when seat1 go\n    then over\n"
    );
    vec![file("case.ludex", rules)]
}

/// So many rulings.
fn switches(count: usize) -> Files {
    let text: String = (0..count)
        .map(|nth| format!("ruling r{nth}: 1..2 \"q\" \"r\"\ninvariant i{nth}: ruling.r{nth} > 0 \"i\"\n"))
        .collect();
    let numbers: String = (0..count).map(|nth| format!("r{nth} = 1\n")).collect();
    vec![rules(&text).remove(0), file("case.toml", format!("[ruling]\n{numbers}"))]
}

/// A guard by definitions that use each other in a row.
fn guard(length: usize) -> String {
    let links: String = (1..length).map(|nth| format!("def a{nth} = a{}\n", nth - 1)).collect();
    format!("def a0 = players > 1\n{links}state if a{} {{ n: 0..1 = 0 }}", length - 1)
}

/// A guard by definitions that each use another twice.
fn doubled(length: usize) -> String {
    let links: String = (1..length).map(|nth| format!("def a{nth} = a{0} + a{0}\n", nth - 1)).collect();
    format!("def a0 = players\n{links}state if a{} > 0 {{ n: 0..1 = 0 }}", length - 1)
}

/// A game with something hidden, and a condition that definitions double.
fn secret(length: usize) -> Files {
    let links: String = (1..length).map(|nth| format!("def a{nth} = a{0} or a{0}\n", nth - 1)).collect();
    let text = format!(
        "state {{ h: 0..9 = 0 seen by nobody\n n: 0..9 = 0 }}\ndef a0 = n > 3\n{links}action go require r: a{} \"r\" {{ n = 1 }}",
        length - 1
    );
    choosing(&text)
}

/// A game in which somebody chooses to `go`.
pub(super) fn choosing(text: &str) -> Files {
    vec![file("case.ludex", game(text).replace("flow { end }", "flow { turn seat(1) { choose go } end }"))]
}

/// Numbers that take eight bytes each, though one bit would do.
fn far(count: u64) -> String {
    let low = limits::NUMBER - 1;
    format!("state {{ n[1..{count}]: {low}..{} = {low} }}\ninvariant i: n[1] > 0 \"i\"", limits::NUMBER)
}

/// So many steps on a large board, in any direction.
fn steps(most: u64) -> String {
    format!(
        "board B = square 64 x 64\nstate {{ k: 1..{most} = 1 }}\ninvariant i: all b in B, w in B.way: step(b, w, k) is not a1 or k > 0 \"i\""
    )
}

/// Regions on a board of 120 columns.
fn groups(height: u64) -> String {
    format!(
        "board B = square 120 x {height}\nstate {{ n[B]: 0..1 = 0 }}\nregions G of c in B where n[c] is 1 \"g\" by a, b: adjacent(a, b)\ninvariant i: (count g in G: size(g) > 0) >= 0 \"i\""
    )
}

/// A flow that draws so many hundred times.
fn draws(hundreds: usize, more: &str) -> Files {
    let hundred = "one ".repeat(100);
    let text = game(&format!("state {{ d: 1..2 = 1 }}\nphase one {{ draw d in 1..2 }}\nphase hundred {{ {hundred} }}"));
    let flow = format!("flow {{ {} {more}end }}", "hundred ".repeat(hundreds));
    vec![file("case.ludex", text.replace("flow { end }", &flow))]
}

/// A flow with 64 times so many choices.
fn offers(times: usize) -> Files {
    let many = "one ".repeat(64);
    let text = format!(
        "state {{ d: 1..2 = 1 }}\naction go {{ d = 1 }}\nphase one {{ turn seat(1) {{ choose go }} }}\nphase many {{ {many} }}"
    );
    vec![file("case.ludex", game(&text).replace("flow { end }", &format!("flow {{ {} end }}", "many ".repeat(times))))]
}

/// An action with one argument of 25 bits, and one of so many values.
fn arguments(values: u64) -> Files {
    choosing(&format!("state {{ d: 1..2 = 1 }}\naction go(a: 1..33554432, b: 1..{values}) {{ d = 1 }}"))
}

/// An action with an optional argument.
fn optional(values: u64) -> Files {
    choosing(&format!("type N = 1..{values}\nstate {{ d: 1..2 = 1 }}\naction go(a: N?) {{ d = 1 }}"))
}

/// An action with so many assignments that may fail.
fn troubles(count: usize) -> Files {
    choosing(&format!("state {{ n: 0..9 = 0 }}\naction go {{ {} }}", "n += 1 ".repeat(count)))
}

pub(super) fn cases() -> Vec<Case> {
    let bytes = usize::try_from(limits::RULESET_FILE_BYTES).expect("a length");
    let long = |bytes: usize| vec![file("case.ludex", padded(&game(""), bytes))];
    let nested = |depth: usize| format!("invariant i: {}1 > 0 \"i\"", "1 + ".repeat(depth));
    let range = |high: i64| format!("state {{ n: 0..{high} = 0 }}\ninvariant i: n is 0 \"i\"");
    let product = |high: i64| format!("state {{ n: 0..{high} = 0 }}\ninvariant j: n * {} >= 0 \"j\"", limits::NUMBER);
    let fixed = |rows: usize| playing(&format!("{{ for i in 1..{rows} where i > n {{ n = i }} }}"));
    let set = |members: u64| format!("state {{ s: set of 1..{members} }}\ninvariant i: s is {{}} \"i\"");
    let sets = |count: u64| format!("state {{ s[1..{count}]: set of 1..4096 }}\ninvariant i: s[1] is {{}} \"i\"");
    let lists = |depth: usize| {
        let types: String = (1..=depth).map(|nth| format!("type A{nth} = list 1 of A{}\n", nth - 1)).collect();
        format!("type A0 = x | y\n{types}")
    };
    // Elements count over all numbers.
    let half = limits::ELEMENTS / 2;
    let prizes = |most: u64| format!("numbers {{ prize[1..{half}]: 0..9; fine[1..{most}]: 0..9 }}");
    let seats = |most: i64| vec![file("case.ludex", game("").replace("players 2", &format!("players {most}")))];
    let board = |height: i64| {
        format!("board B = square 256 x {height}\nstate {{ n[B]: 0..1 = 0 }}\ninvariant i: n[a1] is 0 \"i\"")
    };
    vec![
        Case::by("check", &[], "RULESET_FILE_BYTES", long(bytes), long(bytes + 1), "load::too-large"),
        Case::by(
            "check",
            &[],
            "RULESET_FILES",
            with_examples(limits::RULESET_FILES),
            with_examples(limits::RULESET_FILES + 1),
            "load::too-large",
        ),
        Case::by(
            "check",
            &[],
            "RULESET_BYTES",
            of_bytes(limits::RULESET_BYTES),
            of_bytes(limits::RULESET_BYTES + 1),
            "the ruleset is larger than 4 MiB",
        ),
        Case::by("check", &[], "ITEMS", of_items(limits::ITEMS), of_items(limits::ITEMS + 1), "at most 10,000 items"),
        Case::check("NESTING", &nested(limits::NESTING - 2), &nested(limits::NESTING - 1), "syntax::nesting"),
        Case::check("BOARD_CELLS", &board(256), &board(257), "bind::board-shape"),
        Case::by("check", &[], "BOARD_EDGES", joined(362), joined(363), "bind::board-shape"),
        Case::check("NUMBER", &range(limits::NUMBER), &range(limits::NUMBER + 1), "1,099,511,627,776"),
        Case::check("EXPRESSION", &product(4_194_304), &product(4_194_305), "check::too-large"),
        Case::check("MEMBERS", &set(limits::MEMBERS), &set(limits::MEMBERS + 1), "at most 4,096"),
        Case::check("TYPE_DEPTH", &lists(limits::TYPE_DEPTH), &lists(limits::TYPE_DEPTH + 1), "syntax::nesting"),
        Case::check("ELEMENTS", &prizes(half), &prizes(half + 1), "numbers::too-many"),
        Case::by("check", &[], "PLAYERS", seats(limits::PLAYERS), seats(limits::PLAYERS + 1), "bind::player-count"),
        Case::check("CHAIN", &chain(limits::CHAIN), &chain(limits::CHAIN + 1), "syntax::nesting"),
        Case::check("STATE_BITS", &sets(2048), &sets(2049), "check::state-size"),
        // A budget of work is tested close to where it ends, not to the step: what counts as a step may change.
        Case::check("COMPILING_STEPS", &boards(14), &boards(17), "4,000,000 steps"),
        Case::by("check", &[], "CHECKING_STEPS", rulings(73), rulings(82), "10,000,000 steps"),
        Case::by("check", &[], "INSTRUCTIONS", phases(3900), phases(4100), "400,000 instructions"),
        Case::by(
            "check",
            &[],
            "COMBINATIONS",
            fixed(limits::COMBINATIONS),
            fixed(limits::COMBINATIONS + 1),
            "20,000 combinations",
        ),
        Case::check("SLOTS", &partners(1190), &partners(1240), "65,536 values"),
        Case::by("simulate", &["--games", "1", "--seed", "1"], "STEPS", loops(4400), loops(4550), "20,000,000 steps"),
        Case::by("perft", &["--depth", "1"], "MOVES", moves(1000), moves(1100), "1,048,576 moves"),
        Case::by("test", &[], "REFERENCE_STEPS", loops(895), loops(930), "10,000,000 steps"),
        Case::by("test", &[], "ROUNDS", rounds(limits::ROUNDS), rounds(limits::ROUNDS + 1), "went round 10000 times"),
    ]
}

/// What must be known before a game begins, and what a program can hold.
pub(super) fn programs() -> Vec<Case> {
    vec![
        Case::by(
            "check",
            &[],
            "SWITCHES",
            switches(limits::SWITCHES),
            switches(limits::SWITCHES + 1),
            "at most 200 options",
        ),
        Case::check(
            "FOLDING_DEPTH",
            &guard(limits::FOLDING_DEPTH),
            &guard(limits::FOLDING_DEPTH + 1),
            "a guard must be",
        ),
        Case::check("FOLDING_STEPS", &doubled(13), &doubled(14), "a guard must be"),
        Case::by(
            "simulate",
            &["--games", "50", "--seed", "1", "--look", "0"],
            "CHAIN",
            routines(limits::CHAIN),
            routines(limits::CHAIN + 1),
            "syntax::nesting",
        ),
        Case::by("check", &[], "SECRET_STEPS", secret(18), secret(19), "takes more than 1,000,000 steps"),
        Case::check("STATE_BYTES", &far(2_097_151), &far(2_097_152), "more than 16 MiB"),
        Case::check("TABLE_ENTRIES", &steps(8), &steps(9), "more than 262,144 entries"),
        Case::check("REGION_MEMBERS", &groups(125), &groups(126), "more than 15,000 members"),
        Case::by("check", &[], "PAUSES", draws(100, ""), draws(100, "one "), "more than 10,000 choices and draws"),
        Case::by("check", &[], "OFFERS", offers(64), offers(65), "offer more than 4,096 actions"),
        Case::by("check", &[], "ARGUMENT_BITS", arguments(1 << 26), arguments((1 << 26) + 1), "than 51 bits can count"),
        Case::by(
            "check",
            &[],
            "OPTIONAL_MEMBERS",
            optional(limits::OPTIONAL_MEMBERS),
            optional(limits::OPTIONAL_MEMBERS + 1),
            "more than 65,536 members",
        ),
        Case::by("check", &[], "TROUBLES", troubles(9990), troubles(10_010), "more than 20,000 places"),
    ]
}
