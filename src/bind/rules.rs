//! Rules: definitions, rulings, actions, awards, phases, scoring, views.

use super::binder::Binder;
use super::model::{Action, Award, Def, Invariant, LocalId, Phase, Price, Region, Requirement, Score, Winner};
use super::statements::Place;
use super::types::Type;
use crate::ast::{self, ItemKind, Name, TieRule};
use crate::report::{Fault, Span, codes};

impl Binder<'_> {
    /// Binds all bodies, in the order of the items.
    pub(super) fn bind_rules(&mut self) {
        let items = self.items;
        let mut flow_span: Option<Span> = None;
        let mut state_at = 0;
        for item in &items.items {
            self.scope.clear();
            match &item.kind {
                ItemKind::State { guard, lines, .. } => {
                    let guard = self.optional(guard.as_ref());
                    for line in lines {
                        self.state_body(state_at, line, guard);
                        state_at += 1;
                    }
                }
                ItemKind::Def { name, params, cites, body } => {
                    let params = self.params(params);
                    let body = self.expr(body);
                    let cites = self.citations(cites);
                    self.bound.defs.push(Def {
                        name: name.text.clone(),
                        params,
                        body,
                        cites,
                        span: name.span,
                        used: false,
                    });
                }
                ItemKind::Regions(regions) => self.regions(regions),
                ItemKind::Action(action) => self.action(action),
                ItemKind::Award(award) => self.award(award),
                ItemKind::Phase { name, params, texts, cites, body } => {
                    let params = self.params(params);
                    let body = self.block(body, Place::Flow);
                    let (title, cites) = (self.title(texts), self.citations(cites));
                    self.bound.phases.push(Phase {
                        name: name.text.clone(),
                        title,
                        params,
                        cites,
                        body,
                        span: name.span,
                        used: false,
                    });
                }
                ItemKind::Flow(block) => {
                    if let Some(first) = flow_span {
                        self.only_once("flow", block.span, first);
                    }
                    flow_span = Some(block.span);
                    self.bound.flow = Some(self.block(block, Place::Flow));
                }
                ItemKind::Score { params, guard, cites, body } => {
                    let param = self.seat_param(params, item.span);
                    let guard = self.optional(guard.as_ref());
                    let (body, cites) = (self.expr(body), self.citations(cites));
                    self.bound.scores.push(Score { param, guard, cites, body, span: head_of(item.span) });
                }
                ItemKind::Winner { params, guard, cites, keys, ties } => {
                    let param = self.seat_param(params, item.span);
                    let guard = self.optional(guard.as_ref());
                    let ties = self.winner_ties(ties.as_ref());
                    let (keys, cites) = (self.exprs(keys), self.citations(cites));
                    self.bound.winners.push(Winner { param, guard, cites, keys, ties, span: head_of(item.span) });
                }
                ItemKind::Invariant { name, guard, body, phrase } => {
                    if let Some(known) = self.bound.invariants.iter().find(|known| known.name == name.text) {
                        let first = known.span;
                        self.only_once(&name.text, name.span, first);
                    }
                    let guard = self.optional(guard.as_ref());
                    let condition = self.expr(body);
                    let phrase = phrase.as_ref().map(|phrase| self.phrase(phrase));
                    self.bound.invariants.push(Invariant {
                        name: name.text.clone(),
                        guard,
                        condition,
                        phrase,
                        span: name.span,
                    });
                }
                ItemKind::View { params, slots } => self.view(params, slots, item.span),
                _ => {}
            }
        }
        self.scope.clear();
        self.required_items();
    }

    /// Notes on each declaration what was found to use it.
    pub(super) fn mark_used(&mut self) {
        for (path, span) in std::mem::take(&mut self.numbers_used_in_types) {
            if let Some(&id) = self.numbers.get(&path) {
                self.bound.numbers[id.at()].uses.push(span);
                self.bound.numbers[id.at()].in_types = true;
            }
        }
        for (action, bound) in &self.offers {
            if let Some(action) = self.bound.actions.get_mut(action.at()) {
                action.offered.push(*bound);
            }
        }
        for id in &self.used_defs {
            if let Some(def) = self.bound.defs.get_mut(id.at()) {
                def.used = true;
            }
        }
        for id in &self.used_awards {
            if let Some(award) = self.bound.awards.get_mut(id.at()) {
                award.used = true;
            }
        }
        for id in &self.used_phases {
            if let Some(phase) = self.bound.phases.get_mut(id.at()) {
                phase.used = true;
            }
        }
    }

    /// A game needs a flow, a score and a winner.
    fn required_items(&mut self) {
        let missing = [
            (
                self.bound.flow.is_none(),
                "flow",
                "add `flow { … }`: how the game is played, from the beginning to `end`",
            ),
            (self.bound.scores.is_empty(), "score", "add `score(p: Player) = …`"),
            (self.bound.winners.is_empty(), "winner", "add `winner(p: Player) by score(p) ties share`"),
        ];
        let head = self.items.items.first().map(|item| head_of(item.span)).unwrap_or_default();
        for (is_missing, word, help) in missing {
            if is_missing && !self.is_broken(word) {
                self.fault(
                    Fault::new(&codes::MISSING_ITEM, head, format!("the ruleset has no `{word}`"))
                        .label(format!("`{word}` is missing"))
                        .help(help),
                );
            }
        }
    }

    fn state_body(&mut self, at: usize, line: &ast::StateLine, guard: Option<super::model::ExprId>) {
        let (locals, init) = self.scoped(|this| {
            let types = this.bound.states.get(at).map(|state| state.indices.clone()).unwrap_or_default();
            let mut locals = Vec::new();
            for (index, ty) in line.indices.iter().zip(types) {
                locals.push(index.name.as_ref().map(|name| this.local(name, Some(ty))));
            }
            (locals, this.optional(line.init.as_ref()))
        });
        if let Some(state) = self.bound.states.get_mut(at) {
            state.index_locals = locals;
            state.init = init;
            state.guard = guard;
        }
    }

    /// Parameters of a definition, award or phase.
    pub(super) fn params(&mut self, params: &[ast::Param]) -> Vec<LocalId> {
        let mut locals = Vec::new();
        for param in params {
            if let Some(within) = &param.within {
                self.fault(
                    Fault::new(&codes::MISPLACED, within.span, "only an action's parameter is taken from a set")
                        .label("`in` has no meaning here")
                        .help("leave it out, or test it in the body"),
                );
            }
            let ty = self.type_of(&param.ty, &param.name.text);
            locals.push(self.local(&param.name, Some(ty)));
        }
        locals
    }

    /// The one parameter of `score` and `winner`.
    fn seat_param(&mut self, params: &[ast::Param], span: Span) -> LocalId {
        let locals = self.params(params);
        let seat = Type::Named(self.bound.players.ty);
        match locals.as_slice() {
            [only] if self.bound.local(*only).ty.as_ref() == Some(&seat) => *only,
            _ => {
                self.fault(
                    Fault::new(&codes::WRONG_ARITY, head_of(span), "this takes one parameter of type Player")
                        .label("not so here")
                        .help("write `score(p: Player) = …` and `winner(p: Player) by …`"),
                );
                let name = Name { text: "_".to_owned(), span };
                locals.first().copied().unwrap_or_else(|| self.local(&name, Some(seat)))
            }
        }
    }

    fn winner_ties(&mut self, ties: Option<&ast::Ties>) -> TieRule {
        match ties {
            None => TieRule::Share,
            Some(ties) => {
                if matches!(ties.rule, TieRule::Split | TieRule::SplitUp) || ties.guard.is_some() {
                    self.fault(
                        Fault::new(&codes::MISPLACED, ties.span, "a victory is shared or nobody's")
                            .label("`share` or `none`, without a guard")
                            .help("write `ties share` or `ties none`; guard the whole `winner` if need be"),
                    );
                }
                ties.rule
            }
        }
    }

    fn title(&mut self, texts: &[ast::Text]) -> Option<String> {
        if let Some(second) = texts.get(1) {
            self.fault(
                Fault::new(&codes::MISPLACED, second.span, "a second text says what this is")
                    .label("one too many")
                    .help("keep one; a requirement's phrase stands after its condition"),
            );
        }
        texts.first().map(ast::Text::plain)
    }

    fn regions(&mut self, regions: &ast::Regions) {
        let Type::Named(ty) = self.type_named(&regions.name) else { return };
        let of = self.scoped(|this| this.bind(&regions.of));
        let element = match &self.bound.types.get(ty).kind {
            super::types::TypeKind::Regions(element) => element.clone(),
            _ => Type::Unknown,
        };
        let pair = regions.pair.each_ref().map(|name| self.local(name, Some(element.clone())));
        let joined = self.expr(&regions.joined);
        let cites = self.citations(&regions.cites);
        let title = regions.title.as_ref().map(ast::Text::plain);
        self.bound.regions.push(Region { ty, of, title, cites, pair, joined, span: regions.name.span, used: false });
    }

    fn action(&mut self, action: &ast::Action) {
        let mut params = Vec::new();
        for param in &action.params {
            let ty = self.type_of(&param.ty, &param.name.text);
            // A set may depend on earlier parameters only.
            let within = self.optional(param.within.as_ref());
            params.push((self.local(&param.name, Some(ty)), within));
        }
        let cites = self.citations(&action.cites);
        let costs = action.costs.iter().map(|price| self.price(price)).collect();
        let mut requirements: Vec<Requirement> = Vec::new();
        for written in &action.requirements {
            let replaced = self
                .items
                .requirements
                .iter()
                .rev()
                .find(|(of, new)| of.text == action.name.text && new.name.text == written.name.text);
            // Guarded requirements of one name are replaced together.
            if replaced.is_some() && requirements.iter().any(|known| known.name == written.name.text) {
                continue;
            }
            let requirement = self.requirement(replaced.map_or(written, |(_, new)| new), &cites);
            if let Some(first) =
                requirements.iter().find(|known| known.name == requirement.name && both_unguarded(known, &requirement))
            {
                let first = first.span;
                self.fault(
                    Fault::new(
                        &codes::DUPLICATE_NAME,
                        requirement.span,
                        format!("the requirement `{}` stands twice", requirement.name),
                    )
                    .label("again here")
                    .also(first, "first here")
                    .help("rename one of them: examples and verdicts refer to it by name"),
                );
            }
            requirements.push(requirement);
        }
        let tested = requirements.iter().any(|requirement| requirement.after);
        let effect = self.block(&action.effect, if tested { Place::TestedEffect } else { Place::Effect });
        let title = self.title(&action.texts);
        self.bound.actions.push(Action {
            name: action.name.text.clone(),
            title,
            params,
            cites,
            costs,
            requirements,
            effect,
            span: action.name.span,
            offered: Vec::new(),
        });
    }

    fn price(&mut self, price: &ast::Price) -> Price {
        self.scoped(|this| {
            let each = price.each.as_ref().map(|each| this.bind(each));
            Price { place: this.expr(&price.place), amount: this.expr(&price.amount), each }
        })
    }

    fn requirement(&mut self, written: &ast::Requirement, inherited: &[super::model::Citation]) -> Requirement {
        let guard = self.optional(written.guard.as_ref());
        let condition = self.expr(&written.condition);
        let phrase = written.phrase.as_ref().map(|phrase| self.phrase(phrase));
        let own = self.citations(&written.cites);
        Requirement {
            name: written.name.text.clone(),
            guard,
            after: written.after,
            condition,
            phrase,
            cites: if own.is_empty() { inherited.to_vec() } else { own },
            span: written.name.span,
        }
    }

    fn award(&mut self, award: &ast::Award) {
        let params = self.params(&award.params);
        let mut missing = |found: bool, word: &str, help: &str| {
            if !found {
                self.faults.push(
                    Fault::new(
                        &codes::MISSING_SLOT,
                        award.name.span,
                        format!("the award `{}` has no `{word}`", award.name.text),
                    )
                    .label(format!("`{word}` is missing"))
                    .help(help),
                );
            }
        };
        missing(!award.params.is_empty(), "claimant", "its last parameter is who claims it: `(r: Region, p: Player)`");
        missing(!award.by.is_empty(), "by", "say what is compared: `by strength(p, r)`");
        missing(!award.pays.is_empty(), "pays", "say what the places earn: `pays 5, 2`");
        missing(!award.ties.is_empty(), "ties", "say what a tie does: `ties none`, `ties split` or `ties share`");
        if let Some(second) = award.by.get(1) {
            self.fault(
                Fault::new(&codes::MISPLACED, second.span, "an award compares one weight")
                    .label("one too many")
                    .help("combine them into one number; tie-breakers belong to `winner`"),
            );
        }
        let by = award.by.first().map(|by| self.expr(by));
        let by = by.unwrap_or_else(|| self.add(super::model::Expr::Fault, award.name.span));
        let pays = self.exprs(&award.pays);
        let ties = award.ties.iter().map(|ties| (ties.rule, self.optional(ties.guard.as_ref()))).collect();
        let alone = award.alone.iter().map(|guard| self.optional(guard.as_ref())).collect();
        let (title, cites) = (self.title(&award.texts), self.citations(&award.cites));
        self.bound.awards.push(Award {
            name: award.name.text.clone(),
            title,
            params,
            cites,
            by,
            pays,
            ties,
            alone,
            span: award.name.span,
            used: false,
        });
    }
}

/// Two requirements of one name are fine if guards choose between them.
fn both_unguarded(a: &Requirement, b: &Requirement) -> bool {
    a.guard.is_none() || b.guard.is_none()
}

/// The first few bytes of an item: its word.
pub(super) fn head_of(span: Span) -> Span {
    Span { end: span.start + 6.min(span.end - span.start), ..span }
}
