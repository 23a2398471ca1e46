//! The law of ranges: a number within its declared range never stops a game.
//!
//! Each number at either end of its range, each option and each ruling is changed alone, and many are changed
//! together. Every such setting plays random games for every number of players, or the checker refuses it.
//! `LUDEX_RANGES=all` plays all of it; otherwise a fixed sample is played.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::engines::names;
use crate::bind::{self, Bound, Choice, Effective, Type, Value};
use crate::check::check;
use crate::compile::compile;
use crate::examples::{cores, parallel};
use crate::load::{Request, load};
use crate::machine::{Machine, Random};
use crate::numbers::{Node, NodeKind, Tree, Used};
use crate::report::{Fault, Span};
use crate::simulate::{Halted, Plan, Why, run};

/// Combinations for each ruleset in a run of everything.
const COMBINATIONS: u64 = 200;

/// A game is cut off after so many moves: some numbers allow games without end.
const MOST_ENTRIES: u64 = 2_000;

/// Settings of each kind that a sample plays, for each ruleset and number of players.
const SAMPLE: usize = 3;

/// How much is played.
#[derive(Clone, Copy)]
struct Extent {
    all: bool,
    games: u64,
    most_entries: u64,
}

impl Extent {
    fn asked() -> Self {
        let games = std::env::var("LUDEX_GAMES").ok().and_then(|games| games.parse().ok());
        match std::env::var("LUDEX_RANGES").as_deref() {
            Ok("all") => Self { all: true, games: games.unwrap_or(20), most_entries: MOST_ENTRIES },
            _ => Self { all: false, games: games.unwrap_or(2), most_entries: 400 },
        }
    }

    /// The settings to play: all, or a few that lie evenly among them, others for other numbers of players.
    fn of(self, settings: Vec<Setting>, players: u32) -> Vec<Setting> {
        if self.all || settings.is_empty() {
            return settings;
        }
        let step = settings.len().div_ceil(SAMPLE);
        settings.into_iter().skip(players as usize * 7 % step).step_by(step).collect()
    }
}

/// A step into the TOML: a key, and the place if there is an array.
type Step = (String, usize);

/// Something that can be set: an element of a number, an option, a ruling, a cell of a table.
#[derive(Clone)]
struct Knob {
    way: Vec<Step>,
    /// The ends of its range, or all members.
    values: Vec<NodeKind>,
}

impl Knob {
    fn name(&self) -> String {
        self.way.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(".")
    }
}

/// Everything that can be set in a ruleset, with the values that it gets.
fn knobs(bound: &Bound) -> Vec<Knob> {
    let steps = |path: &str| path.split('.').map(|key| (key.to_owned(), usize::MAX)).collect::<Vec<Step>>();
    let mut found = Vec::new();
    for number in &bound.numbers {
        let is_switch = ["option.", "ruling."].iter().any(|head| number.path.starts_with(head));
        let values = values(bound, &number.ty, is_switch);
        found.extend(ways(bound, steps(&number.path), &number.indices).into_iter().map(|way| (way, values.clone())));
    }
    for column in &bound.columns {
        let table = &bound.types.get(column.table).name;
        let values = values(bound, &column.ty, false);
        for row in bound.types.member_names(column.table) {
            let start = [table.to_lowercase(), row, column.name.clone()].map(|key| (key, usize::MAX)).to_vec();
            found.extend(ways(bound, start, &column.indices).into_iter().map(|way| (way, values.clone())));
        }
    }
    found.into_iter().filter(|(_, values)| !values.is_empty()).map(|(way, values)| Knob { way, values }).collect()
}

fn values(bound: &Bound, ty: &Type, is_switch: bool) -> Vec<NodeKind> {
    match ty {
        Type::Int(low, high) if is_switch => (*low..=*high).map(NodeKind::Int).collect(),
        Type::Int(low, high) => [*low, *high].map(NodeKind::Int).to_vec(),
        Type::Optional(inner) => {
            let mut values = values(bound, inner, is_switch);
            if !values.is_empty() {
                values.push(NodeKind::Text("none".to_owned()));
            }
            values
        }
        Type::Bool if is_switch => [false, true].map(NodeKind::Bool).to_vec(),
        Type::Named(id) if is_switch => bound.types.member_names(*id).into_iter().map(NodeKind::Text).collect(),
        _ => Vec::new(),
    }
}

