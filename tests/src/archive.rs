//! Tar archives with whatever entries a fixture wants, and their compressions.

use std::io::Write as _;

use tar::{EntryType, Header};

/// One entry of a tar archive. The path is written as it is, so that it may be one
/// that unpacking must refuse.
#[derive(Debug, Clone)]
pub struct Entry {
    pub(crate) path: String,
    pub(crate) kind: Kind,
    pub(crate) mode: u32,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    File(Vec<u8>),
    Folder,
    Symlink(String),
    Hardlink(String),
    CharacterDevice { major: u32, minor: u32 },
    Fifo,
}

impl Entry {
    /// A regular file, mode 0644.
    pub fn file(path: &str, content: impl Into<Vec<u8>>) -> Self {
        Self::new(path, Kind::File(content.into()), 0o644)
    }

    /// A regular file, mode 0755.
    pub fn executable(path: &str, content: impl Into<Vec<u8>>) -> Self {
        Self::file(path, content).mode(0o755)
    }

    /// A folder, mode 0755.
    pub fn folder(path: &str) -> Self {
        Self::new(path, Kind::Folder, 0o755)
    }

    /// A symbolic link.
    pub fn symlink(path: &str, target: &str) -> Self {
        Self::new(path, Kind::Symlink(target.to_owned()), 0o777)
    }

    /// A hard link to another member of the archive.
    pub fn hardlink(path: &str, target: &str) -> Self {
        Self::new(path, Kind::Hardlink(target.to_owned()), 0o644)
    }

    /// The character device 1:3, which is the null device.
    pub fn device(path: &str) -> Self {
        Self::new(path, Kind::CharacterDevice { major: 1, minor: 3 }, 0o666)
    }

    /// A named pipe.
    pub fn fifo(path: &str) -> Self {
        Self::new(path, Kind::Fifo, 0o644)
    }

    /// Another mode, such as `0o4755` (setuid).
    #[must_use]
    pub fn mode(mut self, mode: u32) -> Self {
        self.mode = mode;
        self
    }

    fn new(path: &str, kind: Kind, mode: u32) -> Self {
        Self { path: path.to_owned(), kind, mode }
    }
}

/// How an archive is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip.
    Gz,
    /// xz.
    Xz,
    /// Zstandard.
    Zst,
}

impl Compression {
    /// The file name's ending: `.gz`, `.xz`, `.zst` or nothing.
    pub fn extension(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Gz => ".gz",
            Self::Xz => ".xz",
            Self::Zst => ".zst",
        }
    }

    /// `bytes`, compressed.
    pub fn compress(self, bytes: &[u8]) -> Vec<u8> {
        let written = match self {
            Self::None => Ok(bytes.to_vec()),
            Self::Gz => {
                let level = flate2::Compression::default();
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
                encoder.write_all(bytes).and_then(|()| encoder.finish())
            }
            Self::Xz => {
                let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
                encoder.write_all(bytes).and_then(|()| encoder.finish())
            }
            Self::Zst => zstd::encode_all(bytes, 1),
        };
        written.expect("compressing in memory does not fail")
    }
}

/// A GNU tar archive of `entries` in their order, owned by root, with fixed times.
pub(crate) fn tar(entries: &[Entry]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for entry in entries {
        let content = match &entry.kind {
            Kind::File(content) => content.as_slice(),
            _ => &[],
        };
        let mut header = entry.header(content.len());
        if entry.path.len() > 100 {
            append_long_name(&mut archive, &entry.path);
        }
        let name = &mut header.as_old_mut().name;
        let length = entry.path.len().min(name.len());
        name[..length].copy_from_slice(&entry.path.as_bytes()[..length]);
        header.set_cksum();
        archive.append(&header, content).expect("writing to memory does not fail");
    }
    archive.into_inner().expect("writing to memory does not fail")
}

/// A folder entry for each parent of `path` under `prefix` that `entries` lacks, outermost first.
pub(crate) fn missing_parents(entries: &[Entry], path: &str) -> Vec<Entry> {
    let has = |folder: &str| entries.iter().any(|entry| entry.path == folder);
    path.trim_end_matches('/')
        .match_indices('/')
        .map(|(at, _)| &path[..=at])
        .filter(|folder| !has(folder))
        .map(Entry::folder)
        .collect()
}

