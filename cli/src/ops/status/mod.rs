//! `status`: what the project, its lock and its environment are, and what no longer agrees.
//!
//! Reads only: nothing of the project is run and nothing is asked of the network.

mod altered;
mod foreign;
mod system_runtime;

use std::path::{Path, PathBuf};

use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::name::{GroupName, TargetName};
use rocmenv_manifests::plan::{self, Plan};
use rocmenv_manifests::upgrade::Standing;
use rocmenv_resolver::guard::Culprit;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::target::Mismatch;
use rocmenv_shims::activation::{Activation, Change};
use rocmenv_shims::locate::Absent;
use rocmenv_store::generation;
use rocmenv_store::layout::GenerationLayout;

use super::environment::EnvironmentError;
use super::host::{self, HostOptions};
use super::lock::is_current;
use super::place::Place;
use super::project::{self, Opened};
use super::stores::Stores;
use super::upgrade::Journal;
use super::verify::{self, Verified};
use super::{files, fitness, guard, registry, standing};
use crate::context::Context;
use crate::error::Error;

/// Everything that `status` says.
#[derive(Debug)]
pub struct Status {
    /// The project's name.
    pub project: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its lock.
    pub lock: LockState,
    /// The targets that are locked.
    pub targets: Vec<TargetName>,
    /// The environment, if one was made.
    pub environment: Option<EnvironmentStatus>,
    /// Where what is locked stands on the roadmap; `None` before there is a lock.
    pub standing: Option<Standing>,
    /// An upgrade that was begun and has not ended.
    pub upgrade: Option<Journal>,
    /// The registry's date, in words.
    pub registry: String,
}

/// How the lock stands to rocm.toml.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockState {
    /// There is none.
    Missing,
    /// rocm.toml asks for something else.
    Outdated,
    /// It answers what rocm.toml asks.
    Current,
}

/// One environment.
#[derive(Debug)]
pub struct EnvironmentStatus {
    /// Which.
    pub place: Place,
    /// Its current generation.
    pub generation: Generation,
    /// Whether a rollback holds it.
    pub pinned: bool,
    /// The folders of the prefix that LD_LIBRARY_PATH leads to, for what is loaded by its bare name
    /// and for programs that were built against the prefix; its own files find each other.
    pub library_path: Vec<String>,
    /// Its last verification.
    pub verified: Option<Verified>,
    /// What does not agree.
    pub findings: Vec<Finding>,
}

/// Something that does not agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The lock asks for other packages than are installed.
    LockMoved(Plan),
    /// This host does not meet the contract.
    Contract(Mismatch),
    /// dkms has built the driver, but not for the kernel that runs.
    DriverNotBuilt {
        /// The driver's version in dkms.
        driver: String,
        /// The kernel that runs.
        kernel: String,
        /// The kernels that it is built for.
        built: Vec<String>,
    },
    /// The generation's files say another path than the one where they are.
    Moved(PathBuf),
    /// The interpreter is gone.
    InterpreterVanished(String),
    /// A package that `sync` did not install.
    ForeignPackage {
        /// Its name.
        name: String,
        /// Its version.
        version: String,
        /// Who installed it.
        installer: Option<String>,
    },
    /// Another version than the locked one.
    ReplacedPackage {
        /// Its name.
        name: String,
        /// What was locked.
        locked: String,
        /// What is there.
        version: String,
        /// Who installed it.
        installer: Option<String>,
    },
    /// A package that was installed and is no more.
    MissingPackage {
        /// Its name.
        name: String,
        /// Its version.
        version: String,
    },
    /// Something that was put in changes the accelerator.
    Accelerator(Culprit),
    /// A file or folder among the modules that no package lists.
    UnlistedFile(PathBuf),
    /// Windows has a HIP runtime of the same name in its own folder, which programs find before
    /// the environment's.
    SystemRuntimeWins {
        /// The environment's.
        ours: PathBuf,
        /// The one that wins.
        system: PathBuf,
    },
    /// Files of a package that are not in the environment any more.
    MissingFiles {
        /// The package.
        package: String,
        /// The files, relative to where the package is installed.
        files: Vec<String>,
    },
    /// Files of a package that were written to.
    Touched {
        /// The package.
        package: String,
        /// The files, relative to the package.
        files: Vec<String>,
    },
}

