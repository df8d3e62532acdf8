//! True figures: every inode counts once, by the blocks that it really has.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::Freed;
use crate::fs::{DiskError, FileFacts, LinkMode, file_facts};
use crate::generation;
use crate::layout::{GenerationLayout, StoreLayout, downloads};

/// What stores and the cache take.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Usage {
    /// The stores, in the order asked.
    pub stores: Vec<StoreUsage>,
    /// Bytes of downloads, pages and whatever else lies in the cache.
    pub cache: u64,
    /// Of these, bytes of downloaded artifacts.
    pub downloads: u64,
}

/// What one store takes beyond what it shares with the cache and the stores before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoreUsage {
    /// Objects.
    pub object_count: u64,
    /// Bytes of objects and of the files that they share.
    pub objects: u64,
    /// Bytes of compiled Python.
    pub bytecode: u64,
    /// Bytes of files with other search paths than they came with.
    pub rewritten: u64,
    /// Bytes of managed interpreters beyond what they share with objects.
    pub pythons: u64,
}

/// Measures stores and a cache folder.
pub fn usage(stores: &[StoreLayout], cache: &Path) -> Result<Usage, DiskError> {
    let mut inodes = Inodes::default();
    let mut grown = |folders: &[PathBuf], kind: TreeKind| -> Result<u64, DiskError> {
        let before = inodes.bytes;
        for folder in folders {
            inodes.add(folder, kind)?;
        }
        Ok(inodes.bytes - before)
    };

    let downloaded = grown(&[downloads(cache)], TreeKind::Own)?;
    let mut measured = Vec::new();
    for store in stores {
        measured.push(StoreUsage {
            object_count: children(&store.objects())?.len() as u64,
            objects: grown(&[store.objects(), store.files()], TreeKind::Own)?,
            bytecode: grown(&[store.bytecode()], TreeKind::Own)?,
            rewritten: grown(&[store.rewritten()], TreeKind::Own)?,
            pythons: grown(&[store.pythons()], TreeKind::Linked)?,
        });
    }
    let cache = downloaded + grown(&[cache.to_owned()], TreeKind::Own)?;
    Ok(Usage { stores: measured, cache, downloads: downloaded })
}

/// What removing these files and trees would free; what is not there frees nothing.
pub fn freed_by(paths: &[PathBuf]) -> Result<Freed, DiskError> {
    let mut inodes = Inodes::default();
    for path in paths {
        inodes.add(path, TreeKind::Own)?;
    }
    Ok(inodes.freed())
}

/// Whose blocks the files of a tree have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TreeKind {
    /// Their own.
    Own,
    /// It was linked out of objects by reflinks. Such a file has an inode of its own and the
    /// blocks of the object, where they are counted; what links may not be written to, as here, is
    /// what tells it from the files that were made for this tree.
    Linked,
}

impl TreeKind {
    /// That of a generation, as it says how it was linked.
    pub(super) fn of_generation(folder: &Path) -> Self {
        let record = generation::read(&GenerationLayout::at(folder.to_owned()));
        let reflinks = LinkMode::Reflink.as_str();
        let has = record.is_ok_and(|record| record.links.iter().any(|(mode, _)| mode == reflinks));
        if has { Self::Linked } else { Self::Own }
    }
}

/// Files seen, by inode.
#[derive(Debug, Default)]
pub(super) struct Inodes {
    seen: HashMap<Inode, Names>,
    bytes: u64,
}

/// What tells one file from another.
pub(super) type Inode = (u64, u64);

#[derive(Debug)]
struct Names {
    seen: u64,
    all: u64,
    bytes: u64,
}

impl Inodes {
    /// Counts all files of a tree; links are not followed.
    pub(super) fn add(&mut self, path: &Path, kind: TreeKind) -> Result<(), DiskError> {
        let metadata = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            metadata => metadata?,
        };
        if metadata.is_dir() {
            for child in children(path)? {
                self.add(&child, kind)?;
            }
        } else {
            let facts = file_facts(path, &metadata);
            let is_shared = facts.names == 1 && metadata.permissions().readonly();
            let bytes = if kind == TreeKind::Linked && is_shared { 0 } else { facts.bytes };
            self.add_file(FileFacts { bytes, ..facts });
        }
        Ok(())
    }

    /// Bytes of everything that was counted.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Counts one name of a file.
    pub(super) fn add_file(&mut self, file: FileFacts) -> Inode {
        let FileFacts { identity, names: all, bytes } = file;
        let inode = identity.unwrap_or((u64::MAX, self.seen.len() as u64));
        let names = self.seen.entry(inode).or_insert_with(|| {
            self.bytes += bytes;
            Names { seen: 0, all, bytes }
        });
        names.seen += 1;
        inode
    }

    /// Whether every name of an inode was counted, so that it goes when they go.
    pub(super) fn is_freed(&self, inode: &Inode) -> bool {
        self.seen.get(inode).is_some_and(|names| names.seen >= names.all)
    }

    /// What goes if every counted name goes.
    pub(super) fn freed(&self) -> Freed {
        let gone = self.seen.values().filter(|names| names.seen >= names.all);
        gone.fold(Freed::default(), |freed, names| Freed {
            files: freed.files + 1,
            bytes: freed.bytes + names.bytes,
        })
    }
}

/// The paths in a folder; none if it is not there.
pub(super) fn children(folder: &Path) -> Result<Vec<PathBuf>, DiskError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}
