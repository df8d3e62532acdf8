//! amdgpu's trees under `/var/lib/dkms` (dkms(8)): which were built, for which kernels.

use super::Reader;
use crate::host::facts::DkmsTree;

pub(super) fn trees(reader: &mut Reader<'_>) -> Vec<DkmsTree> {
    let folders = reader.list(DKMS);
    // `kernel-RELEASE-ARCH` beside them are links to what was installed for a kernel
    let versions = folders.into_iter().filter(|name| !name.starts_with("kernel-"));
    versions.map(|version| tree(reader, version)).collect()
}

fn tree(reader: &mut Reader<'_>, version: String) -> DkmsTree {
    let folder = format!("{DKMS}/{version}");
    let names = reader.list(&folder);
    let kernels = names
        .into_iter()
        .filter(|name| name.starts_with(|first: char| first.is_ascii_digit()))
        .filter(|name| is_built(reader, &format!("{folder}/{name}")))
        .collect();
    let (module_version, build) = match version.split_once('-') {
        Some((module, rest)) => (module, rest.split('.').next()),
        None => (version.as_str(), None),
    };
    DkmsTree {
        module_version: Some(module_version.to_owned()),
        build: build.map(str::to_owned),
        has_source: reader.exists(format!("{folder}/source/dkms.conf")),
        kernels,
        version,
    }
}

/// A finished build leaves `KERNEL/ARCH/module`; a failed one at most a log.
fn is_built(reader: &mut Reader<'_>, kernel: &str) -> bool {
    let architectures = reader.list(kernel);
    architectures.iter().any(|arch| reader.exists(format!("{kernel}/{arch}/module")))
}

const DKMS: &str = "/var/lib/dkms/amdgpu";
