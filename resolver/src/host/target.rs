//! A described target as a host: what `rocm.toml` says of it, and nothing else known.

use std::fmt::Display;

use rocmenv_manifests::project::{DriverSpec, GpuSpec, TargetSpec};
use rocmenv_manifests::sourced::{Origin, Sourced};

use super::HostFacts;
use super::lookup::ProductLookup;
use super::overrides::{Change, OverrideError};

/// The facts of a target. Each key that it says is kept with its line; the rest is not known
/// and therefore not checked.
pub fn describe(
    target: &TargetSpec,
    products: &dyn ProductLookup,
) -> Result<HostFacts, OverrideError> {
    let mut facts = HostFacts::unknown();
    let mut said: Vec<(&str, Sourced<String>, Change)> = Vec::new();
    if let Some(os) = &target.os {
        said.push(("os", text(os), Change::Os(os.value.clone())));
    }
    if let Some(kernel) = &target.kernel {
        said.push(("kernel", text(kernel), Change::Kernel(kernel.value.to_string())));
    }
    if let Some(libc) = &target.libc {
        said.push(("libc", text(libc), Change::Libc(libc.value.clone())));
    }
    if let Some(arch) = &target.arch {
        said.push(("arch", text(arch), Change::Arch(arch.value)));
    }
    if let Some(gpus) = &target.gpus {
        let specs = gpus.iter().map(|gpu| gpu.value.clone()).collect();
        said.push(("gpus", gpus_text(gpus), Change::Gpus(specs)));
    }
    if let Some(driver) = &target.driver {
        let written = driver.clone().map(|spec| driver_text(&spec));
        said.push(("driver", written, Change::Driver(Some(driver.value.clone()))));
    }
    if let Some(rocm) = &target.rocm {
        said.push(("rocm", text(rocm), Change::Rocm(Some(rocm.value.to_string()))));
    }
    if target.wsl {
        let given = Sourced::new("2".to_owned(), Origin::Default);
        said.push(("wsl", given, Change::Wsl(Some(2))));
    }
    for (key, given, change) in said {
        change.apply(&mut facts, products)?;
        facts.overrides.insert(key.to_owned(), given);
    }
    Ok(facts)
}

fn text<T: Display + Clone>(said: &Sourced<T>) -> Sourced<String> {
    said.clone().map(|value| value.to_string())
}

/// The GPUs in one text, with the place of the first.
fn gpus_text(gpus: &[Sourced<GpuSpec>]) -> Sourced<String> {
    let names: Vec<_> = gpus.iter().map(|gpu| gpu_text(&gpu.value)).collect();
    let origin = gpus.first().map_or(Origin::Default, |gpu| gpu.origin.clone());
    let written = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Sourced::new(written, origin)
}

fn gpu_text(spec: &GpuSpec) -> String {
    let gfx = spec.gfx.map(|gfx| gfx.to_string());
    let name = spec.product.clone().or(gfx).unwrap_or_default();
    if spec.count == 1 { name } else { format!("{name} x{}", spec.count) }
}

fn driver_text(spec: &DriverSpec) -> String {
    match spec {
        DriverSpec::InTree => "in-tree".to_owned(),
        DriverSpec::Amd(version) | DriverSpec::Adrenalin(version) => version.to_string(),
    }
}
