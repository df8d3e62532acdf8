//! The types of rocm.lock, in the order in which they are written.

use serde::{Deserialize, Serialize};

use crate::digest::Sha256;
use crate::gfx::GfxTarget;
use crate::name::{EnvName, GroupName, IndexName, TargetName};
use crate::platform::{Arch, OsFamily};
use crate::version::{Dotted, RocmVersion};

/// A whole lock file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lock {
    /// One entry per target and environment, sorted by both.
    pub targets: Vec<LockedTarget>,
    /// One entry per name, version and index, sorted.
    pub packages: Vec<LockedPackage>,
}

/// What was decided for one environment on one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedTarget {
    /// The target.
    pub name: TargetName,
    /// The environment.
    pub env: EnvName,
    /// The inputs that led here: a digest of the requirements of rocm.toml and of the target's
    /// description. A lock fits rocm.toml exactly if these agree.
    pub inputs: Sha256,
    /// The chosen ROCm release, if one was asked for.
    pub rocm: Option<RocmVersion>,
    /// The channel that it comes from (`host`, `therock`, `distribution` ...).
    pub channel: Option<String>,
    /// The Python series and managed builds.
    pub python: Option<LockedPython>,
    /// Distributions whose files the driver and the host must give, in words, once.
    pub notes: Vec<Note>,
    /// What a host must be for this to run there.
    pub contract: Contract,
}

/// The interpreter that the markers were solved for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedPython {
    /// The series (`3.12`).
    pub series: Dotted,
    /// The floor within the series for which the markers were solved (`3.12.0`).
    pub floor: Dotted,
}

/// Something that was said aloud at the lock and must be known later (`not known`, `built, not
/// listed`), with its stable code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Note {
    /// A stable code that `explain` knows.
    pub code: String,
    /// One sentence.
    pub text: String,
    /// Where it comes from (a registry table with its document).
    pub source: Option<String>,
}

/// Predicates, not values, so that a colleague's machine and the next patch fit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contract {
    /// The predicates, sorted by what they speak of.
    pub items: Vec<ContractItem>,
}

/// One predicate and how binding it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractItem {
    /// What must hold.
    pub predicate: Predicate,
    /// A hard one can never be passed over; a soft one warns under `--target`.
    pub hard: bool,
}

/// What a host must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Predicate {
    /// Operating system family.
    OsFamily(OsFamily),
    /// Processor.
    Arch(Arch),
    /// `libc >= 2.28`.
    GlibcAtLeast(Dotted),
    /// The interpreter's series.
    Python(Dotted),
    /// Distribution (`ubuntu-24.04`).
    Distribution(String),
    /// `kernel >= 6.8`.
    KernelAtLeast(Dotted),
    /// AMD's driver within these releases, both included.
    DriverWithin {
        /// The oldest.
        from: Dotted,
        /// The newest, if the window is closed.
        to: Option<Dotted>,
    },
    /// AMD's Windows driver, natively or outside of a WSL, by its Adrenalin version: this or newer.
    AdrenalinAtLeast(Dotted),
    /// Any of these gfx targets and no other.
    GfxWithin(Vec<GfxTarget>),
    /// No AMD GPU: the set was chosen without looking at one, so it holds no code for any.
    NoGpu,
    /// The ROCm that the host itself must have (`7.2`).
    HostRocm(Dotted),
}

/// What kind of artifact a package is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArtifactKind {
    /// A Python wheel.
    Wheel,
    /// A Debian package.
    Deb,
    /// A ROCm tarball.
    Tarball,
    /// An interpreter build.
    Python,
    /// TheRock's `rocm` source archive, whose module is installed without running its setup.
    #[serde(rename = "rocm-meta")]
    RocmMeta,
}

impl ArtifactKind {
    /// The kind as the lock writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Wheel => "wheel",
            Self::Deb => "deb",
            Self::Tarball => "tarball",
            Self::Python => "python",
            Self::RocmMeta => "rocm-meta",
        }
    }
}

/// One package in one version from one index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedPackage {
    /// Its normal name.
    pub name: String,
    /// Its version as its own world writes it (PEP 440, Debian).
    pub version: String,
    /// The index that it comes from.
    pub index: IndexName,
    /// What it is.
    pub kind: ArtifactKind,
    /// Where it belongs, and its own file there; sorted.
    pub members: Vec<Membership>,
    /// Its files, sorted by name.
    pub files: Vec<LockedFile>,
    /// Names of the packages that it needs here, sorted.
    pub requires: Vec<String>,
    /// Why it is here: `rocm.toml:7 jax`, or the names of the packages that need it.
    pub reason: String,
}

/// A package belongs to an environment on a target, always or with a group only.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Membership {
    /// The target.
    pub target: TargetName,
    /// The environment.
    pub env: EnvName,
    /// The group that brings it, if only a group does.
    pub group: Option<GroupName>,
}

/// One file of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedFile {
    /// The file name, as its index names it (percent-decoded); a pool path for a Debian package.
    pub name: String,
    /// Its digest; `None` is a gap: the index gives none and this file was not yet fetched.
    pub sha256: Option<Sha256>,
    /// Bytes, where known.
    pub size: Option<u64>,
    /// The targets that use this file, sorted.
    pub targets: Vec<TargetName>,
}
