//! The papers, as tests: what the reference, the README and the editor grammar say is so.

use std::fs;

use super::root;
use crate::ast::{self, Aggregate, File, ItemKind};
use crate::bind::Function;
use crate::load::{Folder, variants};
use crate::report::Sources;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The bodies of fenced blocks whose info string begins with this word.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if info.split_whitespace().next() == Some(language) {
            found.push(body.join("\n") + "\n");
        }
    }
    found
}

fn parse(name: &str, text: &str) -> File {
    let mut sources = Sources::default();
    let id = sources.add(name, text);
    let mut faults = Vec::new();
    let file = ast::parse(id, sources.get(id).expect("the source"), &mut faults);
    let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    assert!(faults.is_empty(), "{name} does not parse: {messages:?}\n{text}");
    file
}

#[test]
fn code_blocks_of_the_papers_parse() {
    for paper in ["grammar/reference.md", "README.md"] {
        let text = read(paper);
        let rules = blocks(&text, "ludex");
        assert!(!rules.is_empty(), "{paper} shows no rules");
        for block in rules {
            parse(paper, &block);
        }
        for block in blocks(&text, "toml") {
            toml::from_str::<toml::Table>(&block).unwrap_or_else(|error| panic!("{paper}: {error}\n{block}"));
        }
    }
}

/// The reserved words of the grammar.
fn reserved_words() -> Vec<String> {
    let grammar = read("grammar/ludex.pest");
    let start = grammar.find("reserved_word = _{").expect("the rule");
    let rule = &grammar[start..start + grammar[start..].find('}').expect("its end")];
    // The single letters are what the words are grouped by.
    let mut words: Vec<String> =
        rule.split('"').skip(1).step_by(2).filter(|word| word.len() > 1).map(str::to_owned).collect();
    words.sort();
    words
}

#[test]
fn the_reference_lists_all_words() {
    let words = reserved_words();
    assert!(words.len() <= 60, "{} reserved words", words.len());
    let reference = read("grammar/reference.md");
    let section = &reference[reference.find("\n## All words").expect("the section")..];
    let line = section.lines().find(|line| line.starts_with('`')).expect("the list");
    let mut listed: Vec<String> = line.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    listed.sort();
    assert_eq!(listed, words);
    assert!(section.contains(&format!("{} reserved words", words.len())), "the reference counts other words");
    for function in Function::ALL {
        assert!(
            reference.contains(&format!("`{}(", function.word())),
            "the reference does not explain {}",
            function.word()
        );
    }
    for aggregate in Aggregate::ALL {
        assert!(
            reference.contains(&format!("`{} x in", aggregate.word())),
            "the reference does not explain {}",
            aggregate.word()
        );
    }
}

/// Lines of a game without blank lines, rulings and examples, and its longest rule.
fn figures(folder: &Folder, file: &str) -> (usize, usize) {
    let text = folder.read(file).expect("the rules");
    let parsed = parse(file, &text);
    let (mut lines, mut longest) = (0, 0);
    for item in &parsed.items {
        let body = &text[item.span.range()];
        let own = body.lines().filter(|line| !line.trim().is_empty()).count();
        match &item.kind {
            ItemKind::Ruling { .. } | ItemKind::Example(_) | ItemKind::Given { .. } => {}
            ItemKind::State { .. } | ItemKind::Numbers(_) | ItemKind::Table { .. } | ItemKind::View { .. } => {
                lines += own;
            }
            _ => {
                lines += own;
                longest = longest.max(own);
            }
        }
    }
    (lines, longest)
}

#[test]
fn the_reference_reports_the_real_figures() {
    let reference = read("grammar/reference.md");
    let mut rows = Vec::new();
    for name in Folder::bundled_names() {
        let folder = Folder::bundled(name).expect("a ruleset");
        let mut files = vec![(name.to_owned(), format!("{name}.ludex"))];
        files.extend(
            variants(name).into_iter().map(|variant| (format!("{name}:{variant}"), format!("{variant}.ludex"))),
        );
        for (shown, file) in files {
            let (lines, longest) = figures(&folder, &file);
            assert!(lines <= 350, "{shown} has {lines} lines");
            assert!(longest <= 15, "{shown} has a rule of {longest} lines");
            rows.push(format!("| `{shown}` | {lines} | {longest} |"));
        }
    }
    for row in &rows {
        assert!(reference.contains(row), "the reference should say\n{}", rows.join("\n"));
    }
}

/// The words of `\b(?:a|b)\b` in an entry of the editor grammar.
fn alternation(grammar: &serde_json::Value, entry: &str) -> Vec<String> {
    let rule = &grammar["repository"][entry];
    let pattern = rule["match"].as_str().or_else(|| rule["patterns"][0]["match"].as_str()).expect("a pattern");
    let start = pattern.find("(?:").expect("an alternation") + 3;
    let end = start + pattern[start..].find(')').expect("its end");
    let mut words: Vec<String> = pattern[start..end].split('|').map(str::to_owned).collect();
    words.sort();
    words
}

#[test]
fn the_editor_knows_the_same_words() {
    let grammar = read("editors/vscode/syntaxes/ludex.tmLanguage.json");
    let grammar: serde_json::Value = serde_json::from_str(&grammar).expect("JSON");
    assert_eq!(alternation(&grammar, "keywords"), reserved_words());
    let sorted = |words: Vec<&str>| {
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        words.sort();
        words
    };
    assert_eq!(alternation(&grammar, "aggregates"), sorted(Aggregate::ALL.map(Aggregate::word).to_vec()));
    let functions = Function::ALL.iter().map(|function| function.word()).filter(|word| !["min", "max"].contains(word));
    let known = alternation(&grammar, "functions");
    for function in functions {
        assert!(known.iter().any(|word| word == function), "the editor does not know {function}");
    }
}

#[test]
fn the_architecture_names_every_folder() {
    let text = read("ARCHITECTURE.md");
    for entry in fs::read_dir(root().join("src")).expect("the sources") {
        let entry = entry.expect("an entry");
        if entry.path().is_dir() {
            let name = entry.file_name().to_string_lossy().into_owned();
            assert!(text.contains(&format!("`{name}/`")), "ARCHITECTURE.md does not speak of src/{name}/");
        }
    }
}

#[test]
fn every_instruction_is_described() {
    let paper = fs::read_to_string(root().join("docs/program.md")).expect("the page about programs");
    let source = fs::read_to_string(root().join("src/machine/instruction.rs")).expect("the instructions");
    let body = source.split("pub enum Instruction {").nth(1).expect("an enum").split("\n}").next().expect("its end");
    let names = body.lines().map(str::trim).filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()));
    let names: Vec<&str> = names.filter_map(|line| line.split([' ', ',']).next()).collect();
    assert!(names.len() > 40, "only {} instructions were found", names.len());
    for name in &names {
        assert!(paper.contains(&format!("| `{name}` |")), "docs/program.md does not describe {name}");
    }
    let described = paper.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(described, names.len(), "docs/program.md describes what is not there");
}
