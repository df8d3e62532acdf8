//! Debian packages (deb(5)): an ar archive of `debian-binary`, `control.tar.*`, `data.tar.*`.
//!
//! Only the data is unpacked. The control member, with the maintainer scripts in it, is skipped.

use std::io::{BufReader, Read as _};
use std::path::Path;

use fs_err as fs;

use super::codec::decoder;
use super::entry::Entry;
use super::policy::Policy;
use super::refusal::UnpackError;
use super::tar::{TarNames, unpack_stream};
use super::{OnBytes, TreeWriter};
use crate::fs::DiskError;

/// Unpacks the data of a Debian package into the empty folder `root`.
pub fn unpack_deb(
    archive: &Path,
    root: &Path,
    policy: &Policy,
    on_bytes: OnBytes<'_>,
) -> Result<Vec<Entry>, UnpackError> {
    let file = fs::File::open(archive).map_err(DiskError::from)?;
    let size = file.metadata().map_err(DiskError::from)?.len();
    let mut members = ar::Archive::new(BufReader::with_capacity(READ_BUFFER, file));
    let mut first = true;
    while let Some(member) = members.next_entry() {
        let mut member = member.map_err(|e| UnpackError::unreadable("its ar members", e))?;
        let name = String::from_utf8_lossy(member.header().identifier()).into_owned();
        let name = name.trim_end_matches('/');
        if first {
            check_version(name, &mut member)?;
            first = false;
        } else if name.starts_with("data.tar") {
            let mut tree = TreeWriter::new(root, policy, size, on_bytes)?;
            let stream = decoder(BufReader::with_capacity(READ_BUFFER, member))?;
            unpack_stream(stream, &mut tree, &TarNames::Debian)?;
            return tree.finish();
        }
    }
    Err(UnpackError::malformed("a Debian package without `data.tar`"))
}

fn check_version(name: &str, member: &mut impl std::io::Read) -> Result<(), UnpackError> {
    let mut version = Vec::new();
    let read = member.take(16).read_to_end(&mut version);
    read.map_err(|error| UnpackError::unreadable("`debian-binary`", error))?;
    if name == "debian-binary" && version.starts_with(b"2.") {
        Ok(())
    } else {
        Err(UnpackError::malformed("not a Debian package of format 2"))
    }
}

const READ_BUFFER: usize = 1 << 20;
