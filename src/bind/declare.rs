//! Declarations: what exists, before any body is looked at.

use super::binder::{Binder, Symbol, TypeSlot};
use super::model::{ActionId, AwardId, DefId, PhaseId, Players, State, StateId, Visibility};
use super::types::{Type, TypeKind};
use crate::ast::{self, BinaryOp, ExprKind, ItemKind, Name};
use crate::internal::exact;
use crate::limits;
use crate::report::{Fault, Span, codes};

impl<'a> Binder<'a> {
    /// Declares everything: head, types, tables, numbers, then the names of rules.
    pub(super) fn declare(&mut self) {
        self.declare_sources();
        for item in &self.items.items {
            if let ItemKind::Numbers(lines) = &item.kind {
                for line in lines {
                    for path in &line.paths {
                        self.number_lines.insert(&path.text, line);
                    }
                }
            }
        }
        self.declare_head();
        self.declare_types();
        self.bind_tables_and_numbers();
        self.declare_rules();
    }

    fn declare_head(&mut self) {
        let items = self.items;
        let mut first_game: Option<Span> = None;
        let mut players = None;
        for item in &items.items {
            match &item.kind {
                ItemKind::Game { name, title } => {
                    if let Some(first) = first_game {
                        self.only_once("game", name.span, first);
                    }
                    first_game = Some(name.span);
                    self.bound.name.clone_from(&name.text);
                    self.bound.title = title.plain();
                }
                ItemKind::Variant { name, title, .. } => {
                    self.bound.name = format!("{}:{}", self.bound.name, name.text);
                    self.bound.title = title.plain();
                }
                ItemKind::Players { count, seats } => {
                    if let Some((count, _)) = players {
                        let first: &ast::Expr = count;
                        self.only_once("players", item.span, first.span);
                    }
                    players = Some((count, seats.as_slice()));
                }
                _ => {}
            }
        }
        match players {
            Some((count, seats)) => self.declare_players(count, seats),
            None if self.is_broken("players") => {}
            None => self.fault(
                Fault::new(
                    &codes::MISSING_ITEM,
                    first_game.unwrap_or_default(),
                    "the ruleset does not say how many play",
                )
                .label("`players` is missing")
                .help("add a line such as `players 2..4`"),
            ),
        }
        if !self.types.contains_key("Player") {
            // So that everything else can still be looked at.
            self.add_players(1, 2, &[], first_game.unwrap_or_default());
        }
    }

    pub(super) fn only_once(&mut self, word: &str, span: Span, first: Span) {
        self.fault(
            Fault::new(&codes::DUPLICATE_NAME, span, format!("`{word}` stands twice"))
                .label("again here")
                .also(first, "first here")
                .help("keep one of them"),
        );
    }

    fn declare_players(&mut self, count: &ast::Expr, seats: &[Name]) {
        let (fewest, most) = match &count.kind {
            ExprKind::Binary(BinaryOp::Range, low, high) => (self.constant(low), self.constant(high)),
            _ => {
                let count = self.constant(count);
                (count, count)
            }
        };
        let (Some(fewest), Some(most)) = (fewest, most) else { return };
        if fewest < 1 || most < fewest || most > limits::PLAYERS {
            self.fault(
                Fault::new(&codes::PLAYER_COUNT, count.span, format!("{fewest}..{most} is no number of players"))
                    .label("not possible")
                    .help(format!("from 1 to {}, the fewest first", limits::PLAYERS)),
            );
            return;
        }
        let narrow = |count: i64| exact::<_, u32>(count);
        let (fewest, most) = (narrow(fewest), narrow(most));
        for (at, seat) in seats.iter().enumerate().take(most as usize) {
            if let Some(first) = seats[..at].iter().find(|first| first.text == seat.text) {
                self.only_once(&seat.text, seat.span, first.span);
            }
        }
        if !seats.is_empty() && seats.len() != most as usize {
            self.fault(
                Fault::new(
                    &codes::PLAYER_COUNT,
                    count.span,
                    format!("{} seats are named for {most} players", seats.len()),
                )
                .label("one name for each seat, or none at all")
                .help("name as many seats as can play"),
            );
        }
        self.add_players(fewest, most, seats, count.span);
    }

    fn add_players(&mut self, fewest: u32, most: u32, seats: &[Name], span: Span) {
        let playing = self.choice.players.unwrap_or(fewest).clamp(1, exact::<_, u32>(limits::PLAYERS));
        let name_of =
            |seat: u32| seats.get(seat as usize).map_or_else(|| format!("seat{}", seat + 1), |seat| seat.text.clone());
        let names = (0..playing).map(name_of).collect();
        self.empty_seats = (playing..most).map(name_of).collect();
        let ty = self.add_type("Player", TypeKind::Members(names), true, span);
        self.types.insert("Player".to_owned(), TypeSlot::Done(Type::Named(ty)));
        self.symbols.insert("Player".to_owned(), (Symbol::Type, span));
        self.bound.players = Players { fewest, most, count: playing, ty };
    }

