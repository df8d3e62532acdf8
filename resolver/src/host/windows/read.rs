//! Facts out of sources. What a source does not say stays unknown.

use std::path::PathBuf;

use rocmenv_manifests::platform::{Arch, OsFamily, OsRelease};

use super::adapters::adapters;
use super::sources::{RegistryValue, Sources, WINDOWS_VERSION as VERSION};
use crate::host::facts::{
    Cpu, Disk, DisplayAdapter, Driver, DriverFlavour, HipRuntime, Installed, Interpreter,
    InterpreterOrigin, Memory, Os, RocmInstall, SmartAppControl, Windows,
};

/// Facts of a Windows.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowsFacts<'s> {
    sources: &'s Sources,
    /// Edition, settings, adapters, runtimes.
    pub windows: Windows,
}

impl<'s> WindowsFacts<'s> {
    /// Judges what was read.
    pub fn of(sources: &'s Sources) -> Self {
        let build = sources.value(VERSION, "CurrentBuild").and_then(|text| text.parse().ok());
        let windows = Windows {
            edition: sources.value(VERSION, "EditionID").map(str::to_owned),
            build,
            revision: sources.number(VERSION, "UBR"),
            // Windows leaves the value out where nobody ever set it
            long_paths: sources
                .number(FILE_SYSTEM, "LongPathsEnabled")
                .map(|value| value == 1)
                .or_else(|| sources.is_whole.then_some(false)),
            smart_app_control: sources
                .number(CODE_INTEGRITY, "VerifiedAndReputablePolicyState")
                .and_then(smart_app_control),
            vc_runtime: installed(sources, VC_RUNTIME),
            wsl: installed(sources, WSL),
            adapters: adapters(sources),
            hip_runtimes: sources
                .libraries
                .iter()
                .map(|library| HipRuntime {
                    path: library.path.clone(),
                    version: library.version.clone(),
                })
                .collect(),
        };
        Self { sources, windows }
    }

    /// Name and release of the system.
    pub fn os(&self) -> Os {
        Os {
            family: Some(OsFamily::Windows),
            release: self.release(),
            pretty_name: self.sources.caption.as_deref().map(|name| {
                name.trim().strip_prefix("Microsoft ").unwrap_or(name.trim()).to_owned()
            }),
            ..Os::default()
        }
    }

    /// `windows-11-25H2`: by the build, or for a build that this program does not know by what
    /// Windows says (`DisplayVersion`).
    pub fn release(&self) -> Option<OsRelease> {
        let build = self.windows.build?;
        let feature = match feature_release(build) {
            Some(feature) => feature.to_owned(),
            None => self.sources.value(VERSION, "DisplayVersion")?.to_owned(),
        };
        let version = if build >= FIRST_WINDOWS_11 { "11" } else { "10" };
        format!("windows-{version}-{feature}").parse().ok()
    }

    /// Machine architecture, where ROCm is built for it.
    pub fn arch(&self) -> Option<Arch> {
        self.sources.architecture.as_deref()?.parse().ok()
    }

    /// Processors; each of CIM's entries is a socket.
    pub fn cpu(&self) -> Cpu {
        let all = &self.sources.processors;
        let sum = |of: &dyn Fn(usize) -> Option<u64>| {
            let counts: Option<Vec<u64>> = (0..all.len()).map(of).collect();
            let sum = counts.filter(|counts| !counts.is_empty())?.iter().sum::<u64>();
            u32::try_from(sum).ok()
        };
        Cpu {
            model: all
                .first()
                .and_then(|one| one.name.as_deref())
                .map(|name| name.trim().to_owned()),
            sockets: u32::try_from(all.len()).ok().filter(|count| *count > 0),
            cores: sum(&|at| all[at].number_of_cores),
            threads: sum(&|at| all[at].number_of_logical_processors),
            numa_nodes: None,
        }
    }

    /// Main memory.
    pub fn memory(&self) -> Memory {
        Memory { total_bytes: self.sources.memory }
    }

