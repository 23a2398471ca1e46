//! XML, as far as build servers need it.

use super::clean::clean_line;

/// `<failure message="…">…</failure>`, below a case.
#[must_use]
pub fn element(word: &str, message: &str, text: &str) -> String {
    format!("      <{word} message=\"{}\">{}</{word}>\n", escape(&clean_line(message)), escape(text))
}

/// A whole document that says one thing: a command came to an end before it had a verdict on anything.
#[must_use]
pub fn alone(name: &str, message: &str, help: Option<&str>) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ludex\">\n  <testsuite name=\"ludex\" tests=\"1\" \
         failures=\"0\" errors=\"1\">\n    <testcase name=\"{}\">\n{}    </testcase>\n  </testsuite>\n</testsuites>\n",
        escape(name),
        element("error", message, help.unwrap_or(""))
    )
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
