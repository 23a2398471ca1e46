//! Exit codes: a contract with scripts.

use std::process::ExitCode;

/// How a command ends. The worst of several counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: all is well.
    Fine,
    /// 1: a negative verdict: faults in a ruleset, an unformatted file.
    Negative,
    /// 2: no verdict was possible: wrong flags, an unreadable file, an unknown ruleset, a limit, an error in Ludex.
    NoVerdict,
    /// 130: ended early by whoever waits, with what there was by then.
    Interrupted,
}

impl Exit {
    /// The number that the shell sees.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Negative => 1,
            Self::NoVerdict => 2,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}
