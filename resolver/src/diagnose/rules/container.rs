//! Containers: nodes that were not passed in, numbers of groups, namespaces.

use rocmenv_manifests::registry::Registry;

use super::Confidence::{Certain, Likely};
use super::access::{Refusal, describe, refusal};
use super::{Finding, Rule, found};
use crate::diagnose::facts::{Facts, Kfd, Signal};
use crate::host::facts::{ContainerKind, DeviceOpen};

pub(super) const RULES: &[Rule] = &[no_device, gid, cgroup, nogroup, lxc_kfd_gid, docker_desktop];

fn no_device(facts: &Facts, _: &Registry) -> Option<Finding> {
    let kind = facts.container()?;
    // the bus is the host's: where it shows no AMD GPU there is none to pass in
    if facts.kfd() != Kfd::Absent || facts.host.has_gpu() == Some(false) {
        return None;
    }
    Some(
        found("D-container-no-device", Certain)
            .shown_by(facts, &[Signal::KfdAbsent])
            .because(format!("in a container ({kind:?}) without /dev/kfd")),
    )
}

fn gid(facts: &Facts, _: &Registry) -> Option<Finding> {
    let by_kfd = refusal(facts).is_some_and(|refusal| refusal == Refusal::Container);
    let refused = facts.host.devices.iter().find(|node| node.open == DeviceOpen::PermissionDenied);
    let by_node = facts.container().is_some()
        && !is_lxc(facts)
        && (refused.is_some() || facts.said(Signal::RenderPermission).is_some());
    if !by_kfd && !by_node {
        return None;
    }
    let node = refused.or(facts.kfd_node());
    let sure = if node.is_some_and(|node| node.gid.is_some()) { Certain } else { Likely };
    let finding = describe(found("D-container-gid", sure), facts, node);
    Some(finding.shown_by(facts, &[Signal::RenderPermission]))
}

fn cgroup(facts: &Facts, _: &Registry) -> Option<Finding> {
    (facts.kfd() == Kfd::NotPermitted && facts.container().is_some()).then(|| {
        found("D-container-cgroup", Certain)
            .shown_by(facts, &[Signal::KfdNotPermitted])
            .because("opening /dev/kfd gives EPERM inside a container")
    })
}

fn nogroup(facts: &Facts, _: &Registry) -> Option<Finding> {
    let sure = if super::access::belongs_to_nobody(facts) { Certain } else { Likely };
    (refusal(facts)? == Refusal::Namespace)
        .then(|| describe(found("D-container-nogroup", sure), facts, facts.kfd_node()))
}

pub(super) fn is_lxc(facts: &Facts) -> bool {
    facts.container() == Some(&ContainerKind::Lxc)
}

/// LXC: the configuration, or the guest's own view of the nodes.
fn lxc_kfd_gid(facts: &Facts, _: &Registry) -> Option<Finding> {
    let mapped = &facts.around.mapped_nodes;
    let render = mapped.iter().find(|(path, _)| path.contains("renderD"));
    if let (Some(kfd), Some((path, render))) = (mapped.get("/dev/kfd"), render) {
        return (kfd != render).then(|| {
            found("D-lxc-kfd-gid", Certain)
                .because(format!("/dev/kfd gets gid {kfd}, {path} gets {render}"))
        });
    }
    let refused = refusal(facts).is_some_and(|refusal| refusal == Refusal::Lxc);
    let nameless = is_lxc(facts)
        && facts.host.devices.iter().any(|node| node.gid.is_some() && node.group.is_none());
    if !refused && !nameless {
        return None;
    }
    let node = facts.host.devices.iter().find(|node| node.group.is_none()).or(facts.kfd_node());
    Some(describe(found("D-lxc-kfd-gid", Likely), facts, node))
}

fn docker_desktop(facts: &Facts, _: &Registry) -> Option<Finding> {
    let kernel = facts.host.kernel.release.as_deref().filter(|name| name.contains("linuxkit"));
    if kernel.is_none() && facts.said(Signal::DockerDesktop).is_none() {
        return None;
    }
    let finding = found("D-docker-desktop", Likely).shown_by(facts, &[Signal::DockerDesktop]);
    Some(match kernel {
        Some(kernel) => finding.because(format!("kernel {kernel}")),
        None => finding,
    })
}
