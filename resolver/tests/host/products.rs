//! A few products and driver releases, as AMD's device tables have them.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_resolver::host::facts::{GpuKind, PciId};
use rocmenv_resolver::host::{DriverReleases, Product, ProductLookup};

pub(crate) struct TestProducts;

impl ProductLookup for TestProducts {
    fn by_pci(&self, id: PciId) -> Vec<Product> {
        let device: Vec<_> = PRODUCTS.iter().filter(|row| row.0.device == id.device).collect();
        let exact: Vec<_> =
            device.iter().copied().filter(|row| row.0.revision == id.revision).collect();
        let rows = if exact.is_empty() { device } else { exact };
        rows.into_iter().map(product).collect()
    }

    fn by_name(&self, name: &str) -> Option<Product> {
        PRODUCTS.iter().find(|row| row.1.ends_with(name)).map(product)
    }

    fn names(&self) -> Vec<String> {
        PRODUCTS.iter().map(|row| row.1.trim_start_matches("AMD Radeon ").to_owned()).collect()
    }

    fn kind_of(&self, gfx: GfxTarget) -> Option<GpuKind> {
        (gfx.to_string() == "gfx1103").then_some(GpuKind::Integrated)
    }
}

impl DriverReleases for TestProducts {
    fn release_of(&self, module_version: &str, _: Option<&str>) -> Option<String> {
        let releases = [("6.16.6", "30.20.1"), ("6.12.12", "6.4.x")];
        let row = releases.iter().find(|(module, _)| *module == module_version)?;
        Some(row.1.to_owned())
    }
}

type Row = (PciId, &'static str, &'static str, Option<GpuKind>);

fn product(row: &Row) -> Product {
    Product { name: row.1.to_owned(), gfx: row.2.parse().unwrap(), kind: row.3 }
}

const fn id(device: u16, revision: u8) -> PciId {
    PciId { device, revision: Some(revision) }
}

const PRODUCTS: &[Row] = &[
    (id(0x744c, 0xc8), "AMD Radeon RX 7900 XTX", "gfx1100", Some(GpuKind::Discrete)),
    (id(0x744c, 0xcc), "AMD Radeon RX 7900 XT", "gfx1100", Some(GpuKind::Discrete)),
    (id(0x74a1, 0x00), "AMD Instinct MI300X", "gfx942", Some(GpuKind::Discrete)),
    (id(0x75a0, 0xc0), "AMD Instinct MI350X", "gfx950", Some(GpuKind::Discrete)),
    (id(0x740c, 0x01), "AMD Instinct MI250X", "gfx90a", Some(GpuKind::Discrete)),
    (id(0x740c, 0x01), "AMD Instinct MI250", "gfx90a", Some(GpuKind::Discrete)),
    (id(0x6860, 0x00), "AMD Instinct MI25", "gfx900", None),
    (id(0x7550, 0xc0), "AMD Radeon RX 9070 XT", "gfx1201", Some(GpuKind::Discrete)),
];
