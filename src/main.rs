//! The `ludex` command: collects arguments, environment and streams, and hands them over.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use ludex::terminal::{self, Environment};

fn main() -> ExitCode {
    let environment = Environment {
        no_colour: std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
        force_colour: std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0"),
        stderr_is_terminal: io::stderr().is_terminal(),
    };
    terminal::run(std::env::args_os(), environment, &mut io::stdout().lock(), &mut io::stderr().lock()).into()
}
