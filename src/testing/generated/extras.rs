//! What stands beside the rules: citations, rulings, views, a variant and examples.

use super::ruleset::{Draft, SCORER};
use super::types::{Readable, Ty};
use super::writer::Writer;

impl Writer {
    /// The text of a requirement, perhaps with a value in it.
    pub(super) fn phrase(&mut self) -> String {
        match self.choices.below(3) {
            0 => "\"so it is\"".to_owned(),
            1 => format!("\"there are {{{}}}\"", self.number(1)),
            _ => "\"a \\\"rule\\\"\"".to_owned(),
        }
    }
}

impl Draft {
    /// Perhaps a citation.
    pub(super) fn cite(&mut self) -> String {
        let all = ["", "", "", "\n    cite en \"Part\"", "\n    cite en 4 \"Part\"", "\n    cite en"];
        self.writer.choices.pick(&all).to_owned()
    }

    pub(super) fn rulings(&mut self) {
        for _ in 0..self.below(3) {
            let name = self.writer.name("rule");
            let readings = ["", "\n    cite en \"Part\" = true", "\n    cite en \"Part\""];
            let reading = self.writer.choices.pick(&readings);
            self.item(format!("ruling {name}: bool\n    \"Is it so?\"{reading}\n    \"The rulebook is silent.\""));
            let value = self.writer.choices.pick(&["false", "true"]);
            self.top += &format!("ruling.{name} = {value}\n");
            let (name, indices) = (format!("ruling.{name}"), Vec::new());
            let ruling = Readable { name, indices, ty: Ty::Bool, is_called: false, needs_me: false, is_state: false };
            self.writer.known.push(ruling);
        }
    }

    pub(super) fn view(&mut self) {
        let Some(board) = self.writer.boards.first().cloned() else {
            let number = self.writer.number(1);
            self.item(format!("view {{ panel: {number} }}"));
            return;
        };
        let (c, p, x) = (self.writer.name("c"), self.writer.name("p"), self.writer.name("x"));
        let cell = [(c.clone(), Ty::Cell(0))];
        let condition = self.writer.within(&cell, |writer| writer.condition(1));
        let number = self.writer.within(&[(p.clone(), Ty::Player)], |writer| writer.number(1));
        let mut text = format!("text \"x\" where {condition}, \".\"; panel {p} in Player: {number}");
        if self.below(3) == 2 {
            let shade = self.writer.within(&cell, |writer| writer.expression(&Ty::Named(0), 1));
            text += &format!("; shade {shade}");
        }
        if self.below(3) == 2 {
            let piece = self.writer.within(&cell, |writer| writer.condition(1));
            text += &format!("; piece {x} in Player: {x} where {piece}");
        }
        if board.has_sides() && self.below(3) == 2 {
            let side = self.writer.name("s");
            let condition = self.writer.within(&cell, |writer| writer.condition(1));
            text += &format!("; edge {side}: \"-\" where {condition}");
        }
        self.item(format!("view({c}: {}) {{ {text} }}", board.name));
    }

    /// A variant that replaces how the game is scored, and perhaps more.
    pub(super) fn variant(&mut self) {
        if self.below(4) != 3 {
            return;
        }
        let p = SCORER.to_owned();
        let score = self.writer.within(&[(p.clone(), Ty::Player)], |writer| writer.number(2));
        let mut text = format!("variant other of case \"Another case\"\nreplace score({p}: Player) = {score}\n");
        let mut definitions = self.writer.known.iter().filter(|known| known.name.starts_with("def_"));
        if let Some(known) = definitions.find(|known| known.indices.is_empty()).cloned() {
            self.writer.has_me = known.needs_me;
            let value = self.writer.literal(&known.ty);
            self.writer.has_me = false;
            if value != "none" {
                text += &format!("replace def {} = {value}\n", known.name);
            }
        }
        if let Some((action, requirement)) = self.required.first().cloned() {
            self.writer.has_me = true;
            let condition = self.writer.condition(1);
            self.writer.has_me = false;
            text += &format!("replace require {action}.{requirement}: {condition} \"otherwise\"\n");
        }
        self.more.push(("other.ludex".to_owned(), text));
    }

    /// Examples: that they are read is all that is asked of them.
    pub(super) fn examples(&mut self) {
        if self.below(4) != 3 {
            return;
        }
        let names: Vec<String> = (1..=self.writer.fewest).map(|seat| format!("player_{seat}")).collect();
        let (first, players) = (names[0].clone(), names.join(", "));
        let rounds = self.below(5);
        let action = self.actions[0].name.clone();
        let facts = self.facts(&first);
        let breaks = match self.facts.as_slice() {
            [] => String::new(),
            facts => format!("    breaks {} \"they are set up by hand\"\n", facts.join(", ")),
        };
        let mut text = format!("given start {{\n    players {players}\n    rounds = {rounds}\n{breaks}{facts}}}\n");
        text += &format!(
            "given asked {{\n    players {players}\n    flow {{ turn {first} {{ choose {action} or pass {{ }} }} }}\n}}\n"
        );
        text += &format!("example \"a turn\"\n    given asked\n    when {first} pass\n    then over\n");
        text += "example R1, R2 \"a case\"\n    cite en \"Part\"\n    erratum en \"Part\" \"prints more\"\n";
        text += &format!("    given start, rounds = 3\n    when {first} pass\n    then moves is moves, next is next\n");
        text += &format!("    instead {first} pass; {first} pass\n    then refused wrong-phase, paid is 0\n");
        self.more.push(("examples/one.ludex".to_owned(), text));
    }

    /// What a position may say about states: sets, lists, and what belongs to a seat.
    fn facts(&mut self, seat: &str) -> String {
        let states: Vec<Readable> =
            self.writer.known.iter().filter(|known| known.is_state && !known.is_called).cloned().collect();
        let mut facts = String::new();
        for state in states {
            let name = &state.name;
            facts += &match (state.indices.as_slice(), &state.ty) {
                ([], Ty::Set(_)) => format!("    {name} = {{}}\n"),
                ([], Ty::List(..)) => format!("    {name} = []\n"),
                ([Ty::Player], Ty::Bool) => format!("    {seat}: {name} = true\n"),
                ([Ty::Player], Ty::Optional(_)) => format!("    {seat}: {name} = none\n"),
                _ => String::new(),
            };
        }
        facts
    }
}
