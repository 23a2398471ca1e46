//! Texts of strangers, made harmless for a terminal.
//!
//! A ruleset, a log or the name of a file may hold characters that steer a terminal, turn the direction of a line, or
//! begin another one. They are shown in a visible form, never as they are.

use std::borrow::Cow;
use std::path::Path;

/// How a character is written that must not be shown as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// `\u{1b}`, for people.
    Braces,
    /// `\u001b`, inside of a JSON string.
    Json,
}

/// Does this character steer a terminal, or change how others are laid out? Line ends and tabs are among them.
#[must_use]
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text of several lines: line ends and tabs stay.
#[must_use]
pub fn clean_lines(text: &str, escape: Escape) -> Cow<'_, str> {
    clean(text, escape, |c| steers(c) && !matches!(c, '\n' | '\t'))
}

/// A text on one line.
#[must_use]
pub fn clean_line(text: &str) -> Cow<'_, str> {
    clean(text, Escape::Braces, steers)
}

/// The name of a file, on one line.
#[must_use]
pub fn clean_path(path: &Path) -> String {
    clean_line(&path.to_string_lossy()).into_owned()
}

fn clean(text: &str, escape: Escape, is_harmful: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Nearly every text is harmless, and most bytes are plain letters.
    if text.bytes().all(|byte| (b' '..0x7f).contains(&byte)) || !text.chars().any(&is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match (is_harmful(c), escape) {
            (false, _) => out.push(c),
            (true, Escape::Braces) => out.extend(c.escape_unicode()),
            (true, Escape::Json) => out += &format!("\\u{:04x}", u32::from(c)),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown_in_a_visible_form() {
        let hostile = "a\u{1b}[31m\u{7f}\u{9b}\u{202e}\u{2066}\u{2028}\r\nb\tc";
        let lines = clean_lines(hostile, Escape::Braces);
        assert_eq!(lines, "a\\u{1b}[31m\\u{7f}\\u{9b}\\u{202e}\\u{2066}\\u{2028}\\u{d}\nb\tc");
        assert_eq!(clean_line("a\nb\tc"), "a\\u{a}b\\u{9}c");
        assert_eq!(clean_lines("\"\u{202e}\"", Escape::Json), "\"\\u202e\"");
        assert!(matches!(clean_lines("plain: Größe → 4\n", Escape::Braces), Cow::Borrowed(_)));
    }
}
