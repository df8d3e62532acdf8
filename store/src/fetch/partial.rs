//! Where a file is kept while it comes and when it is there.
//!
//! ```text
//! DOWNLOADS/<sha256>/<name>          complete and verified
//! DOWNLOADS/.partial/<key>.part      what has come so far
//! DOWNLOADS/.partial/<key>.json      how to ask for the rest
//! DOWNLOADS/.partial/<key>.lock      held while it comes
//! DOWNLOADS/.partial/<key>.whole     for a file without a promised hash: what it turned out to be
//! ```
//!
//! The key is the promised hash, else a digest of address and name.

use std::path::{Path, PathBuf};

use rocmenv_manifests::digest::Sha256;
use serde::{Deserialize, Serialize};

use super::download::FileRequest;
use super::error::FetchError;
use super::get::Validators;

/// Where a finished download of this name and hash lies.
///
/// # Errors
/// The name is not that of a file in a folder.
pub(crate) fn finished_place(
    downloads: &Path,
    name: &str,
    sha256: &Sha256,
) -> Result<PathBuf, FetchError> {
    Ok(Place::of(downloads, name, *sha256)?.whole(sha256))
}

/// What a file without a promised hash turned out to be, where it was fetched before and its server
/// can be asked whether it is still the same.
pub(crate) fn remembered(downloads: &Path, request: &FileRequest) -> Option<Sha256> {
    let memory = Place::new(downloads, request).ok()?.recall_whole();
    memory.validators.strong()?;
    memory.sha256
}

/// The places of one file.
pub(super) struct Place {
    downloads: PathBuf,
    key: String,
    name: String,
}

/// How to ask for the rest of a file, or whether a whole one is still the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Memory {
    /// What the server said of the file.
    pub(super) validators: Validators,
    /// The hash of the whole file, once it is known.
    pub(super) sha256: Option<Sha256>,
}

impl Place {
    /// # Errors
    /// The name is not that of a file in a folder.
    pub(super) fn new(downloads: &Path, request: &FileRequest) -> Result<Self, FetchError> {
        let key = request.sha256.unwrap_or_else(|| {
            let address = super::shown(&request.url);
            Sha256::of(format!("{address} {}", request.name).as_bytes())
        });
        Self::of(downloads, &request.name, key)
    }

    /// # Errors
    /// The name is not that of a file in a folder.
    pub(super) fn of(downloads: &Path, name: &str, key: Sha256) -> Result<Self, FetchError> {
        if !is_file_name(name) {
            return Err(FetchError::UnsafeName { name: name.to_owned() });
        }
        Ok(Self { downloads: downloads.to_owned(), key: key.to_string(), name: name.to_owned() })
    }

    /// The finished file of this hash.
    pub(super) fn whole(&self, sha256: &Sha256) -> PathBuf {
        self.downloads.join(sha256.to_string()).join(&self.name)
    }

    pub(super) fn part(&self) -> PathBuf {
        self.partial("part")
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.partial("lock")
    }

    /// What is remembered of a file that is coming.
    pub(super) fn recall(&self) -> Memory {
        read_memory(&self.partial("json"))
    }

    pub(super) fn remember(&self, memory: &Memory) -> Result<(), FetchError> {
        write_memory(&self.partial("json"), memory)
    }

    /// What is remembered of a whole file that had no promised hash.
    pub(super) fn recall_whole(&self) -> Memory {
        read_memory(&self.partial("whole"))
    }

    pub(super) fn remember_whole(&self, memory: &Memory) -> Result<(), FetchError> {
        write_memory(&self.partial("whole"), memory)
    }

    /// Throws away what has come so far.
    pub(super) fn forget_part(&self) {
        let _ = fs_err::remove_file(self.part());
        let _ = fs_err::remove_file(self.partial("json"));
    }

    /// Makes what has come the finished file of this hash.
    pub(super) fn finish(&self, sha256: &Sha256) -> Result<PathBuf, FetchError> {
        let whole = self.whole(sha256);
        let disk = |source| FetchError::disk(&whole, source);
        if let Some(folder) = whole.parent() {
            fs_err::create_dir_all(folder).map_err(disk)?;
        }
        fs_err::rename(self.part(), &whole).map_err(disk)?;
        let _ = fs_err::remove_file(self.partial("json"));
        Ok(whole)
    }

    fn partial(&self, kind: &str) -> PathBuf {
        self.downloads.join(".partial").join(format!("{}.{kind}", self.key))
    }
}

/// A damaged memory is no memory: the file is then fetched from its beginning.
fn read_memory(path: &Path) -> Memory {
    fs_err::read(path).ok().and_then(|json| serde_json::from_slice(&json).ok()).unwrap_or_default()
}

fn write_memory(path: &Path, memory: &Memory) -> Result<(), FetchError> {
    let disk = |source| FetchError::disk(path, source);
    let json = serde_json::to_vec(memory).map_err(|e| disk(e.into()))?;
    fs_err::write(path, json).map_err(disk)
}

/// A plain name: no separator of any system, no drive, no parent, nothing that hides.
fn is_file_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 255
        && !name.starts_with('.')
        && !name.contains(|c: char| c.is_control() || matches!(c, '/' | '\\' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_lead_elsewhere_are_no_names() {
        for name in ["", ".", "..", "../a", "a/b", "a\\b", "c:a", ".hidden", "a\0b"] {
            assert!(!is_file_name(name), "{name:?}");
        }
        assert!(is_file_name("torch-2.12.0+rocm10.0.0-cp312-cp312-linux_x86_64.whl"));
    }
}
