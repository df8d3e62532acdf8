//! One stage of an upgrade: a single allowed change, carried out, verified and undone as a whole.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::platform::OsRelease;
use crate::version::RocmVersion;

use super::cost::Cost;
use super::effect::{Gain, Loss, Move, Note, Unproven};
use super::state::{Driver, FrameworkVersion, State};

/// One stage. `from` and `to` are whole states, both of which the registry allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Stage {
    /// Its number, from 1.
    pub number: u32,
    /// What is done, and by whom: the user changes a host, rocmenv changes an environment.
    pub step: Step,
    /// What differs between `from` and `to`, part by part.
    pub changes: Vec<Change>,
    /// Where it begins.
    pub from: State,
    /// Where it ends.
    pub to: State,
    /// How far documents carry the state that it ends in.
    pub footing: Footing,
    /// Whether frameworks can be installed in the state that it ends in.
    pub environment: Usability,
    /// What it costs.
    pub cost: Cost,
    /// What it brings.
    pub gains: Vec<Gain>,
    /// What it takes away.
    pub losses: Vec<Loss>,
    /// Packages, indexes and paths that have another name or place afterwards.
    pub moves: Vec<Move>,
    /// Pairs of the state that it ends in that no document lists.
    pub unproven: Vec<Unproven>,
    /// Key changes and rules of the releases that it passes, each with its document.
    pub notes: Vec<Note>,
    /// What must hold afterwards, in this order.
    pub verification: Vec<Expectation>,
    /// The way back.
    pub undo: Undo,
}

impl Stage {
    /// Whether the user, not rocmenv, carries it out.
    pub fn is_host(&self) -> bool {
        matches!(self.step, Step::Host(_))
    }

    /// Whether the reboot of the stage before, another one of the host, does for it, too.
    pub fn shares_reboot(&self) -> bool {
        self.is_host() && self.cost.reboots == 0
    }
}

/// Who does what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// The user changes the host: the commands are printed, `upgrade` stops with exit 6.
    Host(HostStep),
    /// rocmenv makes a generation and switches to it.
    Environment(EnvironmentStep),
}

/// A change of the host. Each ends in a reboot, which steps that follow each other may share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostStep {
    /// The next release of the distribution, with the kernel that it brings.
    System {
        /// Before.
        from: OsRelease,
        /// After.
        to: OsRelease,
        /// The kernel series that comes with it, where the registry names one.
        kernel: Option<String>,
    },
    /// Another kernel of the same distribution.
    Kernel {
        /// Before.
        from: String,
        /// After: a series, or the first kernel that will do.
        to: String,
        /// The distribution's name for the family (`ga`, `hwe`, `oem`), where the registry says it.
        flavour: Option<String>,
    },
    /// Another driver.
    Driver {
        /// Before.
        from: Driver,
        /// After.
        to: Driver,
    },
    /// Firmware of the GPUs.
    Firmware {
        /// Before, where known.
        from: Option<String>,
        /// After, as AMD's table prints it.
        to: String,
        /// The products that the table names it for.
        products: Vec<String>,
    },
}

/// A change of the environment: one new generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct EnvironmentStep {
    /// The release that it is made for; `None` sets the environment aside while only the driver
    /// moves, which is planned only where no state between keeps one.
    pub rocm: Option<RocmVersion>,
    /// Its Python series.
    pub python: Option<String>,
    /// Its frameworks.
    pub frameworks: Vec<FrameworkVersion>,
}

/// A part of a state.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The operating system.
    System,
    /// The kernel.
    Kernel,
    /// The driver.
    Driver,
    /// Firmware of the GPUs.
    Firmware,
    /// ROCm.
    Rocm,
    /// Python.
    Python,
    /// A framework, by the registry's name.
    Framework(String),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "system",
            Self::Kernel => "kernel",
            Self::Driver => "driver",
            Self::Firmware => "firmware",
            Self::Rocm => "ROCm",
            Self::Python => "Python",
            Self::Framework(name) => name,
        })
    }
}

/// One part of a state before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Change {
    /// Which part.
    pub part: Part,
    /// Before; `None` where it was absent or not known.
    pub from: Option<String>,
    /// After; `None` where it is gone.
    pub to: Option<String>,
}

impl Change {
    /// What differs between two states, in the order of a state's fields.
    pub fn between(from: &State, to: &State) -> Vec<Self> {
        let text = |value: &Option<String>| value.clone();
        let shown = |value: Option<&dyn fmt::Display>| value.map(ToString::to_string);
        let mut pairs = vec![
            (Part::System, shown(of(from.os.as_ref())), shown(of(to.os.as_ref()))),
            (Part::Kernel, text(&from.kernel), text(&to.kernel)),
            (Part::Driver, shown(of(from.driver.as_ref())), shown(of(to.driver.as_ref()))),
            (Part::Firmware, text(&from.firmware), text(&to.firmware)),
            (Part::Rocm, shown(of(from.rocm.as_ref())), shown(of(to.rocm.as_ref()))),
            (Part::Python, text(&from.python), text(&to.python)),
        ];
        let version = |state: &State, name: &str| {
            let found = state.frameworks.iter().find(|framework| framework.name == name);
            found.map(|framework| framework.version.clone())
        };
        let mut names: Vec<&str> = Vec::new();
        for framework in from.frameworks.iter().chain(&to.frameworks) {
            if !names.contains(&framework.name.as_str()) {
                names.push(&framework.name);
            }
        }
        for name in names {
            pairs.push((Part::Framework(name.to_owned()), version(from, name), version(to, name)));
        }
        let differing = pairs.into_iter().filter(|(_, from, to)| from != to);
        differing.map(|(part, from, to)| Self { part, from, to }).collect()
    }
}

fn of<T: fmt::Display>(value: Option<&T>) -> Option<&dyn fmt::Display> {
    value.map(|value| value as &dyn fmt::Display)
}

/// How far documents carry a state; better ones are smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Footing {
    /// Every pair is listed, or no document claims to list its like (the in-tree driver).
    Listed,
    /// Some part is built and not listed.
    Built,
    /// Nobody has said anything of some pair; taken only where no listed path exists.
    NotKnown,
}

/// Whether a state has an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Usability {
    /// The frameworks that are asked for can be installed, as far as the registry knows.
    Installable,
    /// Only the driver is in place: no environment is in use until a later stage makes one.
    DriverOnly,
}

/// What must hold after a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expectation {
    /// A new probe of the host says so. The text is a version or the beginning of one (`6.17` is
    /// met by `6.17.0-1020-oem`).
    Probe {
        /// Which part.
        part: Part,
        /// What it must be.
        is: String,
    },
    /// The user confirms what no probe can read (firmware bundles).
    Confirm {
        /// Which part.
        part: Part,
        /// What it must be.
        is: String,
    },
    /// The kernel driver shows these GPUs.
    Gpus(Vec<String>),
    /// The framework is imported in the new generation and says this version.
    Import {
        /// The framework's name in the registry.
        framework: String,
        /// Its version without a local part.
        version: String,
    },
    /// The project's `[verify]` commands succeed.
    ProjectCommands,
    /// None of these measurements (`[verify] bench`) is slower than in the generation before.
    Benches(Vec<String>),
}

/// The way back from a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Undo {
    /// Switch to the generation before: offline and at once.
    Generation,
    /// Install the former driver again, from the files that were kept.
    Driver(Driver),
    /// Boot the former kernel, which stays installed and held.
    Kernel(String),
    /// Nothing of rocmenv takes it back: a snapshot or backup made before it does.
    Backup {
        /// What would have to be brought back.
        part: Part,
        /// To what.
        to: Option<String>,
    },
}
