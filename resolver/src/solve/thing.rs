//! The names, sets and candidates of the one problem, before any solver's ids.
//!
//! Small finite things (releases, interpreters, facts) are ordinals into the question, best
//! first; wheels and Debian packages carry their versions.

use std::fmt;
use std::rc::Rc;

use rocmenv_manifests::debian::{DebPackage, Relation};
use rocmenv_manifests::name::{ExtraName, IndexName, PackageName};
use rocmenv_manifests::python::{Version, VersionSpecifiers};

use super::exclusion::Exclusion;
use super::stack::{Fact, Grade};
use super::wheel_page::WheelVersion;

/// Everything that the problem speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Name {
    /// The worst grade of the whole solution.
    Grade,
    /// A fact of the host; one candidate.
    Host(Fact),
    /// The ROCm release.
    Rocm,
    /// The interpreter.
    Python,
    /// A framework, in one version for one release.
    Framework(String),
    /// A wheel.
    Wheel(PackageName),
    /// An extra of a wheel, in the version of the wheel.
    Extra(PackageName, ExtraName),
    /// The provider of an importable module.
    Module(String),
    /// A part of ROCm, by one of the ways to bring it.
    Component(String),
    /// A Debian package of a repository, or one that another provides.
    Deb(IndexName, String),
}

/// A set of candidates of one name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Set {
    /// All.
    Any,
    /// These ordinals; the text says it to a person.
    Of(Rc<Members>),
    /// Wheels by version.
    Spec(Rc<VersionSpecifiers>),
    /// Debian packages by version.
    Deb(Rc<Relation>),
    /// Debian packages that a relation does not name.
    NotDeb(Rc<Relation>),
}

/// Ordinals, sorted, and what they are called.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Members {
    pub(super) ordinals: Vec<u32>,
    pub(super) text: String,
}

/// One candidate of one name.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Its place in the order of preference, best first.
    pub(super) ordinal: u32,
    pub(super) thing: Thing,
}

/// What a candidate is.
#[derive(Debug, Clone)]
pub(super) enum Thing {
    /// A page that was not fetched yet: it fits every set and needs nothing.
    Unfetched,
    /// A release, interpreter, fact, grade or provider, in words.
    Small(String),
    /// A framework in a version for a release (an ordinal of [`Name::Rocm`]).
    Framework { release: u32, version: Option<Version> },
    /// A wheel, or an extra of it.
    Wheel(Rc<WheelVersion>),
    /// A Debian package.
    Deb(Rc<DebPackage>),
}

/// Something that a candidate needs.
#[derive(Debug, Clone)]
pub(super) struct Need {
    pub(super) name: Name,
    pub(super) set: Set,
    /// Other ways to meet it.
    pub(super) alternatives: Vec<(Name, Set)>,
    /// Only if one of these interpreters is chosen; none means always.
    pub(super) on: Option<Rc<Members>>,
}

/// What a candidate needs and what it rules out.
#[derive(Debug, Clone, Default)]
pub(super) struct Needs {
    pub(super) requires: Vec<Need>,
    /// If the name is there at all, it must be in the set.
    pub(super) constrains: Vec<(Name, Set)>,
}

/// The answer to "what does this candidate need".
#[derive(Debug, Clone)]
pub(super) enum NeedsAnswer {
    Known(Needs),
    Excluded(Exclusion),
}

impl Set {
    pub(super) fn of(ordinals: impl IntoIterator<Item = u32>, text: impl Into<String>) -> Self {
        let mut ordinals: Vec<u32> = ordinals.into_iter().collect();
        ordinals.sort_unstable();
        Self::Of(Rc::new(Members { ordinals, text: text.into() }))
    }

    pub(super) fn spec(specifiers: &VersionSpecifiers) -> Self {
        if specifiers.is_empty() { Self::Any } else { Self::Spec(Rc::new(specifiers.clone())) }
    }

    pub(super) fn contains(&self, candidate: &Candidate) -> bool {
        match (self, &candidate.thing) {
            (Self::Any, _) | (_, Thing::Unfetched) => true,
            (Self::Of(members), _) => members.ordinals.binary_search(&candidate.ordinal).is_ok(),
            (Self::Spec(specifiers), Thing::Wheel(wheel)) => specifiers.contains(&wheel.version),
            (Self::Deb(relation), Thing::Deb(deb)) => relation.takes(&deb.version),
            (Self::NotDeb(relation), Thing::Deb(deb)) => !relation.takes(&deb.version),
            (Self::Spec(_) | Self::Deb(_) | Self::NotDeb(_), _) => false,
        }
    }
}

impl Need {
    pub(super) fn new(name: Name, set: Set) -> Self {
        Self { name, set, alternatives: Vec::new(), on: None }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grade => f.write_str("grade"),
            Self::Host(fact) => write!(f, "{fact}"),
            Self::Rocm => f.write_str("ROCm"),
            Self::Python => f.write_str("Python"),
            Self::Framework(name)
            | Self::Module(name)
            | Self::Component(name)
            | Self::Deb(_, name) => f.write_str(name),
            Self::Wheel(package) => write!(f, "{package}"),
            Self::Extra(package, extra) => write!(f, "{package}[{extra}]"),
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => Ok(()),
            Self::Of(members) => f.write_str(&members.text),
            Self::Spec(specifiers) => write!(f, "{specifiers}"),
            Self::Deb(relation) | Self::NotDeb(relation) => {
                let Some((operator, version)) = &relation.version else { return Ok(()) };
                let not = if matches!(self, Self::NotDeb(_)) { "not " } else { "" };
                write!(f, "{not}{operator} {version}")
            }
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.thing {
            Thing::Unfetched => f.write_str("not fetched"),
            Thing::Small(text) => f.write_str(text),
            Thing::Framework { version: Some(version), .. } => write!(f, "{version}"),
            Thing::Framework { version: None, .. } => f.write_str("any version"),
            Thing::Wheel(wheel) => write!(f, "{}", wheel.version),
            Thing::Deb(deb) => write!(f, "{}", deb.version),
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Driver => "driver",
            Self::Os => "operating system",
            Self::Kernel => "kernel",
            Self::Gpu => "GPU",
            Self::HostRocm => "ROCm",
            Self::Libc => "C library",
        })
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Listed => "listed",
            Self::Built => "built, not listed",
            Self::Unknown => "not known",
            Self::Refused => "refused",
        })
    }
}

impl resolvo::utils::VersionSet for Set {
    type V = Candidate;
}
