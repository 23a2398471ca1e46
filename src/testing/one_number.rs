//! The law of records: whoever changes one number of a bundled ruleset changes a snapshot of its examples, or
//! nothing that happens in them.
//!
//! Changes are drawn by a fixed seed: a ruleset, one of its tables of numbers, a number or a name in it. For each one the
//! examples are played twice more, without the recorder: every position, what is next, every move with its price, every refusal,
//! the scores and the winners are compared. If the records are the same, all of these must be.
//! `LUDEX_TRIAL=32` draws 32 and prints a row for each; otherwise a few are drawn.

use super::examples::{Kept, kept};
use super::stages::all_rulesets;
use crate::bind::{self, Choice, Effective, Entry, Expr, Section, Step, Value, walk::each_expr};
use crate::check::{self, Checked};
use crate::evaluate::{Decision, Game, Pause, Refusal, Stand, State, Touch, Trace, Try, action_frame};
use crate::load::{Loaded, Request, load};
use crate::machine::Random;
use crate::numbers::{Node, NodeKind, Tree};

/// Changes that are drawn if nobody asks for more.
const FEW: usize = 4;

/// Tables that hold no numbers of the game: titles, colours, switches.
const OTHER: [&str; 4] = ["source", "view", "ruling", "option"];

/// A number or a name in the TOML, by keys and places in arrays.
type Way = Vec<String>;

/// A change that was drawn.
struct Change {
    way: Way,
    from: String,
    to: NodeKind,
}

impl Change {
    fn shown(&self) -> String {
        let to = match &self.to {
            NodeKind::Int(value) => value.to_string(),
            NodeKind::Text(value) => value.clone(),
            other => other.describe(),
        };
        format!("{} {} -> {to}", self.way.join("."), self.from)
    }
}

/// Every number and every name that stands in this node.
fn leaves(node: &Node, way: &Way, found: &mut Vec<(Way, NodeKind)>) {
    let longer = |key: String| way.iter().cloned().chain([key]).collect::<Way>();
    match &node.kind {
        NodeKind::Table(table) => {
            table.entries.iter().for_each(|(key, node)| leaves(node, &longer(key.clone()), found));
        }
        NodeKind::Array(nodes) => {
            nodes.iter().enumerate().for_each(|(at, node)| leaves(node, &longer(at.to_string()), found));
        }
        NodeKind::Int(_) | NodeKind::Text(_) => found.push((way.clone(), node.kind.clone())),
        NodeKind::Bool(_) | NodeKind::Other(_) => {}
    }
}

/// Puts something else in a place.
fn put(node: &mut Node, way: &[String], to: &NodeKind) {
    let Some((key, rest)) = way.split_first() else {
        node.kind = to.clone();
        return;
    };
    match &mut node.kind {
        NodeKind::Table(table) => put(table.entries.get_mut(key).expect("a key"), rest, to),
        NodeKind::Array(nodes) => put(&mut nodes[key.parse::<usize>().expect("a place")], rest, to),
        other => panic!("{key} of {}", other.describe()),
    }
}

/// Is a name of the same kind written there: in the same list, or in the same column of a table?
fn alike(one: &Way, other: &Way) -> bool {
    one.len() == other.len()
        && one[0] == other[0]
        && (one.last() == other.last() || one[..one.len() - 1] == other[..other.len() - 1])
}

/// Draws a change, if the table that was drawn holds anything.
fn draw(random: &mut Random, loaded: &Loaded) -> Option<Change> {
    let mut pick = |count: usize| usize::try_from(random.below(count as u64)).expect("a number");
    let own = |(key, node): &(&String, &Node)| loaded.is_own(node.key.file) && !OTHER.contains(&key.as_str());
    let tables: Vec<(&String, &Node)> = loaded.numbers.entries.iter().filter(own).collect();
    let (key, node) = tables.get(pick(tables.len()))?;
    let mut found = Vec::new();
    leaves(node, &vec![(*key).clone()], &mut found);
    let (way, kind) = found.get(pick(found.len()))?.clone();
    let (from, to) = match kind {
        NodeKind::Int(value) => (value.to_string(), NodeKind::Int(if pick(2) == 0 { value - 1 } else { value + 1 })),
        NodeKind::Text(value) => {
            let others: Vec<&String> = found
                .iter()
                .filter(|(other, _)| alike(&way, other))
                .filter_map(|(_, kind)| if let NodeKind::Text(other) = kind { Some(other) } else { None })
                .filter(|other| **other != value)
                .collect();
            let to = (*others.get(pick(others.len()))?).clone();
            (value, NodeKind::Text(to))
        }
        _ => return None,
    };
    Some(Change { way, from, to })
}

fn with(loaded: &Loaded, change: &Change) -> Loaded {
    let mut numbers: Tree = loaded.numbers.clone();
    let (key, rest) = change.way.split_first().expect("a way");
    put(numbers.entries.get_mut(key).expect("a key"), rest, &change.to);
    Loaded { numbers, ..loaded.clone() }
}

