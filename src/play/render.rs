//! The position as text, by the views of the ruleset and as one seat may see it.

use super::Session;
use super::board::grid;
use super::sight::is_covered;
use crate::bind::{Bound, ExprId, Type, TypeId, TypeKind, Value, View, ViewPart, ViewSlot};
use crate::evaluate::{Frame, State, Try};
use crate::internal::exact;
use crate::report::Sources;

/// The position as `viewer` sees it. After the end everything is open.
#[must_use]
pub fn render(session: &Session<'_>, sources: &Sources, viewer: Option<u32>) -> String {
    paint(session, sources, session.seen_by(viewer))
}

/// A position of this game, in which some of it may be covered.
#[must_use]
pub fn paint(session: &Session<'_>, sources: &Sources, state: State) -> String {
    let bound = session.bound();
    let painter = Painter { session, sources, bound, state };
    if bound.views.is_empty() {
        return painter.states();
    }
    bound.views.iter().map(|view| painter.view(view)).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

struct Painter<'s, 'c> {
    session: &'s Session<'c>,
    sources: &'s Sources,
    bound: &'c Bound,
    state: State,
}

impl Painter<'_, '_> {
    fn view(&self, view: &View) -> String {
        let mut out = String::new();
        let cells = view.param.and_then(|cell| match &self.bound.local(cell).ty {
            Some(Type::Named(id)) => Some((cell, *id)),
            _ => None,
        });
        if let Some((cell, id)) = cells
            && let Some((_, board)) = self.bound.types.board_of(id)
            && view.slots.iter().any(|slot| slot.word != "panel")
        {
            let mut texts = Vec::new();
            let mut edges = Vec::new();
            let mut shaded = false;
            for at in 0..board.cell_count() {
                let mut frame = Frame::new(&self.state);
                let here = Value::Member(id, exact::<_, u32>(at));
                frame.set(cell, here.clone());
                let (text, by_shade) = self.cell(view, &mut frame);
                texts.push(text);
                shaded |= by_shade;
                let around: Vec<String> =
                    slots(view, "edge").flat_map(|slot| self.rows(slot, &mut frame, true)).collect();
                if !around.is_empty() {
                    edges.push(format!("{} {}", here.show(&self.bound.types), around.join(" ")));
                }
            }
            out += &grid(board, &texts);
            if !edges.is_empty() {
                out += &format!("\nedges: {}\n", edges.join(", "));
            }
            if shaded {
                out += &self.legend(view);
            }
        }
        let mut frame = Frame::new(&self.state);
        let mut panels: Vec<String> = Vec::new();
        for slot in slots(view, "panel") {
            panels.extend(self.panel(slot, &mut frame));
        }
        if !panels.is_empty() {
            let gap = if out.is_empty() { "" } else { "\n" };
            out += &format!("{gap}{}\n", panels.join("\n"));
        }
        out
    }

    /// What is written in a cell: its text, otherwise its shade, then the pieces; and whether it was the shade.
    fn cell(&self, view: &View, frame: &mut Frame<'_>) -> (String, bool) {
        let mut parts: Vec<String> = slots(view, "text").flat_map(|slot| self.rows(slot, frame, false)).collect();
        let unwritten = parts.is_empty();
        if unwritten {
            parts.extend(slots(view, "shade").filter_map(|slot| self.shade(slot, frame)));
        }
        let by_shade = unwritten && !parts.is_empty();
        parts.extend(slots(view, "piece").flat_map(|slot| self.rows(slot, frame, true)));
        (parts.join(" "), by_shade)
    }

    /// What a slot shows, one text for each of what it runs over; pieces and edges say of which.
    fn rows(&self, slot: &ViewSlot, frame: &mut Frame<'_>, named: bool) -> Vec<String> {
        let Some(each) = &slot.each else {
            let shown = self.parts(slot, frame, false).concat();
            return if shown.is_empty() { Vec::new() } else { vec![shown] };
        };
        let rows = self.session.game.combinations(std::slice::from_ref(each), frame).unwrap_or_default();
        let mut out = Vec::new();
        for value in rows.concat() {
            frame.set(each.local, value.clone());
            let shown = self.parts(slot, frame, false).concat();
            if shown.is_empty() {
                continue;
            }
            out.push(match value {
                Value::Member(ty, at) if named && ty == self.bound.players.ty => format!("{}:{shown}", at + 1),
                Value::Member(ty, _) if named && matches!(self.bound.types.get(ty).kind, TypeKind::Sides(_)) => {
                    format!("{}:{shown}", value.show(&self.bound.types))
                }
                _ => shown,
            });
        }
        out
    }

    /// The parts whose conditions hold; values with the words that the ruleset has for them, if asked.
    fn parts(&self, slot: &ViewSlot, frame: &mut Frame<'_>, labelled: bool) -> Vec<String> {
        let mut out = Vec::new();
        for (part, condition) in &slot.parts {
            let holds = condition.is_none_or(|condition| self.session.game.holds(condition, frame) == Ok(true));
            if !holds {
                continue;
            }
            match part {
                ViewPart::Text(phrase) => {
                    out.push(self.session.game.words(phrase, frame).unwrap_or_else(|_| "?".to_owned()));
                }
                ViewPart::Value(expr) => match self.shown(*expr, frame) {
                    // Nothing is not worth a word, and a state that this game does not have is nothing.
                    None => {}
                    Some(value) if labelled => out.push(format!("{} {value}", self.label(*expr, slot))),
                    Some(value) => out.push(value),
                },
            }
        }
        out
    }

    /// A value as text; what cannot be worked out, because a part of it is covered, is `?`.
    fn shown(&self, expr: ExprId, frame: &mut Frame<'_>) -> Option<String> {
        let value: Try<Value> = self.session.game.eval(expr, frame);
        match value {
            Ok(Value::None) => None,
            Ok(value) if is_covered(&value) => Some(match value {
                Value::Set(members) | Value::List(members) => format!("{} hidden", members.len()),
                _ => "?".to_owned(),
            }),
            Ok(value) => Some(value.show(&self.bound.types)),
            Err(_) => Some("?".to_owned()),
        }
    }

    /// What the rules call a value: its text, without the variable that the panel runs over.
    fn label(&self, expr: ExprId, slot: &ViewSlot) -> String {
        let text = self.sources.slice(self.bound.expr(expr).span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some(each) = &slot.each else { return text };
        let name = &self.bound.local(each.local).name;
        let bare = text.replace(&format!("[{name}]"), "").replace(&format!("({name})"), "");
        bare.replace(&format!("[{name}, "), "[").replace(&format!("({name}, "), "(")
    }

    fn panel(&self, slot: &ViewSlot, frame: &mut Frame<'_>) -> Vec<String> {
        let Some(each) = &slot.each else {
            let parts = self.parts(slot, frame, true);
            return if parts.is_empty() { Vec::new() } else { vec![parts.join(", ")] };
        };
        let rows = self.session.game.combinations(std::slice::from_ref(each), frame).unwrap_or_default().concat();
        let names: Vec<String> = rows.iter().map(|value| self.row_name(value)).collect();
        let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut out = Vec::new();
        for (value, name) in rows.into_iter().zip(names) {
            frame.set(each.local, value);
            let only_texts = slot.parts.iter().all(|(part, _)| matches!(part, ViewPart::Text(_)));
            let parts = self.parts(slot, frame, true);
            if only_texts && !parts.is_empty() {
                // The ruleset says all there is to say.
                out.push(parts.join(", "));
            } else if !parts.is_empty() {
                out.push(format!("{name:<widest$}  {}", parts.join(", ")));
            }
        }
        out
    }

    fn row_name(&self, value: &Value) -> String {
        match value {
            Value::Member(ty, at) if *ty == self.bound.players.ty => {
                format!("{} {}", at + 1, value.show(&self.bound.types))
            }
            _ => value.show(&self.bound.types),
        }
    }

    fn shade(&self, slot: &ViewSlot, frame: &mut Frame<'_>) -> Option<String> {
        let (part, _) = slot.parts.first()?;
        let ViewPart::Value(expr) = part else { return None };
        match self.session.game.eval(*expr, frame) {
            Ok(Value::Member(ty, at)) => Some(self.prefix(ty, at)),
            _ => None,
        }
    }

    /// The shortest beginning of a member's name that no other member has.
    fn prefix(&self, ty: TypeId, at: u32) -> String {
        let names = self.bound.types.member_names(ty);
        let Some(name) = names.get(at as usize) else { return String::new() };
        let ends = name.char_indices().skip(1).map(|(end, _)| end).chain([name.len()]);
        let alone = |beginning: &&str| names.iter().filter(|other| other.starts_with(*beginning)).count() == 1;
        ends.filter_map(|end| name.get(..end)).find(alone).unwrap_or(name).to_owned()
    }

    /// What the shades of cells are called.
    fn legend(&self, view: &View) -> String {
        let mut words = Vec::new();
        for slot in slots(view, "shade") {
            let Some((ViewPart::Value(expr), _)) = slot.parts.first() else { continue };
            let ty = self.session.game.checked.types.get(expr.at()).map(Type::plain);
            let Some(Type::Named(ty)) = ty else { continue };
            let names = self.bound.types.member_names(*ty);
            words.extend(names.iter().zip(0..).map(|(name, at)| format!("{} {name}", self.prefix(*ty, at))));
        }
        if words.is_empty() { String::new() } else { format!("\n{}\n", words.join(", ")) }
    }

    /// For a ruleset without a view: every state that holds something.
    fn states(&self) -> String {
        let mut out = String::new();
        for (declared, elements) in self.bound.states.iter().zip(&self.state.elements) {
            let held = |value: &Value| match value {
                Value::None => None,
                Value::Set(members) | Value::List(members) if members.is_empty() => None,
                Value::Set(members) | Value::List(members) if is_covered(value) => {
                    Some(format!("{} hidden", members.len()))
                }
                value => Some(value.show(&self.bound.types)),
            };
            let mut shown = Vec::new();
            for (at, value) in elements.iter().enumerate() {
                if let Some(value) = held(value) {
                    let index = self.bound.types.index_names(&declared.indices, at).join(" ");
                    shown.push(if index.is_empty() { value } else { format!("{index} {value}") });
                }
            }
            if !shown.is_empty() {
                out += &format!("{}: {}\n", declared.name, shown.join(", "));
            }
        }
        out
    }
}

fn slots<'v>(view: &'v View, word: &'static str) -> impl Iterator<Item = &'v ViewSlot> {
    view.slots.iter().filter(move |slot| slot.word == word)
}
