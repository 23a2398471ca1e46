use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;

use super::lexer::{self, Kind, Line};
use super::{format, words};
use crate::ast;
use crate::report::Sources;

// ---------------------------------------------------------------- the laws

/// The tree of a text that parses.
fn tree(text: &str) -> Option<String> {
    let mut sources = Sources::default();
    let id = sources.add("case.ludex", text);
    let mut faults = Vec::new();
    let file = ast::parse(id, sources.get(id)?, &mut faults);
    faults.is_empty().then(|| ast::dump(&file))
}

fn comments(text: &str) -> Vec<String> {
    lexer::lines(text).iter().filter_map(|line| line.comment).map(str::to_owned).collect()
}

/// The first lines that are not the same, for a message that can be read.
fn difference(left: &str, right: &str) -> Option<(String, String)> {
    let mut pairs = left.split('\n').chain([""]).zip(right.split('\n').chain([""]));
    let differ = pairs.find(|(left, right)| left != right).map(|(left, right)| (left.to_owned(), right.to_owned()));
    differ.or_else(|| (left != right).then(|| (left.len().to_string(), right.len().to_string())))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn ludex_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            ludex_files(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "ludex") {
            found.push(path);
        }
    }
}

/// Every ruleset and every piece of the reference that parses: name, text, tree.
static TEXTS: LazyLock<Vec<(String, String, String)>> = LazyLock::new(|| {
    let mut files = Vec::new();
    ludex_files(&root().join("rulesets"), &mut files);
    files.sort();
    let mut texts: Vec<(String, String)> = Vec::new();
    for path in files {
        texts.push((path.display().to_string(), fs::read_to_string(&path).expect("a text")));
    }
    let reference = fs::read_to_string(root().join("grammar/reference.md")).expect("a text");
    for (number, piece) in reference.split("```ludex\n").skip(1).enumerate() {
        let piece = piece.split("```").next().unwrap_or("");
        texts.push((format!("reference {number}"), piece.to_owned()));
    }
    let parsed = texts.into_iter().filter_map(|(name, text)| tree(&text).map(|tree| (name, text, tree)));
    parsed.collect()
});

#[test]
fn there_is_enough_to_test_with() {
    assert!(TEXTS.len() > 30, "only {} texts parse", TEXTS.len());
}

#[test]
fn rulesets_keep_their_meaning_and_comments() {
    for (name, text, before) in TEXTS.iter() {
        let formatted = format(text);
        assert_eq!(difference(&tree(&formatted).unwrap_or_default(), before), None, "{name}");
        assert_eq!(difference(&format(&formatted), &formatted), None, "{name} changes when formatted again");
        assert_eq!(comments(&formatted), comments(text), "{name}");
    }
}

/// Takes choices one after the other, round and round.
struct Choices<'c>(std::iter::Cycle<std::slice::Iter<'c, u8>>);

impl<'c> Choices<'c> {
    fn new(choices: &'c [u8]) -> Self {
        Self(choices.iter().cycle())
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::from(*self.0.next().expect("there is a choice")) % bound
    }

    fn blanks(&mut self, fewest: usize, most: usize) -> String {
        let count = fewest + self.below(most - fewest + 1);
        (0..count).map(|_| if self.below(4) == 0 { '\t' } else { ' ' }).collect()
    }

    fn line_end(&mut self) -> String {
        self.blanks(0, 2) + if self.below(3) == 0 { "\r\n" } else { "\n" }
    }
}

/// The same text with other blanks and line ends; with `loose`, with more blank lines too.
fn disturb(text: &str, choices: &mut Choices<'_>, loose: bool) -> String {
    let mut out = String::new();
    for line in lexer::lines(text) {
        let fewest = usize::from(line.parted);
        for _ in 0..fewest + if loose || fewest > 0 { choices.below(3) } else { 0 } {
            out.push_str(&choices.line_end());
        }
        let bracket = line.code.first().is_some_and(|first| "(){}[]".contains(first.text));
        if bracket {
            out.push_str(&choices.blanks(0, 6));
        } else if !line.flush {
            out.push_str(&choices.blanks(1, 12));
        }
        disturb_code(&line, choices, &mut out);
        if let Some(comment) = line.comment {
            out.push_str(&if line.code.is_empty() { String::new() } else { choices.blanks(0, 5) });
            out.push_str(comment);
        }
        out.push_str(&choices.line_end());
    }
    out
}

