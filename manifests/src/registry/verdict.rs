//! What the registry says of a combination, and on whose word.
//!
//! Five verdicts that are never mixed. A `Judgement` keeps the reason as data, the documents
//! behind it, and the documents that say otherwise.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::gfx::GfxTarget;

use super::rows::support::SupportStatus;

/// How far a combination is known to be right; better ones are smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A document lists it.
    Listed,
    /// It was built so, and no document lists it.
    BuiltNotListed,
    /// No document that was read says anything.
    NotKnown,
    /// A document says no, or lists all that is and not this.
    StatedNo,
    /// It is known to fail.
    KnownBad,
}

impl Verdict {
    /// Whether the combination is refused whatever the policy accepts.
    pub fn refuses(self) -> bool {
        matches!(self, Self::StatedNo | Self::KnownBad)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Listed => "listed",
            Self::BuiltNotListed => "built, not listed",
            Self::NotKnown => "not known",
            Self::StatedNo => "stated no",
            Self::KnownBad => "known bad",
        })
    }
}

/// A verdict with its reason and its documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
    /// The documents behind it.
    pub evidence: Vec<Evidence>,
    /// The documents that say otherwise.
    pub contradicted_by: Vec<Evidence>,
}

impl Judgement {
    pub(super) fn new(verdict: Verdict, reason: Reason, evidence: Vec<Evidence>) -> Self {
        Self { verdict, reason, evidence, contradicted_by: Vec::new() }
    }

    pub(super) fn contradicted_by(mut self, evidence: Vec<Evidence>) -> Self {
        self.contradicted_by = evidence;
        self
    }

    /// Whether documents disagree.
    pub fn is_contradicted(&self) -> bool {
        !self.contradicted_by.is_empty()
    }
}

/// Why a verdict is what it is. Its `Display` is one line without the verdict itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A document lists it; the text is what it adds, possibly nothing.
    Listed(String),
    /// A document prints this status.
    Status(SupportStatus),
    /// A complete list does not hold it.
    NotInList {
        /// The list, in words.
        list: String,
        /// What it holds in its place.
        instead: Vec<String>,
    },
    /// No document that was read says anything of it.
    NothingRead(String),
    /// One document lists it, another does not; its notes say which.
    Disputed(String),
    /// The list is for these only.
    OnlyFor(Vec<String>),
    /// Support is per product, and these products of the GPU's target are the listed ones.
    DependsOnProduct {
        /// Listed products.
        listed: Vec<String>,
        /// Others.
        unlisted: Vec<String>,
    },
    /// Another product with the same target is listed, this one is not.
    OtherProductOfTarget(Vec<String>),
    /// It is built and tested by TheRock, which is not AMD's support.
    BuiltByTheRock(String),
    /// A wheel was built for it.
    Built {
        /// Package and version.
        build: String,
        /// The versions that AMD lists.
        listed: Vec<String>,
    },
    /// The driver is newer than the listed one.
    NewerThan(String),
    /// The driver is older than the listed one.
    OlderThan(String),
    /// The number is Windows' own of the driver; AMD's tables speak of Adrenalin versions.
    WindowsNumber,
    /// The kernel is older than the release needs.
    KernelBelow(String),
    /// The kernel's own driver, of which AMD's windows say nothing.
    InTree,
    /// The binaries hold code for these targets only.
    NoCodeFor {
        /// The target asked for.
        asked: GfxTarget,
        /// The targets that they hold.
        held: Vec<GfxTarget>,
    },
    /// A known failure.
    Fails {
        /// The combination's stable name.
        id: String,
        /// What happens.
        what: String,
        /// What to take in its place.
        instead: Option<String>,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(more) if more.is_empty() => f.write_str("a document lists it"),
            Self::Listed(more) => f.write_str(more),
            Self::Status(status) => write!(f, "a document says `{}`", status_word(*status)),
            Self::NotInList { list, instead } if instead.is_empty() => {
                write!(f, "not listed by {list}")
            }
            Self::NotInList { list, instead } => {
                write!(f, "not listed by {list}, which has {}", instead.join(", "))
            }
            Self::NothingRead(what) => write!(f, "no document that was read speaks of {what}"),
            Self::Disputed(what) => write!(f, "AMD's documents disagree on {what}"),
            Self::OnlyFor(items) => write!(f, "listed only for {}", items.join(", ")),
            Self::DependsOnProduct { listed, unlisted } => write!(
                f,
                "it depends on the product: {} listed, {} not",
                listed.join(", "),
                unlisted.join(", ")
            ),
            Self::OtherProductOfTarget(products) => {
                write!(f, "not listed; of the same target {} listed", products.join(", "))
            }
            Self::BuiltByTheRock(status) => write!(f, "TheRock says `{status}`"),
            Self::Built { build, listed } if listed.is_empty() => {
                write!(f, "built ({build}), and no list was read")
            }
            Self::Built { build, listed } => {
                write!(f, "built ({build}); AMD lists {}", listed.join(", "))
            }
            Self::NewerThan(listed) => write!(f, "newer than {listed}, the listed one"),
            Self::OlderThan(listed) => write!(f, "older than {listed}, the listed one"),
            Self::WindowsNumber => f.write_str(
                "this is Windows' own number of the driver; AMD's tables name Adrenalin versions",
            ),
            Self::KernelBelow(floor) => write!(f, "the kernel is older than {floor}"),
            Self::InTree => f.write_str("AMD's windows say nothing of the kernel's own driver"),
            Self::NoCodeFor { asked, held } => {
                let held: Vec<_> = held.iter().map(GfxTarget::to_string).collect();
                write!(f, "no code for {asked}, only for {}", held.join(" "))
            }
            Self::Fails { what, instead: Some(instead), .. } => write!(f, "{what}; take {instead}"),
            Self::Fails { what, .. } => f.write_str(what),
        }
    }
}

/// A document that says something.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Evidence {
    /// The source's key in the registry.
    pub key: String,
    /// The repository or site.
    pub site: String,
    /// The page or file.
    pub path: String,
    /// The commit, where known.
    pub commit: String,
    /// The day on which it was read.
    pub date: String,
    /// What the row adds.
    pub said: String,
    /// How sure the row is, where it is not simply stated.
    pub confidence: Option<String>,
    /// The overlay file, where it is a user's own.
    pub local: Option<String>,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.site)?;
        if !self.path.is_empty() {
            write!(f, ", {}", self.path)?;
        }
        if let Some(file) = &self.local {
            write!(f, " (local: {file})")?;
        }
        Ok(())
    }
}

/// The word of a status as tables print it.
pub fn status_word(status: SupportStatus) -> &'static str {
    match status {
        SupportStatus::Supported => "supported",
        SupportStatus::Preview => "preview",
        SupportStatus::Deprecated => "deprecated",
        SupportStatus::RuntimeOnly => "runtime only",
        SupportStatus::Unsupported => "unsupported",
        SupportStatus::Unstable => "unstable",
        SupportStatus::Replaced => "replaced",
        SupportStatus::Conflict => "conflict",
    }
}
