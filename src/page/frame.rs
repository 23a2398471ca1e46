//! What stands around the drawings: title, what was asked for, what to be careful about, and how to make it again.

use super::markup::{Markup, Tag, style};
use super::number::{Form, Mark, Path};
use crate::simulate::report::{Figures, Head, Report};

/// Nothing may be fetched or executed; the browser is told so as well.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The part of the page that is not seen.
pub(super) fn unseen(head: &Head) -> Markup {
    Tag::new("head")
        .add(Tag::new("meta").with("charset", "utf-8"))
        .add(Tag::new("meta").with("name", "viewport").with("content", "width=device-width, initial-scale=1"))
        .add(Tag::new("meta").with("http-equiv", "Content-Security-Policy").with("content", POLICY))
        .add(Tag::new("meta").with("name", "color-scheme").with("content", "light dark"))
        .add(Tag::new("meta").with("name", "generator").with("content", format!("ludex {}", head.version)))
        // Browsers would ask for one otherwise.
        .add(Tag::new("link").with("rel", "icon").with("href", "data:,"))
        .add(Tag::new("title").text(format!("{}: {} games", head.title, head.asked.games)))
        .add(style(include_str!("style.css")))
        .into()
}

/// What this is about.
pub(super) fn head(report: &Report) -> Markup {
    let (kind, change) = match report {
        Report::Simulation(_) => ("Simulation", String::new()),
        Report::Comparison(report) => {
            let overlays = report.change.overlays.iter().map(|overlay| overlay.file.clone());
            let change: Vec<String> = report.change.settings.iter().cloned().chain(overlays).collect();
            ("Comparison", format!("with {}, beside the same games without", change.join(", ")))
        }
        Report::Sweep(report) => ("Sweep", format!("of {}, which is {} as it is", report.key, report.value)),
        Report::Sensitivity(_) => ("Sensitivity", "to every number, one down and one up".to_owned()),
    };
    let mut all = Markup::default();
    all.push(Tag::new("p").class("kind").text(kind));
    all.push(Tag::new("h1").text(&report.head().title));
    if !change.is_empty() {
        all.push(Tag::new("p").class("change").text(change));
    }
    if let Some(about) = about(report) {
        all.push(Tag::new("p").class("about").text(format!("About {about}; others may play otherwise.")));
    }
    all
}

/// Who statements are about.
fn about(report: &Report) -> Option<String> {
    let about = match report {
        Report::Simulation(_) => return None,
        Report::Comparison(report) => &report.about,
        Report::Sweep(report) => &report.about,
        Report::Sensitivity(report) => &report.about,
    };
    Some(about.replace('`', ""))
}

fn fact(name: &str, value: impl Into<Markup>) -> Tag {
    Tag::new("div").add(Tag::new("dt").text(name)).add(Tag::new("dd").add(value))
}

/// What was asked for.
pub(super) fn facts(report: &Report, base: &Figures, at: &Path) -> Markup {
    let head = report.head();
    let root = Path::default();
    let code = |text: &str| Markup::from(Tag::new("code").text(text));
    let list = |texts: &[String]| if texts.is_empty() { "none".to_owned() } else { texts.join(", ") };
    let mut agents: Vec<String> = Vec::new();
    for (number, agent) in head.agents.iter().enumerate() {
        let seat = base.seats.get(number).map_or("", |seat| seat.seat.as_str());
        agents.push(format!("{seat}: {agent}"));
    }
    let alike = head.agents.first().filter(|first| head.agents.iter().all(|agent| agent == *first));
    let agents = alike.map_or_else(|| agents.join(", "), |agent| format!("{agent} in every seat"));
    let mut facts = vec![
        fact("ruleset", code(&head.ruleset)),
        fact("rules", code(&head.hash)),
        fact("settings", Markup::text(list(&head.settings))),
    ];
    if !head.overlays.is_empty() {
        let overlays: Vec<String> =
            head.overlays.iter().map(|overlay| format!("{} ({})", overlay.file, overlay.hash)).collect();
        facts.push(fact("overlays", Markup::text(overlays.join(", "))));
    }
    facts.extend([
        fact("players", Mark::count(&root.to("players"), head.players)),
        fact("agents", Markup::text(agents)),
        fact("games", Mark::count(&at.to("games"), base.games)),
        fact("seed", code(&head.seed)),
    ]);
    if let Some(shard) = head.shard {
        let path = root.to("shard");
        let mut text = Markup::from(Mark::count(&path.to("index"), shard.index));
        text.push(Markup::text(" of "));
        text.push(Mark::count(&path.to("of"), shard.of));
        facts.push(fact("shard", text));
    }
    if let Some(statements) = statements(report) {
        facts.push(fact("statements", Mark::count(&root.to("statements"), statements)));
    }
    Tag::new("dl").class("facts").all(facts).into()
}

