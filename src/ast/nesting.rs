//! A limit on nesting: the tree must be shallow enough to be walked by functions that call themselves.
//!
//! It is counted over the tokens of the parse, without recursion, before any tree is built. What counts is
//! how many operators, calls, brackets and blocks lie on the way from the item down to a place: operators
//! side by side nest too, for `a + b + c` is a tree that leans to the left.

use pest::Token;
use pest::iterators::Pairs;

use super::expected;
use super::pairs::{Origin, Rule};
use crate::limits;
use crate::report::{Fault, Span, codes};

/// The place where an item becomes too deep.
pub(super) fn too_deep(origin: Origin, pairs: &Pairs<'_, Rule>) -> Option<Fault> {
    // For each open scope, what it and the operators directly in it count.
    let mut open: Vec<usize> = Vec::new();
    let mut depth = 0;
    for token in pairs.clone().tokens() {
        match token {
            Token::End { rule, .. } if is_scope(rule) => depth -= open.pop().unwrap_or(0).min(depth),
            Token::Start { rule, pos } if is_scope(rule) || is_operator(rule) => {
                match open.last_mut() {
                    Some(scope) if !is_scope(rule) => *scope += 1,
                    _ => open.push(1),
                }
                depth += 1;
                if depth > limits::NESTING {
                    return Some(nesting(origin, pos.pos()));
                }
            }
            _ => {}
        }
    }
    None
}

fn is_scope(rule: Rule) -> bool {
    use Rule::{block, bound, expr, statement, type_expr, value_list, value_set};
    matches!(rule, block | bound | expr | statement | type_expr | value_list | value_set)
}

fn is_operator(rule: Rule) -> bool {
    use Rule::{call_args, field, if_statement, negate_op, not_op, subscript};
    matches!(rule, call_args | field | if_statement | negate_op | not_op | subscript)
        || expected::words(rule) == Some("an operator")
}

/// The fault, also for what pest itself finds too deep.
pub(super) fn nesting(origin: Origin, at: usize) -> Fault {
    let span = Span::new(origin.file, origin.base + at, origin.base + at + 1);
    Fault::new(
        &codes::NESTING,
        span,
        format!("more than {} operators, brackets and blocks are open here", limits::NESTING),
    )
    .label("too deep from here on")
    .help("name a part of it with `def`, or move a part of the flow into a `phase`")
}
