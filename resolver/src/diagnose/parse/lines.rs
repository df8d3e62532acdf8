//! Single lines of ordinary commands: `uname`, `id`, `ls -l`, `stat`, `os-release`, `lsmod`,
//! `modinfo`, `mokutil`, `modprobe.d`, `/proc/cmdline`, `docker`, LXC's configuration.

use rocmenv_manifests::platform::{OsFamily, OsRelease};

use crate::diagnose::facts::{Facts, Message, Signal};
use crate::host::facts::{Container, ContainerKind, DeviceNode, DeviceOpen, Process, Wsl};

pub(super) fn parse(text: &str, found: &mut Facts) {
    os_release(text, found);
    stat_block(text, found);
    let mut previous = "";
    for line in text.lines().map(str::trim) {
        uname(line, previous, found);
        identity(line, previous, found);
        listed_node(line, found);
        modules(line, found);
        command_line(line, found);
        container(line, found);
        firmware_state(line, found);
        nogroup(line, found);
        if line.starts_with("WSL environment detected") {
            found.host.wsl.get_or_insert(Wsl { version: 2, dxg: true, librocdxg: None });
        }
        previous = line;
    }
}

/// `ID=ubuntu`, `VERSION_ID="24.04"` beside each other, or collect_env's `OS: Ubuntu 24.04 LTS`.
fn os_release(text: &str, found: &mut Facts) {
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(key));
        line.map(|value| value.trim_matches('"').to_owned()).filter(|value| !value.is_empty())
    };
    if let Some(id) = value("ID=") {
        let version = value("VERSION_ID=").map(|version| format!("-{version}"));
        let name = format!("{id}{}", version.unwrap_or_default());
        if let Ok(release) = name.parse::<OsRelease>() {
            found.host.os.family = Some(release.family());
            found.host.os.release = Some(release);
            let like = value("ID_LIKE=").unwrap_or_default();
            found.host.os.like = like.split_whitespace().map(str::to_owned).collect();
        }
        return;
    }
    let Some(said) = value("OS:").map(|said| said.trim().to_lowercase()) else { return };
    if said.contains("windows") {
        found.host.os.family = Some(OsFamily::Windows);
        let release = if said.contains("windows 11") { "windows-11" } else { "windows-10" };
        found.host.os.release = release.parse().ok();
        return;
    }
    let mut words = said.split_whitespace();
    if let (Some(name), Some(version)) = (words.next(), words.next()) {
        let version: Vec<&str> = version.split('.').take(2).collect();
        if let Ok(release) = format!("{name}-{}", version.join(".")).parse::<OsRelease>() {
            found.host.os.family = Some(OsFamily::Linux);
            found.host.os.release = Some(release);
        }
    }
}

/// `Linux host 6.8.0-45-generic #45 ...`, the answer under `$ uname -r`, and collect_env's
/// `Python platform: Linux-5.15.153.1-microsoft-standard-WSL2-x86_64-with-glibc2.35`.
fn uname(line: &str, previous: &str, found: &mut Facts) {
    let asked = previous.trim_start_matches(['$', '#', ' ']).starts_with("uname");
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_release = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_digit()) && word.matches('.').count() >= 1
    };
    let release = if line.starts_with("Linux ") && line.contains('#') {
        words.iter().skip(1).find(|word| is_release(word)).map(|word| (*word).to_owned())
    } else if asked && words.len() == 1 {
        words.first().filter(|word| is_release(word)).map(|word| (*word).to_owned())
    } else if let Some(rest) = line.strip_prefix("Python platform: Linux-") {
        rest.split("-x86_64").next().map(str::to_owned)
    } else {
        line.strip_prefix("OS_KERNEL_VERSION:").map(|rest| rest.trim().to_owned())
    };
    let Some(release) = release else { return };
    let lower = release.to_lowercase();
    if lower.contains("microsoft") {
        let version = if lower.contains("wsl2") || lower.contains("standard") { 2 } else { 1 };
        found.host.wsl.get_or_insert(Wsl { version, dxg: version == 2, librocdxg: None });
    }
    found.host.os.family.get_or_insert(OsFamily::Linux);
    found.host.kernel.release.get_or_insert(release);
}

