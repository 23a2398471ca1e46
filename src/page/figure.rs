//! A drawing with everything that belongs to it: a title, how to read it, what the colours mean, and its numbers.

use super::markup::{Markup, Tag};
use super::table::Table;

/// A drawing on its way to the page.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    title: String,
    /// One sentence.
    aid: String,
    drawing: Markup,
    /// A class of the sample, and what it means.
    key: Vec<(&'static str, String)>,
    tables: Vec<Table>,
}

impl Figure {
    pub(super) fn new(title: impl Into<String>, aid: impl Into<String>, drawing: impl Into<Markup>) -> Self {
        let (title, aid, drawing) = (title.into(), aid.into(), drawing.into());
        Self { title, aid, drawing, key: Vec::new(), tables: Vec::new() }
    }

    /// What a colour means.
    pub(super) fn key(mut self, class: &'static str, text: impl Into<String>) -> Self {
        self.key.push((class, text.into()));
        self
    }

    /// Its numbers.
    pub(super) fn table(mut self, table: Table) -> Self {
        self.tables.push(table);
        self
    }
}

impl From<Figure> for Markup {
    fn from(Figure { title, aid, drawing, key, tables }: Figure) -> Self {
        let mut figure = Tag::new("figure").class(if drawing.is_empty() { "full" } else { "" });
        let head = Tag::new("h3").text(title);
        let aid = Tag::new("p").class("aid").text(aid);
        figure = figure.add(Tag::new("figcaption").add(head).add(aid));
        if !key.is_empty() {
            let samples = key.into_iter().map(|(class, text)| {
                Tag::new("li").add(Tag::new("i").with("class", format!("sample {class}"))).text(text)
            });
            figure = figure.add(Tag::new("ul").class("key").all(samples));
        }
        let drawn = !drawing.is_empty();
        figure = figure.add(drawing);
        let tables: Vec<Table> = tables.into_iter().filter(|table| !table.is_empty()).collect();
        if !tables.is_empty() {
            let mut details = Tag::new("details");
            if !drawn {
                details = details.with("open", "");
            }
            figure = figure.add(details.add(Tag::new("summary").text("Numbers")).all(tables));
        }
        figure.into()
    }
}
