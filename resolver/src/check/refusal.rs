//! Why a stack does not go together, and what would do.

use std::fmt;

use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::registry::Verdict;
use rocmenv_manifests::version::RocmVersion;
use serde::Serialize;

use super::answer::{Item, KnownBuild, Pair};

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
    /// AMD lists the framework for the release on other platforms only, and no build is known.
    ListedElsewhere {
        /// The framework.
        framework: String,
        /// The release.
        release: RocmVersion,
        /// The platforms that AMD lists it for.
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
            Self::ListedElsewhere { framework, release, platforms } => write!(
                f,
                "AMD lists {framework} with ROCm {release} for {} only, and no build of it for \
                 another system is known",
                platforms.join(" and ")
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
    /// Take this distribution under WSL2 in place of native Windows.
    Wsl(OsRelease),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rocm(release) => write!(f, "ask for rocm {release}"),
            Self::Framework { name, version } => write!(f, "ask for {name} {version}"),
            Self::Driver(driver) => write!(f, "move the driver to {driver}"),
            Self::Python(python) => write!(f, "take Python {python}"),
            Self::DropGpu(gpu) => write!(f, "leave {gpu} out"),
            Self::Wsl(os) => write!(f, "take {os} under WSL2 (`wsl = true` in a target)"),
        }
    }
}
