//! `ludex completions`

use std::io;

use clap::Args;
use clap_complete::Shell;

use super::{Exit, Output, command};

/// Shell completion
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn completions(args: &CompletionsArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    // The generator panics on a closed pipe, so it writes into memory.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "ludex", &mut text);
    output.result(String::from_utf8_lossy(&text))?;
    Ok(Exit::Fine)
}
