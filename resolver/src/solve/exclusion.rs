//! Why a candidate cannot be used by this target: data, whose text is only its display.
//!
//! A candidate that cannot be used is never hidden: it takes part in the solve as excluded, so
//! that a refusal can say that it exists and what is wrong with it.

use std::fmt;

use rocmenv_manifests::version::Dotted;

/// A reason that excludes one candidate.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exclusion {
    /// Its publisher took it back; the text is the publisher's reason, or empty.
    Yanked(String),
    /// Only a source archive is published.
    SourceOnly,
    /// Its wheels are for other Pythons (tags such as `cp311`).
    PythonTags(Vec<String>),
    /// It says which Pythons it takes, and the chosen ones are not among them.
    RequiresPython(String),
    /// Its wheels are for other systems or processors (tags such as `win_amd64`).
    Platform(Vec<String>),
    /// Its wheels need a newer C library.
    Libc {
        /// The oldest that would do.
        needs: Dotted,
        /// What the target has.
        has: Dotted,
    },
    /// It is built for another accelerator.
    Accelerator(String),
    /// It is built for another ROCm.
    BuiltForOther(Dotted),
    /// It does not say which ROCm it is built for.
    Unproven,
    /// It is a pre-release that nobody asked for.
    Prerelease,
    /// Its metadata cannot be used; the text says why.
    Metadata(String),
    /// It needs a package by address, which no index can prove.
    Address(String),
    /// It is a preview release of ROCm that nobody asked for.
    Preview,
}

impl Exclusion {
    /// The stable code of the reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Yanked(_) => "R-yanked",
            Self::SourceOnly => "R-source-only",
            Self::PythonTags(_) | Self::RequiresPython(_) => "R-no-wheel-for-python",
            Self::Platform(_) => "R-no-wheel-for-platform",
            Self::Libc { .. } => "R-libc-too-old",
            Self::Accelerator(_) => "R-wrong-accelerator",
            Self::BuiltForOther(_) => "R-built-for-other",
            Self::Unproven => "R-unproven",
            Self::Prerelease => "R-prerelease",
            Self::Metadata(_) | Self::Address(_) => "R-bad-metadata",
            Self::Preview => "R-preview",
        }
    }
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Yanked(reason) if reason.is_empty() => f.write_str("taken back (yanked)"),
            Self::Yanked(reason) => write!(f, "taken back (yanked): {reason}"),
            Self::SourceOnly => f.write_str("published as source only"),
            Self::PythonTags(tags) => {
                write!(f, "wheels for other Pythons only ({})", tags.join(", "))
            }
            Self::RequiresPython(specifiers) => write!(f, "needs Python {specifiers}"),
            Self::Platform(tags) => {
                write!(f, "wheels for other systems only ({})", tags.join(", "))
            }
            Self::Libc { needs, has } => write!(f, "needs glibc {needs} (the target has {has})"),
            Self::Accelerator(built) => write!(f, "built for {built}, not for ROCm"),
            Self::BuiltForOther(built) => write!(f, "built for ROCm {built}"),
            Self::Unproven => f.write_str("does not say which ROCm it is built for"),
            Self::Prerelease => f.write_str("a pre-release that nobody asked for"),
            Self::Metadata(text) => write!(f, "its metadata cannot be used: {text}"),
            Self::Address(address) => write!(f, "needs a package by address ({address})"),
            Self::Preview => f.write_str("a preview release (`preview = true` lets it in)"),
        }
    }
}
