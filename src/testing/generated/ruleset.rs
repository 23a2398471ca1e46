//! A whole ruleset, item by item.

use std::fmt::Write as _;

use super::choices::Choices;
use super::statements::{Action, Place, Secret};
use super::types::{Readable, Ty};
use super::writer::Writer;

/// The files of a ruleset: their names, and what is in them.
pub(in crate::testing) type Files = Vec<(String, String)>;

/// Writes a ruleset by these choices; gives the choices that were made, too.
pub(super) fn write(choices: Choices) -> (Files, Vec<u32>) {
    let mut draft = Draft {
        writer: Writer::new(choices),
        rules: String::new(),
        top: String::new(),
        toml: String::new(),
        actions: Vec::new(),
        required: Vec::new(),
        facts: Vec::new(),
        more: Vec::new(),
    };
    draft.all();
    let mut files =
        vec![("case.ludex".to_owned(), draft.rules), ("case.toml".to_owned(), draft.top + SOURCE + &draft.toml)];
    files.extend(draft.more);
    (files, draft.writer.choices.made())
}

/// Who gets a score.
pub(super) const SCORER: &str = "somebody";

/// A source that rules can cite.
const SOURCE: &str = "[source.en]\ntitle = \"A rulebook\"\nedition = \"english\"\n";

pub(super) struct Draft {
    pub(super) writer: Writer,
    rules: String,
    /// Numbers of the TOML that stand before its tables.
    pub(super) top: String,
    pub(super) toml: String,
    pub(super) actions: Vec<Action>,
    /// Actions with a requirement that a variant may replace.
    pub(super) required: Vec<(String, String)>,
    /// Invariants that hold whatever happens.
    pub(super) facts: Vec<String>,
    /// Further files.
    pub(super) more: Files,
}

impl Draft {
    pub(super) fn item(&mut self, text: impl AsRef<str>) {
        self.rules += text.as_ref();
        self.rules.push('\n');
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        self.writer.choices.below(count)
    }

    fn all(&mut self) {
        self.item("game case \"A case\"");
        self.players();
        self.enumerations();
        self.boards();
        self.numbers();
        self.tables();
        self.records();
        self.rulings();
        self.state();
        self.writer.has_state = true;
        self.regions();
        for _ in 0..self.below(4) {
            self.definition();
        }
        for _ in 0..self.below(2) {
            self.award();
        }
        for _ in 0..=self.below(3) {
            self.action();
        }
        let secret = self.secret();
        self.flow(secret.as_ref());
        self.scoring();
        for _ in 0..self.below(2) {
            let (name, depth) = (self.writer.name("inv"), 2);
            let condition = self.writer.condition(depth);
            let guard = self.writer.choices.pick(&["", " if players > 2"]);
            self.item(format!("invariant {name}{guard}: {condition} or true \"it holds\""));
        }
        for _ in 0..self.below(4) {
            let (name, fact) = (self.writer.name("fact"), self.writer.fact());
            self.item(format!("invariant {name}: {fact} \"it is so\""));
            self.facts.push(name);
        }
        self.view();
        self.variant();
        self.examples();
    }

    fn regions(&mut self) {
        if self.writer.boards.is_empty() || self.below(3) != 2 {
            return;
        }
        let name = self.writer.name("Group");
        let cell = Ty::Cell(0);
        let (c, a, b) = (self.writer.name("c"), self.writer.name("a"), self.writer.name("b"));
        let condition = self.writer.within(&[(c.clone(), cell.clone())], |writer| writer.condition(1));
        let both = [(a.clone(), cell.clone()), (b.clone(), cell.clone())];
        let relation = self.writer.within(&both, |writer| writer.condition(1));
        let relation = match self.below(3) {
            0 => format!("adjacent({a}, {b})"),
            1 => format!("adjacent({a}, {b}) and {relation}"),
            _ => relation,
        };
        let board = self.writer.boards[0].name.clone();
        let cite = self.cite();
        self.item(format!(
            "regions {name} of {c} in {board} where {condition}\n    \"parts\"{cite}\n    by {a}, {b}: {relation}"
        ));
        self.writer.regions.push((name, cell));
    }

