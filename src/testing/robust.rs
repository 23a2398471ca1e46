//! Hostile input: a clear diagnostic and an exit code by the contract, never a panic, a hang or an overflow.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::run;
use crate::limits;
use crate::load::Folder;

/// Checks a ruleset written into a folder; gives the exit code and all output.
fn check(files: &[(&str, &[u8])]) -> (u8, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("a file");
    }
    check_path(&folder.path().join("case.ludex"))
}

fn check_path(path: &Path) -> (u8, String) {
    let (code, results, diagnostics) = run(&["check", &path.display().to_string()]);
    (code, results + &diagnostics)
}

const HEAD: &str = "game case \"A case\"\nplayers 2\n";
const TAIL: &str = "flow { end }\nscore(p: Player) = 1\nwinner(p: Player) by score(p)\n";

fn game(body: &str) -> String {
    format!("{HEAD}{body}\n{TAIL}")
}

#[test]
fn a_byte_order_mark_and_crlf_are_read() {
    let text = format!("\u{feff}{}", game("def unused = 1").replace('\n', "\r\n"));
    let (code, out) = check(&[("case.ludex", text.as_bytes())]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("check::unused"), "{out}");
}

#[test]
fn a_slip_in_an_example_keeps_nobody_from_playing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("examples")).expect("a folder");
    fs::write(folder.path().join("case.ludex"), game("")).expect("rules");
    fs::write(folder.path().join("examples/case.ludex"), "example \"cut off\" {").expect("an example");
    let path = folder.path().join("case.ludex");
    let (code, out) = check_path(&path);
    assert_eq!(code, 1, "{out}");
    let (code, results, diagnostics) = run(&["simulate", &path.display().to_string(), "--games", "1", "--seed", "1"]);
    assert_eq!(code, 0, "{results}{diagnostics}");
}

#[test]
fn not_utf8_is_no_verdict() {
    let (code, out) = check(&[("case.ludex", b"game case \"\xff\xfe\"")]);
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("load::not-utf8"), "{out}");
}

#[test]
fn an_empty_file_is_no_game() {
    for text in ["", "\n\n", "# only a comment\n", "\u{feff}"] {
        let (code, out) = check(&[("case.ludex", text.as_bytes())]);
        assert_eq!(code, 2, "{out}");
        assert!(out.contains("load::no-game"), "{out}");
    }
}

#[test]
fn a_hundred_megabytes_are_too_large() {
    let (code, out) = check(&[("case.ludex", &vec![b'a'; 100 << 20])]);
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("load::too-large"), "{out}");
}

#[test]
fn nesting_has_a_limit() {
    let deep = 10_000;
    let bodies = [
        format!("def x = {}1{}", "(".repeat(deep), ")".repeat(deep)),
        format!("def x = {}1{}", "{".repeat(deep), "}".repeat(deep)),
        format!("def x = {}true", "not ".repeat(deep)),
        format!("def x = {}1", "- ".repeat(deep)),
        format!("def x = {}1", "1 + ".repeat(deep)),
        format!("def x = {}1", "if true then 1 else ".repeat(deep)),
        format!("def x = {}true", "any x in Player: ".repeat(deep)),
        format!("def x = a{}", ".b".repeat(deep)),
        format!("def x = a{}", "[1]".repeat(deep)),
        format!("phase x {}{}", "{ if true ".repeat(deep), "}".repeat(deep)),
        format!("phase x {{ {} {{ }} }}", "if true { } else ".repeat(deep)),
        format!("type X = {}Player", "set of ".repeat(deep)),
        format!("given x {{ y = {}{} }}", "{".repeat(deep), "}".repeat(deep)),
        format!("phase x {}", "{ repeat ".repeat(deep)),
    ];
    for body in bodies {
        let (code, out) = check(&[("case.ludex", game(&body).as_bytes())]);
        let shown: String = body.chars().take(60).collect();
        assert_ne!(code, 0, "{shown}");
        assert!(
            out.contains("syntax::") && out.len() < 20_000,
            "{shown}\n{}",
            out.chars().take(2000).collect::<String>()
        );
    }
}

#[test]
fn deep_toml_is_refused() {
    let toml = format!("x = {}{}", "[".repeat(5000), "]".repeat(5000));
    let (code, out) = check(&[("case.ludex", game("").as_bytes()), ("case.toml", toml.as_bytes())]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("numbers::invalid-toml"), "{out}");
}

#[test]
fn definitions_that_double_at_each_level_do_not_hang() {
    let mut body = String::from("def a0 = players is 2\n");
    for n in 1..60 {
        body += &format!("def a{n} = a{} and a{} and (if a{} then a{} else a{})\n", n - 1, n - 1, n - 1, n - 1, n - 1);
    }
    body += "state if a59 { x: 0..1 = 0 }\ninvariant held: a59 and x is 0 \"it is\"";
    let (_, out) = check(&[("case.ludex", game(&body).as_bytes())]);
    assert!(!out.is_empty());
}

