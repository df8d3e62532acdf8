//! Why there is no solution: data, one cause a line, in the words of the person who asks.
//!
//! Walked from the solver's conflict: what was asked, what that needs, which candidates exist and
//! cannot be used, and what the host has, with its own value.

use std::collections::{BTreeMap, BTreeSet};

use resolvo::conflict::{ConflictCause, ConflictEdge, ConflictGraph, ConflictNode};
use resolvo::{Requirement, SolvableId, VersionSetId};
use rocmenv_manifests::catalog::Query;
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_manifests::version::Requirement as Wish;

use petgraph::visit::{Bfs, EdgeRef};

use super::exclusion::Exclusion;
use super::fixes::Fix;
use super::releases::host_value;
use super::solution::origin;
use super::stack::Fact;
use super::thing::{Name, Set};
use super::universe::Universe;
use crate::target::Target;

/// A question that has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// A stable code that `explain` knows.
    pub code: &'static str,
    /// The causes, in the order in which they are told.
    pub causes: Vec<Cause>,
    /// Changes that were proved to do, the least first; [`Refusal::with_fixes`] finds them.
    pub fixes: Vec<Fix>,
}

/// One cause. The order of the variants is the order of telling.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// What the user asked for.
    Asked {
        /// Where.
        origin: Origin,
        /// The thing with its requirement.
        what: String,
    },
    /// What something needs.
    Needs {
        /// The one that needs.
        who: String,
        /// Its versions, best first.
        versions: Vec<String>,
        /// What it needs.
        what: String,
    },
    /// Candidates that exist and cannot be used.
    Unusable {
        /// The package.
        what: String,
        /// Its versions, best first.
        versions: Vec<String>,
        /// Why not.
        why: Exclusion,
    },
    /// Nothing fits a requirement.
    NotFound {
        /// The package.
        what: String,
        /// What was required of it.
        requirement: String,
        /// The best version that there is, if there is any.
        best: Option<String>,
    },
    /// What the host has does not do.
    Host {
        /// The fact.
        fact: Fact,
        /// What it is.
        has: String,
        /// Where that was said.
        origin: Option<Origin>,
        /// Who asks more of it; empty for the user.
        who: String,
        /// What would do.
        needs: String,
    },
    /// An index or archive could not be read.
    Unreadable {
        /// What was asked of it.
        query: Query,
        /// Why it could not.
        why: String,
    },
}

impl Refusal {
    /// The refusal of a solve for which something could not be had.
    pub(super) fn of_failures(failures: &BTreeMap<Query, String>) -> Self {
        let cause = |(query, why): (&Query, &String)| Cause::Unreadable {
            query: query.clone(),
            why: why.clone(),
        };
        Self { code: UNREADABLE, causes: failures.iter().map(cause).collect(), fixes: Vec::new() }
    }
}

/// Explains a conflict.
pub(super) fn explain(universe: &Universe<'_>, conflict: &ConflictGraph) -> Refusal {
    let mut walk = Walk { universe, told: Told::default() };
    let mut search = Bfs::new(&conflict.graph, conflict.root_node);
    while let Some(at) = search.next(&conflict.graph) {
        for edge in conflict.graph.edges(at) {
            walk.edge(conflict.graph[at], *edge.weight(), conflict.graph[edge.target()]);
        }
    }
    walk.told.plain.extend(silent_wishes(universe, &walk.told));
    let causes = walk.told.causes();
    Refusal { code: code(&causes), causes, fixes: Vec::new() }
}

/// The wishes behind candidates that were excluded before the solver saw them: the ROCm that a
/// build is not for, the Python that it has no wheel for.
fn silent_wishes(universe: &Universe<'_>, told: &Told) -> Vec<Cause> {
    let is_of = |name: &Name| {
        told.unusable.keys().any(|(_, why)| match why {
            Exclusion::BuiltForOther(_) | Exclusion::Unproven => *name == Name::Rocm,
            Exclusion::PythonTags(_) | Exclusion::RequiresPython(_) => *name == Name::Python,
            _ => false,
        })
    };
    let wants = &universe.question.wants;
    let wishes = [(Name::Rocm, &wants.rocm), (Name::Python, &wants.python)];
    let asked = wishes.into_iter().filter(|(name, _)| is_of(name));
    let cause = |(name, wish): (Name, &Option<Sourced<Wish>>)| {
        let wish = wish.as_ref()?;
        let what = format!("{name} {}", wish.value);
        Some(Cause::Asked { what, origin: wish.origin.clone() })
    };
    asked.filter_map(cause).collect()
}

struct Walk<'u, 'a> {
    universe: &'u Universe<'a>,
    told: Told,
}

/// What was found so far, versions by what is said of them.
#[derive(Default)]
struct Told {
    plain: BTreeSet<Cause>,
    /// By who needs, and the name that is needed: what is needed, by whose versions.
    needs: BTreeMap<(String, String), BTreeMap<String, Versions>>,
    /// What single ways to bring a component lack: told only if nothing else is.
    ways: BTreeSet<Cause>,
    unusable: BTreeMap<(String, Exclusion), Versions>,
}

/// Versions by preference.
type Versions = BTreeSet<(u32, String)>;

