//! What a ruleset is called in logs.

use super::loader::{Loaded, parts_of};
use crate::ast::{File, ItemKind};

impl Loaded {
    /// What logs call this ruleset: the name in its rules, then its variants and editions; never a path.
    #[must_use]
    pub fn log_name(&self) -> String {
        let item = |file: &File| file.items.first().map(|item| item.kind.clone());
        let game = self.layers.iter().find_map(|file| match item(file) {
            Some(ItemKind::Game { name, .. }) => Some(name.text),
            _ => None,
        });
        let (base, parts) = parts_of(&self.name);
        let parts: Vec<&str> = self.variant_file.as_deref().into_iter().chain(parts).collect();
        let base = game.unwrap_or_else(|| base.to_owned());
        if parts.is_empty() { base } else { format!("{base}:{}", parts.join("+")) }
    }
}
