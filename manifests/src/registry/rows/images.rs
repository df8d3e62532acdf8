//! Container images in which a framework is served, where its builds are served as images only.

use serde::{Deserialize, Serialize};

use super::super::pattern::ReleasePattern;
use super::super::vocabulary::GfxTarget;
use super::sources::SourceKeys;

/// `images.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ImagesTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The images.
    pub image: Vec<ImageRow>,
}

/// One image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ImageRow {
    /// The framework in it.
    pub framework: String,
    /// Its name with its tag, as `docker pull` takes it.
    pub name: String,
    /// The framework's version, where the document gives one.
    #[serde(default)]
    pub version: Option<String>,
    /// The ROCm releases that are in it; empty: the document does not say.
    #[serde(default)]
    pub rocm: Vec<ReleasePattern>,
    /// The GPUs that it is for; empty: the document does not say.
    #[serde(default)]
    pub gfx: Vec<GfxTarget>,
    /// More.
    #[serde(default)]
    pub notes: String,
    /// Who says so.
    pub source: SourceKeys,
}