/// The ways from a value to its elements, the last index running fastest.
fn ways(bound: &Bound, start: Vec<Step>, indices: &[Type]) -> Vec<Vec<Step>> {
    indices.iter().fold(vec![start], |ways, index| {
        let names: Vec<String> = match index {
            Type::Int(low, high) => (*low..=*high).map(|at| at.to_string()).collect(),
            Type::Named(id) => bound.types.member_names(*id),
            other => panic!("an index of type {}", bound.types.show(other)),
        };
        let longer = |way: &Vec<Step>| -> Vec<Vec<Step>> {
            let steps = names.iter().cloned().zip(0..);
            steps.map(|step| way.iter().cloned().chain([step]).collect()).collect()
        };
        ways.iter().flat_map(longer).collect()
    })
}

/// Puts a value at the end of a way, making the tables that it needs.
fn put(tree: &mut Tree, way: &[Step], kind: &NodeKind) {
    let ((key, _), rest) = way.split_first().expect("a way has steps");
    let fresh = |kind| Node { kind, span: Span::default(), key: Span::default(), used: Used::default() };
    let node = tree.entries.entry(key.clone()).or_insert_with(|| fresh(NodeKind::Table(Tree::default())));
    put_below(node, rest, kind);
}

fn put_below(node: &mut Node, way: &[Step], kind: &NodeKind) {
    match (way.first(), &mut node.kind) {
        (None, old) => *old = kind.clone(),
        (Some(_), NodeKind::Table(table)) => put(table, way, kind),
        // An array that is too short is refused for that.
        (Some((_, at)), NodeKind::Array(elements)) => {
            elements.get_mut(*at).into_iter().for_each(|node| put_below(node, &way[1..], kind));
        }
        (Some((key, _)), other) => panic!("no way to `{key}` through {}", other.describe()),
    }
}

/// An array gets as many elements as its index now has, as a designer would write it.
fn fit_arrays(bound: &Bound, tree: &mut Tree) {
    for number in &bound.numbers {
        let ([index], Some(node)) = (number.indices.as_slice(), tree.get(&number.path)) else { continue };
        let NodeKind::Array(elements) = &node.kind else { continue };
        let mut elements = elements.clone();
        let size = usize::try_from(bound.types.size(index)).expect("a size");
        let last = elements.last().expect("an element").clone();
        elements.resize(size, last);
        let way: Vec<Step> = number.path.split('.').map(|key| (key.to_owned(), usize::MAX)).collect();
        put(tree, &way, &NodeKind::Array(elements));
    }
}

/// What is changed: names of knobs, and which of their values each gets.
type Setting = Vec<(String, usize)>;

/// Every knob alone, at each of its values.
fn alone(knobs: &[Knob]) -> Vec<Setting> {
    let each = |knob: &Knob| (0..knob.values.len()).map(|at| vec![(knob.name(), at)]).collect::<Vec<_>>();
    knobs.iter().flat_map(each).collect()
}

/// Combinations: half of them change about five knobs, half change two of three.
fn combined(knobs: &[Knob]) -> Vec<Setting> {
    let mut random = Random::new(7919);
    let mut combination = |nth: u64| {
        let (of, up_to) = if nth.is_multiple_of(2) { (knobs.len() as u64, 5) } else { (3, 2) };
        let mut setting = Setting::new();
        for knob in knobs {
            if random.below(of) < up_to {
                let at = random.below(knob.values.len() as u64);
                setting.push((knob.name(), usize::try_from(at).expect("a small number")));
            }
        }
        setting
    };
    (0..COMBINATIONS).map(&mut combination).collect()
}

