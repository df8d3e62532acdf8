//! The proven form of rocm.toml: names are names, versions are versions, each with its line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{BenchRequest, Fingerprint};
use crate::gfx::GfxTarget;
use crate::name::{
    ChannelName, ComponentName, EnvName, ExtraName, GroupName, IndexName, PackageName, TargetName,
};
use crate::platform::{Arch, Libc, OsRelease};
use crate::sourced::Sourced;
use crate::version::{Dotted, DriverVersion, Requirement, RocmVersion};

/// Everything that rocm.toml (with rocm.local.toml over it) says.
#[derive(Debug, Clone)]
pub struct Project {
    /// `[project] name`.
    pub name: String,
    /// `[project] path`: the project's own source, linked into the environment.
    pub path: Option<String>,
    /// The environments; a project with only `[requires]` has one, named `default`.
    pub environments: BTreeMap<EnvName, Environment>,
    /// `[groups.NAME]`: extra packages, chosen with `--group`.
    pub groups: BTreeMap<GroupName, Vec<PackageRequest>>,
    /// `[targets.NAME]` in file order; none means the host itself.
    pub targets: Vec<TargetSpec>,
    /// `[rocm]`.
    pub rocm: RocmOptions,
    /// `[indexes.NAME]` in file order.
    pub indexes: Vec<IndexSpec>,
    /// The fingerprints of those `[indexes.NAME]` that have nothing else: the key that must have
    /// signed a repository of the registry, by the name of its index or of its channel.
    pub trusted_keys: BTreeMap<IndexName, Sourced<Fingerprint>>,
    /// `[python] source`.
    pub python_source: Sourced<PythonSource>,
    /// `[overrides]`: these replace whatever any package asks of the same name.
    pub overrides: Vec<PackageRequest>,
    /// `exclude-newer`: files uploaded after this instant do not exist (seconds since 1970 UTC).
    pub exclude_newer: Option<Sourced<i64>>,
    /// `[policy]`.
    pub policy: Policy,
    /// `[verify]`.
    pub verify: VerifySpec,
    /// `[tune]`: variables that activation sets.
    pub tune: BTreeMap<String, String>,
}

/// `[requires]` with `[python-packages]`, or `[env.NAME.requires]` with its own packages.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `rocm`: none means that no ROCm is asked for.
    pub rocm: Option<Sourced<Requirement>>,
    /// `python`.
    pub python: Option<Sourced<Requirement>>,
    /// `driver`.
    pub driver: Option<Sourced<Requirement>>,
    /// The other keys of `[requires]`, in file order: each names a framework of the registry.
    pub frameworks: Vec<Framework>,
    /// `[python-packages]`, in file order.
    pub packages: Vec<PackageRequest>,
}

/// A framework that is asked for.
#[derive(Debug, Clone)]
pub struct Framework {
    /// The registry's name of it (`pytorch`, `jax`, `onnxruntime`).
    pub name: String,
    /// Which versions.
    pub requirement: Sourced<Requirement>,
}

/// A Python package that is asked for.
#[derive(Debug, Clone)]
pub struct PackageRequest {
    /// Its normal name.
    pub name: PackageName,
    /// Which versions.
    pub requirement: Sourced<Requirement>,
    /// Its extras, sorted.
    pub extras: Vec<ExtraName>,
    /// A PEP 508 marker in text.
    pub markers: Option<String>,
    /// The index that it must come from.
    pub index: Option<IndexName>,
}

/// `[rocm]`.
#[derive(Debug, Clone)]
pub struct RocmOptions {
    /// `components`, in file order.
    pub components: Vec<Sourced<ComponentName>>,
    /// `channel`.
    pub channel: Sourced<ChannelChoice>,
    /// `preview`: whether releases 7.9 to 7.13 and candidates may be chosen.
    pub preview: bool,
}

/// Where ROCm itself comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ChannelChoice {
    /// Whatever fits best.
    Auto,
    /// AMD's repositories of the classic line.
    Amd,
    /// TheRock's wheels or tarballs.
    TheRock,
    /// The distribution's own packages.
    Distro,
    /// The ROCm that the target already has; nothing of it is installed.
    Host,
    /// One channel of the registry.
    Named(ChannelName),
}

