//! What a fix changes of the host itself, where rocm.toml describes no target: a description of it
//! with one GPU less, or the commands that make it another host.

use std::fmt;

use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::platform::{OsFamily, OsRelease};
use rocmenv_manifests::version::Dotted;
use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::target::{Target, TargetGpu};
use toml_edit::{DocumentMut, Item};

use crate::ops::edit::document::{Change, ManifestText};
use crate::ops::target::{described, name_of};
use crate::ops::upgrade;

/// The host that a project without described targets is locked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveHost {
    /// As it is solved for.
    target: Target,
    /// For each GPU that the runtime counts, in its order, its place among the target's.
    order: Vec<usize>,
}

/// A table of rocm.toml for a host of which a GPU is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Described {
    name: TargetName,
    /// The table, with its heading.
    table: String,
    /// The variable that hides the GPU from programs, with its value.
    mask: (&'static str, String),
}

impl LiveHost {
    /// The host of these facts, as it is solved for.
    pub(super) fn new(target: &Target, facts: &HostFacts) -> Self {
        let groups = target.gpus.as_deref().unwrap_or_default();
        let gpus = facts.gpus.as_deref().unwrap_or_default();
        let has_nodes = gpus.iter().any(|gpu| gpu.kfd_node.is_some());
        let counted = gpus.iter().filter(|gpu| gpu.kfd_node.is_some() || !has_nodes);
        let place = |gpu: &rocmenv_resolver::host::facts::Gpu| {
            let is_it = |one: &TargetGpu| one.gfx == gpu.gfx && one.product == gpu.product;
            groups.iter().position(|group| is_it(&group.value))
        };
        Self { target: target.clone(), order: counted.filter_map(place).collect() }
    }

    /// The host as a target without the GPU at that place; `None` where nothing is left of it.
    pub(super) fn without(&self, at: usize) -> Option<Described> {
        let mut target = self.target.clone();
        target.gpus.as_mut().filter(|gpus| gpus.len() > 1 && at < gpus.len())?.remove(at);
        let name = name_of(&target)?;
        let (table, _) = described(&name, &target, false);
        let kept = self.order.iter().enumerate().filter(|(_, group)| **group != at);
        let kept: Vec<String> = kept.map(|(index, _)| index.to_string()).collect();
        let variable = match target.family {
            OsFamily::Linux => "ROCR_VISIBLE_DEVICES",
            // There is no ROCr on Windows.
            OsFamily::Windows => "HIP_VISIBLE_DEVICES",
        };
        Some(Described { name, table, mask: (variable, kept.join(",")) })
    }

    /// What makes the host boot another kernel.
    pub(super) fn kernel_commands(&self, to: &Dotted, flavour: Option<&str>) -> String {
        let os = self.target.os.as_ref().map(|os| &os.value);
        joined(&upgrade::kernel_commands(os, &to.to_string(), flavour))
    }

    /// What moves the host to another system.
    pub(super) fn system_commands(&self, to: &OsRelease) -> String {
        let from = self.target.os.as_ref().map(|os| &os.value);
        match from.filter(|from| from.distribution == to.distribution) {
            Some(from) => joined(&upgrade::system_commands(from, to)),
            None => format!("install {to} on this host, then `rocmenv lock`"),
        }
    }
}

/// Commands one after the other; what comes behind a `#` is for the person who gives them.
fn joined(commands: &[String]) -> String {
    let said = commands.iter().map(|line| match line.split_once(" # ") {
        Some((command, said)) => format!("`{}` ({said})", command.trim()),
        None => format!("`{line}`"),
    });
    format!("{}, then `rocmenv lock`", said.collect::<Vec<_>>().join(", "))
}

impl Described {
    pub(super) fn apply(&self, text: &mut ManifestText) -> Vec<Change> {
        let path = ["targets".to_owned(), self.name.to_string()];
        let table = self.table.parse::<DocumentMut>().unwrap_or_default();
        let values = table.get("targets").and_then(|all| all.get(self.name.as_str()));
        let values = values.and_then(Item::as_table).into_iter().flatten();
        let mut changes: Vec<Change> = values
            .filter_map(|(key, item)| {
                let mut value = item.as_value()?.clone();
                value.decor_mut().clear();
                Some(text.set(&path, key, value))
            })
            .collect();
        let (variable, value) = &self.mask;
        changes.push(text.set(&["tune".to_owned()], variable, value.as_str()));
        changes
    }
}

impl fmt::Display for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = self.table.lines();
        write!(f, "{}", lines.next().unwrap_or_default())?;
        let values: Vec<&str> = lines.collect();
        let (variable, value) = &self.mask;
        write!(
            f,
            " {}; [tune] {variable} = \"{value}\"; then `rocmenv sync --target {}`",
            values.join(", "),
            self.name
        )
    }
}
