//! The rows of a rulebook: what `SOURCES.md` of a ruleset lists under "Rows" is pinned by an example each, of the
//! game or of one of its variants, and every example names some of these and no others. And what no example can notice is
//! said under "What examples show".

use std::collections::BTreeSet;
use std::fs;

use super::root;
use crate::ast::{File, ItemKind};
use crate::check::allowed;
use crate::examples::mutants;
use crate::load::{Folder, Request, load, variants};

/// The first cells of the table under the heading "Rows"; nothing if there is no such heading.
fn declared(sources: &str) -> Option<Vec<String>> {
    let section = sources.split("\n## ").find(|section| section.lines().next() == Some("Rows"))?;
    let cells = section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    Some(cells.filter(|cell| *cell != "row").map(str::to_owned).collect())
}

/// The rows that examples name; each names one at least.
fn pinned(ruleset: &str, files: &[File], into: &mut BTreeSet<String>) {
    for item in files.iter().flat_map(|file| &file.items) {
        let ItemKind::Example(example) = &item.kind else { continue };
        assert!(!example.rows.is_empty(), "{ruleset}: an example without a row: {:?}", example.title.parts);
        into.extend(example.rows.iter().map(|row| row.text.clone()));
    }
}

#[test]
fn every_row_has_an_example() {
    let mut listing = 0;
    for name in Folder::bundled_names() {
        let Some(Folder::Bundled(below)) = Folder::bundled(name) else { continue };
        let path = root().join("rulesets").join(below).join("SOURCES.md");
        let Some(rows) = fs::read_to_string(path).ok().and_then(|sources| declared(&sources)) else { continue };
        let mut examples = BTreeSet::new();
        let names = variants(name).into_iter().map(|variant| format!("{name}:{variant}"));
        for ruleset in [name.to_owned()].into_iter().chain(names) {
            let loaded = load(&Request { ruleset, ..Request::default() });
            pinned(&loaded.name, &loaded.examples, &mut examples);
        }
        let bare: Vec<&String> = rows.iter().filter(|row| !examples.contains(*row)).collect();
        assert!(bare.is_empty(), "{name}: no example for {bare:?}");
        let unlisted: Vec<_> = examples.iter().filter(|row| !rows.contains(row)).collect();
        assert!(unlisted.is_empty(), "{name}: rows that SOURCES.md does not list: {unlisted:?}");
        listing += 1;
    }
    assert!(listing > 0, "no ruleset lists its rows");
}

/// The text under a heading, with one blank between words.
fn below(sources: &str, heading: &str) -> Option<String> {
    let section = sources.split("\n## ").find(|section| section.lines().next() == Some(heading))?;
    Some(section.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A reason is said where the change is, and again in `SOURCES.md`, if the ruleset has one.
#[test]
fn sources_say_why_a_change_is_allowed_to_survive() {
    for name in Folder::bundled_names() {
        let Some(Folder::Bundled(folder)) = Folder::bundled(name) else { continue };
        let path = root().join("rulesets").join(folder).join("SOURCES.md");
        let Ok(sources) = fs::read_to_string(path) else { continue };
        let said = below(&sources, "What examples show").unwrap_or_default();
        let names = variants(name).into_iter().map(|variant| format!("{name}:{variant}"));
        for ruleset in [name.to_owned()].into_iter().chain(names) {
            let loaded = load(&Request { ruleset: ruleset.clone(), ..Request::default() });
            for allowed in allowed(&loaded, mutants::CODE) {
                let reason = &allowed.reason;
                assert!(
                    said.contains(reason),
                    "{ruleset}: SOURCES.md does not say under \"What examples show\": {reason}"
                );
            }
        }
    }
}

#[test]
fn rows_are_the_first_cells_of_their_table() {
    let text = "# S\n\n## Rows\n\n| row | says |\n|---|---|\n| R1 | x |\n| R2 | y |\n\n## Other\n\n| Z | z |\n";
    assert_eq!(declared(text), Some(vec!["R1".to_owned(), "R2".to_owned()]));
    assert_eq!(declared("# S\n\n## Other\n\n| Z | z |\n"), None);
}