    fn parameters(&mut self, most: usize) -> (Vec<(String, Ty)>, String) {
        let count = self.below(most + 1);
        let mut all = Vec::new();
        for _ in 0..count {
            let ty = self.writer.scalar();
            all.push((self.writer.name("p"), ty));
        }
        let shown: Vec<String> =
            all.iter().map(|(name, ty)| format!("{name}: {}", self.writer.type_name(ty))).collect();
        (all, shown.join(", "))
    }

    fn definition(&mut self) {
        let name = self.writer.name("def");
        let (parameters, shown) = self.parameters(2);
        let ty = self.writer.any_type();
        let ty = if matches!(ty, Ty::Set(_) | Ty::List(..)) { Ty::NUMBER } else { ty };
        let has_me = self.below(3) == 2;
        self.writer.has_me = has_me;
        let text = self.writer.within(&parameters, |writer| writer.expression(&ty, 2));
        self.writer.has_me = false;
        if text == "none" {
            return;
        }
        let needs_me = has_me && text.contains("me");
        let brackets = if parameters.is_empty() { String::new() } else { format!("({shown})") };
        let cite = self.cite();
        self.item(format!("def {name}{brackets}{cite} = {text}"));
        let ty = if matches!(ty, Ty::Int(..)) { Ty::NUMBER } else { ty };
        let indices = parameters.into_iter().map(|(_, ty)| ty).collect();
        // It may read the state.
        self.writer.known.push(Readable { name, indices, ty, is_called: true, needs_me, is_state: true });
    }

    fn award(&mut self) {
        let name = self.writer.name("award");
        let (mut parameters, mut shown) = self.parameters(1);
        let p = self.writer.name("p");
        parameters.push((p.clone(), Ty::Player));
        shown = if shown.is_empty() { format!("{p}: Player") } else { format!("{shown}, {p}: Player") };
        let (weight, pay) = self.writer.within(&parameters, |writer| (writer.number(2), writer.number(1)));
        let mut text = format!("award {name}({shown})\n    \"A prize\"\n    by {weight}\n    pays {pay}, 2");
        text += self.writer.choices.pick(&[
            "\n    ties none",
            "\n    ties split",
            "\n    ties split up",
            "\n    ties share",
            "\n    ties split if players > 2\n    ties none if players <= 2",
        ]);
        text += self.writer.choices.pick(&["", "\n    alone all", "\n    alone all if players > 2"]);
        text += &self.cite();
        self.item(text);
        let indices = parameters.into_iter().map(|(_, ty)| ty).collect();
        self.writer.known.push(Readable {
            name,
            indices,
            ty: Ty::NUMBER,
            is_called: true,
            needs_me: false,
            is_state: true,
        });
    }

    fn action(&mut self) {
        let name = self.writer.name("do");
        let mut parameters: Vec<(String, Ty)> = Vec::new();
        let mut shown = Vec::new();
        self.writer.has_me = true;
        let mut size = 1;
        for _ in 0..self.below(4) {
            let (p, ty) = (self.writer.name("p"), self.writer.scalar());
            size *= self.writer.size(&ty);
            if size > 600 {
                break;
            }
            let inside = if self.below(3) == 2 {
                let ty = ty.clone();
                let set = self.writer.within(&parameters, |writer| writer.expression(&ty.set(), 2));
                format!(" in {set}")
            } else {
                String::new()
            };
            shown.push(format!("{p}: {}{inside}", self.writer.type_name(&ty)));
            parameters.push((p, ty));
        }
        let brackets = if shown.is_empty() { String::new() } else { format!("({})", shown.join(", ")) };
        let mut text = format!("action {name}{brackets}\n    \"Do it\"{}", self.cite());
        let first = parameters.first().map(|(_, ty)| ty.clone());
        let (mut has_after, mut required) = (false, None);
        let body = self.writer.within(&parameters, |writer| {
            if writer.choices.once_in(4) {
                let each = writer.choices.pick(&["", " for x_0 in 1..2"]);
                text += &format!("\n    cost rounds: {}{each}", writer.choices.between(0, 1));
            }
            for _ in 0..writer.choices.below(3) {
                let (requirement, after) = (writer.name("req"), writer.choices.once_in(4));
                has_after |= after;
                if !after && required.is_none() {
                    required = Some(requirement.clone());
                }
                let when = if after { " after" } else { "" };
                let guard = if writer.choices.once_in(5) { " if players > 2" } else { "" };
                let phrase = writer.phrase();
                text += &format!("\n    require {requirement}{guard}{when}: {} {phrase}", writer.condition(2));
            }
            writer.effects(2, !has_after)
        });
        self.writer.has_me = false;
        self.item(format!("{text}\n{body}"));
        self.required.extend(required.map(|requirement| (name.clone(), requirement)));
        self.actions.push(Action { name, first });
    }

