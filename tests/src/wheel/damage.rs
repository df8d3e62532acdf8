//! Ways in which a wheel can be wrong, each of them one that installers must refuse.

use crate::zipfile::ZipEntry;

/// One fault to build into a wheel.
#[derive(Debug, Clone)]
pub enum Damage {
    /// An entry named as given: `../evil.py`, `/etc/evil`, `C:\evil`, `aux.py` ... RECORD lists it.
    Named(String),
    /// A second entry of the name of the first one, with other content.
    DuplicateName,
    /// The first entry again in upper case: two files on Linux, one on Windows and macOS.
    CaseClash,
    /// A symbolic link at `path` to `target`.
    Symlink {
        /// Where the link lies.
        path: String,
        /// Where it points.
        target: String,
    },
    /// A file of zeros of this many bytes, which deflates to a thousandth.
    Bomb(usize),
    /// A deflated file that states one byte, whatever it inflates to.
    UnderstatedSize(usize),
    /// RECORD states another hash for the first file.
    RecordHash,
    /// RECORD states another size for the first file.
    RecordSize,
    /// RECORD leaves the first file out.
    RecordMissing,
    /// RECORD lists a file that the archive lacks.
    RecordExtra,
    /// There is no RECORD.
    NoRecord,
    /// The archive ends after this many bytes.
    Truncated(usize),
    /// The byte at this offset has its bits flipped.
    FlippedByte(usize),
}

impl Damage {
    /// Before RECORD is written: it lists what is added here.
    pub(super) fn to_entries(&self, entries: &mut Vec<ZipEntry>) {
        match self {
            Self::Named(name) => entries.push(ZipEntry::file(name, "print('out')\n")),
            Self::CaseClash => {
                let name = entries[0].name.to_uppercase();
                entries.push(ZipEntry::file(name, "CASE = True\n"));
            }
            Self::Symlink { path, target } => entries.push(ZipEntry::symlink(path, target)),
            Self::Bomb(size) => entries.push(ZipEntry::file("bomb.bin", vec![0; *size])),
            Self::UnderstatedSize(size) => entries.push(ZipEntry {
                stated_size: Some(1),
                ..ZipEntry::file("bomb.bin", vec![0; *size])
            }),
            _ => {}
        }
    }

    pub(super) fn to_record(&self, lines: &mut Vec<String>) {
        let first: Vec<String> = lines[0].splitn(3, ',').map(str::to_owned).collect();
        match self {
            Self::RecordHash => {
                let other = crate::digest::record_sha256(b"something else");
                lines[0] = format!("{},{other},{}", first[0], first[2]);
            }
            Self::RecordSize => lines[0] = format!("{},{},7777777", first[0], first[1]),
            Self::RecordMissing => {
                lines.remove(0);
            }
            Self::RecordExtra => lines.insert(0, "missing.py,,".to_owned()),
            _ => {}
        }
    }

    /// After RECORD is written: it knows nothing of this.
    pub(super) fn to_listed(&self, entries: &mut Vec<ZipEntry>) {
        match self {
            Self::DuplicateName => {
                let name = entries[0].name.clone();
                entries.push(ZipEntry::file(name, "SECOND = True\n"));
            }
            Self::NoRecord => entries.retain(|entry| !entry.name.ends_with("/RECORD")),
            _ => {}
        }
    }

    pub(super) fn to_bytes(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Truncated(length) => bytes.truncate(*length),
            Self::FlippedByte(offset) => bytes[*offset] ^= 0xff,
            _ => {}
        }
    }
}
