//! Which files a bundle is to have, and bringing them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use futures::{StreamExt as _, TryStreamExt as _};
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::{Lock, LockedTarget};
use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::plan::{self, Artifact};
use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::project::PythonSource;
use rocmenv_resolver::host::interpreters::InterpreterWish;
use rocmenv_resolver::python_builds::{BuildChoice, BuildPlace, python_builds};
use rocmenv_resolver::target::Target;
use rocmenv_store::bundle::{Bundle, BundleFile};
use rocmenv_store::fetch::Downloaded;
use rocmenv_store::report::Reporter;

use super::file;
use crate::context::Context;
use crate::error::Error;
use crate::ops::interpreter;
use crate::ops::lock::{self, Inputs};
use crate::ops::sync::{self, GateError};
use crate::ops::world::World;
use crate::settings::LockMode;

/// Everything that is to be in a bundle, each file once.
#[derive(Default)]
pub(super) struct Wanted {
    pub(super) artifacts: Vec<(Artifact, BTreeSet<TargetName>)>,
    pub(super) builds: Vec<(BuildChoice, BTreeSet<TargetName>)>,
    pub(super) without_interpreter: Vec<(TargetName, String)>,
}

pub(super) struct Fetched {
    pub(super) artifact: Artifact,
    pub(super) targets: BTreeSet<TargetName>,
    /// `None`: it lies in the earlier bundle.
    pub(super) path: Option<PathBuf>,
}

impl Wanted {
    /// Packages of an environment with all its groups: which are wanted is said there.
    pub(super) fn packages(&mut self, lock: &Lock, part: &LockedTarget) {
        let members = lock.packages.iter().flat_map(|package| &package.members);
        let groups: Vec<_> = members.filter_map(|member| member.group.clone()).collect();
        for artifact in plan::artifacts(lock, &part.name, &part.env, &groups) {
            let same = |(known, _): &&mut (Artifact, _)| {
                known.index == artifact.index && known.file == artifact.file
            };
            match self.artifacts.iter_mut().find(same) {
                Some((_, targets)) => {
                    targets.insert(part.name.clone());
                }
                None => self.artifacts.push((artifact, [part.name.clone()].into())),
            }
        }
    }

    /// The interpreter, unless rocm.toml takes it from the host or the distribution.
    pub(super) fn interpreter(
        &mut self,
        inputs: &Inputs,
        part: &LockedTarget,
    ) -> Result<(), Error> {
        let source = inputs.opened.project.python_source.value;
        let Some(python) = part.python.as_ref().filter(|_| is_fetched(source)) else {
            return Ok(());
        };
        let project = &inputs.opened.project;
        let mut targets = lock::targets(project, &inputs.registry, &inputs.host, None)?;
        targets.retain(|one| one.target.name == part.name);
        let Some(one) = targets.pop() else { return Ok(()) };
        let wish = InterpreterWish { series: python.series.clone(), minimum: python.floor.clone() };
        match python_builds(&inputs.registry, &wish, &place_of(&one.target)) {
            Ok(builds) => {
                let Some(build) = builds.into_iter().next() else { return Ok(()) };
                let same = |(known, _): &&mut (BuildChoice, _)| known.artifact == build.artifact;
                match self.builds.iter_mut().find(same) {
                    Some((_, targets)) => {
                        targets.insert(part.name.clone());
                    }
                    None => self.builds.push((build, [part.name.clone()].into())),
                }
            }
            Err(none) => self.without_interpreter.push((part.name.clone(), none.to_string())),
        }
        Ok(())
    }

