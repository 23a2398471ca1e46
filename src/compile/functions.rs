//! The functions of the language; what a board's shape decides is looked up in tables.

use super::builder::Label;
use super::compiler::{Compiler, Domain, SetVal, TableKey, Try, too_large};
use super::fold::Test;
use super::loops::Over;
use crate::bind::{Board, ExprId, Function, Type, TypeId, TypeKind};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::limits;
use crate::machine::{NO_MEMBER, Slot};
use crate::report::{Fault, Span};

impl<'c> Compiler<'c> {
    /// A value, and whether it may be `none`.
    pub(super) fn function(&mut self, function: Function, args: &[ExprId], none: Label) -> Try<(Slot, bool)> {
        let [first, rest @ ..] = args else { impossible!("`{}` of nothing", function.word()) };
        let ty = self.ty(*first).plain();
        Ok(match function {
            Function::Size => (self.size(*first, none)?, false),
            Function::Top => {
                let list = self.list(*first, none)?;
                let length = self.length(&list);
                let (zero, one) = (self.constant(0), self.constant(1));
                self.code.jump_if(Test::Same, length, zero, true, none);
                let last = self.code.subtract(length, one);
                let optional = self.item_type(*first).is_optional();
                (self.item(&list, last), optional)
            }
            Function::Least | Function::Most => {
                let a = self.strict(*first, none)?;
                let b = self.strict(*rest.first().must("the smaller and the larger are of two"), none)?;
                (self.code.extreme(function == Function::Least, a, b), false)
            }
            Function::Seat => {
                let number = self.strict(*first, none)?;
                self.code.jump_outside(number, 1, u64::from(self.bound.players.count), none);
                let one = self.constant(1);
                (self.code.subtract(number, one), false)
            }
            Function::Ordinal => {
                let value = self.strict(*first, none)?;
                let one = self.constant(1);
                (self.code.add(value, one), false)
            }
            Function::Opposite => {
                let count = if let Type::Named(id) = ty { self.types().count(*id) } else { 1 };
                let count = exact::<_, i64>(count).max(1);
                let value = self.strict(*first, none)?;
                let half = self.constant(count / 2);
                let value = self.code.add(value, half);
                (self.code.modulo(value, count), false)
            }
            _ => self.on_board(function, *first, rest, none)?,
        })
    }

    fn size(&mut self, of: ExprId, none: Label) -> Try<Slot> {
        Ok(match self.ty(of).plain() {
            Type::Set(_) => {
                let set = self.set(of, none)?;
                self.size_of_set(set)
            }
            Type::List(..) => {
                let list = self.list(of, none)?;
                self.length(&list)
            }
            Type::Named(id) if matches!(self.types().get(*id).kind, TypeKind::Edges(_)) => {
                self.strict(of, none)?;
                self.constant(2)
            }
            _ => {
                let over = self.span_in(of, none)?;
                let (to, zero) = (self.code.fresh(), self.constant(0));
                self.code.copy(to, zero);
                self.each(&over, None, false, &mut |compiler, _| {
                    compiler.code.push(crate::machine::Instruction::AddConst { to, a: to, value: 1 });
                    Ok(())
                })?;
                to
            }
        })
    }

    /// Adds up the members of a set.
    pub(super) fn size_of_set(&mut self, set: SetVal) -> Slot {
        let known: Option<Vec<i64>> = (set.bits..).take(set.of.words()).map(|slot| self.code.known(slot)).collect();
        if let Some(known) = known {
            return self.constant(known.iter().map(|mask| i64::from(mask.count_ones())).sum::<i64>());
        }
        let (to, zero) = (self.code.fresh(), self.constant(0));
        self.code.copy(to, zero);
        for a in (set.bits..).take(set.of.words()) {
            self.code.push(crate::machine::Instruction::Tally { to, a });
        }
        to
    }

    /// The board that a value belongs to.
    pub(super) fn board(&self, id: ExprId) -> Option<(TypeId, &'c Board, TypeId)> {
        let Type::Named(ty) = self.ty(id).plain() else { return None };
        let (cells, board) = self.types().board_of(*ty)?;
        Some((cells, board, *ty))
    }

