//! Sources and citations.

use super::binder::Binder;
use super::model::{Citation, Source};
use crate::ast;
use crate::numbers::NodeKind;
use crate::report::codes;

impl Binder<'_> {
    /// Reads `[source.KEY]` from the TOML.
    pub(super) fn declare_sources(&mut self) {
        let Some(node) = self.choice.numbers.get("source") else { return };
        let NodeKind::Table(sources) = &node.kind else {
            self.wrong_node(node, "a table for each source");
            return;
        };
        for (key, node) in &sources.entries {
            let NodeKind::Table(lines) = &node.kind else {
                self.wrong_node(node, "a table with a title");
                continue;
            };
            let text = |name: &str| match lines.get(name).map(|node| &node.kind) {
                Some(NodeKind::Text(text)) => Some(text.clone()),
                _ => None,
            };
            for (name, line) in &lines.entries {
                let known: Vec<String> =
                    ["title", "edition", "publisher", "year", "language"].map(str::to_owned).to_vec();
                if !known.contains(name) {
                    let message = format!("a source has no `{name}`");
                    let way_out = format!("it may have: {}", known.join(", "));
                    self.misspelt(&codes::UNKNOWN_KEY, name, line.key, message, &known, &way_out);
                }
            }
            let Some(title) = text("title") else {
                self.fault(
                    crate::report::Fault::new(
                        &codes::MISSING_KEY,
                        node.key,
                        format!("the source `{key}` has no title"),
                    )
                    .label("a title is needed")
                    .help("add `title = \"…\"`"),
                );
                continue;
            };
            self.bound.sources.push(Source { key: key.clone(), title, edition: text("edition"), span: node.key });
        }
    }

    /// Citations with known sources; unknown ones are reported and dropped.
    pub(super) fn citations(&mut self, cites: &[ast::Cite]) -> Vec<Citation> {
        let mut found = Vec::new();
        for cite in cites {
            found.extend(self.citation(&cite.source, cite.page, cite.section.as_ref()));
        }
        found
    }

    pub(super) fn citation(
        &mut self,
        source: &ast::Name,
        page: Option<i64>,
        section: Option<&ast::Text>,
    ) -> Option<Citation> {
        if self.bound.sources.iter().any(|known| known.key == source.text) {
            return Some(Citation { source: source.text.clone(), page, section: section.map(ast::Text::plain) });
        }
        let known: Vec<String> = self.bound.sources.iter().map(|source| source.key.clone()).collect();
        let message = format!("unknown source `{}`", source.text);
        let way_out = format!("declare it in the TOML: `[source.{}]` with a title", source.text);
        self.misspelt(&codes::UNKNOWN_SOURCE, &source.text, source.span, message, &known, &way_out);
        None
    }
}
