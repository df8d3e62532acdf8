//! One solve to its end: asks, fetches what is missing, and asks again from the start.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::catalog::Query;
use rocmenv_manifests::lock::{Lock, LockedPackage, LockedTarget};
use rocmenv_manifests::name::{EnvName, PackageName};
use rocmenv_manifests::project::{Environment, did_you_mean, nearest};
use rocmenv_manifests::python::Version;
use rocmenv_resolver::guard::Culprit;
use rocmenv_resolver::solve::{Cause, Fix, Moves, Outcome, Question, Refusal, Solution, solve};
use rocmenv_store::cache::CatalogError;
use rocmenv_store::report::Reporter;

use super::asked::{Asked, strangers};
use super::diagnosing::diagnosed;
use super::fixing::Scope;
use super::live_host::LiveHost;
use super::question::QuestionError;
use super::why_not::NotWish;
use super::{Inputs, ProjectTarget};
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
        let others = rows.chain(locked).map(String::as_str).filter(|other| *other != name);
        nearest(name, others).map(str::to_owned)
    }

    /// Solves, and gives what the lock gets of it.
    pub(super) async fn run(
        &self,
        reporter: &dyn Reporter,
    ) -> Result<(LockedTarget, Vec<LockedPackage>), LockError> {
        let question = self.question()?;
        match self.answer(&question, reporter).await? {
            Ok(solution) => {
                let project = &self.inputs.opened.project;
                let inputs = project.inputs(self.env, self.one.spec);
                self.guard(&solution)?;
                Ok(solution.to_lock(&question, self.env, inputs))
            }
            Err(refusal) => {
                let refusal = diagnosed(self, &question, refusal, reporter).await;
                let unknown = unknown_name(&refusal);
                let nearest = unknown.and_then(|name| self.nearest(name));
                let refused = NotSolved { scope: self.scope(), refusal, nearest };
                Err(LockError::NotSolved(Box::new(refused)))
            }
        }
    }

    /// Whether there is a solution.
    pub(super) async fn fits(&self, reporter: &dyn Reporter) -> bool {
        let Ok(question) = self.question() else { return false };
        matches!(self.answer(&question, reporter).await, Ok(Ok(_)))
    }

    /// The proof that something more cannot be asked for; `None` where it can.
    pub(super) async fn proof_against(
        &self,
        more: impl FnOnce(&mut Question) -> Result<(), LockError>,
        reporter: &dyn Reporter,
    ) -> Result<Option<NotSolved>, LockError> {
        let mut question = self.question()?;
        more(&mut question)?;
        let Err(refusal) = self.answer(&question, reporter).await? else { return Ok(None) };
        let refusal = diagnosed(self, &question, refusal, reporter).await;
        Ok(Some(NotSolved { scope: self.scope(), refusal, nearest: None }))
    }

    fn guard(&self, solution: &Solution) -> Result<(), LockError> {
        let found = strangers(&self.inputs.registry, &self.one.target, solution);
        if found.is_empty() { Ok(()) } else { Err(LockError::Accelerator(found)) }
    }

    fn scope(&self) -> Scope {
        Scope {
            target: self.one.target.name.clone(),
            live: match self.one.spec {
                Some(_) => None,
                None => Some(LiveHost::new(&self.one.target, &self.inputs.host)),
            },
            env: self.env.clone(),
        }
    }

    fn question(&self) -> Result<Question, LockError> {
        let asked = Asked {
            context: self.context,
            registry: &self.inputs.registry,
            project: &self.inputs.opened.project,
            one: self.one,
            env: self.env,
            wishes: self.wishes,
            old: self.old,
            moves: self.moves,
            pins: self.pins,
        };
        asked.question()
    }

    /// Solves to the end, fetching whatever is missing.
    async fn answer(
        &self,
        question: &Question,
        reporter: &dyn Reporter,
    ) -> Result<Result<Box<Solution>, Refusal>, LockError> {
        let mut asked: BTreeSet<Query> = BTreeSet::new();
        loop {
            match solve(question, &self.world.catalog) {
                Outcome::Solved(solution) => return Ok(Ok(solution)),
                Outcome::Refused(refusal) => return Ok(Err(refusal)),
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

/// A target that cannot be solved.
#[derive(Debug, thiserror::Error)]
#[error("no set fits target `{}`\n{refusal}{}{}", scope.target, did_you_mean(.nearest.as_deref()), self.fixes())]
pub struct NotSolved {
    /// The target and environment.
    pub scope: Scope,
    /// Why not.
    pub refusal: Refusal,
    /// A name that exists, where one that was asked for does not.
    pub nearest: Option<String>,
}

impl NotSolved {
    /// The fixes, numbered, each with its exact edit.
    fn fixes(&self) -> String {
        let numbered = self.refusal.fixes.iter().zip(1..);
        let line = |(fix, number): (&Fix, usize)| {
            format!("\nfix {number}: {fix}: {}", self.scope.text(fix))
        };
        numbered.map(line).collect()
    }

    fn way_out(&self) -> String {
        if let (Some(name), Some(nearest)) = (unknown_name(&self.refusal), &self.nearest)
            && self.asks_for(name)
        {
            return format!("rocmenv remove {name} && rocmenv add {nearest}");
        }
        let editable = |fix: &Fix| self.scope.is_of_project(fix);
        match self.refusal.fixes.iter().position(editable) {
            Some(at) => format!("rocmenv lock --fix {}", at + 1),
            None => format!("rocmenv explain {}", self.refusal.code),
        }
    }

    /// The refusal as data, each fix with its exact edit.
    pub fn as_json(&self) -> serde_json::Value {
        let fixes = self.refusal.fixes.iter().map(|fix| {
            serde_json::json!({
                "fix": fix,
                "words": fix.to_string(),
                "edit": self.scope.text(fix),
                "in-project": self.scope.is_of_project(fix),
            })
        });
        let causes = self
            .refusal
            .causes
            .iter()
            .map(|cause| serde_json::json!({ "data": cause, "words": cause.to_string() }));
        serde_json::json!({
            "target": self.scope.target,
            "env": self.scope.env,
            "code": self.refusal.code,
            "causes": causes.collect::<Vec<_>>(),
            "fixes": fixes.collect::<Vec<_>>(),
        })
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
    NotSolved(Box<NotSolved>),
    /// The host's interpreters cannot be told.
    #[error(transparent)]
    Host(#[from] HostError),
    /// An index could not be asked.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// What was fetched is still missing.
    #[error("the cache does not keep what is fetched: {}", first(.0))]
    Stuck(BTreeSet<Query>),
    /// What was chosen is not of one build for ROCm.
    #[error("{}", sentences(.0))]
    Accelerator(Vec<Culprit>),
    /// `why --not` asks for no version.
    #[error(transparent)]
    NotWish(#[from] NotWish),
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
            Self::Question(QuestionError::NoSeries { .. })
            | Self::NotSolved(_)
            | Self::Stuck(_)
            | Self::Accelerator(_) => Exit::Unmet,
            Self::Question(_) | Self::NotWish(_) | Self::UnknownPackage { .. } => Exit::Usage,
            Self::Catalog(inner) => inner.exit(),
            Self::Host(inner) => inner.exit(),
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Question(QuestionError::NoSeries { .. }) => Some("python-not-found"),
            Self::Question(_) => Some("manifest-invalid"),
            Self::NotSolved(inner) => Some(inner.refusal.code),
            Self::Stuck(_) => Some("cache-damaged"),
            Self::Catalog(inner) => inner.code(),
            Self::Host(inner) => inner.code(),
            Self::Accelerator(_) => Some("wrong-accelerator"),
            Self::NotWish(inner) => inner.code(),
            Self::UnknownPackage { .. } => Some("unknown-package"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NotSolved(inner) => Some(inner.way_out()),
            Self::Stuck(_) => Some("rocmenv cache clean".to_owned()),
            Self::Catalog(inner) => inner.help(),
            Self::Host(inner) => inner.help(),
            Self::Accelerator(_) => Some("rocmenv explain wrong-accelerator".to_owned()),
            Self::NotWish(inner) => inner.help(),
            Self::Question(QuestionError::NoSeries { .. }) => {
                Some("rocmenv explain python-not-found".to_owned())
            }
            Self::Question(_) | Self::UnknownPackage { .. } => None,
        }
    }

    fn data(&self) -> Option<serde_json::Value> {
        match self {
            Self::NotSolved(inner) => Some(inner.as_json()),
            _ => None,
        }
    }
}

fn sentences(culprits: &[Culprit]) -> String {
    culprits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn first(missing: &BTreeSet<Query>) -> String {
    missing.first().map(ToString::to_string).unwrap_or_default()
}
