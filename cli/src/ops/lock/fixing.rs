//! The edit of rocm.toml that a fix is, as text and as the change itself. Comments and order
//! stay; what cannot be changed in rocm.toml is a change of the host.

use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::project::{Accept, Project};
use rocmenv_resolver::solve::{Edit, Fix, Wish};
use toml_edit::Value;

use super::live_host::{Described, LiveHost};
use super::solving::NotSolved;
use super::{Inputs, LockError};
use crate::context::Context;
use crate::error::{Error, Exit, Failure};
use crate::ops::edit::document::{Change, ManifestText};
use crate::ops::files;

/// Whose rocm.toml tables a fix changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The target.
    pub target: TargetName,
    /// The host itself, where rocm.toml describes no target.
    pub live: Option<LiveHost>,
    /// The environment.
    pub env: EnvName,
}

/// One exact edit.
enum Exact {
    Set {
        table: Vec<String>,
        key: String,
        value: Value,
    },
    Remove {
        table: Vec<String>,
        key: String,
    },
    RemoveItem {
        table: Vec<String>,
        key: String,
        at: usize,
    },
    RemoveComponent(String),
    /// A description of this host, so that less of it is asked for.
    Describe(Described),
    /// Several.
    All(Vec<Self>),
    /// Nothing of rocm.toml: the machine itself.
    Host(String),
}

impl Scope {
    /// The exact edits of a fix, for a person: `[requires] rocm = "7.2"`.
    pub fn text(&self, fix: &Fix) -> String {
        let edits: Vec<String> = fix.edits.iter().map(|edit| self.exact(edit).text()).collect();
        edits.join("; ")
    }

    /// Whether all of a fix is in rocm.toml.
    pub fn is_of_project(&self, fix: &Fix) -> bool {
        !fix.edits.iter().any(|edit| self.exact(edit).is_of_host())
    }

    /// A described target becomes the one under WSL2; the host itself stays what it is.
    fn under_wsl(&self, os: &OsRelease) -> Exact {
        if self.live.is_some() {
            return Exact::Host(format!("install {os} under WSL2 and run `rocmenv lock` there"));
        }
        let set = |key: &str, value: Value| Exact::Set {
            table: self.own_table(),
            key: key.to_owned(),
            value,
        };
        Exact::All(vec![set("os", os.to_string().into()), set("wsl", true.into())])
    }

    fn exact(&self, edit: &Edit) -> Exact {
        let set = |table: Vec<String>, key: &str, value: Value| Exact::Set {
            table,
            key: key.to_owned(),
            value,
        };
        match edit {
            Edit::Unproven => set(vec!["policy".to_owned()], "unproven", true.into()),
            Edit::Accept(accept) => {
                let word = match accept {
                    Accept::Listed => "listed",
                    Accept::Built => "built",
                    Accept::Unknown => "unknown",
                };
                set(vec!["policy".to_owned()], "accept", word.into())
            }
            Edit::Preview => set(vec!["rocm".to_owned()], "preview", true.into()),
            Edit::Rocm(series) => set(self.requires(), "rocm", series.to_string().into()),
            Edit::Python(series) => set(self.requires(), "python", series.to_string().into()),
            Edit::Version { what, to } => {
                let (table, key) = self.place(what);
                Exact::Set { table, key, value: to.as_str().into() }
            }
            Edit::Unbind(what) => {
                let (mut table, key) = self.place(what);
                table.push(key);
                Exact::Remove { table, key: "index".to_owned() }
            }
            Edit::Drop(Wish::Component(name)) => Exact::RemoveComponent(name.to_string()),
            Edit::Drop(what) => {
                let (table, key) = self.place(what);
                Exact::Remove { table, key }
            }
            Edit::Driver { to, .. } => match &self.live {
                None => set(self.own_table(), "driver", to.to_string().into()),
                Some(_) => Exact::Host(format!(
                    "install AMD's driver {to} on this host, reboot, then `rocmenv lock`"
                )),
            },
            Edit::Kernel { to, flavour, .. } => match &self.live {
                None => set(self.own_table(), "kernel", to.to_string().into()),
                Some(live) => Exact::Host(live.kernel_commands(to, flavour.as_deref())),
            },
            Edit::System { to, has_kernel, .. } => match &self.live {
                None => {
                    let mut all = vec![set(self.own_table(), "os", to.to_string().into())];
                    // What a new system boots is its own.
                    let kernel =
                        || Exact::Remove { table: self.own_table(), key: "kernel".to_owned() };
                    all.extend(has_kernel.then(kernel));
                    Exact::All(all)
                }
                Some(live) => Exact::Host(live.system_commands(to)),
            },
            Edit::Channel(channel) => {
                set(vec!["rocm".to_owned()], "channel", channel.as_str().into())
            }
            Edit::DropGpu { at, .. } => match &self.live {
                None => {
                    Exact::RemoveItem { table: self.own_table(), key: "gpus".to_owned(), at: *at }
                }
                Some(live) => live.without(*at).map_or_else(
                    || Exact::Host("describe this host as a target with fewer GPUs".to_owned()),
                    Exact::Describe,
                ),
            },
            Edit::Wsl(os) => self.under_wsl(os),
            Edit::DropTarget(target) => {
                Exact::Remove { table: vec!["targets".to_owned()], key: target.to_string() }
            }
        }
    }

    fn own_table(&self) -> Vec<String> {
        vec!["targets".to_owned(), self.target.to_string()]
    }

    fn requires(&self) -> Vec<String> {
        self.of_env("requires")
    }

