//! A target made of a host's facts, probed or read from a file.

use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::platform::{Arch, OsFamily};
use rocmenv_manifests::project::Accelerator;
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_manifests::version::{Dotted, RocmVersion};

use super::{Target, TargetDriver, TargetGpu};
use crate::host::facts::{DriverFlavour, Gpu, HostFacts};
use crate::host::{DriverReleases, driver_release};

/// Makes a target of facts. `releases` maps the driver's module version to AMD's release.
pub fn from_host(name: TargetName, facts: &HostFacts, releases: &dyn DriverReleases) -> Target {
    let arch = facts.arch.unwrap_or(Arch::X86_64);
    let kernel = facts.kernel.version();
    Target {
        name,
        family: facts.os.family.unwrap_or(OsFamily::Linux),
        os: facts.os.release.clone().map(|os| Sourced::new(os, facts.origin_of("os"))),
        wsl: facts.wsl.is_some(),
        kernel: kernel.map(|kernel| Sourced::new(kernel, facts.origin_of("kernel"))),
        libc: facts.libc.clone().map(|libc| Sourced::new(libc, facts.origin_of("libc"))),
        arch: Sourced::new(arch, facts.origin_of("arch")),
        gpus: facts.gpus.as_ref().map(|gpus| grouped(gpus, &facts.origin_of("gpus"))),
        driver: driver(facts, releases),
        host_rocm: host_rocm(facts),
        accelerator: Accelerator::Rocm,
    }
}

/// GPUs that are alike become one entry with a count. Those that ROCm cannot open count too: the
/// environment is made for the machine, and doctor says what keeps a GPU from working.
fn grouped(gpus: &[Gpu], origin: &Origin) -> Vec<Sourced<TargetGpu>> {
    let mut groups: Vec<TargetGpu> = Vec::new();
    for gpu in gpus {
        let alike = |group: &&mut TargetGpu| group.gfx == gpu.gfx && group.product == gpu.product;
        match groups.iter_mut().find(alike) {
            Some(group) => group.count += 1,
            None => groups.push(TargetGpu { gfx: gpu.gfx, product: gpu.product.clone(), count: 1 }),
        }
    }
    groups.into_iter().map(|gpu| Sourced::new(gpu, origin.clone())).collect()
}

fn driver(facts: &HostFacts, releases: &dyn DriverReleases) -> Option<Sourced<TargetDriver>> {
    let probed = || facts.origin_of("driver");
    match facts.driver.flavour? {
        DriverFlavour::InTree => Some(Sourced::new(TargetDriver::InTree, probed())),
        DriverFlavour::Adrenalin => {
            let version = facts.driver.release.clone()?;
            Some(Sourced::new(TargetDriver::Adrenalin(version), probed()))
        }
        DriverFlavour::Dkms => {
            let known = driver_release(facts, releases).and_then(|found| {
                let version = Dotted::leading(&found.release)?;
                Some(Sourced::new(TargetDriver::Amd(version), found.origin))
            });
            known.or_else(|| {
                let module = facts.driver.module_version.clone()?;
                Some(Sourced::new(TargetDriver::UnknownRelease { module }, probed()))
            })
        }
    }
}

/// The newest ROCm under /opt/rocm whose release is readable; the link without a version first.
fn host_rocm(facts: &HostFacts) -> Option<Sourced<RocmVersion>> {
    let version = |text: &Option<String>| text.as_deref()?.parse::<RocmVersion>().ok();
    let linked = facts.rocm.iter().find(|install| install.path == "/opt/rocm");
    let newest = facts.rocm.iter().max_by_key(|install| version(&install.version));
    let chosen = linked.filter(|install| version(&install.version).is_some()).or(newest)?;
    let origin = match facts.origin_of("rocm") {
        Origin::Probed(_) => Origin::Probed(chosen.path.clone()),
        given => given,
    };
    Some(Sourced::new(version(&chosen.version)?, origin))
}
