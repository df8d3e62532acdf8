//! What `doctor` knows of faults: their words, remedies and sources. The rules that find them
//! are code of the resolver, under the same names.

use serde::{Deserialize, Serialize};

/// `faults.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct FaultsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The faults, by family.
    pub fault: Vec<Fault>,
}

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Fault {
    /// Its stable code (`D-kfd-permission`).
    pub code: String,
    /// Its family (`access`, `driver` ...).
    pub family: String,
    /// How bad it is.
    pub severity: Severity,
    /// What has to change.
    pub scope: Scope,
    /// One line; `{name}` stands for what the finding knows.
    pub title: String,
    /// What it is and why it happens.
    pub means: String,
    /// What shows it.
    pub shows: String,
    /// What to do, in order.
    pub remedy: Vec<RemedyStep>,
    /// The command that shows that it is mended.
    pub verify: String,
    /// Where it was met.
    pub report: Vec<Report>,
    /// Faults that cannot hold together with it.
    #[serde(default)]
    pub contradicts: Vec<String>,
}

/// How bad a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Something does not work.
    Error,
    /// It works, worse than it could, or may stop working.
    Warning,
    /// Looks like a fault and is none.
    Note,
}

/// What has to change to mend a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The host: its kernel, driver, groups, firmware, packages.
    Host,
    /// The environment: ROCm, Python and their packages.
    Environment,
    /// Variables and the way a process is started.
    Process,
    /// The request: index, versions, the download.
    Project,
}

/// One step of a remedy: a command or an advice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RemedyStep {
    /// Where it holds: `any`, `linux`, `debian`, `fedora`, `suse`, `arch`, `wsl`, `windows`.
    pub on: String,
    /// The command.
    #[serde(default)]
    pub run: Option<String>,
    /// The advice.
    #[serde(default)]
    pub say: Option<String>,
    /// `root`, `relogin`, `reboot`.
    #[serde(default)]
    pub needs: Vec<Need>,
}

/// What a step of a remedy takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// An administrator.
    Root,
    /// A new login of the user.
    Relogin,
    /// A reboot.
    Reboot,
}

/// Where a fault was met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Report {
    /// The thread or document.
    pub at: String,
    /// The day of it (YYYY-MM-DD); of a document, when it was read. `None`: not noted.
    #[serde(default)]
    pub date: Option<String>,
    /// Who gave the answer: `vendor`, `maintainer`, `reporter`, `third-party`, `inferred`,
    /// `computed`, or `unresolved`.
    pub basis: String,
}
