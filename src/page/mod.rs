//! A report as one page: HTML with drawings in SVG, for people who do not sit at a terminal.
//!
//! A page needs nothing but itself: no network, no scripts, no fonts. It has no date, so that the same report gives the
//! same page. Its numbers are marked with where they stand in the report (`number.rs`), which is part of the page.

mod actions;
mod canvas;
mod cautions;
mod comparison;
mod curve;
mod figure;
mod figures;
mod frame;
mod histogram;
mod markup;
mod number;
mod rows;
mod scale;
mod sensitivity;
mod sources;
mod sweep;
mod table;

use cautions::cautions;
use figures::{sections, tiles};
use frame::{facts, foot, head, notices};
use markup::{Markup, Tag, data_block};
use number::Path;

use crate::simulate::report::{Figures, Report};

/// The page of a report, from what was worked out of it (`Report::derive`).
pub fn page(report: &Report) -> serde_json::Result<String> {
    let json = serde_json::to_string(report)?;
    let root = Path::default();
    let (body, base) = match report {
        Report::Simulation(report) => {
            let body = [tiles(&report.figures, &root), sections(&report.figures, &root)];
            (body.into_iter().collect(), &report.figures)
        }
        Report::Comparison(report) => (comparison::sections(report), &report.base),
        Report::Sweep(report) => (sweep::sections(report), &report.base),
        Report::Sensitivity(report) => (sensitivity::sections(report), &report.base),
    };
    let at = if matches!(report, Report::Simulation(_)) { root } else { root.to("base") };
    let main = Tag::new("main").add(notices(report.head(), base, &at)).add(cautions(report)).add(body);
    let page = Tag::new("body")
        .add(Tag::new("header").add(head(report)).add(facts(report, base, &at)))
        .add(main)
        .add(foot(report, base, &at))
        .add(data_block(&json));
    let html: Markup = Tag::new("html").with("lang", "en").add(frame::unseen(report.head())).add(page).into();
    Ok(format!("<!DOCTYPE html>\n{html}"))
}

/// Everything about one set of games, folded up.
fn folded(title: &str, figures: &Figures, at: &Path) -> Markup {
    let details = Tag::new("details").class("whole").add(Tag::new("summary").text(title));
    details.add(tiles(figures, at)).add(sections(figures, at)).into()
}

#[cfg(test)]
mod tests;
