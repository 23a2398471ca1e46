//! What to be careful about: games that failed, and agents that chose as chance would.

use super::markup::{Markup, Tag};
use super::number::{Form, Mark, Path};
use crate::simulate::report::{Failure, Games, Report, SeatFigures};

/// So many sets of games are shown with their failures, and so many with their warnings.
const MOST_SHOWN: usize = 5;

/// Everything of that kind, in all sets of games.
pub(super) fn cautions(report: &Report) -> Markup {
    let games = report.games();
    let mut all = Markup::default();
    let mut say = |notice: Tag| all.push(notice.class("notice").with("role", "note"));
    for games in games.iter().filter(|games| games.failures.games > 0).take(MOST_SHOWN) {
        say(failed(games));
    }
    let warned = games.iter().filter(|games| games.figures.is_some_and(|figures| !figures.warnings.is_empty()));
    for games in warned.take(MOST_SHOWN) {
        let seats = games.figures.map_or(&[][..], |figures| &figures.seats);
        for (number, seat) in seats.iter().enumerate().filter(|(_, seat)| seat.chooses_by_chance()) {
            say(by_chance(games, number, seat));
        }
    }
    all
}

fn path(games: &Games<'_>) -> Path {
    games.path.iter().fold(Path::default(), |path, key| path.to(key))
}

/// A notice that begins with what the games are called.
fn notice(games: &Games<'_>) -> Tag {
    let name = if games.name.is_empty() { String::new() } else { format!("{}: ", games.name) };
    Tag::new("div").text(name)
}

fn failed(games: &Games<'_>) -> Tag {
    let at = path(games).to("failures");
    let mut text = notice(games).add(Mark::count(&at.to("games"), games.failures.games)).text(" games failed");
    if let Some(figures) = games.figures {
        text =
            text.text(" beside ").add(Mark::count(&path(games).to("games"), figures.games)).text(" that were played");
    }
    text = text.text(". They ended with a runtime error and count for nothing else.");
    match &games.failures.first {
        Some(first) => text.add(error(first, &at.to("first"))),
        None => text,
    }
}

fn error(first: &Failure, at: &Path) -> Markup {
    let place = first.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
    let mut text = Tag::new("p")
        .text("The first is game ")
        .add(Mark::count(&at.to("game"), first.game))
        .text(", after ")
        .add(Mark::count(&at.to("entries"), first.entries))
        .text(format!(" entries: {}{place}.", first.message));
    let mut log = &first.log;
    if let Some(short) = first.shortest.as_ref().filter(|short| short.entries < first.entries) {
        let entries = Mark::count(&at.to("shortest").to("entries"), short.entries);
        text = text.text(" The shortest game found with this error has ").add(entries).text(" entries.");
        log = &short.log;
    }
    let log = Tag::new("details").add(Tag::new("summary").text("Its log")).add(Tag::new("pre").text(log));
    [Markup::from(text), Markup::from(log)].into_iter().collect()
}

fn by_chance(games: &Games<'_>, number: usize, seat: &SeatFigures) -> Tag {
    let at = path(games).to("seats").to(number);
    notice(games)
        .text(format!("{} as {} chose as chance would in ", seat.agent, seat.seat))
        .add(Mark::new(&at.to("by_chance_share"), seat.by_chance_share, Form::Share))
        .text(" of its ")
        .add(Mark::count(&at.to("choices"), seat.choices))
        .text(" decisions: it could not tell the options apart.")
}
