//! From instructions to native code: one function for each piece.
//!
//! Every slot of a piece is a variable, which Cranelift keeps in a register if it can. What others may look at is
//! written to memory as well, and read from there at the beginning and after calls; what is found by number is in
//! memory only.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, SigRef, Value, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, Variable};

use super::super::Program;
use super::super::instruction::{Instruction, Slot, Target};
use super::super::parts::steps_to_compare;
use super::Native;
use super::borders::Use;
use super::ended::Ended;
use super::frame;
use super::helpers::OUTDATED;
use super::kinds::{Kinds, are_states_apart};
use super::module::piece_signature;
use super::pieces::{Entry, Pieces, each_next};
use super::planes::Planes;

/// Translates one piece.
pub(super) struct Translator<'p, 'f> {
    pub(super) b: FunctionBuilder<'f>,
    pub(super) program: &'p Program,
    pub(super) native: &'p Native,
    piece: u32,
    pub(super) entry: Entry,
    pub(super) kinds: Kinds,
    /// The instruction that is being translated.
    pub(super) place: Target,
    pub(super) frame: Value,
    pub(super) slots: Value,
    pub(super) state: Value,
    pub(super) piece_signature: SigRef,
    /// How Rust is called.
    pub(super) call_conv: CallConv,
    used: Use,
    body: Vec<Target>,
    starts: Vec<Target>,
    /// Variables of slots, and whether what is written must be in memory, too.
    variables: HashMap<Slot, (Variable, bool)>,
    /// Those that what is called may write.
    written_elsewhere: Vec<(Slot, Variable)>,
    blocks: HashMap<Target, Block>,
    /// What comes before this instruction has been translated.
    translated: Target,
    /// Turns of loops that are left, in pieces with loops.
    pub(super) steps: Option<Variable>,
    /// Is a partition up to date, or which byte was written since?
    pub(super) fresh: BTreeMap<u16, Variable>,
    /// In pieces that play on.
    pub(super) playing: Option<Playing>,
    /// Masks that are kept up to date there.
    pub(super) planes: Vec<Planes>,
}

/// What a piece needs that plays on at random.
#[derive(Clone, Copy)]
pub(super) struct Playing {
    /// The generator of random numbers.
    pub(super) words: [Variable; 4],
    /// Who is asked, as the header says.
    pub(super) seat: Variable,
    /// Where a new entry is picked, and where another is tried, if this is where entries are picked.
    pub(super) picks: Option<(Block, Block)>,
}

impl<'p, 'f> Translator<'p, 'f> {
    pub(super) fn new(
        mut b: FunctionBuilder<'f>,
        program: &'p Program,
        native: &'p Native,
        (piece, entry): (u32, Entry),
        call_conv: CallConv,
    ) -> Self {
        let body = native.pieces.body(program, entry);
        let used = native.borders.used(program, entry, &body);
        let first = b.create_block();
        b.append_block_params_for_function_params(first);
        b.switch_to_block(first);
        let params = b.block_params(first);
        let (frame, slots, state) = (params[0], params[1], params[2]);
        let kinds = Kinds::new(&mut b, are_states_apart(program, &native.borders, &body));
        let piece_signature = b.import_signature(piece_signature());
        Self {
            b,
            program,
            native,
            piece,
            entry,
            kinds,
            place: Pieces::starts(program, entry).first().copied().unwrap_or(0),
            frame,
            slots,
            state,
            piece_signature,
            call_conv,
            used,
            body,
            starts: Pieces::starts(program, entry),
            variables: HashMap::new(),
            written_elsewhere: Vec::new(),
            blocks: HashMap::new(),
            translated: 0,
            steps: None,
            fresh: BTreeMap::new(),
            playing: None,
            planes: Vec::new(),
        }
    }

