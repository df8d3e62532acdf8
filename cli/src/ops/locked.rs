//! What rocm.lock says of one environment on one target: `list`, `info`, `tree`, `why`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rocmenv_manifests::lock::{Lock, LockError, LockedPackage, LockedTarget};
use rocmenv_manifests::name::{EnvName, GroupName, TargetName};
use rocmenv_manifests::project::nearest;

use super::files::{self, FileError};
use super::project::{UnknownEnvironment, UnknownGroup};
use crate::context::Context;
use crate::error::{Exit, Failure};
use crate::project_root::{ProjectNotFound, ProjectRoot};

/// The part of the lock that a call speaks of.
#[derive(Debug, Clone)]
pub struct Locked {
    /// What was decided for the target.
    pub target: LockedTarget,
    /// Its packages, groups included, sorted by name.
    pub packages: Vec<LockedPackage>,
    /// The other targets of the same environment.
    pub others: Vec<TargetName>,
}

/// Reads rocm.lock.
///
/// # Errors
/// There is none, or it is damaged.
pub fn read(root: &ProjectRoot) -> Result<Lock, LockedError> {
    let text = files::read_optional(&root.lock())?.ok_or(LockedError::Missing)?;
    Ok(Lock::parse(&text)?)
}

/// The lock's part for `--target` (else the first) and `-e`, with the packages of these groups, or
/// of all where none is named.
///
/// # Errors
/// As for `read`, or the lock has no such target, environment or group.
pub fn open(context: &Context, groups: &[GroupName]) -> Result<Locked, LockedError> {
    let lock = read(&context.project()?)?;
    let env = &context.settings.env;
    check_names(&lock, env, groups)?;
    let of_env: Vec<&LockedTarget> =
        lock.targets.iter().filter(|target| target.env == *env).collect();
    let chosen = match &context.settings.target {
        Some(wanted) => of_env.iter().find(|target| target.name == wanted.value),
        None => of_env.first(),
    };
    let Some(&target) = chosen else {
        let wanted = context.settings.target.as_ref().map_or("host", |name| name.value.as_str());
        let known = of_env.iter().map(|target| target.name.as_str());
        return Err(LockedError::NoTarget {
            nearest: nearest(wanted, known).map(str::to_owned),
            target: wanted.to_owned(),
            env: context.settings.env.to_string(),
        });
    };
    let is_asked = |group: &Option<GroupName>| {
        groups.is_empty() || group.as_ref().is_none_or(|group| groups.contains(group))
    };
    let belongs = |package: &&LockedPackage| {
        package
            .members
            .iter()
            .any(|m| m.target == target.name && m.env == target.env && is_asked(&m.group))
    };
    let mut packages: Vec<LockedPackage> = lock.packages.iter().filter(belongs).cloned().collect();
    packages.sort_by(|a, b| (&a.name, a.kind).cmp(&(&b.name, b.kind)));
    let others = of_env.iter().filter(|other| other.name != target.name);
    Ok(Locked {
        others: others.map(|other| other.name.clone()).collect(),
        target: target.clone(),
        packages,
    })
}

/// Names that the lock has not, told with the nearest that it has.
fn check_names(lock: &Lock, env: &EnvName, groups: &[GroupName]) -> Result<(), LockedError> {
    let envs: BTreeSet<String> = lock.targets.iter().map(|it| it.env.to_string()).collect();
    if !envs.is_empty() && !envs.contains(env.as_str()) {
        let known = envs.into_iter().collect();
        return Err(UnknownEnvironment { name: env.clone(), known }.into());
    }
    let members = lock.packages.iter().flat_map(|package| &package.members);
    let known: BTreeSet<String> =
        members.filter_map(|member| member.group.as_ref()).map(ToString::to_string).collect();
    match groups.iter().find(|group| !known.contains(group.as_str())) {
        Some(group) => {
            let known = known.into_iter().collect();
            Err(UnknownGroup { name: group.clone(), known }.into())
        }
        None => Ok(()),
    }
}

impl Locked {
    /// The package of that name, as Python compares names.
    ///
    /// # Errors
    /// The lock has none.
    pub fn package(&self, name: &str) -> Result<&LockedPackage, LockedError> {
        let normal = normal(name);
        let found = self.packages.iter().find(|package| package.name == normal);
        found.ok_or_else(|| LockedError::NoPackage {
            name: name.to_owned(),
            nearest: nearest(&normal, self.packages.iter().map(|p| p.name.as_str()))
                .map(str::to_owned),
        })
    }

    /// The bytes of a package's file on this target, where known.
    pub fn size(&self, package: &LockedPackage) -> Option<u64> {
        let own = package.files.iter().find(|file| file.targets.contains(&self.target.name));
        own?.size
    }

    /// The names that need `name`, sorted.
    pub fn needed_by(&self, name: &str) -> Vec<&str> {
        let needs = |package: &&LockedPackage| package.requires.iter().any(|one| one == name);
        self.packages.iter().filter(needs).map(|package| package.name.as_str()).collect()
    }

    /// The packages that no other one needs: what rocm.toml asked for.
    pub fn roots(&self) -> Vec<&LockedPackage> {
        let needed: BTreeSet<&str> =
            self.packages.iter().flat_map(|p| p.requires.iter()).map(String::as_str).collect();
        let asked = |package: &&LockedPackage| {
            !needed.contains(package.name.as_str()) || package.reason.contains(".toml")
        };
        self.packages.iter().filter(asked).collect()
    }

