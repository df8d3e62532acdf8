//! Where documents disagree, and combinations that are known to fail.

use std::collections::BTreeMap;

use rocmenv_manifests::registry::pattern::numbers;
use rocmenv_manifests::registry::rows::known_bad::{Effect, KnownBad};
use rocmenv_manifests::registry::rows::sources::{Confidence, SourceKeys};
use rocmenv_manifests::registry::rows::support::SupportStatus;
use rocmenv_manifests::registry::{Registry, ReleasePattern};
use rocmenv_manifests::version::RocmVersion;
use serde::Serialize;

use super::NamedDriver;
use super::gpus::holds;
use super::ledger::{Ledger, Quote};

/// A disagreement of documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dispute {
    /// What it is about (`driver 6.3.x`).
    pub about: String,
    /// The releases that it is about, as versions; empty where it is about none in particular.
    pub releases: Vec<String>,
    /// The products that it is about; empty where it is about none in particular.
    pub products: Vec<String>,
    /// What each says.
    pub what: String,
    /// The documents.
    pub quotes: Vec<Quote>,
}

/// A combination that is known to fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KnownFailure {
    /// Its stable name.
    pub id: String,
    /// What happens.
    pub what: String,
    /// All that must hold, in words.
    pub conditions: Vec<String>,
    /// The targets; empty for any.
    pub gfx: Vec<String>,
    /// The releases; empty for any.
    pub releases: Vec<String>,
    /// The drivers of the list that it is with; `None` for any.
    pub drivers: Option<Vec<String>>,
    /// The system; empty for any.
    pub system: String,
    /// What to take in its place.
    pub instead: Option<String>,
    /// Whether it is refused, not only warned of.
    pub is_refused: bool,
    /// Who says so.
    pub basis: String,
    /// The documents.
    pub quotes: Vec<Quote>,
}

/// The rows that say of themselves that documents disagree.
pub(super) fn disputes(registry: &Registry, ledger: &mut Ledger) -> Vec<Dispute> {
    let releases: Vec<RocmVersion> =
        registry.releases().release.iter().map(|row| row.version.clone()).collect();
    let mut all = Vec::new();
    let names = registry.products().product.iter().map(|row| (row.names.join(", "), &row.names));
    let products: BTreeMap<String, &Vec<String>> = names.collect();
    let mut add = |about: String, rocm: &[ReleasePattern], what: &str, source: &SourceKeys| {
        all.push(Dispute {
            products: products.get(&about).copied().cloned().unwrap_or_default(),
            about,
            releases: holds(rocm, &releases),
            what: what.to_owned(),
            quotes: ledger.quotes(registry.evidence(source, "", &None)),
        });
    };
    for row in &registry.drivers().conflict {
        let about = format!("driver {} with ROCm {}: {}", row.driver, row.rocm, row.status);
        add(about, std::slice::from_ref(&row.rocm), &row.notes, &row.source);
    }
    for row in &registry.frameworks().listed {
        if is_conflict(&row.confidence) {
            let about = format!("{} {}", row.framework, row.versions.join(" "));
            add(about, &row.rocm, &row.notes, &row.source);
        }
    }
    for row in &registry.os_support().row {
        if row.status == SupportStatus::Conflict || is_conflict(&row.confidence) {
            add(row.os.0.clone(), &row.releases, &row.notes, &row.source);
        }
    }
    for row in &registry.gpu_support().row {
        if row.status == SupportStatus::Conflict || is_conflict(&row.confidence) {
            let gfx: Vec<String> = row.gfx.iter().map(ToString::to_string).collect();
            let rocm = std::slice::from_ref(&row.release);
            add(gfx.join(" "), rocm, &row.notes, &row.source);
        }
    }
    for row in &registry.product_support().row {
        if is_conflict(&row.confidence) {
            let rocm = ReleasePattern::Exact(row.release.dotted().parts().to_vec());
            add(row.os.0.clone(), &[rocm], &row.notes, &row.source);
        }
    }
    for row in &registry.products().product {
        if row.notes.to_lowercase().contains("conflict") {
            add(row.names.join(", "), &[], &row.notes, &row.source);
        }
    }
    for row in &registry.releases().release {
        if row.notes.to_lowercase().contains("conflict") {
            let rocm = ReleasePattern::Exact(row.version.dotted().parts().to_vec());
            add(format!("ROCm {}", row.version), &[rocm], &row.notes, &row.source);
        }
    }
    all
}

/// The known failures.
pub(super) fn failures(
    registry: &Registry,
    drivers: &[NamedDriver],
    ledger: &mut Ledger,
) -> Vec<KnownFailure> {
    let releases: Vec<RocmVersion> =
        registry.releases().release.iter().map(|row| row.version.clone()).collect();
    let one = |row: &KnownBad| KnownFailure {
        id: row.id.clone(),
        what: row.what.clone(),
        conditions: conditions(row),
        gfx: row.gfx.iter().map(ToString::to_string).collect(),
        releases: holds(&row.rocm, &releases),
        drivers: (!row.driver.is_empty()).then(|| {
            let holds = |driver: &&NamedDriver| {
                let parts = numbers(driver.name.trim_end_matches(".x"));
                parts.is_some_and(|parts| row.driver.iter().any(|own| own.contains(&parts)))
            };
            drivers.iter().filter(holds).map(|driver| driver.name.clone()).collect()
        }),
        system: row.os.as_ref().map(|os| os.0.clone()).unwrap_or_default(),
        instead: row.instead.clone(),
        is_refused: row.effect == Effect::Refuse,
        basis: row.basis.clone(),
        quotes: ledger.quotes(registry.evidence(&row.source, "", &None)),
    };
    registry.known_bad().combination.iter().map(one).collect()
}

fn conditions(row: &KnownBad) -> Vec<String> {
    let mut all = Vec::new();
    let mut add = |what: &str, values: Vec<String>| {
        if !values.is_empty() {
            all.push(format!("{what} {}", values.join(" or ")));
        }
    };
    add("GPU", row.gfx.iter().map(ToString::to_string).collect());
    add("ROCm", row.rocm.iter().map(ToString::to_string).collect());
    add("driver", row.driver.iter().map(ToString::to_string).collect());
    let kind = row.driver_kind.map(|kind| crate::ops::matrix::word(&kind));
    add("driver kind", kind.into_iter().collect());
    add("system", row.os.iter().map(|os| os.0.clone()).collect());
    add("kernel from", row.kernel_from.iter().cloned().collect());
    add("kernel below", row.kernel_below.iter().cloned().collect());
    add("firmware", row.firmware.iter().cloned().collect());
    for package in &row.packages {
        add("package", vec![format!("{} {}", package.name, package.versions)]);
    }
    all
}

fn is_conflict(confidence: &Confidence) -> bool {
    confidence.as_deref().is_some_and(|text| text.starts_with("conflict"))
}
