//! Faults for people: miette's picture of the text, or one plain line each.

use std::fmt;
use std::ops::Range;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents,
};

use super::clean::{clean_line, steers};
use super::codes::Severity;
use super::fault::Fault;
use super::source::{FileId, Source, Sources, Span};

/// Lines longer than this are shown as an excerpt.
const LONGEST_LINE: usize = 200;

/// Texts with more bytes than this are not looked at as a whole.
const LONG_TEXT: usize = 1 << 16;

/// Places that are more lines apart have pictures of their own.
const FARTHEST: usize = 8;

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// With colours.
    Colour,
    /// Without.
    Plain,
}

/// Draws faults.
#[derive(Debug, Clone, Copy)]
pub struct Human<'a> {
    /// The texts they point into.
    pub sources: &'a Sources,
    /// How to draw.
    pub style: Style,
}

impl Human<'_> {
    /// One fault with the text it points to.
    #[must_use]
    pub fn draw(&self, fault: &Fault) -> String {
        let theme = match self.style {
            Style::Colour => GraphicalTheme::unicode(),
            Style::Plain => GraphicalTheme::unicode_nocolor(),
        };
        let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false).tab_width(4);
        let mut out = String::new();
        let shown = Shown::of(self.sources, fault);
        match handler.render_report(&mut out, &shown) {
            Ok(()) => out,
            Err(fmt::Error) => self.line(fault),
        }
    }

    /// One fault as lines that editors understand.
    #[must_use]
    pub fn line(&self, fault: &Fault) -> String {
        let mut out = format!(
            "{}: {}[{}]: {}\n",
            self.place(fault.span),
            fault.severity().word(),
            fault.code.id,
            clean(&fault.message)
        );
        for (span, label) in &fault.related {
            out += &format!("  {}: {}\n", self.place(*span), clean(label));
        }
        for citation in &fault.citations {
            out += &format!("  rulebook: {}\n", clean(citation));
        }
        for help in fault.help.iter().flat_map(|help| help.lines()) {
            out += &format!("  help: {}\n", clean(help));
        }
        out
    }

    fn place(&self, span: Span) -> String {
        match self.sources.get(span.file) {
            Some(source) => {
                let place = source.place_of(span.start);
                format!("{}:{}:{}", clean_line(source.name()), place.line, place.column)
            }
            None => "?".to_owned(),
        }
    }
}

/// A fault as miette wants it.
#[derive(Debug)]
struct Shown {
    message: String,
    code: &'static str,
    severity: Severity,
    help: Option<String>,
    excerpt: Option<Excerpt>,
    labels: Vec<LabeledSpan>,
    elsewhere: Vec<Shown>,
}

impl Shown {
    fn of(sources: &Sources, fault: &Fault) -> Self {
        let mut here = vec![(fault.span, fault.label.clone(), true)];
        let mut elsewhere = Vec::new();
        for (span, label) in &fault.related {
            if is_near(sources, *span, fault.span) {
                here.push((*span, label.clone(), false));
            } else {
                elsewhere.push(Self::note(sources, *span, label));
            }
        }
        let (excerpt, labels) = excerpt(sources, &here);
        let mut help = fault.help.clone();
        if !fault.citations.is_empty() {
            let cited = format!("rulebook: {}", fault.citations.join(", "));
            help = Some(help.map_or(cited.clone(), |help| format!("{help}\n{cited}")));
        }
        Self {
            message: clean(&fault.message),
            code: fault.code.id,
            severity: fault.severity(),
            help: help.map(|help| help.lines().map(clean).collect::<Vec<_>>().join("\n")),
            excerpt,
            labels,
            elsewhere,
        }
    }

    fn note(sources: &Sources, span: Span, label: &str) -> Self {
        let (excerpt, labels) = excerpt(sources, &[(span, label.to_owned(), true)]);
        Self {
            message: clean(label),
            code: "",
            severity: Severity::Warning,
            help: None,
            excerpt,
            labels,
            elsewhere: Vec::new(),
        }
    }
}

/// Do two places stand so close together that one picture shows both?
fn is_near(sources: &Sources, one: Span, other: Span) -> bool {
    let Some(source) = sources.get(one.file).filter(|_| one.file == other.file) else { return one.file == other.file };
    source.line_of(one.start).abs_diff(source.line_of(other.start)) <= FARTHEST
}

/// A text to show, with the number of lines that its file has before it.
#[derive(Debug)]
struct Excerpt {
    name: String,
    text: String,
    lines_before: usize,
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.text.read_span(span, before, after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            contents.data(),
            *contents.span(),
            self.lines_before + contents.line(),
            contents.column(),
            contents.line_count(),
        )))
    }
}

