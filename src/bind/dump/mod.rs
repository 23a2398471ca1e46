//! The bound ruleset as text, for `show --stage bound` and snapshots; with types, for `--stage checked`.
//!
//! `@x` is a state, `%x` a number, `x#3` a local with its id, `Suit:hearts` a member of a type.

mod examples;
mod exprs;
mod rules;
mod statements;

use super::model::{Bound, Citation, ExprId, LocalId, Visibility};
use super::types::{Type, TypeKind};
use super::value::Value;

/// The whole ruleset.
#[must_use]
pub fn dump(bound: &Bound) -> String {
    dump_typed(bound, None)
}

/// The whole ruleset, with types of expressions and locals where they are known.
pub(crate) fn dump_typed(bound: &Bound, types: Option<(&[Type], &[Type])>) -> String {
    let mut out = Printer { bound, types, text: String::new(), depth: 0 };
    out.head();
    out.data();
    out.rules();
    out.results();
    out.examples();
    out.text
}

struct Printer<'a> {
    bound: &'a Bound,
    types: Option<(&'a [Type], &'a [Type])>,
    text: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn inside(&mut self, inner: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inner(self);
        self.depth -= 1;
    }

    fn ty(&self, ty: &Type) -> String {
        self.bound.types.show(ty).to_string()
    }

    fn tys(&self, types: &[Type]) -> String {
        let shown: Vec<String> = types.iter().map(|ty| self.ty(ty)).collect();
        if shown.is_empty() { String::new() } else { format!("[{}]", shown.join(", ")) }
    }

    fn values(&self, values: &[Value]) -> String {
        values.iter().map(|value| value.show(&self.bound.types)).collect::<Vec<_>>().join(" ")
    }

    fn cites(cites: &[Citation]) -> String {
        if cites.is_empty() {
            return String::new();
        }
        let shown: Vec<String> = cites.iter().map(ToString::to_string).collect();
        format!(" cite {}", shown.join(", "))
    }

    fn local(&self, id: LocalId) -> String {
        let local = self.bound.local(id);
        format!("{}#{}", local.name, id.0)
    }

    fn typed_local(&self, id: LocalId) -> String {
        let declared = self.bound.local(id).ty.as_ref();
        let ty = self.types.map_or(declared, |(_, locals)| locals.get(id.at())).map(|ty| format!(": {}", self.ty(ty)));
        self.local(id) + &ty.unwrap_or_default()
    }

    fn params(&self, params: &[LocalId]) -> String {
        let params: Vec<String> = params.iter().map(|id| self.typed_local(*id)).collect();
        format!("({})", params.join(", "))
    }

    fn guard(&self, guard: Option<ExprId>) -> String {
        guard.map(|guard| format!(" if {}", self.expr(guard))).unwrap_or_default()
    }

    fn head(&mut self) {
        let bound = self.bound;
        self.line(format!(
            "ruleset {} {:?}, {} players of {}..{}",
            bound.name, bound.title, bound.players.count, bound.players.fewest, bound.players.most
        ));
        for source in &bound.sources {
            self.line(format!(
                "source {} {:?} edition {}",
                source.key,
                source.title,
                source.edition.as_deref().unwrap_or("-")
            ));
        }
        for (_, def) in bound.types.iter() {
            let kind = match &def.kind {
                TypeKind::Members(members) => members.join(" | "),
                TypeKind::Cells(board) => format!("{} cells, {} edges", board.cell_count(), board.edges().len()),
                TypeKind::Record(fields) => {
                    fields.iter().map(|(name, ty)| format!("{name}: {}", self.ty(ty))).collect::<Vec<_>>().join(", ")
                }
                TypeKind::Regions(of) => format!("regions of {}", self.ty(of)),
                TypeKind::Sides(_)
                | TypeKind::Ways(_)
                | TypeKind::Edges(_)
                | TypeKind::Borders(_)
                | TypeKind::Rim(_) => continue,
            };
            let cyclic = if def.cyclic { " cyclic" } else { "" };
            self.line(format!("type {}{cyclic} = {kind}", def.name));
        }
    }

    fn data(&mut self) {
        let bound = self.bound;
        for number in &bound.numbers {
            let unit = number.unit.as_deref().map(|unit| format!(" {unit:?}")).unwrap_or_default();
            self.line(format!(
                "number {}{}: {}{unit} = {}{}",
                number.path,
                self.tys(&number.indices),
                self.ty(&number.ty),
                self.values(&number.values),
                Self::cites(&number.cites)
            ));
        }
        for column in &bound.columns {
            let table = &bound.types.get(column.table).name;
            self.line(format!(
                "column {table}.{}{}: {} = {}",
                column.name,
                self.tys(&column.indices),
                self.ty(&column.ty),
                self.values(&column.values)
            ));
        }
        for ruling in &bound.rulings {
            self.line(format!("ruling {} {:?}", ruling.name, ruling.question));
            self.inside(|out| {
                for (citation, value, _) in &ruling.readings {
                    out.line(format!("{citation} = {}", value.show(&bound.types)));
                }
                out.line(format!("{:?}", ruling.reason));
            });
        }
        for state in &bound.states {
            let init = state.init.map(|init| format!(" = {}", self.expr(init))).unwrap_or_default();
            let turn = if state.per_turn { " turn" } else { "" };
            let seen = match state.seen {
                Visibility::Public => "",
                Visibility::Owner => " seen by owner",
                Visibility::Nobody => " seen by nobody",
            };
            let names: String = state.index_locals.iter().flatten().map(|id| format!(" {}", self.local(*id))).collect();
            self.line(format!(
                "state{turn}{} {}{}: {}{init}{seen}{names}",
                self.guard(state.guard),
                state.name,
                self.tys(&state.indices),
                self.ty(&state.ty)
            ));
        }
    }
}