/// `uid=1000(me) gid=1000(me) groups=1000(me),44(video)`, or the line under `$ groups`.
fn identity(line: &str, previous: &str, found: &mut Facts) {
    if line.starts_with("uid=") {
        let numbers = |key: &str| -> Vec<u32> {
            let rest = line.split(key).nth(1).unwrap_or_default();
            let rest = rest.split(' ').next().unwrap_or_default();
            let first = |part: &str| part.split('(').next().and_then(|number| number.parse().ok());
            rest.split(',').filter_map(first).collect()
        };
        let (uid, gid) = (numbers("uid="), numbers("gid="));
        if let (Some(&uid), Some(&gid)) = (uid.first(), gid.first()) {
            let mut groups = numbers("groups=");
            groups.sort_unstable();
            found.host.process.get_or_insert(Process { uid, gid, groups });
        }
    }
    let asked = previous.trim_start_matches(['$', '#', ' ']);
    if asked == "groups" || asked == "id -nG" || asked == "id -Gn" {
        let names = line.split_whitespace().map(str::to_owned).collect();
        found.around.group_names.get_or_insert(names);
    }
}

/// `crw-rw---- 1 root render 509, 0 Aug 22 21:34 /dev/kfd`
fn listed_node(line: &str, found: &mut Facts) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (Some(mode), Some(name)) = (words.first(), words.last()) else { return };
    let is_mode = mode.len() >= 10 && mode.starts_with('c') && mode[1..].starts_with(['r', '-']);
    if !is_mode || words.len() < 6 {
        return;
    }
    let path = match name.rsplit('/').next().unwrap_or_default() {
        "kfd" => "/dev/kfd".to_owned(),
        node if node.starts_with("renderD") => format!("/dev/dri/{node}"),
        _ => return,
    };
    let (group, gid) = match words[3].parse::<u32>() {
        Ok(gid) => (None, Some(gid)),
        Err(_) => (Some(words[3].to_owned()), None),
    };
    let bits = permission_bits(&mode[1..10]);
    let node = DeviceNode { path, uid: None, gid, group, mode: bits, open: DeviceOpen::NotTried };
    found.host.devices.push(node);
}

/// `rw-rw----` is `0660`.
fn permission_bits(letters: &str) -> Option<String> {
    let bits = letters.bytes().try_fold(0_u32, |bits, letter| match letter {
        b'r' | b'w' | b'x' | b's' | b't' => Some(bits << 1 | 1),
        b'-' => Some(bits << 1),
        _ => None,
    })?;
    Some(format!("{bits:04o}"))
}

/// `stat /dev/kfd`: `File: /dev/kfd`, then `Access: (0666/crw-rw-rw-) Uid: (0/root) Gid: (989/render)`.
fn stat_block(text: &str, found: &mut Facts) {
    let mut path = None;
    for line in text.lines().map(str::trim) {
        if let Some(file) = line.strip_prefix("File:") {
            path = Some(file.trim().trim_matches(['‘', '’', '\'']).to_owned());
        }
        let Some(rest) = line.strip_prefix("Access: (").filter(|_| line.contains("Gid:")) else {
            continue;
        };
        let Some(path) = path.clone().filter(|path| path.starts_with("/dev/")) else { continue };
        let mode = rest.split('/').next().map(|mode| format!("{mode:0>4}"));
        let owner = rest.split("Gid: (").nth(1).and_then(|rest| rest.split(')').next());
        let (gid, group) = owner.and_then(|owner| owner.split_once('/')).unwrap_or_default();
        let group = Some(group.trim().to_owned()).filter(|name| !name.is_empty());
        let gid = gid.trim().parse().ok();
        let open = DeviceOpen::NotTried;
        found.host.devices.push(DeviceNode { path, uid: None, gid, group, mode, open });
    }
}