    /// A deck that nobody sees, and hands.
    fn secret(&mut self) -> Option<Secret> {
        if self.below(4) != 3 {
            return None;
        }
        let at = self.below(self.writer.named.len());
        let kind = self.writer.named[at].name.clone();
        let (deck, hand) = (self.writer.name("deck"), self.writer.name("hand"));
        let (name, p, pile) = (self.writer.name("play"), self.writer.name("p"), self.writer.name("pile"));
        self.item(format!(
            "state {{\n    {deck}: set of {kind} = {kind} seen by nobody\n    {hand}[Player]: set of {kind} = {{}} seen by owner\n    {pile}: set of {kind}\n}}"
        ));
        self.item(format!(
            "action {name}({p}: {kind} in {hand}[me])\n{{\n    {hand}[me] -= {p}\n    {pile} += {p}\n}}"
        ));
        self.actions.push(Action { name, first: None });
        Some(Secret { deck, hand })
    }

    fn flow(&mut self, secret: Option<&Secret>) {
        let mut flow = String::new();
        if let Some(Secret { deck, hand }) = secret {
            let (p, x) = (self.writer.name("p"), self.writer.name("x"));
            let _ = writeln!(
                flow,
                "    for {p} in Player {{ if size({deck}) > 0 {{ draw {x} from {deck} seen by {p}\n        {hand}[{p}] += {x} }} }}"
            );
        }
        let actions = self.actions.clone();
        let rounds = self.writer.choices.between(1, 6);
        let (x, seat) = (self.writer.name("x"), Place { in_repeat: false, in_turn: true });
        let block = if self.below(2) == 0 {
            let mut block = self.writer.within(&[(x.clone(), Ty::Player)], |writer| {
                writer.has_me = true;
                let block = writer.asking(2, seat, &actions);
                writer.has_me = false;
                block
            });
            if self.below(3) == 2 {
                let phase = self.writer.name("phase");
                let cite = self.cite();
                self.item(format!("phase {phase}({x}: Player){cite}\n{{ turn {x} {block} }}"));
                block = format!("{phase}({x})");
            } else {
                block = format!("turn {x} {block}");
            }
            format!("{{ for {x} in Player {{ {block} }} if rounds < 20 {{ rounds += 1 }} }}")
        } else {
            let block = self.writer.asking(3, Place { in_repeat: false, in_turn: false }, &actions);
            format!("{{ if rounds < 20 {{ rounds += 1 }} {}", &block[1..])
        };
        let _ = writeln!(flow, "    for {} in 1..{rounds} {block}", self.writer.name("x"));
        if let (Some(Secret { hand, .. }), true) = (secret, self.below(2) == 1) {
            let part = self.writer.choices.pick(&["", "[seat(1)]"]);
            let _ = writeln!(flow, "    reveal {hand}{part}");
        }
        let end = self.writer.choices.pick(&["    end\n", ""]);
        self.item(format!("flow {{\n{flow}{end}}}"));
    }

    fn scoring(&mut self) {
        let p = SCORER.to_owned();
        let score = self.writer.within(&[(p.clone(), Ty::Player)], |writer| writer.number(3));
        if self.below(4) == 3 {
            self.item(format!(
                "score({p}: Player) if players > 2 = {score}\nscore({p}: Player) if players <= 2 = rounds"
            ));
        } else {
            let cite = self.cite();
            self.item(format!("score({p}: Player){cite} = {score}"));
        }
        let second = self.writer.within(&[(p.clone(), Ty::Player)], |writer| writer.number(2));
        let ties = self.writer.choices.pick(&["", " ties share", " ties none"]);
        self.item(format!("winner({p}: Player) by score({p}), {second}{ties}"));
    }
}
