//! Sources, spans, faults and how they are shown.

mod clean;
pub mod codes;
mod fault;
mod human;
mod machine;
mod source;
pub mod suggest;
pub mod xml;

pub use clean::{Escape, clean_line, clean_lines, clean_path, steers};
pub use codes::{Code, Severity};
pub use fault::{Fault, settle};
pub use human::{Human, Style};
pub use machine::{ANNOTATIONS, Note, annotations, github, json, sarif, sarif_log, sarif_result, shortened};
pub use source::{FileId, Place, Source, Sources, Span};
