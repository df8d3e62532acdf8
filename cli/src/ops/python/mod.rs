//! `python list`: the interpreters that an environment could be built on, and which one a sync
//! would take. Nothing is fetched or made.

mod chosen;

use rocmenv_manifests::lock::{ArtifactKind, Lock, LockedTarget};
use rocmenv_manifests::project::PythonSource;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::Dotted;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::host::facts::InterpreterOrigin;
use rocmenv_resolver::host::interpreters::InterpreterWish;
use rocmenv_resolver::python_builds::distribution_packages;

use super::host::{self, HostOptions};
use super::interpreter::builds;
use super::stores::Stores;
use super::{files, project, registry};
use crate::context::Context;
use crate::error::Error;

pub use chosen::{Chosen, Reason};

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct PythonOptions {
    /// The series in place of the one that is locked.
    pub series: Option<Dotted>,
}

/// What there is.
#[derive(Debug)]
pub struct PythonOutcome {
    /// What an environment needs; `None` where neither a lock nor the call says it.
    pub wanted: Option<Wanted>,
    /// All interpreters: what rocmenv keeps, the host's, the distribution's packages.
    pub found: Vec<Found>,
    /// What a sync would take.
    pub chosen: Option<Chosen>,
}

/// What an environment needs.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Series and oldest release.
    pub wish: InterpreterWish,
    /// Where it may come from.
    pub source: PythonSource,
    /// The target whose lock says so; `None` where the call does.
    pub target: Option<String>,
}

/// One interpreter.
#[derive(Debug, Clone)]
pub struct Found {
    /// Where it comes from.
    pub from: Provenance,
    /// Its version.
    pub version: String,
    /// Where it lies, or the name of its package or archive.
    pub place: String,
    /// Why it cannot be taken; `None` where it can, or nothing is wanted.
    pub unfit: Option<Reason>,
}

/// Where interpreters come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// A build that rocmenv keeps in the store.
    Managed,
    /// One of the host's, by how it was found.
    Host(InterpreterOrigin),
    /// The distribution's packages, which the lock holds.
    Packages,
}

/// Looks.
///
/// # Errors
/// The project, the registry or the host cannot be read.
pub fn list(context: &Context, options: &PythonOptions) -> Result<PythonOutcome, Error> {
    let registry = registry::load(context)?;
    let host = host::facts(
        context,
        &registry,
        &HostOptions { interpreters: true, ..HostOptions::default() },
    )?;
    let opened = project::open(context).ok();
    let text = opened.as_ref().map(|opened| files::read_optional(&opened.root.lock()));
    let lock = text.transpose()?.flatten().map(|text| Lock::parse(&text)).transpose()?;
    let locked = lock.as_ref().and_then(|lock| locked(context, lock));
    let source = opened.as_ref().map(|opened| opened.project.python_source.value);
    let wanted = wanted(options, locked, source.unwrap_or_default());
    let wish = wanted.as_ref().map(|wanted| &wanted.wish);
    let folder = opened.as_ref().map_or(context.start(), |opened| opened.root.folder().to_owned());
    let stores = Stores::of(context, &folder)?;
    let mut found = managed(&registry, &host, &stores, wish);
    found.extend(of_host(&host, wish));
    if let Some(lock) = &lock {
        found.extend(packages(lock, wish));
    }
    let chosen = wanted.as_ref().map(|wanted| {
        chosen::choose(
            context,
            &chosen::Situation { registry: &registry, host: &host, wanted, found: &found },
        )
    });
    Ok(PythonOutcome { wanted, found, chosen })
}

/// The part of the lock that a sync would take: the target that was asked for, else the first.
fn locked<'l>(context: &Context, lock: &'l Lock) -> Option<&'l LockedTarget> {
    let settings = &context.settings;
    let asked = settings.target.as_ref().map(|target| &target.value);
    let mut targets = lock.targets.iter().filter(|one| one.env == settings.env);
    targets.find(|one| asked.is_none_or(|asked| *asked == one.name))
}

fn wanted(
    options: &PythonOptions,
    locked: Option<&LockedTarget>,
    source: PythonSource,
) -> Option<Wanted> {
    if let Some(series) = &options.series {
        let wish = InterpreterWish { series: series.clone(), minimum: series.clone() };
        return Some(Wanted { wish, source, target: None });
    }
    let locked = locked?;
    let python = locked.python.as_ref()?;
    let wish = InterpreterWish { series: python.series.clone(), minimum: python.floor.clone() };
    Some(Wanted { wish, source, target: Some(locked.name.to_string()) })
}

/// The builds of the registry's table that lie in a store.
fn managed(
    registry: &Registry,
    host: &HostFacts,
    stores: &Stores,
    wish: Option<&InterpreterWish>,
) -> Vec<Found> {
    let mut series: Vec<Dotted> = registry.pythons().build.iter().filter_map(series_of).collect();
    series.sort();
    series.dedup();
    let all = series.into_iter().rev().flat_map(|series| {
        let all = InterpreterWish { series: series.clone(), minimum: series };
        builds(registry, host, &all).unwrap_or_default()
    });
    let kept = all.filter_map(|build| {
        let object = stores.object(&build.artifact.sha256?);
        object.sealed().exists().then(|| Found {
            from: Provenance::Managed,
            unfit: wish.and_then(|wish| chosen::unfit_version(&build.artifact.version, wish)),
            version: build.artifact.version,
            place: object.root().display().to_string(),
        })
    });
    let mut kept: Vec<Found> = kept.collect();
    // several addresses make several choices of one build
    kept.dedup_by(|one, other| one.place == other.place);
    kept
}

fn series_of(row: &rocmenv_manifests::registry::rows::pythons::PythonBuild) -> Option<Dotted> {
    let version = Dotted::leading(&row.version)?;
    Some(Dotted::new(version.part(0), version.part(1)))
}

fn of_host<'a>(
    host: &'a HostFacts,
    wish: Option<&'a InterpreterWish>,
) -> impl Iterator<Item = Found> + 'a {
    host.python.iter().map(move |one| Found {
        from: Provenance::Host(one.origin),
        version: one.version.to_string(),
        place: one.path.clone(),
        unfit: wish.and_then(|wish| chosen::unfit(one, wish)),
    })
}

/// The distribution's interpreters among the packages of the lock.
fn packages(lock: &Lock, wish: Option<&InterpreterWish>) -> Vec<Found> {
    let is_interpreter = |name: &str| {
        let series = name.strip_prefix("python").and_then(|series| series.parse().ok());
        series.is_some_and(|series: Dotted| distribution_packages(&series)[0] == name)
    };
    let debs = lock.packages.iter().filter(|one| one.kind == ArtifactKind::Deb);
    let found = debs.filter(|one| is_interpreter(&one.name)).map(|one| Found {
        from: Provenance::Packages,
        version: one.version.clone(),
        place: one.name.clone(),
        unfit: wish.and_then(|wish| chosen::unfit_package(&one.name, wish)),
    });
    found.collect()
}
