//! Rules that give points, by name, and the rule that a statement belongs to.

use crate::bind::walk::each_statement;
use crate::bind::{ActionId, AwardId, Block, Bound, Citation, DefId, PhaseId, StateId};
use crate::internal::exact;
use crate::report::Span;

/// A rule that points can come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleId {
    /// The score that applies, by its place in the ruleset.
    Score(usize),
    /// A definition.
    Def(DefId),
    /// An award.
    Award(AwardId),
    /// A phase.
    Phase(PhaseId),
    /// An action.
    Action(ActionId),
    /// A state, for what it begins with.
    State(StateId),
    /// The flow itself.
    Flow,
}

/// The same, as it is told.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule<'c> {
    /// `award`, `phase`, …
    pub kind: &'static str,
    /// Its name.
    pub name: &'c str,
    /// What it is, in the words of the ruleset.
    pub title: Option<&'c str>,
    /// Passages of the rulebook.
    pub cites: &'c [Citation],
    /// Its name in the rules; nothing for the flow, which has none.
    pub span: Option<Span>,
}

impl RuleId {
    /// What there is to tell of a rule.
    #[must_use]
    pub fn rule(self, bound: &Bound) -> Rule<'_> {
        match self {
            Self::Score(at) => {
                let score = bound.scores.get(at);
                Rule {
                    kind: "score",
                    name: "score",
                    title: None,
                    cites: score.map_or(&[], |score| &score.cites),
                    span: score.map(|score| score.span),
                }
            }
            Self::Def(id) => {
                let def = bound.def(id);
                Rule { kind: "definition", name: &def.name, title: None, cites: &def.cites, span: Some(def.span) }
            }
            Self::Award(id) => {
                let award = bound.award(id);
                Rule {
                    kind: "award",
                    name: &award.name,
                    title: award.title.as_deref(),
                    cites: &award.cites,
                    span: Some(award.span),
                }
            }
            Self::Phase(id) => {
                let phase = bound.phase(id);
                Rule {
                    kind: "phase",
                    name: &phase.name,
                    title: phase.title.as_deref(),
                    cites: &phase.cites,
                    span: Some(phase.span),
                }
            }
            Self::Action(id) => {
                let action = bound.action(id);
                Rule {
                    kind: "action",
                    name: &action.name,
                    title: action.title.as_deref(),
                    cites: &action.cites,
                    span: Some(action.span),
                }
            }
            Self::State(id) => {
                let state = bound.state(id);
                Rule { kind: "state", name: &state.name, title: None, cites: &[], span: Some(state.span) }
            }
            Self::Flow => Rule { kind: "flow", name: "flow", title: None, cites: &[], span: None },
        }
    }
}

/// The rule whose statement or cost stands here.
pub(super) fn rule_at(bound: &Bound, span: Span) -> RuleId {
    let within = |outer: Span| outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
    let holds = |block: &Block| {
        let mut found = false;
        each_statement(block, &mut |_, statement| found |= within(statement));
        found
    };
    let phase = bound.phases.iter().position(|phase| holds(&phase.body));
    let action = bound.actions.iter().position(|action| {
        holds(&action.effect) || action.costs.iter().any(|price| within(bound.expr(price.place).span))
    });
    let id = |at: usize| exact::<_, u32>(at);
    match (phase, action) {
        (Some(at), _) => RuleId::Phase(PhaseId(id(at))),
        (None, Some(at)) => RuleId::Action(ActionId(id(at))),
        (None, None) => RuleId::Flow,
    }
}