/// All that happens at one point of an example.
#[derive(Debug, PartialEq)]
enum Point {
    Stands {
        stand: Stand,
        moves: Vec<(Decision, Vec<i64>)>,
        scores: Vec<Value>,
        winners: Vec<u32>,
    },
    Refused(Refusal, Vec<i64>),
    /// What a condition of the example is made of.
    Told(Vec<Value>),
    Stops(String),
}

/// Goes through one section by itself, without the player of examples.
struct Walk<'g, 'c> {
    game: &'g Game<'c>,
    beginning: State,
    flow: bind::Block,
    decisions: Vec<Decision>,
    start: usize,
    points: Vec<Point>,
}

impl Walk<'_, '_> {
    fn stand(&self) -> Try<Stand> {
        self.game.play(&self.flow, self.beginning.clone(), &self.decisions)
    }

    fn price(&self, stand: &Stand, decision: &Decision) -> Try<Vec<i64>> {
        let Decision::Act { seat, action, args } = decision else { return Ok(Vec::new()) };
        let action = self.game.bound().action(*action);
        let prices = self.game.prices(action, &mut action_frame(action, *seat, args, &stand.state))?;
        Ok(prices.into_iter().map(|(_, amount, _)| amount).collect())
    }

    fn look(&mut self) -> Try<()> {
        let stand = self.stand()?;
        let legal = match &stand.pause {
            Pause::Choose(choice) => self.game.legal(choice, &stand.state)?,
            _ => Vec::new(),
        };
        let mut moves = Vec::new();
        for decision in legal {
            let price = self.price(&stand, &decision)?;
            moves.push((decision, price));
        }
        let seats = 0..self.game.bound().players.count;
        let scores = seats.map(|seat| self.game.score(seat, &stand.state)).collect::<Try<_>>()?;
        let winners = if stand.pause == Pause::Over { self.game.winners(&stand.state)? } else { Vec::new() };
        self.points.push(Point::Stands { stand, moves, scores, winners });
        Ok(())
    }