    fn on_board(&mut self, function: Function, first: ExprId, rest: &[ExprId], none: Label) -> Try<(Slot, bool)> {
        let (cells, board, ty) = self.board(first).must("a function of boards is asked of a part of one");
        let here = self.strict(first, none)?;
        let count = board.cell_count();
        let sides = board.sides().len();
        let member = |at: Option<usize>| at.map_or(NO_MEMBER, exact);
        let key = |name: &'static str, second: TypeId, n: i64| TableKey::Board(name, ty, second, n);
        Ok(match (function, rest) {
            (Function::Step, [way, steps @ ..]) => return self.step(here, (cells, board), *way, steps.first(), none),
            (Function::Column | Function::Row, _) => {
                let name = function.word();
                let table = self.make_table(key(name, cells, 0), || {
                    let part = |(column, row)| if function == Function::Column { column } else { row };
                    (0..count).map(|cell| member(Some(part(board.column_and_row(cell)) + 1))).collect()
                });
                (self.code.table(table, here), false)
            }
            (Function::Side | Function::Edge, [other]) => {
                let Type::Named(second) = self.ty(*other).plain() else {
                    impossible!("`{}` of no cell", function.word())
                };
                let there = self.strict(*other, none)?;
                let by_side = *second != cells;
                let width = if by_side { sides } else { count };
                if count * width > limits::TABLE_ENTRIES {
                    return Err(table_too_large(self.span(first), function));
                }
                let table = self.make_table(key(function.word(), *second, 0), || {
                    let mut entries = Vec::new();
                    for cell in 0..count {
                        for at in 0..width {
                            let to = if by_side { board.step(cell, board.way_of_side(at)) } else { Some(at) };
                            entries.push(member(to.and_then(|to| match function {
                                Function::Side => {
                                    (0..sides).find(|&side| board.step(cell, board.way_of_side(side)) == Some(to))
                                }
                                _ => board.edges().binary_search(&(cell.min(to), cell.max(to))).ok(),
                            })));
                        }
                    }
                    entries
                });
                let at = self.code.multiply_add(here, exact::<_, u32>(width), there);
                (self.code.table(table, at), true)
            }
            (Function::Border, [side]) => {
                let side = self.strict(*side, none)?;
                (self.code.multiply_add(here, exact::<_, u32>(sides), side), false)
            }
            (Function::Across, _) => {
                let table = self.make_table(key("across", cells, 0), || {
                    let back = |side: usize| (side + sides / 2) % sides.max(1);
                    let across = |cell: usize, side: usize| {
                        board.step(cell, board.way_of_side(side)).map(|to| to * sides + back(side))
                    };
                    (0..count * sides).map(|at| member(across(at / sides, at % sides))).collect()
                });
                (self.code.table(table, here), true)
            }
            (Function::Inward, [steps]) => {
                let steps = self.strict(*steps, none)?;
                let deepest = board.width().max(board.height());
                self.code.jump_outside(steps, 1, deepest as u64, none);
                let rim = board.rim_count();
                let table = self.make_table(key("inward", cells, 0), || {
                    let depths = 1..=exact::<_, i64>(deepest);
                    depths
                        .flat_map(|depth| (0..rim).map(move |place| (depth, place)))
                        .map(|(depth, place)| member(crate::evaluate::inward(board, place, depth)))
                        .collect()
                });
                let one = self.constant(1);
                let depth = self.code.subtract(steps, one);
                let at = self.code.multiply_add(depth, exact::<_, u32>(rim), here);
                (self.code.table(table, at), true)
            }
            (Function::Rotate, [turns]) => {
                let turns = self.quarter_turns(*turns, none)?;
                (self.turned_member(ty, here, turns), false)
            }
            (_, rest) => impossible!("`{}` of {} arguments", function.word(), 1 + rest.len()),
        })
    }

