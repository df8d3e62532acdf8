//! ROCm installations of the host.
//!
//! Classic releases lie in `/opt/rocm-X.Y.Z` with a link `/opt/rocm`; from 7.14 on they lie
//! in `/opt/rocm/core-X.Y`. `.info/version` holds release and build; a ROCm that lacks it
//! is listed without version.

use std::path::{Path, PathBuf};

use super::Reader;
use crate::host::facts::RocmInstall;

pub(super) fn find(reader: &mut Reader<'_>) -> Vec<RocmInstall> {
    let mut seen: Vec<PathBuf> = Vec::new();
    let mut found = Vec::new();
    for path in candidates(reader) {
        let Ok(real) = reader.root().canonical(&path) else {
            continue;
        };
        if seen.contains(&real) || !is_install(reader, &real) {
            continue;
        }
        found.push(install(reader, &path, &real));
        seen.push(real);
    }
    found
}

fn candidates(reader: &mut Reader<'_>) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let variables = reader.root().variables();
    paths.extend(variables.get("ROCM_PATH").filter(|path| !path.is_empty()).map(PathBuf::from));
    paths.push(PathBuf::from("/opt/rocm"));
    for name in reader.list("/opt/rocm") {
        if name.starts_with("core-") {
            paths.push(Path::new("/opt/rocm").join(name));
        }
    }
    for name in reader.list("/opt") {
        if name.starts_with("rocm-") {
            paths.push(Path::new("/opt").join(name));
        }
    }
    paths
}

fn is_install(reader: &Reader<'_>, folder: &Path) -> bool {
    INSTALL_MARKS.iter().any(|mark| reader.exists(folder.join(mark)))
}

fn install(reader: &mut Reader<'_>, path: &Path, real: &Path) -> RocmInstall {
    let build = VERSION_FILES.iter().find_map(|file| reader.line(real.join(file)));
    let version = build.as_deref().and_then(|build| build.split(['-', '+', ' ']).next());
    let text = |path: &Path| path.to_string_lossy().into_owned();
    RocmInstall {
        version: version.map(str::to_owned),
        build: build.clone(),
        real_path: (real != path).then(|| text(real)),
        path: text(path),
    }
}

const VERSION_FILES: &[&str] = &[".info/version", "core/.info/version"];

const INSTALL_MARKS: &[&str] =
    &[".info/version", "core/.info/version", "lib/libamdhip64.so", "bin/rocminfo"];
