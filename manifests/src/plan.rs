//! What a sync will do, as a pure value: dry-run prints the very value that is executed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::digest::Sha256;
use crate::lock::{ArtifactKind, Lock, LockedPackage};
use crate::name::{EnvName, GroupName, IndexName, TargetName};

/// An artifact that an environment is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// The package's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where its file is listed.
    pub index: IndexName,
    /// What it is.
    pub kind: ArtifactKind,
    /// The file's name there.
    pub file: String,
    /// Its digest; `None` is a gap of the lock.
    pub sha256: Option<Sha256>,
    /// Bytes, where known.
    pub size: Option<u64>,
}

/// The difference between what is installed and what is locked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Plan {
    /// What comes new, sorted by name.
    pub add: Vec<Artifact>,
    /// What changes: before and after, sorted by name.
    pub change: Vec<(Artifact, Artifact)>,
    /// What goes, sorted by name.
    pub remove: Vec<Artifact>,
    /// What stays, sorted by name.
    pub keep: Vec<Artifact>,
}

impl Plan {
    /// The plan that leads from the artifacts of the current generation to the locked ones.
    pub fn between(installed: &[Artifact], locked: &[Artifact]) -> Self {
        let key = |artifact: &Artifact| (artifact.kind, artifact.name.clone());
        let before: BTreeMap<_, _> = installed.iter().map(|a| (key(a), a)).collect();
        let after: BTreeMap<_, _> = locked.iter().map(|a| (key(a), a)).collect();
        let mut plan = Self::default();
        for (name, artifact) in &after {
            match before.get(name) {
                None => plan.add.push((*artifact).clone()),
                Some(old) if same(old, artifact) => plan.keep.push((*artifact).clone()),
                Some(old) => plan.change.push(((*old).clone(), (*artifact).clone())),
            }
        }
        let gone = before.iter().filter(|(name, _)| !after.contains_key(*name));
        plan.remove.extend(gone.map(|(_, artifact)| (*artifact).clone()));
        plan
    }

    /// Whether the environment already is what the lock says.
    pub fn is_empty(&self) -> bool {
        self.add.is_empty() && self.change.is_empty() && self.remove.is_empty()
    }
}

/// The artifacts that make one environment on one target, sorted by kind and name.
pub fn artifacts(
    lock: &Lock,
    target: &TargetName,
    env: &EnvName,
    groups: &[GroupName],
) -> Vec<Artifact> {
    let mut found: Vec<Artifact> = lock
        .packages
        .iter()
        .filter(|package| belongs(package, target, env, groups))
        .filter_map(|package| {
            let file = package.files.iter().find(|file| file.targets.contains(target))?;
            Some(Artifact {
                name: package.name.clone(),
                version: package.version.clone(),
                index: package.index.clone(),
                kind: package.kind,
                file: file.name.clone(),
                sha256: file.sha256,
                size: file.size,
            })
        })
        .collect();
    found.sort_by(|a, b| (a.kind, &a.name, &a.version).cmp(&(b.kind, &b.name, &b.version)));
    found
}

fn belongs(
    package: &LockedPackage,
    target: &TargetName,
    env: &EnvName,
    groups: &[GroupName],
) -> bool {
    package.members.iter().any(|member| {
        member.target == *target
            && member.env == *env
            && member.group.as_ref().is_none_or(|group| groups.contains(group))
    })
}

/// A gap that was filled since is no change; another digest is.
fn same(old: &Artifact, new: &Artifact) -> bool {
    let digests_agree = match (old.sha256, new.sha256) {
        (Some(old), Some(new)) => old == new,
        _ => true,
    };
    old.version == new.version && old.file == new.file && old.index == new.index && digests_agree
}
