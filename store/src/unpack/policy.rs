//! How much an archive may contain and how its names are taken.

/// What is allowed in one archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Its size in all.
    pub limits: Limits,
    /// Its names.
    pub names: Names,
    /// Which leading folders go away.
    pub strip: Strip,
}

/// How large the content of an archive may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all files together.
    pub bytes: u64,
    /// Entries.
    pub entries: u64,
    /// Bytes of all files for each byte of the archive, once they exceed `free_bytes`.
    pub ratio: u64,
    /// Bytes that need no justification by the archive's size.
    pub free_bytes: u64,
}

impl Default for Limits {
    /// Far above everything published for ROCm (the largest tarball: 9 GB, some 40 GB unpacked),
    /// far below what deflate can do (1,032 to 1).
    fn default() -> Self {
        Self { bytes: 256 << 30, entries: 4_000_000, ratio: 250, free_bytes: 256 << 20 }
    }
}

/// How names are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// For every system: names that Windows cannot hold and names that differ by case alone
    /// are refused.
    Portable,
    /// For Linux alone, where such names are good ones (`Foo::Bar.3pm`, terminfo).
    Linux,
}

/// Which leading folders of an archive's names go away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Strip {
    /// None.
    Nothing,
    /// This one, under which every entry must lie.
    Prefix(String),
    /// The first, whatever it is called.
    FirstFolder,
}
