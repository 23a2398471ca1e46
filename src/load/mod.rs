//! A ruleset's name → its files, parsed: rules by layer, examples, and the numbers laid over each other.

mod edition;
mod find;
mod folder;
mod hash;
mod loader;
mod lookup;
mod name;
mod setting;
mod texts;

pub use edition::names as editions;
pub use find::{folder_of, is_path, variants};
pub use folder::{Folder, Trouble, read_text, text_of};
pub use hash::text_hash;
pub use loader::{Loaded, Request, load, load_changed, load_rules, parts_of};
pub use lookup::{Candidate, Candidates, Location};

#[cfg(test)]
mod tests;
