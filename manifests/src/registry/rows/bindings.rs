//! Which index a package comes from, and which packages belong together.

use serde::{Deserialize, Serialize};

use super::super::pattern::ReleasePattern;
use super::super::vocabulary::GfxTarget;
use super::sources::SourceKeys;

/// `bindings.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct BindingsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// Package and release -> channel.
    pub binding: Vec<Binding>,
    /// What packages bring from their channel.
    pub together: Vec<Together>,
    /// Names that are empty on the general index.
    pub placeholder: Vec<Placeholder>,
    /// Names that are builds for another accelerator on the general index.
    pub other_accelerator: Vec<OtherAccelerator>,
    /// Who provides an import module.
    pub provider: Vec<Provider>,
    /// What a GPU needs beside a package.
    pub device: Vec<DeviceRule>,
    /// How the requirements of a meta package read.
    pub meta: Vec<MetaRule>,
    /// Packages whose names follow the ROCm major.
    pub family: Vec<PackageFamily>,
    /// Where wheels look for ROCm.
    pub runpath: Vec<RunPath>,
}

/// The channel that a package must come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Binding {
    /// The package; may end in `*`.
    pub package: String,
    /// With which releases.
    pub rocm: Vec<ReleasePattern>,
    /// The channel.
    pub channel: String,
    /// Channels that serve it too.
    #[serde(default)]
    pub alternatives: Vec<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// A package whose channel has builds of its own of what it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Together {
    /// The package.
    pub package: String,
    /// Its channel.
    pub channel: String,
    /// The packages that come from there with it.
    pub brings: Vec<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// A name that is empty on the general index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Placeholder {
    /// The package; may end in `*`.
    pub package: String,
    /// The empty version.
    #[serde(default)]
    pub version: Option<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// A name that is a build for another accelerator on the general index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OtherAccelerator {
    /// The package.
    pub package: String,
    /// `cuda`.
    pub accelerator: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// A distribution that provides an import module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Provider {
    /// The module.
    pub module: String,
    /// The distribution.
    pub package: String,
    /// The channels where torch pins it.
    pub channels: Vec<String>,
    /// For which torch (PEP 440 specifiers).
    pub torch: String,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// Wheels that a GPU needs beside a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DeviceRule {
    /// The package.
    pub package: String,
    /// With which releases.
    pub rocm: Vec<ReleasePattern>,
    /// For which targets; empty means all.
    #[serde(default)]
    pub gfx: Vec<GfxTarget>,
    /// The extra that asks for them; holds `{gfx}`.
    #[serde(default)]
    pub extra: Option<String>,
    /// The packages; may hold `{gfx}`.
    pub requires: Vec<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// The requirements of a source distribution that is never built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MetaRule {
    /// The package.
    pub package: String,
    /// Its extra; `None` for the package itself.
    #[serde(default)]
    pub extra: Option<String>,
    /// The channel whose archives alone it is for; these go before those without.
    #[serde(default)]
    pub channel: Option<String>,
    /// The pure-Python module in it that is installed.
    #[serde(default)]
    pub module: Option<String>,
    /// What it requires; may hold `{version}` and `{gfx}`.
    pub requires: Vec<String>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// Packages that carry the ROCm major in their names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PackageFamily {
    /// The framework.
    pub name: String,
    /// With which releases.
    pub rocm: Vec<ReleasePattern>,
    /// The packages.
    pub packages: Vec<String>,
    /// Whether all carry the framework's version.
    pub same_version: bool,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}

/// Where a wheel's libraries look for ROCm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RunPath {
    /// The package.
    pub package: String,
    /// Its version; `None` for all.
    #[serde(default)]
    pub version: Option<String>,
    /// The folders in order.
    #[serde(default)]
    pub paths: Vec<String>,
    /// The releases that it works with.
    pub rocm: Vec<ReleasePattern>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}
