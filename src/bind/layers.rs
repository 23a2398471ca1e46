//! Layers → the items that are in force: a variant's items over those of what it is a variant of.

use std::collections::HashSet;

use crate::ast::{File, Item, ItemKind, Name, Param, Requirement, TypeExpr};
use crate::report::{Fault, Span, codes, suggest};

/// The items in force, in order of their first declaration.
#[derive(Debug, Default)]
pub struct Effective<'a> {
    /// Items; a replaced one stands where the old one stood.
    pub items: Vec<&'a Item>,
    /// Requirements replaced on their own: action and new requirement.
    pub requirements: Vec<(&'a Name, &'a Requirement)>,
    /// Words of items that could not be parsed.
    pub broken: HashSet<&'a str>,
}

/// Lays the layers over each other, the game first.
pub fn effective<'a>(layers: &'a [File], faults: &mut Vec<Fault>) -> Effective<'a> {
    let mut result = Effective::default();
    for (depth, layer) in layers.iter().enumerate() {
        result.broken.extend(layer.broken.iter().map(String::as_str));
        for item in &layer.items {
            if item.replaces {
                replace(&mut result, item, depth, layer, faults);
            } else if let ItemKind::Require { action, .. } = &item.kind {
                faults.push(
                    Fault::new(&codes::MISPLACED, action.span, "a requirement stands inside its action")
                        .label("on its own it can only replace one")
                        .help("write `replace require …` in a variant, or move it into the action"),
                );
            } else {
                result.items.push(item);
            }
        }
    }
    result
}

fn replace<'a>(result: &mut Effective<'a>, item: &'a Item, depth: usize, layer: &'a File, faults: &mut Vec<Fault>) {
    if let ItemKind::Require { action, requirement } = &item.kind {
        let name = format!("{}.{}", action.text, requirement.name.text);
        let known = result.items.iter().any(|known| match &known.kind {
            ItemKind::Action(known) => {
                known.name.text == action.text
                    && known.requirements.iter().any(|known| known.name.text == requirement.name.text)
            }
            _ => false,
        });
        if known && depth > 0 {
            result.requirements.push((action, requirement));
        } else {
            faults.push(replaces_nothing(action.span.to(requirement.name.span), "requirement", &name, &[]));
        }
        return;
    }
    let Some(head) = Head::of(&item.kind) else {
        faults.push(
            Fault::new(&codes::REPLACES_NOTHING, item.span, "this item has no name by which it could be replaced")
                .label("cannot be replaced")
                .help("`replace` goes with def, action, phase, award, type, table, board, regions, ruling, invariant, flow, score, winner, view and require"),
        );
        return;
    };
    // Guarded items of one name (score, winner) may come several times: the first replaces, the others add.
    let replaced_before = layer.items.iter().take_while(|known| !std::ptr::eq(*known, item)).any(|known| {
        known.replaces && Head::of(&known.kind).is_some_and(|known| known.word == head.word && known.name == head.name)
    });
    if replaced_before {
        result.items.push(item);
        return;
    }
    let at = result.items.iter().position(|known| {
        Head::of(&known.kind).is_some_and(|known| known.word == head.word && known.name == head.name)
    });
    match at {
        Some(at) if depth > 0 => {
            let old = Head::of(&result.items[at].kind);
            if let Some(old) = old.filter(|old| !same_params(old.params, head.params)) {
                faults.push(
                    Fault::new(
                        &codes::OTHER_PARAMETERS,
                        head.span,
                        format!("`{}` is replaced with other parameters", head.name),
                    )
                    .label("these parameters differ")
                    .also(old.span, "what it replaces")
                    .help("keep names and types of the parameters, so that every use still fits"),
                );
            }
            result.items[at] = item;
            // What was replaced in the old action is gone with it.
            result.requirements.retain(|(action, _)| head.word != "action" || action.text != head.name);
            let kept = result.items[at];
            result.items.retain(|known| {
                std::ptr::eq(*known, kept)
                    || !Head::of(&known.kind).is_some_and(|known| known.word == head.word && known.name == head.name)
            });
        }
        Some(_) => faults.push(
            Fault::new(
                &codes::REPLACES_NOTHING,
                head.span,
                format!("`{}` can be replaced by a variant only", head.name),
            )
            .label("this is the game itself")
            .help("change the first declaration, and leave this one out"),
        ),
        None => {
            let heads = result.items.iter().filter_map(|known| Head::of(&known.kind));
            let names: Vec<String> =
                heads.filter(|known| known.word == head.word).map(|known| known.name.to_owned()).collect();
            faults.push(replaces_nothing(head.span, head.word, head.name, &names));
        }
    }
}

fn replaces_nothing(span: Span, word: &str, name: &str, names: &[String]) -> Fault {
    let near = suggest::did_you_mean(name, names.iter().map(String::as_str));
    Fault::new(&codes::REPLACES_NOTHING, span, format!("there is no {word} `{name}` to replace"))
        .label("nothing of this name below")
        .help(near.unwrap_or_else(|| "leave out `replace` to add it; only a variant can replace".to_owned()))
}

/// What identifies an item that can be replaced.
struct Head<'a> {
    word: &'static str,
    name: &'a str,
    span: Span,
    params: &'a [Param],
}

impl<'a> Head<'a> {
    fn of(kind: &'a ItemKind) -> Option<Head<'a>> {
        let named =
            |word, name: &'a Name, params: &'a [Param]| Head { word, name: &name.text, span: name.span, params };
        Some(match kind {
            ItemKind::Board { name, .. } => named("board", name, &[]),
            ItemKind::Type { name, .. } => named("type", name, &[]),
            ItemKind::Table { name, .. } => named("table", name, &[]),
            ItemKind::Ruling { name, .. } => named("ruling", name, &[]),
            ItemKind::Invariant { name, .. } => named("invariant", name, &[]),
            ItemKind::Regions(regions) => named("regions", &regions.name, &[]),
            ItemKind::Def { name, params, .. } => named("def", name, params),
            ItemKind::Phase { name, params, .. } => named("phase", name, params),
            ItemKind::Action(action) => named("action", &action.name, &action.params),
            ItemKind::Award(award) => named("award", &award.name, &award.params),
            ItemKind::Flow(block) => Head { word: "flow", name: "flow", span: block.span, params: &[] },
            ItemKind::Score { params, body, .. } => Head { word: "score", name: "score", span: body.span, params },
            ItemKind::Winner { params, keys, .. } => {
                let span = keys.first().map(|key| key.span).unwrap_or_default();
                Head { word: "winner", name: "winner", span, params }
            }
            ItemKind::View { params, .. } => {
                let span = params.first().map(|param| param.name.span).unwrap_or_default();
                Head { word: "view", name: "view", span, params }
            }
            _ => return None,
        })
    }
}

fn same_params(old: &[Param], new: &[Param]) -> bool {
    old.len() == new.len()
        && old.iter().zip(new).all(|(old, new)| old.name.text == new.name.text && same_type(&old.ty, &new.ty))
}

/// The same type, written the same way; spans differ.
fn same_type(old: &TypeExpr, new: &TypeExpr) -> bool {
    crate::ast::dump_type(old) == crate::ast::dump_type(new)
}
