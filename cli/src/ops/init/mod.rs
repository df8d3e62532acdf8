//! `init`: a first rocm.toml, with defaults from the registry, and the .gitignore beside it.

mod defaults;
mod draft;
mod template;

use std::path::PathBuf;

use fs_err as fs;
use rocmenv_manifests::name::{ComponentName, TargetName};
use rocmenv_manifests::project::{Project, ProjectError, nearest};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::Requirement;

use super::edit::place::{Place, StackNames};
use super::edit::request::{Request, RequestError};
use super::files::{self, FileError};
use super::lock::{TargetsError, described_target};
use super::registry::stack_names;
use crate::context::Context;
use crate::error::{Exit, Failure};
use crate::project_root::ProjectRoot;

pub use defaults::{FALLBACK_FRAMEWORK, newest_rocm, python_for};
pub use template::{Precision, TEMPLATES, Template, TemplateError, TemplateOptions};

/// What `init` was asked, by flags or by a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InitOptions {
    /// The folder, relative to the current one.
    pub folder: Option<PathBuf>,
    /// The project's name.
    pub name: Option<String>,
    /// Frameworks with versions.
    pub frameworks: Vec<String>,
    /// Which ROCm.
    pub rocm: Option<Requirement>,
    /// Which Python.
    pub python: Option<Requirement>,
    /// Python packages with versions.
    pub packages: Vec<String>,
    /// Parts of ROCm.
    pub components: Vec<ComponentName>,
    /// Where ROCm comes from.
    pub channel: Option<String>,
    /// A described target; without one, the lock is made for the host.
    pub target: Option<TargetDraft>,
    /// A scenario to begin from.
    pub template: Option<TemplateOptions>,
}

/// A target as it is described in words; rocm.toml's own reader proves them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetDraft {
    /// Its system.
    pub os: Option<String>,
    /// Its GPUs.
    pub gpus: Vec<String>,
    /// Its driver.
    pub driver: Option<String>,
    /// The ROCm that it already has.
    pub rocm: Option<String>,
}

/// What was made.
#[derive(Debug, Clone)]
pub struct InitOutcome {
    /// The project.
    pub root: ProjectRoot,
    /// rocm.toml.
    pub text: String,
    /// Whether it was written.
    pub written: bool,
    /// What nobody asked for and was chosen, in words.
    pub chosen: Vec<String>,
    /// Files beside it.
    pub files: Vec<String>,
    /// What to run once it is installed.
    pub run: Option<String>,
}

/// Makes a project.
///
/// # Errors
/// See [`InitError`].
pub fn init(
    context: &Context,
    registry: &Registry,
    options: &InitOptions,
) -> Result<InitOutcome, InitError> {
    let folder = match &options.folder {
        Some(folder) => context.cwd.join(folder),
        None => context.start(),
    };
    let root = ProjectRoot::at(folder);
    if root.manifest().exists() {
        return Err(InitError::Exists { path: root.manifest() });
    }
    let prepared = match &options.template {
        Some(asked) => {
            Some(template::prepare(context, registry, options, asked).map_err(Box::new)?)
        }
        None => None,
    };
    let options = prepared.as_ref().map_or(options, |prepared| &prepared.options);
    let scripts = prepared.as_ref().map(|prepared| prepared.files.as_slice()).unwrap_or_default();
    let there = scripts.iter().map(|(name, _)| root.folder().join(name));
    if let Some(path) = there.into_iter().find(|path| path.exists()) {
        return Err(InitError::Exists { path });
    }
    let mut plan = plan(context, registry, options, &root)?;
    if let Some(prepared) = &prepared {
        plan.verify.clone_from(&prepared.verify);
        plan.chosen.extend(prepared.chosen.iter().cloned());
    }
    let text = draft::text(&plan);
    let project = Project::parse("rocm.toml", &text).map_err(InitError::Invalid)?;
    for target in &project.targets {
        described_target(target, registry)?;
    }
    if !context.settings.dry_run {
        fs::create_dir_all(root.folder()).map_err(|source| FileError::Write {
            path: root.folder().to_owned(),
            source: source.into(),
        })?;
        for (name, text) in scripts {
            files::replace(&root.folder().join(name), text)?;
        }
        files::replace(&root.manifest(), &text)?;
        ignore(&root)?;
    }
    let files = scripts.iter().map(|(name, _)| name.clone()).collect();
    let run = prepared.as_ref().map(|prepared| prepared.run.clone());
    let (written, chosen) = (!context.settings.dry_run, plan.chosen);
    Ok(InitOutcome { root, text, written, chosen, files, run })
}

/// Everything that the draft says.
struct Plan {
    name: String,
    rocm: Option<Requirement>,
    python: Option<Requirement>,
    frameworks: Vec<(String, Requirement)>,
    packages: Vec<Request>,
    components: Vec<ComponentName>,
    channel: Option<String>,
    target: Option<(TargetName, TargetDraft)>,
    verify: Vec<String>,
    chosen: Vec<String>,
}

