//! The whole matrix as one value: every pair of product, system, driver, framework and Python with
//! every release that some document or build speaks of.
//!
//! The judgements are the registry's own, so that a cell says what `check` says of the same pair.
//! A pair of which nothing was read has no cell: silence is not stored. Cells that are the same
//! for every product are kept once (`general`), those that a product changes beside it (`kinds`).

mod disputes;
mod drivers;
mod frameworks;
mod gpus;
mod ledger;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::registry::rows::gpus::{GpuClass, GpuScope};
use rocmenv_manifests::registry::rows::releases::ReleaseKind;
use rocmenv_manifests::registry::rows::support::OsSupport;
use rocmenv_manifests::registry::{KnownGpu, Registry, System};
use rocmenv_manifests::version::RocmVersion;
use serde::Serialize;

pub use disputes::{Dispute, KnownFailure};
pub use ledger::{Document, Entry, Quote};

use ledger::Ledger;

/// Cells of one row: place of the release, place of the judgement. `None` only where nothing was
/// read and the cell that this one goes before has a judgement.
pub type Row = Vec<(usize, Option<usize>)>;

/// The whole matrix. Places are positions in the lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Compatibility {
    /// The day of the registry.
    pub date: String,
    /// The releases, newest first.
    pub releases: Vec<ReleaseColumn>,
    /// The products, and the gfx targets that have none.
    pub products: Vec<Product>,
    /// The systems that some table names.
    pub systems: Vec<NamedSystem>,
    /// The drivers that some table names.
    pub drivers: Vec<NamedDriver>,
    /// The frameworks with the versions that are listed or built.
    pub frameworks: Vec<NamedFramework>,
    /// Python series, newest first.
    pub pythons: Vec<String>,
    /// The documents.
    pub documents: Vec<Document>,
    /// The judgements.
    pub judgements: Vec<Entry>,
    /// Cells that hold whatever the product.
    pub general: Cells,
    /// Cells of products; those that are like the general ones are left out.
    pub kinds: Vec<Cells>,
    /// Where documents disagree.
    pub disputes: Vec<Dispute>,
    /// Combinations that are known to fail.
    pub failures: Vec<KnownFailure>,
}

/// A release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReleaseColumn {
    /// Its number.
    pub version: String,
    /// Its day, where found.
    pub date: Option<String>,
    /// Its line.
    pub line: String,
}

/// A product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Product {
    /// As AMD writes it.
    pub name: String,
    /// Its target.
    pub gfx: String,
    /// The place of its cells.
    pub kind: usize,
}

/// A system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedSystem {
    /// As tables name it (`ubuntu-24.04.4`, `wsl-ubuntu-24.04`).
    pub name: String,
    /// `linux`, `windows` or `wsl`.
    pub platform: &'static str,
}

/// A driver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedDriver {
    /// Its release, or a series that no exact release is known of (`6.2.x`).
    pub name: String,
    /// `linux`, `windows` or `wsl`.
    pub platform: &'static str,
}

/// A framework.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedFramework {
    /// As its makers write it.
    pub title: String,
    /// Versions, newest first.
    pub versions: Vec<String>,
}

/// Cells by what they are of. Frameworks are keyed `FRAMEWORK|VERSION|PLATFORM|PYTHON`, where no
/// Python means any.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Cells {
    /// The product on a system.
    pub gpu: BTreeMap<usize, Row>,
    /// A system.
    pub system: BTreeMap<usize, Row>,
    /// A driver.
    pub driver: BTreeMap<usize, Row>,
    /// A version of a framework.
    pub framework: BTreeMap<String, Row>,
}

/// What the parts are made from.
struct Maker<'r> {
    registry: &'r Registry,
    releases: Vec<RocmVersion>,
    systems: Vec<System>,
    /// The rows of systems that are for some GPUs only.
    scoped: Vec<&'r OsSupport>,
    ledger: Ledger,
    /// Cells of systems and of frameworks for products that are treated alike.
    systems_of_alike: HashMap<Alike, BTreeMap<usize, Row>>,
    frameworks_of_alike: HashMap<Alike, BTreeMap<String, Row>>,
}

/// What lists tell products apart by: target, class, and the name of one that a list names.
type Alike = (GfxTarget, Option<GpuClass>, Option<String>);