    fn of_env(&self, leaf: &str) -> Vec<String> {
        if self.env.is_default() {
            return vec![leaf.to_owned()];
        }
        vec!["env".to_owned(), self.env.to_string(), leaf.to_owned()]
    }

    fn place(&self, what: &Wish) -> (Vec<String>, String) {
        match what {
            Wish::Driver => (self.requires(), "driver".to_owned()),
            Wish::Framework(name) => (self.requires(), name.clone()),
            Wish::Component(name) => (vec!["rocm".to_owned()], name.to_string()),
            Wish::Package { name, group: Some(group) } => {
                (vec!["groups".to_owned(), group.to_string()], name.to_string())
            }
            Wish::Package { name, group: None } => {
                (self.of_env("python-packages"), name.to_string())
            }
        }
    }
}

impl Exact {
    fn text(&self) -> String {
        match self {
            Self::Set { table, key, value } => format!("[{}] {key} = {value}", table.join(".")),
            Self::Remove { table, key } if table == &["targets"] => {
                format!("without [targets.{key}]")
            }
            Self::Remove { table, key } => format!("[{}] without {key}", table.join(".")),
            Self::RemoveItem { table, key, at } => {
                format!("[{}] {key} without its item {}", table.join("."), at + 1)
            }
            Self::RemoveComponent(name) => format!("[rocm] components without \"{name}\""),
            Self::Describe(described) => described.to_string(),
            Self::All(all) => all.iter().map(Self::text).collect::<Vec<_>>().join(", "),
            Self::Host(what) => what.clone(),
        }
    }

    fn is_of_host(&self) -> bool {
        match self {
            Self::Host(_) => true,
            Self::All(all) => all.iter().any(Self::is_of_host),
            _ => false,
        }
    }

    /// What it changes; `None` where that is not in rocm.toml.
    fn apply(self, text: &mut ManifestText) -> Option<Vec<Change>> {
        let one = match self {
            Self::Set { table, key, value } => Some(text.set(&table, &key, value)),
            Self::Remove { table, key } => text.remove(&table, &key),
            Self::RemoveItem { table, key, at } => text.remove_item(&table, &key, at),
            Self::RemoveComponent(name) => text.remove_component(&name),
            Self::Describe(described) => return Some(described.apply(text)),
            Self::All(all) => {
                return Some(all.into_iter().filter_map(|one| one.apply(text)).flatten().collect());
            }
            Self::Host(_) => None,
        };
        one.map(|change| vec![change])
    }
}

/// What applying a fix did.
#[derive(Debug, Clone)]
pub struct Fixed {
    /// The fix in words.
    pub fix: String,
    /// The changes of rocm.toml.
    pub changes: Vec<Change>,
    /// Whether rocm.toml was written.
    pub written: bool,
}

/// Applies fix `number` (from 1) of a refused lock to rocm.toml.
///
/// # Errors
/// There is no such fix, it is one of the host, or rocm.toml cannot be changed.
pub fn apply(
    context: &Context,
    inputs: &Inputs,
    refused: &NotSolved,
    number: usize,
) -> Result<Fixed, Error> {
    let fixes = &refused.refusal.fixes;
    let scope = &refused.scope;
    let fix = number.checked_sub(1).and_then(|at| fixes.get(at));
    let fix = fix.ok_or(FixError::NoSuch { number, fixes: fixes.len() })?;
    if !scope.is_of_project(fix) {
        return Err(FixError::OfHost { fix: fix.to_string(), how: scope.text(fix) }.into());
    }
    let opened = &inputs.opened;
    let mut text = ManifestText::new(&opened.text).map_err(|_| FixError::NotThere)?;
    let mut changes = Vec::new();
    for edit in &fix.edits {
        // What rocm.local.toml says is not in rocm.toml.
        changes.extend(scope.exact(edit).apply(&mut text).ok_or(FixError::NotThere)?);
    }
    let text = text.text();
    Project::parse("rocm.toml", &text).map_err(|_| FixError::NotThere)?;
    let written = !context.settings.dry_run;
    if written {
        files::replace(&opened.root.manifest(), &text)?;
    }
    Ok(Fixed { fix: fix.to_string(), changes, written })
}

/// The refusal that an error of `lock` is, if it is one.
pub fn refused(error: &Error) -> Option<&NotSolved> {
    match error.downcast_ref::<LockError>()? {
        LockError::NotSolved(refused) => Some(refused),
        _ => None,
    }
}

/// A fix cannot be applied.
#[derive(Debug, thiserror::Error)]
pub enum FixError {
    /// The lock is not refused.
    #[error("the project can be locked as it is: there is nothing to fix")]
    Nothing,
    /// No such fix.
    #[error("there is no fix {number}; {fixes} were proved")]
    NoSuch {
        /// The number asked for.
        number: usize,
        /// How many there are.
        fixes: usize,
    },
    /// It is the host that would have to change.
    #[error("`{fix}` is a change of this host, not of `rocm.toml`")]
    OfHost {
        /// The fix.
        fix: String,
        /// What to do.
        how: String,
    },
    /// rocm.toml does not hold what would be changed.
    #[error("what would be changed does not stand in `rocm.toml` as it could be edited")]
    NotThere,
}

impl Failure for FixError {
    fn exit(&self) -> Exit {
        match self {
            Self::OfHost { .. } => Exit::Host,
            _ => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Nothing | Self::NoSuch { .. } => "fix-unknown",
            Self::OfHost { .. } => "fix-of-host",
            Self::NotThere => "fix-not-editable",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::OfHost { how, .. } => how.clone(),
            _ => "rocmenv lock".to_owned(),
        })
    }
}
