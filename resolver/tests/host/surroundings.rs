//! Containers, WSL, and devices: what stands between a process and the GPU.

use rocmenv_resolver::host::facts::{ContainerKind, DeviceOpen};

use crate::support::Machine;

fn container(machine: &Machine) -> (ContainerKind, Option<String>) {
    let container = machine.facts().container.unwrap();
    (container.kind, container.evidence)
}

#[test]
fn containers_are_told_by_the_most_specific_mark() {
    let marks = [
        ("/.dockerenv", "", ContainerKind::Docker),
        ("/run/.containerenv", "engine=\"podman-5.4.2\"\n", ContainerKind::Podman),
        ("/.singularity.d/", "", ContainerKind::Apptainer),
        ("/run/systemd/container", "lxc\n", ContainerKind::Lxc),
        ("/run/systemd/container", "systemd-nspawn\n", ContainerKind::Nspawn),
        ("/run/systemd/container", "rkt\n", ContainerKind::Other("rkt".to_owned())),
        ("/proc/1/cgroup", "12:pids:/lxc/101\n", ContainerKind::Lxc),
        ("/proc/1/cgroup", "0::/init.scope\n", ContainerKind::None),
    ];
    for (path, content, kind) in marks {
        let machine = Machine::empty();
        machine.add(path, content);
        let (found, evidence) = container(&machine);
        assert_eq!(found, kind, "{path}");
        assert_eq!(evidence.is_some(), kind != ContainerKind::None, "{path}");
    }
    let pod = Machine::empty();
    pod.add("/.dockerenv", "");
    pod.add(".rocmenv-capture.toml", "[environment]\nKUBERNETES_SERVICE_HOST = \"10.0.0.1\"\n");
    assert_eq!(container(&pod).0, ContainerKind::Kubernetes);
    let variable = Machine::empty();
    variable.add(".rocmenv-capture.toml", "[environment]\ncontainer = \"podman\"\n");
    assert_eq!(container(&variable).0, ContainerKind::Podman);
}

#[test]
fn both_kinds_of_wsl_are_told_by_the_kernel() {
    let releases = [
        ("5.15.153.1-microsoft-standard-WSL2", Some(2)),
        ("4.4.0-19041-Microsoft", Some(1)),
        ("6.8.0-45-generic", None),
    ];
    for (release, version) in releases {
        let machine = Machine::empty();
        let side = format!("[uname]\nrelease = \"{release}\"\nmachine = \"x86_64\"\n");
        machine.add(".rocmenv-capture.toml", &side);
        assert_eq!(machine.facts().wsl.map(|wsl| wsl.version), version, "{release}");
    }
}

#[test]
fn a_render_node_of_another_maker_is_passed_over() {
    let node = |minor: u32, open: &str| {
        format!(
            "[[device]]\npath = \"/dev/dri/renderD{minor}\"\nuid = 0\ngid = 992\n\
             mode = \"0660\"\nopen = {open}\n"
        )
    };
    let machine = Machine::empty();
    machine
        .add("/sys/class/drm/renderD128/device/vendor", "0x8086\n")
        .add("/sys/class/drm/renderD129/device/vendor", "0x1002\n")
        .add(".rocmenv-capture.toml", &(node(128, "\"ok\"") + &node(129, "{ errno = 16 }")));
    let devices = machine.facts().devices;
    let said: Vec<_> = devices.iter().map(|node| (node.path.as_str(), node.open)).collect();
    assert_eq!(
        said,
        [("/dev/kfd", DeviceOpen::Absent), ("/dev/dri/renderD129", DeviceOpen::Errno(16))]
    );
}

#[test]
fn native_windows_is_not_probed_as_linux() {
    let machine = Machine::empty();
    machine.add(".rocmenv-capture.toml", "family = \"windows\"\n");
    let facts = machine.facts();
    assert_eq!(serde_json::to_value(&facts.os).unwrap()["family"], "windows");
    assert_eq!((facts.has_gpu(), facts.devices.len()), (None, 0));
}