    fn declare_types(&mut self) {
        let items = self.items;
        let mut names: Vec<&'a Name> = Vec::new();
        for item in &items.items {
            let name = match &item.kind {
                ItemKind::Type { name, .. } | ItemKind::Board { name, .. } | ItemKind::Table { name, .. } => name,
                ItemKind::Regions(regions) => &regions.name,
                _ => continue,
            };
            if name.text == "bool" {
                self.fault(
                    Fault::new(&codes::DUPLICATE_NAME, name.span, "`bool` is a type of the language")
                        .label("taken")
                        .help("choose another name"),
                );
                continue;
            }
            if !self.types.contains_key(&name.text) {
                self.types.insert(name.text.clone(), TypeSlot::Pending(item));
            }
            self.declare_symbol(name, Symbol::Type);
            names.push(name);
        }
        for name in names {
            self.type_named(name);
        }
    }

    fn bind_tables_and_numbers(&mut self) {
        let items = self.items;
        for item in &items.items {
            if let ItemKind::Table { name, columns } = &item.kind {
                self.bind_table(name, columns);
            }
        }
        let mut lines = Vec::new();
        for item in &items.items {
            if let ItemKind::Numbers(of_item) = &item.kind {
                lines.extend(of_item.iter());
            }
        }
        self.declare_numbers(&lines);
        for item in &items.items {
            if let ItemKind::Ruling { name, ty, texts, cites } = &item.kind {
                self.bind_ruling(name, ty, texts, cites);
            }
        }
        self.report_unknown_keys();
    }

    /// Names of states, definitions, actions, awards and phases, so that bodies may use them in any order.
    fn declare_rules(&mut self) {
        let items = self.items;
        let (mut defs, mut actions, mut awards, mut phases) = (0, 0, 0, 0);
        let next = |counter: &mut u32| {
            *counter += 1;
            *counter - 1
        };
        for item in &items.items {
            match &item.kind {
                ItemKind::State { per_turn, lines, .. } => {
                    for line in lines {
                        self.not_a_member(&line.name);
                        self.declare_state(line, *per_turn);
                    }
                }
                ItemKind::Def { name, .. } => {
                    self.not_a_member(name);
                    self.declare_symbol(name, Symbol::Def(DefId(next(&mut defs))));
                }
                ItemKind::Action(action) => {
                    self.declare_symbol(&action.name, Symbol::Action(ActionId(next(&mut actions))));
                }
                ItemKind::Award(award) => self.declare_symbol(&award.name, Symbol::Award(AwardId(next(&mut awards)))),
                ItemKind::Phase { name, .. } => self.declare_symbol(name, Symbol::Phase(PhaseId(next(&mut phases)))),
                _ => {}
            }
        }
    }

    /// A state or definition would hide a member of the same name wherever it is written.
    fn not_a_member(&mut self, name: &Name) {
        if let Some(&(id, _)) = self.members.get(&name.text).and_then(|found| found.first()) {
            let def = self.bound.types.get(id);
            let (ty, span) = (def.name.clone(), def.span);
            self.fault(
                Fault::new(&codes::DUPLICATE_NAME, name.span, format!("`{}` is a member of {ty} already", name.text))
                    .label("this would hide it")
                    .also(span, "the type is declared here")
                    .help("choose another name"),
            );
        }
    }

    fn declare_state(&mut self, line: &ast::StateLine, per_turn: bool) {
        let id = StateId(exact::<_, u32>(self.bound.states.len()));
        let indices = self.index_types(&line.indices);
        let ty = self.type_of(&line.ty, &line.name.text);
        let seen = self.visibility(line, &indices);
        self.declare_symbol(&line.name, Symbol::State(id));
        self.bound.states.push(State {
            name: line.name.text.clone(),
            index_locals: Vec::new(),
            indices,
            ty,
            init: None,
            per_turn,
            guard: None,
            seen,
            span: line.name.span,
            used: false,
        });
    }

    /// The types of indices; what cannot be listed cannot be one.
    pub(super) fn index_types(&mut self, indices: &[ast::Index]) -> Vec<Type> {
        let mut types = Vec::new();
        for index in indices {
            let ty = self.type_of(&index.ty, "index");
            if !matches!(ty, Type::Int(..) | Type::Named(_) | Type::Bool | Type::Unknown) {
                let shown = self.bound.types.show(&ty).to_string();
                self.fault(
                    Fault::new(&codes::NOT_ENUMERABLE, index.ty.span, format!("{shown} cannot be an index"))
                        .label("not an index")
                        .help("index by an enumeration, a range, a board or a table"),
                );
            }
            types.push(ty);
        }
        types
    }

    fn visibility(&mut self, line: &ast::StateLine, indices: &[Type]) -> Visibility {
        let Some(seen_by) = &line.seen_by else { return Visibility::Public };
        match &seen_by.kind {
            ExprKind::Name(word) if word == "nobody" => Visibility::Nobody,
            ExprKind::Name(word) if word == "owner" => {
                if indices.first() != Some(&Type::Named(self.bound.players.ty)) {
                    self.fault(
                        Fault::new(&codes::SEEN_BY, seen_by.span, format!("`{}` has no owner", line.name.text))
                            .label("its first index is not Player")
                            .help("give it `Player` as first index, or write `seen by nobody`"),
                    );
                }
                Visibility::Owner
            }
            _ => {
                self.fault(
                    Fault::new(&codes::SEEN_BY, seen_by.span, "a state is seen by `owner` or by `nobody`")
                        .label("neither of the two")
                        .help("leave `seen by` out if everybody sees it"),
                );
                Visibility::Public
            }
        }
    }
}
