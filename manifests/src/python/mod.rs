//! Python's words: PEP 440 versions, PEP 508 requirements, wheel tags, core metadata.

use pep440_rs::VersionSpecifiers;
use pep508_rs::{ExtraName, PackageName};
use serde::{Deserialize, Serialize};

/// The core metadata of one wheel, as far as a solve needs it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CoreMetadata {
    /// Normal name.
    pub name: PackageName,
    /// Version text.
    pub version: String,
    /// `Requires-Dist` lines.
    pub requires_dist: Vec<String>,
    /// `Requires-Python`.
    pub requires_python: Option<VersionSpecifiers>,
    /// `Provides-Extra`.
    pub provides_extra: Vec<ExtraName>,
    /// `Summary`.
    pub summary: Option<String>,
}
