//! Checked ruleset → program over a flat block of bytes.
//!
//! By now the numbers, options and the number of players are constants: what they decide is decided here,
//! and what they rule out is not compiled at all. Definitions and phases are written out where they are
//! used, small loops are unrolled, what a board's shape decides becomes tables. The result answers quickly
//! what is legal and what follows; it knows no names and no reasons.

mod access;
mod aggregates;
mod among;
mod assign;
mod award;
mod bits;
mod board_sets;
mod branch;
mod builder;
mod choose;
mod compiler;
mod costs;
mod define;
mod draw;
mod emptiness;
mod finish;
mod fold;
mod for_each;
mod functions;
mod indices;
mod keep;
mod layout;
mod lists;
mod loops;
mod lots;
mod masks;
mod matching;
mod meeting;
mod narrow;
mod order;
mod picks;
mod products;
mod rays;
mod regions;
mod relation;
mod requirements;
mod results;
mod reuse;
mod rows;
mod scalar;
mod sets;
mod since;
mod statements;
mod sums;
mod tabled;
mod tracks;
mod unions;
mod weight;

use crate::internal::exact;
use compiler::{Compiler, Try, too_large};
use layout::Misfit;
pub use order::Order;

use crate::bind::Block;
use crate::check::Checked;
use crate::internal::Impossible;
use crate::limits;
use crate::machine::{Instruction, Program};
use crate::report::Fault;

/// A block has as many bytes as a multiple of this: processors copy so many in one go, and can read any of them again at once.
const WHOLE: usize = 16;

/// Compiles a ruleset that has been checked.
pub fn compile(checked: &Checked) -> Result<Program, Box<Fault>> {
    compile_in_order(checked, Order::default())
}

/// Compiles a ruleset that has been checked; entries are tested in this order.
pub fn compile_in_order(checked: &Checked, order: Order) -> Result<Program, Box<Fault>> {
    let empty = Block::default();
    written(Compiler { order, ..Compiler::new(checked) }, checked.bound.flow.as_ref().unwrap_or(&empty))
}

/// Compiles a ruleset with another flow, as a position of an example may have it.
pub fn compile_flow(checked: &Checked, flow: &Block) -> Result<Program, Box<Fault>> {
    written(Compiler::new(checked), flow)
}

fn written(mut compiler: Compiler<'_>, flow: &Block) -> Result<Program, Box<Fault>> {
    compiler.lay_out()?;
    compiler.begin(flow)?;
    compiler.results()?;
    compiler.write_pending()?;
    compiler.finish()
}

impl Compiler<'_> {
    fn lay_out(&mut self) -> Try<()> {
        let absent: Vec<bool> = self.bound.states.iter().map(|state| !self.is_present(state.guard)).collect();
        match layout::states(self.bound, &absent) {
            Ok((places, end)) => {
                self.program.layout = places;
                self.program.flow = end;
                Ok(())
            }
            Err(Misfit::Kind(state)) => {
                let state = self.bound.state(state);
                let shown = self.types().show(&state.ty).to_string();
                Err(too_large(state.span, format!("`{}` is of {shown}, which no state can hold", state.name)))
            }
            Err(Misfit::Size(state)) => {
                let (state, most) = (self.bound.state(state), limits::STATE_BYTES >> 20);
                Err(too_large(state.span, format!("with `{}` the state takes more than {most} MiB", state.name)))
            }
        }
    }

    /// The initial values, then the flow.
    fn begin(&mut self, flow: &Block) -> Try<()> {
        let entry = self.code.entry();
        self.code.names.push((entry, "begin".to_owned()));
        for at in 0..self.bound.states.len() {
            self.initial(at)?;
        }
        self.block(flow)?;
        for label in std::mem::take(&mut self.overs) {
            self.code.place(label);
        }
        self.code.push(Instruction::Over);
        self.program.begin = entry.0;
        Ok(())
    }

    fn finish(mut self) -> Result<Program, Box<Fault>> {
        for (label, trouble) in std::mem::take(&mut self.cold) {
            self.code.begin_cold(label);
            self.code.push(Instruction::Fail { trouble });
        }
        if let Some(trouble) = self.no_guard.take() {
            return Err(too_large(trouble.span, trouble.message));
        }
        if let Some(span) = self.troubled {
            let most = limits::shown(limits::TROUBLES as u64);
            let message = format!("a game can stop with a runtime error at more than {most} places of these rules");
            return Err(too_large(span, message));
        }
        if let Some(span) = self.code.full {
            let most = limits::shown(u64::from(limits::SLOTS));
            let message = format!("this ruleset works on more than {most} values at the same time");
            return Err(too_large(span, message));
        }
        let end = self.program.flow + self.most_kept;
        self.program.bytes = end.next_multiple_of(WHOLE);
        for pause in &mut self.program.pauses {
            let end = exact::<_, u32>(end);
            pause.clear.iter_mut().for_each(|(_, to)| *to = end);
            pause.clear.retain(|(from, to)| from < to);
        }
        for entries in std::mem::take(&mut self.region_entries) {
            if let Some(region) = self.program.regions.get_mut(usize::from(entries.number)) {
                region.work_out = entries.work_out.0;
                region.one_more = entries.one_more.map(|(entry, slot)| (entry.0, slot));
            }
        }
        let mut program = self.program;
        finish::finish(&self.code, &mut program);
        Program::seal(program).map_err(|flaw| Box::new(Impossible::here(flaw.to_string()).fault()))
    }
}