    /// A step, or several; each way has a row of the table.
    fn step(
        &mut self,
        here: Slot,
        (cells, board): (TypeId, &Board),
        way: ExprId,
        steps: Option<&ExprId>,
        none: Label,
    ) -> Try<(Slot, bool)> {
        let Type::Named(ways) = *self.ty(way).plain() else { impossible!("a step in no way") };
        let span = self.span(way);
        let way = self.strict(way, none)?;
        let count = board.cell_count();
        let (low, high) = match steps.map(|&steps| self.ty(steps).plain()) {
            None => (1, 1),
            Some(&Type::Int(low, high)) => {
                let reach = exact::<_, i64>(board.width().max(board.height()));
                (low.clamp(-reach, reach), high.clamp(-reach, reach))
            }
            Some(_) => (1, 1),
        };
        let steps = match steps {
            None => self.constant(1),
            Some(&steps) => self.strict(steps, none)?,
        };
        let number = exact::<_, usize>(high - low + 1);
        self.code.jump_outside(steps, low, number as u64, none);
        let of_side = matches!(self.types().get(ways).kind, TypeKind::Sides(_));
        let all = if of_side { board.sides().len() } else { board.ways().len() };
        if number * all * count > limits::TABLE_ENTRIES {
            return Err(table_too_large(span, Function::Step));
        }
        // One table for each number of steps that is known, or one for the whole range.
        let (low, high) = self.code.known(steps).map_or((low, high), |steps| (steps, steps));
        let key = TableKey::Board("step", cells, ways, low * (1 << 20) + high);
        let table = self.make_table(key, || {
            let mut entries = Vec::new();
            for steps in low..=high {
                for way in 0..all {
                    let way = if of_side { board.way_of_side(way) } else { way };
                    entries.extend((0..count).map(|cell| walk(board, cell, way, steps)));
                }
            }
            entries
        });
        let below = self.constant(-low);
        let row = self.code.add(steps, below);
        let row = self.code.multiply_add(row, exact::<_, u32>(all), way);
        let zero = self.constant(0);
        let row = self.code.multiply_add(row, exact::<_, u32>(count), zero);
        if let Some(known) = self.code.known(row).and_then(|row| u32::try_from(row).ok()) {
            return Ok((self.code.table(table + known, here), true));
        }
        let at = self.code.add(row, here);
        Ok((self.code.table(table, at), true))
    }

    /// The ends of every edge, two entries each.
    pub(super) fn ends_table(&mut self, edges: TypeId) -> u32 {
        let (_, board) = self.types().board_of(edges).must("edges are those of a board");
        self.make_table(TableKey::Board("ends", edges, edges, 0), || {
            board.edges().iter().flat_map(|&(a, b)| [a, b]).map(|cell| exact::<_, i64>(cell)).collect()
        })
    }

    /// Quarter turns of a cell or border of a square board.
    fn turned_member(&mut self, ty: TypeId, member: Slot, turns: Slot) -> Slot {
        let types = self.types();
        let count = exact::<_, usize>(types.count(ty));
        let game = &self.game;
        let entries: Vec<i64> = (0..4)
            .flat_map(|turns| (0..count).map(move |at| (turns, at)))
            .map(|(turns, at)| game.rotated(ty, exact::<_, u32>(at), turns))
            .collect();
        let table = self.make_table(TableKey::Board("rotate", ty, ty, 0), || entries);
        let at = self.code.multiply_add(turns, exact::<_, u32>(count), member);
        self.code.table(table, at)
    }

    /// How many quarter turns, from 0 to 3.
    fn quarter_turns(&mut self, id: ExprId, none: Label) -> Try<Slot> {
        let turns = self.strict(id, none)?;
        let few = matches!(self.ty(id).plain(), Type::Int(low, high) if *low >= 0 && *high < 4);
        Ok(if few { turns } else { self.code.modulo(turns, 4) })
    }

    /// Quarter turns of a set of cells or borders.
    pub(super) fn rotate_set(&mut self, args: &[ExprId], of: Domain, none: Label) -> Try<SetVal> {
        let [first, turns] = args else { impossible!("a rotation of {} arguments", args.len()) };
        let turns = self.quarter_turns(*turns, none)?;
        let inner = if let Type::Set(inner) = self.ty(*first).plain() { inner.plain() } else { &Type::Nothing };
        let Type::Named(ty) = *inner else { return self.set_as(*first, of, none) };
        if of.low == 0
            && of.size == self.types().count(ty)
            && let Some(set) = self.tabled_turns(*first, ty, turns, of)?
        {
            return Ok(set);
        }
        let set = self.set_as(*first, of, none)?;
        let result = self.new_set(of);
        self.each(&Over::Set(set), None, false, &mut |compiler, member| {
            let turned = compiler.turned_member(ty, member, turns);
            compiler.join(result, turned);
            Ok(())
        })?;
        Ok(result)
    }
}

pub(super) fn walk(board: &Board, from: usize, way: usize, steps: i64) -> i64 {
    let ways = board.ways().len().max(1);
    let way = if steps < 0 { (way + ways / 2) % ways } else { way };
    let end = (0..steps.unsigned_abs()).try_fold(from, |at, _| board.step(at, way));
    end.map_or(NO_MEMBER, exact)
}

/// A board for which a function would need a table that is too long.
fn table_too_large(span: Span, function: Function) -> Box<Fault> {
    let (most, name) = (limits::shown(limits::TABLE_ENTRIES as u64), function.word());
    too_large(span, format!("on this board `{name}` needs a table of more than {most} entries"))
}