/// The text to show and where the labels lie in it.
fn excerpt(sources: &Sources, labels: &[(Span, String, bool)]) -> (Option<Excerpt>, Vec<LabeledSpan>) {
    let Some(source) = labels.first().and_then(|(span, ..)| sources.get(span.file)) else { return (None, Vec::new()) };
    let long = labels.iter().any(|(span, ..)| line_around(source, *span).len() > LONGEST_LINE);
    if long {
        return long_line(source, labels);
    }
    let around = around(source, labels);
    let named = Excerpt {
        name: clean_line(source.name()).into_owned(),
        text: clean_text(source.text().get(around.clone()).unwrap_or("")),
        lines_before: source.line_of(Span::new(FileId::default(), around.start, around.start).start) - 1,
    };
    let labels = labels.iter().map(|(span, label, primary)| {
        let range = span.range();
        let (start, length) = (range.start.min(source.text().len()), range.len());
        labelled(*primary, label, start - around.start, length)
    });
    (Some(named), labels.collect())
}

/// The part of a text that a picture is drawn from: of a long text only the lines with these places and some around
/// them.
fn around(source: &Source, labels: &[(Span, String, bool)]) -> Range<usize> {
    const LINES: usize = 3;
    let text = source.text();
    if text.len() <= LONG_TEXT {
        return 0..text.len();
    }
    let within = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let first = within(labels.iter().map(|(span, ..)| span.range().start).min().unwrap_or(0));
    let last = within(labels.iter().map(|(span, ..)| span.range().end).max().unwrap_or(0).max(first));
    let (before, after) = text.split_at(first);
    let start = before.rmatch_indices('\n').nth(LINES).map_or(0, |(at, _)| at + 1);
    let rest = after.get(last - first..).unwrap_or("");
    let end = rest.match_indices('\n').nth(LINES).map_or(text.len(), |(at, _)| last + at + 1);
    start..end
}

fn labelled(primary: bool, label: &str, start: usize, length: usize) -> LabeledSpan {
    let label = (!label.is_empty()).then(|| clean(label));
    if primary {
        LabeledSpan::new_primary_with_span(label, (start, length))
    } else {
        LabeledSpan::new_with_span(label, (start, length))
    }
}

fn line_around(source: &Source, span: Span) -> &str {
    let text = source.text();
    let start = span.range().start.min(text.len());
    let before = text.get(..start).and_then(|text| text.rfind('\n')).map_or(0, |at| at + 1);
    let after = text.get(start..).and_then(|text| text.find('\n')).map_or(text.len(), |at| start + at);
    text.get(before..after).unwrap_or("")
}

/// Only the neighbourhood of the first label.
fn long_line(source: &Source, labels: &[(Span, String, bool)]) -> (Option<Excerpt>, Vec<LabeledSpan>) {
    let Some((span, label, _)) = labels.first() else { return (None, Vec::new()) };
    let place = source.place_of(span.start);
    let text = source.text();
    let floor = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let start = span.range().start;
    let (from, to) = (floor(start.saturating_sub(60)), floor(start + 100));
    let piece: String = clean_text(text.get(from..to).unwrap_or("")).replace('\n', " ");
    let length = span.range().len().min(to.saturating_sub(start)).max(1);
    let name = format!("{} (line {}, from column {})", clean_line(source.name()), place.line, place.column);
    let named = Excerpt { name, text: piece, lines_before: 0 };
    (Some(named), vec![labelled(true, label, start - from, length)])
}

impl fmt::Display for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Shown {}

impl Diagnostic for Shown {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.code.is_empty()).then(|| Box::new(self.code) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            _ if self.code.is_empty() => miette::Severity::Advice,
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        (!self.elsewhere.is_empty())
            .then(|| Box::new(self.elsewhere.iter().map(|note| note as &dyn Diagnostic)) as Box<_>)
    }
}

/// A text on one line, without what could steer a terminal.
fn clean(text: &str) -> String {
    clean_line(&text.replace(['\n', '\t'], " ")).into_owned()
}

/// The text of an excerpt, in which everything must stay at its byte: harmless signs of the same length.
fn clean_text(text: &str) -> String {
    let harmless = |c: char| match c {
        '\n' | '\t' => c,
        '\r' => ' ',
        _ if !steers(c) => c,
        _ => match c.len_utf8() {
            1 => '.',
            2 => '\u{b7}',
            _ => '\u{fffd}',
        },
    };
    text.chars().map(harmless).collect()
}
