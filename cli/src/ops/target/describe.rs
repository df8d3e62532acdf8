//! A host as a table of rocm.toml: `[targets.NAME]`.

use std::fmt::Write as _;

use rocmenv_manifests::lock::{Contract, Predicate};
use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::platform::{Arch, Libc, OsFamily};
use rocmenv_resolver::target::{Target, TargetDriver, TargetGpu};

/// The table of a host, with what of it cannot be said there, in words.
pub fn of_host(name: &TargetName, host: &Target, with_rocm: bool) -> (String, Vec<String>) {
    let mut table = Table::new(name);
    let mut unsaid = Vec::new();
    table.text("os", host.os.as_ref().map(|os| os.value.to_string()));
    table.text("kernel", host.kernel.as_ref().map(|kernel| kernel.value.to_string()));
    table.text("libc", host.libc.as_ref().map(|libc| libc_text(&libc.value)));
    table.arch(host.arch.value);
    if let Some(gpus) = &host.gpus {
        let (known, unknown): (Vec<_>, Vec<_>) =
            gpus.iter().map(|gpu| &gpu.value).partition(|gpu| gpu.gfx.is_some());
        if !unknown.is_empty() {
            unsaid.push("a GPU of which nobody knows the gfx target".to_owned());
        }
        table.gpus(&known.into_iter().map(gpu_text).collect::<Vec<_>>());
    }
    match host.driver.as_ref().map(|driver| &driver.value) {
        Some(TargetDriver::Amd(release) | TargetDriver::Adrenalin(release)) => {
            table.text("driver", Some(release.to_string()));
        }
        Some(TargetDriver::InTree) => table.text("driver", Some("in-tree".to_owned())),
        Some(TargetDriver::UnknownRelease { module }) => {
            unsaid.push(format!("the driver, whose module {module} is of no known release"));
        }
        None => {}
    }
    let rocm = host.host_rocm.as_ref().filter(|_| with_rocm);
    table.text("rocm", rocm.map(|rocm| rocm.value.to_string()));
    if host.wsl {
        table.line("wsl", "true");
    }
    (table.0, unsaid)
}

/// The table of the host that a lock was made on, of which only the contract is left. `None` for a
/// system whose release no contract names.
pub(super) fn of_contract(name: &TargetName, contract: &Contract) -> Option<String> {
    let mut table = Table::new(name);
    for item in &contract.items {
        match &item.predicate {
            Predicate::OsFamily(OsFamily::Windows) => return None,
            Predicate::Arch(arch) => table.arch(*arch),
            Predicate::GlibcAtLeast(floor) => table.text("libc", Some(floor.to_string())),
            Predicate::Distribution(os) => table.text("os", Some(os.clone())),
            Predicate::KernelAtLeast(floor) => table.text("kernel", Some(floor.to_string())),
            Predicate::DriverWithin { from, .. } => table.text("driver", Some(from.to_string())),
            // on Linux only a WSL has one
            Predicate::AdrenalinAtLeast(floor) => {
                table.text("driver", Some(floor.to_string()));
                table.line("wsl", "true");
            }
            Predicate::GfxWithin(targets) => {
                let gpus: Vec<String> =
                    targets.iter().map(|gfx| quoted(&gfx.to_string())).collect();
                table.gpus(&gpus);
            }
            Predicate::NoGpu => table.gpus(&[]),
            Predicate::HostRocm(series) => table.text("rocm", Some(format!("{series}.0"))),
            Predicate::OsFamily(OsFamily::Linux) | Predicate::Python(_) => {}
        }
    }
    Some(table.0)
}

/// A name of system and GPU: `ubuntu-24-04-gfx942`.
pub fn name_of(host: &Target) -> Option<TargetName> {
    let os = host.os.as_ref().map_or_else(|| "host".to_owned(), |os| os.value.to_string());
    let gpus: Vec<String> = host.gfx_targets().iter().map(ToString::to_string).collect();
    let words = std::iter::once(os).chain(gpus).collect::<Vec<_>>().join("-").to_lowercase();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    words.chars().map(plain).collect::<String>().parse().ok()
}

struct Table(String);

impl Table {
    fn new(name: &TargetName) -> Self {
        Self(format!("[targets.{}]\n", toml_edit::Key::new(name.as_str())))
    }

    fn text(&mut self, key: &str, value: Option<String>) {
        if let Some(value) = value {
            self.line(key, &quoted(&value));
        }
    }

    /// The usual one goes without saying.
    fn arch(&mut self, arch: Arch) {
        if arch != Arch::X86_64 {
            self.text("arch", Some(arch.to_string()));
        }
    }

    fn gpus(&mut self, gpus: &[String]) {
        self.line("gpus", &format!("[{}]", gpus.join(", ")));
    }

    fn line(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.0, "{key} = {value}");
    }
}

fn gpu_text(gpu: &TargetGpu) -> String {
    let gfx = gpu.gfx.map(|gfx| gfx.to_string()).unwrap_or_default();
    let (key, name) = match &gpu.product {
        Some(product) => ("product", product.clone()),
        None => ("gfx", gfx),
    };
    match gpu.count {
        1 => quoted(&name),
        count => format!("{{ {key} = {}, count = {count} }}", quoted(&name)),
    }
}

fn libc_text(libc: &Libc) -> String {
    match libc {
        Libc::Glibc(version) => version.to_string(),
        Libc::Musl(version) => format!("musl-{version}"),
    }
}

fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}
