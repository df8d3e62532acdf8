//! The registry as the probe's tables: products by PCI id and by name, driver releases.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::gpus::{GpuClass, ProductRow};
use rocmenv_manifests::version::Dotted;

use super::facts::{GpuKind, PciId};
use super::lookup::{DriverReleases, Product, ProductLookup};

impl ProductLookup for Registry {
    fn by_pci(&self, id: PciId) -> Vec<Product> {
        let rows = || self.products().product.iter();
        let carries = |row: &&ProductRow, wanted: &dyn Fn(PciId) -> bool| {
            row.pci.iter().filter_map(|text| text.parse().ok()).any(wanted)
        };
        let exact: Vec<_> =
            rows().filter(|row| carries(row, &|listed| listed == id)).flat_map(products).collect();
        if !exact.is_empty() {
            return exact;
        }
        let same_device = |listed: PciId| listed.device == id.device;
        rows().filter(|row| carries(row, &same_device)).flat_map(products).collect()
    }

    fn by_name(&self, name: &str) -> Option<Product> {
        let all = || self.products().product.iter().flat_map(products);
        all().find(|product| plain(&product.name) == plain(name)).or_else(|| {
            // `W7900` for `Radeon PRO W7900`, where that is the only one
            let series = ["rx", "pro"];
            let loose = |name: &str| -> String {
                words(name).filter(|word| !series.contains(&word.as_str())).collect()
            };
            let mut found = all().filter(|product| loose(&product.name) == loose(name));
            let first = found.next()?;
            found.next().is_none().then_some(first)
        })
    }

    fn names(&self) -> Vec<String> {
        let names = self.products().product.iter().flat_map(|row| &row.names);
        // as users write them: `RX 7900 XTX`, `MI300X`
        names.map(|name| short(name).to_owned()).collect()
    }

    fn kind_of(&self, gfx: GfxTarget) -> Option<GpuKind> {
        let rows = self.products().product.iter().filter(|row| row.gfx == gfx);
        let mut kinds = rows.flat_map(products).map(|product| product.kind);
        let first = kinds.next()??;
        kinds.all(|kind| kind == Some(first)).then_some(first)
    }
}

impl DriverReleases for Registry {
    fn release_of(&self, module_version: &str, dkms_build: Option<&str>) -> Option<String> {
        let module: Dotted = module_version.parse().ok()?;
        let numbers = self.drivers().number.iter();
        let rows: Vec<_> = numbers.filter(|row| row.module == module).collect();
        let by_build =
            rows.iter().find(|row| dkms_build.is_some() && row.dkms_build.as_deref() == dkms_build);
        let row = by_build.or(rows.first())?;
        row.release.as_ref().map(ToString::to_string)
    }
}

fn products(row: &ProductRow) -> impl Iterator<Item = Product> {
    row.names.iter().map(|name| Product {
        name: name.clone(),
        gfx: row.gfx,
        kind: Some(kind(row.class, name)),
    })
}

fn kind(class: GpuClass, name: &str) -> GpuKind {
    match class {
        GpuClass::Ryzen => GpuKind::Integrated,
        // AMD's one APU among the accelerators
        GpuClass::Instinct if name.ends_with("MI300A") => GpuKind::Integrated,
        GpuClass::Instinct | GpuClass::Radeon => GpuKind::Discrete,
    }
}

/// A name without maker, brand, marks, case and spaces: `AMD Radeon(TM) RX 7900 XTX` and
/// `rx7900xtx` are the same product.
pub(super) fn plain(name: &str) -> String {
    words(name).collect()
}

fn words(name: &str) -> impl Iterator<Item = String> {
    let lower = name.to_ascii_lowercase().replace("(tm)", "").replace("(r)", "");
    let words: Vec<_> = lower.split([' ', '-', '_']).map(str::to_owned).collect();
    words.into_iter().filter(|word| !NOISE.contains(&word.as_str()))
}

fn short(name: &str) -> &str {
    let name = name.strip_prefix("AMD ").unwrap_or(name);
    let name = name.strip_prefix("Instinct ").unwrap_or(name);
    match name.strip_prefix("Radeon ") {
        Some(rest) if rest.starts_with("RX ") || rest.starts_with("PRO ") => rest,
        _ => name,
    }
}

const NOISE: [&str; 5] = ["amd", "radeon", "instinct", "graphics", "ryzen"];

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Option<String> {
        Registry::embedded()
            .by_name(name)
            .map(|product| format!("{} {}", product.name, product.gfx))
    }

    #[test]
    fn products_are_found_as_users_write_them() {
        let xtx = Some("AMD Radeon RX 7900 XTX gfx1100".to_owned());
        for name in ["RX 7900 XTX", "rx7900xtx", "AMD Radeon(TM) RX 7900 XTX", "7900 XTX"] {
            assert_eq!(named(name), xtx, "{name}");
        }
        assert_eq!(named("MI300X").as_deref(), Some("AMD Instinct MI300X gfx942"));
        assert_eq!(named("Radeon VII").as_deref(), Some("AMD Radeon VII gfx906"));
        assert_eq!(named("Radeon PRO VII").as_deref(), Some("AMD Radeon PRO VII gfx906"));
        assert_eq!(named("W7900").as_deref(), Some("AMD Radeon PRO W7900 gfx1100"));
        assert_eq!(named("MI9000"), None);
    }

    #[test]
    fn a_revision_tells_products_of_one_device_apart() {
        let registry = Registry::embedded();
        let names = |text: &str| -> Vec<String> {
            let products = registry.by_pci(text.parse().unwrap());
            products.into_iter().map(|product| product.name).collect()
        };
        assert_eq!(names("744c:cc"), ["AMD Radeon RX 7900 XT"]);
        assert_eq!(names("740c:01"), ["AMD Instinct MI250X", "AMD Instinct MI250"]);
        assert_eq!(names("744c").len(), 3);
        assert!(names("ffff:00").is_empty());
    }

    #[test]
    fn kinds_are_said_where_all_products_agree() {
        let kind = |gfx: &str| Registry::embedded().kind_of(gfx.parse().unwrap());
        assert_eq!(kind("gfx1151"), Some(GpuKind::Integrated));
        assert_eq!(kind("gfx1100"), Some(GpuKind::Discrete));
        assert_eq!(kind("gfx942"), None);
        assert_eq!(kind("gfx701"), None);
    }

    #[test]
    fn the_map_knows_the_modules_of_its_reports_and_no_others() {
        let release = |module: &str| Registry::embedded().release_of(module, None);
        assert_eq!(release("6.16.6").as_deref(), Some("30.20.1"));
        assert_eq!(release("6.12.12").as_deref(), Some("6.4.x"));
        assert_eq!(release("6.7.0"), None);
        assert_eq!(release("6.99.1"), None);
    }
}
