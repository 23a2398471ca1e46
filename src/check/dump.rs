//! The checked ruleset as text, for `show --stage checked` and snapshots: the bound one with its types.

use super::Checked;

/// The whole ruleset with types.
#[must_use]
pub fn dump(checked: &Checked) -> String {
    crate::bind::dump_typed(&checked.bound, Some((&checked.types, &checked.locals)))
}
