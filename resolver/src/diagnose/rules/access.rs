//! Whether this process may reach the device, outside of a container.

use rocmenv_manifests::registry::Registry;

use super::Confidence::{Certain, Likely};
use super::{Finding, Rule, found, told};
use crate::diagnose::facts::{Facts, Kfd, Signal};
use crate::host::facts::{DeviceNode, DeviceOpen};

pub(super) const RULES: &[Rule] = &[
    kfd_permission,
    session_groups,
    group_missing,
    render_permission,
    card_permission,
    kfd_absent,
    kfd_einval,
    kfd_enomem,
    kfd_eperm,
];

/// Why `EACCES`. The first that holds is the reason, and each has a rule of its own.
#[derive(PartialEq, Eq)]
pub(super) enum Refusal {
    /// A user namespace in which the owner has no name.
    Namespace,
    /// LXC maps the node to a group that the guest does not use for it.
    Lxc,
    /// A container without the number of the group.
    Container,
    /// The user has the group, this session does not.
    Session,
    /// The group has no name here.
    Nameless,
    /// The user lacks the group.
    Group,
}

pub(super) fn refusal(facts: &Facts) -> Option<Refusal> {
    let by_symptom = facts.kfd() == Kfd::Unknown
        && facts.said(Signal::OutOfResources).is_some()
        && facts.around.group_names.as_ref().is_some_and(|names| !names.contains("render"))
        && !facts.is_apu();
    if facts.kfd() != Kfd::Refused && !by_symptom {
        return None;
    }
    let node = facts.kfd_node();
    // by owner and mode the kernel refuses root nothing, except the root of a user namespace
    let is_root = facts.said(Signal::RootRefused).is_some()
        || facts.host.process.as_ref().is_some_and(|process| process.uid == 0);
    if is_root || belongs_to_nobody(facts) {
        return Some(Refusal::Namespace);
    }
    if super::container::is_lxc(facts) {
        return Some(Refusal::Lxc);
    }
    if facts.container().is_some() {
        return Some(Refusal::Container);
    }
    let group = node.and_then(|node| node.group.as_ref());
    let is_member = facts.around.member_of.as_ref().zip(group);
    if is_member.is_some_and(|(groups, group)| groups.contains(group)) {
        return Some(Refusal::Session);
    }
    // of a number that somebody printed (`ls -n`) nobody looked for a name
    let looked = |node: &DeviceNode| node.open == DeviceOpen::PermissionDenied;
    if node.is_some_and(|node| looked(node) && node.gid.is_some() && node.group.is_none()) {
        return Some(Refusal::Nameless);
    }
    Some(Refusal::Group)
}

/// Whether the node's owner has no name, as in a user namespace that does not map it.
pub(super) fn belongs_to_nobody(facts: &Facts) -> bool {
    let nobody =
        |node: &DeviceNode| node.gid == Some(NOBODY) || node.group.as_deref() == Some("nogroup");
    facts.kfd_node().is_some_and(nobody) || facts.said(Signal::NoGroup).is_some()
}

/// The gid of nobody's group in a user namespace.
const NOBODY: u32 = 65534;

/// What is known of a refused node, for the words of a remedy.
pub(super) fn describe(finding: Finding, facts: &Facts, node: Option<&DeviceNode>) -> Finding {
    let signals =
        [Signal::KfdPermission, Signal::OutOfResources, Signal::NoGroup, Signal::RootRefused];
    let mut finding = finding.shown_by(facts, &signals);
    let by_number =
        node.and_then(|node| node.gid).map(|gid| format!("$(getent group {gid} | cut -d: -f1)"));
    let named = node.and_then(|node| node.group.clone());
    let group = named.or(by_number).unwrap_or_else(|| "render".to_owned());
    finding = finding.with("group", group);
    let Some(node) = node else { return finding };
    if let Some(gid) = node.gid {
        finding = finding.with("gid", gid.to_string());
    }
    let owner = match (&node.group, node.gid) {
        (Some(name), Some(gid)) => format!("group {name} ({gid})"),
        (Some(name), None) => format!("group {name}"),
        (None, Some(gid)) if node.open == DeviceOpen::NotTried => format!("group {gid}"),
        (None, Some(gid)) => format!("group {gid}, which has no name here"),
        (None, None) => "a group that is not known".to_owned(),
    };
    let mode = node.mode.as_deref().unwrap_or("mode not known");
    finding = finding.because(format!("{} belongs to {owner}, {mode}", node.path));
    if node.open == DeviceOpen::PermissionDenied {
        finding = finding.because(format!("opening {} gives EACCES", node.path));
    }
    match &facts.host.process {
        Some(process) => {
            let groups: Vec<String> = process.groups.iter().map(u32::to_string).collect();
            finding.because(format!("groups of this process: {}", groups.join(" ")))
        }
        None => finding,
    }
}

