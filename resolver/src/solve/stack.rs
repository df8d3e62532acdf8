//! What the solver must know of the stack: releases, frameworks, builds, bindings.
//!
//! Plain data, judged for one target before the solve begins, so that the solve itself asks no
//! registry and a test can state a whole world in a few lines. Who fills it from the registry is
//! `from_registry`; nothing here decides.

use std::collections::BTreeMap;

use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_manifests::python::{Version, VersionSpecifiers};
use rocmenv_manifests::version::{Dotted, RocmVersion};

/// Everything that is known of the stack for one target.
#[derive(Debug, Clone, Default)]
pub struct Stack {
    /// The releases of ROCm that may be asked for, in any order.
    pub releases: Vec<Release>,
    /// The frameworks, by the name that rocm.toml uses.
    pub frameworks: BTreeMap<String, FrameworkRule>,
    /// Packages whose builds belong to one ROCm (or to another accelerator).
    pub builds: BTreeMap<PackageName, BuildRule>,
    /// Packages that must come from certain indexes, in order of preference; all others come
    /// from the general one.
    pub bindings: Vec<Binding>,
    /// Importable modules that several packages provide, of which one may be installed.
    pub modules: BTreeMap<String, Vec<PackageName>>,
    /// The parts of ROCm, as Debian packages, by the name that rocm.toml uses.
    pub components: BTreeMap<String, ComponentRule>,
}

/// One release of ROCm from one channel.
#[derive(Debug, Clone)]
pub struct Release {
    /// The release.
    pub version: RocmVersion,
    /// The line that it belongs to (`classic`, `preview`, `therock`, `distro`).
    pub line: String,
    /// Whether only `preview = true` lets it be chosen.
    pub preview: bool,
    /// The channel that it comes from (`host`, `therock`, `distribution` ...).
    pub channel: String,
    /// What it asks of the host, each judged.
    pub demands: Vec<Demand>,
}

/// Something that a release asks of the host, compared with what the host has.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Demand {
    /// The fact that it speaks of.
    pub fact: Fact,
    /// What is needed, in words (`a driver from 30.10 to 31.50`).
    pub needs: String,
    /// What is known of the pair.
    pub judgement: Judgement,
}

/// A fact about a host that a release depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fact {
    /// The kernel driver.
    Driver,
    /// The operating system.
    Os,
    /// The kernel.
    Kernel,
    /// The GPUs.
    Gpu,
    /// The ROCm that the host already has.
    HostRocm,
    /// The C library.
    Libc,
}

/// What is known of a combination, and who says so.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Judgement {
    /// How good it is.
    pub grade: Grade,
    /// One sentence for a person; empty where there is nothing to say.
    pub text: String,
    /// The document that says it.
    pub source: Option<String>,
}

/// How well a combination is known to work, best first. A worse one is chosen only where no
/// better one exists; the last is never chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Grade {
    /// AMD lists it.
    Listed,
    /// It is built, but no table lists it.
    Built,
    /// Nobody has said anything of it.
    Unknown,
    /// Stated no, known bad, or absent from a table that is complete.
    Refused,
}

impl Judgement {
    /// A combination that nothing is said of, without a word about it.
    pub fn listed() -> Self {
        Self { grade: Grade::Listed, text: String::new(), source: None }
    }
}

/// What a framework is made of, and which of its versions go with which release.
#[derive(Debug, Clone)]
pub struct FrameworkRule {
    /// How it is written for people (`JAX`).
    pub title: String,
    /// The package whose versions are the framework's versions.
    pub main: PackageName,
    /// The other packages that it brings.
    pub packages: Vec<PackageRule>,
    /// The versions that were judged.
    pub judged: Vec<JudgedVersions>,
    /// What holds for every version that was not judged, by release; [`Grade::Unknown`] where
    /// the release has no entry.
    pub others: BTreeMap<RocmVersion, Judgement>,
}

/// A package that a framework brings.
#[derive(Debug, Clone)]
pub struct PackageRule {
    /// Its name; `{major}` stands for the major number of the ROCm release.
    pub name: String,
    /// Its extras; `{gfx}` stands for each GPU of the target.
    pub extras: Vec<String>,
    /// How its version follows the framework's.
    pub coupling: Coupling,
    /// The releases that it is there for (`10`, `7.14`); none means all.
    pub releases: Vec<Dotted>,
}

/// How the version of a package follows the version of its framework.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coupling {
    /// The same version, or a post-release of it.
    Same,
    /// The series that stands beside the framework's series (`2.12` -> `0.27`).
    Paired(BTreeMap<String, String>),
    /// Whatever the packages themselves ask for.
    Free,
}

/// Versions of a framework that a table speaks of, for one release.
#[derive(Debug, Clone)]
pub struct JudgedVersions {
    /// The release.
    pub release: RocmVersion,
    /// The versions (`==0.11.1`, `==2.9.*`).
    pub versions: VersionSpecifiers,
    /// What is said of them.
    pub judgement: Judgement,
}

/// How to tell what the builds of a package are for. A local label (`+rocm7.1`) always wins.
#[derive(Debug, Clone, Default)]
pub struct BuildRule {
    /// What is known of single versions.
    pub known: BTreeMap<Version, Built>,
    /// What is known of all others on the general index.
    pub otherwise: Otherwise,
}

/// What builds without a label and without an entry are for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Otherwise {
    /// The wheel's own summary says it, or nothing does.
    #[default]
    AskMetadata,
    /// All of the general index are this.
    Always(Built),
}

/// What a build is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Built {
    /// A ROCm release or series; its X.Y (or X, where only the major is bound) must be chosen.
    For(Dotted),
    /// ROCm, but nobody says which.
    Unknown,
    /// Another accelerator (`CUDA`, `the processor alone`).
    Other(String),
    /// No ROCm in particular.
    Any,
}

/// An index that a package is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The package; a name that ends in `*` stands for all that begin so.
    pub package: String,
    /// The index.
    pub index: IndexName,
    /// The release or series that it serves; none means any.
    pub rocm: Option<Dotted>,
}

impl Binding {
    /// Whether it speaks of a package.
    pub fn is_of(&self, package: &PackageName) -> bool {
        match self.package.strip_suffix('*') {
            Some(start) => package.as_ref().starts_with(start),
            None => package.as_ref() == self.package,
        }
    }
}

/// A part of ROCm that is made of Debian packages.
#[derive(Debug, Clone)]
pub struct ComponentRule {
    /// The repository.
    pub repository: IndexName,
    /// Package names; the first that the repository has is taken, of each inner list.
    pub debs: Vec<Vec<String>>,
}
