//! A target as rocm.toml describes it.

use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::platform::{Arch, OsFamily};
use rocmenv_manifests::project::{DriverSpec, GpuSpec, TargetSpec};
use rocmenv_manifests::sourced::{Origin, Sourced};

use super::{Target, TargetDriver, TargetGpu};
use crate::host::ProductLookup;

/// A description that cannot be a host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// No product of that name.
    #[error("{origin}: target `{target}`: no GPU product `{product}` is known")]
    UnknownProduct {
        /// The target.
        target: TargetName,
        /// The product.
        product: String,
        /// Where it was said.
        origin: Origin,
    },
    /// Product and gfx target contradict each other.
    #[error("{origin}: target `{target}`: `{product}` is {actual}, not {said}")]
    OtherGfx {
        /// The target.
        target: TargetName,
        /// The product.
        product: String,
        /// The gfx target that it has.
        actual: rocmenv_manifests::gfx::GfxTarget,
        /// The gfx target that was said.
        said: rocmenv_manifests::gfx::GfxTarget,
        /// Where it was said.
        origin: Origin,
    },
}

/// Makes a target of its description; products are looked up for their gfx targets.
pub fn from_spec(spec: &TargetSpec, products: &dyn ProductLookup) -> Result<Target, TargetError> {
    let gpus = spec
        .gpus
        .as_ref()
        .map(|gpus| gpus.iter().map(|gpu| described_gpu(&spec.name, gpu, products)).collect());
    Ok(Target {
        name: spec.name.clone(),
        family: spec.os.as_ref().map_or(OsFamily::Linux, |os| os.value.family()),
        os: spec.os.clone(),
        wsl: spec.wsl,
        kernel: spec.kernel.clone(),
        libc: spec.libc.clone(),
        arch: spec.arch.clone().unwrap_or_else(|| Sourced::new(Arch::X86_64, Origin::Default)),
        gpus: gpus.transpose()?,
        driver: spec.driver.clone().map(|driver| driver.map(described_driver)),
        host_rocm: spec.rocm.clone(),
        accelerator: spec.accelerator,
    })
}

fn described_gpu(
    target: &TargetName,
    gpu: &Sourced<GpuSpec>,
    products: &dyn ProductLookup,
) -> Result<Sourced<TargetGpu>, TargetError> {
    let spec = &gpu.value;
    let Some(name) = &spec.product else {
        let known = TargetGpu { gfx: spec.gfx, product: None, count: spec.count };
        return Ok(Sourced::new(known, gpu.origin.clone()));
    };
    let product = products.by_name(name).ok_or_else(|| TargetError::UnknownProduct {
        target: target.clone(),
        product: name.clone(),
        origin: gpu.origin.clone(),
    })?;
    if let Some(said) = spec.gfx.filter(|said| *said != product.gfx) {
        return Err(TargetError::OtherGfx {
            target: target.clone(),
            product: product.name,
            actual: product.gfx,
            said,
            origin: gpu.origin.clone(),
        });
    }
    let known =
        TargetGpu { gfx: Some(product.gfx), product: Some(product.name), count: spec.count };
    Ok(Sourced::new(known, gpu.origin.clone()))
}

fn described_driver(driver: DriverSpec) -> TargetDriver {
    match driver {
        DriverSpec::Amd(release) => TargetDriver::Amd(release),
        DriverSpec::InTree => TargetDriver::InTree,
        DriverSpec::Adrenalin(version) => TargetDriver::Adrenalin(version),
    }
}
