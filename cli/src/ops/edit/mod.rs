//! `add` and `remove`: changes to rocm.toml that were proven before they are written.

pub mod document;
mod from_env;
pub mod place;
pub mod request;

use rocmenv_manifests::name::{GroupName, IndexName};
use rocmenv_manifests::project::{Project, ProjectError, nearest};
use rocmenv_store::generation::GenerationError;

use self::document::{Change, ManifestText};
use self::place::{Place, StackNames, table};
use self::request::{Request, RequestError};
use super::environment::EnvironmentError;
use super::files::{self, FileError};
use super::project::{self, OpenError, Opened};
use crate::context::Context;
use crate::error::{Exit, Failure};

/// What `add` was asked.
#[derive(Debug, Clone, Default)]
pub struct AddOptions {
    /// Names with versions.
    pub requests: Vec<String>,
    /// Put Python packages into this group.
    pub group: Option<GroupName>,
    /// Take Python packages from this index only.
    pub index: Option<IndexName>,
    /// Every name is a Python package, whatever the registry says.
    pub only_packages: bool,
    /// Take over what somebody put into the environment.
    pub from_env: bool,
}

/// What `remove` was asked.
#[derive(Debug, Clone, Default)]
pub struct RemoveOptions {
    /// The names.
    pub names: Vec<String>,
    /// Look in this group.
    pub group: Option<GroupName>,
}

/// What was done.
#[derive(Debug, Clone)]
pub struct EditOutcome {
    /// The changes, in the order asked.
    pub changes: Vec<Change>,
    /// Names that look like slips: as written, and what was probably meant.
    pub slips: Vec<(String, String)>,
    /// What of the environment was not taken over, with the reason.
    pub left_out: Vec<(String, String)>,
    /// Whether rocm.toml was written.
    pub written: bool,
}

/// Adds requirements to rocm.toml.
///
/// # Errors
/// See [`EditError`].
pub fn add(
    context: &Context,
    names: &StackNames,
    options: &AddOptions,
) -> Result<EditOutcome, EditError> {
    let opened = project::open(context)?;
    if options.from_env {
        return from_env::take_over(context, &opened, names, options.group.as_ref());
    }
    let mut text = ManifestText::new(&opened.text).map_err(|_| EditError::NotEditable)?;
    let (mut changes, mut slips) = (Vec::new(), Vec::new());
    for written in &options.requests {
        let request: Request = written.parse()?;
        let unknown = || EditError::NoName { name: request.name.clone() };
        let place = if options.only_packages {
            Place::Package(request.name.parse().map_err(|_| unknown())?)
        } else {
            names.place(&request.name).ok_or_else(unknown)?
        };
        let path = table(&place, &context.settings.env, options.group.as_ref());
        changes.push(match &place {
            Place::Stack(key) => text.require(&path, key, &request, None),
            Place::Component(name) => text.add_component(name.as_str()),
            Place::Package(name) => {
                if let Some(meant) = names.slip_of(&request.name) {
                    slips.push((request.name.clone(), meant.to_owned()));
                }
                let index = options.index.as_ref().map(IndexName::as_str);
                text.require(&path, name.as_ref(), &request, index)
            }
        });
    }
    let written = write(context, &opened, &text.text())?;
    Ok(EditOutcome { changes, slips, left_out: Vec::new(), written })
}

/// Takes requirements out of rocm.toml.
///
/// # Errors
/// See [`EditError`].
pub fn remove(
    context: &Context,
    names: &StackNames,
    options: &RemoveOptions,
) -> Result<EditOutcome, EditError> {
    let opened = project::open(context)?;
    let mut text = ManifestText::new(&opened.text).map_err(|_| EditError::NotEditable)?;
    let mut changes = Vec::new();
    for name in &options.names {
        let unknown = || EditError::NoName { name: name.clone() };
        let place = names.place(name).ok_or_else(unknown)?;
        let group = options.group.as_ref();
        let env = &context.settings.env;
        let path = table(&place, env, group);
        let removed = match &place {
            Place::Component(component) => text.remove_component(component.as_str()),
            Place::Stack(key) => text.remove(&path, key),
            Place::Package(package) => text.remove(&path, package.as_ref()),
        };
        // What the registry calls a framework or component may stand among the packages, too.
        let as_package = || {
            let package = Place::Package(name.parse().ok()?);
            Some(table(&package, env, group))
        };
        let removed = match removed {
            Some(removed) => Some(removed),
            None => as_package().and_then(|path| text.remove(&path, name)),
        };
        let Some(change) = removed else {
            let present = text.names(&[path, as_package().unwrap_or_default()]);
            let near = nearest(name, present.iter().map(String::as_str)).map(str::to_owned);
            return Err(EditError::NotRequired { name: name.clone(), nearest: near });
        };
        changes.push(change);
    }
    let written = write(context, &opened, &text.text())?;
    Ok(EditOutcome { changes, slips: Vec::new(), left_out: Vec::new(), written })
}

/// A text that would not read again is never written.
pub(in crate::ops) fn write(
    context: &Context,
    opened: &Opened,
    text: &str,
) -> Result<bool, EditError> {
    Project::parse("rocm.toml", text).map_err(EditError::WouldBreak)?;
    if context.settings.dry_run || text == opened.text {
        return Ok(false);
    }
    files::replace(&opened.root.manifest(), text)?;
    Ok(true)
}

/// rocm.toml was not changed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// No project.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// There is no environment to take from.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// Its record cannot be read.
    #[error("the environment is damaged")]
    Record(#[from] GenerationError),
    /// A requirement that is none.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// No name of anything.
    #[error("`{name}` can name neither a framework nor a component nor a package")]
    NoName {
        /// As written.
        name: String,
    },
    /// The file reads, and yet cannot be edited.
    #[error("`rocm.toml` cannot be edited")]
    NotEditable,
    /// The change would leave a file that does not read.
    #[error("the change would break `rocm.toml`")]
    WouldBreak(#[source] ProjectError),
    /// It is not there.
    #[error("`rocm.toml` does not ask for `{name}`")]
    NotRequired {
        /// As written.
        name: String,
        /// What is there and spelt like it.
        nearest: Option<String>,
    },
}

impl Failure for EditError {
    fn exit(&self) -> Exit {
        match self {
            Self::Open(inner) => inner.exit(),
            Self::Environment(inner) => inner.exit(),
            Self::Record(inner) => inner.exit(),
            Self::Request(inner) => inner.exit(),
            Self::File(inner) => inner.exit(),
            _ => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Open(inner) => inner.code(),
            Self::Environment(inner) => inner.code(),
            Self::Record(inner) => inner.code(),
            Self::Request(inner) => inner.code(),
            Self::File(inner) => inner.code(),
            Self::NoName { .. } => Some("request-invalid"),
            Self::NotEditable | Self::WouldBreak(_) => Some("manifest-invalid"),
            Self::NotRequired { .. } => Some("not-required"),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Open(inner) => inner.help(),
            Self::Environment(inner) => inner.help(),
            Self::Record(inner) => inner.help(),
            Self::Request(inner) => inner.help(),
            Self::NotRequired { nearest: Some(near), .. } => Some(format!("rocmenv remove {near}")),
            Self::NotRequired { name, .. } => Some(format!("rocmenv why {name}")),
            _ => None,
        }
    }
}