/// The numbers with a setting. A range may name other numbers, so its ends are found in two steps.
fn changed(items: &Effective<'_>, numbers: &Tree, players: u32, setting: &Setting, first: &Bound) -> (Tree, String) {
    let mut tree = numbers.clone();
    let mut shown = String::new();
    let mut ends = knobs(first);
    for _ in 0..2 {
        let by_name: BTreeMap<String, &Knob> = ends.iter().map(|knob| (knob.name(), knob)).collect();
        shown.clear();
        for (name, at) in setting {
            // A number may have lost this element.
            let Some(knob) = by_name.get(name) else { continue };
            let Some(value) = knob.values.get(*at) else { continue };
            put(&mut tree, &knob.way, value);
            let _ = write!(shown, " {name}={}", value.describe().replace("the text ", "").replace('`', ""));
        }
        let bound = bind::bind(items, &[], Choice { players: Some(players), numbers: &tree }, &mut Vec::new());
        fit_arrays(&bound, &mut tree);
        ends = knobs(&bound);
    }
    (tree, shown)
}

/// What became of a setting.
enum Fate {
    Played,
    Refused(String),
    Failed(String),
}

fn fate(items: &Effective<'_>, numbers: &Tree, players: u32, extent: Extent) -> Fate {
    let mut faults = Vec::new();
    let bound = bind::bind(items, &[], Choice { players: Some(players), numbers }, &mut faults);
    let checked = check(bound, &mut faults);
    if let Some(fault) = faults.into_iter().find(Fault::is_error) {
        return Fate::Refused(fault.message);
    }
    let program = match compile(&checked) {
        Ok(program) => program,
        Err(fault) => return Fate::Failed(format!("it does not compile: {}", fault.message)),
    };
    // An invariant that does not hold at the start is about data, such as how the parts of a board fit together.
    let mut machine = Machine::new(&program);
    let begun = machine.begin().and_then(|()| machine.broken_invariant());
    let check_invariants = match begun {
        Ok(broken) => broken.is_none(),
        Err(trouble) => return Fate::Failed(trouble.message),
    };
    let plan = Plan { games: extent.games, seed: 1, most_entries: extent.most_entries, check_invariants, jobs: 1 };
    match run(&program, plan, None, &mut |_| Ok(())) {
        Ok(_) => Fate::Played,
        Err(Halted::Broken(broken)) => Fate::Failed(match broken.why {
            Why::Invariant(at) => format!("`{}` does not hold", checked.bound.invariants[at].name),
            Why::Trouble(trouble) => trouble.message,
        }),
        Err(other) => Fate::Failed(format!("{other:?}")),
    }
}

/// What became of the settings of a ruleset.
#[derive(Default)]
struct Tally {
    settings: usize,
    refused: BTreeMap<String, usize>,
    failures: Vec<String>,
}

impl Tally {
    fn refused(&self) -> usize {
        self.refused.values().sum()
    }
}

/// Plays a ruleset with its settings, for every number of players.
fn tally(name: &str, extent: Extent) -> Tally {
    let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
    let items = bind::effective(&loaded.layers, &mut Vec::new());
    let bind = |players| bind::bind(&items, &[], Choice { players, numbers: &loaded.numbers }, &mut Vec::new());
    let seats = bind(None).players;
    let bounds: Vec<(u32, Bound)> = (seats.fewest..=seats.most).map(|players| (players, bind(Some(players)))).collect();
    let mut work = Vec::new();
    for (players, bound) in &bounds {
        let knobs = knobs(bound);
        let settings = [alone(&knobs), combined(&knobs)].into_iter().flat_map(|all| extent.of(all, *players));
        work.extend(settings.map(|setting| (*players, bound, setting)));
    }
    let fates = parallel::each(cores(), &work, |(players, bound, setting)| {
        let (tree, shown) = changed(&items, &loaded.numbers, *players, setting, bound);
        (format!("{name} for {players}:{shown}"), fate(&items, &tree, *players, extent))
    });
    let mut tally = Tally { settings: work.len(), ..Tally::default() };
    for (what, fate) in fates {
        match fate {
            Fate::Played => {}
            Fate::Refused(why) => *tally.refused.entry(why).or_default() += 1,
            Fate::Failed(why) => tally.failures.push(format!("{why}: {what}")),
        }
    }
    tally
}

