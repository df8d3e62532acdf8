//! The drawing as SVG, readable on light and dark ground.

use std::fmt::Write as _;

use super::layout::{HEIGHT, layout};
use super::{Graph, escaped};

pub(super) fn svg(graph: &Graph, title: &str) -> String {
    let placed = layout(graph);
    let (width, height) = (placed.width, placed.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"11\">\n\
         <title>{}</title>\n",
        escaped(title)
    );
    for (from, to) in &graph.edges {
        let (start, end) = (placed.boxes[*from], placed.boxes[*to]);
        let (x, y) = (start.left + start.width, start.top + HEIGHT / 2);
        let (to_x, to_y) = (end.left, end.top + HEIGHT / 2);
        let bend = x.abs_diff(to_x) / 2;
        let _ = writeln!(
            text,
            "<path class=\"from{from} to{to}\" d=\"M{x} {y} C{} {y} {} {to_y} {to_x} {to_y}\" \
             fill=\"none\" stroke=\"#888\"/>",
            x + bend,
            to_x.saturating_sub(bend)
        );
    }
    for (at, node) in graph.nodes.iter().enumerate() {
        let place = placed.boxes[at];
        let (fill, weight) = if node.asked { ("#fde2cf", 2) } else { ("#eef2f6", 1) };
        let _ = writeln!(
            text,
            "<g id=\"n{at}\"><title>{} is there because of {}</title>\
             <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{HEIGHT}\" rx=\"4\" fill=\"{fill}\" \
             stroke=\"#556\" stroke-width=\"{weight}\"/>\
             <text x=\"{}\" y=\"{}\" fill=\"#111\">{}</text></g>",
            escaped(&node.label()),
            escaped(&node.reason),
            place.left,
            place.top,
            place.width,
            place.left + 8,
            place.top + 16,
            escaped(&node.label())
        );
    }
    text.push_str("</svg>\n");
    text
}
