//! What the solver must know of the stack: releases, frameworks, builds, bindings.
//!
//! Plain data, judged for one target before the solve begins, so that the solve itself asks no
//! registry and a test can state a whole world in a few lines. Who fills it from the registry is
//! `from_registry`; nothing here decides.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::name::{ExtraName, IndexName, PackageName};
use rocmenv_manifests::python::{Version, VersionSpecifiers};
use rocmenv_manifests::registry::query::RocmArchive;
use rocmenv_manifests::version::{Dotted, RocmVersion};

/// Everything that is known of the stack for one target.
#[derive(Debug, Clone, Default)]
pub struct Stack {
    /// The one channel that releases may come from, where rocm.toml names one.
    pub channel: Option<String>,
    /// What rocm.toml says of the channel, where it leaves it to no table.
    pub asked_channel: Option<String>,
    /// The releases of ROCm that may be asked for, in any order.
    pub releases: Vec<Release>,
    /// The frameworks, by the name that rocm.toml uses.
    pub frameworks: BTreeMap<String, FrameworkRule>,
    /// Packages whose builds belong to one ROCm (or to another accelerator).
    pub builds: BTreeMap<PackageName, BuildRule>,
    /// Packages that must come from certain indexes, in order of preference; all others come
    /// from the general one.
    pub bindings: Vec<Binding>,
    /// Packages that bring others from their own index.
    pub together: Vec<Together>,
    /// Names (a `*` at the end stands for anything) that never come from the general index where
    /// ROCm is asked for.
    pub reserved: Vec<String>,
    /// Source archives whose requirements a rule states, and which are never built.
    pub metas: BTreeMap<PackageName, Vec<MetaRule>>,
    /// Importable modules that several packages provide, of which one may be installed.
    pub modules: BTreeMap<String, Vec<PackageName>>,
    /// The ways to bring a part of ROCm, best first, by the name that rocm.toml uses.
    pub components: BTreeMap<String, Vec<ComponentWay>>,
    /// The distribution's packages that an interpreter is made of, by the minor number of its
    /// series; no entry where it is not the distribution's.
    pub interpreter_debs: BTreeMap<u16, Vec<String>>,
    /// Debian packages that are always the host's.
    pub host_only: BTreeSet<String>,
    /// The archives that hold a whole release, where the channel serves such.
    pub archives: BTreeMap<RocmVersion, RocmArchive>,
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
    /// AMD's Linux drivers that a table lists for it, the oldest and the newest.
    pub driver_window: Option<(Dotted, Dotted)>,
    /// The oldest of AMD's Windows drivers that is listed for it, natively or under WSL2.
    pub adrenalin_floor: Option<Dotted>,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
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
    /// The versions that AMD lists, newest first, by release. A version that is not judged is
    /// "built, not listed" where its wheels prove their ROCm, because a wheel that proves nothing
    /// is graded by itself.
    pub listed: BTreeMap<RocmVersion, ListedVersions>,
}

/// What a table of AMD lists of a framework for a release.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedVersions {
    /// The versions as printed, newest first.
    pub versions: Vec<String>,
    /// The document.
    pub source: Option<String>,
}

/// A package that a framework brings.
#[derive(Debug, Clone)]
pub struct PackageRule {
    /// Its name.
    pub name: PackageName,
    /// Its extras.
    pub extras: Vec<ExtraName>,
    /// How its version follows the framework's.
    pub coupling: Coupling,
    /// The releases that it is there for; none means all.
    pub releases: BTreeSet<RocmVersion>,
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
    /// The release whose folder it is, whatever the numbers and labels of its files say.
    pub folder_of: Option<RocmVersion>,
}

/// A package that brings others from its own index, where it comes from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Together {
    /// The package.
    pub package: PackageName,
    /// The index.
    pub index: IndexName,
    /// What comes from there with it.
    pub brings: BTreeSet<PackageName>,
}

impl Binding {
    /// Whether it speaks of a package.
    pub fn is_of(&self, package: &PackageName) -> bool {
        is_named(&self.package, package)
    }
}

impl Stack {
    /// Whether a package must not come from the general index where ROCm is asked for.
    pub fn reserves(&self, package: &PackageName) -> bool {
        self.reserved.iter().any(|name| is_named(name, package))
    }
}

fn is_named(pattern: &str, package: &PackageName) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => package.as_ref().starts_with(start),
        None => package.as_ref() == pattern,
    }
}

/// What a source archive that is never built requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetaRule {
    /// The extra that asks for it, which may hold `{gfx}`; `None` for the archive itself.
    pub extra: Option<String>,
    /// Requirements; `{version}` is the archive's own, `{gfx}` the extra's or each of the
    /// target's, and `*` too stands for each of the target's.
    pub requires: Vec<String>,
    /// The indexes whose archives alone it is for; empty: all that no such rule is for.
    pub indexes: Vec<IndexName>,
}

/// One way to bring a part of ROCm.
#[derive(Debug, Clone)]
pub struct ComponentWay {
    /// The release that it brings; `None` where it goes with any.
    pub release: Option<RocmVersion>,
    /// The packages that bring it.
    pub packages: ComponentPackages,
}

/// The packages that bring a part of ROCm.
#[derive(Debug, Clone)]
pub enum ComponentPackages {
    /// The host has it.
    Host,
    /// The archive of the release holds it, as it holds everything.
    Archive,
    /// Debian packages of a repository.
    Debs {
        /// The repository.
        repository: IndexName,
        /// Their names.
        names: Vec<String>,
    },
    /// Wheels in the version of the release.
    Wheels(Vec<PackageName>),
}
