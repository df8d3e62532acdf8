//! The link `.venv` that editors look for: derived from `current` and repaired, never the truth.

use std::path::Path;

use fs_err as fs;

use crate::fs::DiskError;
use crate::fs::symlink::{link_folder, replace_link};
use crate::layout::{EnvLayout, PROJECT_FOLDER};

/// What stands at `.venv` now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VenvLink {
    /// It leads to the generation already.
    Unchanged,
    /// It was made or turned.
    Made,
    /// The user has something of their own there, which was left alone.
    Foreign,
    /// The system does not allow this user to make links.
    Impossible,
}

/// Makes `.venv` lead to the environment of generation `number`.
pub fn point_venv_at(env: &EnvLayout, number: u32) -> Result<VenvLink, DiskError> {
    let link = env.venv_link();
    let to = env.generation(number).env();
    // A junction of Windows says an absolute path, a symbolic link one that survives a move.
    let inside = to.strip_prefix(env.project()).ok().filter(|_| cfg!(not(windows)));
    let target = inside.unwrap_or(&to);
    match fs::symlink_metadata(&link) {
        Ok(metadata) if !metadata.is_symlink() => return Ok(VenvLink::Foreign),
        Ok(_) => {
            let says = fs::read_link(&link)?;
            if says == target {
                return Ok(VenvLink::Unchanged);
            }
            if !is_ours(&says, env) {
                return Ok(VenvLink::Foreign);
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(error.into()),
    }
    let beside = env.root().join(".venv-new");
    crate::fs::remove_tree(&beside)?;
    if link_folder(target, &beside).is_err() {
        return Ok(VenvLink::Impossible);
    }
    replace_link(&beside, &link)?;
    Ok(VenvLink::Made)
}

/// A link into `.rocmenv` of this project, written relative or (by hand) absolute.
fn is_ours(target: &Path, env: &EnvLayout) -> bool {
    let inside = target.strip_prefix(env.project()).unwrap_or(target);
    inside.starts_with(PROJECT_FOLDER)
}
