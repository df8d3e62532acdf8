//! Where the wishes of a source go in rocm.toml: as `add` places them, and with what rocmenv knows
//! of builds. A version keeps its number and loses the label of its accelerator; what only comes
//! with a framework or with CUDA is left out.

use rocmenv_manifests::name::EnvName;
use rocmenv_manifests::project::Project;
use rocmenv_manifests::python::version::public;
use rocmenv_manifests::python::{BuildLabel, Version};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::Requirement;

use super::{Foreign, ImportError, ImportOptions, LeftOut, Wish};
use crate::context::Context;
use crate::error::Error;
use crate::ops::edit::document::{Change, ManifestText};
use crate::ops::edit::place::{Place, StackNames, table};
use crate::ops::edit::request::Request;
use crate::ops::project::Opened;
use crate::ops::{files, registry};
use crate::project_root::ProjectRoot;

/// rocm.toml with the wishes in it.
pub(super) struct Written {
    pub(super) root: ProjectRoot,
    /// rocm.toml as it is; `None` where there is none.
    pub(super) before: Option<String>,
    pub(super) text: String,
    pub(super) changes: Vec<Change>,
    pub(super) left_out: Vec<LeftOut>,
}

impl Written {
    /// The project as it would be.
    pub(super) fn opened(&self) -> Result<Opened, Error> {
        let local = files::read_optional(&self.root.local_manifest())?;
        let opened = Opened::of_text(self.root.clone(), self.text.clone(), local);
        Ok(opened.map_err(ImportError::Invalid)?)
    }

    /// Whether only lines are added: a line that says something else is the user's, and so is a
    /// rocm.lock whose rocm.toml is not there.
    pub(super) fn check_replaced(&self, options: &ImportOptions) -> Result<(), ImportError> {
        let source = || options.source.clone().into_boxed_path();
        if self.before.is_none() && self.root.lock().exists() {
            return Err(ImportError::LockInTheWay {
                path: self.root.lock(),
                source_path: source(),
            });
        }
        let replaced = self.changes.iter().find_map(|change| match change {
            Change::Changed { table, name, from, to } => {
                let (table, name) = (table.clone(), name.clone());
                let (from, to) = (from.clone(), to.clone());
                Some(ImportError::Replaces { table, name, from, to, source_path: source() })
            }
            _ => None,
        });
        replaced.map_or(Ok(()), Err)
    }
}

/// Puts the wishes into the project of the call, or into a new one where there is none.
pub(super) fn into_project(
    context: &Context,
    known: &Registry,
    foreign: &Foreign,
) -> Result<Written, Error> {
    // a folder that was named is meant, even below another project
    let named = || ProjectRoot::at(context.start());
    let root = match &context.settings.project {
        Some(_) => named(),
        None => context.project().unwrap_or_else(|_| named()),
    };
    let old = files::read_optional(&root.manifest())?;
    let text = old.clone().unwrap_or_else(|| head(&root, foreign));
    let writer = Writer {
        text: ManifestText::new(&text).map_err(|_| ImportError::NotEditable)?,
        names: registry::stack_names(known),
        registry: known,
        env: context.settings.env.clone(),
        changes: Vec::new(),
        left_out: foreign.left_out.clone(),
    };
    let writer = writer.all(foreign);
    let text = writer.text.text();
    Project::parse("rocm.toml", &text).map_err(ImportError::Invalid)?;
    Ok(Written { root, before: old, text, changes: writer.changes, left_out: writer.left_out })
}

fn head(root: &ProjectRoot, foreign: &Foreign) -> String {
    let folder = root.folder().file_name().map(|name| name.to_string_lossy().into_owned());
    let name = foreign.name.clone().or(folder).unwrap_or_else(|| "project".to_owned());
    format!("[project]\nname = {}\n", toml_edit::Value::from(name))
}

struct Writer<'r> {
    text: ManifestText,
    names: StackNames,
    registry: &'r Registry,
    env: EnvName,
    changes: Vec<Change>,
    left_out: Vec<LeftOut>,
}

