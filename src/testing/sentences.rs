//! The sentences of a rulebook: what `SOURCES.md` of a ruleset lists under "Sentences" names parts of the rules and rows
//! that examples pin, and every passage that the rules cite has a sentence there.

use std::collections::BTreeSet;
use std::fs;

use super::engines::rules;
use super::root;
use super::rows::rows_of_examples;
use crate::bind::effective;
use crate::load::{Folder, Loaded, Request, load, variants};
use crate::parts;

/// A row of the table: the passage, what it says, and what holds it.
struct Sentence {
    passage: String,
    says: String,
    rules: Vec<String>,
    examples: String,
}

/// The table under the heading "Sentences"; nothing if there is no such heading.
fn declared(sources: &str) -> Option<Vec<Sentence>> {
    let section = sources.split("\n## ").find(|section| section.lines().next() == Some("Sentences"))?;
    let rows = section.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| passage "));
    Some(rows.map(sentence).collect())
}

fn sentence(row: &str) -> Sentence {
    let cells: Vec<&str> = row.trim().trim_matches('|').split(" | ").map(str::trim).collect();
    let [passage, says, rules, examples] = cells[..] else { panic!("a row has other than four cells: {row}") };
    let rules = rules.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    Sentence { passage: passage.to_owned(), says: says.to_owned(), rules, examples: examples.to_owned() }
}

/// The names of all that a ruleset declares: parts, numbers and what they begin with, switches.
fn names(loaded: &Loaded) -> BTreeSet<String> {
    let parts = parts::cut(&effective(&loaded.layers, &mut Vec::new()));
    let mut names: BTreeSet<String> = parts.into_iter().map(|part| part.name).collect();
    for players in 1..=4 {
        let Some(rules) = rules(&loaded.name, players, &[]) else { continue };
        for number in &rules.checked.bound.numbers {
            let ends = number.path.match_indices('.').map(|(at, _)| at);
            names.extend(ends.chain([number.path.len()]).map(|end| number.path[..end].to_owned()));
        }
    }
    let switches: Vec<String> = names.iter().map(|name| format!("ruling.{name}")).collect();
    names.extend(switches);
    names
}

/// The headings that a text of rules cites.
fn cited(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let rules = text.lines().map(|line| line.split(" #").next().unwrap_or(line)).collect::<Vec<_>>().join("\n");
    for after in rules.split("cite ").skip(1) {
        let mut rest = after;
        // A key, a heading, perhaps what this passage says of a ruling; then a comma and the next.
        while let Some((key, more)) = rest.split_once('"') {
            let is_key = key.trim().chars().all(|c| c.is_ascii_lowercase()) && !key.trim().is_empty();
            let Some((heading, more)) = more.split_once('"').filter(|_| is_key) else { break };
            found.insert(heading.to_owned());
            let value = more.trim_start().strip_prefix('=').map_or(more, |value| {
                let value = value.trim_start();
                value.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_')
            });
            let Some(next) = value.trim_start().strip_prefix(',') else { break };
            rest = next;
        }
    }
    found
}

#[test]
fn every_sentence_has_a_rule_and_an_example() {
    let mut listing = 0;
    for name in Folder::bundled_names() {
        let Some(Folder::Bundled(below)) = Folder::bundled(name) else { continue };
        let folder = root().join("rulesets").join(below);
        let Some(table) = fs::read_to_string(folder.join("SOURCES.md")).ok().and_then(|text| declared(&text)) else {
            continue;
        };
        let all: Vec<Loaded> = [name.to_owned()]
            .into_iter()
            .chain(variants(name).into_iter().map(|variant| format!("{name}:{variant}")))
            .map(|ruleset| load(&Request { ruleset, ..Request::default() }))
            .collect();
        let known: BTreeSet<String> = all.iter().flat_map(names).collect();
        let rows = rows_of_examples(name);
        for Sentence { passage, says, rules, examples } in &table {
            let place = format!("{name}, {passage}: {says}");
            assert!(!rules.is_empty() || examples.contains("no rule: "), "{place}: no rule is named");
            for rule in rules {
                assert!(known.contains(rule), "{place}: there is no `{rule}`");
            }
            let words = ["by construction: ", "no rule: "];
            if !words.iter().any(|word| examples.starts_with(word)) {
                let unknown: Vec<&str> = examples.split(", ").filter(|row| !rows.contains(*row)).collect();
                assert!(!examples.is_empty() && unknown.is_empty(), "{place}: no example carries {unknown:?}");
            }
        }
        let mut headings = BTreeSet::new();
        for file in fs::read_dir(&folder).expect("the rules").flatten().map(|entry| entry.path()) {
            if file.extension().is_some_and(|kind| kind == "ludex") {
                headings.extend(cited(&fs::read_to_string(file).expect("rules")));
            }
        }
        let bare: Vec<&String> =
            headings.iter().filter(|heading| !table.iter().any(|row| row.passage.contains(*heading))).collect();
        assert!(bare.is_empty(), "{name}: passages that rules cite, and no sentence: {bare:#?}");
        let unnamed: Vec<&String> = rows
            .iter()
            .filter(|row| !table.iter().any(|known| known.examples.split(", ").any(|one| one == *row)))
            .collect();
        assert!(unnamed.is_empty(), "{name}: rows of examples, and no sentence: {unnamed:?}");
        listing += 1;
    }
    assert!(listing > 0, "no ruleset lists its sentences");
}

#[test]
fn cited_headings_are_found() {
    let text = "action a(x: 1..2)\n    cite de \"Eins, zwei\", ro \"Unu\" = true,\n    de \"Drei\"\n    cite ro \"Doi\" # cite de \"Vier\"\n";
    let expected = ["Doi", "Drei", "Eins, zwei", "Unu"].map(str::to_owned);
    assert_eq!(cited(text), BTreeSet::from(expected));
}