    /// Every shortest way from something that rocm.toml asked for to `name`, first to last.
    pub fn ways_to(&self, name: &str) -> Vec<Vec<&str>> {
        let mut ways = Vec::new();
        for root in self.roots() {
            if let Some(way) = self.way(&root.name, name) {
                ways.push(way);
            }
        }
        ways
    }

    fn way<'a>(&'a self, from: &'a str, to: &str) -> Option<Vec<&'a str>> {
        let mut before: BTreeMap<&str, &str> = BTreeMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            if at == to {
                let mut way = vec![at];
                while let Some(&previous) = way.last().and_then(|last| before.get(last)) {
                    way.push(previous);
                }
                way.reverse();
                return Some(way);
            }
            let Some(package) = self.packages.iter().find(|package| package.name == at) else {
                continue;
            };
            for next in &package.requires {
                if next != from && !before.contains_key(next.as_str()) {
                    before.insert(next, at);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

/// A package's name as the lock writes it.
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

/// The lock says nothing of it.
#[derive(Debug, thiserror::Error)]
pub enum LockedError {
    /// No project.
    #[error(transparent)]
    Project(#[from] ProjectNotFound),
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is damaged.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// There is none.
    #[error("the project has no `rocm.lock` yet")]
    Missing,
    /// No such environment.
    #[error(transparent)]
    Environment(#[from] UnknownEnvironment),
    /// No such group.
    #[error(transparent)]
    Group(#[from] UnknownGroup),
    /// No such target.
    #[error("`rocm.lock` has no environment `{env}` for target `{target}`")]
    NoTarget {
        /// The target.
        target: String,
        /// The environment.
        env: String,
        /// A target that is spelt like it.
        nearest: Option<String>,
    },
    /// No such package.
    #[error("`rocm.lock` has no package `{name}`")]
    NoPackage {
        /// Its name.
        name: String,
        /// A package that is spelt like it.
        nearest: Option<String>,
    },
}

impl Failure for LockedError {
    fn exit(&self) -> Exit {
        match self {
            Self::Project(inner) => inner.exit(),
            Self::File(inner) => inner.exit(),
            Self::Lock(inner) => inner.exit(),
            Self::Environment(inner) => inner.exit(),
            Self::Group(inner) => inner.exit(),
            Self::Missing | Self::NoTarget { .. } => Exit::Stale,
            Self::NoPackage { .. } => Exit::Unmet,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Project(inner) => inner.code(),
            Self::File(inner) => inner.code(),
            Self::Lock(inner) => inner.code(),
            Self::Environment(inner) => inner.code(),
            Self::Group(inner) => inner.code(),
            Self::Missing => Some("lock-missing"),
            Self::NoTarget { .. } => Some("target-not-locked"),
            Self::NoPackage { .. } => Some("package-not-locked"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Project(inner) => inner.help(),
            Self::File(inner) => inner.help(),
            Self::Lock(inner) => inner.help(),
            Self::Environment(inner) => inner.help(),
            Self::Group(inner) => inner.help(),
            Self::NoTarget { nearest: Some(near), .. } => {
                Some(format!("rocmenv --target {near} list"))
            }
            Self::NoPackage { nearest: Some(near), .. } => Some(format!("rocmenv info {near}")),
            Self::NoPackage { nearest: None, .. } => Some("rocmenv list".to_owned()),
            Self::Missing | Self::NoTarget { .. } => Some("rocmenv lock".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rocmenv_manifests::lock::{ArtifactKind, Contract};

    fn package(name: &str, requires: &[&str], reason: &str) -> LockedPackage {
        LockedPackage {
            name: name.to_owned(),
            version: "1".to_owned(),
            index: rocmenv_manifests::name::IndexName::python(),
            kind: ArtifactKind::Wheel,
            members: Vec::new(),
            files: Vec::new(),
            requires: requires.iter().map(|&name| name.to_owned()).collect(),
            reason: reason.to_owned(),
        }
    }

    fn locked() -> Locked {
        Locked {
            target: LockedTarget {
                name: TargetName::host(),
                env: EnvName::default_env(),
                inputs: rocmenv_manifests::digest::Sha256::of(b""),
                rocm: None,
                channel: None,
                python: None,
                notes: Vec::new(),
                contract: Contract::default(),
            },
            packages: vec![
                package("jax", &["jaxlib", "numpy"], "rocm.toml:7 jax"),
                package("jaxlib", &["numpy", "scipy"], "jax"),
                package("numpy", &[], "rocm.toml:9 numpy"),
                package("scipy", &["numpy"], "jaxlib"),
            ],
            others: Vec::new(),
        }
    }

    #[test]
    fn what_was_asked_is_a_root_even_where_others_need_it() {
        let locked = locked();
        let roots: Vec<&str> = locked.roots().iter().map(|p| p.name.as_str()).collect();
        assert_eq!(roots, ["jax", "numpy"]);
        assert_eq!(locked.needed_by("numpy"), ["jax", "jaxlib", "scipy"]);
    }

    #[test]
    fn ways_are_shortest_and_begin_at_what_was_asked() {
        let locked = locked();
        assert_eq!(locked.ways_to("scipy"), [vec!["jax", "jaxlib", "scipy"]]);
        assert_eq!(locked.ways_to("numpy"), [vec!["jax", "numpy"], vec!["numpy"]]);
        assert!(locked.ways_to("torch").is_empty());
    }

    #[test]
    fn names_are_found_as_python_compares_them() {
        assert_eq!(locked().package("JaxLib").unwrap().name, "jaxlib");
        let error = locked().package("sipy").unwrap_err();
        assert_eq!(error.help().as_deref(), Some("rocmenv info scipy"));
    }
}
