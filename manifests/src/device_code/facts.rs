//! The facts of the native files of one package, as the store keeps them beside the package.

use serde::{Deserialize, Serialize};

use super::isa::{Isa, NamedTarget};

/// Everything that was read out of the native files of one package.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ObjectFacts {
    /// Its native files, sorted by path.
    pub files: Vec<NativeFile>,
    /// Kernel data that tells its targets by file names, per library.
    pub data: Vec<NamedData>,
    /// Every library file and link by its path, sorted: what others may load.
    pub libraries: Vec<String>,
}

/// One native file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NativeFile {
    /// Its path in the package.
    pub path: String,
    /// What it is.
    pub kind: FileKind,
    /// Its bundles of code objects, equal ones counted, most first.
    pub code: Vec<BundleSet>,
    /// What could not be read of its code.
    pub faults: Vec<Fault>,
    /// Where its code lies instead, for a file that was split.
    pub reference: Option<ArchiveReference>,
    /// What the archive holds, for a kernel archive.
    pub archive: Option<Archive>,
    /// What it needs to load; `None` where that part was not read.
    pub linking: Option<Linking>,
}

/// What a native file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// A program or library of Linux.
    Elf,
    /// A program or library of Windows.
    Pe,
    /// A code object or a bundle of them as a file of its own.
    CodeObject,
    /// A kernel archive (`.kpack`).
    Kpack,
}

/// Bundles with the same targets: one bundle comes of one source file that holds kernels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BundleSet {
    /// The targets of its code objects, sorted. Entries of no bytes count as not there.
    pub targets: Vec<Isa>,
    /// How many bundles have just these.
    pub bundles: u32,
    /// How many of them are compressed.
    pub compressed: u32,
}

/// Code that could not be read.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error,
)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The file registers device code that is not in it.
    #[error("registers device code but holds none")]
    Missing,
    /// A bundle is damaged.
    #[error("bundle at byte {at} is damaged: {problem}")]
    Damaged {
        /// Where it begins in the file.
        at: u64,
        /// What is wrong.
        problem: String,
    },
    /// The file itself is damaged.
    #[error("cannot be read: {problem}")]
    Unreadable {
        /// What is wrong.
        problem: String,
    },
}

/// A file whose code was moved to kernel archives (TheRock's kpack split).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveReference {
    /// Its name in the archives.
    pub kernel: String,
    /// Archives relative to the file's folder; `@GFXARCH@` stands for the GPU.
    pub paths: Vec<String>,
}

/// The contents of a kernel archive: per file of origin, the targets of its code.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Archive {
    /// `NAME#0`, `NAME#1` ... with their targets, sorted.
    pub kernels: Vec<(String, Vec<Isa>)>,
}

/// What a file needs to load.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Linking {
    /// The name that others need it by.
    pub soname: Option<String>,
    /// The names that it needs (`DT_NEEDED`, or DLLs).
    pub needs: Vec<String>,
    /// Where it looks first (`DT_RUNPATH`, else `DT_RPATH`), one folder an entry.
    pub search: Vec<String>,
    /// Versions of symbols that it needs, sorted.
    pub versions: Vec<VersionNeed>,
}

/// A version of symbols (`GLIBC_2.34` of `libc.so.6`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct VersionNeed {
    /// The library that must define it.
    pub library: String,
    /// The version's name.
    pub version: String,
}

/// Kernel data of one library that tells its targets by the names of its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedData {
    /// Whose data.
    pub library: Library,
    /// The targets, sorted.
    pub targets: Vec<NamedTarget>,
    /// How many files.
    pub files: u64,
}

/// A library that keeps kernels or tuning beside itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Library {
    /// rocBLAS: its kernels; without them it stops the process.
    RocBlas,
    /// hipBLASLt: its kernels.
    HipBlasLt,
    /// hipSPARSELt: its kernels.
    HipSparseLt,
    /// MIOpen: tuning; without it kernels are searched for or compiled at run time.
    MiOpen,
    /// AOTriton: kernels of attention.
    AoTriton,
}

impl Library {
    /// Its name as its makers write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::RocBlas => "rocBLAS",
            Self::HipBlasLt => "hipBLASLt",
            Self::HipSparseLt => "hipSPARSELt",
            Self::MiOpen => "MIOpen",
            Self::AoTriton => "AOTriton",
        }
    }
}

impl NativeFile {
    /// A file of which nothing is known yet.
    pub fn new(path: &str, kind: FileKind) -> Self {
        Self {
            path: path.to_owned(),
            kind,
            code: Vec::new(),
            faults: Vec::new(),
            reference: None,
            archive: None,
            linking: None,
        }
    }

    /// Whether it holds, or should hold, code for GPUs.
    pub fn has_device_code(&self) -> bool {
        !self.code.is_empty() || self.reference.is_some() || !self.faults.is_empty()
    }

    /// Every target of any of its bundles, sorted.
    pub fn targets(&self) -> Vec<Isa> {
        let mut all: Vec<Isa> =
            self.code.iter().flat_map(|set| set.targets.iter().cloned()).collect();
        all.sort();
        all.dedup();
        all
    }
}
