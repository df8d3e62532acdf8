//! rocm.lock from text: what is damaged or newer is named, nothing is guessed.

use std::str::FromStr;

use serde::Deserialize;

use super::types::{
    ArtifactKind, Contract, ContractItem, Lock, LockedFile, LockedPackage, LockedPython,
    LockedTarget, Membership, Note,
};
use super::{LockError, VERSION};
use crate::digest::Sha256;
use crate::name::{EnvName, IndexName, TargetName};
use crate::project::Place;
use crate::python::WheelName;
use crate::version::{Dotted, RocmVersion};

impl Lock {
    /// Reads the text of a rocm.lock.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let document = toml_edit::Document::parse(text).map_err(|error| LockError::Malformed {
            place: error.span().map(|span| Place::of(text, span.start)),
            problem: error.message().trim().to_owned(),
        })?;
        let version = document.get("version").and_then(toml_edit::Item::as_integer);
        match version {
            Some(version) if version == VERSION => {}
            Some(found) => return Err(LockError::OtherVersion { found }),
            None => return Err(LockError::NoVersion),
        }
        let raw = RawLock::deserialize(toml_edit::de::Deserializer::from(document));
        let raw = raw.map_err(|error| LockError::Malformed {
            place: error.span().map(|span| Place::of(text, span.start)),
            problem: error.message().trim().replace('\n', " "),
        })?;
        let counts: Vec<usize> = raw.target.iter().map(|target| target.packages).collect();
        let mut lock = Self {
            targets: raw.target.into_iter().map(target).collect::<Result<_, _>>()?,
            packages: raw.package.into_iter().map(package).collect::<Result<_, _>>()?,
        };
        lock.check(&counts)?;
        lock.sort();
        Ok(lock)
    }

    /// Every package and file belongs to a target that the lock has, and none is missing.
    fn check(&self, counts: &[usize]) -> Result<(), LockError> {
        for (target, &expected) in self.targets.iter().zip(counts) {
            let found = self.count(target);
            if found != expected {
                let name = target.name.clone();
                return Err(LockError::CutOff { target: name, expected, found });
            }
        }
        let known = |name: &TargetName| self.targets.iter().any(|target| target.name == *name);
        for package in &self.packages {
            let members = package.members.iter().map(|member| &member.target);
            let files = package.files.iter().flat_map(|file| &file.targets);
            if let Some(target) = members.chain(files).find(|name| !known(name)) {
                return Err(LockError::UnknownTarget {
                    package: package.name.clone(),
                    target: target.clone(),
                });
            }
            package.check_wheels()?;
        }
        Ok(())
    }
}

impl LockedPackage {
    /// A wheel's name says its project and version (PEP 427): a lock that was edited in one of
    /// the two places would name what it does not install.
    fn check_wheels(&self) -> Result<(), LockError> {
        if self.kind != ArtifactKind::Wheel {
            return Ok(());
        }
        let is_own = |file: &LockedFile| {
            let wheel = file.name.parse::<WheelName>();
            wheel.is_ok_and(|wheel| {
                wheel.name.as_ref() == self.name
                    && self.version.parse().is_ok_and(|version| wheel.version == version)
            })
        };
        match self.files.iter().find(|file| !is_own(file)) {
            None => Ok(()),
            Some(file) => Err(LockError::OtherWheel {
                package: self.name.clone(),
                version: self.version.clone(),
                file: file.name.clone(),
            }),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLock {
    #[serde(rename = "version")]
    _version: i64,
    #[serde(default)]
    target: Vec<RawTarget>,
    #[serde(default)]
    package: Vec<RawPackage>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawTarget {
    name: TargetName,
    env: EnvName,
    inputs: Sha256,
    rocm: Option<RocmVersion>,
    channel: Option<String>,
    python: Option<Dotted>,
    python_floor: Option<Dotted>,
    packages: usize,
    #[serde(default)]
    hard: Vec<String>,
    #[serde(default)]
    soft: Vec<String>,
    #[serde(default)]
    note: Vec<Note>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPackage {
    name: String,
    version: String,
    index: IndexName,
    kind: ArtifactKind,
    #[serde(default)]
    reason: String,
    #[serde(rename = "for", default)]
    members: Vec<String>,
    #[serde(default)]
    requires: Vec<String>,
    #[serde(default)]
    file: Vec<RawFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    name: String,
    sha256: Option<Sha256>,
    size: Option<u64>,
    #[serde(default)]
    targets: Vec<TargetName>,
}

fn target(raw: RawTarget) -> Result<LockedTarget, LockError> {
    let mut items = Vec::new();
    for (texts, hard) in [(raw.hard, true), (raw.soft, false)] {
        for text in texts {
            items.push(ContractItem { predicate: value(&text)?, hard });
        }
    }
    let python = raw.python.map(|series| LockedPython {
        floor: raw.python_floor.unwrap_or_else(|| series.clone()),
        series,
    });
    Ok(LockedTarget {
        name: raw.name,
        env: raw.env,
        inputs: raw.inputs,
        rocm: raw.rocm,
        channel: raw.channel,
        python,
        notes: raw.note,
        contract: Contract { items },
    })
}

fn package(raw: RawPackage) -> Result<LockedPackage, LockError> {
    let members = raw.members.iter().map(|text| value::<Membership>(text));
    Ok(LockedPackage {
        members: members.collect::<Result<_, _>>()?,
        name: raw.name,
        version: raw.version,
        index: raw.index,
        kind: raw.kind,
        files: raw
            .file
            .into_iter()
            .map(|file| LockedFile {
                name: file.name,
                sha256: file.sha256,
                size: file.size,
                targets: file.targets,
            })
            .collect(),
        requires: raw.requires,
        reason: raw.reason,
    })
}

fn value<T: FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, LockError> {
    text.parse()
        .map_err(|error: T::Err| LockError::Malformed { place: None, problem: error.to_string() })
}