#[test]
fn cycles_are_faults() {
    let bodies = [
        ("def a = b\ndef b = c\ndef c = a", "check::recursion"),
        ("def a = a and a", "check::recursion"),
        ("phase a { b }\nphase b { a }", "check::recursion"),
        ("type A = set of B\ntype B = set of A", "bind::cycle"),
        ("type A = { b: B }\ntype B = { a: A }", "bind::cycle"),
        ("award a(p: Player) by a(p) pays 1 ties none", "check::recursion"),
    ];
    for (body, code) in bodies {
        let (exit, out) = check(&[("case.ludex", game(body).as_bytes())]);
        assert_eq!(exit, 1, "{body}\n{out}");
        assert!(out.contains(code), "{body}\n{out}");
    }
}

#[test]
fn long_chains_are_refused_without_overflow() {
    let chain = |count: usize, link: fn(usize) -> String| (1..count).map(link).collect::<Vec<_>>().join("\n");
    let bodies = [
        format!("def a0 = 1\n{}", chain(1000, |n| format!("def a{n} = a{} + 1", n - 1))),
        format!("type A0 = x | y\n{}", chain(2000, |n| format!("type A{n} = list 2 of A{}", n - 1))),
        format!("phase a0 {{ end }}\n{}", chain(5000, |n| format!("phase a{n} {{ a{} }}", n - 1))),
    ];
    for body in bodies {
        let (code, out) = check(&[("case.ludex", game(&body).as_bytes())]);
        assert_eq!(code, 2, "{}", out.chars().take(1000).collect::<String>());
        assert!(out.contains("syntax::nesting"), "{}", out.chars().take(1000).collect::<String>());
    }
}

#[test]
fn large_types_do_not_hang() {
    let records: String = (1..60).map(|n| format!("type R{n} = {{ a: R{}, b: R{} }}\n", n - 1, n - 1)).collect();
    let members: Vec<String> = (0..100_000).map(|n| format!("m{n}")).collect();
    let bodies = [
        format!("type R0 = x | y\n{records}"),
        format!("type Many = {}", members.join(" | ")),
        "board B = square 250 x 250\nnumbers { option.o: B }".to_owned(),
        "board B = square 256 x 256\nstate { s[B, B]: 0..9 = 0 }".to_owned(),
    ];
    for body in bodies {
        let (_, out) = check(&[("case.ludex", game(&body).as_bytes()), ("case.toml", b"option.o = \"a1\"")]);
        assert!(out.len() < 20_000, "{}", out.chars().take(1000).collect::<String>());
    }
}

#[test]
fn extreme_numbers_are_faults_not_panics() {
    let cases = [
        "numbers { w[-5..5]: 0..9 }\nstate if w[9223372036854775807] is 1 { x: 0..9 = 0 }",
        "state { x: -9223372036854775807 - 1..5 = 0 }\ndef a = -x",
        "def a = 9223372036854775807 * 9223372036854775807 + 99999999999999999999999999",
        "def a = 1 / 0\ndef b = 7 / (players - 2)",
        "numbers { w[0..999999999999]: 0..9 }",
        "state { h: 0..9 = 0 seen by nobody }\nphase x { HERE }",
    ];
    let doubling: String = (1..40).map(|n| format!("let a{n} = a{} + a{}\n", n - 1, n - 1)).collect();
    for body in cases {
        let body = body.replace("HERE", &format!("let a0 = h\n{doubling}"));
        let (code, out) = check(&[("case.ludex", game(&body).as_bytes())]);
        assert!(code <= 2 && out.len() < 50_000, "{}", out.chars().take(500).collect::<String>());
    }
}

#[test]
fn absurd_examples_are_faults_not_panics() {
    let text = game(
        "numbers { w[0..9]: 0..9 }\nexample \"many\"\n    given { players 4000000000 }\n    then over\n\nexample \"odd\"\n    given { w zzz = 1, w 3 = 4 }\n    then over",
    );
    let (code, out) = check(&[("case.ludex", text.as_bytes()), ("case.toml", b"w = [0,0,0,0,0,0,0,0,0,0]")]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("bind::player-count") && out.contains("numbers::unknown-key"), "{out}");
    let (code, _, diagnostics) = run(&["show", "reversi", "--stage", "bound", "--players", "4000000000"]);
    assert_eq!(code, 2, "{diagnostics}");
}

#[test]
fn large_rulesets_take_no_longer_than_they_must() {
    let names: String = (0..5000).map(|n| format!("def long_name_{n} = unknown_thing_{n}\n")).collect();
    let options: String = (0..limits::SWITCHES).map(|n| format!("    option.o{n}: a{n} | b{n}\n")).collect();
    let settings: String = (0..limits::SWITCHES).map(|n| format!("o{n} = \"a{n}\"\n")).collect();
    let (code, _) = check(&[("case.ludex", game(&names).as_bytes())]);
    assert_eq!(code, 1);
    let body = format!("numbers {{\n{options}}}");
    let (code, out) =
        check(&[("case.ludex", game(&body).as_bytes()), ("case.toml", format!("[option]\n{settings}").as_bytes())]);
    assert_eq!(code, 0, "{}", out.chars().take(500).collect::<String>());
}

