//! The `ludex` command: collects arguments, environment and streams, and hands them over.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufReader, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludex::terminal::{self, Environment};
use ludex::{internal, machine};

fn main() -> ExitCode {
    if !cfg!(debug_assertions) {
        internal::note_panics();
    }
    if std::env::var_os("LUDEX_NATIVE").is_some_and(|value| value == "off") {
        machine::use_only_instructions();
    }
    let environment = Environment {
        no_colour: std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
        force_colour: std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0"),
        stderr_is_terminal: io::stderr().is_terminal(),
        stdout_is_terminal: io::stdout().is_terminal(),
        rules_path: std::env::var_os("LUDEX_PATH")
            .map(|paths| std::env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty()).collect())
            .unwrap_or_default(),
        entropy: RandomState::new().hash_one(0),
        interrupt: Some(listen),
    };
    // Not locked: a command may read standard input itself.
    let mut input = BufReader::new(io::stdin());
    let (results, diagnostics) = (&mut io::stdout().lock(), &mut io::stderr().lock());
    terminal::run_with(std::env::args_os(), environment, &mut input, results, diagnostics).into()
}

/// The first Ctrl-C is noted, the second one ends the process. Where signals cannot be listened to, the first one does.
fn listen() -> Arc<AtomicBool> {
    use signal_hook::consts::SIGINT;
    let asked = Arc::new(AtomicBool::new(false));
    // In this order: what is noted by the second line must not be seen by the first at the same time.
    let _ = signal_hook::flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&asked));
    let _ = signal_hook::flag::register(SIGINT, Arc::clone(&asked));
    asked
}
