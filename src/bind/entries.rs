//! The notation of entries: words → values, facts and actions, led by the types of the rules.

use super::binder::{Binder, Symbol};
use super::model::{ActionId, Entry};
use super::numbers::shortened;
use super::tolerance::{Pick, pick, word_of};
use super::types::{Type, TypeKind};
use super::value::Value;
use crate::ast::{self, ValueKind};
use crate::report::{Code, Fault, Span, codes, suggest};

/// An entry that cannot be one, with the verdict it would get in a log.
pub(super) struct BadEntry {
    pub(super) verdict: &'static str,
    pub(super) fault: Fault,
}

pub(super) type Read<T> = Result<T, Box<BadEntry>>;

pub(super) fn bad<T>(verdict: &'static str, fault: Fault) -> Read<T> {
    Err(Box::new(BadEntry { verdict, fault }))
}

impl Binder<'_> {
    /// A player's entry: seat, action, arguments.
    pub(super) fn move_entry(&mut self, words: &[ast::Value], span: Span) -> Read<Entry> {
        let seat = self.seat_word(words, span)?;
        let action = words.get(1).and_then(|word| Some((self.spelt(word)?.to_owned(), word.span)));
        let Some((name, name_span)) = action else {
            return bad(
                "unknown-action",
                Fault::new(&codes::BAD_ENTRY, span, "an entry names a seat and an action")
                    .label("no action here")
                    .help("write `seat action argument name argument`, or `seat pass`"),
            );
        };
        let action = match self.pick_action(&name, words.len() == 2).clear(&name, name_span)? {
            Some(Some(action)) => action,
            Some(None) => return Ok(Entry::Pass { seat }),
            None => {
                let known = self.names_of(|symbol| matches!(symbol, Symbol::Action(_)));
                let near = suggest::did_you_mean(&name, known.iter().map(String::as_str));
                return bad(
                    "unknown-action",
                    Fault::new(&codes::BAD_ENTRY, name_span, format!("`{name}` is not an action"))
                        .label("not known")
                        .help(near.unwrap_or_else(|| format!("the actions: {}", shortened(&known)))),
                );
            }
        };
        let words = words.get(2..).unwrap_or(&[]);
        if self.tolerant {
            // What fits exactly wins, whichever arguments are left out.
            self.tolerant = false;
            let exact = self.act(seat, action, words, span);
            self.tolerant = true;
            if exact.is_ok() {
                return exact;
            }
        }
        self.act(seat, action, words, span)
    }

    /// An action with its arguments, of which the flow may have bound the first.
    fn act(&mut self, seat: u32, action: ActionId, words: &[ast::Value], span: Span) -> Read<Entry> {
        let mut first_fault = None;
        let mut readings = Vec::new();
        for first in self.starts_of(action) {
            match self.arguments(action, first, words, span) {
                Ok(args) => readings.push((first, args)),
                Err(fault) => first_fault = first_fault.or(Some(fault)),
            }
        }
        let mut readings = readings.into_iter();
        if let Some((first, args)) = readings.next() {
            return Ok(Entry::Act { seat, action, first, args, others: readings.collect() });
        }
        Err(first_fault.unwrap_or_else(|| {
            let name = &self.bound.actions[action.at()].name;
            let fault = Fault::new(&codes::BAD_ENTRY, span, format!("`{name}` cannot be entered"));
            Box::new(BadEntry {
                verdict: "bad-argument",
                fault: fault.label("not readable").help("check its arguments"),
            })
        }))
    }

    /// The word of a value, if it can be a name: in a log, a text is one too.
    fn spelt<'v>(&self, value: &'v ast::Value) -> Option<&'v str> {
        match &value.kind {
            ValueKind::Word(word) => Some(word),
            _ if self.tolerant => word_of(value),
            _ => None,
        }
    }

    fn seat_word(&mut self, words: &[ast::Value], span: Span) -> Read<u32> {
        let (word, at) = words.first().and_then(|value| Some((self.spelt(value)?, value.span))).unwrap_or(("", span));
        if let Some(seat) = self.pick_seat(word).clear(word, at)? {
            return Ok(seat);
        }
        let near = suggest::did_you_mean(word, self.seats.iter().map(String::as_str));
        bad(
            "wrong-player",
            Fault::new(&codes::BAD_ENTRY, at, format!("`{word}` is not a seat"))
                .label("an entry begins with a seat")
                .help(near.unwrap_or_else(|| format!("the seats: {}", self.seats.join(", ")))),
        )
    }

    /// How many first arguments an entry may leave out: those that some offer binds. That none is bound is asked last
    /// if no offer is such, for an argument that may be `none` looks as if it were left out.
    fn starts_of(&self, action: ActionId) -> Vec<usize> {
        let mut starts: Vec<usize> =
            self.offers.iter().filter(|(id, _)| *id == action).map(|&(_, bound)| bound).collect();
        starts.sort_unstable();
        starts.dedup();
        if starts.first() != Some(&0) {
            starts.push(0);
        }
        starts
    }

    fn arguments(&mut self, action: ActionId, first: usize, words: &[ast::Value], span: Span) -> Read<Vec<Value>> {
        // A member may be called as a parameter is. In front it is rather a value, for the first argument has no name.
        let bare = self.arguments_from(action, first, words, span, true);
        if bare.is_ok() { bare } else { self.arguments_from(action, first, words, span, false) }
    }

    /// The arguments; `bare`: the first word is not the name of one.
    fn arguments_from(
        &mut self,
        action: ActionId,
        first: usize,
        words: &[ast::Value],
        span: Span,
        bare: bool,
    ) -> Read<Vec<Value>> {
        let declared = &self.bound.actions[action.at()];
        let name = declared.name.clone();
        let params: Vec<(String, Type)> = declared
            .params
            .iter()
            .skip(first)
            .map(|&(local, _)| self.bound.local(local))
            .map(|local| (local.name.clone(), local.ty.clone().unwrap_or(Type::Unknown)))
            .collect();
        let mut found: Vec<Option<Value>> = vec![None; params.len()];
        let mut at = 0;
        while at < words.len() {
            let named = if bare && at == 0 { None } else { self.named_argument(&params, words, at)? };
            let param = match named {
                Some(param) => {
                    at += 1;
                    param
                }
                None if at == 0 && !params.is_empty() => 0,
                None => {
                    let known: Vec<&str> = params.iter().skip(1).map(|(param, _)| param.as_str()).collect();
                    let (word, at) = (show_word(&words[at]), words[at].span);
                    let near = suggest::did_you_mean(&word, known.iter().copied());
                    return bad(
                        "bad-argument",
                        Fault::new(&codes::BAD_ENTRY, at, format!("`{name}` has no argument `{word}`"))
                            .label("not known")
                            .help(near.unwrap_or_else(|| self.usage(&name, &params))),
                    );
                }
            };
            if found[param].is_some() {
                return bad(
                    "bad-argument",
                    Fault::new(&codes::BAD_ENTRY, span, format!("`{}` is given twice", params[param].0))
                        .label("twice")
                        .help(self.usage(&name, &params)),
                );
            }
            found[param] = Some(self.entry_value(&params[param].1, words, &mut at, span)?);
        }
        let mut args = Vec::new();
        for (value, (param, ty)) in found.into_iter().zip(&params) {
            match value {
                Some(value) => args.push(value),
                None if ty.is_optional() => args.push(Value::None),
                None => {
                    return bad(
                        "bad-argument",
                        Fault::new(&codes::BAD_ENTRY, span, format!("`{name}` needs `{param}`"))
                            .label("an argument is missing")
                            .help(self.usage(&name, &params)),
                    );
                }
            }
        }
        Ok(args)
    }

    /// The parameter that this word names; the first one has no name.
    fn named_argument(&self, params: &[(String, Type)], words: &[ast::Value], at: usize) -> Read<Option<usize>> {
        let named = params.iter().skip(1).position(|(param, _)| is_word(&words[at], param)).map(|param| param + 1);
        if named.is_some() || !self.tolerant {
            return Ok(named);
        }
        let Some(word) = word_of(&words[at]) else { return Ok(None) };
        // In front it is rather the first argument, if it can be one.
        let may_be_first = at == 0
            && params.first().is_some_and(|(_, ty)| {
                self.value_of_words(ty, &[word], &mut 0).is_some() || self.pick_value(ty, word) != Pick::Nothing
            });
        if may_be_first {
            return Ok(None);
        }
        let names = params.iter().enumerate().skip(1).map(|(param, (name, _))| (name.as_str(), param));
        match pick(word, names, true) {
            // In front an unclear word is judged as the value that should be there.
            Pick::Several(_) if at == 0 => Ok(None),
            found => found.clear(word, words[at].span),
        }
    }

    fn usage(&self, name: &str, params: &[(String, Type)]) -> String {
        let mut usage = format!("write `seat {name}");
        for (at, (param, ty)) in params.iter().enumerate() {
            let shown = self.bound.types.show(ty);
            usage += &if at == 0 { format!(" <{shown}>") } else { format!(" {param} <{shown}>") };
        }
        usage + "`"
    }

    /// One value of `ty` from the words at `at`.
    pub(super) fn entry_value(&mut self, ty: &Type, words: &[ast::Value], at: &mut usize, whole: Span) -> Read<Value> {
        let Some(word) = words.get(*at) else {
            let shown = self.bound.types.show(ty).to_string();
            return bad(
                "bad-argument",
                Fault::new(&codes::BAD_ENTRY, whole, format!("a value of {shown} is missing"))
                    .label("too short")
                    .help("write it at the end"),
            );
        };
        match (&word.kind, ty.plain()) {
            (ValueKind::Unknown, _) => {
                *at += 1;
                Ok(Value::Unknown)
            }
            (ValueKind::Set(items), Type::Set(inner)) => {
                *at += 1;
                let mut members: Vec<Value> = Vec::new();
                for item in items {
                    members.push(self.whole_value(inner, item, word.span)?);
                }
                Ok(Value::Set(members))
            }
            (ValueKind::List(items), Type::List(_, inner)) => {
                *at += 1;
                let items = items.iter().map(|item| self.whole_value(inner, item, word.span)).collect::<Read<_>>()?;
                Ok(Value::List(items))
            }
            (_, Type::Named(id)) if matches!(self.bound.types.get(*id).kind, TypeKind::Record(_)) => {
                self.record_value(ty, words, at, whole)
            }
            (ValueKind::Word(text) | ValueKind::Text(text), _) => match self.value_of_words(ty, &[text], &mut 0) {
                Some(value) => {
                    *at += 1;
                    Ok(value)
                }
                None if self.tolerant => match self.pick_value(ty, text).clear(text, word.span)? {
                    Some(value) => {
                        *at += 1;
                        Ok(value)
                    }
                    None => self.not_a_value(ty, text, word.span),
                },
                None => self.not_a_value(ty, text, word.span),
            },
            _ => self.not_a_value(ty, "this", word.span),
        }
    }

    fn record_value(&mut self, ty: &Type, words: &[ast::Value], at: &mut usize, whole: Span) -> Read<Value> {
        let Type::Named(id) = ty.plain() else { return Ok(Value::Unknown) };
        if ty.is_optional() && (is_word(&words[*at], "none") || self.is_none(&words[*at])) {
            *at += 1;
            return Ok(Value::None);
        }
        let fields = match &self.bound.types.get(*id).kind {
            TypeKind::Record(fields) => fields.clone(),
            _ => Vec::new(),
        };
        let mut values = Vec::new();
        for (_, field) in &fields {
            values.push(self.entry_value(field, words, at, whole)?);
        }
        Ok(Value::Record(*id, values))
    }

    /// Is this `none`, spelt freely?
    fn is_none(&self, value: &ast::Value) -> bool {
        self.tolerant && word_of(value).is_some_and(|word| word.eq_ignore_ascii_case("none"))
    }

    /// A value that takes all of its words.
    fn whole_value(&mut self, ty: &Type, words: &[ast::Value], whole: Span) -> Read<Value> {
        let mut at = 0;
        let value = self.entry_value(ty, words, &mut at, whole)?;
        match words.get(at) {
            None => Ok(value),
            Some(extra) => self.not_a_value(ty, &show_word(extra), extra.span),
        }
    }

    pub(super) fn not_a_value<T>(&self, ty: &Type, text: &str, span: Span) -> Read<T> {
        let shown = self.bound.types.show(ty).to_string();
        let known = self.known_members(ty);
        let near = suggest::did_you_mean(text, known.iter().map(String::as_str));
        let way_out = match ty.plain() {
            Type::Set(_) => "a set is written `{a, b}`".to_owned(),
            Type::List(..) => "a list is written `[a, b]`".to_owned(),
            _ if known.is_empty() => format!("write a value of {shown}"),
            _ => format!("its members: {}", shortened(&known)),
        };
        bad(
            "bad-argument",
            Fault::new(&codes::BAD_ENTRY, span, format!("`{text}` is not a value of {shown}"))
                .label(format!("expected {shown}"))
                .help(near.unwrap_or(way_out)),
        )
    }

    /// Is this what `refused` may name?
    pub(super) fn refusal(&mut self, name: &ast::Name) -> Option<String> {
        const VERDICTS: [&str; 7] = [
            "wrong-phase",
            "wrong-player",
            "unknown-action",
            "bad-argument",
            "unaffordable",
            "impossible-chance",
            "after-end",
        ];
        let mut known: Vec<String> = VERDICTS.map(str::to_owned).to_vec();
        for action in &self.bound.actions {
            known.extend(action.requirements.iter().map(|requirement| format!("{}.{}", action.name, requirement.name)));
        }
        if known.contains(&name.text) {
            return Some(name.text.clone());
        }
        let message = format!("no requirement or verdict is called `{}`", name.text);
        let code: &'static Code = &codes::UNKNOWN_REQUIREMENT;
        self.misspelt(
            code,
            &name.text,
            name.span,
            message,
            &known,
            "write `action.requirement`, or a verdict such as `wrong-phase`",
        );
        None
    }
}

fn is_word(value: &ast::Value, word: &str) -> bool {
    matches!(&value.kind, ValueKind::Word(text) if text == word)
}

pub(super) fn show_word(value: &ast::Value) -> String {
    match &value.kind {
        ValueKind::Word(text) | ValueKind::Text(text) => text.clone(),
        ValueKind::Unknown => "?".to_owned(),
        ValueKind::Set(_) => "{…}".to_owned(),
        ValueKind::List(_) => "[…]".to_owned(),
    }
}
