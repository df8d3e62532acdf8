//! Known builds of frameworks, the gfx targets that they hold code for, and known hashes.

use serde::{Deserialize, Serialize};

use super::super::pattern::BuiltFor;
use super::super::vocabulary::{GfxTarget, Sha256};
use super::sources::SourceKeys;

/// `builds.toml` and `builds-general.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct BuildsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The builds.
    pub build: Vec<Build>,
    /// Targets that an index's wheels hold code for.
    pub coverage: Vec<Coverage>,
    /// vLLM's own wheels.
    pub vllm: Vec<VllmWheels>,
}

/// One version of a package on one index, built for one ROCm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Build {
    /// The package.
    pub package: String,
    /// Its version (PEP 440), with the local part.
    pub version: String,
    /// The ROCm that it was built for.
    pub rocm: BuiltFor,
    /// The channel that serves it.
    pub channel: String,
    /// The version part of the index's name (`7.2` of `rocm7.2`).
    #[serde(default)]
    pub series: Option<String>,
    /// The GPU family of the index.
    #[serde(default)]
    pub family: Option<String>,
    /// `linux_x86_64`, `win_amd64`, `any`, `mixed`.
    pub platforms: Vec<String>,
    /// The C library that it needs at least.
    #[serde(default)]
    pub libc: Option<String>,
    /// Python tags that were seen; empty where none was.
    #[serde(default)]
    pub pythons: Vec<String>,
    /// Python tags of which the source says that there is no file.
    #[serde(default)]
    pub without: Vec<String>,
    /// Whether the wheels serve later Pythons too.
    #[serde(default)]
    pub abi3: bool,
    /// `Requires-Python`, where read.
    #[serde(default)]
    pub requires_python: Option<String>,
    /// Requirements that matter (PEP 508), where read.
    #[serde(default)]
    pub requires: Option<Vec<String>>,
    /// What the document installs beside it, each at one version (`flash-attn==2.8.3`).
    #[serde(default)]
    pub beside: Vec<String>,
    /// Day of upload, where known.
    #[serde(default)]
    pub uploaded: Option<String>,
    /// Whether ROCm is inside the wheel, where known.
    #[serde(default)]
    pub bundles_rocm: Option<bool>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// The targets for which wheels of an index hold code: a complete list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Coverage {
    /// The channel.
    pub channel: String,
    /// The version part of the index's name.
    #[serde(default)]
    pub series: Option<String>,
    /// The package.
    pub package: String,
    /// From which of its versions on.
    #[serde(default)]
    pub since: Option<String>,
    /// The targets.
    pub gfx: Vec<GfxTarget>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// A ROCm variant of vLLM's wheels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VllmWheels {
    /// The variant's name.
    pub variant: String,
    /// The ROCm that it was built for.
    pub rocm: BuiltFor,
    /// Python tags.
    pub pythons: Vec<String>,
    /// The C library that it needs at least.
    pub libc: String,
    /// Which versions, in words.
    pub versions: String,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// `hashes.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct HashesTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The files.
    pub file: Vec<KnownHash>,
}

/// The digest of a file on an index that gives none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct KnownHash {
    /// The channel.
    pub channel: String,
    /// The version part of the index's name.
    #[serde(default)]
    pub series: Option<String>,
    /// The file, percent-decoded.
    pub file: String,
    /// Its digest.
    pub sha256: Sha256,
    /// Who says so.
    pub source: SourceKeys,
}