/// `lsmod`, `modinfo`, `modprobe.d`.
fn modules(line: &str, found: &mut Facts) {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let ["amdgpu", size, users, ..] = words[..]
        && size.parse::<u64>().is_ok()
        && users.parse::<u64>().is_ok()
    {
        found.host.driver.loaded = Some(true);
    }
    if words[..] == ["blacklist", "amdgpu"] || words[..] == ["install", "amdgpu", "/bin/false"] {
        found.around.blacklist.insert("a file of modprobe.d".to_owned());
    }
    if line.contains("blacklist amdgpu") && line.contains("/etc/modprobe.d/") {
        let place = line.split(':').next().unwrap_or(line);
        found.around.blacklist.insert(place.to_owned());
    }
    if let Some(value) = line.strip_prefix("CONFIG_HSA_AMD=") {
        found.around.hsa_in_kernel = Some(value.starts_with('y'));
    }
    if line == "# CONFIG_HSA_AMD is not set" {
        found.around.hsa_in_kernel = Some(false);
    }
    if line.contains("Virtual machine") || line.starts_with("systemd-detect-virt: kvm") {
        found.around.virtual_machine = Some(true);
    }
    if line.starts_with("Hypervisor vendor:") || line.starts_with("Hypervisor detected") {
        found.around.virtual_machine = Some(true);
    }
}

fn command_line(line: &str, found: &mut Facts) {
    let line = line.rsplit("/proc/cmdline:").next().unwrap_or(line).trim();
    let line = line.strip_prefix("Command line:").unwrap_or(line).trim();
    if line.starts_with("BOOT_IMAGE=")
        || line.contains(" root=UUID=")
        || line.contains(" root=/dev/")
    {
        found.around.command_line.get_or_insert(line.to_owned());
    }
}

/// Signs of a container in commands and configuration, and LXC's `devN: /dev/kfd,gid=44`.
fn container(line: &str, found: &mut Facts) {
    if let Some((key, value)) = line.split_once(": ") {
        let is_device = key.strip_prefix("dev").is_some_and(|number| number.parse::<u8>().is_ok());
        if is_device {
            let mut parts = value.split(',');
            let path = parts.next().unwrap_or_default().to_owned();
            let gid =
                parts.find_map(|part| part.strip_prefix("gid=")).and_then(|gid| gid.parse().ok());
            if let Some(gid) = gid {
                found.around.mapped_nodes.insert(path, gid);
                let kind = ContainerKind::Lxc;
                found.host.container.get_or_insert(Container { kind, evidence: None });
            }
        }
    }
    let command = line.trim_start_matches(['$', '#', ' ']);
    let kind = if command.starts_with("docker run") || command.starts_with("docker exec") {
        ContainerKind::Docker
    } else if command.starts_with("podman run") || command.starts_with("distrobox enter") {
        ContainerKind::Podman
    } else if command.starts_with("apptainer ") || command.starts_with("singularity ") {
        ContainerKind::Apptainer
    } else {
        return;
    };
    let evidence = Some(command.chars().take(80).collect());
    found.host.container.get_or_insert(Container { kind, evidence });
}

/// `mokutil --sb-state`.
fn firmware_state(line: &str, found: &mut Facts) {
    match line.to_lowercase().as_str() {
        "secureboot enabled" | "secure boot enabled" => found.around.secure_boot = Some(true),
        "secureboot disabled" | "secure boot disabled" => found.around.secure_boot = Some(false),
        _ => {}
    }
}

/// A node that belongs to nobody says more than the refusal beside it.
fn nogroup(line: &str, found: &mut Facts) {
    let is_node = line.starts_with("crw") && (line.contains("kfd") || line.contains("renderD"));
    if is_node && line.contains("nogroup") {
        let message = Message { signal: Signal::NoGroup, line: line.to_owned() };
        found.around.messages.insert(message);
    }
}
