//! What a wheel weighs: as it is fetched, and unpacked. Its end says both.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::zip_directory::Member;
use super::zip_tail::{Pieces, Stop, members};

/// The two sizes of a wheel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// Bytes of the archive.
    pub archive: u64,
    /// Bytes of all files in it.
    pub unpacked: u64,
}

impl Extent {
    /// As the directory says, once it is here.
    pub(super) fn of(pieces: &Pieces) -> Result<Self, Stop> {
        let sizes = members(pieces)?.into_iter().map(|member: Member| member.unpacked);
        Ok(Self { archive: pieces.total(), unpacked: sizes.fold(0, u64::saturating_add) })
    }

    /// Of a wheel on this machine; `None` where it cannot be read as one.
    pub fn of_file(path: &Path) -> Option<Self> {
        super::metadata::in_parts(path, "", Self::of).ok()
    }
}
