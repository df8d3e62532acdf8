//! What a machine has to have, by workload: the environment matrix.

use serde::{Deserialize, Serialize};

/// `requirements.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct RequirementsTable {
    /// The day on which the table was collected.
    pub collected: String,
    /// The architectures of processors for which AMD has packages.
    pub architectures: Vec<String>,
    /// The rows.
    pub row: Vec<RequirementRow>,
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RequirementRow {
    /// What it is about.
    pub item: Item,
    /// The workload, `any` for all of them.
    pub workload: String,
    /// The least that will do: a number of the item's unit, or names with commas between.
    pub minimum: String,
    /// What is recommended, in the same form.
    pub recommended: String,
    /// More, for people.
    #[serde(default)]
    pub note: String,
    /// Who says so.
    pub source: String,
}

/// What a requirement is about; the unit of its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Item {
    /// The operating system, a release of Windows 11 (`22H2`).
    Os,
    /// The processor, by the generation of its maker.
    Cpu,
    /// Memory of the host in GB, as sold.
    Ram,
    /// Products.
    Gpu,
    /// Memory of one GPU in GB.
    Vram,
    /// How many GPUs.
    GpuCount,
    /// Free storage in GB.
    Storage,
    /// Power supply in W.
    PowerSupply,
}
