//! The targets of a project, as hosts that can be solved for.

use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::project::{Project, TargetSpec, nearest};
use rocmenv_manifests::registry::{NameKind, Registry};
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::target::{Target, TargetError, from_host, from_spec};

use crate::error::{Exit, Failure};

/// One target of a project.
pub struct ProjectTarget<'p> {
    /// The host that is solved for.
    pub target: Target,
    /// Its description; `None` for the host itself.
    pub spec: Option<&'p TargetSpec>,
}

/// The targets in file order, or the host itself where the project describes none; only the one
/// that was asked for, if one was.
///
/// # Errors
/// A description that cannot be a host, or a target that the project does not have.
pub fn targets<'p>(
    project: &'p Project,
    registry: &Registry,
    host: &HostFacts,
    only: Option<&TargetName>,
) -> Result<Vec<ProjectTarget<'p>>, TargetsError> {
    let mut targets = Vec::new();
    for spec in &project.targets {
        let target = from_spec(spec, registry).map_err(|error| described(error, registry))?;
        targets.push(ProjectTarget { target, spec: Some(spec) });
    }
    if targets.is_empty() {
        let target = from_host(TargetName::host(), host, registry);
        targets.push(ProjectTarget { target, spec: None });
    }
    if let Some(name) = only {
        let known: Vec<String> = targets.iter().map(|one| one.target.name.to_string()).collect();
        targets.retain(|one| one.target.name == *name);
        if targets.is_empty() {
            return Err(TargetsError::Unknown { name: name.clone(), known });
        }
    }
    Ok(targets)
}

/// The project's targets cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TargetsError {
    /// A description that cannot be a host.
    #[error("{error}{}", suggestion(.nearest.as_deref()))]
    Described {
        /// What is wrong with it.
        error: TargetError,
        /// The nearest product, where one is not known.
        nearest: Option<String>,
    },
    /// No such target.
    #[error("no target `{name}` in `rocm.toml`{}", did_you_mean(name, known))]
    Unknown {
        /// The name.
        name: TargetName,
        /// Those that there are.
        known: Vec<String>,
    },
}

impl Failure for TargetsError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Described { error: TargetError::UnknownProduct { .. }, .. } => "unknown-product",
            Self::Described { error: TargetError::OtherGfx { .. }, .. } => "product-gfx",
            Self::Unknown { .. } => "unknown-target",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Described { .. } => "rocmenv matrix gpu".to_owned(),
            Self::Unknown { known, .. } => format!("--target {}", known.join(" or --target ")),
        })
    }
}

fn described(error: TargetError, registry: &Registry) -> TargetsError {
    let nearest = match &error {
        TargetError::UnknownProduct { product, .. } => registry.nearest(NameKind::Product, product),
        TargetError::OtherGfx { .. } => None,
    };
    TargetsError::Described { error, nearest }
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn did_you_mean(name: &TargetName, known: &[String]) -> String {
    let nearest = nearest(name.as_str(), known.iter().map(String::as_str));
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}
