//! The stack of a question out of the registry: everything judged for one target.
//!
//! The solver asks no registry; what it must know is stated here as plain data, with the verdicts
//! and their documents.

mod archives;
mod components;
mod frameworks;
mod packages;
mod releases;

use std::collections::BTreeMap;

use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::project::ChannelChoice;
use rocmenv_manifests::registry::query::{KnownGpu, System};
use rocmenv_manifests::registry::verdict::{Judgement as Said, Reason, Verdict};
use rocmenv_manifests::registry::{Registry, rows::support::Platform};

use super::fixes::channel_text;
use super::stack::{Grade, Judgement, Stack};
use crate::target::{Target, TargetGpu};

/// What of the registry a question needs.
#[derive(Debug, Clone, Copy)]
pub struct StackRequest<'r> {
    /// The registry.
    pub registry: &'r Registry,
    /// The target.
    pub target: &'r Target,
    /// `[rocm] channel`.
    pub channel: &'r ChannelChoice,
    /// The Python series that is asked for, where it is one (`3.12`).
    pub python: Option<&'r str>,
}

impl Stack {
    /// The stack that the registry knows for a target, whatever the Python.
    pub fn of(registry: &Registry, target: &Target, channel: &ChannelChoice) -> Self {
        Self::of_request(&StackRequest { registry, target, channel, python: None })
    }

    /// The stack that the registry knows for a target.
    pub fn of_request(request: &StackRequest<'_>) -> Self {
        let releases = releases::of(request);
        let named = match request.channel {
            ChannelChoice::Named(name) => Some(name.to_string()),
            _ => None,
        };
        Self {
            asked_channel: (*request.channel != ChannelChoice::Auto)
                .then(|| channel_text(request.channel)),
            channel: named,
            frameworks: frameworks::of(request, &releases),
            builds: packages::builds(request),
            bindings: packages::bindings(request, &releases),
            together: packages::together(request.registry),
            reserved: packages::reserved(request.registry),
            metas: packages::metas(request.registry),
            modules: packages::modules(request.registry),
            components: components::of(request, &releases),
            host_only: request.registry.components().host_only.iter().cloned().collect(),
            interpreter_debs: BTreeMap::new(),
            archives: archives::of(request, &releases),
            releases,
        }
    }
}

impl StackRequest<'_> {
    fn gpus(&self) -> Vec<KnownGpu> {
        gpus_of(self.registry, self.target)
    }

    fn system(&self) -> Option<System> {
        system_of(self.target)
    }

    fn platform(&self) -> Platform {
        platform_of(self.target)
    }
}

/// The platform of a target, in the registry's words.
pub(super) fn platform_of(target: &Target) -> Platform {
    match target.family {
        OsFamily::Windows => Platform::Windows,
        OsFamily::Linux if target.wsl => Platform::Wsl,
        OsFamily::Linux => Platform::Linux,
    }
}

/// The GPUs of a target as the registry knows them.
pub(super) fn gpus_of(registry: &Registry, target: &Target) -> Vec<KnownGpu> {
    let known = |gpu: &TargetGpu| {
        let named = gpu.product.as_deref().and_then(|name| registry.gpu_named(name));
        named.or_else(|| gpu.gfx.map(|gfx| registry.gpu_of_target(gfx)))
    };
    let gpus = target.gpus.iter().flatten();
    gpus.filter_map(|gpu| known(&gpu.value)).collect()
}

/// The operating system of a target.
pub(super) fn system_of(target: &Target) -> Option<System> {
    let os = target.os.as_ref()?.value.clone();
    Some(System { os, wsl: target.wsl })
}

/// The registry's judgement in the solver's words.
fn judgement(said: &Said, about: &str) -> Judgement {
    let grade = match said.verdict {
        Verdict::Listed => Grade::Listed,
        Verdict::BuiltNotListed => Grade::Built,
        Verdict::NotKnown => Grade::Unknown,
        Verdict::StatedNo | Verdict::KnownBad => Grade::Refused,
    };
    let source = said.evidence.first().map(ToString::to_string);
    let text = match &said.reason {
        Reason::NothingRead(_) => said.reason.to_string(),
        reason => format!("{about}: {reason}"),
    };
    Judgement { grade, text, source }
}

/// The worst of several judgements on one thing.
fn worst(judgements: impl IntoIterator<Item = Judgement>) -> Option<Judgement> {
    judgements.into_iter().max_by_key(|judgement| judgement.grade)
}
