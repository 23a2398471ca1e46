//! Looking along a line: `first x in ray(c, w) where …`.
//!
//! What is looked for are masks. Of the cells of a ray they leave some, and the nearest of them is the lowest or the
//! highest, as the way leads up or down in numbers: nothing is gone through. So are the cells between it and the beginning.
//!
//! Whether what is found is this or that can be asked for all cells at once. A cell next to such an end leads to it, and
//! so does, one step after the other, a cell next to one that does and is passed by: first one step, then two, then four.

use super::bits::Bits;
use super::compiler::{Compiler, Domain, SetVal, TableKey, Try};
use super::fold::Masks;
use super::products::Mask;
use crate::ast::Aggregate;
use crate::bind::{Bind, Board, Expr, ExprId, Function, LocalId, Type, TypeId, TypeKind};
use crate::internal::exact;
use crate::machine::{Instruction, Slot};

/// `first x in ray(from, way) where condition`
pub(super) struct Ray<'c> {
    from: ExprId,
    toward: ExprId,
    local: LocalId,
    condition: ExprId,
    cells: TypeId,
    board: &'c Board,
    way: usize,
}

/// A way on a board: the type of its cells, the board, and the way.
pub(super) type Line<'c> = (TypeId, &'c Board, usize);

/// Looking along a way for the first cell that satisfies a condition, in a definition.
pub(super) struct Look<'c> {
    pub(super) line: Line<'c>,
    /// Its parameters, and what they are given.
    pub(super) params: &'c [LocalId],
    pub(super) args: &'c [ExprId],
    /// The cell, and what is asked of it.
    pub(super) local: LocalId,
    pub(super) condition: ExprId,
}

/// Masks of a board on which rays are looked along at once; on larger ones the tables for that would be too large.
const MOST_WORDS: usize = 4;

/// What comes first among the members of masks that rise, or fall, along the way.
pub(super) fn nearest(rises: bool, to: Slot, a: Slot, members: u16) -> Instruction {
    if rises { Instruction::Lowest { to, a, members } } else { Instruction::Highest { to, a, members } }
}

/// What comes of a ray from each member, given the cells at which looking would end.
type Then<'t, 'c> = &'t mut dyn FnMut(&mut Compiler<'c>, &Bits, &Ray<'c>, &[Slot]) -> Option<Mask>;

impl<'c> Ray<'c> {
    fn line(&self) -> Line<'c> {
        (self.cells, self.board, self.way)
    }

    fn domain(&self) -> Domain {
        Domain { low: 0, size: self.board.cell_count() as u64 }
    }

    /// The cell that is looked for, one mask after the other.
    fn windows(&self) -> Vec<Bits> {
        Bits::windows(self.local, self.domain())
    }

    fn steps(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.board.cell_count()).filter_map(|cell| Some((cell, self.board.step(cell, self.way)?)))
    }

    /// Does the way lead up in numbers, or down? Nothing if it does both.
    fn rises(&self) -> Option<bool> {
        let mut steps = self.steps().map(|(from, to)| to > from);
        let first = steps.next()?;
        steps.all(|rises| rises == first).then_some(first)
    }

    /// How far one step leads, if that is equally far from everywhere.
    fn stride(&self) -> Option<i64> {
        let far = |(from, to): (usize, usize)| i64::try_from(to).ok()?.checked_sub(i64::try_from(from).ok()?);
        let stride = far(self.steps().next()?)?;
        self.steps().all(|step| far(step) == Some(stride)).then_some(stride)
    }

    /// The cells among some that the way leads on from.
    fn leading_on(&self, among: &Bits) -> i64 {
        let on = |cell: i64| usize::try_from(cell).is_ok_and(|cell| self.board.step(cell, self.way).is_some());
        among.members().filter(|(_, cell)| on(*cell)).fold(0, |mask, (bit, _)| mask | 1 << bit)
    }

    /// Does the board fit one mask?
    fn is_small(&self) -> bool {
        self.board.cell_count() <= 64
    }

    fn cells_from(&self, cell: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.board.step(cell, self.way), |&cell| self.board.step(cell, self.way))
    }
}

