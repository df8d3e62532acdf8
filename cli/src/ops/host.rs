//! The host of a call: probed, or read from a file, with single facts replaced.

use std::path::PathBuf;

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_resolver::host::{
    HostFacts, HostFileError, LiveSysroot, OverrideError, Overrides, ProbeOptions, probe,
    read_host_file,
};

use super::files::{self, FileError};
use crate::context::Context;
use crate::error::{Exit, Failure};

/// How the host is looked at.
#[derive(Debug, Clone, Default)]
pub struct HostOptions {
    /// Facts in place of those found, `KEY=VALUE`.
    pub set: Vec<String>,
    /// Whether interpreters are looked for, which takes most of the time.
    pub interpreters: bool,
}

/// The facts of this call's host: `--host FILE`, else the machine.
///
/// # Errors
/// The file cannot be used, or a fact cannot be replaced so.
pub fn facts(
    context: &Context,
    registry: &Registry,
    options: &HostOptions,
) -> Result<HostFacts, HostError> {
    let facts = match &context.settings.host_file {
        Some(file) => from_file(context, &file.value)?,
        None => probed(context, registry, options.interpreters),
    };
    let mut overrides = Overrides::default();
    for text in &options.set {
        overrides.set_text(Sourced::new(text.clone(), Origin::Flag("--set".to_owned())))?;
    }
    Ok(overrides.apply(&facts, registry)?)
}

fn from_file(context: &Context, path: &std::path::Path) -> Result<HostFacts, HostError> {
    let path = context.cwd.join(path);
    let text = files::read(&path)?;
    read_host_file(&text).map_err(|source| HostError::NotHost { path, source })
}

fn probed(context: &Context, registry: &Registry, interpreters: bool) -> HostFacts {
    let variables =
        context.environment.all().iter().filter_map(|(name, value)| {
            Some((name.to_str()?.to_owned(), value.to_str()?.to_owned()))
        });
    let disks = [Some(context.start()), context.data().ok(), context.cache().ok()];
    let options = ProbeOptions {
        products: registry,
        disks: disks.into_iter().flatten().collect(),
        interpreters,
    };
    let machine = LiveSysroot::new(variables.collect()).remembering(context.answers.clone());
    probe(&machine, &options)
}

/// The host cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The host file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is something else.
    #[error("`{}` is no host file", path.display())]
    NotHost {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: HostFileError,
    },
    /// A fact cannot be replaced so.
    #[error(transparent)]
    Override(#[from] OverrideError),
}

impl Failure for HostError {
    fn exit(&self) -> Exit {
        match self {
            // Whoever named the file named a wrong one.
            Self::File(_) | Self::NotHost { .. } | Self::Override(_) => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::File(inner) => inner.code(),
            Self::NotHost { .. } => Some("host-file-invalid"),
            Self::Override(_) => Some("fact-invalid"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::File(_) => None,
            Self::NotHost { .. } => Some("rocmenv host --json > host.json".to_owned()),
            Self::Override(_) => Some("rocmenv host --json".to_owned()),
        }
    }
}
