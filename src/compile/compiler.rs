//! What all parts of the compiler share: the rules, the code so far, and what names stand for.

use crate::internal::exact;
use std::cell::RefCell;
use std::collections::HashMap;

use super::builder::{Builder, Label};
use super::layout;
use super::order::Order;
use crate::bind::{Bound, DefId, ExprId, LocalId, PhaseId, Type, TypeId, Types};
use crate::check::Checked;
use crate::evaluate::{Game, Trouble};
use crate::limits;
use crate::machine::{Cell, Draft, Slot, StatePlace};
use crate::report::{Fault, Span, codes};

/// What compiling a part gives.
pub(super) type Try<T> = Result<T, Box<Fault>>;

pub(super) struct Compiler<'c> {
    pub(super) checked: &'c Checked,
    pub(super) bound: &'c Bound,
    /// The reference: it works out what is constant.
    pub(super) game: Game<'c>,
    /// The reference with a budget of its own: it works out tables of answers, as long as that is cheap.
    pub(super) tables: Game<'c>,
    /// A guard that could not be worked out, and why not: what is compiled is worth nothing.
    pub(super) no_guard: RefCell<Option<Trouble>>,
    /// Places at which a game can stop, by message and place, with their numbers.
    pub(super) known_troubles: HashMap<(String, Span), u16>,
    /// Where there was no number left for one.
    pub(super) troubled: Option<Span>,
    pub(super) code: Builder,
    pub(super) program: Draft,
    pub(super) locals: HashMap<LocalId, Var>,
    /// Who is at turn, or acts.
    pub(super) me: Option<Var>,
    /// Tables that have been made, by what they hold.
    pub(super) known_tables: HashMap<TableKey, u32>,
    pub(super) routines: HashMap<(DefId, bool), super::define::Routine>,
    pub(super) score: Option<(Label, Slot, Slot)>,
    /// Is a score being written out?
    pub(super) in_score: bool,
    pub(super) groups: HashMap<TypeId, super::regions::Groups>,
    pub(super) weights: HashMap<ExprId, u64>,
    /// What decides the tables that stand for expressions; nothing where there cannot be any.
    pub(super) inputs: HashMap<TableKey, Option<Vec<super::tabled::Input>>>,
    pub(super) lengths: HashMap<ExprId, u64>,
    /// Where members of a domain have their elements.
    pub(super) elements: HashMap<super::matching::ElementsKey, super::matching::Elements>,
    /// What elements are stored as when conditions hold.
    pub(super) stored: HashMap<super::among::StoredKey, Option<super::among::Stored>>,
    /// Masks that were made as all of some members but those of another: that one, and all.
    pub(super) opposites: HashMap<Slot, (Slot, i64)>,
    /// What is compiled after everything that uses it.
    pub(super) pending: Vec<super::define::Pending>,
    /// Where partitions are worked out, by number.
    pub(super) region_entries: Vec<super::regions::Entries>,
    /// Where a pass leaves the enclosing repetition.
    pub(super) leave: Option<Label>,
    /// Where a pass ends the game.
    pub(super) overs: Vec<Label>,
    /// Failures, written after everything else.
    pub(super) cold: Vec<(Label, u16)>,
    /// Bytes of the flow that are taken, and the most that ever were.
    pub(super) kept: usize,
    pub(super) most_kept: usize,
    /// Definitions whose values are kept.
    pub(super) kept_defs: Vec<DefId>,
    /// What is compiled stops at a pause instead of waiting: an effect is tried out.
    pub(super) trial: Option<Label>,
    /// In which order entries are tested.
    pub(super) order: Order,
    /// Phases that are known to pause, or not to.
    pub(super) pausing: RefCell<HashMap<PhaseId, bool>>,
    /// How often what is written now is written, because loops around it are written out.
    pub(super) copies: u64,
}

/// What a name stands for.
#[derive(Debug, Clone)]
pub(super) enum Var {
    /// One value.
    Slot(Slot),
    /// A set.
    Set(SetVal),
    /// A list.
    List(ListVal),
    /// A set or list that may be absent: is it there?
    Maybe(Slot, Box<Var>),
    /// Kept in the block over pauses.
    Kept(Stored),
}

/// A value in the block: element 0 of this place.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    pub(super) first: usize,
    pub(super) cell: Cell,
}

/// A set in slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SetVal {
    pub(super) bits: Slot,
    pub(super) of: Domain,
}

/// What a set can hold: so many values from the lowest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Domain {
    pub(super) low: i64,
    pub(super) size: u64,
}

impl Domain {
    pub(super) fn words(self) -> usize {
        exact::<_, usize>(self.size.div_ceil(64)).max(1)
    }
}

/// A list.
#[derive(Debug, Clone)]
pub(super) enum ListVal {
    /// Its length in a slot, its items in the slots from `items` on.
    Slots { length: Slot, items: Slot, most: u32 },
    /// In the block; `at` counts units.
    Stored { place: Stored, at: Slot },
    /// In a table: the table, where the list begins there, and its length.
    Table { from: u32, start: Slot, length: Slot },
}

/// What a table holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum TableKey {
    Number(u32),
    Column(usize),
    Field(TypeId, usize),
    Board(&'static str, TypeId, TypeId, i64),
    /// The answers to a condition.
    Condition(ExprId),
    /// Members for which a condition holds: how many are asked, what names stand for at each, and with these values of
    /// others.
    Masks(ExprId, usize, Vec<(LocalId, super::bits::Values)>, Vec<(LocalId, i64)>),
    /// Whether a small mask, with room for these, has members in one of some rows: by how much each is moved, and what is
    /// kept.
    Rows(i64, Vec<(Vec<i8>, i64)>),
    /// The elements of each track on which something is looked for, or what they stand for there.
    Track(Vec<i64>),
    /// Members of a cycle that the numbers between two others stand for.
    Cycle(TypeId, i64, i64),
    /// A set of numbers that an element is stored as.
    Stored([i64; 4]),
    /// The members that a relation may join to each.
    Partners(TypeId),
    /// A set in all its turns.
    Turned(ExprId),
}

