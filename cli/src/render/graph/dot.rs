//! Graphviz's language (`dot -Tsvg`).

use std::fmt::Write as _;

use super::Graph;

pub(super) fn dot(graph: &Graph, title: &str) -> String {
    let mut text = format!("digraph {} {{\n  rankdir=LR;\n  node [shape=box];\n", quoted(title));
    for (at, node) in graph.nodes.iter().enumerate() {
        let bold = if node.asked { ", style=bold" } else { "" };
        let _ = writeln!(text, "  n{at} [label={}{bold}];", quoted(&node.label()));
    }
    for (from, to) in &graph.edges {
        let _ = writeln!(text, "  n{from} -> n{to};");
    }
    text.push_str("}\n");
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
