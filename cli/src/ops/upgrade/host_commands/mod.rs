//! What the user does in a step of the host: the exact commands for the distribution, how to hold
//! what was installed, and the way back. Nothing here is run by rocmenv.
//!
//! The commands for AMD's driver follow AMD's driver documentation (native installation of
//! Ubuntu, Debian, RHEL and SLES, release 30.30.3).

mod debian;
mod rpm;
mod windows;

use rocmenv_manifests::platform::{OsFamily, OsRelease};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::upgrade::{Driver, HostStep, State};
use rocmenv_manifests::version::RocmVersion;
use serde::Serialize;

use super::driver_files::{KeptDriver, NotKept};

/// What the user does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct HostCommands {
    /// What it is about.
    pub title: String,
    /// The commands, in order.
    pub install: Vec<String>,
    /// How an ordinary update is kept from replacing it.
    pub hold: Vec<String>,
    /// The way back.
    pub back: Vec<String>,
    /// The kernels that AMD names for this system and release; empty where none was read.
    pub kernels: Vec<String>,
    /// What has to be known.
    pub notes: Vec<String>,
}

/// How files of drivers stand for a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct DriverFiles<'f> {
    /// Those of the driver that is to be installed.
    pub(super) new: Result<&'f KeptDriver, &'f NotKept>,
    /// Those of the driver that is there.
    pub(super) old: Option<&'f KeptDriver>,
}

/// What a step of the host is about.
pub(super) struct Situation<'s> {
    /// The system as it is before the step; `None` where nobody said it.
    pub(super) os: Option<&'s OsRelease>,
    /// The state after the step.
    pub(super) to: &'s State,
    /// The registry.
    pub(super) registry: &'s Registry,
}

/// The commands of a planned step.
pub(super) fn of_step(
    step: &HostStep,
    situation: &Situation<'_>,
    files: DriverFiles<'_>,
) -> HostCommands {
    let family = Family::of(situation.os);
    let mut commands = match step {
        HostStep::Driver { from, to } => match family {
            Family::Debian => debian::driver(situation, from, to, files),
            Family::Red => rpm::driver(rpm::Tool::Dnf, situation, from, to),
            Family::Suse => rpm::driver(rpm::Tool::Zypper, situation, from, to),
            Family::Windows => windows::driver(from, to, files),
            Family::Other => other(&format!("install driver {to}")),
        },
        HostStep::Kernel { to, flavour, .. } => kernel(situation.os, to, flavour.as_deref()),
        HostStep::System { from, to, .. } => system(family, from, to),
        HostStep::Firmware { from, to, products } => firmware(from.as_deref(), to, products),
    };
    commands.title = title(step);
    commands.kernels = kernels(situation);
    commands
}

/// Leaves one reboot to steps that share it: what comes after the others' reboots (a look at
/// what runs then) is left out, too.
pub(super) fn share_reboot(steps: Vec<&mut HostCommands>) {
    let mut has_reboot = false;
    for step in steps.into_iter().rev() {
        let Some(at) = step.install.iter().position(|command| command == REBOOT) else { continue };
        if has_reboot {
            step.install.truncate(at);
            step.notes.push("the reboot of the last of these steps does for this one".to_owned());
        }
        has_reboot = true;
    }
}

/// The commands that put another ROCm onto the host itself, where a project uses that.
pub(super) fn of_rocm(
    from: Option<&RocmVersion>,
    to: &RocmVersion,
    situation: &Situation<'_>,
) -> HostCommands {
    let mut commands = match Family::of(situation.os) {
        Family::Debian => debian::rocm(situation, from, to),
        _ => other(&format!("install ROCm {to} as AMD's guide for this system says")),
    };
    let before = from.map_or_else(String::new, |from| format!("{from} -> "));
    commands.title = format!("ROCm of the host {before}{to}");
    commands.kernels = kernels(situation);
    commands
}

fn title(step: &HostStep) -> String {
    match step {
        HostStep::System { from, to, .. } => format!("system {from} -> {to}"),
        HostStep::Kernel { from, to, flavour } => {
            let flavour = flavour.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
            format!("kernel {from} -> {to}{flavour}")
        }
        HostStep::Driver { from, to } => format!("driver {from} -> {to}"),
        HostStep::Firmware { to, .. } => format!("firmware {to}"),
    }
}

/// Systems that are handled alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Debian,
    Red,
    Suse,
    Windows,
    Other,
}

