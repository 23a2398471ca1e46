//! Keys of the TOML, and settings of examples, that no number asks for or that do not fit it.

use super::binder::Binder;
use super::types::Type;
use crate::numbers::{Node, NodeKind, Tree};
use crate::report::{Fault, codes, suggest};

impl Binder<'_> {
    /// Does a setting of an example fit the number it names?
    pub(super) fn check_setting(&mut self, path: &str, node: &Node) {
        let exact = self.numbers.get(path).map(|id| self.bound.number(*id));
        let is_member = |index: &Type, name: &str| match index {
            Type::Int(low, high) => name.parse().is_ok_and(|at: i64| (low..=high).contains(&&at)),
            Type::Named(id) => self.bound.types.find(*id, name).is_some(),
            _ => false,
        };
        // One element: the path of a number, then a member for each of its indices.
        let element = || {
            path.match_indices('.').find_map(|(at, _)| {
                let number = self.numbers.get(path.get(..at)?).map(|id| self.bound.number(*id))?;
                let members: Vec<&str> = path.get(at + 1..)?.split('.').collect();
                let fits = members.len() == number.indices.len()
                    && number.indices.iter().zip(members).all(|(index, name)| is_member(index, name));
                fits.then(|| number.ty.clone())
            })
        };
        let ty = exact.filter(|number| number.indices.is_empty()).map(|number| number.ty.clone()).or_else(element);
        match ty {
            Some(ty) => {
                self.read_value(path, node, &ty);
            }
            None => {
                let mut known: Vec<String> = self.numbers.keys().cloned().collect();
                known.sort();
                let message = format!("the rules know no `{path}`");
                let way_out =
                    "a position sets states, numbers, options and rulings; an indexed number one element at a time";
                self.misspelt(&codes::UNKNOWN_KEY, path, node.key, message, &known, way_out);
            }
        }
    }

    /// Keys of the TOML that no declaration asks for.
    pub(super) fn report_unknown_keys(&mut self) {
        let mut declared: Vec<String> = self.numbers.keys().cloned().collect();
        declared.extend(self.table_keys.iter().cloned());
        declared.sort();
        let tree = self.choice.numbers;
        self.unknown_keys(tree, "", &declared);
    }

    fn unknown_keys(&mut self, tree: &Tree, above: &str, declared: &[String]) {
        for (key, node) in &tree.entries {
            let path = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
            if above.is_empty() && (key == "source" || key == "view") {
                continue;
            }
            match &node.kind {
                NodeKind::Table(table) if node.used.is_marked() => self.unknown_keys(table, &path, declared),
                _ if node.used.is_marked() => {}
                _ => {
                    let names = if self.faults.len() > 100 { &[] } else { declared };
                    let near = suggest::did_you_mean(&path, names.iter().map(String::as_str));
                    self.fault(
                        Fault::new(&codes::UNKNOWN_KEY, node.key, format!("the rules know no `{path}`"))
                            .label("not declared")
                            .help(near.unwrap_or_else(|| "declare it in `numbers { … }`, or delete it".to_owned())),
                    );
                }
            }
        }
    }
}
