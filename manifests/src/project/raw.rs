//! rocm.toml as it is read: the shape and the places, nothing proven.
//!
//! The JSON schema of the file is generated from these types, so their doc comments are what an
//! editor shows.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_spanned::Spanned;

use super::ordered::Ordered;
use super::text_or::TextOr;

/// A project of rocmenv: what its environments need and which hosts they are made for.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(title = "rocm.toml")]
pub(super) struct RawProject {
    /// Name and source of the project.
    pub(super) project: RawIdentity,
    /// The stack: `rocm`, `python`, `driver`, and frameworks by name.
    pub(super) requires: Ordered<SpannedText>,
    /// How ROCm itself is taken.
    pub(super) rocm: RawRocm,
    /// Python packages beside the frameworks; their whole closure is locked.
    pub(super) python_packages: Ordered<TextOr<RawPackage>>,
    /// Further environments of the same project.
    pub(super) env: Ordered<RawEnvironment>,
    /// Sets of extra packages, chosen with `--group`.
    pub(super) groups: Ordered<Ordered<TextOr<RawPackage>>>,
    /// Hosts that the lock is made for; none means this host.
    pub(super) targets: Ordered<RawTarget>,
    /// Package indexes beside those of the registry.
    pub(super) indexes: Ordered<RawIndex>,
    /// Where the interpreter comes from.
    pub(super) python: RawPython,
    /// Requirements that replace whatever any package asks of the same name.
    pub(super) overrides: Ordered<TextOr<RawPackage>>,
    /// Ignore files uploaded after this day or instant (`2026-11-01`, RFC 3339).
    pub(super) exclude_newer: Option<SpannedText>,
    /// What may be chosen, and how much is kept.
    pub(super) policy: RawPolicy,
    /// What must succeed in the environment.
    pub(super) verify: RawVerify,
    /// Variables that activation sets.
    pub(super) tune: Ordered<String>,
}

/// A text with its place in the file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct SpannedText(#[schemars(with = "String")] pub(super) Spanned<String>);

/// Name and source of the project.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawIdentity {
    /// The project's name.
    pub(super) name: Option<String>,
    /// A folder with the project's own Python source, put on the environment's path.
    pub(super) path: Option<String>,
}

/// How ROCm itself is taken.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawRocm {
    /// Parts of ROCm beside what the wheels bundle: `runtime`, `smi`, `hip-dev` ...
    pub(super) components: Vec<SpannedText>,
    /// `auto`, `amd`, `therock`, `distro`, `host`, or a channel's name.
    pub(super) channel: Option<SpannedText>,
    /// Whether previews (7.9 to 7.13) and candidates may be chosen.
    pub(super) preview: Option<bool>,
}

/// A package requirement in full: `{ version = ">=1.0", extras = ["x"] }`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPackage {
    /// Which versions.
    pub(super) version: Option<SpannedText>,
    /// Extras of the package.
    #[serde(default)]
    pub(super) extras: Vec<SpannedText>,
    /// A PEP 508 marker.
    pub(super) markers: Option<SpannedText>,
    /// The index that it must come from.
    pub(super) index: Option<SpannedText>,
}

/// A further environment.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct RawEnvironment {
    /// Its stack.
    pub(super) requires: Ordered<SpannedText>,
    /// Its Python packages.
    pub(super) python_packages: Ordered<TextOr<RawPackage>>,
}

/// A described host.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawTarget {
    /// `ubuntu-24.04`, `debian-12`, `windows-11-25H2` ...
    pub(super) os: Option<SpannedText>,
    /// The kernel's release.
    pub(super) kernel: Option<SpannedText>,
    /// `2.39`, or `musl-1.2`.
    pub(super) libc: Option<SpannedText>,
    /// `x86_64` or `aarch64`.
    pub(super) arch: Option<SpannedText>,
    /// Products (`"MI300X"`), gfx targets (`"gfx942"`), or tables with a count.
    pub(super) gpus: Option<Vec<TextOr<RawGpu>>>,
    /// A release of AMD's driver, `in-tree`, or for Windows the Adrenalin version.
    pub(super) driver: Option<SpannedText>,
    /// The ROCm release that the host already has.
    pub(super) rocm: Option<SpannedText>,
    /// Whether it is a WSL distribution.
    pub(super) wsl: bool,
    /// `rocm` or `cpu`.
    pub(super) accelerator: Option<SpannedText>,
}

/// A GPU in full: `{ product = "MI300X", count = 8 }`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawGpu {
    /// The product's name.
    pub(super) product: Option<SpannedText>,
    /// Its gfx target.
    pub(super) gfx: Option<SpannedText>,
    /// How many; one where nothing is said.
    pub(super) count: Option<u32>,
}

/// A package index.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawIndex {
    /// Its address, or a folder relative to rocm.toml; of AMD's apt repositories the registry knows
    /// it.
    pub(super) url: Option<SpannedText>,
    /// `simple` (the default), `find-links`, `apt`, or `files` for a folder of ROCm archives.
    pub(super) kind: Option<SpannedText>,
    /// The suites of an apt repository; a flat one has none.
    #[serde(default)]
    pub(super) suites: Vec<String>,
    /// The components of its suites; `main` where none is given.
    #[serde(default)]
    pub(super) components: Vec<String>,
    /// The file of keys that must have signed it, relative to rocm.toml; apt's own keys where none
    /// is given.
    pub(super) signed_by: Option<String>,
    /// The full fingerprint of the key that must have signed it, as somebody said whom you trust;
    /// in place of `signed-by`.
    pub(super) fingerprint: Option<SpannedText>,
}

/// Where the interpreter comes from.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawPython {
    /// `auto`, `managed`, `host` or `distro`.
    pub(super) source: Option<SpannedText>,
}

/// What may be chosen, and how much is kept.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct RawPolicy {
    /// `listed`, `built` or `unknown` (the default).
    pub(super) accept: Option<SpannedText>,
    /// Whether a build that does not say its ROCm may be chosen.
    pub(super) unproven: Option<bool>,
    /// Generations kept beside the current, the previous and the pinned; 5.
    pub(super) keep_generations: Option<u32>,
    /// Whether an upgrade without a wish goes to the newest patch first; yes.
    pub(super) patch_first: Option<bool>,
    /// From how many months on a project is told that its X.Y is behind; 6.
    pub(super) behind_months: Option<u32>,
    /// Every how many days releases are looked for; 90.
    pub(super) check_days: Option<u32>,
}

/// What must succeed in the environment.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawVerify {
    /// Commands, run in the environment.
    pub(super) commands: Vec<String>,
    /// Measurements (`memory`, `collectives`, `matmul`) in which an upgrade must not be slower.
    pub(super) bench: Vec<SpannedText>,
}