fn plan(
    context: &Context,
    registry: &Registry,
    options: &InitOptions,
    root: &ProjectRoot,
) -> Result<Plan, InitError> {
    let names = stack_names(registry);
    let mut frameworks = options
        .frameworks
        .iter()
        .map(|text| framework(&names, text))
        .collect::<Result<Vec<_>, _>>()?;
    let packages: Vec<Request> =
        options.packages.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    let mut chosen = Vec::new();
    let nothing_asked = frameworks.is_empty()
        && packages.is_empty()
        && options.components.is_empty()
        && options.rocm.is_none();
    if nothing_asked {
        frameworks.push((FALLBACK_FRAMEWORK.to_owned(), Requirement::any()));
        chosen.push(format!("framework {FALLBACK_FRAMEWORK} (`--framework`)"));
    }
    let needs_rocm = !frameworks.is_empty() || !options.components.is_empty();
    let rocm = options.rocm.clone().or_else(|| {
        let rocm = needs_rocm.then(|| newest_rocm(registry, options.channel.as_deref()))??;
        chosen.push(format!("rocm {rocm} (`--rocm`)"));
        Some(rocm)
    });
    let needs_python = !frameworks.is_empty() || !packages.is_empty();
    let python = options.python.clone().or_else(|| {
        let keys = frameworks.iter().map(|(key, _)| key.as_str());
        let python = needs_python.then(|| python_for(registry, keys, rocm.as_ref()))?;
        chosen.push(format!("python {python} (`--python`)"));
        Some(python)
    });
    let target_name = context.settings.target.as_ref().map(|name| name.value.clone());
    Ok(Plan {
        name: options.name.clone().unwrap_or_else(|| folder_name(root)),
        rocm,
        python,
        frameworks,
        packages,
        components: options.components.clone(),
        channel: options.channel.clone(),
        target: match &options.target {
            Some(draft) => {
                let name = target_name.map_or_else(|| DESCRIBED.parse(), Ok);
                name.ok().map(|name| (name, draft.clone()))
            }
            None => None,
        },
        verify: Vec::new(),
        chosen,
    })
}

fn framework(names: &StackNames, text: &str) -> Result<(String, Requirement), InitError> {
    let request: Request = text.parse()?;
    let keys = || names.frameworks.iter().map(|(key, _)| key.as_str());
    match names.place(&request.name) {
        Some(Place::Stack(key)) if keys().any(|known| known == key) => {
            Ok((key, request.requirement))
        }
        _ => Err(InitError::UnknownFramework {
            nearest: nearest(&request.name, keys()).map(str::to_owned),
            name: request.name,
        }),
    }
}

fn folder_name(root: &ProjectRoot) -> String {
    let name = root.folder().file_name().and_then(|name| name.to_str());
    name.unwrap_or("project").to_owned()
}

/// Adds what is a machine's own to .gitignore, where it is not there yet.
fn ignore(root: &ProjectRoot) -> Result<(), FileError> {
    let path = root.folder().join(".gitignore");
    let mut text = files::read_optional(&path)?.unwrap_or_default();
    let missing: Vec<&str> =
        IGNORED.into_iter().filter(|line| !text.lines().any(|known| known == *line)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&missing.join("\n"));
    text.push('\n');
    files::replace(&path, &text)
}

/// No project was made.
#[derive(Debug, thiserror::Error)]
pub enum InitError {
    /// There is one.
    #[error("`{}` is there already", path.display())]
    Exists {
        /// Its rocm.toml.
        path: PathBuf,
    },
    /// No framework of the registry.
    #[error("the registry knows no framework `{name}`")]
    UnknownFramework {
        /// As written.
        name: String,
        /// The framework that was probably meant.
        nearest: Option<String>,
    },
    /// A requirement that is none.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// What was asked makes no rocm.toml.
    #[error("this makes no valid `rocm.toml`")]
    Invalid(#[source] ProjectError),
    /// A template that does not fit.
    #[error(transparent)]
    Template(#[from] Box<TemplateError>),
    /// A GPU that nobody knows.
    #[error(transparent)]
    Target(#[from] TargetsError),
    /// It could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Failure for InitError {
    fn exit(&self) -> Exit {
        match self {
            Self::File(inner) => inner.exit(),
            Self::Template(inner) => inner.exit(),
            _ => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Exists { .. } => Some("project-exists"),
            Self::UnknownFramework { .. } => Some("unknown-framework"),
            Self::Request(inner) => inner.code(),
            Self::Template(inner) => inner.code(),
            Self::Invalid(_) => Some("manifest-invalid"),
            Self::Target(inner) => inner.code(),
            Self::File(inner) => inner.code(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Exists { path } if path.ends_with("rocm.toml") => {
                Some("rocmenv add NAME".to_owned())
            }
            Self::Exists { .. } => Some("move it away, or choose another folder".to_owned()),
            Self::UnknownFramework { nearest: Some(near), .. } => {
                Some(format!("rocmenv init --framework {near}"))
            }
            Self::UnknownFramework { .. } => Some("rocmenv matrix framework".to_owned()),
            Self::Request(inner) => inner.help(),
            Self::Template(inner) => inner.help(),
            Self::Target(inner) => inner.help(),
            Self::Invalid(_) | Self::File(_) => None,
        }
    }
}

const DESCRIBED: &str = "described";
const IGNORED: [&str; 3] = [".rocmenv/", ".venv", "rocm.local.toml"];
