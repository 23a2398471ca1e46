//! Values as numbers: in slots, and in the block.
//!
//! Every type of one value is finite, so its values can be counted: records as their fields in mixed radix,
//! the first running slowest, and `none` after all others. The order of these codes is the order of values.

use super::instruction::{NO_MEMBER, NO_NUMBER};
use crate::bind::{Type, TypeKind, Types, Value};
use crate::impossible;
use crate::internal::Must;

/// How many values a type of one value has; nothing for sets and lists, and for what is beyond counting.
#[must_use]
pub fn scalar_size(types: &Types, ty: &Type) -> Option<u64> {
    let size = match ty {
        Type::Set(_) | Type::List(..) | Type::Unknown => return None,
        Type::Nothing => 0,
        Type::Optional(inner) => scalar_size(types, inner)?.checked_add(1)?,
        Type::Named(id) => match &types.get(*id).kind {
            TypeKind::Record(fields) => {
                let mut size: u64 = 1;
                for (_, ty) in fields {
                    size = size.checked_mul(scalar_size(types, ty)?)?;
                }
                size
            }
            _ => types.count(*id),
        },
        Type::Bool | Type::Int(..) => types.size(ty),
    };
    (size < 1 << 62).then_some(size)
}

/// What `none` is in a slot of this type.
#[must_use]
pub fn none_of(ty: &Type) -> i64 {
    if matches!(ty.plain(), Type::Int(..)) { NO_NUMBER } else { NO_MEMBER }
}

/// Is it a value of a type of one value?
#[must_use]
pub(super) fn fits(types: &Types, ty: &Type, value: &Value) -> bool {
    match (ty, value) {
        (Type::Optional(_), Value::None) => true,
        (Type::Optional(inner), value) => fits(types, inner, value),
        (Type::Bool, Value::Bool(_)) => true,
        (Type::Int(low, high), Value::Int(value)) => (low..=high).contains(&value),
        (Type::Named(id), Value::Member(of, at)) => id == of && u64::from(*at) < types.count(*id),
        (Type::Named(id), Value::Record(of, values)) => match &types.get(*id).kind {
            TypeKind::Record(fields) if id == of && fields.len() == values.len() => {
                fields.iter().zip(values).all(|((_, ty), value)| fits(types, ty, value))
            }
            _ => false,
        },
        _ => false,
    }
}

/// The code of a value: its place among the values of its type.
#[must_use]
pub fn code_of(types: &Types, ty: &Type, value: &Value) -> Option<u64> {
    match (ty, value) {
        (Type::Bool, Value::Bool(value)) => Some(u64::from(*value)),
        (Type::Int(low, high), Value::Int(value)) if (low..=high).contains(&value) => {
            u64::try_from(value.checked_sub(*low)?).ok()
        }
        (Type::Named(_), Value::Member(_, at)) => Some(u64::from(*at)),
        (Type::Named(id), Value::Record(_, values)) => {
            let TypeKind::Record(fields) = &types.get(*id).kind else { return None };
            let mut code: u64 = 0;
            for ((_, ty), value) in fields.iter().zip(values) {
                code = code.checked_mul(scalar_size(types, ty)?)?.checked_add(code_of(types, ty, value)?)?;
            }
            Some(code)
        }
        (Type::Optional(inner), Value::None) => scalar_size(types, inner),
        (Type::Optional(inner), value) => code_of(types, inner, value),
        _ => None,
    }
}

/// The value with this code.
#[must_use]
pub fn from_code(types: &Types, ty: &Type, code: u64) -> Value {
    match ty {
        Type::Bool => Value::Bool(code != 0),
        Type::Int(low, _) => match i64::try_from(code).ok().and_then(|code| low.checked_add(code)) {
            Some(number) => Value::Int(number),
            None => impossible!("no number of {ty:?} has the code {code}"),
        },
        Type::Named(id) => match &types.get(*id).kind {
            TypeKind::Record(fields) => {
                let mut rest = code;
                let mut values: Vec<Value> = Vec::new();
                for (_, ty) in fields.iter().rev() {
                    let size = scalar_size(types, ty).must("a field has one value").max(1);
                    values.push(from_code(types, ty, rest % size));
                    rest /= size;
                }
                values.reverse();
                Value::Record(*id, values)
            }
            _ => match u32::try_from(code) {
                Ok(at) => Value::Member(*id, at),
                Err(_) => impossible!("no member of {ty:?} has the code {code}"),
            },
        },
        Type::Optional(inner) if Some(code) == scalar_size(types, inner) => Value::None,
        Type::Optional(inner) => from_code(types, inner, code),
        Type::Set(_) | Type::List(..) | Type::Nothing | Type::Unknown => {
            impossible!("no value of {ty:?} has the code {code}")
        }
    }
}

/// A value as a slot holds it.
#[must_use]
pub fn to_slot(types: &Types, ty: &Type, value: &Value) -> Option<i64> {
    match (ty.plain(), value) {
        (plain, Value::None) => Some(none_of(plain)),
        (Type::Int(..), Value::Int(value)) => Some(*value),
        (plain, value) => code_of(types, plain, value).and_then(|code| i64::try_from(code).ok()),
    }
}

/// The value in a slot.
#[must_use]
pub fn from_slot(types: &Types, ty: &Type, slot: i64) -> Value {
    let plain = ty.plain();
    if ty.is_optional() && slot == none_of(plain) {
        return Value::None;
    }
    match plain {
        Type::Int(..) => Value::Int(slot),
        plain => match u64::try_from(slot) {
            Ok(code) => from_code(types, plain, code),
            Err(_) => impossible!("{slot} is no value of {ty:?}"),
        },
    }
}
