//! `ludex list`

use std::io;

use clap::Args;

use super::check::plural;
use super::{Exit, Format, Output};
use crate::bind::{self, Choice};
use crate::load::{self, Folder, Request};

/// Bundled rulesets with variants, editions, player counts, examples and logs
#[derive(Debug, Args)]
pub(super) struct ListArgs {}

pub(super) fn list(_args: &ListArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    for name in Folder::bundled_names() {
        let loaded = load::load(&Request { ruleset: name.to_owned(), ..Request::default() });
        let mut faults = Vec::new();
        let items = bind::effective(&loaded.layers, &mut faults);
        let sections = bind::sections(&items, &loaded.examples, &mut faults);
        let bound = bind::bind(&items, &[], Choice { players: None, numbers: &loaded.numbers }, &mut faults);
        let variants = load::variants(name);
        let editions: Vec<&str> = bound.sources.iter().filter_map(|source| source.edition.as_deref()).collect();
        let mut titles: Vec<_> = sections.iter().map(|section| section.example.title.span).collect();
        titles.dedup();
        let logs = Folder::bundled(name).map_or(0, |folder| folder.files("logs").len());
        let (fewest, most) = (bound.players.fewest, bound.players.most);
        if output.format == Format::Json {
            let object = serde_json::json!({
                "ludex": 1, "kind": "ruleset", "name": name, "title": bound.title, "hash": format!("{:016x}", loaded.hash()),
                "players": { "fewest": fewest, "most": most }, "variants": variants, "editions": editions,
                "examples": titles.len(), "logs": logs,
            });
            output.line(object.to_string())?;
            continue;
        }
        let players = if fewest == most { most.to_string() } else { format!("{fewest}-{most}") };
        let mut line =
            format!("{name:<14}{:<22}{players:<5} players  {:<12}", bound.title, plural(titles.len(), "example"));
        if logs > 0 {
            line += &format!("  {}", plural(logs, "log"));
        }
        output.line(line.trim_end())?;
        for variant in variants {
            output.line(format!("  {name}:{variant}"))?;
        }
        for edition in editions {
            output.line(format!("  {name}:{edition} (edition)"))?;
        }
    }
    Ok(Exit::Fine)
}