/// Makes it.
pub fn compatibility(registry: &Registry) -> Compatibility {
    let columns: Vec<_> = registry
        .releases()
        .release
        .iter()
        .filter(|row| row.kind != ReleaseKind::NamedOnly)
        .collect();
    let (systems, named_systems): (Vec<_>, Vec<_>) = gpus::systems(registry).into_iter().unzip();
    let mut maker = Maker {
        registry,
        releases: columns.iter().map(|row| row.version.clone()).collect(),
        systems,
        scoped: registry
            .os_support()
            .row
            .iter()
            .filter(|row| row.gpus != GpuScope::default())
            .collect(),
        ledger: Ledger::default(),
        systems_of_alike: HashMap::new(),
        frameworks_of_alike: HashMap::new(),
    };
    let (driver_list, drivers): (Vec<_>, Vec<_>) = drivers::drivers(registry).into_iter().unzip();
    let versions = frameworks::versions(registry);
    let general = Cells {
        gpu: BTreeMap::new(),
        system: maker.system_cells(None),
        driver: maker.driver_cells(&driver_list, None),
        framework: maker.framework_cells(&versions, None),
    };
    let (mut kinds, mut products) = (Vec::<Cells>::new(), Vec::new());
    for gpu in gpus::gpus(registry) {
        let cells = Cells {
            gpu: maker.gpu_cells(&gpu),
            system: differing(maker.system_cells_of(&gpu), |key, at| {
                found(general.system.get(key), at)
            }),
            driver: differing(maker.driver_cells(&driver_list, Some(&gpu)), |key, at| {
                found(general.driver.get(key), at)
            }),
            framework: differing(maker.framework_cells_of(&versions, &gpu), |key, at| {
                let any = key.rfind('|').map_or("", |end| &key[..=end]);
                let own = general.framework.get(key).into_iter().flatten();
                let own = own.filter(|cell| cell.0 == at).map(|cell| cell.1).next();
                own.unwrap_or_else(|| found(general.framework.get(any), at))
            }),
        };
        let kind = kinds.iter().position(|known| *known == cells).unwrap_or_else(|| {
            kinds.push(cells);
            kinds.len() - 1
        });
        products.push(product(&gpu, kind));
    }
    let disputes = disputes::disputes(registry, &mut maker.ledger);
    let failures = disputes::failures(registry, &drivers, &mut maker.ledger);
    let (documents, judgements) = maker.ledger.into_parts();
    Compatibility {
        date: registry.date().to_owned(),
        releases: columns
            .iter()
            .map(|row| ReleaseColumn {
                version: row.version.to_string(),
                date: row.date.clone(),
                line: row.line.clone(),
            })
            .collect(),
        products,
        systems: named_systems,
        drivers,
        frameworks: frameworks::named(&versions),
        pythons: pythons(registry),
        documents,
        judgements,
        general,
        kinds,
        disputes,
        failures,
    }
}

/// The cells that are not what holds without a GPU.
fn differing<K: Ord>(
    cells: BTreeMap<K, Row>,
    general: impl Fn(&K, usize) -> Option<usize>,
) -> BTreeMap<K, Row> {
    let mut kept = BTreeMap::new();
    for (key, mut row) in cells {
        row.retain(|(at, judgement)| general(&key, *at) != *judgement);
        if !row.is_empty() {
            kept.insert(key, row);
        }
    }
    kept
}

/// The judgement of a row's cell.
fn found(row: Option<&Row>, at: usize) -> Option<usize> {
    row?.iter().find(|cell| cell.0 == at)?.1
}

fn product(gpu: &KnownGpu, kind: usize) -> Product {
    let gfx = gpu.gfx.to_string();
    let name = gpu.product.clone().unwrap_or_else(|| format!("{gfx} (no product)"));
    Product { name, gfx, kind }
}

/// The series that some list or build of a framework names.
fn pythons(registry: &Registry) -> Vec<String> {
    let mut all: BTreeSet<(u32, u32)> = BTreeSet::new();
    let listed = registry.frameworks().listed.iter().flat_map(|row| row.pythons.iter().cloned());
    let builds = registry.builds().build.iter().chain(&registry.builds_general().build);
    let built = builds.flat_map(|build| &build.pythons).filter_map(|tag| {
        let digits = tag.strip_prefix("cp")?;
        Some(format!("{}.{}", digits.get(..1)?, digits.get(1..)?))
    });
    for text in listed.chain(built) {
        let parts = text.split_once('.').map(|(major, minor)| (major.parse(), minor.parse()));
        if let Some((Ok(major), Ok(minor))) = parts {
            all.insert((major, minor));
        }
    }
    all.into_iter().rev().map(|(major, minor)| format!("{major}.{minor}")).collect()
}
