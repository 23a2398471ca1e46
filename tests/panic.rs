//! A panic in a process that notes them is an internal error. Alone in its process: the panic hook belongs to all.

use ludex::internal::{guard, note_panics};

#[test]
fn a_noted_panic_is_an_internal_error_with_its_place() {
    note_panics();
    let numbers = [1, 2, 3];
    let line = line!() + 1;
    let found = guard(|| numbers.iter().map(|&number| numbers[number]).sum::<usize>());
    let said = found.expect_err("an index is too large").to_string();
    assert!(said.contains("index out of bounds") && said.ends_with(&format!("tests/panic.rs:{line}")), "{said}");
}
