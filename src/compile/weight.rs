//! How much work an expression is, roughly: what decides whether loops and definitions are written out.

use super::compiler::Compiler;
use crate::bind::walk::parts;
use crate::bind::{Expr, ExprId};

/// More than this is all the same.
const MOST: u64 = 1 << 40;

/// What a variable runs over, if nothing better is known.
const SOME: u64 = 8;

impl Compiler<'_> {
    /// Roughly how many instructions an expression is made of, all loops written out.
    pub(super) fn weight(&mut self, id: ExprId) -> u64 {
        if let Some(&known) = self.weights.get(&id) {
            return known;
        }
        let kind = &self.bound.expr(id).kind;
        let mut weight: u64 = 1;
        match kind {
            Expr::Aggregate(_, binds, body, by) => {
                let mut inner: u64 = 1;
                for &part in body.iter().chain(by) {
                    inner = inner.saturating_add(self.weight(part));
                }
                for bind in binds.iter().rev() {
                    inner = inner.saturating_add(bind.condition.map_or(0, |condition| self.weight(condition)));
                    inner = inner.saturating_mul(self.run_length(bind).unwrap_or(SOME));
                    inner = inner.saturating_add(self.weight(bind.domain));
                }
                weight = weight.saturating_add(inner);
            }
            _ => {
                for part in parts(kind) {
                    weight = weight.saturating_add(self.weight(part));
                }
            }
        }
        match kind {
            Expr::Def(def, _) => weight = weight.saturating_add(self.weight(self.bound.def(*def).body)),
            Expr::Award(award, _) => {
                let award = self.bound.award(*award);
                let claimants = award.params.last().map_or(1, |param| self.types().size(self.local_type(*param)));
                weight = weight.saturating_add(self.weight(award.by).saturating_mul(claimants));
                for &pays in &award.pays {
                    weight = weight.saturating_add(self.weight(pays));
                }
            }
            Expr::Score(_) => weight = weight.saturating_add(1000),
            _ => {}
        }
        let weight = weight.min(MOST);
        self.weights.insert(id, weight);
        weight
    }
}
