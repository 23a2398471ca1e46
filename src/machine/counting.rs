//! Counting instructions by place, for whoever asks where a program spends them.
//!
//! The executor exists twice, with and without counting, so that playing pays nothing for it. What is counted lies at the
//! machine's desk; native code counts nothing, so a machine that counts never uses it.

use super::{Desk, Engine, Machine, Program};

/// What was counted at one place of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// How often the instruction there was followed.
    pub followed: u64,
    /// How often the next one was not that behind it.
    pub jumped: u64,
    /// Instructions that were followed in what was called from there.
    pub called: u64,
}

/// The counts of a machine.
#[derive(Debug, Clone, Default)]
pub(super) struct Counting {
    counts: Vec<Count>,
    total: u64,
    last: usize,
    /// What is called at present: from where, and how many instructions had been followed by then.
    open: Vec<(usize, u64)>,
}

impl<'p> Machine<'p> {
    /// A machine that counts the instructions that it follows, and goes by instructions only.
    #[must_use]
    pub fn counting(program: &'p Program) -> Self {
        let mut machine = Self::new(program).with_engine(Engine::Bytecode);
        let counts = vec![Count::default(); program.code.len()];
        machine.desk.counting = Some(Box::new(Counting { counts, ..Counting::default() }));
        machine
    }

    /// What was counted, by place; nothing if this machine does not count.
    #[must_use]
    pub fn counts(&self) -> &[Count] {
        self.desk.counting.as_ref().map_or(&[], |counting| &counting.counts)
    }

    /// How many instructions were followed, by a machine that counts.
    #[must_use]
    pub fn followed(&self) -> u64 {
        self.desk.counting.as_ref().map_or(0, |counting| counting.total)
    }
}

impl Desk {
    /// The instruction at this place is next.
    #[inline(never)]
    pub(super) fn count_at(&mut self, at: usize) {
        let depth = self.calls.len();
        let Some(counting) = &mut self.counting else { return };
        let Counting { counts, total, last, open } = &mut **counting;
        if at != *last + 1
            && let Some(count) = counts.get_mut(*last)
        {
            count.jumped += 1;
        }
        // Who looks again at what was brought up to date has not been asked twice.
        let mut again = false;
        while open.len() > depth
            && let Some((from, then)) = open.pop()
        {
            again = from == at;
            if let Some(count) = counts.get_mut(from) {
                count.called += *total - then;
            }
        }
        if open.len() < depth {
            open.push((*last, *total));
        }
        if let (false, Some(count)) = (again, counts.get_mut(at)) {
            count.followed += 1;
        }
        *total += 1;
        *last = at;
    }
}
