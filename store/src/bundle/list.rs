//! What a bundle holds: the list that all else in it is compared with.

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::name::TargetName;
use serde::{Deserialize, Serialize};

use super::FILES;
use crate::cache::CarriedRow;

/// The list of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// Its files, sorted by digest.
    pub files: Vec<BundleFile>,
    /// What the indexes say of them, sorted: so that a lock can be made of the bundle.
    pub rows: Vec<CarriedRow>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleFile {
    /// Its name, without folders.
    pub name: String,
    /// Its digest.
    pub sha256: Sha256,
    /// Its bytes.
    pub size: u64,
    /// What it is.
    pub kind: ArtifactKind,
    /// The targets that need it, sorted.
    pub targets: Vec<TargetName>,
    /// Whether it lies in this bundle, and not in the earlier one that this was made against.
    pub here: bool,
}

/// Why a text is no list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ListFault {
    /// Of another format.
    Format(String),
    /// Changed since it was written.
    Damaged(&'static str),
}

impl Bundle {
    /// The files that lie in it.
    pub fn here(&self) -> impl Iterator<Item = &BundleFile> {
        self.files.iter().filter(|file| file.here)
    }

    pub(super) fn to_text(&self) -> Vec<u8> {
        let mut json = serde_json::to_string_pretty(self).unwrap_or_default();
        json.push('\n');
        let digest = Sha256::of(json.as_bytes());
        format!("{MARK}{FORMAT} sha256:{digest}\n{json}").into_bytes()
    }

    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ListFault> {
        let damaged = ListFault::Damaged;
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("it is no text"))?;
        let (head, json) = text.split_once('\n').ok_or(damaged("it is cut off"))?;
        let head = head.strip_prefix(MARK).ok_or(damaged("its first line is not a bundle's"))?;
        let (format, digest) = head.split_once(' ').ok_or(damaged("its first line is cut off"))?;
        if format != FORMAT {
            return Err(ListFault::Format(format.to_owned()));
        }
        if digest != format!("sha256:{}", Sha256::of(json.as_bytes())) {
            return Err(damaged("it is not what its own digest says"));
        }
        serde_json::from_str(json).map_err(|_| damaged("it cannot be read"))
    }
}

impl BundleFile {
    /// Its place in the bundle.
    pub(super) fn path(&self) -> String {
        format!("{FILES}/{}/{}", self.sha256, self.name)
    }
}

const MARK: &str = "rocmenv bundle ";
const FORMAT: &str = "2";
