//! Names of the registry that rocm.toml uses: one that nobody knows is told before any solve,
//! with the nearest that exists.

use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::project::{ChannelChoice, PackageRequest, Project, did_you_mean, nearest};
use rocmenv_manifests::registry::rows::channels::{Channel, ChannelKind};
use rocmenv_manifests::registry::{NameKind, Registry};
use rocmenv_manifests::sourced::Origin;

use crate::error::{Exit, Failure};

/// Looks at every name of frameworks, components, channels and indexes.
///
/// # Errors
/// The first that nobody knows.
pub(super) fn check(project: &Project, registry: &Registry) -> Result<(), UnknownName> {
    for env in project.environments.values() {
        for framework in &env.frameworks {
            let origin = &framework.requirement.origin;
            check_framework(registry, &framework.name, origin)?;
        }
        check_indexes(project, registry, &env.packages)?;
    }
    for packages in project.groups.values() {
        check_indexes(project, registry, packages)?;
    }
    for component in &project.rocm.components {
        let name = component.value.as_str();
        known(registry, NameKind::Component, "component", name, &component.origin)?;
    }
    for (name, key) in &project.trusted_keys {
        check_trusted(registry, name, &key.origin)?;
    }
    if let ChannelChoice::Named(name) = &project.rocm.channel.value {
        let origin = &project.rocm.channel.origin;
        check_channel(project, registry, name.as_str(), origin)?;
    }
    Ok(())
}

/// A key is for an index of the registry: the name of a channel, or one that begins with it
/// (`amd-apt-classic-7.2.4`).
fn check_trusted(
    registry: &Registry,
    name: &IndexName,
    origin: &Origin,
) -> Result<(), UnknownName> {
    let text = name.as_str();
    let channels = || {
        let all = registry.channels().channel.iter();
        all.filter(|channel| channel.kind == ChannelKind::Deb && channel.key.is_some())
    };
    let is_of = |channel: &Channel| {
        let rest = text.strip_prefix(channel.name.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    if channels().any(is_of) {
        return Ok(());
    }
    let nearest = nearest(text, channels().map(|channel| channel.name.as_str()));
    Err(UnknownName {
        what: "apt repository",
        note: "",
        name: text.to_owned(),
        nearest: nearest.map(str::to_owned),
        origin: origin.clone(),
    })
}

fn check_channel(
    project: &Project,
    registry: &Registry,
    name: &str,
    origin: &Origin,
) -> Result<(), UnknownName> {
    if registry.knows(NameKind::Channel, name) {
        return Ok(());
    }
    // Which packages of it are which part of ROCm, only the registry could say.
    if project.indexes.iter().any(|index| index.name.as_str() == name) {
        return Err(UnknownName {
            what: "channel",
            note: "; an index of `[indexes]` is none by itself: `channel` names one of the registry, \
                   and `distro` takes ROCm from the distribution's archive",
            name: name.to_owned(),
            nearest: None,
            origin: origin.clone(),
        });
    }
    let near = nearest(name, CHANNEL_WORDS).map(str::to_owned);
    let near = near.or_else(|| registry.nearest(NameKind::Channel, name));
    Err(UnknownName {
        what: "channel",
        note: "",
        name: name.to_owned(),
        nearest: near,
        origin: origin.clone(),
    })
}

/// Whatever `[requires]` knows may have been meant, not only a framework.
fn check_framework(registry: &Registry, name: &str, origin: &Origin) -> Result<(), UnknownName> {
    known(registry, NameKind::Framework, FRAMEWORK, name, origin).map_err(|unknown| {
        let all = STACK_WORDS.into_iter().chain(unknown.nearest.as_deref());
        let near = nearest(name, all).map(str::to_owned);
        let nearest = near.or_else(|| unknown.nearest.clone());
        UnknownName { nearest, ..unknown }
    })
}

fn known(
    registry: &Registry,
    kind: NameKind,
    what: &'static str,
    name: &str,
    origin: &Origin,
) -> Result<(), UnknownName> {
    if registry.knows(kind, name) {
        return Ok(());
    }
    let nearest = registry.nearest(kind, name);
    Err(UnknownName { what, note: "", name: name.to_owned(), nearest, origin: origin.clone() })
}

fn check_indexes(
    project: &Project,
    registry: &Registry,
    packages: &[PackageRequest],
) -> Result<(), UnknownName> {
    for package in packages {
        let Some(index) = &package.index else { continue };
        let own = project.indexes.iter().map(|index| index.name.clone());
        let registered = registry.wheel_indexes().into_iter().map(|index| index.name);
        let names: Vec<IndexName> = own.chain(registered).collect();
        if !names.contains(index) {
            let nearest = nearest(index.as_str(), names.iter().map(IndexName::as_str));
            return Err(UnknownName {
                what: "index",
                note: "",
                name: index.to_string(),
                nearest: nearest.map(str::to_owned),
                origin: package.requirement.origin.clone(),
            });
        }
    }
    Ok(())
}

/// A name that neither rocm.toml nor the registry explains.
#[derive(Debug, thiserror::Error)]
#[error("{origin}: no {what} `{name}` is known{note}{}", did_you_mean(.nearest.as_deref()))]
pub(super) struct UnknownName {
    /// What it should name.
    pub what: &'static str,
    /// What else there is to say, from its semicolon on; mostly nothing.
    pub note: &'static str,
    /// The name.
    pub name: String,
    /// The nearest that exists.
    pub nearest: Option<String>,
    /// Where it was said.
    pub origin: Origin,
}

impl Failure for UnknownName {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn code(&self) -> Option<&'static str> {
        Some(if self.what == FRAMEWORK { "unknown-framework" } else { "unknown-name" })
    }

    fn help(&self) -> Option<String> {
        let page = self.code().unwrap_or_default();
        Some(format!("rocmenv explain {page}"))
    }
}

/// What `channel` may say beside the names of channels.
const CHANNEL_WORDS: [&str; 5] = ["auto", "amd", "therock", "distro", "host"];

/// What `[requires]` may name beside frameworks.
const STACK_WORDS: [&str; 3] = ["rocm", "python", "driver"];

/// What a name of `[requires]` is called.
const FRAMEWORK: &str = "framework";
