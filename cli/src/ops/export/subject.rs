//! What every format speaks of: one environment of the lock with what rocm.toml says of it.

use std::collections::BTreeMap;

use rocmenv_manifests::lock::{ArtifactKind, LockedTarget, Predicate};
use rocmenv_manifests::name::{IndexName, TargetName};
use rocmenv_manifests::plan::{self, Artifact};
use rocmenv_manifests::platform::{Arch, OsFamily, OsRelease};
use rocmenv_manifests::project::{IndexKind, Project, TargetSpec};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::channels::Layout;
use rocmenv_resolver::target::from_host;
use rocmenv_store::fetch::split_login;
use url::Url;

use super::{ExportError, ExportOptions};
use crate::context::Context;
use crate::error::Error;
use crate::ops::host::{self, HostOptions};
use crate::ops::{locked, project, registry};
use crate::project_root::ProjectRoot;

/// One environment on one target, as it is locked.
pub(super) struct Subject {
    pub(super) options: ExportOptions,
    pub(super) root: ProjectRoot,
    pub(super) project: Project,
    pub(super) registry: Registry,
    pub(super) target: LockedTarget,
    /// Its artifacts, sorted by kind and name.
    pub(super) artifacts: Vec<Artifact>,
    /// What each package needs, by name.
    pub(super) requires: BTreeMap<String, Vec<String>>,
    /// The system of this host, where the lock was made for it.
    pub(super) host_os: Option<OsRelease>,
}

/// How packages of an index are found by tools that are not rocmenv.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum IndexAddress {
    /// A simple index at this address.
    Simple(String),
    /// A page or folder of links.
    Links(String),
    /// The user's own configuration.
    Configured,
}

impl Subject {
    pub(super) fn open(context: &Context, options: &ExportOptions) -> Result<Self, Error> {
        let opened = project::open_environment(context)?;
        let found = locked::open(context, &[])?;
        project::check_groups(&opened.project, &options.groups)?;
        let registry = registry::load(context)?;
        let is_host = found.target.name == TargetName::host();
        let host_os = if is_host {
            let facts = host::facts(context, &registry, &HostOptions::default())?;
            from_host(TargetName::host(), &facts, &registry).os.map(|os| os.value)
        } else {
            None
        };
        let lock = locked::read(&opened.root)?;
        let target = found.target;
        let artifacts = plan::artifacts(&lock, &target.name, &target.env, &options.groups);
        let here = |name: &String| artifacts.iter().any(|artifact| artifact.name == *name);
        let requires = found.packages.iter().filter(|package| here(&package.name));
        let requires = requires
            .map(|package| {
                let needs = package.requires.iter().filter(|name| here(name)).cloned().collect();
                (package.name.clone(), needs)
            })
            .collect();
        Ok(Self {
            options: options.clone(),
            registry,
            root: opened.root,
            project: opened.project,
            target,
            artifacts,
            requires,
            host_os,
        })
    }

    /// The target as rocm.toml describes it; none for the host itself.
    pub(super) fn described(&self) -> Option<&TargetSpec> {
        self.project.targets.iter().find(|spec| spec.name == self.target.name)
    }

    /// What pip and uv can install, each with its hash.
    pub(super) fn python(&self) -> Result<Vec<(&Artifact, String)>, ExportError> {
        let python = self.artifacts.iter().filter(|artifact| is_python(artifact));
        let mut hashed = Vec::new();
        let mut open = Vec::new();
        for artifact in python {
            match artifact.sha256 {
                Some(sha256) => hashed.push((artifact, sha256.to_string())),
                None => open.push(artifact.file.clone()),
            }
        }
        hashed.sort_by(|a, b| a.0.name.cmp(&b.0.name));
        if open.is_empty() { Ok(hashed) } else { Err(ExportError::Gaps { files: open }) }
    }

    /// The names of what pip and uv cannot install.
    pub(super) fn not_python(&self) -> Vec<String> {
        let others = self.artifacts.iter().filter(|artifact| !is_python(artifact));
        others.map(|artifact| artifact.name.clone()).collect()
    }

    /// Where an index is for other tools. A project's own replaces one of the registry; the
    /// general one is never named.
    pub(super) fn address(&self, index: &IndexName) -> IndexAddress {
        if *index == IndexName::python() {
            return IndexAddress::Configured;
        }
        if let Some(own) = self.project.indexes.iter().find(|spec| spec.name == *index) {
            let text = match Url::parse(&own.url.value) {
                // a login stays where the user keeps it
                Ok(url) => split_login(url).0.to_string(),
                Err(_) => own.url.value.clone(),
            };
            return match own.kind {
                IndexKind::FindLinks => IndexAddress::Links(text),
                _ => IndexAddress::Simple(text),
            };
        }
        let known = self.registry.wheel_indexes().into_iter().find(|known| known.name == *index);
        match known.and_then(|known| Some((known.channel.layout?, known.url?))) {
            Some((Layout::Folder, url)) => IndexAddress::Links(url),
            Some((_, url)) => IndexAddress::Simple(url),
            None => IndexAddress::Configured,
        }
    }

    /// The system that the target's containers have: as described, else as the lock demands, else
    /// this host's where it is the target.
    pub(super) fn os(&self) -> Option<OsRelease> {
        let described = self.described().and_then(|spec| spec.os.as_ref());
        let demanded = || {
            self.target.contract.items.iter().find_map(|item| match &item.predicate {
                Predicate::Distribution(text) => text.parse().ok(),
                _ => None,
            })
        };
        described.map(|os| os.value.clone()).or_else(demanded).or_else(|| self.host_os.clone())
    }

    pub(super) fn os_family(&self) -> OsFamily {
        let family = self.target.contract.items.iter().find_map(|item| match item.predicate {
            Predicate::OsFamily(family) => Some(family),
            _ => None,
        });
        family.unwrap_or(OsFamily::Linux)
    }

    pub(super) fn arch(&self) -> Arch {
        let arch = self.target.contract.items.iter().find_map(|item| match item.predicate {
            Predicate::Arch(arch) => Some(arch),
            _ => None,
        });
        arch.unwrap_or_default()
    }

    /// The stack in a few words, for the head of a file.
    pub(super) fn title(&self) -> String {
        let mut words = vec![format!("target {}", self.target.name)];
        if !self.target.env.is_default() {
            words.push(format!("environment {}", self.target.env));
        }
        if let Some(rocm) = &self.target.rocm {
            words.push(format!("ROCm {rocm}"));
        }
        if let Some(python) = &self.target.python {
            words.push(format!("Python {}", python.series));
        }
        words.join(", ")
    }
}

fn is_python(artifact: &Artifact) -> bool {
    matches!(artifact.kind, ArtifactKind::Wheel | ArtifactKind::RocmMeta)
}
