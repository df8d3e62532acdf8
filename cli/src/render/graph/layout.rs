//! A layered drawing: what is needed stands to the right of what needs it, and each layer is put
//! in an order that lets few lines cross (the barycentre sweeps of Sugiyama's method).

use super::Graph;

/// Where everything stands, in pixels.
pub(super) struct Layout {
    pub(super) width: usize,
    pub(super) height: usize,
    /// The box of each node.
    pub(super) boxes: Vec<Box>,
}

/// The box of a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Box {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) width: usize,
}

/// Places a graph.
pub(super) fn layout(graph: &Graph) -> Layout {
    let layers = ordered(graph, by_layer(&layers(graph)));
    let mut boxes = vec![Box::default(); graph.nodes.len()];
    let tallest = layers.iter().map(Vec::len).max().unwrap_or_default();
    let mut left = MARGIN;
    for layer in &layers {
        let widths = layer.iter().map(|&at| width(&graph.nodes[at].label()));
        let widest = widths.max().unwrap_or_default();
        // A short layer stands in the middle.
        let top = MARGIN + (tallest - layer.len()) * STEP / 2;
        for (place, &at) in layer.iter().enumerate() {
            boxes[at] = Box { left, top: top + place * STEP, width: widest };
        }
        left += widest + GAP;
    }
    let width = left.saturating_sub(GAP) + MARGIN;
    Layout { width, height: MARGIN * 2 + tallest * STEP, boxes }
}

/// The layer of each node: the longest way to it from a node that nothing needs. Edges that lead
/// back within a cycle do not count.
fn layers(graph: &Graph) -> Vec<usize> {
    let count = graph.nodes.len();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut needed = vec![false; count];
    for &(from, to) in &graph.edges {
        below[from].push(to);
        needed[to] = true;
    }
    let mut state = vec![State::New; count];
    let mut order = Vec::with_capacity(count);
    let mut forward: Vec<(usize, usize)> = Vec::new();
    let roots = (0..count).filter(|&at| !needed[at] || graph.nodes[at].asked);
    for root in roots.chain(0..count) {
        visit(root, &below, &mut state, &mut order, &mut forward);
    }
    let mut layer = vec![0; count];
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in forward {
        next[from].push(to);
    }
    for &at in order.iter().rev() {
        for &to in &next[at] {
            layer[to] = layer[to].max(layer[at] + 1);
        }
    }
    layer
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// Depth first, without recursion: closures may be deep.
fn visit(
    root: usize,
    below: &[Vec<usize>],
    state: &mut [State],
    order: &mut Vec<usize>,
    forward: &mut Vec<(usize, usize)>,
) {
    if state[root] != State::New {
        return;
    }
    state[root] = State::Open;
    let mut stack = vec![(root, 0)];
    while let Some((at, next)) = stack.pop() {
        let Some(&to) = below[at].get(next) else {
            state[at] = State::Done;
            order.push(at);
            continue;
        };
        stack.push((at, next + 1));
        if state[to] != State::Open {
            forward.push((at, to));
        }
        if state[to] == State::New {
            state[to] = State::Open;
            stack.push((to, 0));
        }
    }
}

fn by_layer(layers: &[usize]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for (at, &layer) in layers.iter().enumerate() {
        found.resize_with(found.len().max(layer + 1), Vec::new);
        found[layer].push(at);
    }
    found
}

/// Sweeps through the layers, each time sorting one by the middle of its neighbours' places.
fn ordered(graph: &Graph, mut layers: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for &(from, to) in &graph.edges {
        neighbours[from].push(to);
        neighbours[to].push(from);
    }
    let mut place = vec![0; graph.nodes.len()];
    let number = |place: &mut Vec<usize>, layer: &[usize]| {
        layer.iter().enumerate().for_each(|(at, &node)| place[node] = at);
    };
    for layer in &layers {
        number(&mut place, layer);
    }
    for sweep in 0..SWEEPS {
        let count = layers.len();
        for step in 0..count {
            let at = if sweep % 2 == 0 { step } else { count - 1 - step };
            let middle = |node: usize| {
                let near = &neighbours[node];
                let sum: usize = near.iter().map(|&other| place[other]).sum();
                // In thousandths, so that numbers can be compared.
                if near.is_empty() { place[node] * 1000 } else { sum * 1000 / near.len() }
            };
            let mut layer = layers[at].clone();
            layer.sort_by_key(|&node| (middle(node), node));
            number(&mut place, &layer);
            layers[at] = layer;
        }
    }
    layers
}

fn width(label: &str) -> usize {
    label.chars().count() * CHARACTER + PADDING
}

/// The height of a box.
pub(super) const HEIGHT: usize = 24;
const STEP: usize = 34;
const GAP: usize = 80;
const MARGIN: usize = 20;
/// A character of the monospaced font, at its size in `svg`.
const CHARACTER: usize = 7;
const PADDING: usize = 16;
const SWEEPS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_stands_to_the_right_and_nothing_overlaps() {
        let graph = super::super::tests::small();
        let placed = layout(&graph);
        assert!(placed.boxes[0].left < placed.boxes[1].left);
        for (at, one) in placed.boxes.iter().enumerate() {
            assert!(one.left + one.width <= placed.width && one.top + HEIGHT <= placed.height);
            for other in &placed.boxes[at + 1..] {
                let apart = one.left != other.left || one.top.abs_diff(other.top) >= HEIGHT;
                assert!(apart, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        let placed = layout(&Graph::default());
        assert!(placed.boxes.is_empty() && placed.width > 0);
    }
}