impl Entry {
    fn header(&self, size: usize) -> Header {
        let mut header = Header::new_gnu();
        header.set_size(size as u64);
        header.set_mode(self.mode);
        header.set_mtime(FIXED_TIME);
        header.set_uid(0);
        header.set_gid(0);
        header.set_entry_type(match &self.kind {
            Kind::File(_) => EntryType::Regular,
            Kind::Folder => EntryType::Directory,
            Kind::Symlink(_) => EntryType::Symlink,
            Kind::Hardlink(_) => EntryType::Link,
            Kind::CharacterDevice { .. } => EntryType::Char,
            Kind::Fifo => EntryType::Fifo,
        });
        match &self.kind {
            Kind::Symlink(target) | Kind::Hardlink(target) => {
                header.set_link_name_literal(target).expect("link targets of fixtures are short");
            }
            Kind::CharacterDevice { major, minor } => header
                .set_device_major(*major)
                .and_then(|()| header.set_device_minor(*minor))
                .expect("device numbers of fixtures are small"),
            _ => {}
        }
        header
    }
}

/// GNU's way of writing a name that does not fit the header: an entry `L` before it.
fn append_long_name(archive: &mut tar::Builder<Vec<u8>>, path: &str) {
    let mut header = Header::new_gnu();
    header.as_old_mut().name[..13].copy_from_slice(b"././@LongLink");
    header.set_entry_type(EntryType::GNULongName);
    header.set_size(path.len() as u64 + 1);
    header.set_mode(0o644);
    header.set_cksum();
    let name = [path.as_bytes(), &[0]].concat();
    archive.append(&header, name.as_slice()).expect("writing to memory does not fail");
}

/// 1 January 2024, in seconds since 1970.
const FIXED_TIME: u64 = 1_704_067_200;

#[cfg(test)]
pub(crate) mod tests {
    use std::fmt::Write as _;
    use std::io::Read as _;

    use super::*;

    /// `TYPE MODE PATH [-> TARGET]` a line.
    pub(crate) fn listing(archive: &[u8]) -> String {
        let mut text = String::new();
        let mut archive = tar::Archive::new(archive);
        for entry in archive.entries().unwrap() {
            let entry = entry.unwrap();
            let kind = entry.header().entry_type();
            let path = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
            let mode = entry.header().mode().unwrap();
            let _ = write!(text, "{kind:?} {mode:o} {path}");
            if let Some(target) = entry.link_name_bytes() {
                let target = String::from_utf8(target.into_owned()).unwrap();
                let _ = write!(text, " -> {target}");
            }
            text.push('\n');
        }
        text
    }

    pub(crate) fn decompress(compression: Compression, bytes: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        match compression {
            Compression::None => Ok(plain.write(bytes).unwrap()),
            Compression::Gz => flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain),
            Compression::Xz => liblzma::read::XzDecoder::new(bytes).read_to_end(&mut plain),
            Compression::Zst => zstd::Decoder::new(bytes).unwrap().read_to_end(&mut plain),
        }
        .unwrap();
        plain
    }

    #[test]
    fn entries_are_written_as_they_are() {
        let long = format!("{}/file", "folder".repeat(20));
        let archive = tar(&[
            Entry::folder("a/"),
            Entry::executable("a/tool", "x"),
            Entry::symlink("a/link", "../../etc/passwd"),
            Entry::hardlink("a/hard", "a/tool"),
            Entry::file("../evil", "x"),
            Entry::file("/etc/evil", "x"),
            Entry::device("null"),
            Entry::fifo("pipe"),
            Entry::executable("su", "x").mode(0o4755),
            Entry::file(&long, "x"),
        ]);
        insta::assert_snapshot!(listing(&archive), @r"
        Directory 755 a/
        Regular 755 a/tool
        Symlink 777 a/link -> ../../etc/passwd
        Link 644 a/hard -> a/tool
        Regular 644 ../evil
        Regular 644 /etc/evil
        Char 666 null
        Fifo 644 pipe
        Regular 4755 su
        Regular 644 folderfolderfolderfolderfolderfolderfolderfolderfolderfolderfolderfolderfolderfolderfolderfolderfolderfolderfolderfolder/file
        ");
    }

    #[test]
    fn compressions_are_undone_by_their_readers() {
        let bytes = b"some bytes".repeat(100);
        for compression in [Compression::None, Compression::Gz, Compression::Xz, Compression::Zst] {
            assert_eq!(decompress(compression, &compression.compress(&bytes)), bytes);
        }
    }
}