/// Looks. With `groups`, the environment is compared with the lock's packages of those groups, and
/// otherwise of the groups that it was made with.
///
/// # Errors
/// The project, the lock, the registry or the environment's record cannot be read.
pub fn status(context: &Context, groups: &[GroupName]) -> Result<Status, Error> {
    let opened = project::open_environment(context)?;
    project::check_groups(&opened.project, groups)?;
    let registry = registry::load(context)?;
    let text = files::read_optional(&opened.root.lock())?;
    let lock = text.as_deref().map(Lock::parse).transpose()?;
    let environment = match Place::find(context) {
        Ok(place) => {
            let facts = host::facts(context, &registry, &HostOptions::default())?;
            let looking = Looking { context, registry: &registry, facts: &facts, groups };
            Some(looking.at(place, lock.as_ref())?)
        }
        Err(EnvironmentError::Absent(Absent::NoEnvironment(_))) => None,
        Err(error) => return Err(error.into()),
    };
    let mut targets: Vec<TargetName> =
        lock.iter().flat_map(|lock| &lock.targets).map(|target| target.name.clone()).collect();
    targets.dedup();
    let env = &context.settings.env;
    let target = environment.as_ref().map(|one| &one.place.target).or(targets.first());
    let standing = match (&lock, target) {
        (Some(lock), Some(target)) => {
            let locked = (lock, target, env);
            Some(standing::standing(context, &registry, &opened.project, locked)?)
        }
        _ => None,
    };
    Ok(Status {
        standing,
        upgrade: Journal::read(&opened.root)?,
        lock: lock_state(&opened, lock.as_ref()),
        project: opened.project.name,
        folder: opened.root.folder().to_owned(),
        targets,
        environment,
        registry: registry::dated(&registry, context.now),
    })
}

struct Looking<'a> {
    context: &'a Context,
    registry: &'a rocmenv_manifests::registry::Registry,
    facts: &'a HostFacts,
    groups: &'a [GroupName],
}

impl Looking<'_> {
    fn at(&self, place: Place, lock: Option<&Lock>) -> Result<EnvironmentStatus, Error> {
        let (generation, layout) = place.current()?;
        let pinned = generation::is_pinned(&place.layout, generation.number)?;
        let mut findings = Vec::new();
        findings.extend(lock.and_then(|lock| self.moved_lock(&generation, lock)));
        findings.extend(generation::moved_from(&generation, &layout).map(Finding::Moved));
        findings.extend(vanished(&generation));
        findings.extend(
            fitness::mismatches(&place, &layout, self.facts, self.registry)?
                .into_iter()
                .map(Finding::Contract),
        );
        findings.extend(driver_not_built(self.facts));
        let strangers = guard::strangers(&generation, &layout);
        if !strangers.is_empty() {
            let changed = guard::changed(self.registry, &generation, &layout, &strangers);
            findings.extend(changed.into_iter().map(Finding::Accelerator));
        }
        findings.extend(system_runtime::winning(self.context, &layout));
        findings.extend(foreign::in_environment(&generation, &layout));
        let stores = Stores::of(self.context, place.root.folder())?;
        let touched = foreign::in_store(&generation, &stores)?;
        findings.extend(altered::in_environment(&generation, &layout, &stores, &touched)?);
        findings.extend(touched);
        let (library_path, verified) = (library_path(&layout), verify::last(&layout));
        Ok(EnvironmentStatus { place, generation, pinned, library_path, verified, findings })
    }

    /// What a sync would change.
    fn moved_lock(&self, generation: &Generation, lock: &Lock) -> Option<Finding> {
        let groups = if self.groups.is_empty() { &generation.groups } else { self.groups };
        let locked = plan::artifacts(lock, &generation.target, &generation.env, groups);
        let plan = Plan::between(&generation.artifacts, &locked);
        (!plan.is_empty()).then_some(Finding::LockMoved(plan))
    }
}

fn lock_state(opened: &Opened, lock: Option<&Lock>) -> LockState {
    match lock {
        None => LockState::Missing,
        Some(lock) if is_current(&opened.project, lock) => LockState::Current,
        Some(_) => LockState::Outdated,
    }
}

fn vanished(generation: &Generation) -> Option<Finding> {
    let python = generation.python.as_ref()?;
    let gone = !Path::new(&python.path).exists();
    gone.then(|| Finding::InterpreterVanished(python.path.clone()))
}

/// After a kernel update: dkms has the driver's sources, and no module of it for this kernel.
fn driver_not_built(facts: &HostFacts) -> Option<Finding> {
    let kernel = facts.kernel.release.as_ref()?;
    let trees = &facts.driver.dkms;
    let newest = trees.last()?;
    let is_built = trees.iter().any(|tree| tree.kernels.contains(kernel));
    let built = trees.iter().flat_map(|tree| tree.kernels.iter().cloned());
    (!is_built).then(|| Finding::DriverNotBuilt {
        driver: newest.version.clone(),
        kernel: kernel.clone(),
        built: built.collect(),
    })
}

fn library_path(layout: &GenerationLayout) -> Vec<String> {
    let text = files::read(&layout.activation()).unwrap_or_default();
    let changes = Activation::parse(&text).map(|activation| activation.changes);
    let folder = |change: Change| match change {
        Change::Prepend(name, folder) if name == "LD_LIBRARY_PATH" => Some(folder),
        _ => None,
    };
    changes.unwrap_or_default().into_iter().filter_map(folder).collect()
}
