//! Looking along a line: `first x in ray(c, w) where …`.
//!
//! On a board of at most 64 cells what is looked for is a mask. Of the cells of a ray it leaves some, and the nearest of
//! them is the lowest or the highest, as the way leads up or down in numbers: nothing is gone through.
//!
//! Whether what is found is this or that can be asked for all cells at once. A cell next to such an end leads to it, and
//! so does, one step after the other, a cell next to one that does and is passed by: first one step, then two, then four.

use super::compiler::{Compiler, Domain, TableKey, Try};
use super::fold::Masks;
use super::masks::Bits;
use super::products::Mask;
use crate::ast::Aggregate;
use crate::bind::{Bind, Board, Expr, ExprId, Function, LocalId, Type, TypeId, TypeKind};
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

/// One step of a way, for all cells that it leads on from.
#[derive(Debug, Clone, Copy)]
struct Stride {
    by: i8,
    from: i64,
}

impl Ray<'_> {
    fn domain(&self) -> Domain {
        Domain { low: 0, size: self.board.cell_count() as u64 }
    }

    /// The cell that is looked for.
    fn bits(&self) -> Bits {
        Bits::of(self.local, self.domain())
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

    /// How far the way leads, if that is equally far from everywhere.
    fn stride(&self) -> Option<Stride> {
        let far = |(from, to): (usize, usize)| i8::try_from(to).ok()?.checked_sub(i8::try_from(from).ok()?);
        let by = far(self.steps().next()?)?;
        let even = self.steps().all(|step| far(step) == Some(by));
        even.then(|| Stride { by, from: self.steps().fold(0, |from, (cell, _)| from | 1 << cell) })
    }

    fn cells_from(&self, cell: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.board.step(cell, self.way), |&cell| self.board.step(cell, self.way))
    }
}

impl<'c> Compiler<'c> {
    /// What is looked for along a way that is known, on a board whose cells fit a mask.
    fn ray_where(&mut self, binds: &[Bind], by: &[ExprId]) -> Option<Ray<'c>> {
        let ([bind], []) = (binds, by) else { return None };
        let Expr::Function(Function::Ray, args) = &self.bound.expr(bind.domain).kind else { return None };
        let [from, toward] = args.as_slice() else { return None };
        let (cells, board, _) = self.board(*from).filter(|(_, board, _)| board.cell_count() <= 64)?;
        let Type::Named(ways) = *self.ty(*toward).plain() else { return None };
        let way = self.known_value(*toward).and_then(|way| usize::try_from(way).ok())?;
        let of_side = matches!(self.types().get(ways).kind, TypeKind::Sides(_));
        let way = if of_side { board.way_of_side(way) } else { way };
        let (from, toward, condition) = (*from, *toward, bind.condition?);
        Some(Ray { from, toward, local: bind.local, condition, cells, board, way })
    }

    /// What is found first along a way, or -1; nothing if cells have to be gone through.
    pub(super) fn first_on_ray(&mut self, binds: &[Bind], by: &[ExprId]) -> Try<Option<Slot>> {
        let Some(ray) = self.ray_where(binds, by) else { return Ok(None) };
        let Some(rises) = ray.rises() else { return Ok(None) };
        let (mark, missing) = (self.code.mark(), self.code.label());
        let here = self.strict(ray.from, missing)?;
        let wanted = if self.code.is_used(missing) { None } else { self.mask(&ray.bits(), ray.condition)? };
        let Some(wanted) = wanted else {
            self.code.rewind(mark);
            return Ok(None);
        };
        let wanted = self.worked_out(wanted);
        let key = TableKey::Board("along", ray.cells, ray.cells, i64::try_from(ray.way).unwrap_or(0));
        let table = self.make_table(key, || {
            let cells = 0..ray.board.cell_count();
            cells.map(|cell| ray.cells_from(cell).fold(0, |mask, cell| mask | 1 << cell)).collect()
        });
        let along = self.code.table(table, here);
        let a = self.code.masks(Masks::Both, along, wanted);
        Ok(Some(self.code.work_out(
            |to| {
                if rises { Instruction::Lowest { to, a } } else { Instruction::Highest { to, a } }
            },
        )))
    }

    /// Members from which what is found along a way is one of some cells.
    pub(super) fn leading_to(&mut self, bits: &Bits, end: ExprId, ends: &Mask) -> Try<Option<Mask>> {
        self.at_end(bits, end, &mut |compiler, ray, found| {
            let stride = ray.stride()?;
            let good = compiler.meet(found.clone(), ends.clone());
            let passed = compiler.others(ray.bits().all(), found);
            let passed = compiler.meet(passed, Mask::constant(stride.from));
            let longest = (0..ray.board.cell_count()).map(|cell| ray.cells_from(cell).count()).max()?;
            let (good, passed) = (compiler.worked_out(good), compiler.worked_out(passed));
            let leading = compiler.spread(good, passed, stride, longest)?;
            Some(Mask::moved(leading, ray.bits().all(), stride.by, stride.from))
        })
    }

    /// Members from which what is found along a way is right beside them.
    pub(super) fn beside(&mut self, bits: &Bits, end: ExprId) -> Try<Option<Mask>> {
        self.at_end(bits, end, &mut |compiler, ray, found| {
            let Stride { by, from } = ray.stride()?;
            let found = compiler.worked_out(found);
            Some(Mask::moved(found, ray.bits().all(), by, from))
        })
    }

    /// Cells that are good, or passed by on the way to good ones.
    fn spread(&mut self, mut good: Slot, mut passed: Slot, stride: Stride, longest: usize) -> Option<Slot> {
        let (mut by, mut reached) = (stride.by, 1);
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

    /// What comes of a way from each member to what is found there first, given the cells that would be found.
    fn at_end(
        &mut self,
        bits: &Bits,
        end: ExprId,
        then: &mut dyn FnMut(&mut Self, &Ray<'c>, Mask) -> Option<Mask>,
    ) -> Try<Option<Mask>> {
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
                if !fixed || !self.is_variable(bits, ray.from) || bits.domain() != ray.domain() {
                    return Ok(None);
                }
                let Some(found) = self.mask(&ray.bits(), ray.condition)? else { return Ok(None) };
                Ok(then(self, &ray, found))
            }
            _ => Ok(None),
        }
    }
}
