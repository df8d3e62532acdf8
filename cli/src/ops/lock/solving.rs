//! One solve to its end: asks, fetches what is missing, and asks again from the start.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rocmenv_manifests::catalog::Query;
use rocmenv_manifests::lock::{Lock, LockedPackage, LockedTarget};
use rocmenv_manifests::name::{EnvName, PackageName, TargetName};
use rocmenv_manifests::project::{Environment, Project, PythonSource, did_you_mean, nearest};
use rocmenv_manifests::python::Version;
use rocmenv_resolver::solve::{Cause, Moves, Outcome, Refusal, solve};
use rocmenv_store::cache::CatalogError;
use rocmenv_store::report::Reporter;

use super::question::{Asking, QuestionError, question};
use super::{Inputs, ProjectTarget, at_hand, installed};
use crate::context::Context;
use crate::error::{Exit, Failure};
use crate::ops::host::HostError;
use crate::ops::world::World;

/// Everything that one solve is made of.
pub(super) struct Solving<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) one: &'a ProjectTarget<'a>,
    pub(super) env: &'a EnvName,
    pub(super) wishes: &'a Environment,
    pub(super) old: Option<&'a Lock>,
    pub(super) moves: &'a Moves,
    pub(super) pins: &'a BTreeMap<PackageName, Version>,
    pub(super) world: &'a World,
    pub(super) context: &'a Context,
}

impl Solving<'_> {
    /// The name that the user may have meant by one that nothing has.
    fn nearest(&self, name: &str) -> Option<String> {
        let frameworks = &self.inputs.registry.frameworks().framework;
        let rows = frameworks.iter().flat_map(|row| row.aliases.iter().chain([&row.name]));
        let locked = self.old.iter().flat_map(|lock| &lock.packages).map(|package| &package.name);
        nearest(name, rows.chain(locked).map(String::as_str)).map(str::to_owned)
    }

    /// Solves, and gives what the lock gets of it.
    pub(super) async fn run(
        &self,
        reporter: &dyn Reporter,
    ) -> Result<(LockedTarget, Vec<LockedPackage>), LockError> {
        let project = &self.inputs.opened.project;
        let is_host = self.one.spec.is_none();
        let at_hand = if is_host && at_hand::matters(self.wishes) {
            at_hand::series(self.context, self.inputs)?
        } else {
            Vec::new()
        };
        let host_packages = if is_host && uses_distribution(project) {
            installed::packages(Path::new(installed::DPKG_STATUS))
        } else {
            BTreeMap::new()
        };
        let question = question(&Asking {
            registry: &self.inputs.registry,
            project,
            env: self.env,
            wishes: self.wishes,
            target: &self.one.target,
            old: self.old,
            moves: self.moves,
            pins: self.pins,
            at_hand: &at_hand,
            host_packages: &host_packages,
        })?;
        let mut asked: BTreeSet<Query> = BTreeSet::new();
        loop {
            match solve(&question, &self.world.catalog) {
                Outcome::Solved(solution) => {
                    let inputs = project.inputs(self.env, self.one.spec);
                    return Ok(solution.to_lock(&question, self.env, inputs));
                }
                Outcome::Refused(refusal) => {
                    let target = self.one.target.name.clone();
                    let refusal = refusal.with_fixes(&question, &self.world.catalog);
                    let unknown = unknown_name(&refusal);
                    let nearest = unknown.and_then(|name| self.nearest(name));
                    return Err(LockError::NotSolved(NotSolved { target, refusal, nearest }));
                }
                Outcome::Missing(missing) => {
                    // a catalog that was filled and still lacks it would ask for ever
                    if missing.is_subset(&asked) {
                        return Err(LockError::Stuck(missing));
                    }
                    self.world.catalog.fetch_missing(&missing, reporter).await?;
                    asked.extend(missing);
                }
            }
        }
    }
}

/// Whether packages of the distribution may be chosen at all.
fn uses_distribution(project: &Project) -> bool {
    !project.rocm.components.is_empty() || project.python_source.value == PythonSource::Distro
}

/// A target that cannot be solved.
#[derive(Debug, thiserror::Error)]
#[error("no set fits target `{target}`\n{refusal}{}", did_you_mean(.nearest.as_deref()))]
pub struct NotSolved {
    /// The target.
    pub target: TargetName,
    /// Why not.
    pub refusal: Refusal,
    /// A name that exists, where one that was asked for does not.
    pub nearest: Option<String>,
}

impl NotSolved {
    fn way_out(&self) -> String {
        match (unknown_name(&self.refusal), &self.nearest) {
            (Some(name), Some(nearest)) if self.asks_for(name) => {
                format!("rocmenv remove {name} && rocmenv add {nearest}")
            }
            _ => format!("rocmenv explain {}", self.refusal.code),
        }
    }

    fn asks_for(&self, name: &str) -> bool {
        let asked = |cause: &Cause| matches!(cause, Cause::Asked { what, .. } if what == name);
        self.refusal.causes.iter().any(asked)
    }
}

/// The first name that nothing has in any version.
fn unknown_name(refusal: &Refusal) -> Option<&str> {
    refusal.causes.iter().find_map(|cause| match cause {
        Cause::NotFound { what, best: None, .. } => Some(what.as_str()),
        _ => None,
    })
}

/// A lock could not be made.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// A wish that means nothing.
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// Nothing fits.
    #[error(transparent)]
    NotSolved(NotSolved),
    /// The host's interpreters cannot be told.
    #[error(transparent)]
    Host(#[from] HostError),
    /// An index could not be asked.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// What was fetched is still missing.
    #[error("the cache does not keep what is fetched: {}", first(.0))]
    Stuck(BTreeSet<Query>),
    /// `--upgrade-package` names nothing.
    #[error("`{name}` is not in this project{}", did_you_mean(.nearest.as_deref()))]
    UnknownPackage {
        /// The name.
        name: String,
        /// The nearest that there is.
        nearest: Option<String>,
    },
}

impl LockError {
    pub(super) fn unknown_package(name: &str, known: &BTreeSet<String>) -> Self {
        let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
        Self::UnknownPackage { name: name.to_owned(), nearest }
    }
}

impl Failure for LockError {
    fn exit(&self) -> Exit {
        match self {
            Self::Question(_) | Self::UnknownPackage { .. } => Exit::Usage,
            Self::NotSolved(_) | Self::Stuck(_) => Exit::Unmet,
            Self::Catalog(inner) => inner.exit(),
            Self::Host(inner) => inner.exit(),
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Question(_) => Some("manifest-invalid"),
            Self::NotSolved(inner) => Some(inner.refusal.code),
            Self::Stuck(_) => Some("cache-damaged"),
            Self::Catalog(inner) => inner.code(),
            Self::Host(inner) => inner.code(),
            Self::UnknownPackage { .. } => Some("unknown-package"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NotSolved(inner) => Some(inner.way_out()),
            Self::Stuck(_) => Some("rocmenv cache clean".to_owned()),
            Self::Catalog(inner) => inner.help(),
            Self::Host(inner) => inner.help(),
            Self::Question(_) | Self::UnknownPackage { .. } => None,
        }
    }
}

fn first(missing: &BTreeSet<Query>) -> String {
    missing.first().map(ToString::to_string).unwrap_or_default()
}
