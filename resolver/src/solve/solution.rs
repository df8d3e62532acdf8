//! What was chosen, as a graph with reasons: `tree`, `why` and the order of installing read it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use resolvo::SolvableId;
use rocmenv_manifests::catalog::PythonFile;
use rocmenv_manifests::debian::DebPackage;
use rocmenv_manifests::lock::Note;
use rocmenv_manifests::name::{ExtraName, GroupName, IndexName, PackageName};
use rocmenv_manifests::python::Version;
use rocmenv_manifests::sourced::Origin;
use rocmenv_manifests::version::{Dotted, RocmVersion};

use super::notes;
use super::question::{Interpreter, Question};
use super::stack::{Built, Fact, Judgement, Release};
use super::thing::{Name, Need, NeedsAnswer, Thing};
use super::universe::Universe;
use super::wheels;

/// A chosen set of things that fit each other and the target.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The ROCm release, if there is one.
    pub rocm: Option<Release>,
    /// The interpreter, if there is one.
    pub python: Option<Interpreter>,
    /// Everything chosen; an edge leads from what needs to what is needed.
    pub graph: DiGraph<Chosen, Reason>,
    /// What was said aloud, sorted.
    pub notes: Vec<Note>,
}

/// One chosen thing.
#[derive(Debug, Clone)]
pub enum Chosen {
    /// The user, who asks for everything that has an origin.
    User,
    /// A fact of the host that something depends on, with its value in words.
    Host(Fact, String),
    /// The ROCm release.
    Rocm(RocmVersion),
    /// The interpreter's series.
    Python(Dotted),
    /// A framework.
    Framework(ChosenFramework),
    /// A part of ROCm.
    Component(String),
    /// A wheel.
    Wheel(Box<ChosenWheel>),
    /// A Debian package.
    Deb(Box<ChosenDeb>),
}

/// A chosen framework.
#[derive(Debug, Clone)]
pub struct ChosenFramework {
    /// Its name in rocm.toml.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// What is known of it with the chosen release.
    pub judgement: Judgement,
}

/// A chosen wheel.
#[derive(Debug, Clone)]
pub struct ChosenWheel {
    /// Its name.
    pub name: PackageName,
    /// Its version.
    pub version: Version,
    /// The index that it comes from.
    pub index: IndexName,
    /// Its file.
    pub file: PythonFile,
    /// The extras that were asked of it, sorted.
    pub extras: BTreeSet<ExtraName>,
    /// What it is built for; `None` where nothing but its own summary could tell and it is silent.
    pub built: Option<Built>,
    /// The groups that bring it, if nothing but groups does.
    pub groups: BTreeSet<GroupName>,
}

/// A chosen Debian package.
#[derive(Debug, Clone)]
pub struct ChosenDeb {
    /// The repository.
    pub repository: IndexName,
    /// The package.
    pub package: DebPackage,
}

/// Why one thing needs another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The requirement in words (`>=1.26`); empty where any version does.
    pub requirement: String,
    /// Where the user asked for it, if it was the user.
    pub origin: Option<Origin>,
}

impl Solution {
    /// The wheels, in the order of their names.
    pub fn wheels(&self) -> Vec<&ChosenWheel> {
        let mut wheels: Vec<&ChosenWheel> =
            self.graph.node_weights().filter_map(Chosen::as_wheel).collect();
        wheels.sort_by(|a, b| a.name.cmp(&b.name));
        wheels
    }

    /// The Debian packages, in the order of their names.
    pub fn debs(&self) -> Vec<&ChosenDeb> {
        let mut debs: Vec<&ChosenDeb> = self
            .graph
            .node_weights()
            .filter_map(|chosen| match chosen {
                Chosen::Deb(deb) => Some(&**deb),
                _ => None,
            })
            .collect();
        debs.sort_by(|a, b| a.package.name.cmp(&b.package.name));
        debs
    }

    /// Everything chosen in the order in which it can be installed: what is needed before what
    /// needs it. Packages that need each other stand together, by name.
    pub fn install_order(&self) -> Vec<NodeIndex> {
        let label = |at: NodeIndex| self.graph[at].label();
        let mut order = Vec::with_capacity(self.graph.node_count());
        for mut together in tarjan_scc(&self.graph) {
            together.sort_by_key(|&at| label(at));
            order.extend(together);
        }
        order
    }

    /// The interpreter, unless nobody asked for one and no wheel needs one: ROCm's own parts
    /// alone must not have to find one.
    pub fn needed_python(&self, question: &Question) -> Option<&Interpreter> {
        let is_used = question.wants.python.is_some() || !self.wheels().is_empty();
        self.python.as_ref().filter(|_| is_used)
    }

