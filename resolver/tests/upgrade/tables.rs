//! A random world as tables of a registry.

use rocmenv_manifests::registry::rows::builds::Build;
use rocmenv_manifests::registry::rows::drivers::{DriverPairing, DriverWindow, Firmware};
use rocmenv_manifests::registry::rows::frameworks::{FrameworkRow, ListedFramework};
use rocmenv_manifests::registry::rows::gpus::GpuScope;
use rocmenv_manifests::registry::rows::known_bad::{Effect, KnownBad};
use rocmenv_manifests::registry::rows::releases::{Release, ReleaseKind};
use rocmenv_manifests::registry::rows::sources::{Source, SourceKeys};
use rocmenv_manifests::registry::rows::support::{
    GpuSupport, OsSupport, Platform, SupportStatus, SystemName,
};
use rocmenv_manifests::registry::tables::Tables;
use rocmenv_manifests::registry::{Pattern, Registry};
use rocmenv_manifests::version::{DriverVersion, RocmVersion};

use super::world::{KERNELS, PYTHONS, Said, World};

pub(crate) fn release(at: usize) -> RocmVersion {
    RocmVersion::new(7, u64::try_from(at).unwrap(), 0)
}

pub(crate) fn driver(at: usize) -> DriverVersion {
    format!("40.{at}0.0").parse().unwrap()
}

pub(crate) fn system(at: usize) -> String {
    format!("ubuntu-2{}.04", 2 * at)
}

pub(crate) fn build(at: usize) -> String {
    format!("torch 2.{at}.0+rocm7.{at}.0")
}

pub(crate) fn registry(world: &World) -> Registry {
    let mut tables = Tables::default();
    "2026-11-30".clone_into(&mut tables.sources.collected);
    tables.sources.source.push(Source {
        key: "s".to_owned(),
        site: "a test".to_owned(),
        path: String::new(),
        commit: String::new(),
        note: String::new(),
        read: None,
        local: None,
    });
    for (at, (firmware, gpu)) in world.releases.iter().enumerate() {
        tables.releases.release.push(a_release(at));
        if *firmware {
            tables.drivers.firmware.push(Firmware {
                versions: "FW 2 (or later); FW 0".to_owned(),
                rocm: exactly(at),
                products: vec!["AMD Instinct MI300X".to_owned()],
                source: source(),
            });
        }
        tables.gpu_support.row.extend(status(*gpu).map(|status| GpuSupport {
            release: exactly(at),
            os: Platform::Linux,
            status,
            gfx: vec!["gfx942".parse().unwrap()],
            notes: String::new(),
            confidence: None,
            source: source(),
        }));
        tables.drivers.closed_rocm.push(exactly(at));
    }
    for (at, (serves, with)) in world.drivers.iter().enumerate() {
        let served = serves.iter().enumerate().filter(|(_, serves)| **serves);
        tables.drivers.matrix.push(DriverWindow {
            driver: format!("40.{at}0.x").parse().unwrap(),
            rocm: served.map(|(release, _)| exactly(release)).collect(),
            source: source(),
        });
        tables.drivers.pairing.extend(with.map(|with| DriverPairing {
            driver: driver(at),
            rocm: exactly(with),
            notes: String::new(),
            confidence: None,
            source: source(),
        }));
    }
    for (at, cells) in world.systems.iter().enumerate() {
        for (release, (said, kernels)) in cells.iter().enumerate() {
            tables.os_support.row.extend(status(*said).map(|status| OsSupport {
                os: SystemName(system(at)),
                releases: vec![exactly(release)],
                kernel: kernel_text(at, *kernels),
                status,
                gpus: GpuScope::default(),
                notes: String::new(),
                confidence: None,
                source: source(),
            }));
        }
    }
    frameworks(world, &mut tables);
    tables.known_bad.combination.extend(world.bad.map(|(own, kernel, on)| KnownBad {
        id: "does-not-build".to_owned(),
        what: "it does not build".to_owned(),
        driver: vec![driver(own).to_string().parse().unwrap()],
        os: on.map(|at| SystemName(system(at))),
        kernel_from: Some(KERNELS[kernel].to_owned()),
        effect: Effect::Refuse,
        basis: "reporter".to_owned(),
        source: source(),
        gfx: Vec::new(),
        rocm: Vec::new(),
        driver_kind: None,
        kernel_below: None,
        firmware: None,
        packages: Vec::new(),
        instead: None,
    }));
    Registry::of_tables(tables)
}

fn frameworks(world: &World, tables: &mut Tables) {
    tables.frameworks.framework.push(FrameworkRow {
        name: "pytorch".to_owned(),
        title: "PyTorch".to_owned(),
        aliases: Vec::new(),
        package: "torch".to_owned(),
        packages: vec!["torch".to_owned()],
        notes: String::new(),
        source: source(),
    });
    for (at, (pythons, listed, _)) in world.builds.iter().enumerate() {
        if !pythons.contains(&true) {
            continue;
        }
        let tags = (0..2)
            .filter(|own| pythons[*own])
            .map(|own| format!("cp{}", PYTHONS[own].replace('.', "")));
        tables.builds.build.push(Build {
            package: "torch".to_owned(),
            version: format!("2.{at}.0+rocm7.{at}.0"),
            rocm: format!("7.{at}.0").try_into().unwrap(),
            channel: "python".to_owned(),
            series: None,
            family: None,
            platforms: vec!["linux_x86_64".to_owned()],
            libc: None,
            pythons: tags.collect(),
            without: Vec::new(),
            abi3: false,
            requires_python: None,
            requires: None,
            beside: Vec::new(),
            uploaded: None,
            bundles_rocm: None,
            notes: String::new(),
            source: source(),
        });
        tables.frameworks.listed.extend(listed.then(|| ListedFramework {
            framework: "pytorch".to_owned(),
            rocm: vec![exactly(at)],
            versions: vec![format!("2.{at}.0")],
            os: vec![Platform::Linux],
            pythons: Vec::new(),
            gpus: GpuScope::default(),
            requires: None,
            notes: String::new(),
            confidence: None,
            source: source(),
        }));
    }
}

fn a_release(at: usize) -> Release {
    Release {
        version: release(at),
        line: "classic".to_owned(),
        kind: ReleaseKind::Production,
        date: None,
        hip: None,
        llvm: None,
        docs: None,
        notes: String::new(),
        source: source(),
    }
}

fn kernel_text(system: usize, named: [bool; 2]) -> Option<String> {
    let words = [(0, "GA"), (1, "HWE")].into_iter().filter(|(at, _)| named[*at]);
    let words: Vec<String> =
        words.map(|(at, word)| format!("{} {word}", KERNELS[system + at])).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

fn status(said: Said) -> Option<SupportStatus> {
    match said {
        Said::Yes => Some(SupportStatus::Supported),
        Said::No => Some(SupportStatus::Unsupported),
        Said::Nothing => None,
    }
}

fn exactly(at: usize) -> Pattern {
    release(at).to_string().parse().unwrap()
}

fn source() -> SourceKeys {
    "s".to_owned().try_into().unwrap()
}
