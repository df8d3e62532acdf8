//! The targets of a project, as hosts that can be solved for.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::project::{Project, TargetSpec, did_you_mean, nearest};
use rocmenv_manifests::registry::{NameKind, Registry};
use rocmenv_manifests::sourced::Origin;
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
        let target = described_target(spec, registry)?;
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

/// A described target, with every GPU of it known.
///
/// # Errors
/// A GPU that the registry does not have, or a product with another gfx target than it is.
pub fn described_target(spec: &TargetSpec, registry: &Registry) -> Result<Target, TargetsError> {
    let target = from_spec(spec, registry).map_err(|error| described(error, registry))?;
    check_gfx(&target, registry)?;
    Ok(target)
}

/// The project's targets cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TargetsError {
    /// A description that cannot be a host.
    #[error("{error}{}", did_you_mean(.nearest.as_deref()))]
    Described {
        /// What is wrong with it.
        error: TargetError,
        /// The nearest product, where one is not known.
        nearest: Option<String>,
    },
    /// A gfx target that the registry does not have.
    #[error("{origin}: target `{target}`: no gfx target `{gfx}` is known{}", did_you_mean(.nearest.as_deref()))]
    UnknownGfx {
        /// The target.
        target: TargetName,
        /// The gfx target.
        gfx: GfxTarget,
        /// The nearest that is known.
        nearest: Option<String>,
        /// Where it was said.
        origin: Origin,
    },
    /// A distribution that is one letter away from another.
    #[error("{origin}: target `{target}`: no system `{os}` is known; did you mean `{nearest}`?")]
    MisspeltOs {
        /// The target.
        target: TargetName,
        /// The system.
        os: Box<OsRelease>,
        /// What it may be meant to be.
        nearest: Box<OsRelease>,
        /// Where it was said.
        origin: Origin,
    },
    /// No such target.
    #[error("no target `{name}` in `rocm.toml`{}", nearest_target(name, known))]
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
            Self::Described { error: TargetError::UnknownProduct { .. }, .. }
            | Self::UnknownGfx { .. } => "unknown-product",
            Self::Described { error: TargetError::OtherGfx { .. }, .. } => "product-gfx",
            Self::MisspeltOs { .. } => "unknown-name",
            Self::Unknown { .. } => "unknown-target",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Described { .. } | Self::UnknownGfx { .. } => "rocmenv matrix gpu".to_owned(),
            Self::MisspeltOs { .. } => "rocmenv explain unknown-name".to_owned(),
            Self::Unknown { known, .. } => format!("--target {}", known.join(" or --target ")),
        })
    }
}

/// A described system whose distribution is a misspelling. It would be taken for one of which
/// nothing is known, and everything about it would go unchecked.
///
/// # Errors
/// It is one.
pub fn check_systems(
    targets: &[ProjectTarget<'_>],
    registry: &Registry,
) -> Result<(), TargetsError> {
    for one in targets.iter().filter(|one| one.spec.is_some()) {
        let Some(os) = &one.target.os else { continue };
        if let Some(nearest) = nearest_system(&os.value, registry) {
            let (target, origin) = (one.target.name.clone(), os.origin.clone());
            let (os, nearest) = (Box::new(os.value.clone()), Box::new(nearest));
            return Err(TargetsError::MisspeltOs { target, os, nearest, origin });
        }
    }
    Ok(())
}

/// The same release of the distribution that may be meant.
pub fn nearest_system(os: &OsRelease, registry: &Registry) -> Option<OsRelease> {
    let distribution = registry.misspelt_distribution(os)?;
    Some(OsRelease { distribution, version: os.version.clone() })
}

/// A described GPU that nobody knows is a misspelt one: what is new comes in an overlay.
fn check_gfx(target: &Target, registry: &Registry) -> Result<(), TargetsError> {
    for gpu in target.gpus.iter().flatten() {
        let Some(gfx) = gpu.value.gfx else { continue };
        let name = gfx.to_string();
        if !registry.knows(NameKind::Gfx, &name) {
            return Err(TargetsError::UnknownGfx {
                target: target.name.clone(),
                gfx,
                nearest: registry.nearest(NameKind::Gfx, &name),
                origin: gpu.origin.clone(),
            });
        }
    }
    Ok(())
}

fn described(error: TargetError, registry: &Registry) -> TargetsError {
    let nearest = match &error {
        TargetError::UnknownProduct { product, .. } => registry.nearest(NameKind::Product, product),
        TargetError::OtherGfx { .. } => None,
    };
    TargetsError::Described { error, nearest }
}

fn nearest_target(name: &TargetName, known: &[String]) -> String {
    did_you_mean(nearest(name.as_str(), known.iter().map(String::as_str)))
}
