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
    if let Some(stays) = what_stays(env, number)? {
        return Ok(stays);
    }
    let to = env.generation(number).env();
    let beside = env.root().join(".venv-new");
    crate::fs::remove_tree(&beside)?;
    if link_folder(target(env, &to), &beside).is_err() {
        return Ok(VenvLink::Impossible);
    }
    replace_link(&beside, &env.venv_link())?;
    Ok(VenvLink::Made)
}

/// What stands at `.venv`, if it is to stay: it leads to the generation or is the user's own.
pub(super) fn what_stays(env: &EnvLayout, number: u32) -> Result<Option<VenvLink>, DiskError> {
    let link = env.venv_link();
    match fs::symlink_metadata(&link) {
        Ok(metadata) if !metadata.is_symlink() => Ok(Some(VenvLink::Foreign)),
        Ok(_) => {
            let says = fs::read_link(&link)?;
            if says == target(env, &env.generation(number).env()) {
                return Ok(Some(VenvLink::Unchanged));
            }
            Ok((!is_ours(&says, env)).then_some(VenvLink::Foreign))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A junction of Windows says an absolute path, a symbolic link one that survives a move.
fn target<'p>(env: &EnvLayout, to: &'p Path) -> &'p Path {
    to.strip_prefix(env.project()).ok().filter(|_| cfg!(not(windows))).unwrap_or(to)
}

/// A link into `.rocmenv` of this project, written relative or (by hand) absolute.
fn is_ours(target: &Path, env: &EnvLayout) -> bool {
    let inside = target.strip_prefix(env.project()).unwrap_or(target);
    inside.starts_with(PROJECT_FOLDER)
}
