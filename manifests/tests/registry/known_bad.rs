//! Known-bad combinations, and that silence makes no fault.

use std::str::FromStr;

use pep440_rs::Version;
use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::registry::rows::kernels::DriverKind;
use rocmenv_manifests::registry::{Kernel, Registry, Situation, System};

fn ids(registry: &Registry, situation: &Situation<'_>) -> Vec<String> {
    let found = registry.known_bad_in(situation);
    found.iter().map(|(row, judged)| format!("{} ({})", row.id, judged.verdict)).collect()
}

#[test]
fn dkms_and_kernel() {
    let registry = Registry::embedded();
    let with = |driver: &str, kernel: &str| {
        let (driver, kernel) = (driver.parse().unwrap(), Kernel::parse(kernel));
        let situation = Situation {
            driver: Some(&driver),
            driver_kind: Some(DriverKind::Amd),
            kernel: kernel.as_ref(),
            ..Situation::default()
        };
        ids(&registry, &situation)
    };
    assert_eq!(with("6.2.0", "6.8.0-45-generic"), ["dkms-6.2.0-kernel-6.8.0-44 (known bad)"]);
    assert!(with("6.2.0", "6.8.0-41-generic").is_empty());
    assert!(with("6.2.1", "6.8.0-45-generic").is_empty());
    assert_eq!(with("6.4.1", "6.14.0-24-generic"), ["dkms-6.4.0-kernel-6.13 (known bad)"]);
    assert_eq!(with("30.30.0", "6.18.7"), ["dkms-30.30-kernel-6.18 (known bad)"]);
    assert!(with("30.20.1", "6.17.0-19-generic").is_empty());
}

#[test]
fn gpus_of_which_much_is_known() {
    let registry = Registry::embedded();
    let gfx: [GfxTarget; 1] = ["gfx1151".parse().unwrap()];
    let kernel = Kernel::parse("6.18.6");
    let rocm = "7.1.1".parse().unwrap();
    let situation = Situation {
        gfx: &gfx,
        rocm: Some(&rocm),
        kernel: kernel.as_ref(),
        driver_kind: Some(DriverKind::Amd),
        ..Situation::default()
    };
    assert_eq!(
        ids(&registry, &situation),
        ["apu-dkms (known bad)", "gfx1151-vgpr-new-kernel (known bad)"]
    );
    let fixed = "7.2.1".parse().unwrap();
    let in_tree =
        Situation { rocm: Some(&fixed), driver_kind: Some(DriverKind::InTree), ..situation };
    assert!(ids(&registry, &in_tree).is_empty());
    let firmware = ["mes 0x83".to_owned()];
    let situation = Situation { firmware: &firmware, ..in_tree };
    assert_eq!(ids(&registry, &situation), ["gfx1151-mes-0x83 (known bad)"]);
}

#[test]
fn packages_that_do_not_go_together() {
    let registry = Registry::embedded();
    let versions = [Version::from_str("0.11.0").unwrap(), Version::from_str("0.12.0").unwrap()];
    let packages = [("jaxlib", &versions[0]), ("jax-rocm10-plugin", &versions[1])];
    let situation = Situation { packages: &packages, ..Situation::default() };
    assert_eq!(ids(&registry, &situation), ["jaxlib-rocm10 (known bad)"]);
    let packages = [("jaxlib", &versions[1]), ("jax-rocm10-plugin", &versions[1])];
    let situation = Situation { packages: &packages, ..Situation::default() };
    assert!(ids(&registry, &situation).is_empty());
}

#[test]
fn nothing_described_is_nothing_judged() {
    let registry = Registry::embedded();
    assert!(ids(&registry, &Situation::default()).is_empty());
    let gfx: [GfxTarget; 1] = ["gfx1151".parse().unwrap()];
    let os = System { os: "ubuntu-26.04".parse().unwrap(), wsl: false };
    let situation = Situation { gfx: &gfx, system: Some(&os), ..Situation::default() };
    assert!(ids(&registry, &situation).is_empty());
}

#[test]
fn an_override_is_called_what_it_is() {
    let registry = Registry::embedded();
    let verdict =
        |gfx: &str| registry.override_of(gfx.parse().unwrap()).map(|row| row.verdict.clone());
    assert_eq!(verdict("gfx1103").as_deref(), Some("harmful"));
    assert_eq!(verdict("gfx1031").as_deref(), Some("stopgap"));
    assert_eq!(verdict("gfx942"), None);
}