    /// The disks under folders, by their drive letters; folders on other places are left out.
    pub fn disks(&self, folders: &[PathBuf]) -> Vec<Disk> {
        let disk = |folder: &PathBuf| {
            let path = folder.to_string_lossy().into_owned();
            let plain = path.strip_prefix(r"\\?\").unwrap_or(&path);
            let letter = plain.get(..2).filter(|drive| drive.ends_with(':'))?;
            let mut disks = self.sources.disks.iter();
            let found = disks.find(|disk| disk.letter.eq_ignore_ascii_case(letter))?;
            let (total_bytes, free_bytes) = (found.size?, found.free?);
            Some(Disk { path, total_bytes, free_bytes })
        };
        folders.iter().filter_map(disk).collect()
    }

    /// The driver of AMD's adapters. Where several have their own, that of the one which records
    /// an Adrenalin version and has the most memory: the card, not the graphics in the processor.
    pub fn driver(&self) -> Option<Driver> {
        let ours = self.windows.adapters.iter().filter(|adapter| adapter.is_amd());
        let rank = |adapter: &&DisplayAdapter| {
            (adapter.adrenalin.is_some(), adapter.memory_bytes, adapter.driver_number.is_some())
        };
        let chosen = ours.rev().max_by_key(rank)?;
        Some(Driver {
            loaded: Some(chosen.driver_number.is_some()),
            flavour: Some(DriverFlavour::Adrenalin),
            release: chosen.adrenalin.clone(),
            windows_number: chosen.driver_number.clone(),
            windows_date: chosen.driver_date.clone(),
            ..Driver::default()
        })
    }

    /// HIP SDKs: their folders are named after their releases.
    pub fn rocm(&self) -> Vec<RocmInstall> {
        let install = |path: &String| {
            let name = path.rsplit(['\\', '/']).next().unwrap_or_default();
            let version = name.starts_with(|letter: char| letter.is_ascii_digit());
            RocmInstall {
                path: path.clone(),
                real_path: None,
                version: version.then(|| name.to_owned()),
                build: None,
            }
        };
        self.sources.sdks.iter().map(install).collect()
    }

    /// The interpreters that registered themselves for the launcher (PEP 514), not run.
    pub fn interpreters(&self) -> Vec<Interpreter> {
        let registry = &self.sources.registry;
        let has_path = |row: &RegistryValue| {
            registry.iter().any(|other| other.key == row.key && is_named(other, "ExecutablePath"))
        };
        // without a path of its own it is `python.exe` in the folder, which is the key's own value
        let places = registry.iter().filter_map(|row| match row.name.as_str() {
            "" if !has_path(row) => {
                Some((row, format!(r"{}\python.exe", row.value.trim_end_matches('\\'))))
            }
            _ if is_named(row, "ExecutablePath") => Some((row, row.value.clone())),
            _ => None,
        });
        places.filter_map(|(row, path)| self.interpreter(row, path)).collect()
    }

    /// One that no wheel of ROCm is built for, of 32 bits or for ARM, is none.
    fn interpreter(&self, row: &RegistryValue, path: String) -> Option<Interpreter> {
        let tag_key = row.key.strip_suffix(r"\InstallPath")?;
        let (company, tag) = tag_key.rsplit_once('\\')?;
        let is_foreign = ["-32", "-arm64"].iter().any(|ending| tag.ends_with(ending));
        if !company.ends_with(r"\Python\PythonCore") || is_foreign {
            return None;
        }
        let version = ["Version", "SysVersion"].iter().find_map(|name| {
            let key = format!("{company}\\{tag}");
            self.sources.value(&key, name)?.parse().ok()
        });
        let plain = tag.split('-').next().unwrap_or(tag);
        Some(Interpreter {
            real_path: path.clone(),
            path,
            version: version.or_else(|| plain.trim_end_matches('t').parse().ok())?,
            implementation: "cpython".to_owned(),
            prefix: None,
            free_threaded: plain.ends_with('t'),
            virtual_environment_of: None,
            origin: InterpreterOrigin::Launcher,
        })
    }
}

fn is_named(row: &RegistryValue, name: &str) -> bool {
    row.name.eq_ignore_ascii_case(name)
}

/// The feature release of a build (Microsoft's release information for Windows 10 and 11).
pub fn feature_release(build: u32) -> Option<&'static str> {
    let known = FEATURE_RELEASES.iter().find(|(own, _)| *own == build);
    known.map(|(_, feature)| *feature)
}

fn installed(sources: &Sources, key: &str) -> Option<Installed> {
    let is_there = sources.has_key(key);
    (is_there || sources.is_whole).then(|| Installed {
        installed: is_there && sources.number(key, "Installed") != Some(0),
        version: sources.value(key, "Version").map(|text| text.trim_start_matches('v').to_owned()),
    })
}

fn smart_app_control(state: u32) -> Option<SmartAppControl> {
    match state {
        0 => Some(SmartAppControl::Off),
        1 => Some(SmartAppControl::On),
        2 => Some(SmartAppControl::Evaluation),
        _ => None,
    }
}

const FILE_SYSTEM: &str = r"\Control\FileSystem";
const CODE_INTEGRITY: &str = r"\Control\CI\Policy";
const VC_RUNTIME: &str = r"\VisualStudio\14.0\VC\Runtimes\X64";
const WSL: &str = r"\CurrentVersion\Lxss\MSI";

const FIRST_WINDOWS_11: u32 = 22_000;

const FEATURE_RELEASES: &[(u32, &str)] = &[
    (19_044, "21H2"),
    (19_045, "22H2"),
    (22_000, "21H2"),
    (22_621, "22H2"),
    (22_631, "23H2"),
    (26_100, "24H2"),
    (26_200, "25H2"),
];
