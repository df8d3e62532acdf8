//! The graph of states that the registry allows and the single changes between them.
//!
//! Nodes are found from where the host begins; a state that is refused is no node, so that the
//! windows hold at every state and, because the old and the new environment are both allowed on
//! the host while it changes, while every change is passed.

use std::collections::{BTreeMap, HashMap};

use petgraph::Direction;
use petgraph::algo::dijkstra;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use rocmenv_manifests::project::Accept;

use super::axes::{ASIDE, Axes, Point};
use super::judge::{Judge, Mark};
use super::reboot::Place;
use super::sets::Set;
use super::weight::Weight;

/// What can be installed, by release and Python.
pub(super) type SetTable = BTreeMap<(u8, u8), Set>;

/// The graph, with the cheapest cost of every state.
#[derive(Debug)]
pub(super) struct Graph {
    states: DiGraph<Place, Weight>,
    nodes: HashMap<Place, NodeIndex>,
    costs: HashMap<NodeIndex, Weight>,
}

/// What the graph is made of.
#[derive(Clone, Copy)]
pub(super) struct Ground<'g> {
    pub(super) axes: &'g Axes,
    pub(super) judge: &'g Judge<'g>,
    pub(super) sets: &'g SetTable,
    pub(super) accept: Accept,
    /// Bytes of a set, where known.
    pub(super) bytes: &'g dyn Fn(u8, u8) -> Option<u64>,
}

impl Ground<'_> {
    /// The mark of a point with its frameworks; `None` where it cannot be.
    pub(super) fn mark(&self, point: Point) -> Option<Mark> {
        let set = match self.set(point) {
            _ if point.rocm == ASIDE => Mark::Listed,
            Some(set) => set.mark,
            None => return None,
        };
        let mark = self.judge.mark(point).max(set);
        let limit = match self.accept {
            Accept::Listed => Mark::Listed,
            Accept::Built => Mark::Built,
            Accept::Unknown => Mark::NotKnown,
        };
        (mark <= limit).then_some(mark)
    }

    pub(super) fn set(&self, point: Point) -> Option<&Set> {
        self.sets.get(&(point.rocm, point.python))
    }

    /// The points that one change leads to, allowed or not.
    fn changes(&self, from: Point) -> Vec<Point> {
        let axes = self.axes;
        let mut found = Vec::new();
        for &system in &axes.systems_after[usize::from(from.system)] {
            found.push(Point { system, kernel: axes.kernel_after(from, system), ..from });
        }
        for &kernel in &axes.kernels_of[usize::from(from.system)] {
            found.push(Point { kernel, ..from });
        }
        found.extend(places(&axes.drivers).map(|driver| Point { driver, ..from }));
        found.extend(places(&axes.firmwares).map(|firmware| Point { firmware, ..from }));
        if from.rocm == ASIDE {
            found.extend(self.sets.keys().map(|&(rocm, python)| Point { rocm, python, ..from }));
        } else {
            found.extend(places(&axes.releases).map(|rocm| Point { rocm, ..from }));
            found.extend(places(&axes.pythons).map(|python| Point { python, ..from }));
            found.extend(self.leaps(from));
            found.push(Point { rocm: ASIDE, python: 0, ..from });
        }
        found.retain(|point| *point != from);
        found
    }

    /// Another release with another Python, where no Python serves both releases.
    fn leaps(&self, from: Point) -> impl Iterator<Item = Point> {
        let has = |rocm: u8, python: u8| self.sets.contains_key(&(rocm, python));
        let shared = move |rocm: u8| {
            places(&self.axes.pythons).any(|python| has(from.rocm, python) && has(rocm, python))
        };
        self.sets
            .keys()
            .filter(move |(rocm, python)| {
                *rocm != from.rocm && *python != from.python && !shared(*rocm)
            })
            .map(move |&(rocm, python)| Point { rocm, python, ..from })
    }

    fn weight(&self, place: Place, next: Place, mark: Mark) -> Weight {
        let (from, to) = (place.point, next.point);
        let is_environment = from.rocm != to.rocm || from.python != to.python;
        let bytes = if is_environment && to.rocm != ASIDE {
            (self.bytes)(to.rocm, to.python)
        } else {
            Some(0)
        };
        let older = |values: usize, before: u8, after: u8| {
            let newest = u32::try_from(values).unwrap_or(u32::MAX);
            if before == after { 0 } else { newest.saturating_sub(u32::from(after) + 1) }
        };
        let axes = self.axes;
        let release = if to.rocm == ASIDE { from.rocm } else { to.rocm };
        Weight {
            driver_only: u32::from(to.rocm == ASIDE && from.rocm != ASIDE),
            unknown: u32::from(mark == Mark::NotKnown),
            reboots: u32::from(place.reboots_before(next)),
            stages: 1,
            unsized_stages: u32::from(bytes.is_none()),
            bytes: bytes.unwrap_or(0),
            age: older(axes.drivers.len(), from.driver, to.driver)
                + older(axes.kernels.len(), from.kernel, to.kernel)
                + older(axes.releases.len(), from.rocm, release)
                + if from.python == to.python { 0 } else { u32::from(to.python) },
        }
    }
}

