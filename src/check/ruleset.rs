//! A whole ruleset: every number of players, every option, every reading of every ruling, every example.

use std::collections::HashSet;

use super::{Checked, check};
use crate::bind::{self, Bound, Choice, Effective, Section, Type, Value};
use crate::load::Loaded;
use crate::numbers::{Node, NodeKind, Tree, Used};
use crate::report::{Code, Fault, codes, settle};

use super::allow::Allowances;

/// What checking found.
#[derive(Debug)]
pub struct Report {
    /// Sorted by place, each once.
    pub faults: Vec<Fault>,
    /// The ruleset for the fewest players, if it has no errors.
    pub checked: Option<Checked>,
    /// How many examples there are.
    pub examples: usize,
}

impl Report {
    /// Is there an error?
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.faults.iter().any(Fault::is_error)
    }

    /// Is there a warning?
    #[must_use]
    pub fn has_warnings(&self) -> bool {
        self.faults.iter().any(|fault| !fault.is_error())
    }
}

/// Warnings that count only if they arise for every choice: a number used with three players only is used.
fn in_every_choice(code: &Code) -> bool {
    let codes = [&codes::UNUSED, &codes::UNUSED_NUMBER, &codes::ALWAYS_HOLDS, &codes::NEVER_HOLDS, &codes::UNREACHABLE];
    codes.iter().any(|known| known.id == code.id)
}

/// Checks a loaded ruleset for all its choices.
#[must_use]
pub fn ruleset(loaded: &Loaded) -> Report {
    let mut faults = loaded.faults.clone();
    let items = bind::effective(&loaded.layers, &mut faults);
    let sections = bind::sections(&items, &loaded.examples, &mut faults);
    let unreadable = loaded.faults.iter().any(Fault::is_error);
    let mut runs = Runs { items: &items, common: None, faults };
    let first = runs.run(&sections_for(&sections, None), None, &loaded.numbers);
    runs.all_choices(&first.bound, &sections, &loaded.numbers);
    let Runs { common, mut faults, .. } = runs;
    // After syntax faults much would seem unused that only the broken items use.
    if !unreadable {
        let mut doubtful = common.unwrap_or_default();
        doubtful.extend(untold_conflicts(&first.bound, &sections));
        // What a variant does not use of its game, the game uses, or is told when it is checked itself.
        doubtful.retain(|fault| loaded.is_own(fault.span.file));
        faults.extend(doubtful);
    }
    Allowances::scan(&loaded.sources).apply(&mut faults);
    settle(&mut faults);
    let examples = sections.iter().map(|section| section.example.title.span).collect::<HashSet<_>>().len();
    let sound = !faults.iter().any(Fault::is_error);
    Report { faults, checked: sound.then_some(first), examples }
}

struct Runs<'a> {
    items: &'a Effective<'a>,
    /// Faults of [`in_every_choice`] codes that every run had so far.
    common: Option<Vec<Fault>>,
    faults: Vec<Fault>,
}

type Settings = Vec<(String, String)>;

