use super::{By, Limits, Origin, Proof, Shrinking, Shrunk, shrink};
use crate::log::{Document, Form};
use crate::report::FileId;

fn shrunk_by(text: &str, form: Form, limits: Limits) -> Shrunk {
    match shrink(Origin::nowhere("test.log", 1), &By::default(), text, form, limits) {
        Ok(Shrinking::Shrunk(shrunk)) => *shrunk,
        Ok(other) => panic!("{text}\n{other:?}"),
        Err(closed) => panic!("{text}\n{:?}", closed.faults),
    }
}

fn shrunk(text: &str) -> Shrunk {
    shrunk_by(text, Form::Text, Limits::default())
}

/// What stands after the head.
fn body(shrunk: &Shrunk) -> &str {
    shrunk.text.split_once("\n\n").map_or("", |(_, body)| body)
}

const NIM: &str = "game nim\nplayers first, second\n\n";

#[test]
fn what_does_not_matter_is_left_out() {
    let found = shrunk(&format!(
        "{NIM}first take 1 from 2\nsecond  take 2 from 1  # so\nfirst take 1 from 3\nsecond take 2 from 1\nfirst pass\nsecond take 1 from 1\n"
    ));
    assert_eq!(
        (found.verdict, found.requirements.as_slice(), found.proof),
        ("requirement", ["take.enough".to_owned()].as_slice(), Proof::Shortest)
    );
    // One heap must be smaller, and the other seat must be asked: one entry does both.
    assert_eq!(found.entries, (3, 1));
    assert_eq!(body(&found), "first take 2 from 1\nsecond take 2 from 1\n");
    assert!(found.text.contains("expect requirement take.enough\n"), "{}", found.text);
}

#[test]
fn a_shorter_game_is_found_that_no_leaving_out_leads_to() {
    // Without the search the three entries that are left all matter.
    let text = format!("{NIM}first take 1 from 1\nsecond take 1 from 1\nfirst take 1 from 3\nsecond take 2 from 1\n");
    let limits = Limits { positions: 0, ..Limits::default() };
    let minimal = shrunk_by(&text, Form::Text, limits);
    assert_eq!((minimal.entries, minimal.proof), ((3, 3), Proof::Minimal), "{}", minimal.text);
    let found = shrunk(&text);
    assert_eq!((found.entries, found.proof), ((3, 1), Proof::Shortest), "{}", found.text);
    let tired = shrunk_by(&text, Form::Text, Limits { positions: 0, steps: 1 });
    assert_eq!(tired.proof, Proof::Unproved);
}

#[test]
fn every_kind_of_fault_can_be_shrunk() {
    let entries = "first take 3 from 1\nsecond take 4 from 2\nfirst take 5 from 3\n";
    let cases = [
        ("first take 1 from 2\nsecond take 1 from 2\nfirst take 1 from 2\nfirst take 1 from 1\n", "wrong-player", 1),
        ("first take 1 from 1\nsecond grab 1\n", "unknown-action", 0),
        ("first take 1 from 1\nsecond take 1 from 9\n", "bad-argument", 0),
        ("first take 1 from 1\nsecond {take\n", "unreadable", 0),
        ("first take 1 from 1\nsecond take 1 from 2 then pieces 9 = 3\n", "bad-argument", 0),
    ];
    for (text, verdict, left) in cases {
        let found = shrunk(&format!("{NIM}{text}"));
        assert_eq!((found.verdict, found.entries.1, found.proof), (verdict, left, Proof::Shortest), "{}", found.text);
    }
    // A claim stays wrong in the same way.
    let claim =
        shrunk(&format!("{NIM}first take 1 from 2\nsecond take 1 from 3\nfirst take 1 from 1 then pieces 1 = 3\n"));
    assert_eq!((claim.verdict, claim.entries), ("bookkeeping", (3, 1)), "{}", claim.text);
    assert_eq!(body(&claim), "first take 1 from 1 then pieces 1 = 3\n");
    // So does a result, which needs a game that is over.
    let result = shrunk(&format!(
        "{NIM}first take 1 from 1\nsecond take 1 from 1\nfirst take 1 from 1\nsecond take 4 from 2\nfirst take 5 from 3\n\nresult first 0, second 1\nwinner second\n"
    ));
    assert_eq!(
        (result.verdict, result.entries, result.proof),
        ("bookkeeping", (5, 3), Proof::Shortest),
        "{}",
        result.text
    );
    assert!(body(&result).ends_with("\n\nresult first 0, second 1\nwinner second\n"), "{}", result.text);
    let late = shrunk(&format!("{NIM}{entries}\nresult first 1, second 0\nwinner first\nsecond take 1 from 1\n"));
    assert_eq!((late.verdict, late.entries.1), ("after-end", 0), "{}", late.text);
    let version = shrunk(&format!("ludex 9\n{NIM}{entries}"));
    assert_eq!((version.verdict, version.entries), ("unknown-version", (0, 0)), "{}", version.text);
}

