//! One change to the facts of a host: what hangs together changes together.
//!
//! A driver that is given, say, has no module version, and what the probe read of another
//! driver must not stay beside it.

use pep440_rs::Version;
use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::platform::{Arch, Libc, OsRelease};
use rocmenv_manifests::project::{DriverSpec, GpuSpec, nearest};

use super::OverrideError;
use crate::host::HostFacts;
use crate::host::facts::{
    Container, ContainerKind, Driver, DriverFlavour, GfxSource, Gpu, Interpreter,
    InterpreterOrigin, Kernel, Memory, Os, RocmInstall, Wsl,
};
use crate::host::lookup::{Product, ProductLookup};

/// A change to the facts of a host.
#[derive(Debug, Clone)]
pub(super) enum Change {
    Os(OsRelease),
    Kernel(String),
    Libc(Libc),
    Arch(Arch),
    /// Empty: there is none.
    Gpus(Vec<GpuSpec>),
    /// `None`: no driver is loaded.
    Driver(Option<DriverSpec>),
    Python(Vec<Version>),
    /// `None`: no ROCm is installed.
    Rocm(Option<String>),
    Memory(u64),
    Wsl(Option<u8>),
    Container(ContainerKind),
}

impl Change {
    pub(super) fn apply(
        self,
        facts: &mut HostFacts,
        products: &dyn ProductLookup,
    ) -> Result<(), OverrideError> {
        match self {
            Self::Os(release) => {
                let family = Some(release.family());
                facts.os = Os { family, release: Some(release), ..Os::default() };
            }
            Self::Kernel(release) => facts.kernel = Kernel { release: Some(release) },
            Self::Libc(libc) => facts.libc = Some(libc),
            Self::Arch(arch) => facts.arch = Some(arch),
            Self::Gpus(specs) => facts.gpus = Some(gpus(&specs, products)?),
            Self::Driver(spec) => facts.driver = driver(spec),
            Self::Python(versions) => facts.python = versions.iter().map(interpreter).collect(),
            Self::Rocm(version) => facts.rocm = version.map(install).into_iter().collect(),
            Self::Memory(bytes) => facts.memory = Memory { total_bytes: Some(bytes) },
            Self::Wsl(version) => {
                facts.wsl = version.map(|version| Wsl {
                    version,
                    dxg: version == 2,
                    librocdxg: None,
                    windows: None,
                });
            }
            Self::Container(kind) => facts.container = Some(Container { kind, evidence: None }),
        }
        Ok(())
    }
}

fn gpus(specs: &[GpuSpec], products: &dyn ProductLookup) -> Result<Vec<Gpu>, OverrideError> {
    let mut gpus = Vec::new();
    for spec in specs {
        let gpu = gpu(spec, products)?;
        gpus.extend((0..spec.count).map(|_| gpu.clone()));
    }
    Ok(gpus)
}

/// A product says its instruction set; where both are given, the given one stands.
fn gpu(spec: &GpuSpec, products: &dyn ProductLookup) -> Result<Gpu, OverrideError> {
    let product = match &spec.product {
        Some(name) => product(name, spec.gfx, products)?,
        None => None,
    };
    let gfx = spec.gfx.or(product.as_ref().map(|product| product.gfx));
    let kind = product.as_ref().and_then(|product| product.kind);
    Ok(Gpu {
        gfx,
        gfx_source: gfx.map(|_| GfxSource::Given),
        kind: kind.or_else(|| products.kind_of(gfx?)),
        product: product.map(|product| product.name).or_else(|| spec.product.clone()),
        ..Gpu::default()
    })
}

/// A product that the table lacks is an error, unless its instruction set is given.
fn product(
    name: &str,
    gfx: Option<GfxTarget>,
    products: &dyn ProductLookup,
) -> Result<Option<Product>, OverrideError> {
    let found = products.by_name(name);
    if found.is_some() || gfx.is_some() {
        return Ok(found);
    }
    let names = products.names();
    let nearest = nearest(name, names.iter().map(String::as_str)).map(str::to_owned);
    Err(OverrideError::UnknownProduct { name: name.to_owned(), nearest })
}

fn driver(spec: Option<DriverSpec>) -> Driver {
    let (flavour, release) = match spec {
        None => return Driver { loaded: Some(false), ..Driver::default() },
        Some(DriverSpec::Amd(version)) => (DriverFlavour::Dkms, Some(version)),
        Some(DriverSpec::InTree) => (DriverFlavour::InTree, None),
        Some(DriverSpec::Adrenalin(version)) => (DriverFlavour::Adrenalin, Some(version)),
    };
    Driver { loaded: Some(true), flavour: Some(flavour), release, ..Driver::default() }
}

fn interpreter(version: &Version) -> Interpreter {
    let name = format!("python{version}");
    Interpreter {
        path: name.clone(),
        real_path: name,
        version: version.clone(),
        implementation: "cpython".to_owned(),
        prefix: None,
        free_threaded: false,
        virtual_environment_of: None,
        origin: InterpreterOrigin::Given,
    }
}

fn install(version: String) -> RocmInstall {
    let path = "/opt/rocm".to_owned();
    RocmInstall { path, real_path: None, version: Some(version), build: None }
}
