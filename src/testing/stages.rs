//! Every ruleset goes through every stage; what each stage makes of it is pinned.

use std::fs;
use std::path::Path;

use super::{pin, root, run};
use crate::load::{Folder, Request, load, variants};
use crate::numbers::{Node, NodeKind};

pub(super) fn all_rulesets() -> Vec<String> {
    let mut all = Vec::new();
    for name in Folder::bundled_names() {
        all.push(name.to_owned());
        all.extend(variants(name).into_iter().map(|variant| format!("{name}:{variant}")));
    }
    all
}

#[test]
fn every_folder_of_rulesets_is_bundled() {
    fn walk(folder: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.join(format!("{name}.ludex")).exists() {
                names.push(name);
            } else if path.is_dir() {
                walk(&path, names);
            }
        }
    }
    let mut on_disk = Vec::new();
    walk(&root().join("rulesets"), &mut on_disk);
    on_disk.sort();
    let mut bundled: Vec<String> = Folder::bundled_names().into_iter().map(str::to_owned).collect();
    bundled.sort();
    assert_eq!(on_disk, bundled);
    assert!(bundled.len() >= 7, "there are {} rulesets", bundled.len());
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
    let mut editions = 0;
    for name in all_rulesets() {
        let loaded = load(&Request { ruleset: name.clone(), ..Request::default() });
        let Some(Node { kind: NodeKind::Table(sources), .. }) = loaded.numbers.get("source") else { continue };
        for source in sources.entries.keys() {
            let Some(Node { kind: NodeKind::Text(edition), .. }) =
                loaded.numbers.get(&format!("source.{source}.edition"))
            else {
                continue;
            };
            let separator = if name.contains(':') { '+' } else { ':' };
            let (code, results, diagnostics) =
                run(&["check", &format!("{name}{separator}{edition}"), "--format", "plain"]);
            assert_eq!(code, 0, "{name} in the {edition} edition\n{results}{diagnostics}");
            editions += 1;
        }
    }
    assert!(editions >= 4, "only {editions} editions were found");
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
    let (_, list, _) = run(&["list", "--format", "json"]);
    let many = list.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let many = many.filter(|ruleset| ruleset["players"]["fewest"] == 2 && ruleset["players"]["most"] == 4);
    for ruleset in many {
        let name = ruleset["name"].as_str().expect("a name");
        for players in ["2", "3", "4"] {
            let (code, text, _) = run(&["show", name, "--stage", "bound", "--players", players]);
            assert!(code == 0 && text.contains(&format!("{players} players of 2..4")), "{name} for {players}");
        }
        let (code, _, diagnostics) = run(&["show", name, "--stage", "bound", "--players", "5"]);
        assert_eq!(code, 2, "{diagnostics}");
    }
}
