//! Instructions and native code in turn, as they meet while pieces are translated one by one.

use std::sync::atomic::Ordering;

use crate::check::chosen;
use crate::compile::compile;
use crate::load::{Request, load};
use crate::machine::{Engine, Machine};
use crate::report::Span;
use crate::testing::root;

/// One offer is listed by instructions and just fills the list, the next one natively.
#[test]
fn a_list_that_instructions_have_filled_goes_on_natively() {
    let ruleset = root().join("src/testing/engines/two-lists.ludex").display().to_string();
    let loaded = load(&Request { ruleset, ..Request::default() });
    let rules = chosen(&loaded, Some(2), &[], Span::default()).expect("a ruleset");
    let program = compile(&rules).expect("a program");
    let mut machine = Machine::new(&program).with_engine(Engine::Native);
    machine.begin().expect("no trouble");
    let natively = machine.moves().expect("no trouble").to_vec();
    let native = program.native(false).known().expect("native code");
    let first = native.pieces.at(program.offers[0].every).expect("a piece");
    native.code[first as usize].store(native.stand_in(), Ordering::Release);
    let mut machine = Machine::new(&program);
    machine.often = u32::MAX;
    machine.begin().expect("no trouble");
    assert_eq!(machine.moves().expect("no trouble"), natively);
    assert_eq!(natively.len(), 128);
}
