//! Packages and libraries: Python's, apt's, and which libamdhip64 the loader would take.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::facts::{HipLibrary, LoadedBy, Surroundings};
use super::super::parse::{is_rocm_package, normalized};
use crate::host::HostFacts;
use crate::host::probe_reader::Reader;

/// `NAME-VERSION.dist-info` folders, and `torch/version.py`.
pub(super) fn python(reader: &mut Reader<'_>, folder: &Path, around: &mut Surroundings) {
    let names = reader.list(folder);
    let packages = names.iter().filter_map(|name| {
        let (name, version) = name.strip_suffix(".dist-info")?.rsplit_once('-')?;
        Some((normalized(name), version.to_owned()))
    });
    around.packages = Some(packages.collect());
    let Some(text) = reader.text(folder.join("torch/version.py")) else { return };
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        let value = line.split('=').nth(1)?.trim().trim_matches(['\'', '"']);
        Some(if value == "None" { String::new() } else { value.to_owned() })
    };
    around.torch.version = value("__version__");
    around.torch.hip = value("hip");
    around.torch.cuda = value("cuda");
}

/// ROCm packages in dpkg's database.
pub(super) fn system(reader: &mut Reader<'_>, around: &mut Surroundings) {
    let Some(text) = reader.text("/var/lib/dpkg/status") else { return };
    for paragraph in text.split("\n\n") {
        let field = |name: &str| paragraph.lines().find_map(|line| line.strip_prefix(name));
        let Some(name) = field("Package: ").filter(|name| is_rocm_package(name)) else { continue };
        let installed = field("Status: ").is_some_and(|status| status.ends_with(" installed"));
        if let (true, Some(version)) = (installed, field("Version: ")) {
            around.system_packages.insert(name.to_owned(), version.to_owned());
        }
    }
}

/// ROCm packages in rpm's database, by rpm itself: the database is no text. Only where it is the
/// system's own (Debian has the program, too), within a time.
pub(super) fn rpm(reader: &mut Reader<'_>) -> Option<String> {
    let has_database = RPM_DATABASES.iter().any(|path| reader.exists(path));
    if !has_database || reader.exists("/var/lib/dpkg/status") || !reader.exists(RPM) {
        return None;
    }
    match reader.root().run(Path::new(RPM), RPM_QUERY, RPM_LIMIT) {
        Ok(answer) => Some(answer).filter(|answer| !answer.trim().is_empty()),
        Err(error) => {
            reader.note(RPM, error.to_string());
            None
        }
    }
}

const RPM: &str = "/usr/bin/rpm";
const RPM_LIMIT: Duration = Duration::from_secs(2);
const RPM_DATABASES: &[&str] = &[
    "/usr/lib/sysimage/rpm/rpmdb.sqlite",
    "/var/lib/rpm/rpmdb.sqlite",
    "/var/lib/rpm/Packages.db",
];
const RPM_QUERY: &[&str] = &[
    "-qa",
    "--qf",
    "%{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}\n",
    "rocm*",
    "hip*",
    "hsa-*",
    "rocblas*",
    "miopen*",
    "comgr*",
    "amdgpu*",
    "amd-gpu-firmware",
    "linux-firmware*",
    "kernel-firmware-amdgpu",
    "kernel*-devel*",
];

/// The environment's own by its RUNPATH, then `LD_LIBRARY_PATH` before both where it is set
/// (ld.so(8): it goes before RUNPATH), then the loader's configured folders.
pub(super) fn hip_libraries(
    reader: &mut Reader<'_>,
    host: &HostFacts,
    site_packages: Option<&Path>,
    around: &mut Surroundings,
) {
    let mut places: Vec<(PathBuf, LoadedBy)> = Vec::new();
    let path = host.variable("LD_LIBRARY_PATH").unwrap_or_default();
    let entries = path.split(':').filter(|entry| entry.starts_with('/'));
    places.extend(entries.map(|entry| (PathBuf::from(entry), LoadedBy::LibraryPath)));
    if let Some(folder) = site_packages {
        for inner in ["torch/lib", "_rocm_sdk_core/lib"] {
            places.push((folder.join(inner), LoadedBy::Environment));
        }
    }
    for folder in configured(reader) {
        places.push((PathBuf::from(folder), LoadedBy::System));
    }
    for folder in ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"] {
        places.push((PathBuf::from(folder), LoadedBy::System));
    }
    for (folder, by) in places {
        let names = reader.list(&folder);
        let found = names.iter().find(|name| name.starts_with("libamdhip64.so"));
        let Some(name) = found else { continue };
        let whole = folder.join(name);
        let real = reader.root().canonical(&whole).unwrap_or(whole);
        let library = HipLibrary { path: real.to_string_lossy().into_owned(), by };
        if !around.hip_libraries.iter().any(|known| known.path == library.path) {
            around.hip_libraries.push(library);
        }
    }
}

fn configured(reader: &mut Reader<'_>) -> Vec<String> {
    let mut folders = Vec::new();
    for name in reader.list("/etc/ld.so.conf.d") {
        let text = reader.text(format!("/etc/ld.so.conf.d/{name}")).unwrap_or_default();
        folders.extend(
            text.lines().map(str::trim).filter(|line| line.starts_with('/')).map(str::to_owned),
        );
    }
    folders
}
