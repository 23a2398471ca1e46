//! Every ruleset goes through every stage; what each stage makes of it is pinned.

use super::{pin, run};
use crate::load::{Folder, variants};

fn all_rulesets() -> Vec<String> {
    let mut all = Vec::new();
    for name in Folder::bundled_names() {
        all.push(name.to_owned());
        all.extend(variants(name).into_iter().map(|variant| format!("{name}:{variant}")));
    }
    all
}

#[test]
fn every_ruleset_is_there() {
    let names = all_rulesets();
    for name in ["breakthrough", "connectfour", "indus", "maya", "reversi", "tictactoe", "tikal", "tikal:professional"]
    {
        assert!(names.iter().any(|known| known == name), "{name} is not bundled");
    }
}

#[test]
fn every_ruleset_checks_clean() {
    for name in all_rulesets() {
        let (code, results, diagnostics) = run(&["check", &name, "--deny-warnings", "--format", "plain"]);
        assert_eq!(code, 0, "{name}\n{results}{diagnostics}");
    }
}

#[test]
fn every_edition_checks_clean() {
    for name in ["tikal:german", "tikal:romanian", "tikal:professional+romanian", "indus:romanian", "maya:romanian"] {
        let (code, results, diagnostics) = run(&["check", name, "--format", "plain"]);
        assert_eq!(code, 0, "{name}\n{results}{diagnostics}");
    }
}

#[test]
fn stages_are_pinned() {
    for name in all_rulesets() {
        for stage in ["ast", "bound", "checked"] {
            let (code, results, diagnostics) = run(&["show", &name, "--stage", stage]);
            assert_eq!((code, diagnostics.as_str()), (0, ""), "{name} at stage {stage}");
            pin(stage, &name.replace(':', "-"), "", &results);
        }
    }
}

#[test]
fn stages_differ_by_player_count() {
    let (_, two, _) = run(&["show", "maya", "--stage", "bound"]);
    let (_, three, _) = run(&["show", "maya", "--stage", "bound", "--players", "3"]);
    assert!(two.contains("2 players of 2..4") && three.contains("3 players of 2..4"));
    let (code, _, diagnostics) = run(&["show", "maya", "--stage", "bound", "--players", "5"]);
    assert_eq!(code, 2, "{diagnostics}");
}
