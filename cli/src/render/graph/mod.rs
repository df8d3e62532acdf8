//! The locked packages as a picture: text for Graphviz and Mermaid, or a drawing of our own that
//! needs no other program.

mod dot;
mod html;
mod layout;
mod mermaid;
mod svg;

/// Packages and what needs what.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct Graph {
    /// The nodes, sorted by name.
    pub nodes: Vec<Node>,
    /// Pairs of places in `nodes`: the first needs the second.
    pub edges: Vec<(usize, usize)>,
}

/// One package.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Why it is there.
    pub reason: String,
    /// Whether rocm.toml asks for it.
    pub asked: bool,
}

/// How a graph is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Graphviz.
    Dot,
    /// Mermaid.
    Mermaid,
    /// A drawing.
    Svg,
    /// A page with the drawing, in one file.
    Html,
}

/// The graph in a format.
pub fn graph(graph: &Graph, title: &str, format: Format) -> String {
    match format {
        Format::Dot => dot::dot(graph, title),
        Format::Mermaid => mermaid::mermaid(graph),
        Format::Svg => svg::svg(graph, title),
        Format::Html => html::html(graph, title),
    }
}

impl Node {
    fn label(&self) -> String {
        format!("{} {}", self.name, self.version)
    }
}

/// Text that stands in XML or HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn small() -> Graph {
        let node = |name: &str, asked: bool| Node {
            name: name.to_owned(),
            version: "1.0".to_owned(),
            reason: if asked { "rocm.toml:5".to_owned() } else { "jax".to_owned() },
            asked,
        };
        let nodes = vec![node("jax", true), node("jaxlib", false), node("numpy", false)];
        Graph { nodes, edges: vec![(0, 1), (0, 2), (1, 2), (2, 1)] }
    }

    #[test]
    fn graphviz_and_mermaid_read_it() {
        insta::assert_snapshot!(graph(&small(), "p", Format::Dot), @r#"
        digraph "p" {
          rankdir=LR;
          node [shape=box];
          n0 [label="jax 1.0", style=bold];
          n1 [label="jaxlib 1.0"];
          n2 [label="numpy 1.0"];
          n0 -> n1;
          n0 -> n2;
          n1 -> n2;
          n2 -> n1;
        }
        "#);
        insta::assert_snapshot!(graph(&small(), "p", Format::Mermaid), @r#"
        graph LR
          n0[["jax 1.0"]]
          n1["jaxlib 1.0"]
          n2["numpy 1.0"]
          n0 --> n1
          n0 --> n2
          n1 --> n2
          n2 --> n1
        "#);
    }

    #[test]
    fn a_page_needs_nothing_else() {
        let page = graph(&small(), "a <b>", Format::Html);
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("a &lt;b&gt;"));
        assert!(!page.contains("src=") && !page.contains("href="), "it would reach out");
        assert_eq!(page.matches("<rect").count(), 3);
        assert_eq!(page.matches("<path").count(), 4);
    }
}
