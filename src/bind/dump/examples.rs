//! Examples as text.

use super::Printer;
use crate::bind::model::{Entry, Step};

impl Printer<'_> {
    pub(super) fn examples(&mut self) {
        let bound = self.bound;
        for example in &bound.examples {
            self.line(format!(
                "example {}{:?}{}",
                example.rows.iter().map(|row| format!("{row} ")).collect::<String>(),
                example.title,
                Self::cites(&example.cites)
            ));
            self.inside(|out| {
                example.errata.iter().for_each(|erratum| out.line(format!("erratum {erratum}")));
                example.steps.iter().for_each(|step| out.step(step));
            });
        }
    }

    pub(super) fn step(&mut self, step: &Step) {
        match step {
            Step::Given(position) => {
                self.line("given");
                self.inside(|out| {
                    if let Some(flow) = &position.flow {
                        out.line("flow");
                        out.inside(|out| out.block(flow));
                    }
                    for (state, indices, value) in &position.facts {
                        let indices: String =
                            indices.iter().map(|index| format!(" {}", index.show(&out.bound.types))).collect();
                        out.line(format!(
                            "@{}{indices} = {}",
                            out.bound.state(*state).name,
                            value.show(&out.bound.types)
                        ));
                    }
                });
            }
            Step::When(entries) => entries.iter().for_each(|(entry, _)| self.entry("when", entry)),
            Step::Instead(entries) => entries.iter().for_each(|(entry, _)| self.entry("instead", entry)),
            Step::Holds(condition) => {
                let condition = self.expr(*condition);
                self.line(format!("then {condition}"));
            }
            Step::Refused(name, _) => self.line(format!("then refused {name}")),
        }
    }

    pub(super) fn entry(&mut self, word: &str, entry: &Entry) {
        let line = match entry {
            Entry::Act { seat, action, first, args, .. } => {
                let action = self.bound.action(*action);
                let args: Vec<String> = action
                    .params
                    .iter()
                    .skip(*first)
                    .zip(args)
                    .map(|((local, _), arg)| {
                        format!(" {} {}", self.bound.local(*local).name, arg.show(&self.bound.types))
                    })
                    .collect();
                format!("seat {} {}{}", seat + 1, action.name, args.concat())
            }
            Entry::Pass { seat } => format!("seat {} pass", seat + 1),
            Entry::Chance { name, indices, value } => {
                let indices: String =
                    indices.iter().map(|index| format!(" {}", index.show(&self.bound.types))).collect();
                let value = value.as_ref().map_or("?".to_owned(), |value| value.show(&self.bound.types));
                format!("chance {name}{indices} = {value}")
            }
            Entry::Unreadable { verdict } => format!("unreadable: {verdict}"),
        };
        self.line(format!("{word} {line}"));
    }
}