impl<'a> Runs<'a> {
    fn run(&mut self, sections: &[&Section<'a>], players: Option<u32>, numbers: &Tree) -> Checked {
        let mut found = Vec::new();
        let bound = bind::bind(self.items, sections, Choice { players, numbers }, &mut found);
        let checked = check(bound, &mut found);
        let has_errors = found.iter().any(Fault::is_error);
        let (shared, own): (Vec<Fault>, Vec<Fault>) = found.into_iter().partition(|fault| in_every_choice(fault.code));
        self.faults.extend(own);
        if !has_errors {
            self.common = Some(match self.common.take() {
                None => shared,
                Some(known) => {
                    let again = |fault: &Fault| shared.iter().any(|other| other.code.id == fault.code.id && other.span == fault.span);
                    known.into_iter().filter(again).collect()
                }
            });
        }
        checked
    }

    /// Every other number of players, each option and ruling changed alone, and the examples' own choices.
    fn all_choices(&mut self, first: &Bound, sections: &[Section<'a>], numbers: &Tree) {
        for players in first.players.fewest + 1..=first.players.most {
            self.run(&sections_for(sections, Some(players)), Some(players), numbers);
        }
        for (path, values) in switches(first) {
            for value in values {
                let mut changed = numbers.clone();
                changed.set(&path, value);
                self.run(&[], None, &changed);
                if first.players.most > first.players.fewest {
                    self.run(&[], Some(first.players.most), &changed);
                }
            }
        }
        let mut done: Vec<(Option<u32>, Settings)> = Vec::new();
        for section in sections {
            let key = (section.players, settings(section));
            // The fewest players by name, and numbers that no rule allows, are choices too.
            let covered = (first.players.fewest + 1..=first.players.most).map(Some).chain([None]).any(|players| players == key.0);
            if !(key.1.is_empty() && covered) && !done.contains(&key) {
                let alike: Vec<&Section<'a>> =
                    sections.iter().filter(|other| other.players == key.0 && settings(other) == key.1).collect();
                self.run(&alike, section.players, &section.numbers(numbers));
                done.push(key);
            }
        }
    }
}

/// Sections with this number of players that set nothing.
fn sections_for<'s, 'a>(sections: &'s [Section<'a>], players: Option<u32>) -> Vec<&'s Section<'a>> {
    sections.iter().filter(|section| section.players == players && section.settings.is_empty()).collect()
}

fn settings(section: &Section<'_>) -> Settings {
    let shown = |fact: &&crate::ast::Fact| (format!("{:?}{:?}", fact.name.text, fact.indices.len()), format!("{:?}", words(&fact.values)));
    section.settings.iter().map(shown).collect()
}

fn words(values: &[crate::ast::Value]) -> Vec<String> {
    values.iter().map(|value| format!("{:?}", value.kind)).collect()
}

/// Options and rulings with the values they do not have now.
fn switches(bound: &Bound) -> Vec<(String, Vec<Node>)> {
    let mut found = Vec::new();
    for number in &bound.numbers {
        let is_switch = number.path.starts_with("option.") || number.path.starts_with("ruling.");
        let (true, [now]) = (is_switch, number.values.as_slice()) else { continue };
        let span = number.toml.unwrap_or(number.span);
        let kinds: Vec<NodeKind> = match (&number.ty, now) {
            (Type::Bool, Value::Bool(now)) => vec![NodeKind::Bool(!now)],
            (Type::Named(id), Value::Member(_, now)) => (0..u32::try_from(bound.types.count(*id)).unwrap_or(0))
                .filter(|at| at != now)
                .map(|at| NodeKind::Text(bound.types.member_name(*id, at)))
                .collect(),
            _ => Vec::new(),
        };
        let node = |kind| Node { kind, span, key: span, used: Used::default() };
        found.push((number.path.clone(), kinds.into_iter().map(node).collect()));
    }
    found
}

/// Rulings on which the sources disagree, and which no example sets.
fn untold_conflicts(bound: &Bound, sections: &[Section<'_>]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for ruling in bound.rulings.iter().filter(|ruling| ruling.is_conflict()) {
        let path = format!("ruling.{}", ruling.name);
        let told = sections.iter().flat_map(|section| &section.settings).any(|fact| fact.name.text == path);
        if told {
            continue;
        }
        let mut fault = Fault::new(&codes::UNTOLD_CONFLICT, ruling.span, format!("no example tells the readings of `{}` apart", ruling.name))
            .label("its sources disagree")
            .help(format!("write an example with `given …, {path} = …` for the reading that is not the default"));
        for (citation, value, span) in &ruling.readings {
            fault = fault.also(*span, format!("{citation}: {}", value.show(&bound.types)));
        }
        faults.push(fault);
    }
    faults
}
