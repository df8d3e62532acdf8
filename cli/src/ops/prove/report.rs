//! What packages hold, short enough to be read.

use rocmenv_manifests::device_code::{BundleSet, Fault, FileKind, Isa, NamedData, NativeFile};
use rocmenv_resolver::proof::Package;
use serde::Serialize;

/// What is proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// A generation: target and number.
    Environment(String, u32),
    /// The lock's part for a target.
    Lock(String),
    /// Wheels by their own names.
    Wheels,
}

/// A package with native files.
#[derive(Debug, Clone, Serialize)]
pub struct PackageReport {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its native files.
    pub native_files: usize,
    /// Those with device code.
    pub files: Vec<FileReport>,
    /// Kernel data by its names.
    pub data: Vec<NamedData>,
}

/// A file with device code.
#[derive(Debug, Clone, Serialize)]
pub struct FileReport {
    /// Its path.
    pub path: String,
    /// What it is.
    pub kind: FileKind,
    /// Every target of any of its bundles.
    pub targets: Vec<Isa>,
    /// Its bundles, equal ones counted.
    pub code: Vec<BundleSet>,
    /// The kernel archives that hold its code instead.
    pub archives: Vec<String>,
    /// What could not be read.
    pub faults: Vec<Fault>,
}

/// How much of a wheel was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Read {
    /// The wheel's file.
    pub file: String,
    /// Bytes that were read.
    pub fetched: u64,
    /// Bytes that it has.
    pub size: u64,
    /// Files of it that could not be read, with the reason.
    pub unread: Vec<(String, String)>,
}

impl PackageReport {
    /// `None` for a package without native files and kernel data.
    pub(super) fn of(package: &Package) -> Option<Self> {
        let facts = package.facts.as_ref()?;
        if facts.files.is_empty() && facts.data.is_empty() {
            return None;
        }
        let files =
            facts.files.iter().filter(|file| file.has_device_code() || file.archive.is_some());
        let report = |file: &NativeFile| {
            let of_archive = file.archive.iter().flat_map(|archive| &archive.kernels);
            let mut targets = file.targets();
            targets.extend(of_archive.flat_map(|(_, targets)| targets.iter().cloned()));
            targets.sort();
            targets.dedup();
            FileReport {
                path: file.path.clone(),
                kind: file.kind,
                targets,
                code: file.code.clone(),
                archives: file.reference.as_ref().map(|one| one.paths.clone()).unwrap_or_default(),
                faults: file.faults.clone(),
            }
        };
        Some(Self {
            name: package.name.clone(),
            version: package.version.clone(),
            native_files: facts.files.len(),
            files: files.map(report).collect(),
            data: facts.data.clone(),
        })
    }
}
