//! Text → tree. Names are still text; every node knows its place; pest does not leave this folder.
//!
//! Parsing never fails as a whole: what could be read is in the [`File`], what could not is in the
//! faults. The grammar (`grammar/ludex.pest`) is permissive on purpose. Which slots an item needs, and
//! which statements belong where, is decided while binding, where many faults can be reported at once.

mod dump;
mod entry_line;
mod example;
mod examples_from_pairs;
mod expected;
mod expr;
mod expr_from_pairs;
mod from_pairs;
mod items;
mod nesting;
mod nodes;
mod pairs;
mod statement;
mod statements_from_pairs;
mod types_from_pairs;

pub use dump::{dump, dump_expr, dump_type};
pub use entry_line::parse_entry;
pub use example::*;
pub use expr::*;
#[cfg(test)]
pub(crate) use items::rules_in;
pub(crate) use items::too_many_items;
pub use nodes::*;
pub use statement::*;

use crate::report::{Fault, FileId, Source};

/// Parses one file.
pub fn parse(file: FileId, source: &Source, faults: &mut Vec<Fault>) -> File {
    items::parse(file, source, faults)
}
