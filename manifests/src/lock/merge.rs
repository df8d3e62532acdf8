//! Putting the parts of a lock together: one entry for each name, version, index and kind.
//!
//! Two environments of one target may need two files of one package (a wheel of CPython 3.12 and
//! one of 3.14). Such a package has two entries, so that within one entry a target has one file.

use std::collections::{BTreeMap, BTreeSet};

use super::types::{ArtifactKind, Lock, LockedFile, LockedPackage, Membership};
use crate::name::{EnvName, IndexName, TargetName};

/// A part of a lock: one environment on one target.
type Part = (TargetName, EnvName);

impl Lock {
    /// Keeps only the parts of which `keep` says so. [`Self::settle`] comes after.
    pub fn retain(&mut self, keep: impl Fn(&TargetName, &EnvName) -> bool) {
        self.targets.retain(|one| keep(&one.name, &one.env));
        for package in &mut self.packages {
            package.members.retain(|member| keep(&member.target, &member.env));
            let targets: BTreeSet<&TargetName> =
                package.members.iter().map(|member| &member.target).collect();
            for file in &mut package.files {
                file.targets.retain(|target| targets.contains(target));
            }
            package.files.retain(|file| !file.targets.is_empty());
        }
        self.packages.retain(|package| !package.members.is_empty());
    }

    /// Merges what is one package. The same parts give the same entries, in whatever order they
    /// were solved and however they were merged before.
    pub fn settle(&mut self) {
        let mut same: BTreeMap<Key, BTreeMap<Part, LockedPackage>> = BTreeMap::new();
        let mut reasons: BTreeMap<Key, String> = BTreeMap::new();
        let mut names: BTreeMap<Part, BTreeSet<String>> = BTreeMap::new();
        for package in std::mem::take(&mut self.packages) {
            let key = Key::of(&package);
            let reason = reasons.entry(key.clone()).or_default();
            if reason.is_empty() {
                reason.clone_from(&package.reason);
            }
            let parts = same.entry(key).or_default();
            for (part, own) in apart(&package) {
                names.entry(part.clone()).or_default().insert(own.name.clone());
                parts.insert(part, own);
            }
        }
        for (key, parts) in same {
            let mut entries: Vec<LockedPackage> = Vec::new();
            for own in parts.into_values() {
                match entries.iter_mut().find(|entry| takes(entry, &own)) {
                    Some(entry) => join(entry, own),
                    None => entries.push(own),
                }
            }
            for mut entry in entries {
                entry.reason = reasons.get(&key).cloned().unwrap_or_default();
                // What only a part needs that is no longer there is needed no more.
                let around: Vec<_> =
                    entry.members.iter().filter_map(|it| names.get(&part(it))).collect();
                entry.requires.retain(|name| around.iter().any(|names| names.contains(name)));
                self.packages.push(entry);
            }
        }
        self.sort();
    }
}

/// What makes two entries the same package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    name: String,
    version: String,
    index: IndexName,
    kind: ArtifactKind,
}

impl Key {
    fn of(package: &LockedPackage) -> Self {
        Self {
            name: package.name.clone(),
            version: package.version.clone(),
            index: package.index.clone(),
            kind: package.kind,
        }
    }
}

fn part(member: &Membership) -> Part {
    (member.target.clone(), member.env.clone())
}

/// An entry as one for each of its parts.
fn apart(package: &LockedPackage) -> BTreeMap<Part, LockedPackage> {
    let mut parts: BTreeMap<Part, LockedPackage> = BTreeMap::new();
    for member in &package.members {
        let own = parts.entry(part(member)).or_insert_with(|| LockedPackage {
            members: Vec::new(),
            files: files_of(package, &member.target),
            ..package.clone()
        });
        own.members.push(member.clone());
    }
    parts
}

fn files_of(package: &LockedPackage, target: &TargetName) -> Vec<LockedFile> {
    let files = package.files.iter().filter(|file| file.targets.contains(target));
    files.map(|file| LockedFile { targets: vec![target.clone()], ..file.clone() }).collect()
}