impl Graph {
    /// Every state that can be reached, with its cheapest cost.
    pub(super) fn explore(ground: Ground<'_>) -> Self {
        let start = Place::start(ground.axes.start);
        let mut graph = DiGraph::new();
        let mut nodes = HashMap::new();
        let mut marks: HashMap<Point, Option<Mark>> = HashMap::new();
        let first = graph.add_node(start);
        nodes.insert(start, first);
        let mut queue = vec![first];
        while let Some(at) = queue.pop() {
            let from: Place = graph[at];
            for point in ground.changes(from.point) {
                let mark = *marks.entry(point).or_insert_with(|| ground.mark(point));
                let may_pass = |_: &Mark| ground.judge.may_pass(from.point, point);
                let Some(mark) = mark.filter(may_pass) else { continue };
                let to = from.after(point, ground.axes);
                let next = *nodes.entry(to).or_insert_with(|| {
                    let node = graph.add_node(to);
                    queue.push(node);
                    node
                });
                graph.add_edge(at, next, ground.weight(from, to, mark));
            }
        }
        let costs = dijkstra(&graph, first, None, |edge| *edge.weight());
        Self { states: graph, nodes, costs: costs.into_iter().collect() }
    }

    /// Every state that can be reached, with its cost, in a fixed order.
    pub(super) fn reached(&self) -> impl Iterator<Item = (Place, Weight)> {
        let mut all: Vec<(Place, Weight)> =
            self.costs.iter().map(|(node, cost)| (self.states[*node], *cost)).collect();
        all.sort_by_key(|(place, _)| *place);
        all.into_iter()
    }

    /// The states of the cheapest path to a state, the first one included.
    pub(super) fn path_to(&self, end: Place) -> Vec<Place> {
        let mut path = vec![end];
        let mut at = self.nodes[&end];
        // every change is a stage, so that each step back costs less than the one before
        while self.costs[&at].stages > 0 {
            let edges = self.states.edges_directed(at, Direction::Incoming);
            let before = edges
                .filter(|edge| {
                    let cost = self.costs.get(&edge.source());
                    cost.is_some_and(|cost| *cost + *edge.weight() == self.costs[&at])
                })
                .map(|edge| edge.source())
                .min_by_key(|node| self.states[*node]);
            let Some(before) = before else { break };
            path.push(self.states[before]);
            at = before;
        }
        path.reverse();
        path
    }
}

/// The indices of values.
fn places<T>(values: &[T]) -> impl Iterator<Item = u8> + use<T> {
    (0..values.len()).map_while(|at| u8::try_from(at).ok())
}