fn statements(report: &Report) -> Option<u64> {
    match report {
        Report::Simulation(_) => None,
        Report::Comparison(report) => Some(report.statements),
        Report::Sweep(report) => Some(report.statements),
        Report::Sensitivity(report) => Some(report.statements),
    }
}

/// What to know before anything is read.
pub(super) fn notices(head: &Head, base: &Figures, at: &Path) -> Markup {
    let root = Path::default();
    let mut all = Markup::default();
    let mut say = |notice: Tag| all.push(notice.class("notice").with("role", "note"));
    if head.interrupted {
        let asked = Mark::count(&root.to("asked").to("games"), head.asked.games);
        say(Tag::new("p")
            .text("Interrupted: this is what came of the first games, of ")
            .add(asked)
            .text(" asked for."));
    }
    if head.shard.is_some() {
        say(Tag::new("p").text("One shard only: “ludex report merge” puts all of them together."));
    }
    if base.finished() == 0 {
        say(Tag::new("p").text("No game ended, so nobody won and there are no scores, lengths or margins."));
    } else if base.unfinished > 0 {
        let text = Tag::new("p")
            .add(Mark::count(&at.to("unfinished"), base.unfinished))
            .text(" of ")
            .add(Mark::count(&at.to("games"), base.games))
            .text(" games were cut off after ")
            .add(Mark::count(&root.to("asked").to("most_entries"), head.asked.most_entries))
            .text(" entries; lengths, scores, wins and margins are of the others.");
        say(text);
    }
    all
}

/// How it was made, and what intervals mean.
pub(super) fn foot(report: &Report, base: &Figures, at: &Path) -> Markup {
    let head = report.head();
    let root = Path::default();
    let confidence = || Mark::new(&root.to("confidence"), Some(head.confidence), Form::Share);
    let mut reading =
        Tag::new("p").text("Intervals contain what they are for in ").add(confidence()).text(" of cases.");
    if let Some(statements) = statements(report) {
        reading = reading
            .text(" Adjusted ones are wider, so that all ")
            .add(Mark::count(&root.to("statements"), statements))
            .text(" statements of this report hold together in as many; what is said to differ does so by these.");
    }
    let how = Tag::new("p")
        .text("Looked at closely: ")
        .add(Mark::count(&at.to("look").to("games"), base.look.games))
        .text(" games")
        .add(skipped(base, at))
        .text(". A game is cut off after ")
        .add(Mark::count(&root.to("asked").to("most_entries"), head.asked.most_entries))
        .text(if head.invariants_checked {
            " entries. Invariants were checked after every entry."
        } else {
            " entries."
        });
    let line = head.command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    Tag::new("footer")
        .add(Tag::new("h2").text("About this page"))
        .add(reading)
        .add(how)
        .add(Tag::new("p").text("Made by:"))
        .add(Tag::new("p").add(Tag::new("code").class("command").text(line)))
        .add(facts(report, base, at))
        .add(Tag::new("p").text(format!("Ludex {}. The report itself is part of this page, as JSON.", head.version)))
        .into()
}

/// How many games were not looked at because that is too much work.
fn skipped(base: &Figures, at: &Path) -> Markup {
    if base.look.skipped == 0 {
        return Markup::default();
    }
    let mut text = Markup::text("; for ");
    text.push(Mark::count(&at.to("look").to("skipped"), base.look.skipped));
    text.push(Markup::text(" more there was too much work"));
    text
}

/// A word of a command line, as a shell would take it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