    /// Writes the function.
    pub(super) fn translate(mut self, config: TargetFrontendConfig) {
        self.declare();
        match self.entry {
            Entry::At(place) => self.go(place),
            Entry::Enter(offer) => self.take_apart(offer),
            Entry::Pick(choice) => {
                let pick = self.load_frame(frame::ABOUT);
                self.take_pick(choice, pick);
            }
            Entry::Play(choice) => self.play(choice),
            Entry::On(place) => {
                self.begin_playing();
                self.go(place);
            }
        }
        let body = self.body.clone();
        let mut under_way = false;
        for (nth, &at) in body.iter().enumerate() {
            if at < self.translated {
                continue;
            }
            if let Some(&block) = self.blocks.get(&at) {
                if under_way {
                    self.b.ins().jump(block, &[]);
                }
                self.b.switch_to_block(block);
            } else if !under_way {
                // Nothing leads here: what came before never goes on.
                continue;
            }
            let Some(&instruction) = self.program.code.get(at as usize) else { continue };
            self.place = at;
            under_way = self.instruction(at, instruction);
            let next = self.translated.max(at + 1);
            let follows = body[nth + 1..].iter().find(|at| **at >= next) == Some(&next);
            if under_way && !follows {
                self.go(next);
                under_way = false;
            }
        }
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    /// Makes variables and blocks, and reads what memory may hold.
    fn declare(&mut self) {
        let slots: BTreeSet<Slot> = self.used.read.iter().chain(self.used.written.iter()).collect();
        for slot in slots {
            if self.used.pinned.has(slot) {
                continue;
            }
            let variable = self.b.declare_var(types::I64);
            let shared = self.native.borders.is_shared(self.entry, &self.used, slot);
            self.variables.insert(slot, (variable, shared));
            if self.native.borders.written_by_called.has(slot) {
                self.written_elsewhere.push((slot, variable));
            }
            // What is never read before it is written is not loaded: nothing uses this.
            let exposed = self.native.borders.is_exposed(self.piece, slot);
            let value = if exposed { self.load_slot(slot) } else { self.b.ins().iconst(types::I64, 0) };
            self.b.def_var(variable, value);
        }
        let (mut loops, mut regions) = (false, BTreeSet::new());
        let mut leads: BTreeSet<Target> = self.starts.iter().copied().collect();
        for &at in &self.body {
            let Some(&instruction) = self.program.code.get(at as usize) else { continue };
            loops |= match instruction {
                Instruction::Tick { .. }
                | Instruction::Count { .. }
                | Instruction::Unite { .. }
                | Instruction::Sort { .. }
                | Instruction::Pairing { .. }
                | Instruction::Keep
                | Instruction::Restore => true,
                Instruction::Jump { go } => go <= at,
                Instruction::Refresh { region } => {
                    self.program.regions.get(usize::from(region)).is_some_and(|region| steps_to_compare(region) > 0)
                }
                _ => false,
            };
            if let Instruction::Refresh { region } = instruction {
                regions.insert(region);
            }
            each_next(self.program, at, |next| {
                if next != at + 1 || instruction.target().is_some() {
                    leads.insert(next);
                }
            });
        }
        for lead in leads {
            if self.body.binary_search(&lead).is_ok() {
                let block = self.b.create_block();
                self.blocks.insert(lead, block);
            }
        }
        for region in regions {
            let fresh = self.b.declare_var(types::I64);
            self.fresh.insert(region, fresh);
        }
        self.outdate_all();
        if loops {
            let steps = self.b.declare_var(types::I64);
            let left = self.load_frame(frame::STEPS);
            self.b.def_var(steps, left);
            self.steps = Some(steps);
        }
    }

    /// Does anything lead to an instruction but the one before?
    pub(super) fn is_led_to(&self, at: Target) -> bool {
        let mut led_to = self.starts.contains(&at);
        for &from in &self.body {
            each_next(self.program, from, |next| led_to |= next == at && from + 1 != at);
        }
        led_to
    }

    /// All instructions before this one have been translated together.
    pub(super) fn go_on_from(&mut self, at: Target) {
        self.translated = at;
    }

    /// The instructions of the piece, in order.
    pub(super) fn body(&self) -> &[Target] {
        &self.body
    }

    // ------------------------------------------------------------ slots

    /// The value of a slot that never changes.
    pub(super) fn known(&self, slot: Slot) -> Option<i64> {
        self.native.borders.constants.get(&slot).copied()
    }

    /// How many masks a set has that begins at a slot.
    pub(super) fn masks(&self, bits: Slot) -> u16 {
        self.native.borders.run(bits)
    }

    pub(super) fn read(&mut self, slot: Slot) -> Value {
        if let Some(value) = self.known(slot) {
            return self.b.ins().iconst(types::I64, value);
        }
        match self.variables.get(&slot) {
            Some(&(variable, _)) => self.b.use_var(variable),
            None => self.load_slot(slot),
        }
    }

    pub(super) fn write(&mut self, slot: Slot, value: Value) {
        self.is_in_range(slot, value);
        match self.variables.get(&slot) {
            Some(&(variable, shared)) => {
                self.b.def_var(variable, value);
                if shared {
                    self.store_slot(slot, value);
                }
            }
            None => self.store_slot(slot, value),
        }
    }

    /// After something else has run: what it may have written is read again.
    pub(super) fn read_again(&mut self) {
        for (slot, variable) in self.written_elsewhere.clone() {
            let value = self.load_slot(slot);
            self.b.def_var(variable, value);
        }
        self.read_steps();
    }

    /// No partition is known to be up to date.
    pub(super) fn outdate_all(&mut self) {
        for fresh in self.fresh.values() {
            let no = self.b.ins().iconst(types::I64, OUTDATED);
            self.b.def_var(*fresh, no);
        }
    }

    /// Before something else runs: how many turns of loops are left.
    pub(super) fn hand_over(&mut self) {
        if let Some(steps) = self.steps {
            let left = self.b.use_var(steps);
            self.store_frame(frame::STEPS, left);
        }
        self.hand_over_random();
    }

    // ------------------------------------------------------------ control

    /// The block of an instruction in this piece.
    pub(super) fn block(&self, place: Target) -> Option<Block> {
        self.blocks.get(&place).copied()
    }

    /// Goes on at an instruction: in this piece, or in another.
    pub(super) fn go(&mut self, place: Target) {
        if let Some(block) = self.block(place) {
            self.b.ins().jump(block, &[]);
            return;
        }
        let piece = self.playing.and_then(|_| self.native.pieces.on(place));
        match piece.or_else(|| self.native.pieces.at(place)) {
            Some(piece) => self.go_to_piece(piece),
            None => self.end(Ended::Flaw, self.place),
        }
    }

    /// Goes on in another piece, never to come back.
    pub(super) fn go_to_piece(&mut self, piece: u32) {
        self.hand_over();
        let code = self.code_of(piece);
        let number = self.b.ins().iconst(types::I64, i64::from(piece));
        let arguments = [self.frame, self.slots, self.state, number];
        self.b.ins().return_call_indirect(self.piece_signature, code, &arguments);
    }

    /// Ends the piece, whoever called it.
    pub(super) fn end(&mut self, ended: Ended, about: u32) {
        self.hand_over();
        let number = self.b.ins().iconst(types::I64, ended.about(about));
        self.b.ins().return_(&[number]);
    }

    /// Goes on at an instruction if a condition holds, else here.
    pub(super) fn go_if(&mut self, condition: Value, place: Target) {
        let on = self.b.create_block();
        if let Some(block) = self.block(place) {
            self.b.ins().brif(condition, block, &[], on, &[]);
        } else {
            let away = self.b.create_block();
            self.b.ins().brif(condition, away, &[], on, &[]);
            self.b.switch_to_block(away);
            self.go(place);
        }
        self.b.switch_to_block(on);
    }

    /// Compares two slots.
    pub(super) fn compared(&mut self, how: IntCC, a: Slot, b: Slot) -> Value {
        if let Some(b) = self.known(b) {
            let a = self.read(a);
            self.b.ins().icmp_imm_s(how, a, b)
        } else {
            let (a, b) = (self.read(a), self.read(b));
            self.b.ins().icmp(how, a, b)
        }
    }

    /// Runs another piece and goes on here, unless it says that everything ends.
    pub(super) fn call(&mut self, place: Target) {
        let Some(piece) = self.native.pieces.at(place) else { return self.never() };
        self.hand_over();
        let ended = self.call_piece(piece);
        self.end_unless_done(ended);
        self.read_again();
        self.outdate_all();
    }

    pub(super) fn call_piece(&mut self, piece: u32) -> Value {
        let code = self.code_of(piece);
        let number = self.b.ins().iconst(types::I64, i64::from(piece));
        let arguments = [self.frame, self.slots, self.state, number];
        let call = self.b.ins().call_indirect(self.piece_signature, code, &arguments);
        self.b.inst_results(call)[0]
    }

    /// Ends with what something else ended with, unless it is simply done.
    pub(super) fn end_unless_done(&mut self, ended: Value) {
        let (early, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(early);
        self.b.ins().brif(ended, early, &[], on, &[]);
        self.b.switch_to_block(early);
        self.b.ins().return_(&[ended]);
        self.b.switch_to_block(on);
    }
}