impl Walk<'_, '_> {
    fn edge(&mut self, from: ConflictNode, edge: ConflictEdge, to: ConflictNode) {
        match (from, edge, to) {
            (_, ConflictEdge::Requires(requirement), to) => {
                let is_unmet = to == ConflictNode::UnresolvedDependency;
                for set in self.version_sets(requirement) {
                    self.requires(from, set, is_unmet);
                }
            }
            (_, ConflictEdge::Conflict(ConflictCause::Constrains(set)), _) => {
                self.requires(from, set, false);
            }
            (ConflictNode::Solvable(id), _, ConflictNode::Excluded(reason)) => {
                if let Some(exclusion) = self.universe.exclusion(reason) {
                    let key = (self.universe.name(id).to_string(), exclusion);
                    let version = self.version(id);
                    self.told.unusable.entry(key).or_default().insert(version);
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

    fn requires(&mut self, from: ConflictNode, set: VersionSetId, is_unmet: bool) {
        let pool = &self.universe.pool;
        let name = pool.resolve_package_name(pool.resolve_version_set_package_name(set));
        let set = pool.resolve_version_set(set);
        if let Name::Host(fact) = name {
            self.host(from, *fact, set);
            return;
        }
        let what = phrase(name, set);
        match from {
            ConflictNode::Root => {
                if let Some(origin) = origin(self.universe, name) {
                    self.told.plain.insert(Cause::Asked { what, origin });
                }
            }
            // Grades are ours, not the user's; what they come from is told by the host's facts.
            ConflictNode::Solvable(_) if matches!(name, Name::Grade) => return,
            ConflictNode::Solvable(id) if matches!(self.universe.name(id), Name::Component(_)) => {
                if is_unmet {
                    let cause = self.not_found(name, set);
                    self.told.ways.insert(cause);
                }
                return;
            }
            ConflictNode::Solvable(id) => {
                let is_own_extra = matches!(self.universe.name(id), Name::Extra(package, _)
                    if matches!(name, Name::Wheel(other) if other == package));
                if !is_own_extra {
                    let key = (self.universe.name(id).to_string(), name.to_string());
                    let version = self.version(id);
                    let whats = self.told.needs.entry(key).or_default();
                    whats.entry(what).or_default().insert(version);
                }
            }
            _ => return,
        }
        if is_unmet && *name == Name::Rocm && self.is_of_host() {
            self.host(from, Fact::HostRocm, set);
        } else if is_unmet {
            self.told.plain.insert(self.not_found(name, set));
        }
    }

    /// Whether only the ROCm that the host already has could be chosen.
    fn is_of_host(&self) -> bool {
        let is_named = self.universe.question.stack.channel.is_some();
        !is_named && self.universe.releases.iter().all(|release| release.channel == "host")
    }

    fn not_found(&self, name: &Name, set: &Set) -> Cause {
        let table = self.universe.table(self.universe.pool.intern_package_name(name.clone()));
        let best = table.candidates.first().map(|&id| self.universe.candidate(id).to_string());
        let requirement = best.as_ref().map(|_| set.to_string()).unwrap_or_default();
        let what = match (name, &self.universe.question.stack.channel) {
            (Name::Rocm, Some(channel)) => format!("{name} on channel `{channel}`"),
            _ => name.to_string(),
        };
        Cause::NotFound { what, requirement, best }
    }

    fn host(&mut self, from: ConflictNode, fact: Fact, set: &Set) {
        let target = &self.universe.question.target;
        let who = match from {
            ConflictNode::Solvable(id) => {
                format!("{} {}", self.universe.name(id), self.universe.candidate(id))
            }
            _ => String::new(),
        };
        let (has, needs) = (host_value(target, fact), set.to_string());
        self.told.plain.insert(Cause::Host {
            fact,
            has,
            origin: host_origin(target, fact),
            who,
            needs,
        });
    }

    fn version(&self, id: SolvableId) -> (u32, String) {
        let candidate = self.universe.candidate(id);
        (candidate.ordinal, candidate.to_string())
    }
}

impl Told {
    fn causes(self) -> Vec<Cause> {
        let texts = |versions: BTreeSet<(u32, String)>| {
            versions.into_iter().map(|(_, text)| text).collect()
        };
        // Many versions that each need another version of one package are told as one.
        let needs = self.needs.into_iter().flat_map(|((who, name), mut whats)| {
            if whats.len() > MAX_LISTED {
                let all = std::mem::take(&mut whats).into_values().flatten().collect();
                whats.insert(name, all);
            }
            whats.into_iter().map(move |(what, versions)| Cause::Needs {
                who: who.clone(),
                versions: texts(versions),
                what,
            })
        });
        let unusable = self.unusable.into_iter().map(|((what, why), versions)| Cause::Unusable {
            what,
            versions: texts(versions),
            why,
        });
        let mut causes: Vec<Cause> = self.plain.into_iter().chain(needs).chain(unusable).collect();
        if causes.iter().all(|cause| matches!(cause, Cause::Asked { .. })) {
            causes.extend(self.ways);
        }
        causes.sort();
        causes
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
        Cause::Unusable { why, .. } => Some(why.code()),
        _ => None,
    });
    let telling = unusable.min_by_key(|code| TELLING.iter().position(|other| other == code));
    let not_found = causes.iter().any(|cause| matches!(cause, Cause::NotFound { .. }));
    host.or(telling).or(not_found.then_some("R-not-found")).unwrap_or("R-unsat")
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

/// More versions than this are told as a range.
pub(super) const MAX_LISTED: usize = 4;

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
