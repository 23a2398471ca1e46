//! A whole ruleset: every number of players, every option, every reading of every ruling, every example.

use crate::internal::exact;
use std::collections::HashSet;

use super::constants::Folder;
use super::{Checked, check, lints, presence};
use crate::ast::{self, ItemKind};
use crate::bind::{self, Bound, Choice, Effective, NumberId, Section, Type, Value};
use crate::limits;
use crate::load::Loaded;
use crate::numbers::{Node, NodeKind, Tree, Used};
use crate::report::{Code, Fault, Span, codes, settle};

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
    let no_numbers = faults.iter().any(|fault| fault.code.id == codes::INVALID_TOML.id);
    if loaded.layers.is_empty() || no_numbers {
        // Without its files or its numbers, all that could be said of the rules would be false alarms.
        settle(&mut faults);
        return Report { faults, checked: None, examples: 0 };
    }
    let items = bind::effective(&loaded.layers, &mut faults);
    let sections = bind::sections(&items, &loaded.examples, &mut faults);
    let unreadable = loaded.faults.iter().any(Fault::is_error);
    let mut runs = Runs { items: &items, common: None, faults, steps: 0 };
    let first = runs.run(&[], None, &loaded.numbers);
    let mut groups = groups(&sections, &first.bound);
    for players in first.bound.players.fewest..=first.bound.players.most {
        let at = groups.iter().position(|group| group.players == players && !group.alone);
        let sections = at.map(|at| groups.swap_remove(at).sections).unwrap_or_default();
        runs.players(&sections, Some(players), &loaded.numbers);
    }
    for group in groups {
        let numbers = group.sections.first().map(|section| section.numbers(&loaded.numbers)).unwrap_or_default();
        runs.run(&group.sections, Some(group.players), &numbers);
    }
    let Runs { common, mut faults, .. } = runs;
    // After syntax faults much would seem unused that only the broken items use.
    if !unreadable {
        let mut doubtful = common.unwrap_or_default();
        doubtful.extend(untold_conflicts(&first.bound, &sections));
        // What a variant does not use of its game, the game uses, or is told when it is checked itself.
        doubtful.retain(|fault| loaded.is_own(fault.span.file));
        faults.extend(doubtful);
    }
    Allowances::scan(loaded).apply(&mut faults);
    settle(&mut faults);
    cite(&items, &mut faults);
    let examples = sections.iter().map(|section| section.example.title.span).collect::<HashSet<_>>().len();
    let sound = !faults.iter().any(Fault::is_error);
    Report { faults, checked: sound.then_some(first), examples }
}

struct Runs<'a> {
    items: &'a Effective<'a>,
    /// Faults of [`in_every_choice`] codes that every run had so far.
    common: Option<Vec<Fault>>,
    faults: Vec<Fault>,
    /// Expressions that were checked so far.
    steps: u64,
}

impl<'a> Runs<'a> {
    /// Counts the work of one more choice; true if there is budget for another.
    fn may_go_on(&mut self, checked: &Checked) -> bool {
        let before = self.steps;
        let numbers: usize = checked.bound.numbers.iter().map(|number| number.values.len()).sum();
        let elements = numbers + checked.bound.columns.iter().map(|column| column.values.len()).sum::<usize>();
        self.steps = before.saturating_add((checked.types.len() + elements) as u64);
        if before <= limits::CHECKING_STEPS && self.steps > limits::CHECKING_STEPS {
            let span = self.items.items.first().map(|item| item.span).unwrap_or_default();
            let span = Span { end: span.end.min(span.start + 1), ..span };
            let most = limits::shown(limits::CHECKING_STEPS);
            let message = format!("checking this ruleset for every choice takes more than {most} steps");
            self.faults.push(
                Fault::new(&codes::TOO_LARGE_TO_PLAY, span, message)
                    .label("it has too many options and rulings for its size")
                    .help("give it fewer options and rulings, or fewer values for each"),
            );
        }
        self.steps <= limits::CHECKING_STEPS
    }

