//! Functions that give several cells of a board: neighbours, cells between, rays.

use super::builder::Label;
use super::compiler::{Compiler, Domain, ListVal, SetVal, TableKey, Try};
use super::fold::Test;
use super::functions::walk;
use crate::bind::{Board, ExprId, Function, Type, TypeId, TypeKind};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::limits;
use crate::machine::{Instruction, NO_MEMBER, Slot};

/// Pairs of cells for which something is kept.
pub(super) const MOST_PAIRS: usize = 1 << 20;

/// For each pair of cells the first way that leads from one to the other.
pub(super) fn leading_ways(board: &Board) -> Vec<i64> {
    let count = board.cell_count();
    let mut leading = vec![NO_MEMBER; count * count];
    for (way, from) in (0..board.ways().len()).rev().flat_map(|way| (0..count).map(move |from| (way, from))) {
        let ray = std::iter::successors(board.step(from, way), |&cell| board.step(cell, way));
        ray.for_each(|cell| leading[from * count + cell] = exact(way));
    }
    leading
}

impl Compiler<'_> {
    /// Neighbours, and cells between two.
    pub(super) fn board_set(&mut self, function: Function, args: &[ExprId], of: Domain, none: Label) -> Try<SetVal> {
        let [first, rest @ ..] = args else { impossible!("`{}` of nothing", function.word()) };
        let (cells, board, _) = self.board(*first).must("a function of boards is asked of a part of one");
        let count = board.cell_count();
        let words = of.words();
        let here = self.strict(*first, none)?;
        let mask = |cells: Vec<usize>| {
            let mut masks = vec![0_i64; words];
            cells.into_iter().for_each(|cell| masks[cell / 64] |= 1 << (cell % 64));
            masks
        };
        let key = TableKey::Board(function.word(), cells, cells, 0);
        match rest {
            [] => {
                let table = self.make_large_table(key, count * words, || {
                    (0..count).flat_map(|cell| mask(board.neighbours(cell))).collect()
                })?;
                Ok(self.set_from_table(table, here, 0, of))
            }
            [other, ..] => {
                let there = self.strict(*other, none)?;
                if let Some(look) = self.look_from(*first, *other) {
                    return self.between_on_line(look.line, here, there);
                }
                if count * count * words > limits::TABLE_ENTRIES {
                    return Ok(self.between_by_walking(here, there, (cells, board), of));
                }
                let table = self.make_table(key, || {
                    let pairs = (0..count).flat_map(|from| (0..count).map(move |to| (from, to)));
                    pairs.flat_map(|(from, to)| mask(crate::evaluate::cells_between(board, from, to))).collect()
                });
                let at = self.code.multiply_add(here, exact::<_, u32>(count), there);
                Ok(self.set_from_table(table, at, 0, of))
            }
        }
    }

    /// On a large board: the way that leads from one cell to the other is gone step by step. Which one it is comes from a
    /// table; on a board too large for that all are tried.
    fn between_by_walking(&mut self, here: Slot, there: Slot, (cells, board): (TypeId, &Board), of: Domain) -> SetVal {
        let (count, ways) = (board.cell_count(), board.ways().len());
        let steps = self.make_table(TableKey::Board("walk", cells, cells, 1), || {
            (0..ways).flat_map(|way| (0..count).map(move |cell| walk(board, cell, way, 1))).collect()
        });
        let row = exact::<_, u32>(count);
        let (result, done) = (self.new_set(of), self.code.label());
        if count * count <= MOST_PAIRS {
            let leading = self.make_table(TableKey::Board("leading", cells, cells, 0), || leading_ways(board));
            let pair = self.code.multiply_add(here, row, there);
            let way = self.code.table(leading, pair);
            let (nowhere, zero) = (self.constant(NO_MEMBER), self.constant(0));
            self.code.jump_if(Test::Same, way, nowhere, true, done);
            let first = self.code.multiply_add(way, row, zero);
            self.walk_until(there, (here, first, steps), result, (done, done));
        } else {
            for way in 0..ways {
                let (next_way, empty) = (self.code.label(), self.empty_set(of));
                self.assign_set(result, empty);
                let first = self.constant(exact::<_, i64>(way * count));
                self.walk_until(there, (here, first, steps), result, (done, next_way));
                self.code.place(next_way);
            }
            let empty = self.empty_set(of);
            self.assign_set(result, empty);
        }
        self.code.place(done);
        result
    }

    /// Takes cells into a set, from one cell on by the steps of one way, until another is met, or none.
    fn walk_until(
        &mut self,
        there: Slot,
        (here, first, steps): (Slot, Slot, u32),
        result: SetVal,
        (met, missed): (Label, Label),
    ) {
        let (at, step, nowhere) = (self.code.fresh(), self.code.fresh(), self.constant(NO_MEMBER));
        self.code.copy(at, here);
        let top = self.code.here();
        self.code.push(Instruction::Add { to: step, a: first, b: at });
        let count = self.code.table_room(steps);
        self.code.push(Instruction::Table { to: at, at: step, from: steps, count });
        self.code.jump_if(Test::Same, at, nowhere, true, missed);
        self.code.jump_if(Test::Same, at, there, true, met);
        self.join(result, at);
        self.code.jump(top);
    }

    /// On to `target` if two cells are, or are not, neighbours.
    pub(super) fn adjacent(&mut self, args: &[ExprId], sense: bool, target: Label, no: Label) -> Try<()> {
        let [first, other] = args else { impossible!("`adjacent` has two arguments") };
        let Type::Named(cells) = self.ty(*first).plain() else { impossible!("`adjacent` is about cells") };
        let of = Domain { low: 0, size: self.types().count(*cells) };
        let around = self.board_set(Function::Neighbours, std::slice::from_ref(first), of, no)?;
        let there = self.strict(*other, no)?;
        self.code.jump_if_member(around.bits, there, sense, target);
        Ok(())
    }

    /// All cells one way, nearest first.
    pub(super) fn ray(&mut self, args: &[ExprId], none: Label) -> Try<ListVal> {
        let [first, way] = args else { impossible!("a ray of {} arguments", args.len()) };
        let (cells, board, _) = self.board(*first).must("a ray begins on a board");
        let Type::Named(ways) = *self.ty(*way).plain() else { impossible!("a ray in no way") };
        let here = self.strict(*first, none)?;
        let way = self.strict(*way, none)?;
        let of_side = matches!(self.types().get(ways).kind, TypeKind::Sides(_));
        let (count, all) = (board.cell_count(), if of_side { board.sides().len() } else { board.ways().len() });
        let ray = |way: usize, cell: usize| {
            let way = if of_side { board.way_of_side(way) } else { way };
            std::iter::successors(board.step(cell, way), move |&cell| board.step(cell, way))
        };
        // First where each ray begins in the table, then how long each is, then the rays themselves.
        let first_ray = 2 * all * count;
        let most = all * count * (2 + board.width().max(board.height()));
        let table = self.make_large_table(TableKey::Board("ray", cells, ways, 0), most, || {
            let pairs = || (0..all).flat_map(|way| (0..count).map(move |cell| (way, cell)));
            let lengths: Vec<usize> = pairs().map(|(way, cell)| ray(way, cell).count()).collect();
            let starts = lengths.iter().scan(first_ray, |at, length| {
                let start = *at;
                *at += length;
                Some(start)
            });
            let rays = pairs().flat_map(|(way, cell)| ray(way, cell));
            let all = starts.chain(lengths.iter().copied()).chain(rays);
            all.map(|entry| exact::<_, i64>(entry)).collect()
        })?;
        let at = self.code.multiply_add(way, exact::<_, u32>(count), here);
        let start = self.code.table(table, at);
        let length = self.code.table(table + exact::<_, u32>(all * count), at);
        Ok(ListVal::Table { from: table, start, length })
    }
}
