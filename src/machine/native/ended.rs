//! Why translated code ended, as a number that it returns.

use super::super::run::Halt;

/// Why a piece ended, as a number: the kind in the lowest byte, what it is about above.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
pub(super) enum Ended {
    Done = 0,
    Choose,
    Chance,
    Over,
    Decided,
    Fail,
    Tired,
    Enough,
    Waits,
    Stuck,
    Flaw,
    Unproved,
}

impl Ended {
    pub(super) fn about(self, what: u32) -> i64 {
        i64::from(self as u8) | (i64::from(what) << 8)
    }
}

/// The number of what a halt is.
pub(super) fn number(halt: Halt) -> i64 {
    match halt {
        Halt::Done => Ended::Done.about(0),
        Halt::Choose(choice) => Ended::Choose.about(u32::from(choice)),
        Halt::Chance(chance) => Ended::Chance.about(u32::from(chance)),
        Halt::Over => Ended::Over.about(0),
        Halt::Decided(winners) => Ended::Decided.about(u32::from(winners)),
        Halt::Fail(trouble) => Ended::Fail.about(u32::from(trouble)),
        Halt::Tired(at) => Ended::Tired.about(at),
        Halt::Waits => Ended::Waits.about(0),
        Halt::Stuck => Ended::Stuck.about(0),
        Halt::Flaw(at) => Ended::Flaw.about(at),
        Halt::Unproved(at) => Ended::Unproved.about(at),
    }
}

/// What a number stands for.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "made of a byte and 32 bits")]
pub(super) fn halt(number: i64) -> Halt {
    const DONE: u8 = Ended::Done as u8;
    const ENOUGH: u8 = Ended::Enough as u8;
    const CHOOSE: u8 = Ended::Choose as u8;
    const CHANCE: u8 = Ended::Chance as u8;
    const OVER: u8 = Ended::Over as u8;
    const DECIDED: u8 = Ended::Decided as u8;
    const FAIL: u8 = Ended::Fail as u8;
    const TIRED: u8 = Ended::Tired as u8;
    const WAITS: u8 = Ended::Waits as u8;
    const STUCK: u8 = Ended::Stuck as u8;
    const FLAW: u8 = Ended::Flaw as u8;
    const UNPROVED: u8 = Ended::Unproved as u8;
    let what = (number >> 8) as u32;
    match number as u8 {
        CHOOSE => Halt::Choose(what as u16),
        CHANCE => Halt::Chance(what as u16),
        OVER => Halt::Over,
        DECIDED => Halt::Decided(what as u16),
        FAIL => Halt::Fail(what as u16),
        TIRED => Halt::Tired(what),
        WAITS => Halt::Waits,
        STUCK => Halt::Stuck,
        FLAW => Halt::Flaw(what),
        UNPROVED => Halt::Unproved(what),
        DONE | ENOUGH => Halt::Done,
        _ => Halt::Flaw(what),
    }
}
