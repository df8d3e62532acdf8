//! The record of one generation: one complete, immutable environment of a project.
//!
//! Written as JSON beside the environment that it describes. It keeps what is needed to go back
//! without a network and to say later why the environment is as it is.

use serde::{Deserialize, Serialize};

use crate::digest::Sha256;
use crate::name::{EnvName, GroupName, TargetName};
use crate::plan::Artifact;

/// What a generation knows of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generation {
    /// The format of this record.
    pub format: u32,
    /// Its number, from 1, never used twice.
    pub number: u32,
    /// The target that it was made for.
    pub target: TargetName,
    /// The environment of the project.
    pub env: EnvName,
    /// The groups that were asked for, sorted.
    pub groups: Vec<GroupName>,
    /// When it was made (RFC 3339, UTC).
    pub created: String,
    /// The absolute path that it was made at; a copy elsewhere is recognised by this.
    pub path: String,
    /// The interpreter that it uses.
    pub python: Option<Interpreter>,
    /// What it is made of, sorted by kind and name.
    pub artifacts: Vec<Artifact>,
    /// The objects of the store that it links, sorted: the roots that keep them.
    pub objects: Vec<Sha256>,
    /// The copies with other search paths that it links in the place of files of these objects;
    /// none where records are older than such copies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rewritten: Vec<RewrittenObject>,
    /// How its files were linked (`hardlink`, `copy` ...) with the number of files.
    pub links: Vec<(String, u64)>,
    /// Answers of the gates of `sync` (id, outcome), in their order.
    pub gates: Vec<GateAnswer>,
    /// What was warned of when it was made.
    pub warnings: Vec<String>,
}

/// Files of an object that were copied with other search paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RewrittenObject {
    /// The object.
    pub object: Sha256,
    /// Which copies of its files: the digest of what was asked for.
    pub key: Sha256,
}

/// The interpreter that a generation uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interpreter {
    /// Its full version (`3.12.1`).
    pub version: String,
    /// The real interpreter's path.
    pub path: String,
    /// `host`, `managed` or `distribution`.
    pub source: String,
}

/// What one gate of `sync` said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateAnswer {
    /// The gate's stable id (`fit`, `proof`, `accelerator`).
    pub gate: String,
    /// `passed`, `warned`, `skipped` ...
    pub outcome: String,
    /// In words, where there is something to say.
    pub detail: Option<String>,
}
