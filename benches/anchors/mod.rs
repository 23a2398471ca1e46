//! The same games written by hand in tuned Rust: the limit that programs are measured against.
//!
//! Each builds its full list of legal moves at every step and picks one uniformly. The `plain` forms are
//! written without tuning, one byte a cell: what a programmer writes in an afternoon.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    reason = "kept as they were measured elsewhere"
)]

pub mod games;
pub mod plain;
pub mod rng;
pub mod tikal;
pub mod tower;
