//! The smallest changes of a question that make it solvable, each proved by solving again.
//!
//! `moves` are the changes that can be tried, `hosts` those of them that a row of the registry
//! offers for a host; `search` tries them, single ones first; what did is settled into edits that
//! a person can make.

mod hosts;
mod moves;
mod search;

use std::fmt;

use rocmenv_manifests::name::{ComponentName, GroupName, PackageName, TargetName};
use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::project::{Accept, ChannelChoice};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::version::{Dotted, RocmVersion};
use serde::Serialize;

pub(super) use moves::channel_text;
pub(super) use search::search;

/// What is known beside the question, so that changes of the host and channel can be judged.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The registry.
    pub registry: &'a Registry,
    /// `[rocm] channel`.
    pub channel: &'a ChannelChoice,
}

/// Changes that together make a refused question solvable, none of which can be left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Fix {
    /// The changes.
    pub edits: Vec<Edit>,
    /// The ROCm that they lead to.
    pub rocm: Option<RocmVersion>,
    /// The frameworks and asked-for packages that they lead to, with their versions.
    pub chosen: Vec<String>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edit {
    /// `[policy] unproven = true`.
    Unproven,
    /// `[policy] accept`, no stricter than this.
    Accept(Accept),
    /// `[rocm] preview = true`.
    Preview,
    /// Ask for this series of ROCm.
    Rocm(Dotted),
    /// Ask for this series of Python.
    Python(Dotted),
    /// Ask for another version of something.
    Version {
        /// What.
        what: Wish,
        /// The requirement.
        to: String,
    },
    /// Take a package from where its ROCm builds are, not from the index that was named.
    Unbind(Wish),
    /// Do without something.
    Drop(Wish),
    /// Move the driver.
    Driver {
        /// What the target has, where that is known.
        from: Option<String>,
        /// What would do.
        to: Dotted,
    },
    /// Boot another kernel.
    Kernel {
        /// What the target has.
        from: String,
        /// The kernel, or its series.
        to: Dotted,
        /// The family that the table names (`hwe`, `oem`).
        flavour: Option<String>,
        /// The document that names it.
        source: String,
    },
    /// Move to another release of the system, or another system.
    System {
        /// What the target has.
        from: String,
        /// What would do.
        to: OsRelease,
        /// The document that lists it.
        source: String,
        /// Whether the target says a kernel, which is another one then.
        has_kernel: bool,
    },
    /// Take ROCm from another channel (`[rocm] channel`).
    Channel(String),
    /// Leave a GPU out of the target.
    DropGpu {
        /// Its place among the target's GPUs.
        at: usize,
        /// Its name.
        name: String,
    },
    /// Leave a whole target out of the project.
    DropTarget(TargetName),
    /// Take this distribution under WSL2 in place of native Windows.
    Wsl(OsRelease),
}

/// Something that rocm.toml asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wish {
    /// The driver.
    Driver,
    /// A framework.
    Framework(String),
    /// A component of ROCm.
    Component(ComponentName),
    /// A Python package.
    Package {
        /// Its name.
        name: PackageName,
        /// The group that asks for it.
        group: Option<GroupName>,
    },
}

impl Edit {
    /// How much the change costs its user, compared with others; the host costs most.
    pub(super) fn cost(&self) -> u32 {
        match self {
            Self::Unproven => 1,
            Self::Accept(_) | Self::Preview => 2,
            Self::Version { .. } | Self::Unbind(_) => 3,
            Self::Rocm(_) => 4,
            Self::Python(_) => 5,
            Self::Channel(_) => 6,
            Self::Drop(Wish::Driver) => 7,
            Self::Drop(Wish::Component(_) | Wish::Package { .. }) => 8,
            Self::Driver { .. } => 9,
            Self::Kernel { .. } => 10,
            Self::Drop(Wish::Framework(_)) => 11,
            Self::DropGpu { .. } => 12,
            Self::System { .. } | Self::Wsl(_) => 13,
            Self::DropTarget(_) => 14,
        }
    }
}

impl Fix {
    pub(super) fn cost(&self) -> u32 {
        self.edits.iter().map(Edit::cost).sum()
    }
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, edit) in self.edits.iter().enumerate() {
            write!(f, "{}{edit}", if at > 0 { " and " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unproven => f.write_str("allow builds that do not say their ROCm"),
            Self::Accept(Accept::Listed) => f.write_str("accept what AMD lists"),
            Self::Accept(Accept::Built) => f.write_str("accept what is built and not listed"),
            Self::Accept(Accept::Unknown) => f.write_str("accept what nobody speaks of"),
            Self::Preview => f.write_str("let previews of ROCm in"),
            Self::Rocm(series) => write!(f, "ask for rocm {series}"),
            Self::Python(series) => write!(f, "ask for python {series}"),
            Self::Version { what, to } => write!(f, "ask for {what} {to}"),
            Self::Unbind(what) => write!(f, "take {what} from the index of its ROCm builds"),
            Self::Drop(what) => write!(f, "drop {what}"),
            Self::Driver { from: Some(from), to } => {
                write!(f, "move the driver from {from} to {to}")
            }
            Self::Driver { from: None, to } => write!(f, "take driver {to}"),
            Self::Kernel { from, to, flavour, source } => {
                let flavour =
                    flavour.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
                write!(f, "boot kernel {to}{flavour} in place of {from} ({source})")
            }
            Self::System { from, to, source, .. } => {
                write!(f, "move from {from} to {to} ({source})")
            }
            Self::Channel(channel) => write!(f, "take ROCm from channel `{channel}`"),
            Self::DropGpu { name, .. } => write!(f, "leave {name} out"),
            Self::Wsl(os) => write!(f, "take {os} under WSL2"),
            Self::DropTarget(target) => write!(f, "leave target `{target}` out"),
        }
    }
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Driver => f.write_str("the requirement of the driver"),
            Self::Framework(name) => f.write_str(name),
            Self::Component(name) => write!(f, "{name}"),
            Self::Package { name, .. } => write!(f, "{name}"),
        }
    }
}