#[test]
fn a_ruleset_without_players_is_still_looked_at() {
    for players in ["", "players 0", "players 99", "players x", "players 3..2", "players"] {
        let text = format!("game case \"A case\"\n{players}\ndef a = unknown_thing\n{TAIL}");
        let (code, out) = check(&[("case.ludex", text.as_bytes())]);
        assert_eq!(code, 1, "{players}\n{out}");
        assert!(out.contains("unknown_thing"), "{players}\n{out}");
    }
}

#[test]
fn many_independent_faults_are_reported_at_once() {
    let body = "state { heap: 0..9 }\ndef a = heep\ndef b = 1 + true\naction x( { }\naction y { heap = 99 }\nphase p { choose z }\nboard B = square 3\ntype T = Q";
    let (code, out) = check(&[("case.ludex", game(body).as_bytes()), ("case.toml", b"lost = 3")]);
    assert_eq!(code, 1, "{out}");
    let codes = [
        "syntax::unexpected",
        "check::missing-initial",
        "bind::unknown-name",
        "check::type-mismatch",
        "check::never-fits",
        "bind::unknown-action",
        "bind::board-shape",
        "bind::unknown-type",
        "numbers::unknown-key",
    ];
    for wanted in codes {
        assert!(out.contains(wanted), "{wanted} is missing:\n{out}");
    }
}

#[test]
fn variants_of_each_other_are_refused() {
    let files: [(&str, &[u8]); 2] =
        [("case.ludex", b"variant case of other \"A\"\n"), ("other.ludex", b"variant other of case \"B\"\n")];
    let (code, out) = check(&files);
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("load::variant-cycle"), "{out}");
}

#[test]
fn a_missing_overlay_is_no_verdict() {
    let (code, _, diagnostics) = run(&["check", "reversi", "--overlay", "no-such-file.toml"]);
    assert_eq!(code, 2, "{diagnostics}");
    assert!(diagnostics.contains("load::unreadable"), "{diagnostics}");
}

#[test]
fn bad_settings_are_no_verdict() {
    let cases = [
        ("board.size=banana", "numbers::wrong-type"),
        ("board.size=999", "numbers::out-of-range"),
        ("board.sise=8", "numbers::unknown-key"),
        ("board.size", "load::bad-setting"),
        ("=8", "load::bad-setting"),
        ("board..size=8", "load::bad-setting"),
    ];
    for (setting, code) in cases {
        let (exit, _, diagnostics) = run(&["check", "reversi", "--set", setting]);
        assert_eq!(exit, 2, "{setting}\n{diagnostics}");
        assert!(diagnostics.contains(code), "{setting}\n{diagnostics}");
    }
    // The fault lies where the ruleset's own number stands; the setting that bounds it is to blame.
    let (exit, _, diagnostics) = run(&["check", "nim", "--set", "heap.most=4"]);
    assert!(exit == 2 && diagnostics.contains("numbers::out-of-range"), "{exit}\n{diagnostics}");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let text = game("def a = \u{1b}[31mred\u{202e}");
    let (_, out) = check(&[("case.ludex", text.as_bytes())]);
    assert!(!out.contains('\u{1b}') && !out.contains('\u{202e}'), "{out:?}");
}

#[test]
fn a_very_long_line_is_shown_in_part() {
    let text = game(&format!("def a = {} $", "x + ".repeat(100)));
    let (_, out) = check(&[("case.ludex", text.as_bytes())]);
    assert!(out.lines().all(|line| line.chars().count() < 260), "{out}");
}

/// Pieces of rulesets, so that random text gets past the first word.
fn pieces() -> Vec<String> {
    let texts = Folder::bundled_names()
        .into_iter()
        .filter_map(|name| Folder::bundled(name)?.read(&format!("{name}.ludex")).ok());
    let text = texts.max_by_key(String::len).expect("a ruleset");
    text.split_inclusive(char::is_whitespace).map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn random_text_never_panics(text in "\\PC{0,400}") {
        check(&[("case.ludex", text.as_bytes()), ("case.toml", text.as_bytes())]);
    }

    #[test]
    fn shuffled_rulesets_never_panic(seed in prop::collection::vec((0_usize..10_000, 0_usize..10_000), 1..12)) {
        let mut words = pieces();
        let count = words.len();
        for (a, b) in seed {
            words.swap(a % count, b % count);
        }
        check(&[("case.ludex", words.concat().as_bytes())]);
    }

    #[test]
    fn cut_rulesets_never_panic(from in 0_usize..14_000, length in 0_usize..2_000) {
        let text = pieces().concat();
        let bytes: Vec<u8> = text.bytes().enumerate().filter(|(at, _)| !(from..from + length).contains(at)).map(|(_, byte)| byte).collect();
        check(&[("case.ludex", &bytes)]);
    }
}
