//! The list of an object's files: all that linking needs to know, without opening an archive.
//!
//! On disk: the SHA-256 of the rest, then postcard. The digest tells a torn list from a whole one.

use std::io;
use std::path::Path;

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::ArtifactKind;
use serde::{Deserialize, Serialize};

use crate::fs::DiskError;
use crate::unpack::{Entry, Node};

/// What an object consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// What the artifact was.
    pub kind: ArtifactKind,
    /// The package's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its files, links and folders, sorted by path.
    pub entries: Vec<Entry>,
    /// What was passed over when it was made (a RECORD that does not list every file ...).
    pub notes: Vec<String>,
}

impl Manifest {
    /// A list in today's format.
    pub fn new(kind: ArtifactKind, name: &str, version: &str, entries: Vec<Entry>) -> Self {
        let (name, version) = (name.to_owned(), version.to_owned());
        Self { format: FORMAT, kind, name, version, entries, notes: Vec::new() }
    }

    /// Bytes of all its files.
    pub fn bytes(&self) -> u64 {
        let size = |entry: &Entry| match entry.node {
            Node::File { size, .. } => size,
            _ => 0,
        };
        self.entries.iter().map(size).sum()
    }

    /// The entry at `path`.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        let at = self.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        self.entries.get(at)
    }

    /// Reads a list; `None` where there is none, a torn one or one of another format, which all
    /// mean the same: there is no such object.
    pub fn read(path: &Path) -> Result<Option<Self>, DiskError> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        Ok(Self::decode(&bytes))
    }

    /// Writes the list to a new file.
    pub fn write(&self, path: &Path) -> Result<(), ManifestError> {
        let body = postcard::to_stdvec(self)?;
        let mut bytes = Sha256::of(&body).as_bytes().to_vec();
        bytes.extend(body);
        fs::write(path, bytes).map_err(DiskError::from)?;
        Ok(())
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (digest, body) = bytes.split_first_chunk::<32>()?;
        if Sha256::of(body).as_bytes() != digest {
            return None;
        }
        let manifest: Self = postcard::from_bytes(body).ok()?;
        (manifest.format == FORMAT).then_some(manifest)
    }
}

/// A list of files could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It could not be encoded.
    #[error("the list of an object's files could not be encoded")]
    Encode(#[from] postcard::Error),
    /// It could not be written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

const FORMAT: u32 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_back_and_a_torn_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("manifest");
        let node = Node::File { sha256: Sha256::of(b"x"), size: 1, executable: false };
        let entries = vec![Entry { path: "a/b".into(), node }];
        let manifest = Manifest::new(ArtifactKind::Wheel, "a", "1", entries);
        manifest.write(&path).unwrap();
        assert_eq!(Manifest::read(&path).unwrap().as_ref(), Some(&manifest));
        assert!(manifest.entry("a/b").is_some() && manifest.entry("a").is_none());
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            assert_eq!(Manifest::decode(&whole[..cut]), None, "{cut}");
        }
    }
}
