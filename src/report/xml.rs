//! XML, as far as build servers need it.

use super::clean::clean_line;

/// `<failure message="…">…</failure>`, below a case.
#[must_use]
pub fn element(word: &str, message: &str, text: &str) -> String {
    format!("      <{word} message=\"{}\">{}</{word}>\n", escape(&clean_line(message)), escape(text))
}

/// A text in XML, which knows no other control characters than these, however they are written.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(c),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