impl Writer<'_> {
    fn all(mut self, foreign: &Foreign) -> Self {
        if let Some(path) = &foreign.path {
            self.set("project", "path", path);
        }
        let rocm = foreign.rocm.clone().or_else(|| rocm_of(foreign));
        let stack = [("rocm", rocm.as_ref()), ("python", foreign.python.as_ref())];
        for (key, requirement) in stack {
            if let Some(requirement) = requirement {
                let request = bare(key, requirement.clone());
                let path = table(&Place::Stack(key.to_owned()), &self.env, None);
                self.changes.push(self.text.require(&path, key, &request, None));
            }
        }
        if let Some(channel) = &foreign.channel {
            self.set("rocm", "channel", channel);
        }
        for wish in &foreign.wishes {
            self.wish(foreign, wish);
        }
        self
    }

    fn set(&mut self, table: &str, key: &str, value: &str) {
        self.changes.push(self.text.set(&[table.to_owned()], key, value));
    }

    fn wish(&mut self, foreign: &Foreign, wish: &Wish) {
        let Some(place) = self.names.place(&wish.request.name) else {
            return self.leave(wish, "it can name no package");
        };
        if let Some(why) = self.comes_along(foreign, &wish.request.name) {
            return self.leave(wish, why);
        }
        let mut request = wish.request.clone();
        request.requirement = without_label(&request.requirement);
        let path = table(&place, &self.env, wish.group.as_ref());
        let change = match &place {
            // a framework is one line of the stack, whatever group asked for it
            Place::Stack(key) => {
                let request = bare(key, request.requirement);
                self.text.require(&path, key, &request, None)
            }
            Place::Component(name) => self.text.add_component(name.as_str()),
            Place::Package(name) => self.text.require(&path, name.as_ref(), &request, None),
        };
        self.changes.push(change);
    }

    /// Why a package needs no line of its own.
    fn comes_along(&self, foreign: &Foreign, name: &str) -> Option<&'static str> {
        let name = name.to_lowercase().replace(['_', '.'], "-");
        let rows = &self.registry.frameworks().framework;
        let asked = |package: &str| {
            foreign.wishes.iter().any(|wish| wish.request.name.eq_ignore_ascii_case(package))
        };
        let with_framework = rows.iter().any(|row| {
            row.package != name
                && asked(&row.package)
                && row.packages.iter().any(|pattern| is_of(pattern, &name))
        });
        let provides_triton =
            || self.registry.providers("triton").iter().any(|row| row.package == name);
        if name.starts_with("nvidia-") || name.starts_with("cuda-") {
            Some("it is for CUDA")
        } else if name.starts_with("rocm-sdk-") || name.starts_with("amd-torch-device-") {
            Some("it comes with ROCm")
        } else if with_framework {
            Some("it comes with its framework")
        } else if provides_triton() && asked("torch") {
            Some("it comes with PyTorch")
        } else {
            None
        }
    }

    fn leave(&mut self, wish: &Wish, why: &str) {
        let what = format!("{} {}", wish.request.name, wish.request.requirement);
        self.left_out.push(LeftOut { what, why: why.to_owned() });
    }
}

/// The ROCm that the labels of pinned or wished builds name (`torch==2.9.1+rocm6.4`).
fn rocm_of(foreign: &Foreign) -> Option<Requirement> {
    let wished = foreign.wishes.iter().flat_map(|wish| wish.request.requirement.clauses());
    let wished = wished.filter_map(|clause| clause.version.parse::<Version>().ok());
    let pinned = foreign.pins.values().map(|pin| pin.version.clone());
    wished.chain(pinned).find_map(|version| {
        let release = BuildLabel::of(&version).rocm_release()?.dotted();
        format!("{}.{}", release.part(0), release.part(1)).parse().ok()
    })
}

/// A requirement without the labels that say what a build is for: which build is taken follows
/// from the ROCm and the target.
fn without_label(requirement: &Requirement) -> Requirement {
    let mut text = requirement.to_string();
    for clause in requirement.clauses() {
        let Ok(version) = clause.version.parse::<Version>() else { continue };
        match BuildLabel::of(&version) {
            BuildLabel::None | BuildLabel::Other(_) => {}
            _ => text = text.replace(&clause.version, &public(&version).to_string()),
        }
    }
    text.parse().unwrap_or_else(|_| requirement.clone())
}

fn bare(name: &str, requirement: Requirement) -> Request {
    Request { name: name.to_owned(), extras: Vec::new(), requirement, marker: None }
}

/// Whether a name is of a pattern with one `{..}` in it.
fn is_of(pattern: &str, name: &str) -> bool {
    match (pattern.split_once('{'), pattern.split_once('}')) {
        (Some((start, _)), Some((_, end))) => name.starts_with(start) && name.ends_with(end),
        _ => pattern == name,
    }
}
