//! HTML and SVG that cannot be ill-formed: text gets in escaped, and every tag that is opened is closed.

use std::fmt::{self, Display, Write};

use crate::report::{Escape, clean_lines, steers};

/// A piece of a page: well-formed as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Markup(String);

impl Markup {
    /// Text, with everything that HTML would take for its own made harmless.
    pub(super) fn text(text: impl Display) -> Self {
        Self(escaped(&text.to_string()))
    }

    /// Another piece after this one.
    pub(super) fn push(&mut self, more: impl Into<Self>) {
        self.0.push_str(&more.into().0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromIterator<Markup> for Markup {
    fn from_iter<I: IntoIterator<Item = Self>>(pieces: I) -> Self {
        let mut all = Self::default();
        pieces.into_iter().for_each(|piece| all.push(piece));
        all
    }
}

/// An element that is being put together.
#[derive(Debug, Clone)]
pub(super) struct Tag {
    name: &'static str,
    attributes: String,
    inside: Markup,
}

impl Tag {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, attributes: String::new(), inside: Markup::default() }
    }

    /// An attribute. Its name is ours, its value may be anybody's.
    pub(super) fn with(mut self, name: &'static str, value: impl Display) -> Self {
        // A text can always be written to.
        let _ = write!(self.attributes, " {name}=\"{}\"", escaped(&value.to_string()));
        self
    }

    pub(super) fn class(self, class: &'static str) -> Self {
        if class.is_empty() { self } else { self.with("class", class) }
    }

    /// Text in it.
    pub(super) fn text(mut self, text: impl Display) -> Self {
        self.inside.push(Markup::text(text));
        self
    }

    /// A piece in it.
    pub(super) fn add(mut self, piece: impl Into<Markup>) -> Self {
        self.inside.push(piece);
        self
    }

    /// Pieces in it.
    pub(super) fn all<P: Into<Markup>>(mut self, pieces: impl IntoIterator<Item = P>) -> Self {
        pieces.into_iter().for_each(|piece| self.inside.push(piece));
        self
    }
}

impl From<Tag> for Markup {
    fn from(Tag { name, attributes, inside }: Tag) -> Self {
        let end = if is_line(name) { "\n" } else { "" };
        if is_empty(name) {
            return Self(format!("<{name}{attributes}>{end}"));
        }
        let begin = if is_block(name) { "\n" } else { "" };
        Self(format!("<{name}{attributes}>{begin}{inside}</{name}>{end}"))
    }
}

/// Elements that HTML never closes.
fn is_empty(name: &str) -> bool {
    matches!(name, "meta" | "link" | "br")
}

/// Elements that hold others on lines of their own, where blanks mean nothing.
fn is_block(name: &str) -> bool {
    matches!(
        name,
        "html"
            | "head"
            | "body"
            | "header"
            | "main"
            | "footer"
            | "section"
            | "div"
            | "figure"
            | "details"
            | "svg"
            | "g"
            | "table"
            | "thead"
            | "tbody"
            | "dl"
            | "ul"
    )
}

/// Elements after which a line ends.
fn is_line(name: &str) -> bool {
    is_block(name)
        || matches!(
            name,
            "meta"
                | "link"
                | "title"
                | "h1"
                | "h2"
                | "h3"
                | "p"
                | "tr"
                | "li"
                | "dt"
                | "dd"
                | "summary"
                | "figcaption"
                | "caption"
                | "rect"
                | "line"
                | "path"
                | "circle"
                | "text"
                | "script"
                | "style"
        )
}

/// Signs that HTML knows, and those that a browser does not take at all.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            // Also directions that a name might turn the rest of its line into.
            sign if steers(sign) => out.push('\u{fffd}'),
            sign => out.push(sign),
        }
    }
    out
}

/// JSON for a `script` element that nothing executes. No `<` is in it, so that nothing in it can end the element.
pub(super) fn data_block(json: &str) -> Markup {
    let mut safe = String::with_capacity(json.len());
    for sign in clean_lines(json, Escape::Json).chars() {
        match sign {
            '<' => safe.push_str("\\u003c"),
            '>' => safe.push_str("\\u003e"),
            '&' => safe.push_str("\\u0026"),
            sign => safe.push(sign),
        }
    }
    Markup(format!("<script type=\"application/json\" id=\"report\">{safe}</script>\n"))
}

/// The style sheet, which is ours.
pub(super) fn style(css: &'static str) -> Markup {
    Markup(format!("<style>\n{css}</style>\n"))
}
