//! `ludex show`

use std::io;

use clap::{Args, ValueEnum};

use super::{Exit, Format, Output, RulesetArgs};
use crate::report::{Fault, settle};
use crate::{ast, bind, check, compile, load, machine};

/// What a stage made of a ruleset
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,

    /// Which stage
    #[arg(long, value_enum)]
    stage: Stage,

    /// Number of players; the fewest if not said
    #[arg(long, value_name = "N")]
    players: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The tree, names still text
    Ast,
    /// Every name resolved
    Bound,
    /// Every expression typed
    Checked,
    /// Compiled: the block, the pauses, the instructions
    Program,
}

pub(super) fn show(args: &ShowArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let loaded = load::load(&args.ruleset.changes.request(&args.ruleset.ruleset));
    let mut faults = loaded.faults.clone();
    let text = if args.stage == Stage::Ast {
        loaded.layers.iter().chain(&loaded.examples).map(ast::dump).collect()
    } else {
        let items = bind::effective(&loaded.layers, &mut faults);
        let sections = bind::sections(&items, &loaded.examples, &mut faults);
        let plain: Vec<&bind::Section<'_>> =
            sections.iter().filter(|section| section.settings.is_empty() && section.players == args.players).collect();
        let choice = bind::Choice { players: args.players, numbers: &loaded.numbers };
        let bound = bind::bind(&items, &plain, choice, &mut faults);
        let (fewest, most) = (bound.players.fewest, bound.players.most);
        if let Some(players) = args.players.filter(|players| !(fewest..=most).contains(players)) {
            output.failure(&format!("{players} cannot play this game"), &format!("{fewest} to {most} can"))?;
            return Ok(Exit::NoVerdict);
        }
        if args.stage == Stage::Bound {
            bind::dump(&bound)
        } else {
            let checked = check::check(bound, &mut faults);
            // What has errors is not compiled: see below.
            let sound = args.stage == Stage::Program && faults.iter().all(|fault| !fault.is_error());
            match sound.then(|| compile::compile(&checked)) {
                Some(Ok(program)) => machine::list(&program, &checked.bound),
                Some(Err(fault)) => {
                    faults.push(*fault);
                    String::new()
                }
                None if args.stage == Stage::Program => String::new(),
                None => check::dump(&checked),
            }
        }
    };
    faults.retain(Fault::is_error);
    settle(&mut faults);
    output.faults(&loaded.sources, &faults, 20)?;
    if loaded.layers.is_empty() {
        return Ok(Exit::NoVerdict);
    }
    match output.format {
        Format::Json => {
            let object = serde_json::json!({ "ludex": 1, "kind": "stage", "ruleset": loaded.name, "hash": format!("{:016x}", loaded.hash()), "text": text });
            output.line(object.to_string())?;
        }
        _ => output.result(text)?,
    }
    Ok(if faults.is_empty() { Exit::Fine } else { Exit::NoVerdict })
}
