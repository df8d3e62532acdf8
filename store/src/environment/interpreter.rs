//! Managed interpreters: a tree of links made of one python-build-standalone archive or of the
//! packages of a distribution, complete in itself.
//!
//! It is a tree of its own, because the interpreter writes bytecode beside its library, and an
//! object never changes.

use std::path::PathBuf;

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::platform::OsFamily;

use super::blueprint::Blueprint;
use super::build::EnvironmentError;
use super::python::{Origin, add_linked};
use super::tree::write;
use crate::fs::{DiskError, flush, rename};
use crate::layout::StoreLayout;
use crate::lock_file::LockFile;
use crate::object::{InUse, Object, mark_sealed};

/// An interpreter in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagedPython {
    /// Its name in the store: what a root lists to keep it.
    pub key: String,
    /// The program.
    pub program: PathBuf,
    /// The series that the program's name says (`3.11`).
    pub series: String,
}

/// The interpreter made of `objects`, built if it is not there; `None` if they hold none.
pub fn managed_python(
    store: &InUse<'_>,
    objects: &[Object],
) -> Result<Option<ManagedPython>, EnvironmentError> {
    let Some((inside, series)) = program_in(objects) else { return Ok(None) };
    let key = key_of(objects);
    let of_layer = |layer: &StoreLayout| layer.pythons().join(&key).join(TREE).join(inside);
    let shared = store.layers().iter().map(of_layer).find(|program| program.exists());
    if let Some(program) = shared {
        return Ok(Some(ManagedPython { key, program, series }));
    }
    let at = store.layout().pythons().join(&key);
    let python = ManagedPython { program: at.join(TREE).join(inside), series, key };
    if python.program.exists() {
        return Ok(Some(python));
    }
    let _lock = LockFile::exclusive(&store.layout().lock_of(&format!("python-{}", python.key)))?;
    if python.program.exists() {
        return Ok(Some(python));
    }
    let staging = tempfile::Builder::new()
        .prefix("python-")
        .tempdir_in(store.layout().staging())
        .map_err(DiskError::from)?;
    let mut blueprint = Blueprint::new(OsFamily::default());
    for object in objects {
        let (owner, origin) = (blueprint.owner(&object.manifest.name), Origin::of(object));
        for entry in &object.manifest.entries {
            let path = format!("{TREE}/{}", entry.path);
            add_linked(&mut blueprint, owner, &origin, entry, path);
        }
    }
    let finished = blueprint.finish();
    if !finished.collisions.is_empty() {
        return Err(EnvironmentError::Collisions(finished.collisions));
    }
    let half = staging.path().join("python");
    fs::create_dir(&half).map_err(DiskError::from)?;
    write(&half, &finished, &|_| ())?;
    flush(store.layout().root())?;
    mark_sealed(objects)?;
    rename(&half, &at).map_err(DiskError::from)?;
    Ok(Some(python))
}

/// `bin/python3.12`, wherever the kind of packaging has it; on Windows `python.exe`, whose series
/// only the archive's version says.
fn program_in(objects: &[Object]) -> Option<(&str, String)> {
    let windows = objects.iter().find_map(|object| {
        let entry = object.manifest.entries.iter().find(|entry| entry.path == "python.exe")?;
        let mut parts = object.manifest.version.split('.');
        Some((entry.path.as_str(), format!("{}.{}", parts.next()?, parts.next()?)))
    });
    if windows.is_some() {
        return windows;
    }
    let mut entries = objects.iter().flat_map(|object| &object.manifest.entries);
    entries.find_map(|entry| {
        let path = entry.path.as_str();
        let name = path.strip_prefix("usr/").unwrap_or(path).strip_prefix("bin/")?;
        let series = name.strip_prefix("python")?;
        let (major, minor) = series.split_once('.')?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        (digits(major) && digits(minor)).then(|| (path, series.to_owned()))
    })
}

fn key_of(objects: &[Object]) -> String {
    let mut digests: Vec<String> = objects.iter().map(|object| object.digest.to_string()).collect();
    digests.sort();
    Sha256::of(digests.join("\n").as_bytes()).to_string()
}

const TREE: &str = "root";
