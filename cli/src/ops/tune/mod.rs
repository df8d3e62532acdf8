//! `tune`: advice for a target, and profiles of variables that activation sets.

mod apply;

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::project::nearest;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::tuning::{TuningRule, Workload};
use rocmenv_manifests::version::RocmVersion;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::target::{Target, from_host};
use rocmenv_resolver::tune::{self, Batch, ModelSize, Setting};

pub use apply::{Applied, apply, undo};

use super::host::HostOptions;
use super::project::Opened;
use super::{host, lock, locked, project, registry};
use crate::context::Context;
use crate::error::{Error, Exit, Failure};

/// What advice is asked for.
#[derive(Debug, Clone, Default)]
pub struct TuneOptions {
    /// What the machine is used for.
    pub workload: Option<Workload>,
}

/// Advice.
#[derive(Debug, Clone)]
pub struct TuneOutcome {
    /// For whom, in words.
    pub target: String,
    /// The rules that hold.
    pub rules: Vec<TuningRule>,
    /// The smallest GPU's memory in bytes, where known.
    pub vram: Option<u64>,
    /// ResNet-50's batch for it.
    pub images: Option<Batch>,
    /// The language model that one GPU can train, with its sequences of 1,024 tokens.
    pub language_model: Option<(ModelSize, u32)>,
}

/// Advice for the call's target, else for this host.
///
/// # Errors
/// There is no such target, or the registry or the host cannot be read.
pub fn advise(context: &Context, options: &TuneOptions) -> Result<TuneOutcome, Error> {
    let registry = registry::load(context)?;
    let facts = host::facts(context, &registry, &HostOptions::default())?;
    let opened = project::open(context).ok();
    let target = target(context, &registry, opened.as_ref(), &facts)?;
    let mut gfx: Vec<GfxTarget> = Vec::new();
    for gpu in target.gpus.iter().flatten().map(|gpu| &gpu.value) {
        if let Some(own) = gpu.gfx {
            gfx.extend(std::iter::repeat_n(own, gpu.count as usize));
        }
    }
    let vram = smallest_vram(&registry, &target);
    let setting = Setting {
        gfx,
        rocm: rocm(context),
        frameworks: opened.map(|opened| frameworks(context, &opened)).unwrap_or_default(),
        is_windows: target.family == OsFamily::Windows,
        workload: options.workload,
    };
    let rules = tune::advice(&registry, &setting).into_iter().cloned().collect();
    Ok(TuneOutcome {
        target: target.name.to_string(),
        rules,
        vram,
        images: vram.map(tune::batch_size),
        language_model: vram.map(|vram| tune::llm_batch(vram, 1024)),
    })
}

/// The memory of a target's smallest GPU in bytes, where the registry has it for all of them.
pub fn smallest_vram(registry: &Registry, target: &Target) -> Option<u64> {
    let memory = |product: &str| {
        let mut rows = registry.products().product.iter();
        let row = rows.find(|row| row.names.iter().any(|name| name == product))?;
        row.vram_gib.map(|gib| u64::from(gib) << 30)
    };
    let all: Option<Vec<u64>> =
        target.gpus.iter().flatten().map(|gpu| memory(gpu.value.product.as_deref()?)).collect();
    all?.into_iter().min()
}

/// The call's target of the project, else this host.
fn target(
    context: &Context,
    registry: &Registry,
    opened: Option<&Opened>,
    facts: &HostFacts,
) -> Result<Target, Error> {
    let Some(opened) = opened else {
        return Ok(from_host(TargetName::host(), facts, registry));
    };
    let only = context.settings.target.as_ref().map(|name| &name.value);
    let targets = lock::targets(&opened.project, registry, facts, only)?;
    let first = targets.into_iter().next().map(|one| one.target);
    Ok(first.unwrap_or_else(|| from_host(TargetName::host(), facts, registry)))
}

/// What is locked; without a lock, no release is known.
fn rocm(context: &Context) -> Option<RocmVersion> {
    locked::open(context, &[]).ok()?.target.rocm
}

fn frameworks(context: &Context, opened: &Opened) -> Vec<String> {
    let env = opened.project.environments.get(&context.settings.env);
    let frameworks = env.into_iter().flat_map(|env| &env.frameworks);
    frameworks.map(|framework| framework.name.clone()).collect()
}

/// Nothing was applied or taken back.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// No such rule.
    #[error("no tuning rule is called `{name}`{}", rocmenv_manifests::project::did_you_mean(.nearest.as_deref()))]
    Unknown {
        /// As written.
        name: String,
        /// The nearest that is known.
        nearest: Option<String>,
    },
    /// A rule of advice.
    #[error("`{0}` sets no variable: it is advice for a person")]
    SetsNothing(String),
    /// rocm.toml has its own value.
    #[error("rocm.toml sets {variable} to `{own}` already, not to `{wanted}`")]
    Taken {
        /// The variable.
        variable: String,
        /// What it says.
        own: String,
        /// What the rule says.
        wanted: String,
    },
    /// `tune` is something else.
    #[error("`tune` in rocm.toml is no table")]
    NoTable,
    /// rocm.toml is no TOML.
    #[error("rocm.toml cannot be edited")]
    Manifest(#[source] toml_edit::TomlError),
    /// The record of what was applied is damaged.
    #[error("the record of what was applied cannot be used")]
    Kept(#[source] serde_json::Error),
    /// There is nothing to take back.
    #[error("nothing was applied that could be taken back")]
    NothingApplied,
}

impl TuneError {
    fn unknown(name: &str, rules: &[TuningRule]) -> Self {
        let known = rules.iter().map(|rule| rule.name.as_str());
        Self::Unknown { name: name.to_owned(), nearest: nearest(name, known).map(str::to_owned) }
    }
}

impl Failure for TuneError {
    fn exit(&self) -> Exit {
        match self {
            Self::Kept(_) => Exit::Integrity,
            Self::Taken { .. } | Self::NothingApplied => Exit::Unmet,
            _ => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Unknown { .. } | Self::SetsNothing(_) => Some("tune-unknown-rule"),
            Self::Taken { .. } => Some("tune-variable-taken"),
            Self::NothingApplied | Self::Kept(_) => Some("tune-nothing-applied"),
            Self::NoTable | Self::Manifest(_) => None,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Taken { .. } => Some("edit [tune] in rocm.toml".to_owned()),
            _ => Some("rocmenv tune".to_owned()),
        }
    }
}
