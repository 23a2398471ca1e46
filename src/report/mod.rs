//! Sources, spans, faults and how they are shown.

pub mod codes;
mod fault;
mod human;
mod machine;
mod source;
pub mod suggest;
pub mod xml;

pub use codes::{Code, Severity};
pub use fault::{Fault, settle};
pub use human::{Human, Style};
pub use machine::{Note, annotations, github, json, sarif, sarif_log, sarif_result, shortened};
pub use source::{FileId, Place, Source, Sources, Span};