impl<'c> Compiler<'c> {
    pub(super) fn new(checked: &'c Checked) -> Self {
        Self {
            checked,
            bound: &checked.bound,
            game: Game::new(checked),
            tables: Game::limited(checked, limits::TABLE_STEPS),
            no_guard: RefCell::default(),
            known_troubles: HashMap::new(),
            troubled: None,
            code: Builder::new(),
            program: Draft { players: checked.bound.players.count, ..Draft::default() },
            locals: HashMap::new(),
            me: None,
            known_tables: HashMap::new(),
            routines: HashMap::new(),
            score: None,
            in_score: false,
            groups: HashMap::new(),
            weights: HashMap::new(),
            elements: HashMap::new(),
            stored: HashMap::new(),
            inputs: HashMap::new(),
            opposites: HashMap::new(),
            lengths: HashMap::new(),
            pending: Vec::new(),
            region_entries: Vec::new(),
            leave: None,
            overs: Vec::new(),
            cold: Vec::new(),
            kept: 0,
            most_kept: 0,
            kept_defs: Vec::new(),
            trial: None,
            order: Order::default(),
            copies: 1,
            pausing: RefCell::default(),
        }
    }

    /// Takes a step at an expression.
    pub(super) fn take_step(&mut self, id: ExprId) -> Try<()> {
        self.code.steps += 1;
        self.within_budget(self.span(id))
    }

    /// Are there steps left? Whoever can make the program grow asks.
    pub(super) fn within_budget(&self, span: Span) -> Try<()> {
        if self.code.code.len() > limits::INSTRUCTIONS {
            let most = limits::shown(limits::INSTRUCTIONS as u64);
            return Err(too_large(span, format!("this ruleset needs a program of more than {most} instructions")));
        }
        if self.code.steps <= limits::COMPILING_STEPS {
            return Ok(());
        }
        let most = limits::shown(limits::COMPILING_STEPS);
        Err(Box::new(
            Fault::new(&codes::TOO_LARGE_TO_PLAY, span, format!("compiling this ruleset takes more than {most} steps"))
                .label("the limit was reached here")
                .help("call definitions from fewer places, or let loops go through fewer members"),
        ))
    }

    pub(super) fn types(&self) -> &'c Types {
        &self.bound.types
    }

    /// The type of an expression.
    pub(super) fn ty(&self, id: ExprId) -> &'c Type {
        // INVARIANT: the checker gives every expression a type.
        &self.checked.types[id.at()]
    }

    pub(super) fn local_type(&self, id: LocalId) -> &'c Type {
        &self.checked.locals[id.at()]
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        self.bound.expr(id).span
    }

    pub(super) fn constant(&mut self, value: impl Into<i64>) -> Slot {
        self.code.constant(value.into())
    }

    /// A label where the ruleset fails.
    pub(super) fn fail(&mut self, span: Span, message: impl Into<String>) -> Label {
        let number = self.trouble(span, message);
        let label = self.code.label();
        self.cold.push((label, number));
        label
    }

    pub(super) fn trouble(&mut self, span: Span, message: impl Into<String>) -> u16 {
        let trouble = (message.into(), span);
        if let Some(&known) = self.known_troubles.get(&trouble) {
            return known;
        }
        let at = self.program.troubles.len();
        let number = u16::try_from(at).ok().filter(|_| at < limits::TROUBLES);
        let Some(number) = number else {
            self.troubled.get_or_insert(span);
            return 0;
        };
        self.program.troubles.push(trouble.clone());
        self.known_troubles.insert(trouble, number);
        number
    }

    pub(super) fn state_place(&self, id: crate::bind::StateId) -> &StatePlace {
        // INVARIANT: the layout has every state, in order.
        &self.program.layout[id.at()]
    }

    /// Room for a value of this type among what the flow keeps.
    pub(super) fn keep(&mut self, ty: &Type, span: Span) -> Try<Stored> {
        let Some(cell) = layout::cell(self.types(), ty) else {
            return Err(too_large(span, format!("a value of {} cannot be kept over a pause", self.types().show(ty))));
        };
        let first = self.program.flow + self.kept;
        self.kept += layout::bytes_of(&cell);
        self.most_kept = self.most_kept.max(self.kept);
        Ok(Stored { first, cell })
    }

    /// What a set of these can hold.
    pub(super) fn domain_of(&self, inner: &Type, span: Span) -> Try<Domain> {
        let plain = inner.plain();
        if matches!(plain, Type::Nothing) {
            return Ok(Domain { low: 0, size: 0 });
        }
        let size = crate::machine::scalar_size(self.types(), plain).filter(|&size| size <= limits::MEMBERS);
        let Some(size) = size else {
            let shown = self.types().show(plain).to_string();
            let most = limits::shown(limits::MEMBERS);
            return Err(too_large(span, format!("a set of {shown} has more than {most} possible members")));
        };
        let low = if let Type::Int(low, _) = plain { *low } else { 0 };
        Ok(Domain { low, size })
    }
}

/// What is beyond the limits of a program.
pub(super) fn too_large(span: Span, message: impl Into<String>) -> Box<Fault> {
    Box::new(
        Fault::new(&codes::TOO_LARGE_TO_PLAY, span, message)
            .label("too large to be played")
            .help("narrow its range, or say it with a smaller type"),
    )
}
