//! From a project and a target to the question that the solver gets.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::lock::{ArtifactKind, Lock};
use rocmenv_manifests::name::{ComponentName, EnvName, IndexName, NameError, PackageName};
use rocmenv_manifests::project::{Accelerator, Environment, Project, PythonSource};
use rocmenv_manifests::python::Version;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::sourced::Sourced;
use rocmenv_manifests::version::Dotted;
use rocmenv_resolver::python_builds::distribution_packages;
use rocmenv_resolver::solve::{
    ComponentPackages, ComponentWay, Interpreter, Moves, Previous, Question, Stack, StackRequest,
    Want, WantError, Wants,
};
use rocmenv_resolver::target::Target;

/// What the question is made of, beside the project.
pub(super) struct Asking<'a> {
    /// The registry.
    pub(super) registry: &'a Registry,
    /// The project.
    pub(super) project: &'a Project,
    /// The environment.
    pub(super) env: &'a EnvName,
    /// What the environment asks for.
    pub(super) wishes: &'a Environment,
    /// The target.
    pub(super) target: &'a Target,
    /// The lock as it was.
    pub(super) old: Option<&'a Lock>,
    /// What of it may move.
    pub(super) moves: &'a Moves,
    /// Versions that count as the old lock's.
    pub(super) pins: &'a BTreeMap<PackageName, Version>,
    /// Series of Python that the host has, best first; asked first where nobody says which.
    pub(super) at_hand: &'a [Dotted],
    /// The packages that the target's distribution has installed.
    pub(super) host_packages: &'a BTreeMap<String, String>,
}

/// Makes the question.
pub(super) fn question(asking: &Asking<'_>) -> Result<Question, QuestionError> {
    let project = asking.project;
    let mut packages = Vec::new();
    for request in &asking.wishes.packages {
        packages.push(Want::of_request(request, None)?);
    }
    for (group, requests) in &project.groups {
        for request in requests {
            packages.push(Want::of_request(request, Some(group.clone()))?);
        }
    }
    let mut overrides = BTreeMap::new();
    for request in &project.overrides {
        overrides.insert(request.name.clone(), Want::of_request(request, None)?);
    }
    let wishes = asking.wishes;
    let mut wants = Wants {
        rocm: wishes.rocm.clone(),
        python: wishes.python.clone(),
        driver: wishes.driver.clone(),
        frameworks: wishes.frameworks.clone(),
        components: project.rocm.components.clone(),
        packages,
    };
    let interpreters = interpreters(wishes, asking.at_hand);
    // without an interpreter the solve would leave every Python package out, and succeed
    if let (Some(asked), true) = (&wishes.python, interpreters.is_empty()) {
        return Err(QuestionError::NoSeries { asked: asked.value.to_string() });
    }
    let only_series = match interpreters.as_slice() {
        [only] => Some(only.dotted().to_string()),
        _ => None,
    };
    let mut stack = Stack::of_request(&StackRequest {
        registry: asking.registry,
        target: asking.target,
        channel: &project.rocm.channel.value,
        python: only_series.as_deref(),
    });
    if project.python_source.value == PythonSource::Distro {
        let [only] = interpreters.as_slice() else { return Err(QuestionError::SeveralSeries) };
        let (name, way) = distribution_python(&only.dotted())?;
        wants.components.push(Sourced::new(name.clone(), project.python_source.origin.clone()));
        stack.components.insert(name.to_string(), vec![way]);
    }
    Ok(Question {
        interpreters,
        target: asking.target.clone(),
        wants,
        stack,
        accept: project.policy.accept,
        unproven: project.policy.unproven,
        preview: project.rocm.preview,
        exclude_newer: project.exclude_newer.as_ref().map(|instant| instant.value),
        overrides,
        previous: previous(asking),
        host_packages: asking.host_packages.clone(),
    })
}

