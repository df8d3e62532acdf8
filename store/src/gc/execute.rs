//! Carrying a plan out. A crash at any instant leaves a store that is good: an object whose
//! removal was begun has lost its list first and so is no object any more.

use std::path::Path;

use fs_err as fs;

use super::usage::children;
use super::{Collector, GcPlan};
use crate::fs::{DiskError, remove_tree};
use crate::generation::Root;
use crate::layout::ObjectLayout;

/// Removes what the plan says, and notes for which roots the waiting began.
pub fn execute(collector: &Collector, plan: &GcPlan) -> Result<(), DiskError> {
    for path in &plan.roots {
        Root::remove(&collector.store, path)?;
    }
    for mut root in Root::all(&collector.store)? {
        let missing = !root.path.exists();
        if missing != root.missing_since.is_some() {
            root.missing_since = missing.then_some(plan.now);
            root.write(&collector.store)?;
        }
    }
    for folder in &plan.folders {
        unlist(folder)?;
        remove_tree(folder)?;
    }
    for file in &plan.files {
        match fs::remove_file(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            removed => removed?,
        }
    }
    Ok(())
}

/// Takes the lists of objects away: of the folder itself, or of what lies in it, as bytecode and
/// rewritten files do. Among half-made things there are plain files, too.
fn unlist(folder: &Path) -> Result<(), DiskError> {
    if !folder.is_dir() {
        return Ok(());
    }
    remove_tree(&ObjectLayout::at(folder.to_owned()).manifest())?;
    for inside in children(folder)?.into_iter().filter(|path| path.is_dir()) {
        remove_tree(&ObjectLayout::at(inside).manifest())?;
    }
    Ok(())
}
