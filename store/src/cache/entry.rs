//! One file of the cache: the content, then a checksum and a version byte. Written whole or not
//! at all.
//!
//! An entry in two parts is the length of its first part, then both parts, each with a checksum
//! and version byte of its own: who needs only the first reads no more than that.

use std::io::{self, Read, Write};
use std::path::Path;

/// The content of an entry; `None` where it is missing, damaged or of another version, which all
/// mean that it has to be fetched.
pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    checked(fs_err::read(path).ok()?)
}

/// The first part of an entry in two parts; `None` as in [`read`].
pub(super) fn read_first(path: &Path) -> Option<Vec<u8>> {
    let mut file = fs_err::File::open(path).ok()?;
    first_of(&mut file)
}

/// Both parts of an entry in two parts; `None` as in [`read`].
pub(super) fn read_both(path: &Path) -> Option<[Vec<u8>; 2]> {
    let mut file = fs_err::File::open(path).ok()?;
    let first = first_of(&mut file)?;
    let mut second = Vec::new();
    file.read_to_end(&mut second).ok()?;
    Some([first, checked(second)?])
}

/// Writes an entry beside its place and moves it there.
pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    put(path, |file| write_checked(file, content))
}

/// Writes an entry in two parts beside its place and moves it there.
pub(super) fn write_both(path: &Path, [first, second]: [&[u8]; 2]) -> io::Result<()> {
    let length = u64::try_from(first.len() + TRAILER).map_err(io::Error::other)?;
    put(path, |file| {
        file.write_all(&length.to_le_bytes())?;
        write_checked(file, first)?;
        write_checked(file, second)
    })
}

fn first_of(file: &mut fs_err::File) -> Option<Vec<u8>> {
    let mut length = [0; size_of::<u64>()];
    file.read_exact(&mut length).ok()?;
    let length = u64::from_le_bytes(length);
    // a damaged length must not ask for more memory than the file has bytes
    if length > file.metadata().ok()?.len() {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    file.read_exact(&mut bytes).ok()?;
    checked(bytes)
}

/// The content of a part, without its end.
fn checked(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let end = bytes.len().checked_sub(TRAILER)?;
    let (content, trailer) = bytes.split_at(end);
    let stored = u32::from_le_bytes(trailer[..4].try_into().ok()?);
    if trailer[4] != VERSION || checksum(content) != stored {
        return None;
    }
    bytes.truncate(end);
    Some(bytes)
}

fn put(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs_err::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    content(&mut file)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn write_checked(file: &mut dyn Write, content: &[u8]) -> io::Result<()> {
    file.write_all(content)?;
    file.write_all(&checksum(content).to_le_bytes())?;
    file.write_all(&[VERSION])
}

fn checksum(content: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(content);
    crc.sum()
}

/// Counts up with every change of what any entry holds.
const VERSION: u8 = 2;
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

    #[test]
    fn damage_to_a_part_is_damage_to_the_entry() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        assert_eq!((read_first(&path), read_both(&path)), (None, None));
        write_both(&path, [b"first", b"the second"]).unwrap();
        let both = [b"first".to_vec(), b"the second".to_vec()];
        assert_eq!((read_first(&path), read_both(&path)), (Some(both[0].clone()), Some(both)));
        let good = fs_err::read(&path).unwrap();
        let second_at = good.len() - b"the second".len() - TRAILER;
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs_err::write(&path, bad).unwrap();
            assert_eq!(read_both(&path), None, "byte {at}");
            assert_eq!(read_first(&path).is_some(), at >= second_at, "byte {at}");
            fs_err::write(&path, &good[..at]).unwrap();
            assert_eq!(read_both(&path), None, "cut at {at}");
            assert_eq!(read_first(&path).is_some(), at >= second_at, "cut at {at}");
        }
    }
}
