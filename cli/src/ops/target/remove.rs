//! `target remove`: a target goes out of rocm.toml and rocm.lock. Nothing is solved.

use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::name::TargetName;

use super::TargetEditError;
use crate::context::Context;
use crate::error::Error;
use crate::ops::edit::document::ManifestText;
use crate::ops::lock::TargetsError;
use crate::ops::{files, project};

/// What came of it.
#[derive(Debug, Clone, Copy)]
pub struct RemoveOutcome {
    /// Whether it was in the lock.
    pub was_locked: bool,
    /// Whether it was the last, so that the lock is for the host again.
    pub was_last: bool,
    /// Whether environments of it are left in the project.
    pub has_environment: bool,
}

/// Removes a target.
///
/// # Errors
/// There is none of that name, or a file cannot be written.
pub fn remove(context: &Context, name: &TargetName) -> Result<RemoveOutcome, Error> {
    let opened = project::open(context)?;
    let targets = &opened.project.targets;
    if !targets.iter().any(|spec| spec.name == *name) {
        let known = targets.iter().map(|spec| spec.name.to_string()).collect();
        let unknown = TargetsError::Unknown { name: name.clone(), known };
        return Err(TargetEditError::from(unknown).into());
    }
    let mut text = ManifestText::new(&opened.text).map_err(|_| TargetEditError::NotEditable)?;
    // One that rocm.local.toml brings is not in rocm.toml.
    text.remove(&["targets".to_owned()], name.as_str()).ok_or(TargetEditError::NotEditable)?;
    let new = opened.with_text(text.text()).map_err(TargetEditError::WouldBreak)?;
    let old = files::read_optional(&opened.root.lock())?;
    let mut lock = old.as_deref().map(Lock::parse).transpose()?;
    let was_locked = lock.iter().flat_map(|lock| &lock.targets).any(|part| part.name == *name);
    if let Some(lock) = &mut lock {
        lock.retain(|target, _| target != name);
        lock.settle();
    }
    if !context.settings.dry_run {
        files::replace(&opened.root.manifest(), &new.text)?;
        if let Some(lock) = lock.filter(|_| was_locked) {
            files::replace(&opened.root.lock(), &lock.to_text())?;
        }
    }
    Ok(RemoveOutcome {
        was_locked,
        was_last: new.project.targets.is_empty(),
        has_environment: opened.root.state().join(name.as_str()).exists(),
    })
}
