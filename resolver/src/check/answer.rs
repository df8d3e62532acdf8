//! What `check` answers: data, which cli renders.

use std::fmt;

use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::registry::{Judgement, Verdict};
use rocmenv_manifests::version::RocmVersion;
use serde::Serialize;

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
    /// All builds that are known for the release's X.Y, newest first.
    pub known: Vec<KnownBuild>,
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

/// Why a stack does not go together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// A pair is refused, by a document or as known bad.
    Pair(Pair),
    /// A pair is worse than the policy accepts.
    Policy(Pair),
    /// Builds of the framework are known for the release, and none of them will do.
    NoBuild {
        /// The framework.
        framework: String,
        /// What was asked of it.
        wanted: String,
        /// The release.
        release: RocmVersion,
        /// The versions that AMD lists.
        listed: Vec<String>,
        /// The builds that are known.
        known: Vec<KnownBuild>,
    },
    /// Builds of the framework are known for the release, and none of them for the platform.
    OtherPlatform {
        /// The framework.
        framework: String,
        /// The release.
        release: RocmVersion,
        /// The platforms that builds are known for.
        platforms: Vec<String>,
    },
    /// Builds that were asked for are known, and none of them serves the Python.
    OtherPython {
        /// The framework.
        framework: String,
        /// The release.
        release: RocmVersion,
        /// The Python asked for.
        python: String,
        /// The tags that they have files for.
        tags: Vec<String>,
    },
    /// A framework needs another one in a version that was not asked for.
    Needs {
        /// The framework that needs it.
        framework: String,
        /// What it needs (`pytorch==2.13.0`).
        needs: String,
    },
    /// No Python serves all frameworks.
    NoPython {
        /// What each allows.
        allowed: Vec<(String, Vec<String>)>,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pair(pair) => match &pair.left {
                Item::Combination(_) => write!(f, "with {}: {}", pair.right, pair.judgement.reason),
                left => write!(f, "{left} and {}: {}", pair.right, pair.judgement.reason),
            },
            Self::Policy(pair) => write!(
                f,
                "{} and {}: {}, which the policy does not accept",
                pair.left, pair.right, pair.judgement.verdict
            ),
            Self::NoBuild { framework, wanted, release, .. } => {
                write!(f, "no known build of {framework} for ROCm {release} satisfies `{wanted}`")
            }
            Self::OtherPlatform { framework, release, platforms } => write!(
                f,
                "the known builds of {framework} for ROCm {release} are for {} only",
                platforms.join(", ")
            ),
            Self::OtherPython { framework, release, python, tags } => write!(
                f,
                "the known builds of {framework} for ROCm {release} are for {}, not for Python {python}",
                tags.join(" ")
            ),
            Self::Needs { framework, needs } => write!(f, "{framework} needs `{needs}`"),
            Self::NoPython { allowed } => {
                let each = allowed.iter().map(|(name, list)| format!("{name} {}", list.join(" ")));
                let each: Vec<_> = each.collect();
                write!(f, "no Python serves all of the frameworks ({})", each.join("; "))
            }
        }
    }
}

/// Changes that make it go together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Remedy {
    /// What to change, all of it.
    pub changes: Vec<Change>,
    /// The release that it leads to.
    pub release: RocmVersion,
    /// The builds that it leads to (`torch[device-gfx1031] 2.14.0+rocm10.1.0`).
    pub builds: Vec<String>,
    /// Its worst verdict.
    pub verdict: Verdict,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Ask for this ROCm.
    Rocm(RocmVersion),
    /// Ask for this version of a framework.
    Framework {
        /// The framework.
        name: String,
        /// The version.
        version: String,
    },
    /// Move the driver to this release or a newer one of its series.
    Driver(String),
    /// Take this Python.
    Python(String),
    /// Leave this GPU out.
    DropGpu(String),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rocm(release) => write!(f, "ask for rocm {release}"),
            Self::Framework { name, version } => write!(f, "ask for {name} {version}"),
            Self::Driver(driver) => write!(f, "move the driver to {driver}"),
            Self::Python(python) => write!(f, "take Python {python}"),
            Self::DropGpu(gpu) => write!(f, "leave {gpu} out"),
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
