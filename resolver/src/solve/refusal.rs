//! Why there is no solution: walked from the solver's conflict into causes, in the words of the
//! person who asks.
//!
//! What was asked, what that needs, which candidates exist and cannot be used, and what the host
//! has, with its own value and who says that it does not do.

use std::collections::{BTreeMap, HashMap, VecDeque};

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use resolvo::conflict::{ConflictCause, ConflictEdge, ConflictGraph, ConflictNode};
use resolvo::{Requirement, SolvableId, VersionSetId};
use rocmenv_manifests::catalog::Query;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::project::Accept;
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_manifests::version::Requirement as Wish;
use serde::Serialize;

use super::cause::Cause;
use super::contradiction::Askers;
use super::exclusion::Exclusion;
use super::fixes::Fix;
use super::frameworks;
use super::member::Member;
use super::releases::host_value;
use super::solution::origin;
use super::stack::{Demand, Fact, Grade, Judgement};
use super::thing::{Name, Set, Thing};
use super::told::{Asker, Told, Version, rank};
use super::universe::Universe;
use crate::target::Target;

/// A question that has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Refusal {
    /// A stable code that `explain` knows.
    pub code: &'static str,
    /// The causes, in the order in which they are told.
    pub causes: Vec<Cause>,
    /// The smallest part of the question that has no answer, as far as a
    /// [`Diagnosis`](super::Diagnosis) found it; empty before.
    #[serde(skip)]
    pub core: Vec<Member>,
    /// Changes that were proved to do, the cheapest first; a diagnosis finds them.
    pub fixes: Vec<Fix>,
}

impl Refusal {
    fn new(causes: Vec<Cause>) -> Self {
        Self { code: code(&causes), causes, core: Vec::new(), fixes: Vec::new() }
    }

    /// The same with what documents say of native Windows. Which builds of other releases lack
    /// what, is then no part of the story; that there are files for others is.
    pub(super) fn on_native_windows(mut self, said: Vec<Cause>) -> Self {
        if said.is_empty() {
            return self;
        }
        self.causes.retain(|cause| match cause {
            Cause::Asked { .. } => true,
            Cause::Unusable { whys, .. } => matches!(whys.first(), Some(Exclusion::Platform(_))),
            _ => false,
        });
        self.causes.extend(said);
        self.causes.sort_by_key(rank);
        self.code = code(&self.causes);
        self
    }

    /// The refusal of a solve for which something could not be had.
    pub(super) fn of_failures(failures: &BTreeMap<Query, String>) -> Self {
        let cause = |(query, why): (&Query, &String)| Cause::Unreadable {
            query: query.clone(),
            why: why.clone(),
        };
        Self { code: UNREADABLE, ..Self::new(failures.iter().map(cause).collect()) }
    }
}

/// Explains a conflict.
pub(super) fn explain(universe: &Universe<'_>, conflict: &ConflictGraph) -> Refusal {
    let mut walk = Walk { universe, told: Told::default(), askers: Askers::default() };
    let mut depths: HashMap<NodeIndex, usize> = HashMap::from([(conflict.root_node, 0)]);
    let mut queue = VecDeque::from([conflict.root_node]);
    while let Some(at) = queue.pop_front() {
        let depth = depths[&at];
        for edge in conflict.graph.edges(at) {
            walk.edge(conflict.graph[at], *edge.weight(), conflict.graph[edge.target()], depth);
            depths.entry(edge.target()).or_insert_with(|| {
                queue.push_back(edge.target());
                depth + 1
            });
        }
    }
    walk.told.leave_out(&walk.askers.contradicted(universe));
    for cause in silent_wishes(universe, &walk.told) {
        walk.told.plain(cause, 0);
    }
    Refusal::new(walk.told.causes())
}

