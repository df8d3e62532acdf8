//! The short keys and the texts that they take.

use rocmenv_manifests::platform::{Libc, OsFamily};
use rocmenv_manifests::project::{DriverSpec, GpuSpec};
use rocmenv_manifests::version::Dotted;

use super::{Change, OverrideError};
use crate::host::HostFacts;
use crate::host::facts::ContainerKind;

/// The short keys.
pub(super) const KEYS: [&str; 11] = [
    "os",
    "kernel",
    "libc",
    "arch",
    "gpus",
    "driver",
    "python",
    "rocm",
    "memory",
    "wsl",
    "container",
];

/// The change behind a short key, `None` for a key that is none.
pub(super) fn change(
    key: &str,
    value: &str,
    facts: &HostFacts,
) -> Result<Option<Change>, OverrideError> {
    let change = match key {
        "os" => value.parse().map(Change::Os).map_err(|error| format!("{error}")),
        "kernel" => kernel(value),
        "libc" => libc(value).map(Change::Libc),
        "arch" => value.parse().map(Change::Arch).map_err(|error| format!("{error}")),
        "gpus" => gpus(value).map(Change::Gpus),
        "driver" => driver(value, facts).map(Change::Driver),
        "python" => python(value),
        "rocm" => rocm(value),
        "memory" => bytes(value).map(Change::Memory),
        "wsl" => wsl(value),
        "container" => container(value),
        _ => return Ok(None),
    };
    let invalid = |reason| OverrideError::InvalidValue {
        key: key.to_owned(),
        value: value.to_owned(),
        reason,
    };
    change.map(Some).map_err(invalid)
}

fn kernel(value: &str) -> Result<Change, String> {
    match Dotted::leading(value) {
        Some(_) => Ok(Change::Kernel(value.to_owned())),
        None => Err("a kernel release begins with numbers, such as `6.8`".to_owned()),
    }
}

fn libc(value: &str) -> Result<Libc, String> {
    let (kind, version) = value.rsplit_once(['-', ' ']).unwrap_or(("glibc", value));
    let version: Dotted = version.parse().map_err(|error| format!("{error}"))?;
    match kind {
        "glibc" => Ok(Libc::Glibc(version)),
        "musl" => Ok(Libc::Musl(version)),
        _ => Err("write `2.36` for glibc or `musl-1.2`".to_owned()),
    }
}

/// `gfx942x8, RX 7900 XTX`: instruction sets or products with commas between, each with its
/// count behind a small x; `none` for no GPU.
fn gpus(value: &str) -> Result<Vec<GpuSpec>, String> {
    if value == NONE {
        return Ok(Vec::new());
    }
    value.split(',').map(|part| gpu(part.trim())).collect()
}

fn gpu(text: &str) -> Result<GpuSpec, String> {
    let target = text.starts_with("gfx");
    // the x of `gfx` separates no count
    let after = if target { &text[3..] } else { text };
    let counted = after.rsplit_once('x').and_then(|(before, count)| {
        let count: u32 = count.parse().ok().filter(|&count| count > 0)?;
        let end = text.len() - after.len() + before.len();
        Some((text[..end].trim_end(), count))
    });
    let (name, count) = counted.unwrap_or((text, 1));
    if count > MAXIMUM_COUNT {
        return Err(format!("a host has at most {MAXIMUM_COUNT} GPUs"));
    }
    if name.is_empty() {
        return Err("a GPU is missing between the commas".to_owned());
    }
    if !target {
        return Ok(GpuSpec { product: Some(name.to_owned()), gfx: None, count });
    }
    let gfx = name.parse().map_err(|error| format!("{error}"))?;
    Ok(GpuSpec { product: None, gfx: Some(gfx), count })
}

/// Under WSL the driver is that of the Windows outside.
fn driver(value: &str, facts: &HostFacts) -> Result<Option<DriverSpec>, String> {
    let is_windows = facts.wsl.is_some() || facts.os.family == Some(OsFamily::Windows);
    let version = || value.parse::<Dotted>().map_err(|error| format!("{error}"));
    match value {
        NONE => Ok(None),
        "in-tree" => Ok(Some(DriverSpec::InTree)),
        _ if is_windows => version().map(DriverSpec::Adrenalin).map(Some),
        _ => version().map(DriverSpec::Amd).map(Some),
    }
}

