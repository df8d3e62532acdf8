//! What gc would remove.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::usage::{Inodes, TreeKind, children};
use crate::fs::{DiskError, file_facts};
use crate::generation::Root;
use crate::layout::StoreLayout;
use crate::lock_file::LockFile;

/// A store that nobody else uses as long as this lives.
#[derive(Debug)]
pub struct Collector {
    pub(super) store: StoreLayout,
    _lock: LockFile,
}

/// How gc decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GcOptions {
    /// Now, in seconds since 1970.
    pub now: u64,
    /// Roots below these paths are forgotten at once (`gc --forget PATH`).
    pub forget: Vec<PathBuf>,
    /// Folders of generations that are about to be removed: they hold nothing any more, and what
    /// their own files free is part of the figure. Removing them is up to the caller, between
    /// planning and carrying out (see [`crate::generation::EnvWriter::remove`]).
    pub without: Vec<PathBuf>,
}

/// What would be removed; nothing of it is held by a generation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GcPlan {
    /// Roots whose generation is gone for long enough, or forgotten.
    pub roots: Vec<PathBuf>,
    /// Roots whose generation is gone, with the seconds for which they still count.
    pub waiting: Vec<(PathBuf, u64)>,
    /// Folders of objects, bytecode, rewritten files, interpreters and half-made things.
    pub folders: Vec<PathBuf>,
    /// Shared files that nothing but removed objects uses.
    pub files: Vec<PathBuf>,
    /// What that really frees.
    pub freed: Freed,
    pub(super) now: u64,
}

/// What a removal really frees: an inode counts when its last name goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Freed {
    /// Inodes of files.
    pub files: u64,
    /// Bytes on the disk.
    pub bytes: u64,
}

impl Collector {
    /// Waits until nobody uses the store.
    pub fn lock(store: StoreLayout) -> Result<Self, DiskError> {
        let lock = LockFile::exclusive(&store.gc_lock())?;
        Ok(Self { store, _lock: lock })
    }

    /// What can go.
    pub fn plan(&self, options: &GcOptions) -> Result<GcPlan, DiskError> {
        let mut plan = GcPlan { now: options.now, ..GcPlan::default() };
        let (mut objects, mut pythons) = (BTreeSet::new(), BTreeSet::new());
        for root in Root::all(&self.store)? {
            if !is_live(&root, options, &mut plan) {
                continue;
            }
            objects.extend(root.objects.iter().map(ToString::to_string));
            pythons.extend(root.python);
        }
        let dead = |folder: &Path, live: &BTreeSet<String>| -> Result<Vec<PathBuf>, DiskError> {
            let is_dead = |path: &PathBuf| {
                path.file_name().is_some_and(|name| !live.contains(&*name.to_string_lossy()))
            };
            Ok(children(folder)?.into_iter().filter(is_dead).collect())
        };
        plan.folders.extend(dead(&self.store.objects(), &objects)?);
        plan.folders.extend(dead(&self.store.bytecode(), &objects)?);
        plan.folders.extend(dead(&self.store.rewritten(), &objects)?);
        plan.folders.extend(dead(&self.store.pythons(), &pythons)?);
        plan.folders.extend(children(&self.store.staging())?);
        self.count(&mut plan, &options.without)?;
        Ok(plan)
    }

    /// The bytes that objects, what was made of them and interpreters take once the plan is carried out.
    pub fn remaining(&self, plan: &GcPlan) -> Result<u64, DiskError> {
        let mut inodes = Inodes::default();
        let store = &self.store;
        let trees = [store.objects(), store.bytecode(), store.rewritten(), store.pythons()];
        for folder in trees.into_iter().chain([store.files()]) {
            for path in children(&folder)? {
                let goes = |paths: &[PathBuf]| paths.binary_search(&path).is_ok();
                if !plan.folders.contains(&path) && !goes(&plan.files) {
                    inodes.add(&path, self.kind_of(&path))?;
                }
            }
        }
        Ok(inodes.bytes())
    }

    /// An interpreter is a tree of links, and where reflinks are made all of it is.
    fn kind_of(&self, folder: &Path) -> TreeKind {
        let is_python = folder.starts_with(self.store.pythons());
        if is_python { TreeKind::Linked } else { TreeKind::Own }
    }

    /// Finds shared files that only removed objects use, and what all of it frees.
    fn count(&self, plan: &mut GcPlan, generations: &[PathBuf]) -> Result<(), DiskError> {
        let mut inodes = Inodes::default();
        for folder in &plan.folders {
            inodes.add(folder, self.kind_of(folder))?;
        }
        for folder in generations {
            inodes.add(folder, TreeKind::of_generation(folder))?;
        }
        let mut shared: HashMap<PathBuf, _> = HashMap::new();
        for path in children(&self.store.files())? {
            let inode = inodes.add_file(file_facts(&path, &fs::symlink_metadata(&path)?));
            shared.insert(path, inode);
        }
        let unused = |(path, inode): (PathBuf, _)| inodes.is_freed(&inode).then_some(path);
        plan.files = shared.into_iter().filter_map(unused).collect();
        plan.files.sort();
        plan.freed = inodes.freed();
        Ok(())
    }
}

fn is_live(root: &Root, options: &GcOptions, plan: &mut GcPlan) -> bool {
    if options.forget.iter().any(|path| root.path.starts_with(path)) && !root.path.exists() {
        plan.roots.push(root.path.clone());
        return false;
    }
    if options.without.contains(&root.path) {
        return false;
    }
    if root.path.exists() {
        return true;
    }
    let gone_for = options.now.saturating_sub(root.missing_since.unwrap_or(options.now));
    if gone_for >= GRACE {
        plan.roots.push(root.path.clone());
        return false;
    }
    plan.waiting.push((root.path.clone(), GRACE - gone_for));
    true
}

/// A disk that is not mounted, a project that is being moved: thirty days.
const GRACE: u64 = 30 * 24 * 60 * 60;