/// `[indexes.NAME]`.
#[derive(Debug, Clone)]
pub struct IndexSpec {
    /// Its name.
    pub name: IndexName,
    /// Its address, or a folder relative to rocm.toml.
    pub url: Sourced<String>,
    /// What is spoken there.
    pub kind: IndexKind,
    /// The suites of an apt repository; none where it is a flat one.
    pub suites: Vec<String>,
    /// The components of its suites.
    pub components: Vec<String>,
    /// The file of keys that must have signed it, relative to rocm.toml.
    pub signed_by: Option<String>,
    /// The key that must have signed it, among apt's own keys.
    pub fingerprint: Option<Fingerprint>,
}

/// What an index speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IndexKind {
    /// PEP 503 or PEP 691.
    Simple,
    /// One page (or local folder) of links to files.
    FindLinks,
    /// An apt repository.
    Apt,
    /// A folder of archives of ROCm, which is never listed.
    Files,
}

/// Where the interpreter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum PythonSource {
    /// A managed one in the store, else one of the host, else a download.
    #[default]
    Auto,
    /// Only one that rocmenv manages.
    Managed,
    /// Only one of the host.
    Host,
    /// The distribution's packages, unpacked into the store.
    Distro,
}

/// `[targets.NAME]`: a described host. What is not said is not checked, and said so.
#[derive(Debug, Clone)]
pub struct TargetSpec {
    /// Its name.
    pub name: TargetName,
    /// Operating system.
    pub os: Option<Sourced<OsRelease>>,
    /// Kernel release.
    pub kernel: Option<Sourced<Dotted>>,
    /// C library.
    pub libc: Option<Sourced<Libc>>,
    /// Processor.
    pub arch: Option<Sourced<Arch>>,
    /// GPUs; `None` where the key is missing, empty where the target has none.
    pub gpus: Option<Vec<Sourced<GpuSpec>>>,
    /// Driver.
    pub driver: Option<Sourced<DriverSpec>>,
    /// The ROCm that it already has.
    pub rocm: Option<Sourced<RocmVersion>>,
    /// Whether it is a WSL distribution.
    pub wsl: bool,
    /// What the frameworks must be built for.
    pub accelerator: Accelerator,
}

/// A GPU of a target: by product (support is per product) or by gfx target alone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GpuSpec {
    /// The product's name in the registry, where one was said.
    pub product: Option<String>,
    /// Its gfx target, where one was said.
    pub gfx: Option<GfxTarget>,
    /// How many.
    pub count: u32,
}

/// A driver as a target describes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DriverSpec {
    /// AMD's driver for Linux, by its release.
    Amd(DriverVersion),
    /// The kernel's own.
    InTree,
    /// AMD's driver for Windows, by its Adrenalin version.
    Adrenalin(DriverVersion),
}

/// What the frameworks must be built for. A ROCm build is never traded for another one silently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Accelerator {
    /// AMD's GPUs.
    #[default]
    Rocm,
    /// No GPU, because it was asked for.
    Cpu,
}

/// `[policy]`.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Which verdicts may be chosen.
    pub accept: Accept,
    /// Whether a build that does not say its ROCm may be chosen.
    pub unproven: bool,
    /// How many generations are kept beside the current, the previous and the pinned.
    pub keep_generations: u32,
    /// Whether an upgrade without a wish goes to the newest patch of the X.Y in use first.
    pub patch_first: bool,
    /// From how many months on a project is told that its X.Y is behind.
    pub behind_months: u32,
    /// Every how many days releases are looked for.
    pub check_days: u32,
}

/// The worst verdict that may be chosen.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Default,
)]
#[serde(rename_all = "lowercase")]
pub enum Accept {
    /// Only what AMD lists.
    Listed,
    /// And what is built, though not listed.
    Built,
    /// And what nobody has said anything of.
    #[default]
    Unknown,
}

/// `[verify]`.
#[derive(Debug, Clone, Default)]
pub struct VerifySpec {
    /// Commands that must succeed in the environment, in file order.
    pub commands: Vec<String>,
    /// What is measured before and after a stage of an upgrade; what became slower is taken back.
    pub bench: Vec<BenchRequest>,
}
