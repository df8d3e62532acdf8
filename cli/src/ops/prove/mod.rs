//! `prove`: what the native files of an environment, a lock or a wheel say for the GPUs asked
//! about. Everything is static: files are read, nothing is loaded and nothing runs; what `verify`
//! did is repeated beside it under its own name.

mod environment;
mod error;
mod gpus;
mod host;
mod locked;
mod report;
mod wheel;

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::proof::{
    Coverage, Linked, Package, TooNew, Verdict, coverage, linking, versions,
};
use rocmenv_store::report::Reporter;
use serde::Serialize;

pub use environment::package;
pub use error::ProveError;
pub use gpus::of_target;
pub use report::{FileReport, PackageReport, Read, Subject};

use super::verify::Verified;
use crate::context::Context;
use crate::error::Error;

/// What to prove.
#[derive(Debug, Clone, Default)]
pub struct ProveOptions {
    /// Wheels: `NAME==VERSION`, addresses or files. None: the project's environment.
    pub wheels: Vec<String>,
    /// The index of wheels that are named by version; else the general one.
    pub index: Option<IndexName>,
    /// What rocm.lock says instead of what was made.
    pub lock: bool,
    /// GPUs in place of the target's.
    pub gpus: Vec<GfxTarget>,
    /// Whether files of wheels are read to their end.
    pub whole: bool,
}

/// How far a proof goes, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Files were read.
    Static,
    /// `verify` loaded the environment's modules and libraries.
    Loaded,
    /// `verify` ran a kernel of a framework.
    Ran,
}

/// How far one GPU was proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reached {
    /// Its target.
    pub gpu: GfxTarget,
    /// How far.
    pub level: Level,
    /// Since when, where `verify` did more than files could say (RFC 3339, UTC).
    pub at: Option<String>,
}

/// What was proved.
#[derive(Debug, Clone, Serialize)]
pub struct ProveOutcome {
    /// Of what.
    pub subject: Subject,
    /// How far this call went: it reads, so always [`Level::Static`].
    pub level: Level,
    /// What the last `verify` of this environment did beyond that.
    pub verified: Option<Verified>,
    /// How far each GPU was proved, by this call and the last `verify`.
    pub reached: Vec<Reached>,
    /// The GPUs, with a verdict each.
    pub coverage: Coverage,
    /// Who supplies libraries.
    pub linked: Linked,
    /// Files that need newer symbol versions than the target has.
    pub too_new: Vec<TooNew>,
    /// What each package holds.
    pub packages: Vec<PackageReport>,
    /// What was read of wheels that are not in the store.
    pub reads: Vec<Read>,
}

/// Packages and what was read for them.
struct Gathered {
    subject: Subject,
    registry: Registry,
    gpus: Vec<GfxTarget>,
    packages: Vec<Package>,
    reads: Vec<Read>,
    host: host::Host,
    verified: Option<Verified>,
}

/// Proves.
///
/// # Errors
/// There is nothing to prove, or it cannot be read. What it lacks is in the outcome.
pub async fn prove(
    context: &Context,
    options: &ProveOptions,
    reporter: &dyn Reporter,
) -> Result<ProveOutcome, Error> {
    let gathered = if !options.wheels.is_empty() {
        wheel::gather(context, options, reporter).await?
    } else if options.lock {
        locked::gather(context, options, reporter).await?
    } else {
        environment::gather(context, options)?
    };
    let packages = &gathered.packages;
    Ok(ProveOutcome {
        level: Level::Static,
        coverage: coverage(&gathered.registry, packages, &gathered.gpus),
        linked: linking(packages, gathered.host.family, gathered.host.sysroot()),
        too_new: versions(packages, &gathered.host.platform()),
        packages: packages.iter().filter_map(PackageReport::of).collect(),
        reached: gathered.gpus.iter().map(|gpu| gathered.reached(*gpu)).collect(),
        subject: gathered.subject,
        reads: gathered.reads,
        verified: gathered.verified,
    })
}

impl Gathered {
    /// That modules were loaded says nothing of one GPU; that a kernel ran says it of the GPU that
    /// it ran on, whatever else the verification found.
    fn reached(&self, gpu: GfxTarget) -> Reached {
        let ran = self.verified.as_ref().filter(|verified| verified.ran.contains(&gpu));
        let level = if ran.is_some() { Level::Ran } else { Level::Static };
        Reached { gpu, level, at: ran.map(|verified| verified.at.clone()) }
    }
}

impl ProveOutcome {
    /// Whether nothing is known to fail.
    pub fn holds(&self) -> bool {
        self.coverage.worst() != Some(Verdict::NotCovered) && self.too_new.is_empty()
    }
}
