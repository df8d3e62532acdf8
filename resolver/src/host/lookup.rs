//! What the probe asks the registry: products by PCI id, driver releases by module.
//!
//! Parameters, so that facts can be read and tested without the registry's data and a
//! kernel's or vendor's tables never become code here.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::sourced::Origin;

use super::HostFacts;
use super::facts::{DriverFlavour, GpuKind, PciId};

/// A GPU product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// Its name (`AMD Radeon RX 7900 XTX`).
    pub name: String,
    /// Its instruction set.
    pub gfx: GfxTarget,
    /// Integrated or discrete, where the table says it.
    pub kind: Option<GpuKind>,
}

/// The table of products.
pub trait ProductLookup {
    /// All products that may carry this id: none where the table has no such device, several
    /// where products share the id. With no revision, or one that the table lacks, all
    /// products of the device.
    fn by_pci(&self, id: PciId) -> Vec<Product>;

    /// The product that a user means by a name (`MI300X`, `RX 7900 XTX`).
    fn by_name(&self, name: &str) -> Option<Product>;

    /// All names that `by_name` knows, to find the nearest one.
    fn names(&self) -> Vec<String>;

    /// What all products of an instruction set are, `None` where both kinds exist or
    /// nothing is known.
    fn kind_of(&self, gfx: GfxTarget) -> Option<GpuKind>;
}

/// The map of the driver's three numbers.
pub trait DriverReleases {
    /// AMD's release (`30.20.1`, or `6.4.x` where the map knows no more) of the driver with
    /// this module version and, where known, dkms build id.
    fn release_of(&self, module_version: &str, dkms_build: Option<&str>) -> Option<String>;
}

/// AMD's release of a host's driver, and who says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverRelease {
    /// The release, exact (`30.20.1`) or a group of releases (`6.4.x`).
    pub release: String,
    /// Who says so.
    pub origin: Origin,
}

/// AMD's release of the driver that runs on a host: as given, else as its package says it,
/// else by the map of module versions, else not known.
///
/// An in-tree driver has no release. A module version is no release and never becomes one
/// without the map.
pub fn driver_release(facts: &HostFacts, map: &dyn DriverReleases) -> Option<DriverRelease> {
    let driver = &facts.driver;
    if let Some(release) = &driver.release {
        let origin = match facts.origin_of("driver") {
            Origin::Probed(_) if driver.flavour == Some(DriverFlavour::Adrenalin) => {
                Origin::Probed("what the driver recorded".to_owned())
            }
            Origin::Probed(_) => Origin::Probed("the installed driver package".to_owned()),
            given => given,
        };
        return Some(DriverRelease { release: release.to_string(), origin });
    }
    let module = driver.module_version.as_deref()?;
    let release = map.release_of(module, driver.dkms_build())?;
    let origin = Origin::Probed(format!("module version {module}"));
    Some(DriverRelease { release, origin })
}

/// Tables that know nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTables;

impl ProductLookup for NoTables {
    fn by_pci(&self, _: PciId) -> Vec<Product> {
        Vec::new()
    }

    fn by_name(&self, _: &str) -> Option<Product> {
        None
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn kind_of(&self, _: GfxTarget) -> Option<GpuKind> {
        None
    }
}

impl DriverReleases for NoTables {
    fn release_of(&self, _: &str, _: Option<&str>) -> Option<String> {
        None
    }
}
