//! What `check` answers: data, which cli renders.

use std::fmt;

use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::registry::{Judgement, Verdict};
use rocmenv_manifests::version::RocmVersion;
use serde::Serialize;

use super::refusal::{Refusal, Remedy};

/// The whole answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct CheckAnswer {
    /// The release that is chosen, or the one that comes nearest.
    pub release: RocmVersion,
    /// Its line.
    pub line: String,
    /// The worst verdict of all pairs.
    pub verdict: Verdict,
    /// The frameworks, in the order asked.
    pub frameworks: Vec<FrameworkAnswer>,
    /// The Python series that nothing speaks against, newest first; empty where none was asked
    /// of any framework.
    pub pythons: Vec<String>,
    /// Every pair that was judged.
    pub pairs: Vec<Pair>,
    /// Why it does not go together; empty where it does.
    pub refusals: Vec<Refusal>,
    /// What would do, each proved by asking again.
    pub remedies: Vec<Remedy>,
    /// What was not described and therefore not checked.
    pub not_checked: Vec<Undescribed>,
    /// The registry's date.
    pub date: String,
}

impl CheckAnswer {
    /// Whether the stack goes together, as far as was checked.
    pub fn fits(&self) -> bool {
        self.refusals.is_empty()
    }
}

/// What was found for one framework.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct FrameworkAnswer {
    /// Its name.
    pub name: String,
    /// What was asked of it.
    pub wanted: String,
    /// The build that would be chosen; `None` where none is known.
    pub build: Option<ChosenBuild>,
    /// The versions that AMD lists for the release, newest first.
    pub listed: Vec<String>,
    /// The Python series that AMD's list names for the version; empty where it names none.
    pub listed_pythons: Vec<String>,
    /// The packages that it brings with the release.
    pub packages: Vec<String>,
    /// All builds that are known for the release's X.Y, newest first.
    pub known: Vec<KnownBuild>,
    /// Container images of the release, where no build is chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<KnownImage>,
}

/// A container image with a framework in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct KnownImage {
    /// Its name with its tag.
    pub name: String,
    /// Who says so.
    pub source: String,
}

/// A build that would be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ChosenBuild {
    /// The build.
    pub build: KnownBuild,
    /// The extras that the GPUs need (`device-gfx1151`).
    pub extras: Vec<String>,
    /// The wheels that the GPUs need beside it.
    pub device_wheels: Vec<String>,
    /// Whether the wheel has no ROCm inside and none is installed with it.
    pub needs_host_rocm: bool,
    /// torchvision and torchaudio series that belong to it.
    pub companions: Vec<(String, String)>,
}

/// A known build, as far as it matters to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct KnownBuild {
    /// The package.
    pub package: String,
    /// Its version with the local part.
    pub version: String,
    /// The ROCm that it was built for.
    pub built_for: String,
    /// The index that serves it.
    pub index: Option<IndexName>,
    /// Its address, where it is not the user's own.
    pub url: Option<String>,
    /// The platforms that it has files for.
    pub platforms: Vec<String>,
    /// The Python tags that were seen.
    pub python_tags: Vec<String>,
    /// Its `Requires-Python`, where read.
    pub requires_python: Option<String>,
}

/// Two things and the registry's verdict on them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Pair {
    /// One thing.
    pub left: Item,
    /// The other.
    pub right: Item,
    /// The verdict.
    pub judgement: Judgement,
}

/// A thing that takes part in a pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Item {
    /// A ROCm release.
    Rocm(RocmVersion),
    /// A driver, in words.
    Driver(String),
    /// A GPU, by product or target.
    Gpu(String),
    /// An operating system.
    System(String),
    /// A kernel.
    Kernel(String),
    /// A framework with its version.
    Framework(String),
    /// A build, by package and version.
    Build(String),
    /// A Python series.
    Python(String),
    /// A known combination.
    Combination(String),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rocm(release) => write!(f, "ROCm {release}"),
            Self::Driver(name) => write!(f, "driver {name}"),
            Self::Kernel(name) => write!(f, "kernel {name}"),
            Self::Python(series) => write!(f, "Python {series}"),
            Self::Gpu(name)
            | Self::System(name)
            | Self::Framework(name)
            | Self::Build(name)
            | Self::Combination(name) => f.write_str(name),
        }
    }
}

/// Something that was not described.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Undescribed {
    /// The GPUs.
    Gpu,
    /// The operating system.
    System,
    /// The kernel.
    Kernel,
    /// The driver.
    Driver,
    /// The Python.
    Python,
}
