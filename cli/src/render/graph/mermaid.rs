//! Mermaid's language, which code hosts draw in Markdown.

use std::fmt::Write as _;

use super::Graph;

pub(super) fn mermaid(graph: &Graph) -> String {
    let mut text = "graph LR\n".to_owned();
    for (at, node) in graph.nodes.iter().enumerate() {
        // A double frame marks what rocm.toml asks for.
        let (open, close) = if node.asked { ("[[", "]]") } else { ("[", "]") };
        let label = node.label().replace('"', "#quot;");
        let _ = writeln!(text, "  n{at}{open}\"{label}\"{close}");
    }
    for (from, to) in &graph.edges {
        let _ = writeln!(text, "  n{from} --> n{to}");
    }
    text
}