#[test]
fn what_is_unknown_stays_unknown() {
    let text = format!(
        "{NIM}first take 1 from 3\nsecond take 1 from 3\nfirst take ? from 1\nsecond take 1 from 2 then pieces 2 = 3\nfirst take 3 from 1\n"
    );
    let found = shrunk(&text);
    assert_eq!((found.entries, found.proof), ((4, 2), Proof::Minimal), "{}", found.text);
    assert_eq!(body(&found), "first take ? from 1\nsecond take 1 from 2 then pieces 2 = 3\nfirst take 3 from 1\n");
}

#[test]
fn json_lines_become_text() {
    let text = format!("{NIM}first take 2 from 1\nsecond take 1 from 2\nfirst take 2 from 1\n");
    let document = Document::from_text(FileId::default(), &text).expect("a log");
    let found = shrunk_by(&document.to_json_lines(), Form::JsonLines, Limits::default());
    assert_eq!(found.text, shrunk(&text).text);
    assert!(
        shrink(
            Origin::nowhere("x.jsonl", 1),
            &By::default(),
            "{\"game\": \"nim\"}\n[]\n",
            Form::JsonLines,
            Limits::default()
        )
        .is_err()
    );
}

#[test]
fn what_is_legal_has_nothing_to_shrink() {
    let nothing =
        |text: &str| match shrink(Origin::nowhere("x.log", 1), &By::default(), text, Form::Text, Limits::default()) {
            Ok(Shrinking::Nothing(judged)) => judged.verdict(),
            other => panic!("{text}\n{other:?}"),
        };
    assert_eq!(nothing(NIM), "unfinished");
    let entries = "first take 3 from 1\nsecond take 4 from 2\nfirst take 5 from 3\n";
    assert_eq!(nothing(&format!("{NIM}{entries}")), "legal");
    for broken in ["", "game nym\nplayers a, b\n", "game nim\nplayers a\n", "game nim\nplayers a, b\nset x = 1\n"] {
        assert!(
            shrink(Origin::nowhere("x.log", 1), &By::default(), broken, Form::Text, Limits::default()).is_err(),
            "{broken}"
        );
    }
}

#[test]
fn draws_of_chance_can_be_left_out_too() {
    // The set-up draws are needed; what follows them is not, up to the entry that fails at once.
    let session = crate::testing::run(&["moves", "maya", "--players", "2"]);
    assert_eq!(session.0, 0);
    let first = session.1.lines().next().and_then(|line| line.split("  #").next()).expect("a draw").to_owned();
    let text = format!("game maya\nplayers ana, ben\n\n{first}\n{}\n", first.replace('=', "= nothing"));
    let found = shrunk(&text);
    assert_eq!(found.entries.1, 0, "{}", found.text);
    let text = format!("game maya\nplayers ana, ben\n\n{first}\nana pass\n");
    assert_eq!(shrunk(&text).entries.1, 0);
}
