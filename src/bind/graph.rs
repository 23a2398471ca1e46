//! Boards that are graphs: places and their neighbours, from the TOML.

use crate::internal::exact;
use std::collections::HashSet;

use indexmap::IndexMap;

use super::binder::Binder;
use super::board::{Board, Shape};
use super::bounds::dotted;
use crate::ast;
use crate::limits;
use crate::numbers::{NodeKind, Tree};
use crate::report::{Fault, codes};

impl Binder<'_> {
    /// A graph of the TOML: each key a place, each value the list of its neighbours.
    pub(super) fn graph(&mut self, shape: &ast::Shape) -> Option<Board> {
        let Some(path) = dotted(&shape.first).filter(|_| shape.second.is_none() && shape.layout.is_none()) else {
            return self.grid(None, shape);
        };
        let tree = self.choice.numbers;
        let Some(node) = tree.get(&path) else {
            self.fault(
                Fault::new(&codes::MISSING_KEY, shape.first.span, format!("the TOML has no table `{path}`"))
                    .label("the places of this board")
                    .help(format!("add `[{path}]` with a line for each place: `rome = [\"ostia\"]`")),
            );
            return None;
        };
        tree.mark_way(&path);
        node.used.mark();
        let NodeKind::Table(places) = &node.kind else {
            self.wrong_node(node, "a table of places");
            return None;
        };
        let joined = joins(places);
        if places.entries.len() > exact::<_, usize>(limits::BOARD_CELLS) {
            self.too_large(shape.first.span);
            return None;
        }
        if joined.len() > 2 * limits::BOARD_EDGES {
            self.fault(
                Fault::new(
                    &codes::BOARD_SHAPE,
                    node.span,
                    format!("the graph `{path}` joins {} pairs", joined.len() / 2),
                )
                .label("too many")
                .help(format!("at most {} are possible", limits::shown(limits::BOARD_EDGES as u64))),
            );
            return None;
        }
        let mut graph: IndexMap<String, Vec<usize>> = IndexMap::new();
        for (here, (name, around)) in places.entries.iter().enumerate() {
            around.used.mark();
            let NodeKind::Array(names) = &around.kind else {
                self.wrong_node(around, "an array of neighbours");
                continue;
            };
            let mut list: Vec<usize> = Vec::new();
            let mut known: HashSet<usize> = HashSet::new();
            for neighbour in names {
                let at = match &neighbour.kind {
                    NodeKind::Text(text) => places.entries.get_index_of(text.as_str()),
                    _ => None,
                };
                match at {
                    Some(at) if at != here && joined.contains(&(at, here)) && known.insert(at) => list.push(at),
                    Some(at) if at == here || known.contains(&at) => self.fault(
                        Fault::new(
                            &codes::GRAPH_EDGE,
                            neighbour.span,
                            if at == here {
                                format!("`{name}` is its own neighbour")
                            } else {
                                format!("`{name}` lists this neighbour twice")
                            },
                        )
                        .label("one too many")
                        .help("leave it out"),
                    ),
                    _ => self.fault(
                        Fault::new(
                            &codes::GRAPH_EDGE,
                            neighbour.span,
                            format!("`{name}` has a neighbour that does not know it"),
                        )
                        .label("no such place, or it does not list this one")
                        .help("roads go both ways: each of the two places lists the other"),
                    ),
                }
            }
            graph.insert(name.clone(), list);
        }
        let count = graph.len();
        if count == 0 {
            self.fault(
                Fault::new(&codes::EMPTY_TYPE, node.span, format!("the graph `{path}` has no places"))
                    .label("empty")
                    .help("a board needs at least one place"),
            );
            return None;
        }
        Some(Board::new(Shape::Graph(graph), count, 1))
    }
}

/// Who lists whom, by their places.
fn joins(places: &Tree) -> HashSet<(usize, usize)> {
    let mut joined = HashSet::new();
    for (here, (_, around)) in places.entries.iter().enumerate() {
        let NodeKind::Array(names) = &around.kind else { continue };
        for name in names {
            if let NodeKind::Text(text) = &name.kind
                && let Some(at) = places.entries.get_index_of(text.as_str())
            {
                joined.insert((here, at));
            }
        }
    }
    joined
}
