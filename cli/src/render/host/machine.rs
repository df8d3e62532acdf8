//! The machine and its driver.

use rocmenv_manifests::sourced::Origin;
use rocmenv_resolver::host::facts::{ContainerKind, Cpu, DkmsTree, DriverFlavour};
use rocmenv_resolver::host::{DriverRelease, HostFacts};

use super::{Row, gib, row};

pub(super) fn host(facts: &HostFacts) -> Vec<Row> {
    let mut rows = Vec::new();
    let release = facts.os.release.as_ref().map(ToString::to_string);
    match (&facts.os.pretty_name, release) {
        (Some(name), Some(release)) => rows.push(row("system", format!("{name} ({release})"))),
        (Some(only), None) => rows.push(row("system", only)),
        (None, Some(only)) => rows.push(row("system", only)),
        (None, None) => {}
    }
    let kernel = facts.kernel.release.clone();
    let arch = facts.arch.map(|arch| arch.to_string());
    let kernel: Vec<_> = kernel.into_iter().chain(arch).collect();
    push(&mut rows, "kernel", &kernel.join(", "));
    push(&mut rows, "C library", &facts.libc.as_ref().map(ToString::to_string).unwrap_or_default());
    push(&mut rows, "processor", &cpu(&facts.cpu));
    push(&mut rows, "memory", &facts.memory.total_bytes.map(gib).unwrap_or_default());
    for disk in &facts.disks {
        let (free, total) = (gib(disk.free_bytes), gib(disk.total_bytes));
        rows.push(row("disk", format!("{free} free of {total} under {}", disk.path)));
    }
    push(&mut rows, "container", &container(facts));
    push(&mut rows, "WSL", &wsl(facts));
    rows
}

fn push(rows: &mut Vec<Row>, label: &str, text: &str) {
    if !text.is_empty() {
        rows.push(row(label, text));
    }
}

fn cpu(cpu: &Cpu) -> String {
    let count = |number: Option<u32>, one: &str, many: &str| {
        number.map(|number| format!("{number} {}", if number == 1 { one } else { many }))
    };
    let parts = [
        cpu.model.clone(),
        count(cpu.sockets, "socket", "sockets"),
        count(cpu.cores, "core", "cores"),
        count(cpu.threads, "thread", "threads"),
        count(cpu.numa_nodes, "NUMA node", "NUMA nodes"),
    ];
    let said: Vec<_> = parts.into_iter().flatten().collect();
    said.join(", ")
}

fn container(facts: &HostFacts) -> String {
    let Some(container) = &facts.container else {
        return String::new();
    };
    let kind = match &container.kind {
        ContainerKind::None => return String::new(),
        ContainerKind::Docker => "Docker",
        ContainerKind::Podman => "Podman",
        ContainerKind::Lxc => "LXC",
        ContainerKind::Apptainer => "Apptainer",
        ContainerKind::Nspawn => "systemd-nspawn",
        ContainerKind::Kubernetes => "Kubernetes",
        ContainerKind::Other(name) => name,
    };
    match &container.evidence {
        Some(evidence) => format!("{kind} (by {evidence})"),
        None => kind.to_owned(),
    }
}

fn wsl(facts: &HostFacts) -> String {
    let Some(wsl) = &facts.wsl else {
        return String::new();
    };
    let dxg = if wsl.dxg { "/dev/dxg is there" } else { "/dev/dxg is absent" };
    let bridge = wsl.librocdxg.as_deref().unwrap_or("no librocdxg found");
    let outside = wsl.windows.as_ref().map(|os| format!(", on {os}")).unwrap_or_default();
    format!("{}, {dxg}, {bridge}{outside}", wsl.version)
}

pub(super) fn driver(facts: &HostFacts, release: Option<&DriverRelease>) -> Vec<Row> {
    let driver = &facts.driver;
    let mut rows = Vec::new();
    let whose = match (driver.loaded, driver.flavour) {
        (_, Some(DriverFlavour::Dkms)) => "AMD's own (dkms)",
        (_, Some(DriverFlavour::InTree)) => "the kernel's own (in-tree)",
        (_, Some(DriverFlavour::Adrenalin)) => "AMD Software (Adrenalin)",
        (Some(false), None) => "amdgpu is not loaded",
        (Some(true), None) => "amdgpu is loaded, whose is not known",
        (None, None) => "",
    };
    push(&mut rows, "driver", whose);
    match release {
        Some(found) => rows.push(row("release", released(found))),
        None if driver.flavour == Some(DriverFlavour::Dkms) => {
            rows.push(row("release", "not known"));
        }
        None => {}
    }
    if let Some(number) = &driver.windows_number {
        let day = driver.windows_date.as_ref().map(|day| format!(", of {day}"));
        let text = format!("{number}{} (Windows' own number)", day.unwrap_or_default());
        rows.push(row("number", text));
    }
    push(&mut rows, "module", driver.module_version.as_deref().unwrap_or_default());
    if let Some(package) = &driver.package {
        let loaded = driver.module_version.is_some();
        let other = loaded && package.module_version != driver.module_version;
        let note = if other { ", not the module that runs" } else { "" };
        rows.push(row("package", format!("{} {}{note}", package.name, package.version)));
    }
    let running = facts.kernel.release.as_deref();
    rows.extend(driver.dkms.iter().map(|tree| row("dkms tree", dkms(tree, running))));
    rows
}

fn released(found: &DriverRelease) -> String {
    match &found.origin {
        Origin::Probed(from) => format!("{} (by {from})", found.release),
        given => format!("{} ({given})", found.release),
    }
}

fn dkms(tree: &DkmsTree, running: Option<&str>) -> String {
    let mut text = tree.version.clone();
    if !tree.has_source {
        text.push_str(", has no source");
    }
    if tree.kernels.is_empty() {
        text.push_str(", built for no kernel");
        return text;
    }
    text.push_str(", built for ");
    text.push_str(&tree.kernels.join(", "));
    let missing = running.filter(|running| !tree.kernels.iter().any(|built| built == running));
    if missing.is_some() {
        text.push_str(", not for the running one");
    }
    text
}