/// `LUDEX_RANGES=all` plays every setting, `LUDEX_RANGES_OF` names one ruleset or folder.
#[test]
#[expect(clippy::print_stdout, reason = "the share of refused settings is a result")]
fn numbers_in_range_stop_no_game() {
    let extent = Extent::asked();
    let names = std::env::var("LUDEX_RANGES_OF").map_or_else(|_| names(), |name| vec![name]);
    let (mut settings, mut refused, mut failures) = (0, 0, Vec::new());
    for name in names {
        let tally = tally(&name, extent);
        println!("{name}: {} settings, {} refused, {} failed", tally.settings, tally.refused(), tally.failures.len());
        for (why, count) in &tally.refused {
            println!("  refused {count} times: {why}");
        }
        // Ranges that are mostly refused would make this a law about nothing.
        assert!(tally.refused() * 2 <= tally.settings, "{name}: most settings are refused");
        settings += tally.settings;
        refused += tally.refused();
        failures.extend(tally.failures);
    }
    println!("{settings} settings, {refused} refused, {} failed", failures.len());
    assert!(settings > 0 && failures.is_empty(), "{}", failures.join("\n"));
}

/// Settings that once stopped a game.
#[test]
fn numbers_that_once_stopped_a_game_do_so_no_more() {
    let extent = Extent { all: true, games: 20, most_entries: MOST_ENTRIES };
    let kinds = ["building", "tomb", "canal", "path", "street", "wall"];
    let kinds: Vec<String> = kinds.iter().map(|kind| format!("kind.{kind}.each_field=50")).collect();
    let tokens =
        ["stock.tokens=1", "cost.dig=0", "limit.action_points=30", "limit.treasures=9", "ruling.figure_each=false"];
    let cases: [(&str, u32, &[&str]); 7] = [
        ("tikal", 4, &tokens),
        ("tikal:professional", 2, &["limit.bid=999", "ruling.bid_above_score=true"]),
        ("indus", 4, &["pieces.4.worker=0", "pieces.4.assistant=0"]),
        ("indus", 3, &kinds.iter().map(String::as_str).collect::<Vec<_>>()),
        ("indus", 3, &["team.3.blue=2"]),
        ("indus:combinations", 3, &["first_pieces.3=6", "pieces.3.worker=1", "pieces.3.assistant=0"]),
        ("maya:series", 2, &["series.games=9", "prize.priest=50", "prize.stairs=50"]),
    ];
    for (name, players, settings) in cases {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        let loaded = load(&Request { ruleset: name.to_owned(), settings: settings.clone(), ..Request::default() });
        let items = bind::effective(&loaded.layers, &mut Vec::new());
        match fate(&items, &loaded.numbers, players, extent) {
            Fate::Played => {}
            Fate::Refused(why) | Fate::Failed(why) => panic!("{name} with {settings:?}: {why}"),
        }
    }
}

/// The end of a range follows the numbers that it names, and an array its index.
#[test]
fn ends_of_ranges_are_found() {
    let loaded = load(&Request { ruleset: "nim".to_owned(), ..Request::default() });
    let items = bind::effective(&loaded.layers, &mut Vec::new());
    let bound = bind::bind(&items, &[], Choice { players: None, numbers: &loaded.numbers }, &mut Vec::new());
    let setting = vec![("heap.most".to_owned(), 1), ("heap.size.2".to_owned(), 1)];
    let (tree, shown) = changed(&items, &loaded.numbers, 2, &setting, &bound);
    let bound = bind::bind(&items, &[], Choice { players: None, numbers: &tree }, &mut Vec::new());
    let size = bound.numbers.iter().find(|number| number.path == "heap.size").expect("a number");
    assert_eq!(size.values, [3, 99, 5].map(Value::Int), "{shown}");
    let (tree, _) = changed(&items, &loaded.numbers, 2, &vec![("heap.count".to_owned(), 1)], &bound);
    let bound = bind::bind(&items, &[], Choice { players: None, numbers: &tree }, &mut Vec::new());
    let size = bound.numbers.iter().find(|number| number.path == "heap.size").expect("a number");
    assert_eq!(size.values.len(), 20);
}