    /// The chosen frameworks, in file order.
    pub fn frameworks(&self) -> impl Iterator<Item = &ChosenFramework> {
        self.graph.node_weights().filter_map(|chosen| match chosen {
            Chosen::Framework(framework) => Some(framework),
            _ => None,
        })
    }
}

impl Chosen {
    /// The name by which a person knows it.
    pub fn label(&self) -> String {
        match self {
            Self::User => "rocm.toml".to_owned(),
            Self::Host(fact, _) => fact.to_string(),
            Self::Rocm(_) => "ROCm".to_owned(),
            Self::Python(_) => "Python".to_owned(),
            Self::Framework(framework) => framework.name.clone(),
            Self::Component(name) => name.clone(),
            Self::Wheel(wheel) => wheel.name.to_string(),
            Self::Deb(deb) => deb.package.name.clone(),
        }
    }

    /// The wheel, if it is one.
    pub fn as_wheel(&self) -> Option<&ChosenWheel> {
        match self {
            Self::Wheel(wheel) => Some(wheel),
            _ => None,
        }
    }
}

/// Builds the graph of what the solver chose. `root` is what the user asked for.
pub(super) fn build(universe: &Universe<'_>, root: &[Need], chosen: &[SolvableId]) -> Solution {
    let python = interpreter(universe, chosen);
    let release = chosen.iter().find(|&&id| *universe.name(id) == Name::Rocm);
    let release = release.map(|&id| universe.releases[universe.candidate(id).ordinal as usize]);
    let mut building = Building { universe, python, graph: DiGraph::new(), nodes: HashMap::new() };
    let user = building.graph.add_node(Chosen::User);
    for &id in chosen {
        building.add_node(id);
    }
    building.connect(user, root, true);
    for &id in chosen {
        let Some(&from) = building.nodes.get(&node_name(universe.name(id))) else { continue };
        if let NeedsAnswer::Known(needs) = &*universe.needs(id) {
            building.connect(from, &needs.requires, false);
        }
    }
    let mut graph = building.graph;
    mark_groups(universe, &mut graph, user);
    let python = python.map(|at| universe.question.interpreters[at].clone());
    let mut solution = Solution { rocm: release.cloned(), python, graph, notes: Vec::new() };
    solution.notes = notes::of(universe.question, &solution);
    solution
}

/// The position of the chosen interpreter.
pub(super) fn interpreter(universe: &Universe<'_>, chosen: &[SolvableId]) -> Option<usize> {
    let python = chosen.iter().find(|&&id| *universe.name(id) == Name::Python)?;
    Some(universe.candidate(*python).ordinal as usize)
}

struct Building<'u, 'a> {
    universe: &'u Universe<'a>,
    python: Option<usize>,
    graph: DiGraph<Chosen, Reason>,
    nodes: HashMap<Name, NodeIndex>,
}

/// Extras are part of their package.
fn node_name(name: &Name) -> Name {
    match name {
        Name::Extra(package, _) => Name::Wheel(package.clone()),
        other => other.clone(),
    }
}

impl Building<'_, '_> {
    fn add_node(&mut self, id: SolvableId) {
        let (name, candidate) = (self.universe.name(id), self.universe.candidate(id));
        let weight = match (name, &candidate.thing) {
            (Name::Host(fact), Thing::Small(value)) => Chosen::Host(*fact, value.clone()),
            (Name::Rocm, _) => {
                Chosen::Rocm(self.universe.releases[candidate.ordinal as usize].version.clone())
            }
            (Name::Python, _) => {
                let interpreters = &self.universe.question.interpreters;
                Chosen::Python(interpreters[candidate.ordinal as usize].dotted())
            }
            (Name::Framework(name), Thing::Framework { release, version: Some(version) }) => {
                let Some(rule) = self.universe.question.stack.frameworks.get(name) else { return };
                let release = &self.universe.releases[*release as usize].version;
                Chosen::Framework(ChosenFramework {
                    name: name.clone(),
                    version: version.clone(),
                    judgement: super::frameworks::judge(rule, release, version),
                })
            }
            (Name::Wheel(_), Thing::Wheel(wheel)) => {
                let Some(file) = self.python.and_then(|python| wheel.file(python)) else { return };
                Chosen::Wheel(Box::new(ChosenWheel {
                    name: wheel.package.clone(),
                    version: wheel.version.clone(),
                    index: wheel.index.clone(),
                    file: file.clone(),
                    extras: BTreeSet::new(),
                    built: wheels::built_in_full(self.universe, wheel),
                    groups: BTreeSet::new(),
                }))
            }
            (Name::Component(name), Thing::Small(_)) => Chosen::Component(name.clone()),
            (Name::Deb(repository, _), Thing::Deb(package)) => Chosen::Deb(Box::new(ChosenDeb {
                repository: repository.clone(),
                package: (**package).clone(),
            })),
            _ => return,
        };
        self.nodes.insert(name.clone(), self.graph.add_node(weight));
    }

