//! Internal errors: cases that Ludex holds to be impossible.
//!
//! A judge that meets a case which cannot be must not go on with some value instead: a wrong verdict is worse than
//! none. [`impossible!`](crate::impossible) therefore never returns. It has one form, which fits everywhere, since its
//! type is `!`: the arm of a `match`, the `else` of a `let`, the closure of `unwrap_or_else`.
//!
//! - In debug builds and in tests it panics with its message and place, as `debug_assert!` does.
//! - In release builds it unwinds with an [`Impossible`] as payload, without calling the panic hook. [`guard`] catches
//!   it. The terminal guards every command: it prints the code `internal::impossible` and exits with code 2. Whoever
//!   uses Ludex as a library guards its own calls.
//!
//! Unwinding was chosen over two other ways. A `Result` would go through hundreds of signatures that cannot fail
//! otherwise. A flag "something went wrong", looked at before a verdict is printed, lets code run on with a value that
//! means nothing, and is worth as much as the last place that remembers to look at it.
//!
//! Three things follow:
//!
//! - Threads that share work must hand the payload on and stop the others (`simulate/crew.rs`, `examples/parallel.rs`,
//!   `judge/run.rs`).
//! - Files are written as a whole (`terminal/save.rs`), so an unwinding command leaves no half of one.
//! - Native code cannot be unwound. Rust that native code calls reports a fault by a number; the executor, which it calls
//!   as well, may panic: the payload is kept and goes on once native code has returned (`machine/native/frame.rs`).

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, Location, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::{Mutex, PoisonError};

use crate::report::{Fault, Span, codes};

/// A case that was held to be impossible has come up: what, and where in the source of Ludex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Impossible {
    what: String,
    place: String,
}

impl Impossible {
    /// The error, with the caller's place. Nothing happens yet.
    #[track_caller]
    #[must_use]
    pub fn here(what: impl Into<String>) -> Self {
        Self::at(what, Location::caller())
    }

    fn at(what: impl Into<String>, place: &Location<'_>) -> Self {
        Self { what: what.into(), place: format!("{}:{}", place.file(), place.line()) }
    }

    /// Ends the work that nobody can go on with.
    ///
    /// # Panics
    ///
    /// In debug builds and in tests. Otherwise it unwinds to the next [`guard`].
    #[cold]
    #[track_caller]
    #[expect(clippy::panic, reason = "the one place where an impossible case ends a debug build")]
    pub fn raise(self) -> ! {
        if cfg!(any(debug_assertions, test)) { panic!("{self}") } else { self.unwind() }
    }

    /// Unwinds to the next [`guard`], in every build.
    fn unwind(self) -> ! {
        resume_unwind(Box::new(self))
    }

    /// The error as commands show it.
    #[must_use]
    pub fn fault(&self) -> Fault {
        Fault::new(&codes::IMPOSSIBLE, Span::default(), self.to_string())
            .help("this is a fault of Ludex, not of your rules; please report it together with your files")
    }
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "internal error: {}, at {}", self.what, self.place)
    }
}

impl std::error::Error for Impossible {}

/// Ends the work because of a case that cannot be. The message says what was found, as `format!` does.
#[macro_export]
macro_rules! impossible {
    ($($message:tt)+) => {
        $crate::internal::Impossible::here(::std::format!($($message)+)).raise()
    };
}

/// For values that must be there.
pub(crate) trait Must<T> {
    /// The value. That there is none is impossible: `what` says why, as a fact.
    #[track_caller]
    fn must(self, what: &str) -> T;
}

impl<T> Must<T> for Option<T> {
    #[track_caller]
    fn must(self, what: &str) -> T {
        match self {
            Some(value) => value,
            None => Impossible::here(format!("this does not hold: {what}")).raise(),
        }
    }
}

impl<T, E> Must<T> for Result<T, E> {
    #[track_caller]
    fn must(self, what: &str) -> T {
        match self {
            Ok(value) => value,
            Err(_) => Impossible::here(format!("this does not hold: {what}")).raise(),
        }
    }
}

/// A number as another type, which must hold it.
#[track_caller]
pub(crate) fn exact<N: Copy + fmt::Display, M: TryFrom<N>>(number: N) -> M {
    match M::try_from(number) {
        Ok(number) => number,
        Err(_) => Impossible::here(format!("{number} does not fit its type")).raise(),
    }
}

/// Does some work; an impossible case in it becomes an error. Other panics go on, unless [`note_panics`] was called.
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, Impossible> {
    // What the work has changed is not looked at again: its caller ends.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match caught(payload) {
        Ok(found) => found,
        Err(payload) => resume_unwind(payload),
    })
}

fn caught(payload: Box<dyn Any + Send>) -> Result<Impossible, Box<dyn Any + Send>> {
    match payload.downcast::<Impossible>() {
        Ok(found) => Ok(*found),
        Err(payload) => PANICKED.lock().unwrap_or_else(PoisonError::into_inner).clone().ok_or(payload),
    }
}

/// The first panic, once they are noted.
static PANICKED: Mutex<Option<Impossible>> = Mutex::new(None);

/// From now on a panic, such as an index that is too large, counts as an impossible case. The hook that was there is
/// still called. For processes that do nothing else.
pub fn note_panics() {
    let before = take_hook();
    set_hook(Box::new(move |info| {
        PANICKED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| noted(info));
        before(info);
    }));
}

fn noted(info: &PanicHookInfo<'_>) -> Impossible {
    let what = info.payload_as_str().unwrap_or("a panic without a message");
    match info.location() {
        Some(place) => Impossible::at(what, place),
        None => Impossible { what: what.to_owned(), place: "an unknown place".to_owned() },
    }
}

/// For tests: an impossible case at `place`, in every build, for a ruleset whose title asks for it.
#[cfg(test)]
#[track_caller]
pub(crate) fn probe(place: &str, title: &str) {
    if title.strip_prefix("impossible in ") == Some(place) {
        Impossible::here(format!("the title asks for it in {place}")).unwind();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_catches_what_is_impossible_and_nothing_else() {
        assert_eq!(guard(|| 3), Ok(3));
        let found = guard::<()>(|| Impossible::here("no such thing").unwind()).unwrap_err();
        let line = line!() - 1;
        assert_eq!(found.to_string(), format!("internal error: no such thing, at src/internal.rs:{line}"));
        let other = catch_unwind(|| guard::<()>(|| resume_unwind(Box::new("another panic"))));
        assert_eq!(other.unwrap_err().downcast_ref(), Some(&"another panic"));
    }

    #[test]
    #[should_panic(expected = "internal error: 3 is no seat, at src/internal.rs")]
    fn tests_fail_at_an_impossible_case() {
        let seat = 3;
        impossible!("{seat} is no seat");
    }
}
