//! Puts the facts of two readings together: what is known stays, what is not is filled, lists of
//! one kind are joined.

use std::collections::BTreeMap;

use crate::diagnose::facts::Facts;
use crate::host::facts::{Driver, Gpu, Os};

/// Fills `base` with what `more` knows. A fact of `base` is never replaced.
pub(crate) fn merge(base: &mut Facts, more: Facts) {
    let Facts { host, around } = more;
    let own = &mut base.host;
    merge_os(&mut own.os, host.os);
    fill(&mut own.kernel.release, host.kernel.release);
    fill(&mut own.libc, host.libc);
    fill(&mut own.arch, host.arch);
    fill(&mut own.cpu.model, host.cpu.model);
    fill(&mut own.memory.total_bytes, host.memory.total_bytes);
    merge_driver(&mut own.driver, host.driver);
    merge_gpus(&mut own.gpus, host.gpus);
    for node in host.devices {
        if !own.devices.iter().any(|known| known.path == node.path) {
            own.devices.push(node);
        }
    }
    own.devices.sort_by(|a, b| a.path.cmp(&b.path));
    fill(&mut own.process, host.process);
    fill(&mut own.container, host.container);
    fill(&mut own.wsl, host.wsl);
    if own.rocm.is_empty() {
        own.rocm = host.rocm;
    }
    if own.python.is_empty() {
        own.python = host.python;
    }
    for variable in host.environment {
        if !own.environment.iter().any(|known| known.name == variable.name) {
            own.environment.push(variable);
        }
    }
    own.environment.sort_by(|a, b| a.name.cmp(&b.name));

    let own = &mut base.around;
    fill(&mut own.command_line, around.command_line);
    fill(&mut own.secure_boot, around.secure_boot);
    own.blacklist.extend(around.blacklist);
    fill(&mut own.hsa_in_kernel, around.hsa_in_kernel);
    fill(&mut own.virtual_machine, around.virtual_machine);
    fill(&mut own.kfd_gpus, around.kfd_gpus);
    join(&mut own.iommu, around.iommu);
    join(&mut own.links, around.links);
    join(&mut own.pcie, around.pcie);
    join(&mut own.kfd_atomics, around.kfd_atomics);
    fill(&mut own.numa_balancing, around.numa_balancing);
    fill(&mut own.ttm_pages, around.ttm_pages);
    fill(&mut own.shm_bytes, around.shm_bytes);
    if around.nvidia == Some(true) || own.nvidia.is_none() {
        own.nvidia = around.nvidia.or(own.nvidia);
    }
    own.hot.extend(around.hot);
    fill(&mut own.member_of, around.member_of);
    fill(&mut own.group_names, around.group_names);
    if let Some(packages) = around.packages {
        join(own.packages.get_or_insert_default(), packages);
    }
    join(&mut own.system_packages, around.system_packages);
    fill(&mut own.torch.version, around.torch.version);
    fill(&mut own.torch.hip, around.torch.hip);
    fill(&mut own.torch.cuda, around.torch.cuda);
    fill(&mut own.torch.available, around.torch.available);
    if own.torch.archs.is_empty() {
        own.torch.archs = around.torch.archs;
    }
    if own.hip_libraries.is_empty() {
        own.hip_libraries = around.hip_libraries;
    }
    own.repositories.extend(around.repositories);
    if own.runtime_gpus.is_empty() {
        own.runtime_gpus = around.runtime_gpus;
    }
    own.wanted.extend(around.wanted);
    join(&mut own.mapped_nodes, around.mapped_nodes);
    if own.windows.adapters.is_empty() {
        own.windows.adapters = around.windows.adapters;
    }
    own.windows.system32.extend(around.windows.system32);
    fill(&mut own.windows.smart_app_control, around.windows.smart_app_control);
    fill(&mut own.windows.long_paths, around.windows.long_paths);
    fill(&mut own.windows.vc_runtime, around.windows.vc_runtime);
    fill(&mut own.windows.hip_sdk, around.windows.hip_sdk);
    own.messages.extend(around.messages);
    own.unmatched.extend(around.unmatched);
}

fn merge_os(own: &mut Os, more: Os) {
    fill(&mut own.family, more.family);
    if own.release.is_none() {
        own.release = more.release;
        own.like = more.like;
    }
    fill(&mut own.codename, more.codename);
    fill(&mut own.pretty_name, more.pretty_name);
}

fn merge_driver(own: &mut Driver, more: Driver) {
    fill(&mut own.loaded, more.loaded);
    fill(&mut own.flavour, more.flavour);
    fill(&mut own.release, more.release);
    fill(&mut own.module_version, more.module_version);
    fill(&mut own.package, more.package);
    for tree in more.dkms {
        match own.dkms.iter_mut().find(|known| known.version == tree.version) {
            Some(known) => {
                known.has_source &= tree.has_source;
                known.kernels.extend(tree.kernels);
                known.kernels.sort();
                known.kernels.dedup();
            }
            None => own.dkms.push(tree),
        }
    }
    own.dkms.sort_by(|a, b| a.version.cmp(&b.version));
}

/// The list that says more wins; details of the other one are filled in by PCI address, or where
/// both have one GPU of the same target.
fn merge_gpus(own: &mut Option<Vec<Gpu>>, more: Option<Vec<Gpu>>) {
    let Some(mut more) = more else { return };
    let Some(known) = own else {
        *own = Some(more);
        return;
    };
    if rank(&more) > rank(known) {
        std::mem::swap(known, &mut more);
    }
    for gpu in known.iter_mut() {
        let same = more.iter().find(|other| match (gpu.address, other.address) {
            (Some(one), Some(two)) => one.first_function() == two.first_function(),
            // values without a GPU of their own are of whatever is there
            _ => other.gfx.is_none() || gpu.gfx == other.gfx,
        });
        let Some(other) = same.cloned() else { continue };
        fill(&mut gpu.product, other.product);
        fill(&mut gpu.marketing_name, other.marketing_name);
        fill(&mut gpu.pci, other.pci);
        fill(&mut gpu.kind, other.kind);
        fill(&mut gpu.kernel_driver, other.kernel_driver);
        fill(&mut gpu.kfd_node, other.kfd_node);
        fill(&mut gpu.vram_bytes, other.vram_bytes);
        fill(&mut gpu.compute_units, other.compute_units);
        fill(&mut gpu.partition, other.partition);
        join(&mut gpu.firmware, other.firmware);
    }
}

/// How good a list is: as many GPUs as possible, known by KFD before known by the bus.
fn rank(gpus: &[Gpu]) -> (usize, usize, usize) {
    let known = |test: fn(&Gpu) -> bool| gpus.iter().filter(|gpu| test(gpu)).count();
    (gpus.len(), known(|gpu| gpu.gfx.is_some()), known(|gpu| gpu.kfd_node.is_some()))
}

fn fill<T>(own: &mut Option<T>, more: Option<T>) {
    if own.is_none() {
        *own = more;
    }
}

fn join<K: Ord, V>(own: &mut BTreeMap<K, V>, more: BTreeMap<K, V>) {
    for (key, value) in more {
        own.entry(key).or_insert(value);
    }
}
