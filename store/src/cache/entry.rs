//! One file of the cache: the content, then a checksum and a version byte. Written whole or not
//! at all.

use std::io::{self, Write};
use std::path::Path;

/// The content of an entry; `None` where it is missing, damaged or of another version, which all
/// mean that it has to be fetched.
pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = fs_err::read(path).ok()?;
    let end = bytes.len().checked_sub(TRAILER)?;
    let (content, trailer) = bytes.split_at(end);
    let stored = u32::from_le_bytes(trailer[..4].try_into().ok()?);
    if trailer[4] != VERSION || checksum(content) != stored {
        return None;
    }
    bytes.truncate(end);
    Some(bytes)
}

/// Writes an entry beside its place and moves it there.
pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs_err::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.write_all(&checksum(content).to_le_bytes())?;
    file.write_all(&[VERSION])?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn checksum(content: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(content);
    crc.sum()
}

/// Counts up with every change of what any entry holds.
const VERSION: u8 = 1;
const TRAILER: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_entry_is_a_missing_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        assert_eq!(read(&path), None);
        write(&path, b"content").unwrap();
        assert_eq!(read(&path).as_deref(), Some(&b"content"[..]));
        let good = fs_err::read(&path).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs_err::write(&path, bad).unwrap();
            assert_eq!(read(&path), None, "byte {at}");
            fs_err::write(&path, &good[..at]).unwrap();
            assert_eq!(read(&path), None, "cut at {at}");
        }
    }
}