fn kfd_permission(facts: &Facts, _: &Registry) -> Option<Finding> {
    let node = facts.kfd_node();
    (refusal(facts)? == Refusal::Group).then(|| {
        let sure = if node.is_some() { Certain } else { Likely };
        describe(found("D-kfd-permission", sure), facts, node)
    })
}

fn session_groups(facts: &Facts, _: &Registry) -> Option<Finding> {
    (refusal(facts)? == Refusal::Session)
        .then(|| describe(found("D-session-groups", Certain), facts, facts.kfd_node()))
}

fn group_missing(facts: &Facts, _: &Registry) -> Option<Finding> {
    (refusal(facts)? == Refusal::Nameless)
        .then(|| describe(found("D-group-missing", Certain), facts, facts.kfd_node()))
}

fn render_permission(facts: &Facts, _: &Registry) -> Option<Finding> {
    let refused = |node: &&DeviceNode| {
        node.path.contains("renderD") && node.open == DeviceOpen::PermissionDenied
    };
    // in a container the rule of its own speaks of all nodes
    if facts.container().is_some() {
        return None;
    }
    match facts.host.devices.iter().find(refused) {
        Some(node) => Some(describe(found("D-render-permission", Certain), facts, Some(node))),
        None => told(facts, &[Signal::RenderPermission], "D-render-permission", Certain)
            .map(|finding| finding.with("group", "render")),
    }
}

fn card_permission(facts: &Facts, _: &Registry) -> Option<Finding> {
    let computes = facts.kfd() != Kfd::Refused && facts.said(Signal::RenderPermission).is_none();
    if !computes {
        return None;
    }
    told(facts, &[Signal::CardPermission], "D-card-permission", Certain)
}

/// Only where the driver runs: without it, or in a container, the node's absence has another
/// reason, which has its own rule.
fn kfd_absent(facts: &Facts, _: &Registry) -> Option<Finding> {
    let elsewhere = facts.container().is_some() || facts.is_wsl() || facts.is_windows();
    let unloaded = facts.is_driver_loaded() == Some(false);
    let no_gpu = facts.host.has_gpu() == Some(false);
    let passed_on = super::driver::is_passed_on(facts);
    if facts.kfd() != Kfd::Absent || elsewhere || unloaded || no_gpu || passed_on {
        return None;
    }
    // nobody knows of a driver: the absence of the node alone says nothing
    if facts.is_driver_loaded().is_none() && facts.host.gpus.is_none() {
        return None;
    }
    let sure = if facts.around.hsa_in_kernel == Some(false) { Certain } else { Likely };
    let mut finding = found("D-kfd-absent", sure)
        .shown_by(facts, &[Signal::KfdAbsent])
        .because("/dev/kfd is absent while amdgpu is loaded");
    if let Some(kernel) = &facts.host.kernel.release {
        finding = finding.because(format!("kernel {kernel}"));
    }
    match facts.around.hsa_in_kernel {
        Some(false) => Some(finding.because("the kernel has no CONFIG_HSA_AMD")),
        Some(true) => Some(finding.because("the kernel has CONFIG_HSA_AMD=y")),
        None => Some(finding),
    }
}

fn kfd_einval(facts: &Facts, _: &Registry) -> Option<Finding> {
    (facts.kfd() == Kfd::Invalid).then(|| {
        found("D-kfd-einval", Certain)
            .shown_by(facts, &[Signal::KfdInvalid])
            .because("opening /dev/kfd gives EINVAL, which is no question of groups")
    })
}

fn kfd_enomem(facts: &Facts, _: &Registry) -> Option<Finding> {
    (facts.kfd() == Kfd::NoGpu).then(|| {
        found("D-kfd-enomem", Likely)
            .shown_by(facts, &[Signal::KfdNoMemory])
            .because("opening /dev/kfd gives ENOMEM")
    })
}

fn kfd_eperm(facts: &Facts, _: &Registry) -> Option<Finding> {
    (facts.kfd() == Kfd::NotPermitted && facts.container().is_none()).then(|| {
        found("D-kfd-eperm", Likely)
            .shown_by(facts, &[Signal::KfdNotPermitted])
            .because("opening /dev/kfd gives EPERM outside of a container")
    })
}