/// Whether each target would still have one file.
fn takes(entry: &LockedPackage, own: &LockedPackage) -> bool {
    own.files.iter().all(|file| {
        let others = entry.files.iter().filter(|other| other.name != file.name);
        let mut targets = others.flat_map(|other| &other.targets);
        !targets.any(|target| file.targets.contains(target))
    })
}

fn join(entry: &mut LockedPackage, own: LockedPackage) {
    entry.members.extend(own.members);
    entry.requires.extend(own.requires);
    for file in own.files {
        match entry.files.iter_mut().find(|known| known.name == file.name) {
            Some(known) => {
                known.sha256 = known.sha256.or(file.sha256);
                known.size = known.size.or(file.size);
                known.targets.extend(file.targets);
            }
            None => entry.files.push(file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(part: &str, file: &str, requires: &[&str]) -> LockedPackage {
        let member: Membership = part.parse().unwrap();
        LockedPackage {
            name: "numpy".to_owned(),
            version: "2.4.0".to_owned(),
            index: IndexName::python(),
            kind: ArtifactKind::Wheel,
            files: vec![LockedFile {
                name: format!("numpy-2.4.0-{file}.whl"),
                sha256: None,
                size: None,
                targets: vec![member.target.clone()],
            }],
            members: vec![member],
            requires: requires.iter().map(|&name| name.to_owned()).collect(),
            reason: "rocm.toml:3 numpy".to_owned(),
        }
    }

    fn shape(lock: &Lock) -> Vec<(Vec<String>, Vec<String>)> {
        let files = |package: &LockedPackage| {
            package.files.iter().map(|file| format!("{} {:?}", file.name, file.targets)).collect()
        };
        let members =
            |package: &LockedPackage| package.members.iter().map(ToString::to_string).collect();
        lock.packages.iter().map(|package| (members(package), files(package))).collect()
    }

    /// Every order, and every order after a part was solved anew, gives the same entries.
    #[test]
    fn two_files_of_one_target_are_two_entries_in_any_order() {
        let parts = [
            package("node/tf", "cp312-cp312-linux_x86_64", &[]),
            package("node/train", "cp312-cp312-linux_x86_64", &[]),
            package("node/vllm", "cp314-cp314-linux_x86_64", &[]),
            package("desk/vllm", "cp314-cp314-win_amd64", &[]),
        ];
        let settled = |order: &[usize]| {
            let packages = order.iter().map(|at| parts[*at].clone()).collect();
            let mut lock = Lock { targets: Vec::new(), packages };
            lock.settle();
            lock
        };
        let expected = settled(&[0, 1, 2, 3]);
        assert_eq!(expected.packages.len(), 2);
        for order in [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
            assert_eq!(shape(&settled(&order)), shape(&expected));
        }
        for part in &parts {
            let mut lock = expected.clone();
            let own = part.members[0].clone();
            lock.retain(|target, env| (target, env) != (&own.target, &own.env));
            lock.packages.push(part.clone());
            lock.settle();
            assert_eq!(lock, expected);
        }
    }

    #[test]
    fn what_a_removed_part_alone_needed_is_forgotten() {
        let colorama =
            LockedPackage { name: "colorama".to_owned(), ..package("desk", "py3-none-any", &[]) };
        let packages = vec![
            package("node", "cp312-cp312-linux_x86_64", &[]),
            package("desk", "cp312-cp312-win_amd64", &["colorama"]),
            colorama,
        ];
        let mut lock = Lock { targets: Vec::new(), packages };
        lock.settle();
        assert_eq!(lock.packages[1].requires, ["colorama"]);
        lock.retain(|target, _| target.as_str() == "node");
        lock.settle();
        let [numpy] = lock.packages.as_slice() else { panic!("{lock:?}") };
        assert!(numpy.requires.is_empty());
    }
}