impl Family {
    fn of(os: Option<&OsRelease>) -> Self {
        match os.map(|os| (os.family(), os.distribution.as_str())) {
            Some((OsFamily::Windows, _)) => Self::Windows,
            Some((_, "ubuntu" | "debian")) => Self::Debian,
            Some((_, "rhel" | "centos" | "rocky" | "almalinux" | "ol")) => Self::Red,
            Some((_, "sles" | "opensuse-leap")) => Self::Suse,
            _ => Self::Other,
        }
    }
}

/// The commands that make a host boot another kernel.
pub fn kernel_commands(os: Option<&OsRelease>, to: &str, flavour: Option<&str>) -> Vec<String> {
    kernel(os, to, flavour).install
}

/// The commands that move a host to another release of its system.
pub fn system_commands(from: &OsRelease, to: &OsRelease) -> Vec<String> {
    system(Family::of(Some(from)), from, to).install
}

fn kernel(os: Option<&OsRelease>, to: &str, flavour: Option<&str>) -> HostCommands {
    match Family::of(os) {
        Family::Debian => debian::kernel(os, to, flavour),
        Family::Red => rpm::kernel(rpm::Tool::Dnf, to),
        Family::Suse => rpm::kernel(rpm::Tool::Zypper, to),
        Family::Windows | Family::Other => other(&format!("boot kernel {to}")),
    }
}

fn system(family: Family, from: &OsRelease, to: &OsRelease) -> HostCommands {
    let version = to.version.clone().unwrap_or_default();
    let major = |os: &OsRelease| {
        let version = os.version.as_deref().unwrap_or_default();
        version.split('.').next().unwrap_or_default().to_owned()
    };
    let install = match family {
        Family::Debian if to.distribution == "ubuntu" => {
            vec!["sudo apt update && sudo apt full-upgrade", "sudo do-release-upgrade"]
        }
        Family::Debian => vec![
            "put the new release's code name into /etc/apt/sources.list and its folder",
            "sudo apt update && sudo apt full-upgrade",
            "sudo reboot",
        ],
        Family::Red if major(from) != major(to) => {
            vec!["sudo dnf install leapp-upgrade", "sudo leapp preupgrade", "sudo leapp upgrade"]
        }
        Family::Red => vec!["sudo dnf upgrade", "sudo reboot"],
        Family::Suse => vec!["sudo zypper migration", "sudo reboot"],
        Family::Windows => vec!["Settings > Windows Update"],
        Family::Other => vec!["as the distribution's own guide says"],
    };
    let mut install: Vec<String> = install.into_iter().map(str::to_owned).collect();
    if family == Family::Red && to.distribution == "rhel" && major(from) == major(to) {
        install.insert(0, format!("sudo subscription-manager release --set={version}"));
    }
    HostCommands {
        install,
        back: vec!["nothing takes this back: make a snapshot or a backup first".to_owned()],
        ..HostCommands::default()
    }
}

fn firmware(from: Option<&str>, to: &str, products: &[String]) -> HostCommands {
    let seen = match from {
        Some(_) => "the driver shows it, so that `rocmenv upgrade --continue` sees when it is done",
        None => {
            "where the driver does not show it, `rocmenv upgrade --continue --yes` says that it is \
             done"
        }
    };
    HostCommands {
        notes: vec![
            format!("the maker of the machine gives the bundle {to} for {}", products.join(", ")),
            seen.to_owned(),
        ],
        ..HostCommands::default()
    }
}

fn other(what: &str) -> HostCommands {
    HostCommands {
        install: vec![what.to_owned()],
        notes: vec!["the commands of this distribution are not known".to_owned()],
        ..HostCommands::default()
    }
}

/// The kernels that AMD prints for the system and release of the state.
fn kernels(situation: &Situation<'_>) -> Vec<String> {
    let (Some(os), Some(rocm)) = (&situation.to.os, &situation.to.rocm) else {
        return Vec::new();
    };
    let release = rocm.dotted();
    let is_it = |name: &str| {
        let own = os.to_string();
        name == own || name.strip_prefix(&own).is_some_and(|rest| rest.starts_with('.'))
    };
    let rows = situation.registry.os_support().row.iter().filter(|row| {
        is_it(&row.os.0) && row.releases.iter().any(|own| own.contains(release.parts()))
    });
    let mut found: Vec<String> = rows.filter_map(|row| row.kernel.clone()).collect();
    found.sort();
    found.dedup();
    found
}

/// `sudo apt-get install ...` and the like take paths with blanks and quotes only so.
fn quoted(path: &std::path::Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._+-~:".contains(c);
    if text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Whether a driver is AMD's own package.
fn is_amd(driver: &Driver) -> bool {
    matches!(driver, Driver::Amd(_) | Driver::Module(_))
}

const REBOOT: &str = "sudo reboot";

#[cfg(test)]
mod tests;