fn python(value: &str) -> Result<Change, String> {
    if value == NONE {
        return Ok(Change::Python(Vec::new()));
    }
    let versions = value.split(',').map(|part| part.trim().parse());
    let versions: Result<_, _> = versions.collect();
    versions.map(Change::Python).map_err(|error| format!("{error}"))
}

fn rocm(value: &str) -> Result<Change, String> {
    if value == NONE {
        return Ok(Change::Rocm(None));
    }
    let version: Dotted = value.parse().map_err(|error| format!("{error}"))?;
    Ok(Change::Rocm(Some(version.to_string())))
}

/// `64GiB`, `64G`, `65536M` (powers of 1024 all), or bytes.
fn bytes(value: &str) -> Result<u64, String> {
    let end = value.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(value.len());
    let (number, unit) = value.split_at(end);
    let factor: Option<u64> = match unit.trim() {
        "" | "B" => Some(1),
        "K" | "KiB" => Some(1 << 10),
        "M" | "MiB" => Some(1 << 20),
        "G" | "GiB" => Some(1 << 30),
        "T" | "TiB" => Some(1 << 40),
        _ => None,
    };
    let number: Option<u64> = number.parse().ok();
    number
        .zip(factor)
        .and_then(|(number, factor)| number.checked_mul(factor))
        .ok_or_else(|| "write a size such as `64GiB`".to_owned())
}

fn wsl(value: &str) -> Result<Change, String> {
    match value {
        NONE => Ok(Change::Wsl(None)),
        "1" => Ok(Change::Wsl(Some(1))),
        "2" => Ok(Change::Wsl(Some(2))),
        _ => Err("write `1`, `2` or `none`".to_owned()),
    }
}

fn container(value: &str) -> Result<Change, String> {
    let kind = match value {
        NONE => ContainerKind::None,
        "docker" => ContainerKind::Docker,
        "podman" => ContainerKind::Podman,
        "lxc" => ContainerKind::Lxc,
        "apptainer" => ContainerKind::Apptainer,
        "nspawn" => ContainerKind::Nspawn,
        "kubernetes" => ContainerKind::Kubernetes,
        "" => return Err("write its kind or `none`".to_owned()),
        other => ContainerKind::Other(other.to_owned()),
    };
    Ok(Change::Container(kind))
}

/// Partitions of the largest nodes are some tens; beyond this it is a slip of the finger.
const MAXIMUM_COUNT: u32 = 1024;

const NONE: &str = "none";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpus_are_targets_or_products_with_counts() {
        let said = |text: &str| -> Vec<String> {
            let said = gpus(text).unwrap().into_iter().map(|spec| {
                let name = spec.gfx.map(|gfx| gfx.to_string()).or(spec.product).unwrap();
                format!("{} {name}", spec.count)
            });
            said.collect()
        };
        assert_eq!(said("gfx942x8"), ["8 gfx942"]);
        assert_eq!(said("gfx90a, gfx1036"), ["1 gfx90a", "1 gfx1036"]);
        assert_eq!(said("RX 7900 XTX x2,MI300Xx8"), ["2 RX 7900 XTX", "8 MI300X"]);
        assert_eq!(said("RX 7900 XT"), ["1 RX 7900 XT"]);
        assert!(said("none").is_empty());
        for text in ["", "gfx9", "gfx942,,gfx90a", "gfxx8", "gfx942x4000000000"] {
            assert!(gpus(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_count_in_powers_of_1024() {
        assert_eq!(bytes("64GiB"), Ok(64 << 30));
        assert_eq!(bytes("512 M"), Ok(512 << 20));
        assert_eq!(bytes("1000"), Ok(1000));
        for text in ["", "GiB", "64GB", "-1", "99999999999T"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
