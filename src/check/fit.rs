//! When a value of one type fits where another is wanted, and what two types have in common.

use crate::bind::Type;

/// Does a value fit?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// Every value does.
    Always,
    /// Some do: tested when it happens.
    Maybe,
    /// The ranges have nothing in common.
    OutOfRange,
    /// It is something else.
    Never,
}

/// Does a value of type `found` fit into a place of type `wanted`?
pub(super) fn fit(found: &Type, wanted: &Type) -> Fit {
    match (found, wanted) {
        (Type::Unknown | Type::Nothing, _) | (_, Type::Unknown) => Fit::Always,
        (Type::Optional(found), Type::Optional(wanted)) => fit(found, wanted),
        (found, Type::Optional(wanted)) => fit(found, wanted),
        (Type::Optional(found), _) if **found == Type::Nothing => Fit::Never,
        (Type::Optional(found), wanted) => fit(found, wanted).max(Fit::Maybe),
        (Type::Int(low, high), Type::Int(from, to)) => {
            if from <= low && high <= to {
                Fit::Always
            } else if high < from || to < low {
                Fit::OutOfRange
            } else {
                Fit::Maybe
            }
        }
        (Type::Set(found), Type::Set(wanted)) | (Type::List(_, found), Type::List(_, wanted)) => {
            inside(fit(found, wanted))
        }
        (found, wanted) if found == wanted => Fit::Always,
        _ => Fit::Never,
    }
}

/// What may not fit as a member may still be absent: then the set or list fits.
fn inside(member: Fit) -> Fit {
    if member == Fit::OutOfRange { Fit::Maybe } else { member }
}

/// The smallest type that holds both, if there is one.
pub(super) fn join(a: &Type, b: &Type) -> Option<Type> {
    Some(match (a, b) {
        (Type::Unknown, _) | (_, Type::Unknown) => Type::Unknown,
        (Type::Nothing, other) | (other, Type::Nothing) => other.clone(),
        (Type::Optional(a), Type::Optional(b)) => join(a, b)?.optional(),
        (Type::Optional(a), b) | (b, Type::Optional(a)) => join(a, b)?.optional(),
        (Type::Int(a, b), Type::Int(c, d)) => Type::Int(*a.min(c), *b.max(d)),
        (Type::Set(a), Type::Set(b)) => Type::Set(Box::new(join(a, b)?)),
        (Type::List(n, a), Type::List(m, b)) => Type::List(*n.max(m), Box::new(join(a, b)?)),
        (a, b) if a == b => a.clone(),
        _ => return None,
    })
}