    /// What is known before anything is fetched.
    pub(super) fn expected(&self, known: &BTreeMap<Sha256, BundleFile>) -> (Bundle, usize) {
        let builds = self.builds.iter().map(|(build, targets)| (&build.artifact, targets));
        let all =
            self.artifacts.iter().map(|(artifact, targets)| (artifact, targets)).chain(builds);
        let (mut files, mut unknown) = (Vec::new(), 0);
        for (artifact, targets) in all {
            let Some(sha256) = artifact.sha256 else {
                unknown += 1;
                continue;
            };
            let here = !known.contains_key(&sha256);
            unknown += usize::from(here && artifact.size.is_none());
            files.push(file(artifact, sha256, artifact.size.unwrap_or_default(), targets, here));
        }
        (Bundle { files, ..Bundle::default() }, unknown)
    }

    pub(super) fn check_gaps(&self, context: &Context) -> Result<(), GateError> {
        if context.settings.lock_mode == LockMode::Update {
            return Ok(());
        }
        let open = self.artifacts.iter().filter(|(artifact, _)| artifact.sha256.is_none());
        let files: Vec<String> = open.map(|(artifact, _)| artifact.file.clone()).collect();
        if files.is_empty() { Ok(()) } else { Err(GateError::Gaps { files }) }
    }

    /// Brings the packages that the earlier bundle has not.
    pub(super) async fn fetch_packages(
        &self,
        world: &World,
        known: &BTreeMap<Sha256, BundleFile>,
        reporter: &dyn Reporter,
    ) -> Result<Vec<Fetched>, Error> {
        let packages = futures::stream::iter(&self.artifacts)
            .map(|(artifact, targets)| async move {
                if is_known(artifact, known) {
                    return Ok::<_, Error>(Fetched::earlier(artifact, targets));
                }
                let found = sync::download(artifact, world, reporter).await?;
                Ok(Fetched::now(artifact, targets, found))
            })
            .buffered(AT_ONCE);
        packages.try_collect().await
    }

    /// Brings the interpreters. Where rocm.toml leaves it open where one comes from, a host may
    /// have one: then a build that cannot be had is said and no more.
    pub(super) async fn fetch_builds(
        &mut self,
        context: &Context,
        world: &World,
        known: &BTreeMap<Sha256, BundleFile>,
        source: PythonSource,
    ) -> Result<Vec<Fetched>, Error> {
        let mut fetched = Vec::new();
        for (build, targets) in &self.builds {
            let artifact = &build.artifact;
            if is_known(artifact, known) {
                fetched.push(Fetched::earlier(artifact, targets));
                continue;
            }
            match interpreter::archive(world, context, build, context.reporter.as_ref()).await {
                Ok(found) => fetched.push(Fetched::now(artifact, targets, found)),
                Err(error) if source == PythonSource::Auto => {
                    let why = error.to_string();
                    let missing = targets.iter().map(|target| (target.clone(), why.clone()));
                    self.without_interpreter.extend(missing);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(fetched)
    }
}

impl Fetched {
    fn now(artifact: &Artifact, targets: &BTreeSet<TargetName>, found: Downloaded) -> Self {
        let (sha256, size) = (Some(found.sha256), Some(found.size));
        let artifact = Artifact { sha256, size, ..artifact.clone() };
        Self { artifact, targets: targets.clone(), path: Some(found.path) }
    }

    fn earlier(artifact: &Artifact, targets: &BTreeSet<TargetName>) -> Self {
        Self { artifact: artifact.clone(), targets: targets.clone(), path: None }
    }
}

fn is_known(artifact: &Artifact, known: &BTreeMap<Sha256, BundleFile>) -> bool {
    artifact.sha256.is_some_and(|sha256| known.contains_key(&sha256))
}

fn is_fetched(source: PythonSource) -> bool {
    matches!(source, PythonSource::Auto | PythonSource::Managed)
}

fn place_of(target: &Target) -> BuildPlace {
    BuildPlace {
        family: target.family,
        arch: target.arch.value,
        libc: target.libc.as_ref().map(|libc| libc.value.clone()).filter(|_| {
            // Windows has none that a build could be too new for.
            target.family == OsFamily::Linux
        }),
    }
}

/// How many files are on their way at once; downloads have a limit of their own.
const AT_ONCE: usize = 16;
