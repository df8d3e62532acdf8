//! What came out of an archive.

use rocmenv_manifests::digest::Sha256;
use serde::{Deserialize, Serialize};

/// One file, link or empty folder of an unpacked tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Relative, `/` between its parts, without `.` and `..`.
    pub path: String,
    /// What is there.
    pub node: Node,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Node {
    /// A regular file.
    File {
        /// The digest of its content.
        #[serde(with = "raw")]
        sha256: Sha256,
        /// Bytes.
        size: u64,
        /// Whether anybody may execute it.
        executable: bool,
    },
    /// A symbolic link within the tree.
    Link {
        /// What it says: relative to its own folder.
        target: String,
    },
    /// A folder, listed by itself because an archive had it.
    Folder,
}

impl Node {
    /// The permissions that such a node gets: nobody writes to files of the store.
    pub fn mode(&self) -> u32 {
        match self {
            Self::File { executable: false, .. } => 0o444,
            Self::File { executable: true, .. } => 0o555,
            Self::Link { .. } => 0o777,
            Self::Folder => 0o755,
        }
    }
}

/// 32 bytes instead of 64 digits: manifests are read at every sync.
mod raw {
    use super::{Deserialize, Serialize, Sha256};
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(digest: &Sha256, to: S) -> Result<S::Ok, S::Error> {
        digest.as_bytes().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Sha256, D::Error> {
        <[u8; 32]>::deserialize(from).map(Sha256::from_bytes)
    }
}
