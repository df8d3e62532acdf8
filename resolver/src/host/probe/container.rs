//! Containers and WSL, by the marks that they leave.

use super::Reader;
use crate::host::facts::{Container, ContainerKind, Wsl};

/// The container that this process runs in. The most specific mark wins: a pod of Kubernetes
/// also has the marks of the engine below it.
pub(super) fn find(reader: &mut Reader<'_>) -> Container {
    let variables = reader.root().variables();
    let found = |kind, evidence: &str| Container { kind, evidence: Some(evidence.to_owned()) };
    if variables.contains_key("KUBERNETES_SERVICE_HOST") {
        return found(ContainerKind::Kubernetes, "KUBERNETES_SERVICE_HOST");
    }
    for variable in ["APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"] {
        if variables.contains_key(variable) {
            return found(ContainerKind::Apptainer, variable);
        }
    }
    let files = [
        ("/.singularity.d", ContainerKind::Apptainer),
        ("/run/.containerenv", ContainerKind::Podman),
        ("/.dockerenv", ContainerKind::Docker),
    ];
    for (path, kind) in files {
        if reader.exists(path) {
            return found(kind, path);
        }
    }
    // systemd writes what its container manager calls itself (systemd.io/CONTAINER_INTERFACE)
    if let Some(name) = reader.line("/run/systemd/container") {
        return found(kind_named(&name), "/run/systemd/container");
    }
    if let Some(name) = variables.get("container").filter(|name| !name.is_empty()) {
        return found(kind_named(name), "container");
    }
    let groups = reader.attribute("/proc/1/cgroup").unwrap_or_default();
    let marks = [("/docker", ContainerKind::Docker), ("/lxc", ContainerKind::Lxc)];
    for (mark, kind) in marks {
        if groups.contains(mark) {
            return found(kind, "/proc/1/cgroup");
        }
    }
    Container { kind: ContainerKind::None, evidence: None }
}

fn kind_named(name: &str) -> ContainerKind {
    match name {
        "docker" => ContainerKind::Docker,
        "podman" | "oci" => ContainerKind::Podman,
        "lxc" | "lxc-libvirt" => ContainerKind::Lxc,
        "systemd-nspawn" => ContainerKind::Nspawn,
        other => ContainerKind::Other(other.to_owned()),
    }
}

/// WSL, by the name of its kernel: Microsoft builds both kinds and says so in the release
/// (`5.15.153.1-microsoft-standard-WSL2`, `4.4.0-19041-Microsoft`).
pub(super) fn wsl(reader: &mut Reader<'_>, kernel: Option<&str>) -> Option<Wsl> {
    let release = kernel?.to_ascii_lowercase();
    if !release.contains("microsoft") {
        return None;
    }
    let second = release.contains("wsl2") || release.contains("microsoft-standard");
    let bridge = LIBROCDXG.iter().find(|path| reader.exists(path));
    Some(Wsl {
        version: if second { 2 } else { 1 },
        dxg: reader.exists("/dev/dxg"),
        librocdxg: bridge.map(|path| (*path).to_owned()),
        windows: None,
    })
}

const LIBROCDXG: &[&str] = &[
    "/opt/rocm/lib/librocdxg.so",
    "/opt/rocm/lib/librocdxg.so.1",
    "/usr/lib/x86_64-linux-gnu/librocdxg.so",
    "/usr/lib/wsl/lib/librocdxg.so",
];
