//! Survivors that the author knows about: `# allow test::mutant: reason`.
//!
//! The comment speaks of all survivors of its line. With a kind, `# allow test::mutant::comparison: reason`, it speaks
//! only of those of that kind.

use super::{Fate, Mutant};
use crate::check::{Allowed, allowed};
use crate::load::Loaded;
use crate::report::Span;

/// The code that a comment allows.
pub const CODE: &str = "test::mutant";

/// Makes survivors allowed that a comment speaks of. Returns the comments that allow nothing.
pub fn allow(loaded: &Loaded, mutants: &[Mutant], fates: &mut [Fate]) -> Vec<Span> {
    let line = |span: Span| loaded.sources.get(span.file).map_or(0, |source| source.line_of(span.start));
    let mut comments: Vec<(Allowed, bool)> =
        allowed(loaded, CODE).into_iter().map(|allowed| (allowed, false)).collect();
    for (mutant, fate) in mutants.iter().zip(fates) {
        if !matches!(fate, Fate::Survived(_)) {
            continue;
        }
        let of_kind = format!("{CODE}::{}", mutant.kind);
        let speaks_of = |(allowed, _): &&mut (Allowed, bool)| {
            (allowed.code == CODE || allowed.code == of_kind)
                && allowed.file == mutant.span.file
                && allowed.line == line(mutant.span)
        };
        if let Some((allowed, used)) = comments.iter_mut().find(speaks_of) {
            *used = true;
            *fate = Fate::Allowed(allowed.reason.clone());
        }
    }
    let idle = comments.into_iter().filter(|(allowed, used)| !used && loaded.is_own(allowed.file));
    idle.map(|(allowed, _)| allowed.span).collect()
}
