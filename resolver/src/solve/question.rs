//! The whole question to the solver in one value: target, wishes, world, and what was before.
//!
//! The question holds no catalog: pages and metadata are asked for as the solve goes.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::name::{ComponentName, ExtraName, GroupName, IndexName, PackageName};
use rocmenv_manifests::project::{Accept, Framework, PackageRequest};
use rocmenv_manifests::python::marker::MarkerError;
use rocmenv_manifests::python::specifier::SpecifierError;
use rocmenv_manifests::python::{Marker, PyRequirement, Version, VersionSpecifiers};
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_manifests::version::{Dotted, Requirement, RocmVersion};

use super::stack::Stack;
use crate::target::Target;

/// Everything that a solve depends on, apart from the catalog.
#[derive(Debug, Clone)]
pub struct Question {
    /// The host that is solved for.
    pub target: Target,
    /// What is asked for.
    pub wants: Wants,
    /// The interpreters that may be chosen, best first.
    pub interpreters: Vec<Interpreter>,
    /// What is known of the stack, judged for this target.
    pub stack: Stack,
    /// The worst grade that may be chosen.
    pub accept: Accept,
    /// Whether a build that does not say its ROCm may be chosen.
    pub unproven: bool,
    /// Whether preview releases may be chosen.
    pub preview: bool,
    /// Files uploaded later than this (seconds since 1970 UTC) do not exist.
    pub exclude_newer: Option<i64>,
    /// What replaces any requirement of the same name, whoever states it.
    pub overrides: BTreeMap<PackageName, Want>,
    /// What the old lock held.
    pub previous: Previous,
    /// The packages that the target's distribution has installed, with their versions.
    pub host_packages: BTreeMap<String, String>,
}

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Wants {
    /// ROCm.
    pub rocm: Option<Sourced<Requirement>>,
    /// Python.
    pub python: Option<Sourced<Requirement>>,
    /// The driver.
    pub driver: Option<Sourced<Requirement>>,
    /// Frameworks, in file order.
    pub frameworks: Vec<Framework>,
    /// Components of ROCm, in file order.
    pub components: Vec<Sourced<ComponentName>>,
    /// Packages, in file order, those of groups among them.
    pub packages: Vec<Want>,
}

/// A Python package that is asked for.
#[derive(Debug, Clone)]
pub struct Want {
    /// Its name.
    pub name: PackageName,
    /// Its extras.
    pub extras: Vec<ExtraName>,
    /// Which versions.
    pub specifiers: VersionSpecifiers,
    /// Where it applies.
    pub marker: Marker,
    /// The index that it must come from.
    pub index: Option<IndexName>,
    /// Where it was asked for.
    pub origin: Origin,
    /// The group that asks for it.
    pub group: Option<GroupName>,
}

/// An interpreter that may be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interpreter {
    /// The minor number of its series (12 of 3.12).
    pub minor: u16,
    /// The oldest release of the series that must do; markers are solved for it.
    pub floor: Version,
}

/// What the old lock held, and what of it may change.
#[derive(Debug, Clone, Default)]
pub struct Previous {
    /// The ROCm release.
    pub rocm: Option<RocmVersion>,
    /// The minor number of the Python series.
    pub python: Option<u16>,
    /// Versions of Python packages.
    pub packages: BTreeMap<PackageName, Version>,
    /// What may move freely.
    pub moves: Moves,
}

/// What of an old lock may change without need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Moves {
    /// Nothing: a change has to have a reason.
    #[default]
    Nothing,
    /// Everything (`--upgrade`).
    Everything,
    /// These packages, frameworks, `rocm` or `python` (`--upgrade-package`).
    Named(BTreeSet<String>),
}

impl Previous {
    /// Whether `name` is to stay what it was, if it can.
    pub fn holds(&self, name: &str) -> bool {
        match &self.moves {
            Moves::Nothing => true,
            Moves::Everything => false,
            Moves::Named(names) => !names.contains(name),
        }
    }

    /// The version of a package that is to stay, if it can.
    pub fn held(&self, package: &PackageName) -> Option<&Version> {
        self.packages.get(package).filter(|_| self.holds(package.as_ref()))
    }
}

impl Interpreter {
    /// The interpreter of 3.`minor`, solved for its first release.
    pub fn series(minor: u16) -> Self {
        Self { minor, floor: Version::new([3, u64::from(minor), 0]) }
    }

    /// The series as numbers (`3.12`).
    pub fn dotted(&self) -> Dotted {
        Dotted::new(3, u32::from(self.minor))
    }
}

/// A request that no question can be made of.
#[derive(Debug, Clone, thiserror::Error)]
pub enum WantError {
    /// The requirement means nothing for a Python package.
    #[error("{origin}: `{name}` asks for something that no Python package can be")]
    Specifier {
        /// Where it was asked for.
        origin: Origin,
        /// The package.
        name: PackageName,
        /// What is wrong.
        #[source]
        source: SpecifierError,
    },
    /// The marker cannot be read.
    #[error("{origin}: the marker of `{name}` cannot be read")]
    Marker {
        /// Where it was asked for.
        origin: Origin,
        /// The package.
        name: PackageName,
        /// What is wrong.
        #[source]
        source: MarkerError,
    },
}

impl Want {
    /// A request of rocm.toml, by itself or in a group.
    pub fn of_request(
        request: &PackageRequest,
        group: Option<GroupName>,
    ) -> Result<Self, WantError> {
        let name = request.name.clone();
        let origin = request.requirement.origin.clone();
        let specifiers = request.requirement.value.to_pep440().parse().map_err(|source| {
            WantError::Specifier { origin: origin.clone(), name: name.clone(), source }
        })?;
        let marker = match &request.markers {
            None => Marker::always(),
            Some(text) => text.parse().map_err(|source| WantError::Marker {
                origin: origin.clone(),
                name: name.clone(),
                source,
            })?,
        };
        let (extras, index) = (request.extras.clone(), request.index.clone());
        Ok(Self { name, extras, specifiers, marker, index, origin, group })
    }

    /// A requirement in Python's own grammar.
    pub fn of_requirement(requirement: &PyRequirement, origin: Origin) -> Self {
        Self {
            name: requirement.name.clone(),
            extras: requirement.extras.clone(),
            specifiers: requirement.specifiers.clone(),
            marker: requirement.marker.clone(),
            index: None,
            origin,
            group: None,
        }
    }
}
