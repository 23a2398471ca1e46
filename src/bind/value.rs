//! Values known before a game begins: numbers, columns, positions, arguments.

use super::types::{TypeId, Types};

/// A value of some type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// `true`
    Bool(bool),
    /// `42`
    Int(i64),
    /// A member of a named type.
    Member(TypeId, u32),
    /// A record's fields in order.
    Record(TypeId, Vec<Value>),
    /// Members in order of the type, each once.
    Set(Vec<Value>),
    /// Bottom first.
    List(Vec<Value>),
    /// `none`; it sorts after every value.
    None,
    /// A fault was reported.
    Unknown,
}

impl Value {
    /// The value in the notation of entries.
    #[must_use]
    pub fn show(&self, types: &Types) -> String {
        let many = |values: &[Value], separator: &str| {
            values.iter().map(|value| value.show(types)).collect::<Vec<_>>().join(separator)
        };
        match self {
            Self::Bool(value) => value.to_string(),
            Self::Int(value) => value.to_string(),
            Self::Member(id, at) => types.member_name(*id, *at),
            Self::None => "none".to_owned(),
            Self::Record(_, fields) => many(fields, " "),
            Self::Set(members) => format!("{{{}}}", many(members, ", ")),
            Self::List(members) => format!("[{}]", many(members, ", ")),
            Self::Unknown => "?".to_owned(),
        }
    }
}

/// `/`: rounds down, also below zero; nothing comes of dividing by zero.
#[must_use]
pub fn divide_down(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    let inexact = a % b != 0 && (a < 0) != (b < 0);
    Some(if inexact { quotient - 1 } else { quotient })
}