    fn connect(&mut self, from: NodeIndex, needs: &[Need], is_user: bool) {
        for need in needs {
            if !self.holds(need) {
                continue;
            }
            let ways = std::iter::once((&need.name, &need.set));
            let mut ways = ways.chain(need.alternatives.iter().map(|(name, set)| (name, set)));
            let met =
                ways.find_map(|(name, set)| Some((name, set, *self.nodes.get(&node_name(name))?)));
            let Some((name, set, to)) = met else { continue };
            if let (Name::Extra(_, extra), Chosen::Wheel(wheel)) = (name, &mut self.graph[to]) {
                wheel.extras.insert(extra.clone());
            }
            if from == to {
                continue;
            }
            let origin = is_user.then(|| origin(self.universe, name)).flatten();
            let reason = Reason { requirement: set.to_string(), origin };
            let is_known =
                self.graph.edges_connecting(from, to).any(|edge| *edge.weight() == reason);
            if !is_known {
                self.graph.add_edge(from, to, reason);
            }
        }
    }

    /// Whether a need holds for the chosen interpreter.
    fn holds(&self, need: &Need) -> bool {
        let Some(members) = &need.on else { return true };
        self.python.is_some_and(|python| members.ordinals.iter().any(|&at| at as usize == python))
    }
}

/// Where the user asked for a name.
pub(super) fn origin(universe: &Universe<'_>, name: &Name) -> Option<Origin> {
    let wants = &universe.question.wants;
    match name {
        Name::Rocm => wants.rocm.as_ref().map(|rocm| rocm.origin.clone()),
        Name::Python => wants.python.as_ref().map(|python| python.origin.clone()),
        Name::Host(Fact::Driver) => wants.driver.as_ref().map(|driver| driver.origin.clone()),
        Name::Framework(name) => {
            let framework = wants.frameworks.iter().find(|framework| framework.name == *name);
            framework.map(|framework| framework.requirement.origin.clone())
        }
        Name::Wheel(package) | Name::Extra(package, _) => {
            let want = wants.packages.iter().find(|want| want.name == *package);
            want.map(|want| want.origin.clone())
        }
        Name::Component(name) => {
            let component = wants.components.iter().find(|it| it.value.as_str() == name);
            component.map(|component| component.origin.clone())
        }
        _ => None,
    }
}

/// Marks the wheels that only groups bring, with the groups.
fn mark_groups(universe: &Universe<'_>, graph: &mut DiGraph<Chosen, Reason>, user: NodeIndex) {
    let mut starts: BTreeMap<Option<&GroupName>, BTreeSet<&PackageName>> = BTreeMap::new();
    for want in &universe.question.wants.packages {
        starts.entry(want.group.as_ref()).or_default().insert(&want.name);
    }
    if starts.keys().all(Option::is_none) {
        return;
    }
    let always = starts.remove(&None).unwrap_or_default();
    let is_group_only = |chosen: &Chosen| {
        let wheel = chosen.as_wheel();
        wheel.is_some_and(|wheel| !always.contains(&wheel.name))
    };
    let direct: Vec<NodeIndex> = graph.neighbors(user).collect();
    let grouped: BTreeSet<&PackageName> = starts.values().flatten().copied().collect();
    let base_roots = direct.iter().copied().filter(|&at| {
        let chosen = &graph[at];
        let is_grouped = chosen.as_wheel().is_some_and(|wheel| grouped.contains(&wheel.name));
        !(is_grouped && is_group_only(chosen))
    });
    let base = reachable(graph, base_roots.collect());
    let mut marks: Vec<(NodeIndex, GroupName)> = Vec::new();
    for (group, packages) in starts {
        let roots = direct
            .iter()
            .copied()
            .filter(|&at| graph[at].as_wheel().is_some_and(|wheel| packages.contains(&wheel.name)));
        let reached = reachable(graph, roots.collect());
        let group = group.into_iter().cloned();
        marks.extend(group.flat_map(|group| {
            reached.difference(&base).map(move |&at| (at, group.clone())).collect::<Vec<_>>()
        }));
    }
    for (at, group) in marks {
        if let Chosen::Wheel(wheel) = &mut graph[at] {
            wheel.groups.insert(group);
        }
    }
}

fn reachable(graph: &DiGraph<Chosen, Reason>, mut open: Vec<NodeIndex>) -> BTreeSet<NodeIndex> {
    let mut reached = BTreeSet::new();
    while let Some(at) = open.pop() {
        if reached.insert(at) {
            open.extend(graph.neighbors(at));
        }
    }
    reached
}