impl<'c> Compiler<'c> {
    /// What is looked for along a way that is known.
    fn ray_where(&mut self, binds: &[Bind], by: &[ExprId]) -> Option<Ray<'c>> {
        let ([bind], []) = (binds, by) else { return None };
        let Expr::Function(Function::Ray, args) = &self.bound.expr(bind.domain).kind else { return None };
        let [from, toward] = args.as_slice() else { return None };
        let (cells, board, _) = self.board(*from)?;
        let way = self.way_of(board, *toward)?;
        let (from, toward, condition) = (*from, *toward, bind.condition?);
        Some(Ray { from, toward, local: bind.local, condition, cells, board, way })
    }

    /// What is found first along a way, or -1; nothing if cells have to be gone through.
    pub(super) fn first_on_ray(&mut self, binds: &[Bind], by: &[ExprId]) -> Try<Option<Slot>> {
        let Some(ray) = self.ray_where(binds, by).filter(|ray| ray.domain().words() <= MOST_WORDS) else {
            return Ok(None);
        };
        let Some(rises) = ray.rises() else { return Ok(None) };
        let (mark, missing) = (self.code.mark(), self.code.label());
        let here = self.strict(ray.from, missing)?;
        let wanted = if self.code.is_used(missing) { None } else { self.found(&ray)? };
        let Some(wanted) = wanted else {
            self.code.take_back(mark);
            return Ok(None);
        };
        let along = self.cells_along(ray.line(), here, false)?;
        let a = match wanted.as_slice() {
            [wanted] => self.code.masks(Masks::Both, along.bits, *wanted),
            several => {
                let left = self.room_for_set(ray.domain());
                for ((to, a), &b) in (left.bits..).zip(along.bits..).zip(several) {
                    self.code.push(Instruction::Both { to, a, b });
                }
                left.bits
            }
        };
        let members = exact::<_, u16>(ray.domain().size);
        if wanted.len() == 1 {
            return Ok(Some(self.code.work_out(|to| nearest(rises, to, a, members))));
        }
        let to = self.code.value_slot();
        self.code.push(nearest(rises, to, a, members));
        Ok(Some(to))
    }

    /// The cells that one way leads to from a cell, with that cell or without it.
    fn cells_along(&mut self, (cells, board, way): Line<'c>, here: Slot, with: bool) -> Try<SetVal> {
        let of = Domain { low: 0, size: board.cell_count() as u64 };
        let words = of.words();
        let what = if with { "onward" } else { "along" };
        let key = TableKey::Board(what, cells, cells, exact::<_, i64>(way));
        let table = self.make_large_table(key, board.cell_count() * words, || {
            let mut entries = vec![0_i64; board.cell_count() * words];
            for from in 0..board.cell_count() {
                let first = if with { Some(from) } else { board.step(from, way) };
                for cell in std::iter::successors(first, |&cell| board.step(cell, way)) {
                    entries[from * words + cell / 64] |= 1 << (cell % 64);
                }
            }
            entries
        })?;
        if words == 1 {
            return Ok(SetVal { bits: self.code.table(table, here), of });
        }
        Ok(self.set_from_table(table, here, 0, of))
    }

    /// How what is found first along a way from a cell is looked for, if `to` is that.
    pub(super) fn look_from(&mut self, from: ExprId, to: ExprId) -> Option<Look<'c>> {
        let (Expr::Def(def, args), Expr::Local(here)) = (&self.bound.expr(to).kind, &self.bound.expr(from).kind) else {
            return None;
        };
        let def = self.bound.def(*def);
        let Expr::Aggregate(Aggregate::First, binds, _, by) = &self.bound.expr(def.body).kind else { return None };
        let ([bind], []) = (binds.as_slice(), by.as_slice()) else { return None };
        let condition = bind.condition?;
        let Expr::Function(Function::Ray, ray) = &self.bound.expr(bind.domain).kind else { return None };
        let [origin, toward] = ray.as_slice() else { return None };
        let given = |id: ExprId| {
            let Expr::Local(name) = &self.bound.expr(id).kind else { return None };
            let nth = def.params.iter().position(|param| param == name)?;
            args.get(nth).copied()
        };
        let same = matches!(&self.bound.expr(given(*origin)?).kind, Expr::Local(origin) if origin == here);
        let (cells, board, _) = self.board(from).filter(|_| same)?;
        let way = self.way_of(board, given(*toward)?)?;
        Some(Look { line: (cells, board, way), params: &def.params, args, local: bind.local, condition })
    }

    /// The masks of what is looked for, where these will be asked for.
    pub(super) fn work_out_looked_for(&mut self, look: &Look<'c>) -> Try<()> {
        let of = Domain { low: 0, size: look.line.1.cell_count() as u64 };
        for window in Bits::windows(look.local, of).iter().filter(|_| of.words() <= MOST_WORDS) {
            if let Some(mask) = self.mask(window, look.condition)? {
                self.worked_out(mask);
            }
        }
        Ok(())
    }

    /// The cells between a cell and what was found first from it on, along a way that is known.
    pub(super) fn between_on_line(&mut self, line: Line<'c>, here: Slot, there: Slot) -> Try<SetVal> {
        let (along, onward) = (self.cells_along(line, here, false)?, self.cells_along(line, there, true)?);
        Ok(self.combine(Masks::Without, along, onward))
    }

    /// A way, or that of a side, if it is known.
    fn way_of(&mut self, board: &Board, toward: ExprId) -> Option<usize> {
        let Type::Named(ways) = *self.ty(toward).plain() else { return None };
        let way = self.known_value(toward).and_then(|way| usize::try_from(way).ok())?;
        let of_side = matches!(self.types().get(ways).kind, TypeKind::Sides(_));
        Some(if of_side { board.way_of_side(way) } else { way })
    }

    /// All cells at which looking would end.
    fn found(&mut self, ray: &Ray<'c>) -> Try<Option<Vec<Slot>>> {
        let mut found = Vec::new();
        for window in ray.windows() {
            let Some(mask) = self.mask(&window, ray.condition)? else { return Ok(None) };
            found.push(self.worked_out(mask));
        }
        Ok(Some(found))
    }

    /// Members from which what is found along a way is one of some cells.
    pub(super) fn leading_to(&mut self, bits: &Bits, end: ExprId, ends: &Mask) -> Try<Option<Mask>> {
        self.at_end(bits, end, &mut |compiler, bits, ray, found| {
            let stride = i8::try_from(ray.stride()?).ok().filter(|_| ray.is_small())?;
            let (&[found], all, on) = (found, bits.all(), ray.leading_on(bits)) else { return None };
            let found = Mask::moved(found, all, 0, all);
            let good = compiler.meet(found.clone(), ends.clone());
            let passed = compiler.others(all, found);
            let passed = compiler.meet(passed, Mask::constant(on));
            let longest = (0..ray.board.cell_count()).map(|cell| ray.cells_from(cell).count()).max()?;
            let (good, passed) = (compiler.worked_out(good), compiler.worked_out(passed));
            let leading = compiler.spread(good, passed, stride, longest)?;
            Some(Mask::moved(leading, all, stride, on))
        })
    }

    /// Members from which anything may be found along a way, if these are good enough.
    pub(super) fn leading_on(&mut self, bits: &Bits, end: ExprId) -> Try<Option<Mask>> {
        if !bits.is_rough() {
            return Ok(None);
        }
        self.at_end(bits, end, &mut |_, bits, ray, _| Some(Mask::constant(ray.leading_on(bits))))
    }

    /// Members from which what is found along a way is right beside them.
    pub(super) fn beside(&mut self, bits: &Bits, end: ExprId) -> Try<Option<Mask>> {
        self.at_end(bits, end, &mut |_, bits, ray, found| {
            let (stride, on) = (ray.stride()?, ray.leading_on(bits));
            // The cells beside those of one mask are in one or two.
            let mut beside = Mask::default();
            for (window, &slot) in ray.windows().iter().zip(found) {
                let by = stride + bits.domain()?.low - window.domain()?.low;
                if by.abs() < 64 {
                    beside = beside.or(Mask::moved(slot, window.all(), i8::try_from(by).ok()?, on));
                }
            }
            Some(beside)
        })
    }

    /// Cells that are good, or passed by on the way to good ones.
    fn spread(&mut self, mut good: Slot, mut passed: Slot, stride: i8, longest: usize) -> Option<Slot> {
        let (mut by, mut reached) = (stride, 1);
        loop {
            let further = self.lower(good, by);
            let further = self.code.masks(Masks::Both, passed, further);
            good = self.code.masks(Masks::Either, good, further);
            reached *= 2;
            if reached >= longest {
                return Some(good);
            }
            let next = self.lower(passed, by);
            passed = self.code.masks(Masks::Both, passed, next);
            by = by.checked_mul(2)?;
        }
    }

    /// What comes of a ray that leads from each member to what is found there first.
    fn at_end(&mut self, bits: &Bits, end: ExprId, then: Then<'_, 'c>) -> Try<Option<Mask>> {
        self.take_step(end)?;
        let bound = self.bound;
        match &bound.expr(end).kind {
            Expr::Def(def, args) => {
                let def = bound.def(*def);
                self.in_definition(bits, &def.params, args, &mut |compiler, inner| {
                    compiler.at_end(inner, def.body, then)
                })
            }
            Expr::Aggregate(Aggregate::First, binds, _, by) => {
                let Some(ray) = self.ray_where(binds, by) else { return Ok(None) };
                let fixed = !self.depends(bits, ray.toward) && !self.depends(bits, ray.condition);
                let within = ray.windows().iter().any(|window| window.domain() == bits.domain());
                if !fixed || !within || !self.is_variable(bits, ray.from) {
                    return Ok(None);
                }
                let Some(found) = self.found(&ray)? else { return Ok(None) };
                Ok(then(self, bits, &ray, &found))
            }
            _ => Ok(None),
        }
    }
}