/// The wishes behind candidates that were excluded before the solver saw them: the ROCm that a
/// build is not for, the Python that it has no wheel for.
fn silent_wishes(universe: &Universe<'_>, told: &Told) -> Vec<Cause> {
    let is_of = |name: &Name| {
        told.has_unusable(|why| match why {
            Exclusion::BuiltForOther(_) | Exclusion::Unproven => *name == Name::Rocm,
            Exclusion::PythonTags(_) | Exclusion::RequiresPython(_) => *name == Name::Python,
            _ => false,
        })
    };
    let wants = &universe.question.wants;
    let wishes = [(Name::Rocm, &wants.rocm), (Name::Python, &wants.python)];
    let asked = wishes.into_iter().filter(|(name, _)| is_of(name));
    let cause = |(name, wish): (Name, &Option<Sourced<Wish>>)| {
        let wish = wish.as_ref().filter(|wish| wish.origin != Origin::Default)?;
        let what = format!("{name} {}", wish.value);
        Some(Cause::Asked { what, origin: wish.origin.clone() })
    };
    asked.filter_map(cause).collect()
}

struct Walk<'u, 'a> {
    universe: &'u Universe<'a>,
    told: Told,
    askers: Askers,
}

impl Walk<'_, '_> {
    fn edge(&mut self, from: ConflictNode, edge: ConflictEdge, to: ConflictNode, depth: usize) {
        match (from, edge, to) {
            (_, ConflictEdge::Requires(requirement), to) => {
                let is_unmet = to == ConflictNode::UnresolvedDependency;
                for set in self.version_sets(requirement) {
                    self.requires(from, set, is_unmet, depth);
                }
            }
            (_, ConflictEdge::Conflict(ConflictCause::Constrains(set)), _) => {
                self.requires(from, set, false, depth);
            }
            (ConflictNode::Solvable(id), _, ConflictNode::Excluded(reason)) => {
                if let Some(exclusion) = self.universe.exclusion(id, reason) {
                    self.told.unusable(self.of(id), exclusion, depth);
                }
            }
            _ => {}
        }
    }

    fn version_sets(&self, requirement: Requirement) -> Vec<VersionSetId> {
        match requirement {
            Requirement::Single(set) => vec![set],
            Requirement::Union(union) => {
                self.universe.pool.resolve_version_set_union(union).collect()
            }
        }
    }

    fn requires(&mut self, from: ConflictNode, set: VersionSetId, is_unmet: bool, depth: usize) {
        let pool = &self.universe.pool;
        let name = pool.resolve_package_name(pool.resolve_version_set_package_name(set));
        let who = match from {
            ConflictNode::Solvable(id) => self.universe.name(id).to_string(),
            // Each wish is one of its own.
            _ => format!("{set:?}"),
        };
        self.askers.add(who, name, set);
        let set = pool.resolve_version_set(set);
        if let Name::Host(fact) = name {
            self.host(from, *fact, set, depth);
            return;
        }
        let what = phrase(name, set);
        match from {
            ConflictNode::Root => {
                let said = self.package_origin(name, set).or_else(|| origin(self.universe, name));
                if let Some(origin) = said.filter(|origin| *origin != Origin::Default) {
                    self.told.plain(Cause::Asked { what, origin }, 0);
                }
            }
            ConflictNode::Solvable(id) if matches!(name, Name::Grade) => {
                self.graded(id, depth);
                return;
            }
            ConflictNode::Solvable(id) if matches!(self.universe.name(id), Name::Component(_)) => {
                if is_unmet {
                    let cause = self.not_found(name, set);
                    self.told.way(cause);
                }
                return;
            }
            ConflictNode::Solvable(id) => {
                // A package's extra and a framework of the same name are the package itself.
                let is_itself = match (self.universe.name(id), name) {
                    (Name::Extra(package, _), Name::Wheel(other)) => other == package,
                    (Name::Framework(framework), Name::Wheel(other)) => {
                        *framework == other.to_string()
                    }
                    _ => false,
                };
                if !is_itself {
                    self.told.needs(self.of(id), (name.to_string(), what), depth);
                }
            }
            _ => return,
        }
        if is_unmet && *name == Name::Rocm && self.is_of_host() {
            self.host(from, Fact::HostRocm, set, depth);
        } else if is_unmet {
            let cause = self.not_found(name, set);
            self.told.plain(cause, depth);
        }
    }

