//! Why a scenario does not fit.

use rocmenv_manifests::project::did_you_mean;

use crate::error::{Exit, Failure};
use crate::ops::check::CheckFailure;
use crate::ops::host::HostError;
use crate::ops::lock::TargetsError;

/// No scenario was made.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// No such scenario.
    #[error("no template is called `{name}`{}", did_you_mean(.nearest.as_deref()))]
    Unknown {
        /// As written.
        name: String,
        /// The nearest that is known.
        nearest: Option<String>,
    },
    /// The question about its stack cannot be asked.
    #[error(transparent)]
    Check(#[from] CheckFailure),
    /// Its stack does not go together on the target.
    #[error("the template's stack cannot be had for {host}: {why}")]
    Refused {
        /// Whom it is for.
        host: String,
        /// The first reason.
        why: String,
        /// The question to ask for the whole answer.
        question: String,
    },
    /// The framework is served in images only.
    #[error(
        "{framework} for ROCm {rocm} is served as a container image, not as wheels that can be locked"
    )]
    ImageOnly {
        /// The framework.
        framework: String,
        /// The release.
        rocm: String,
        /// The images that documents name, with their sources.
        images: Vec<(String, String)>,
        /// What it is built for as wheels, newest first (`10.0.0`).
        built: Vec<String>,
    },
    /// A number of parameters that is none.
    #[error("`{0}` is no number of parameters: write 7b or 500m")]
    Parameters(String),
    /// Weights that do not fit.
    #[error("{weights} of weights leave no room on {gpus} GPU(s) with {vram} each")]
    TooLarge {
        /// Their size.
        weights: String,
        /// How many GPUs.
        gpus: u32,
        /// The memory of the smallest.
        vram: String,
    },
    /// A precision that no document gives this GPU.
    #[error("no document that was read gives {gfx} matrix products in fp8")]
    NoFp8 {
        /// The GPU's target.
        gfx: String,
    },
    /// The described target cannot be a host.
    #[error(transparent)]
    Target(#[from] TargetsError),
    /// The host cannot be read.
    #[error(transparent)]
    Host(#[from] HostError),
    /// rocm.toml's own reader refuses the description.
    #[error("the described target cannot be used")]
    Described(#[source] rocmenv_manifests::project::ProjectError),
}

impl Failure for TemplateError {
    fn exit(&self) -> Exit {
        match self {
            Self::Unknown { .. } | Self::Parameters(_) | Self::Described(_) => Exit::Usage,
            Self::Check(inner) => inner.exit(),
            Self::Target(inner) => inner.exit(),
            Self::Host(inner) => inner.exit(),
            Self::Refused { .. }
            | Self::ImageOnly { .. }
            | Self::TooLarge { .. }
            | Self::NoFp8 { .. } => Exit::Unmet,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Unknown { .. } => Some("template-unknown"),
            Self::Check(inner) => inner.code(),
            Self::Target(inner) => inner.code(),
            Self::Host(inner) => inner.code(),
            Self::Refused { .. } => Some("template-refused"),
            Self::ImageOnly { .. } => Some("template-image-only"),
            Self::TooLarge { .. } | Self::NoFp8 { .. } | Self::Parameters(_) => {
                Some("template-model-too-large")
            }
            Self::Described(_) => None,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Unknown { .. } => Some("rocmenv init --list-templates".to_owned()),
            Self::Check(inner) => inner.help(),
            Self::Refused { question, .. } => Some(question.clone()),
            Self::ImageOnly { images, built, .. } if !images.is_empty() => {
                let pulls =
                    images.iter().map(|(name, source)| format!("docker pull {name}   # {source}"));
                let wheels = built.iter().map(|rocm| format!("--rocm {rocm}   # has wheels"));
                Some(pulls.chain(wheels).collect::<Vec<_>>().join("\n      "))
            }
            Self::TooLarge { .. } => {
                Some("a smaller --parameters, --precision fp8, or more GPUs".to_owned())
            }
            _ => None,
        }
    }
}
