//! Where facts come from: sources, and the provenance that each row carries.

use std::fmt;

use serde::{Deserialize, Serialize};

/// `sources.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SourcesTable {
    /// The day on which the table was collected (YYYY-MM-DD).
    pub collected: String,
    /// The sources, sorted by key.
    pub source: Vec<Source>,
}

/// A document, repository, package or report that facts were read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Source {
    /// What rows name it by.
    pub key: String,
    /// The repository or site.
    pub site: String,
    /// The page or file in it.
    #[serde(default)]
    pub path: String,
    /// The commit read, where known.
    #[serde(default)]
    pub commit: String,
    /// What it is.
    #[serde(default)]
    pub note: String,
    /// The day on which it was read, where that is not the table's own.
    #[serde(default)]
    pub read: Option<String>,
    /// The overlay file that brought it; `None` for the embedded registry.
    #[serde(default)]
    pub local: Option<String>,
}

/// The keys of one or more sources, joined by `+`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SourceKeys(String);

impl SourceKeys {
    /// The keys, at least one.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.split('+')
    }
}

impl fmt::Display for SourceKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A row names no source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no source (keys joined by `+`)")]
pub struct SourceKeysError(String);

impl TryFrom<String> for SourceKeys {
    type Error = SourceKeysError;

    fn try_from(text: String) -> Result<Self, SourceKeysError> {
        let key = |key: &str| !key.is_empty() && !key.contains(char::is_whitespace);
        if text.split('+').all(key) { Ok(Self(text)) } else { Err(SourceKeysError(text)) }
    }
}

impl From<SourceKeys> for String {
    fn from(keys: SourceKeys) -> Self {
        keys.0
    }
}

/// How sure a row is, when it is not simply stated: `inferred: why`, `computed`, `third-party`,
/// `conflict`, `absence` or the source's own words.
pub type Confidence = Option<String>;
