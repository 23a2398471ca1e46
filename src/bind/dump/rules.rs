//! Rules and results as text.

use super::Printer;
use crate::bind::model::{Action, Award, Requirement, View, ViewPart};

impl Printer<'_> {
    pub(super) fn rules(&mut self) {
        let bound = self.bound;
        for def in &bound.defs {
            let ty = self.types.and_then(|(types, _)| types.get(def.body.at())).map(|ty| format!(": {}", self.ty(ty)));
            let (params, body, cites) = (self.params(&def.params), self.expr(def.body), Self::cites(&def.cites));
            self.line(format!("def {}{params}{} = {body}{cites}", def.name, ty.unwrap_or_default()));
        }
        for region in &bound.regions {
            let [a, b] = region.pair.map(|local| self.local(local));
            let name = &bound.types.get(region.ty).name;
            let (of, joined, cites) = (self.bind(&region.of), self.expr(region.joined), Self::cites(&region.cites));
            self.line(format!("regions {name} of {of} by {a}, {b}: {joined}{cites}"));
        }
        bound.actions.iter().for_each(|action| self.action(action));
        bound.awards.iter().for_each(|award| self.award(award));
        for phase in &bound.phases {
            self.line(format!("phase {}{}{}", phase.name, self.params(&phase.params), Self::cites(&phase.cites)));
            self.inside(|out| out.block(&phase.body));
        }
    }

    fn action(&mut self, action: &Action) {
        self.line(format!("action {}{}", action.name, Self::cites(&action.cites)));
        self.inside(|out| {
            for (local, within) in &action.params {
                let within = within.map(|within| format!(" in {}", out.expr(within))).unwrap_or_default();
                out.line(format!("param {}{within}", out.typed_local(*local)));
            }
            for price in &action.costs {
                let each = price.each.as_ref().map(|each| format!(" for {}", out.bind(each))).unwrap_or_default();
                out.line(format!("cost {}: {}{each}", out.expr(price.place), out.expr(price.amount)));
            }
            action.requirements.iter().for_each(|requirement| out.requirement(requirement));
            out.block(&action.effect);
        });
    }

    fn requirement(&mut self, requirement: &Requirement) {
        let after = if requirement.after { " after" } else { "" };
        let phrase = requirement.phrase.as_ref().map(|phrase| self.phrase(phrase)).unwrap_or_default();
        let (guard, condition) = (self.guard(requirement.guard), self.expr(requirement.condition));
        self.line(format!("require {}{guard}{after}: {condition} {phrase}", requirement.name));
    }

    fn award(&mut self, award: &Award) {
        let (by, pays) = (self.expr(award.by), self.exprs(&award.pays));
        let ties: Vec<String> =
            award.ties.iter().map(|(rule, guard)| format!("{rule:?}{}", self.guard(*guard))).collect();
        let alone: Vec<String> = award.alone.iter().map(|guard| format!(" alone all{}", self.guard(*guard))).collect();
        let (params, cites) = (self.params(&award.params), Self::cites(&award.cites));
        let (ties, alone) = (ties.join(", "), alone.concat());
        self.line(format!("award {}{params} by {by} pays {pays} ties {ties}{alone}{cites}", award.name));
    }

    pub(super) fn results(&mut self) {
        let bound = self.bound;
        if let Some(flow) = &bound.flow {
            self.line("flow");
            self.inside(|out| out.block(flow));
        }
        for score in &bound.scores {
            let (guard, body, cites) = (self.guard(score.guard), self.expr(score.body), Self::cites(&score.cites));
            self.line(format!("score({}){guard} = {body}{cites}", self.local(score.param)));
        }
        for winner in &bound.winners {
            let (guard, keys, cites) = (self.guard(winner.guard), self.exprs(&winner.keys), Self::cites(&winner.cites));
            self.line(format!("winner({}){guard} by {keys} ties {:?}{cites}", self.local(winner.param), winner.ties));
        }
        for invariant in &bound.invariants {
            let (guard, condition) = (self.guard(invariant.guard), self.expr(invariant.condition));
            self.line(format!("invariant {}{guard}: {condition}", invariant.name));
        }
        bound.views.iter().for_each(|view| self.view(view));
    }

    fn view(&mut self, view: &View) {
        self.line(format!("view({})", view.param.map(|cell| self.typed_local(cell)).unwrap_or_default()));
        self.inside(|out| {
            for slot in &view.slots {
                let each = slot.each.as_ref().map(|each| format!(" {}:", out.bind(each))).unwrap_or_default();
                for (part, condition) in &slot.parts {
                    let shown = match part {
                        ViewPart::Text(phrase) => out.phrase(phrase),
                        ViewPart::Value(value) => out.expr(*value),
                    };
                    let condition =
                        condition.map(|condition| format!(" where {}", out.expr(condition))).unwrap_or_default();
                    out.line(format!("{}{each} {shown}{condition}", slot.word));
                }
            }
        });
    }
}