    /// Binds and checks one choice.
    fn run(&mut self, sections: &[&Section<'a>], players: Option<u32>, numbers: &Tree) -> Checked {
        let mut found = Vec::new();
        let bound = bind::bind(self.items, sections, Choice { players, numbers }, &mut found);
        let checked = check(bound, &mut found);
        let has_errors = found.iter().any(Fault::is_error);
        let (shared, own): (Vec<Fault>, Vec<Fault>) = found.into_iter().partition(|fault| in_every_choice(fault.code));
        self.keep(own);
        if !has_errors {
            self.common = Some(match self.common.take() {
                None => shared,
                Some(known) => {
                    let again: HashSet<(Span, &str)> = shared.iter().map(|fault| (fault.span, fault.code.id)).collect();
                    known.into_iter().filter(|fault| again.contains(&(fault.span, fault.code.id))).collect()
                }
            });
        }
        checked
    }

    /// Options and rulings with their other values; none, and a fault, if there are too many.
    fn switches(&mut self, bound: &Bound) -> Vec<(NumberId, Vec<Value>)> {
        let mut found = switches(bound);
        if let Some((beyond, _)) = found.get(limits::SWITCHES) {
            let message = format!("a ruleset has at most {} options and rulings", limits::SWITCHES);
            let fault = Fault::new(&codes::TOO_LARGE_TO_PLAY, bound.number(*beyond).span, message)
                .label("this is one more")
                .help("every one is checked for its other values: join or leave out some");
            self.keep(vec![fault]);
            found.clear();
        }
        found
    }

    /// One number of players: the choice as it stands, and every option and ruling changed alone.
    fn players(&mut self, sections: &[&Section<'a>], players: Option<u32>, numbers: &Tree) -> Checked {
        let checked = self.run(sections, players, numbers);
        let switches = self.switches(&checked.bound);
        for (id, values) in switches {
            let number = checked.bound.number(id);
            for value in values {
                if !self.may_go_on(&checked) {
                    return checked;
                }
                if number.in_types {
                    let mut changed = numbers.clone();
                    changed.set(&number.path, node_of(&checked.bound, &value, number.span));
                    self.run(&[], players, &changed);
                } else {
                    self.other_reading(&checked, id, value);
                }
            }
        }
        checked
    }

    /// Types do not depend on this switch, so only what exists can differ.
    fn other_reading(&mut self, checked: &Checked, id: NumberId, value: Value) {
        let mut bound = checked.bound.clone();
        bound.numbers[id.at()].values = vec![value];
        let mut found = Vec::new();
        let folder = Folder::new(&bound, &checked.types);
        presence::check(&folder, &mut found);
        self.keep(found);
        // What can fail under one reading is not idle.
        let mut idle = Vec::new();
        lints::idle_requirements(&folder, &mut idle);
        let still: HashSet<(Span, &str)> = idle.iter().map(|fault| (fault.span, fault.code.id)).collect();
        let about_requirements = [codes::ALWAYS_HOLDS.id, codes::NEVER_HOLDS.id];
        if let Some(common) = &mut self.common {
            common.retain(|fault| {
                !about_requirements.contains(&fault.code.id) || still.contains(&(fault.span, fault.code.id))
            });
        }
    }

    /// Keeps faults that no earlier run had at the same place: most do not depend on the choice, though
    /// their wording may.
    fn keep(&mut self, found: Vec<Fault>) {
        let known: HashSet<(Span, &str)> = self.faults.iter().map(|fault| (fault.span, fault.code.id)).collect();
        let fresh: Vec<Fault> =
            found.into_iter().filter(|fault| !known.contains(&(fault.span, fault.code.id))).collect();
        self.faults.extend(fresh);
    }
}

/// Sections grouped by what they must be bound with: players, and settings that types depend on.
struct Group<'s, 'a> {
    players: u32,
    /// Its settings change types, so it has a run of its own.
    alone: bool,
    sections: Vec<&'s Section<'a>>,
}

fn groups<'s, 'a>(sections: &'s [Section<'a>], first: &Bound) -> Vec<Group<'s, 'a>> {
    let shapes_types = |path: &str| first.numbers.iter().any(|number| number.path == path && number.in_types);
    let mut groups: Vec<Group<'s, 'a>> = Vec::new();
    for section in sections {
        let players = section.players.unwrap_or(first.players.fewest);
        let alone = section.settings.iter().any(|fact| shapes_types(&fact.name.text));
        match groups.iter_mut().find(|group| !alone && !group.alone && group.players == players) {
            Some(group) => group.sections.push(section),
            None => groups.push(Group { players, alone, sections: vec![section] }),
        }
    }
    groups
}

/// Adds to each fault the rulebook passages of the innermost cited rule that it lies in.
fn cite(items: &Effective<'_>, faults: &mut [Fault]) {
    let mut cited: Vec<(Span, &[ast::Cite])> = Vec::new();
    for item in &items.items {
        let (cites, requirements): (&[ast::Cite], &[ast::Requirement]) = match &item.kind {
            ItemKind::Action(action) => (&action.cites, &action.requirements),
            ItemKind::Award(award) => (&award.cites, &[]),
            ItemKind::Regions(regions) => (&regions.cites, &[]),
            ItemKind::Phase { cites, .. }
            | ItemKind::Def { cites, .. }
            | ItemKind::Ruling { cites, .. }
            | ItemKind::Score { cites, .. }
            | ItemKind::Winner { cites, .. } => (cites, &[]),
            _ => continue,
        };
        let inner = requirements.iter().map(|requirement| (requirement.span, requirement.cites.as_slice()));
        cited.extend(inner.chain([(item.span, cites)]).filter(|(_, cites)| !cites.is_empty()));
    }
    for fault in faults.iter_mut().filter(|fault| fault.citations.is_empty()) {
        let around = |(span, _): &&(Span, &[ast::Cite])| {
            span.file == fault.span.file && span.start <= fault.span.start && fault.span.end <= span.end
        };
        if let Some((_, cites)) = cited.iter().find(around) {
            let section = |cite: &ast::Cite| {
                cite.section.as_ref().map(|text| format!(" \"{}\"", text.plain())).unwrap_or_default()
            };
            let page = |cite: &ast::Cite| cite.page.map(|page| format!(" {page}")).unwrap_or_default();
            fault.citations =
                cites.iter().map(|cite| format!("{}{}{}", cite.source.text, page(cite), section(cite))).collect();
        }
    }
}

/// Options and rulings with the values they do not have now.
pub(super) fn switches(bound: &Bound) -> Vec<(NumberId, Vec<Value>)> {
    let mut found = Vec::new();
    for (number, id) in bound.numbers.iter().zip((0..).map(NumberId)) {
        let is_switch = number.path.starts_with("option.") || number.path.starts_with("ruling.");
        let (true, [now]) = (is_switch, number.values.as_slice()) else { continue };
        let others: Vec<Value> = match (&number.ty, now) {
            (Type::Bool, Value::Bool(now)) => vec![Value::Bool(!now)],
            (Type::Named(ty), Value::Member(_, now)) => {
                let count = exact::<_, u32>(bound.types.count(*ty));
                (0..count).filter(|at| at != now).take(limits::SWITCH_VALUES).map(|at| Value::Member(*ty, at)).collect()
            }
            (Type::Int(low, high), Value::Int(now)) => {
                let near = (*low..=*high).filter(|value| value != now).take(limits::SWITCH_VALUES);
                near.chain([*high]).filter(|value| value != now).map(Value::Int).collect()
            }
            _ => Vec::new(),
        };
        found.push((id, others));
    }
    found
}

pub(super) fn node_of(bound: &Bound, value: &Value, span: Span) -> Node {
    let kind = match value {
        Value::Bool(value) => NodeKind::Bool(*value),
        Value::Int(value) => NodeKind::Int(*value),
        other => NodeKind::Text(other.show(&bound.types)),
    };
    Node { kind, span, key: span, used: Used::default() }
}

/// Rulings on which the sources disagree, and which no example sets.
fn untold_conflicts(bound: &Bound, sections: &[Section<'_>]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for ruling in bound.rulings.iter().filter(|ruling| ruling.is_conflict()) {
        let path = format!("ruling.{}", ruling.name);
        let default =
            bound.number(ruling.number).values.first().map(|value| value.show(&bound.types)).unwrap_or_default();
        let other = |fact: &ast::Fact| match fact.values.as_slice() {
            [ast::Value { kind: ast::ValueKind::Word(word), .. }] => *word != default,
            _ => false,
        };
        let told =
            sections.iter().flat_map(|section| &section.settings).any(|fact| fact.name.text == path && other(fact));
        if told {
            continue;
        }
        let mut fault = Fault::new(
            &codes::UNTOLD_CONFLICT,
            ruling.span,
            format!("no example tells the readings of `{}` apart", ruling.name),
        )
        .label("its sources disagree")
        .help(format!("write an example with `given …, {path} = …` for the reading that is not the default"));
        for (citation, value, span) in &ruling.readings {
            fault = fault.also(*span, format!("{citation}: {}", value.show(&bound.types)));
        }
        faults.push(fault);
    }
    faults
}