fn disturb_code(line: &Line<'_>, choices: &mut Choices<'_>, out: &mut String) {
    let mut before = "";
    for (at, token) in line.code.iter().enumerate() {
        let opened = matches!(before, "(" | "[" | ",") || matches!(token.text, ")" | "]" | ",");
        let operand = |text: &str| text.ends_with(|c: char| c.is_alphanumeric() || "_)]?".contains(c));
        let closed = token.is("=") && operand(before) || before == "=" && token.kind == Kind::Word;
        let blanks = match at {
            0 => String::new(),
            _ if opened => choices.blanks(0, 2),
            _ if token.glued => String::new(),
            _ if closed => choices.blanks(0, 3),
            _ => choices.blanks(1, 4),
        };
        out.push_str(&blanks);
        out.push_str(token.text);
        before = token.text;
    }
}

/// The same text with more line breaks. In rules they mean nothing, except before `choose`.
fn break_lines(text: &str, choices: &mut Choices<'_>) -> String {
    let mut out = String::new();
    for line in lexer::lines(text) {
        out.push_str(if line.flush { "" } else { " " });
        for (at, token) in line.code.iter().enumerate() {
            let breaks = at > 0 && !token.glued && !token.is("choose") && choices.below(5) == 0;
            let gap = if token.glued || at == 0 { "" } else { " " };
            out.push_str(if breaks { "\n " } else { gap });
            out.push_str(token.text);
        }
        out.push_str(line.comment.unwrap_or(""));
        out.push('\n');
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn blanks_and_line_ends_do_not_matter(which in any::<Index>(), choices in prop::collection::vec(any::<u8>(), 1..300)) {
        let (name, text, before) = which.get(&TEXTS);
        let disturbed = disturb(text, &mut Choices::new(&choices), false);
        prop_assert_eq!(difference(&tree(&disturbed).unwrap_or_default(), before), None, "{} was not to change", name);
        prop_assert_eq!(difference(&format(&disturbed), &format(text)), None, "{}", name);
    }

    #[test]
    fn the_laws_hold_with_more_blank_lines(which in any::<Index>(), choices in prop::collection::vec(any::<u8>(), 1..300)) {
        let (name, text, before) = which.get(&TEXTS);
        let disturbed = disturb(text, &mut Choices::new(&choices), true);
        let formatted = format(&disturbed);
        prop_assert_eq!(difference(&tree(&formatted).unwrap_or_default(), before), None, "{}", name);
        prop_assert_eq!(difference(&format(&formatted), &formatted), None, "{}", name);
        prop_assert_eq!(comments(&formatted), comments(text), "{}", name);
        prop_assert!(!formatted.contains("\n\n\n") && !formatted.contains(" \n") && !formatted.contains('\r'));
    }

    #[test]
    fn rules_may_break_their_lines_anywhere(which in any::<Index>(), choices in prop::collection::vec(any::<u8>(), 1..300)) {
        let (name, text, before) = which.get(&TEXTS);
        let entries = |line: &str| line.starts_with("example ") || line.starts_with("given ");
        if !text.lines().any(entries) {
            let broken = break_lines(text, &mut Choices::new(&choices));
            prop_assert_eq!(difference(&tree(&broken).unwrap_or_default(), before), None, "{} was not to change", name);
            let formatted = format(&broken);
            prop_assert_eq!(difference(&tree(&formatted).unwrap_or_default(), before), None, "{}", name);
            prop_assert_eq!(difference(&format(&formatted), &formatted), None, "{}", name);
        }
    }

    #[test]
    fn nothing_but_blanks_is_ever_changed(pieces in prop::collection::vec(prop::sample::select(SOUP.split('|').collect::<Vec<_>>()), 0..60)) {
        let text = pieces.concat();
        let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(solid(&format(&text)), solid(&text));
    }
}

/// What a text may be made of that does not parse, between bars.
const SOUP: &str = "\n|\n|\n    | |\r|\t|example|given|when |then |require|if |else|any x in |{|}|(|)|[|]|\"|\\|#|:|,|;|-|..|.|=|?|<->|a1|b2|7|§|ж";

#[test]
fn the_words_are_those_of_the_grammar() {
    let grammar = fs::read_to_string(root().join("grammar/ludex.pest")).expect("a text");
    let list = grammar.split("reserved_word = _{").nth(1).and_then(|rest| rest.split('}').next()).expect("the list");
    // The first letters that it looks ahead for are no words.
    let mut theirs: Vec<&str> = list.split('"').skip(1).step_by(2).filter(|word| word.len() > 1).collect();
    let mut ours = words::RESERVED.to_vec();
    theirs.sort_unstable();
    ours.sort_unstable();
    assert_eq!(ours, theirs);
}

// ---------------------------------------------------------------- case by case

#[track_caller]
fn check(text: &str, expected: &str) {
    assert!(tree(text).is_some(), "the text does not parse");
    assert_eq!(tree(text), tree(expected), "the expected text means something else");
    assert_eq!(format(text), expected);
    assert_eq!(format(expected), expected);
}

#[test]
fn the_file() {
    assert_eq!(format(""), "");
    assert_eq!(format("\n \n"), "");
    assert_eq!(format("\u{feff}\r\n\r\n# a  \r\n\r\n\r\ngame x \"X\""), "# a\n\ngame x \"X\"\n");
    // A lone carriage return is white space, and ends a fact.
    check("given g {\r a = 1\r b = 2 }\n", "given g {\n    a = 1\n    b = 2 }\n");
}

#[test]
fn expressions() {
    check(
        "def f( a:Player ,b : 0 .. 9 )=- a+( b-1 )*2 -g ( a )[ 1 ].x - -3\n",
        "def f(a: Player, b: 0..9) = -a + (b-1) * 2 - g(a)[1].x - -3\n",
    );
    check(
        "def g=if not(a)and(b)then{ a ,b }else{ }or[x in{ a }where x is-1]\n",
        "def g = if not (a) and (b) then {a, b} else {} or [x in {a} where x is -1]\n",
    );
    check("def e = b2-c2 is b2 - c2 and x-1<=players -1\n", "def e = b2-c2 is b2 - c2 and x-1 <= players - 1\n");
    check("def p = cost.end (1) + ruling.if [2]\n", "def p = cost.end(1) + ruling.if[2]\n");
}

#[test]
fn types_and_declarations() {
    check("type  Suit=clubs|hearts\n", "type Suit = clubs | hearts\n");
    check("type Card  = {suit:Suit,rank : 2..14}\n", "type Card = { suit: Suit, rank: 2..14 }\n");
    check("board B = square ( 3 ) x(4)\n", "board B = square (3) x (4)\n");
    check(
        "numbers{limit.{ a,b } [Suit] : 1..3 \"x\"\ncost.c : -3 .. 4 ?   cite de \"y\"}\n"
            .replace("\nc", "\n c")
            .as_str(),
        "numbers { limit.{a, b}[Suit]: 1..3 \"x\"\n    cost.c: -3..4? cite de \"y\" }\n",
    );
    check(
        "state   turn if duel{\n\n  a[ Player ] : set of Card={  }   seen by owner\n  b:Player ?\n      =\n  none\n\n}\n",
        "state turn if duel {\n    a[Player]: set of Card = {} seen by owner\n    b: Player?\n        =\n        none\n}\n",
    );
}

#[test]
fn statements() {
    check(
        "flow{\n  if a is{}{b}\n  else{ c ;d(1) }\n    draw x\n  from s where any q in D:\n   q is x seen by p\n   p choose a,b or pass{ }\n  a[1]<->b\n   cycle q clockwise from (p)\n  until x{\n turn q{end}\n}}\n",
        concat!(
            "flow {\n    if a is {} { b }\n    else { c; d(1) }\n    draw x\n        from s where any q in D:\n",
            "            q is x seen by p\n    p choose a, b or pass { }\n    a[1] <-> b\n",
            "    cycle q clockwise from (p)\n        until x {\n        turn q { end }\n    } }\n"
        ),
    );
    // Here `else` must not come to stand in column 0, where it would begin an item.
    check("flow { if a { b }\n  else { c } }\n", "flow { if a { b }\n    else { c } }\n");
}

#[test]
fn braces_that_open_together_indent_once() {
    check("flow { turn p {\nspend\n} }\n".replace("\ns", "\n s").as_str(), "flow { turn p {\n    spend\n} }\n");
}

#[test]
fn slots_and_requirements() {
    check(
        concat!(
            "action go(a:Player,\n b:Player)\n  \"Go\"\n cite de \"x\",\n en \"y\"\n cost purse[me]:cost.go\n",
            " require one:a is b \"yes\"\n   cite de \"z\"\n  require three if a  :  (a or\n  b)  \"no\"\n  require long:\n",
            "   any x in a: x\n  or y\n   \"text\"\n{\na = b\n}\n"
        )
        .replace("\na =", "\n a =")
        .as_str(),
        concat!(
            "action go(a: Player,\n    b: Player)\n    \"Go\"\n    cite de \"x\",\n        en \"y\"\n    cost purse[me]: cost.go\n",
            "    require one:        a is b  \"yes\"\n        cite de \"z\"\n    require three if a: (a or\n",
            "        b) \"no\"\n    require long:\n        any x in a: x\n            or y\n        \"text\"\n{\n    a = b\n}\n"
        ),
    );
}

#[test]
fn a_long_condition_does_not_push_the_phrases() {
    let long = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa is bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
    let head = "action go()\n    \"Go\"\n";
    check(
        &format!(
            "{head} require one: a \"a phrase that is too wide\"\n require other: {long} \"x\"\n require b: c \"x\"\n{{ }}\n"
        ),
        &format!(
            "{head}    require one:   a  \"a phrase that is too wide\"\n    require other: {long}  \"x\"\n    require b:     c  \"x\"\n{{ }}\n"
        ),
    );
    let guard = "require x if ruling.some_long_name: y \"z\"";
    check(
        &format!("{head} require one: a \"b\"\n {guard}\n require b: c \"x\"\n{{ }}\n"),
        &format!("{head}    require one: a  \"b\"\n    {guard}\n    require b:   c  \"x\"\n{{ }}\n"),
    );
}

#[test]
fn examples_and_the_notation_of_entries() {
    check(
        concat!(
            "example A ,B  \"title\"\n cite de \"x\",\n en \"y\"\n erratum de 3 \"one\"\n \"two\"\n given g,purse ana=-3 , b2-c2 : a=1 -2\n",
            " when ana move [ a  b ] {c}  to b2-c2;die=?;\n ben pass\n instead  ana pass\n  then refused bad-argument,paid is -1,\n",
            "  if a\n then b else c,\n f(a,\n b) is {c}\n given  {\n players ana ,ben ; picture B\n \"x .\"\n flow{a b}\n c3:a=[ x y ],\n d4:a=1\n}\n"
        ),
        concat!(
            "example A, B \"title\"\n    cite de \"x\",\n        en \"y\"\n    erratum de 3 \"one\"\n            \"two\"\n",
            "    given   g, purse ana = -3, b2-c2: a = 1 -2\n    when    ana move [a b] {c} to b2-c2; die = ?;\n",
            "            ben pass\n    instead ana pass\n    then    refused bad-argument, paid is -1,\n",
            "            if a\n            then b else c,\n            f(a,\n                b) is {c}\n    given {\n",
            "        players ana, ben; picture B\n            \"x .\"\n        flow { a b }\n        c3: a = [x y],\n        d4: a = 1\n    }\n"
        ),
    );
}

#[test]
fn comments_on_lines_of_their_own() {
    check(
        "  # first\n\nflow {\n # a\n\n b\n# flush\n # last\n}\n   # end of flow\n\n  # of f\ndef f =\n # inside\n   1\n\n  # end of file\n",
        "# first\n\nflow {\n    # a\n\n    b\n# flush\n    # last\n}\n    # end of flow\n\n# of f\ndef f =\n    # inside\n    1\n\n    # end of file\n",
    );
}

#[test]
fn comments_at_line_ends() {
    let long = "a_very_long_name_that_goes_on_and_on_and_on_and_on_and_on: bool";
    check(
        &format!("state{{# s\n a: bool# x\n {long}    # y\n bbb: bool\n cc: bool # z\n\n d: bool # new\n}}\n"),
        &format!(
            "state {{       # s\n    a: bool   # x\n    {long}  # y\n    bbb: bool\n    cc: bool  # z\n\n    d: bool  # new\n}}\n"
        ),
    );
}

#[test]
fn texts_are_never_changed() {
    let odd = "game x \"a  b\\\" # no comment {p +  q} \\{ {a # hole\n} \"\n";
    assert!(tree(odd).is_some());
    assert_eq!(format(odd), odd);
}
