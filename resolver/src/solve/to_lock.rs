//! A solution as entries of rocm.lock.

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::{
    ArtifactKind, LockedFile, LockedPackage, LockedPython, LockedTarget, Membership,
};
use rocmenv_manifests::name::{EnvName, GroupName, TargetName};
use rocmenv_manifests::registry::query::RocmArchive;
use rocmenv_manifests::version::{Dotted, RocmVersion};

use super::contract;
use super::question::Question;
use super::solution::{Chosen, ChosenDeb, ChosenWheel, Solution};
use super::wheel_text::is_wheel;

impl Solution {
    /// The entries of this solution: the target's own, and one for each package, sorted by name,
    /// with one file each. `inputs` is the digest of what was asked. Who writes a lock of several
    /// targets merges entries of the same name, version and index.
    pub fn to_lock(
        &self,
        question: &Question,
        env: &EnvName,
        inputs: Sha256,
    ) -> (LockedTarget, Vec<LockedPackage>) {
        let target = &question.target;
        let python = self.needed_python(question).map(|python| LockedPython {
            series: python.dotted(),
            floor: dotted(&python.floor).unwrap_or_else(|| python.dotted()),
        });
        let locked = LockedTarget {
            name: target.name.clone(),
            env: env.clone(),
            inputs,
            rocm: self.rocm.as_ref().map(|release| release.version.clone()),
            channel: self.rocm.as_ref().map(|release| release.channel.clone()),
            python,
            notes: self.notes.clone(),
            contract: contract::of(self, question),
        };
        let mut packages: Vec<LockedPackage> =
            self.graph.node_indices().filter_map(|at| self.package(at, question, env)).collect();
        packages
            .sort_by(|a, b| (&a.name, &a.version, &a.index).cmp(&(&b.name, &b.version, &b.index)));
        (locked, packages)
    }

    fn package(&self, at: NodeIndex, question: &Question, env: &EnvName) -> Option<LockedPackage> {
        let target = &question.target.name;
        let targets = vec![target.clone()];
        let member = |group: Option<GroupName>| Membership {
            target: target.clone(),
            env: env.clone(),
            group,
        };
        let (requires, reason) = (self.requires(at), self.reason(at));
        match &self.graph[at] {
            Chosen::Wheel(wheel) => {
                let groups = wheel.groups.iter().cloned().map(Some);
                let mut members: Vec<Membership> = groups.map(member).collect();
                if members.is_empty() {
                    members.push(member(None));
                }
                Some(of_wheel(wheel, members, targets, requires, reason))
            }
            Chosen::Deb(deb) => Some(of_deb(deb, vec![member(None)], targets, requires, reason)),
            Chosen::Rocm(release) => {
                let archive = question.stack.archives.get(release)?;
                Some(of_archive(archive, release, vec![member(None)], targets, reason))
            }
            _ => None,
        }
    }

    /// The packages that a package needs, by name.
    fn requires(&self, at: NodeIndex) -> Vec<String> {
        let needed = self.graph.neighbors(at).map(|to| &self.graph[to]);
        let packages = needed.filter(|chosen| matches!(chosen, Chosen::Wheel(_) | Chosen::Deb(_)));
        packages.map(Chosen::label).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Where the user asked for it, or else who needs it.
    fn reason(&self, at: NodeIndex) -> String {
        let mut asked = BTreeSet::new();
        let mut needed = BTreeSet::new();
        for edge in self.graph.edges_directed(at, Direction::Incoming) {
            let from = &self.graph[edge.source()];
            match (from, &edge.weight().origin) {
                (Chosen::User, Some(origin)) => {
                    asked.insert(format!("{origin} {}", self.graph[at].label()));
                }
                (Chosen::Framework(_) | Chosen::Component(_), _) => {
                    let origins = self.graph.edges_directed(edge.source(), Direction::Incoming);
                    let origin = origins.filter_map(|edge| edge.weight().origin.as_ref()).min();
                    let origin = origin.map(|origin| format!("{origin} ")).unwrap_or_default();
                    asked.insert(format!("{origin}{}", from.label()));
                }
                (Chosen::User, None) => {}
                _ => {
                    needed.insert(from.label());
                }
            }
        }
        let words = if asked.is_empty() { needed } else { asked };
        let words: Vec<String> = words.into_iter().collect();
        words.join(", ")
    }
}

fn of_wheel(
    wheel: &ChosenWheel,
    members: Vec<Membership>,
    targets: Vec<TargetName>,
    requires: Vec<String>,
    reason: String,
) -> LockedPackage {
    let is_wheel = is_wheel(&wheel.file.name);
    LockedPackage {
        name: wheel.name.to_string(),
        version: wheel.version.to_string(),
        index: wheel.index.clone(),
        kind: if is_wheel { ArtifactKind::Wheel } else { ArtifactKind::RocmMeta },
        members,
        files: vec![LockedFile {
            name: wheel.file.name.clone(),
            sha256: wheel.file.sha256,
            size: wheel.file.size,
            targets,
        }],
        requires,
        reason,
    }
}

fn of_deb(
    deb: &ChosenDeb,
    members: Vec<Membership>,
    targets: Vec<TargetName>,
    requires: Vec<String>,
    reason: String,
) -> LockedPackage {
    LockedPackage {
        name: deb.package.name.clone(),
        version: deb.package.version.to_string(),
        index: deb.repository.clone(),
        kind: ArtifactKind::Deb,
        members,
        files: vec![LockedFile {
            name: deb.package.filename.clone(),
            sha256: Some(deb.package.sha256),
            size: Some(deb.package.size),
            targets,
        }],
        requires,
        reason,
    }
}

/// A whole release; its digest is not of the solve, because no index of archives tells it.
fn of_archive(
    archive: &RocmArchive,
    release: &RocmVersion,
    members: Vec<Membership>,
    targets: Vec<TargetName>,
    reason: String,
) -> LockedPackage {
    LockedPackage {
        name: ARCHIVE.to_owned(),
        version: release.to_string(),
        index: archive.index.clone(),
        kind: ArtifactKind::Tarball,
        members,
        files: vec![LockedFile { name: archive.file.clone(), sha256: None, size: None, targets }],
        requires: Vec::new(),
        reason,
    }
}

fn dotted(version: &rocmenv_manifests::python::Version) -> Option<Dotted> {
    let parts: Vec<String> = version.release().iter().map(u64::to_string).collect();
    parts.join(".").parse().ok()
}

/// What TheRock calls a whole release.
const ARCHIVE: &str = "therock-dist";
