//! A log and rules that it was not written by.

use super::Log;
use crate::ast::ItemKind;
use crate::check::Checked;
use crate::load::{self, Candidates, Folder, Request, parts_of};
use crate::report::{Fault, Span, codes};

/// The log was written by other rules than those at hand, which have this hash and are called so.
pub(crate) fn other_rules((is, shown): (u64, &str), log: &Log) -> Option<Fault> {
    let was = log.rules?;
    (was != is).then(|| {
        Fault::new(&codes::OTHER_RULES, log.places.rules, "the log was written by other rules")
            .label(format!("the rules at hand have {is:016x}"))
            .help(format!("it is judged by `{shown}`; if all of it is legal, write the hash of these rules here"))
    })
}

/// The game that a log names, if it is another one than these rules play. A copy of a game has its title.
pub(crate) fn other_game(named: &str, by: &str, checked: &Checked) -> Option<String> {
    // A path is known by its last part.
    let named = &Candidates::of(named, None, &[]).name;
    let (base, _) = parts_of(named);
    let (rules, _) = parts_of(by);
    if base == rules || base == parts_of(&checked.bound.name).0 {
        return None;
    }
    let (own, theirs) = (title_of(by, true), title_of(named, false));
    (own.is_none() || own != theirs).then(|| named.to_owned())
}

/// The title of a game, without its variants. A log may name anything: what it names is read only if it is bundled.
fn title_of(ruleset: &str, is_ours: bool) -> Option<String> {
    let (base, _) = parts_of(ruleset);
    if !is_ours && Folder::bundled(base).is_none() {
        return None;
    }
    let loaded = load::load_rules(&Request { ruleset: ruleset.to_owned(), ..Request::default() });
    loaded.layers.iter().flat_map(|file| &file.items).find_map(|item| match &item.kind {
        ItemKind::Game { title, .. } => Some(loaded.sources.slice(title.span).to_owned()),
        _ => None,
    })
}

/// The warning about a log that names another game than the one of this title.
pub(crate) fn names_other_game(named: &str, title: &str, at: Span) -> Fault {
    Fault::new(&codes::OTHER_RULES, at, format!("the log names `{named}`, and is judged by {title}"))
        .label("another game")
        .help("leave out `--rules` to judge it by the game that it names")
}