    /// Where a package was asked for in these very versions: it may be asked for twice.
    fn package_origin(&self, name: &Name, set: &Set) -> Option<Origin> {
        let Name::Wheel(package) = name else { return None };
        let mut wants = self.universe.question.wants.packages.iter();
        let want = wants.find(|want| want.name == *package && Set::spec(&want.specifiers) == *set);
        want.map(|want| want.origin.clone())
    }

    /// Whether only the ROCm that the host already has could be chosen.
    fn is_of_host(&self) -> bool {
        let is_named = self.universe.question.stack.channel.is_some();
        !is_named && self.universe.releases.iter().all(|release| release.channel == "host")
    }

    fn not_found(&self, name: &Name, set: &Set) -> Cause {
        let table = self.universe.table(self.universe.pool.intern_package_name(name.clone()));
        let first = table.candidates.first();
        let best = first.map(|&id| self.universe.candidate(id).to_string());
        let index = first.and_then(|&id| self.index(id));
        let requirement = best.as_ref().map(|_| set.to_string()).unwrap_or_default();
        let what = match (name, &self.universe.question.stack.asked_channel) {
            (Name::Rocm, Some(channel)) => format!("{name} on channel `{channel}`"),
            _ => name.to_string(),
        };
        Cause::NotFound { what, requirement, best, index }
    }

    /// A grade is ours, not the user's: what is told is the table behind it.
    fn graded(&mut self, id: SolvableId, depth: usize) {
        let candidate = self.universe.candidate(id);
        let (what, judgement) = match (self.universe.name(id), &candidate.thing) {
            (Name::Framework(name), Thing::Framework { release, version: Some(version) }) => {
                let rule = self.universe.question.stack.frameworks.get(name);
                let release = self.universe.releases.get(*release as usize);
                let (Some(rule), Some(release)) = (rule, release) else { return };
                (rule.title.clone(), frameworks::judge(rule, &release.version, version))
            }
            (Name::Rocm, _) => {
                let Some(release) = self.universe.releases.get(candidate.ordinal as usize) else {
                    return;
                };
                let worst = release.demands.iter().map(|demand| &demand.judgement);
                // What is refused is told as what the host has.
                let worst = worst.filter(|one| one.grade != Grade::Refused);
                let Some(worst) = worst.max_by_key(|one| one.grade) else { return };
                ("ROCm".to_owned(), worst.clone())
            }
            _ => return,
        };
        let Judgement { grade, text, source } = judgement;
        if grade > accepted(self.universe.question.accept) {
            let of = (what, self.version(id));
            self.told.graded(of, (grade, text, source), depth);
        }
    }

    fn host(&mut self, from: ConflictNode, fact: Fact, set: &Set, depth: usize) {
        let target = &self.universe.question.target;
        let needs = set.to_string();
        let (who, version, demand) = match from {
            ConflictNode::Solvable(id) => {
                let demand = self.demand(id, fact, &needs);
                (self.universe.name(id).to_string(), self.version(id), demand)
            }
            _ => (String::new(), (0, String::new()), None),
        };
        let judgement = demand.map(|demand| &demand.judgement);
        // A driver's window says all; of other facts the document's own words are needed.
        let text = judgement.filter(|_| fact != Fact::Driver).map(|it| it.text.clone());
        let asker = Asker {
            fact,
            has: host_value(target, fact),
            origin: host_origin(target, fact),
            who,
            needs,
            source: judgement.and_then(|judgement| judgement.source.clone()),
        };
        self.told.host(asker, version, text.unwrap_or_default(), depth);
    }

    /// The demand of a release that a need was made of.
    fn demand(&self, id: SolvableId, fact: Fact, needs: &str) -> Option<&Demand> {
        if *self.universe.name(id) != Name::Rocm {
            return None;
        }
        let release = self.universe.releases.get(self.universe.candidate(id).ordinal as usize)?;
        release.demands.iter().find(|demand| {
            let is_refused = demand.judgement.grade == Grade::Refused;
            is_refused && demand.fact == fact && demand.needs == needs
        })
    }

