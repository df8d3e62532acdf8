//! The kernel: its command line, configuration, log, modules that are forbidden, groups.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::facts::Surroundings;
use crate::host::HostFacts;
use crate::host::probe_reader::Reader;
use crate::host::sysroot::Sysroot;

pub(super) fn read(reader: &mut Reader<'_>, host: &HostFacts, around: &mut Surroundings) {
    around.command_line = reader.line("/proc/cmdline");
    around.secure_boot = secure_boot(reader);
    around.blacklist = blacklist(reader);
    around.hsa_in_kernel = configured(reader, host);
    around.virtual_machine = reader.text("/proc/cpuinfo").map(|text| text.contains(" hypervisor"));
    around.numa_balancing =
        reader.attribute("/proc/sys/kernel/numa_balancing").map(|value| value != "0");
    around.ttm_pages = reader
        .attribute("/sys/module/ttm/parameters/pages_limit")
        .and_then(|text| text.parse().ok());
    around.shm_bytes = reader.root().space(Path::new("/dev/shm")).ok().map(|space| space.total);
    around.member_of = member_of(reader, host);
    let topology = "/sys/class/kfd/kfd/topology/nodes";
    around.kfd_gpus = reader
        .exists(topology)
        .then(|| host.known_gpus().iter().filter(|gpu| gpu.kfd_node.is_some()).count());
    let folders = ["/etc/apt/sources.list.d", "/etc/apt", "/etc/yum.repos.d", "/etc/zypp/repos.d"];
    for folder in folders {
        for name in reader.list(folder) {
            if !["list", "sources", "repo"].iter().any(|ending| has_ending(&name, ending)) {
                continue;
            }
            let text = reader.text(format!("{folder}/{name}")).unwrap_or_default();
            let ours = text
                .lines()
                .map(str::trim)
                .filter(|line| line.contains("repo.radeon.com") && !line.starts_with('#'));
            around.repositories.extend(ours.map(str::to_owned));
        }
    }
}

/// The variable's fifth byte; the four before it are its attributes (UEFI, efivarfs).
fn secure_boot(reader: &mut Reader<'_>) -> Option<bool> {
    let path = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
    let bytes = reader.root().read(Path::new(path)).ok()?;
    Some(*bytes.get(4)? == 1)
}

/// Files of modprobe.d (modprobe.d(5)) that forbid amdgpu.
fn blacklist(reader: &mut Reader<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in ["/etc/modprobe.d", "/run/modprobe.d", "/usr/lib/modprobe.d", "/lib/modprobe.d"] {
        for name in reader.list(folder).into_iter().filter(|name| has_ending(name, "conf")) {
            let path = format!("{folder}/{name}");
            let text = reader.text(&path).unwrap_or_default();
            let forbids = text.lines().any(|line| {
                let words: Vec<&str> = line.split_whitespace().collect();
                matches!(
                    words[..],
                    ["blacklist", "amdgpu"] | ["install", "amdgpu", "/bin/false" | "/bin/true"]
                )
            });
            if forbids {
                found.insert(path);
            }
        }
    }
    found
}

fn configured(reader: &mut Reader<'_>, host: &HostFacts) -> Option<bool> {
    let release = host.kernel.release.as_deref()?;
    let places = [format!("/boot/config-{release}"), format!("/lib/modules/{release}/config")];
    let text = places.iter().find_map(|path| reader.text(path))?;
    Some(text.lines().any(|line| line == "CONFIG_HSA_AMD=y"))
}

/// Groups whose lines in `/etc/group` name the user of this process.
fn member_of(reader: &mut Reader<'_>, host: &HostFacts) -> Option<BTreeSet<String>> {
    let uid = host.process.as_ref()?.uid.to_string();
    let users = reader.text("/etc/passwd")?;
    let user = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == uid).then(|| name.to_owned())
    })?;
    let groups = reader.text("/etc/group")?;
    let member = |line: &str| {
        let mut fields = line.split(':');
        let name = fields.next()?.to_owned();
        fields.nth(2)?.split(',').any(|member| member.trim() == user).then_some(name)
    };
    Some(groups.lines().filter_map(member).collect())
}

/// What the kernel log says of GPUs. Not readable by everybody; then it is not known.
pub(super) fn log(root: &dyn Sysroot) -> Option<String> {
    let text = root.kernel_log().ok()?;
    let words =
        ["amdgpu", "kfd", "iommu", "dxg", "secureboot", "key was rejected", "hypervisor detected"];
    let ours: Vec<&str> = text
        .lines()
        .filter(|line| {
            let lower = line.to_lowercase();
            words.iter().any(|word| lower.contains(word))
        })
        .collect();
    let first = ours.len().saturating_sub(MOST);
    (!ours.is_empty()).then(|| ours[first..].join("\n"))
}

/// The end of a long log; faults repeat themselves.
const MOST: usize = 2000;

fn has_ending(name: &str, ending: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, own)| own == ending)
}