/// The series of Python that may be chosen, best first: where the user names none, those that
/// the host has come before those that would have to be fetched.
fn interpreters(wishes: &Environment, at_hand: &[Dotted]) -> Vec<Interpreter> {
    let mut series: Vec<u16> = SERIES.rev().collect();
    if wishes.python.is_none() {
        let has = |minor: u16| at_hand.contains(&Dotted::new(3, u32::from(minor)));
        series.sort_by_key(|&minor| !has(minor));
    }
    let within = |minor: u16| -> Option<Interpreter> {
        let Some(asked) = &wishes.python else { return Some(Interpreter::series(minor)) };
        // the lowest patch of the series that does is what markers are solved for
        (0..=HIGHEST_PATCH).find_map(|patch| {
            let version: Dotted = format!("3.{minor}.{patch}").parse().ok()?;
            let floor = Version::new([3, u64::from(minor), u64::from(patch)]);
            asked
                .value
                .matches(&version)
                .then(|| Interpreter { floor, ..Interpreter::series(minor) })
        })
    };
    series.into_iter().filter_map(within).collect()
}

/// The distribution's own interpreter as one more component, locked like any other package.
fn distribution_python(series: &Dotted) -> Result<(ComponentName, ComponentWay), NameError> {
    let packages = ComponentPackages::Debs {
        repository: IndexName::distribution(),
        names: distribution_packages(series).to_vec(),
    };
    Ok((format!("python{series}").parse()?, ComponentWay { release: None, packages }))
}

/// No question can be made of what rocm.toml says.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// A wish that means nothing.
    #[error(transparent)]
    Want(#[from] WantError),
    /// No such name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The distribution's interpreter is one series, and nobody says which.
    #[error(
        "`[python] source = \"distro\"` needs one series, such as `python = \"3.11\"` in `[requires]`"
    )]
    SeveralSeries,
    /// No interpreter that anything is built for is what is asked for.
    #[error(
        "no known Python is `{asked}`: known are the series 3.{} to 3.{}",
        SERIES.start(),
        SERIES.end()
    )]
    NoSeries {
        /// The requirement.
        asked: String,
    },
}

/// What the old lock held for this environment on this target.
fn previous(asking: &Asking<'_>) -> Previous {
    let pins = asking.pins.clone();
    let nothing =
        Previous { moves: asking.moves.clone(), packages: pins.clone(), ..Previous::default() };
    let Some(old) = asking.old else { return nothing };
    let (target, env) = (&asking.target.name, asking.env);
    let Some(locked) = old.targets.iter().find(|one| one.name == *target && one.env == *env) else {
        return nothing;
    };
    let mut packages: BTreeMap<PackageName, Version> = BTreeMap::new();
    for package in old.packages.iter().filter(|package| package.kind == ArtifactKind::Wheel) {
        let here = package.members.iter().any(|one| one.target == *target && one.env == *env);
        if let (true, Ok(name), Ok(version)) = (here, package.name.parse(), package.version.parse())
        {
            packages.insert(name, version);
        }
    }
    packages.extend(pins);
    let minor = |series: &Dotted| u16::try_from(series.part(1)).ok();
    Previous {
        rocm: locked.rocm.clone(),
        python: locked.python.as_ref().and_then(|python| minor(&python.series)),
        packages,
        moves: asking.moves.clone(),
    }
}

/// The names that `--upgrade-package` may name: packages, frameworks, `rocm`, `python`.
pub(super) fn movable(project: &Project, old: Option<&Lock>) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = ["rocm", "python"].map(str::to_owned).into();
    for wishes in project.environments.values() {
        names.extend(wishes.frameworks.iter().map(|framework| framework.name.clone()));
        names.extend(wishes.packages.iter().map(|package| package.name.to_string()));
    }
    if let Some(old) = old {
        names.extend(old.packages.iter().map(|package| package.name.clone()));
    }
    names
}

/// Whether the target is to have a GPU and none is known of it: device wheels are then left out.
pub(super) fn is_without_gpu(target: &Target) -> bool {
    target.accelerator == Accelerator::Rocm && target.gfx_targets().is_empty()
}

/// The series of CPython that anything is built for: 3.9 is the oldest with a managed build, 3.15
/// the newest that was released.
const SERIES: std::ops::RangeInclusive<u16> = 9..=15;

/// No series of Python has had more patch releases.
const HIGHEST_PATCH: u16 = 40;
