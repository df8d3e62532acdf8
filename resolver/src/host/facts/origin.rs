//! Where a fact comes from, and what could not be read.

use serde::{Deserialize, Serialize};

/// Where the facts of a host come from that no override replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// Read from a machine (or from a capture of one).
    Probed,
    /// Nothing was read: the host is described by overrides alone.
    #[default]
    Described,
}

/// Something that exists, or should, and could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Unread {
    /// The path, or the question where there is no single path.
    pub what: String,
    /// Why, in one line.
    pub why: String,
}