    fn of(&self, id: SolvableId) -> (String, Version, Option<IndexName>) {
        (self.universe.name(id).to_string(), self.version(id), self.index(id))
    }

    fn index(&self, id: SolvableId) -> Option<IndexName> {
        match (self.universe.name(id), &self.universe.candidate(id).thing) {
            (_, Thing::Wheel(wheel)) => Some(wheel.index.clone()),
            (Name::Deb(repository, _), _) => Some(repository.clone()),
            _ => None,
        }
    }

    fn version(&self, id: SolvableId) -> Version {
        let candidate = self.universe.candidate(id);
        (candidate.ordinal, candidate.to_string())
    }
}

fn accepted(accept: Accept) -> Grade {
    match accept {
        Accept::Listed => Grade::Listed,
        Accept::Built => Grade::Built,
        Accept::Unknown => Grade::Unknown,
    }
}

/// The code of a refusal is that of its most telling cause.
fn code(causes: &[Cause]) -> &'static str {
    let host = causes.iter().find_map(|cause| match cause {
        Cause::Host { fact, .. } => Some(match fact {
            Fact::Driver => "R-driver-window",
            Fact::Os => "R-os-not-supported",
            Fact::Kernel => "R-kernel-not-supported",
            Fact::Gpu => "R-gpu-not-supported",
            Fact::HostRocm => "R-host-rocm",
            Fact::Libc => "R-libc-too-old",
        }),
        _ => None,
    });
    let unusable = causes.iter().filter_map(|cause| match cause {
        Cause::Unusable { whys, .. } => whys.first().map(Exclusion::code),
        _ => None,
    });
    let telling = unusable.min_by_key(|code| TELLING.iter().position(|other| other == code));
    let graded = causes.iter().find_map(|cause| match cause {
        Cause::Graded { grade: Grade::Refused, .. } => Some("R-stated-no"),
        Cause::Graded { .. } => Some("R-policy"),
        _ => None,
    });
    let not_found = causes.iter().any(|cause| matches!(cause, Cause::NotFound { .. }));
    let not_found = not_found.then_some("R-not-found");
    let native = causes.iter().any(|cause| matches!(cause, Cause::NativeWindows { .. }));
    let native = native.then_some("R-native-windows");
    host.or(native).or(telling).or(graded).or(not_found).unwrap_or("R-unsat")
}

fn phrase(name: &Name, set: &Set) -> String {
    let text = format!("{name} {set}");
    text.trim_end_matches(" *").trim_end().to_owned()
}

/// Where a fact of the target was said.
fn host_origin(target: &Target, fact: Fact) -> Option<Origin> {
    match fact {
        Fact::Driver => target.driver.as_ref().map(|driver| driver.origin.clone()),
        Fact::Os => target.os.as_ref().map(|os| os.origin.clone()),
        Fact::Kernel => target.kernel.as_ref().map(|kernel| kernel.origin.clone()),
        Fact::Libc => target.libc.as_ref().map(|libc| libc.origin.clone()),
        Fact::HostRocm => target.host_rocm.as_ref().map(|rocm| rocm.origin.clone()),
        Fact::Gpu => target.gpus.as_ref()?.first().map(|gpu| gpu.origin.clone()),
    }
}

/// The code of a refusal for want of an answer.
pub(super) const UNREADABLE: &str = "R-index-unreadable";

/// Codes of candidates that cannot be used, the most telling first.
const TELLING: [&str; 11] = [
    "R-wrong-accelerator",
    "R-built-for-other",
    "R-unproven",
    "R-libc-too-old",
    "R-no-wheel-for-python",
    "R-no-wheel-for-platform",
    "R-source-only",
    "R-preview",
    "R-yanked",
    "R-prerelease",
    "R-bad-metadata",
];