    fn enter(&mut self, entries: &[(Entry, crate::report::Span)]) -> Try<()> {
        for (entry, _) in entries {
            let stand = self.stand()?;
            let offered = stand.pause.as_offered(entry);
            let judged = match &*offered {
                Entry::Act { seat, action, first, args, .. } => self.game.act(&stand, *seat, *action, *first, args)?,
                Entry::Pass { seat } => self.game.pass(&stand, *seat),
                Entry::Chance { name, indices, value: Some(value) } => self.game.chance(&stand, name, indices, value),
                Entry::Chance { value: None, .. } => Err(Refusal::verdict("legal-if")),
                Entry::Unreadable { verdict } => Err(Refusal::verdict(verdict)),
            };
            match judged {
                Ok(decision) => {
                    self.decisions.push(decision);
                    self.look()?;
                }
                Err(refusal) => {
                    let price = match (&*offered, refusal.names.as_slice()) {
                        (Entry::Act { seat, action, args, .. }, [dear]) if dear == "unaffordable" => {
                            let decision = Decision::Act { seat: *seat, action: *action, args: args.clone() };
                            self.price(&stand, &decision)?
                        }
                        _ => Vec::new(),
                    };
                    self.points.push(Point::Refused(refusal, price));
                    break;
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Try<()> {
        match step {
            Step::Given(position) => {
                self.beginning = self.game.beginning()?;
                for (state, indices, value) in &position.facts {
                    self.game.put(&mut self.beginning, *state, indices, value.clone());
                }
                self.flow = position.flow.clone().or_else(|| self.game.bound().flow.clone()).unwrap_or_default();
                self.look()
            }
            Step::When(entries) => {
                self.start = self.decisions.len();
                self.enter(entries)
            }
            Step::Instead(entries) => {
                self.decisions.truncate(self.start);
                self.enter(entries)
            }
            Step::Holds(condition) => {
                let (stand, mut asked) = (self.stand()?, false);
                each_expr(self.game.bound(), *condition, &mut |_, expr| asked |= matches!(expr, Expr::Outcome(_)));
                // What an example asks of `paid`, `next` and so on is compared where it stands.
                if !asked {
                    let value = self.game.eval(*condition, &mut crate::evaluate::Frame::new(&stand.state))?;
                    self.points.push(Point::Told(vec![value]));
                }
                Ok(())
            }
            Step::Refused(..) => Ok(()),
        }
    }
}

fn bound(items: &Effective<'_>, section: &Section<'_>, loaded: &Loaded) -> Checked {
    let numbers = section.numbers(&loaded.numbers);
    let choice = Choice { players: section.players, numbers: &numbers };
    check::check(bind::bind(items, &[section], choice, &mut Vec::new()), &mut Vec::new())
}

fn walked(checked: &Checked) -> Vec<Point> {
    let game = Game::new(checked);
    let (beginning, flow) = (State::default(), bind::Block::default());
    let mut walk = Walk { game: &game, beginning, flow, decisions: Vec::new(), start: 0, points: Vec::new() };
    for step in checked.bound.examples.iter().flat_map(|example| &example.steps) {
        if let Err(trouble) = walk.step(step) {
            walk.points.push(Point::Stops(trouble.message));
            break;
        }
    }
    walk.points
}

/// Does this section read an element that is another one after the change? `None`: no element of it is.
fn reads(before: &Checked, after: &Checked, trace: &Trace) -> Option<bool> {
    let mut touches = Vec::new();
    for (id, (was, is)) in before.bound.numbers.iter().zip(&after.bound.numbers).enumerate() {
        let differing = |at: &usize| was.values.get(*at) != is.values.get(*at);
        let changed = (0..was.values.len().max(is.values.len())).filter(differing);
        touches.extend(changed.map(|at| (was.in_types, Touch::Number(id, at))));
    }
    for (id, (was, is)) in before.bound.columns.iter().zip(&after.bound.columns).enumerate() {
        let differing = |at: &usize| was.values.get(*at) != is.values.get(*at);
        let changed = (0..was.values.len().max(is.values.len())).filter(differing);
        touches.extend(changed.map(|at| (false, Touch::Column(id, at))));
    }
    let read = touches.iter().any(|(in_types, touch)| *in_types || trace.touched.contains(touch));
    (!touches.is_empty()).then_some(read)
}

/// What a change comes to.
enum Verdict {
    /// `check` refuses it: no ruleset.
    Refused,
    /// A snapshot changes: in so many of so many positions, and the first line that does.
    Shows(usize, usize, String),
    /// No position of an example reads what was changed.
    Unread,
    /// So many positions read it, and everything that happens in them is the same.
    Same(usize),
    /// The record is silent about something that has changed.
    Silent(String),
}

fn judge(loaded: &Loaded, before: &Kept, change: &Change) -> Verdict {
    let changed = with(loaded, change);
    if check::ruleset(&changed).has_errors() {
        return Verdict::Refused;
    }
    let after = kept(&changed, false);
    if before.text != after.text {
        let pairs = before.moments.iter().zip(&after.moments);
        let differing = pairs.filter(|((_, one), (_, other))| one != other).count();
        let lines = before.text.lines().zip(after.text.lines());
        let first = lines.filter(|(was, is)| was != is).map(|(was, is)| format!("{} => {}", was.trim(), is.trim()));
        let first: String = first.take(1).collect();
        return Verdict::Shows(differing, before.moments.len(), first.chars().take(220).collect());
    }
    let items = bind::effective(&loaded.layers, &mut Vec::new());
    let sections = bind::sections(&items, &loaded.examples, &mut Vec::new());
    let (mut readers, mut known) = (0, false);
    for (section, trace) in sections.iter().zip(&before.traces) {
        let (one, other) = (bound(&items, section, loaded), bound(&items, section, &changed));
        if walked(&one) != walked(&other) {
            return Verdict::Silent(section.example.title.plain());
        }
        let read = reads(&one, &other, trace);
        (readers, known) = (readers + usize::from(read == Some(true)), known || read.is_some());
    }
    // What changes no element changes a board; nobody notes who looks at that.
    if known && readers == 0 { Verdict::Unread } else { Verdict::Same(if known { readers } else { sections.len() }) }
}

#[test]
#[expect(clippy::print_stdout, reason = "who asks for a trial wants its rows")]
fn one_number_changes() {
    let count = std::env::var("LUDEX_TRIAL").ok().and_then(|count| count.parse().ok()).unwrap_or(FEW);
    let names = all_rulesets();
    let mut random = Random::new(1);
    let mut rulesets: Vec<Option<(Loaded, Kept)>> = names.iter().map(|_| None).collect();
    let (mut drawn, mut refused, mut silent) = (Vec::new(), 0, Vec::new());
    let mut tallies = [0; 3];
    while drawn.len() < count {
        let at = usize::try_from(random.below(names.len() as u64)).expect("a place");
        let (loaded, before) = rulesets[at].get_or_insert_with(|| {
            let loaded = load(&Request { ruleset: names[at].clone(), ..Request::default() });
            let before = kept(&loaded, true);
            (loaded, before)
        });
        let Some(change) = draw(&mut random, loaded) else { continue };
        let shown = format!("{}: {}", names[at], change.shown());
        if drawn.contains(&shown) {
            continue;
        }
        let (kind, verdict) = match judge(loaded, before, &change) {
            Verdict::Refused => {
                refused += 1;
                continue;
            }
            Verdict::Shows(some, all, first) => (0, format!("snapshot changes, {some} of {all} positions: {first}")),
            Verdict::Unread => (1, "no example reads it".to_owned()),
            Verdict::Same(readers) => (
                2,
                format!(
                    "{readers} positions read it; all states, moves, prices, refusals, scores, winners are the same"
                ),
            ),
            Verdict::Silent(title) => {
                silent.push(format!("{shown}: {title}"));
                (2, format!("NOT RECORDED: {title}"))
            }
        };
        tallies[kind] += 1;
        drawn.push(shown.clone());
        println!("{:>2} {shown}: {verdict}", drawn.len());
    }
    let [shows, unread, same] = tallies;
    println!(
        "{shows} change a snapshot, {unread} are read by no example, {same} change nothing; {refused} more were refused by `check`"
    );
    assert!(silent.is_empty(), "no record says what has changed:\n{}", silent.join("\n"));
}
