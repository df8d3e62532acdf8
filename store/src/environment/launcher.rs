//! The program that starts scripts on Windows, kept in the store, so that environments link it
//! instead of holding a copy for each script, and an update of rocmenv is free to replace its own.

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::platform::OsFamily;

use super::EnvSpec;
use crate::fs::{DiskError, replace_with_mode};
use crate::layout::StoreLayout;
use crate::wheel::Launcher;

/// The launcher for an environment, where it needs one. It lies among the shared files, which gc
/// keeps as long as something links to them.
pub(super) fn stored(store: &StoreLayout, spec: &EnvSpec) -> Result<Option<Launcher>, DiskError> {
    let (OsFamily::Windows, Some(program)) = (spec.system, &spec.launcher) else {
        return Ok(None);
    };
    let bytes = fs::read(program)?;
    let (sha256, size) = (Sha256::of(&bytes), bytes.len() as u64);
    let path = store.file(&sha256, true);
    if !path.exists() {
        replace_with_mode(&path, &bytes, 0o555)?;
    }
    Ok(Some(Launcher { path, sha256, size }))
}
