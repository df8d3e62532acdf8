//! Making the folders and files of an environment, subtree by subtree and side by side.
//!
//! One thread works in one folder at a time: the system lets only one of them add a name to a
//! folder anyway. Making a folder costs more than linking a file, so folders are not made first
//! and in a row, but each as soon as the one around it is there.

use std::collections::HashMap;
use std::path::Path;

use fs_err as fs;
use rayon::prelude::*;

use super::OnFiles;
use super::blueprint::{Action, Finished, Item};
use crate::fs::symlink::{self, NewLink};
use crate::fs::{DiskError, LinkCount, Linker, set_mode};

/// Makes everything of a blueprint below `root`, which must be there and empty but for files that
/// the blueprint does not have. On a fault some of it is left.
pub(super) fn write(
    root: &Path,
    finished: &Finished,
    on_files: OnFiles<'_>,
) -> Result<Vec<LinkCount>, DiskError> {
    let tree = Tree::of(finished);
    let writer =
        Writer { root, tree: &tree, own: Linker::new(false), foreign: Linker::new(true), on_files };
    writer.fill(&tree.folders[TOP])?;
    if symlink::COME_LAST {
        symlink::make_all(finished.items.iter().filter_map(|item| link(root, item)).collect())?;
    }
    Ok(writer.own.counts().into_iter().chain(writer.foreign.counts()).collect())
}

fn link(root: &Path, item: &Item) -> Option<NewLink> {
    let Action::Symlink { target } = &item.action else { return None };
    Some(NewLink { at: root.join(&item.path), target: target.clone() })
}

/// The folders of a blueprint with what lies in each.
struct Tree<'f> {
    /// The first is the root.
    folders: Vec<Folder<'f>>,
}

#[derive(Default)]
struct Folder<'f> {
    path: &'f str,
    items: Vec<&'f Item>,
    below: Vec<usize>,
}

impl<'f> Tree<'f> {
    fn of(finished: &'f Finished) -> Self {
        let mut folders = vec![Folder::default()];
        let mut at: HashMap<&str, usize> = HashMap::from([("", TOP)]);
        // sorted, so a folder comes after the one around it
        for path in &finished.folders {
            let around = at.get(folder_of(path)).copied().unwrap_or(TOP);
            let new = folders.len();
            folders[around].below.push(new);
            folders.push(Folder { path, ..Folder::default() });
            at.insert(path, new);
        }
        // sorted as well, so most files lie where the one before them lies
        let (mut latest, mut around) = ("", TOP);
        for item in &finished.items {
            let folder = folder_of(&item.path);
            if folder != latest {
                (latest, around) = (folder, at.get(folder).copied().unwrap_or(TOP));
            }
            folders[around].items.push(item);
        }
        Self { folders }
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

struct Writer<'w> {
    root: &'w Path,
    tree: &'w Tree<'w>,
    /// What works from one store says nothing of another.
    own: Linker,
    foreign: Linker,
    on_files: OnFiles<'w>,
}

impl Writer<'_> {
    fn make(&self, folder: &Folder<'_>) -> Result<(), DiskError> {
        fs::create_dir(self.root.join(folder.path))?;
        self.fill(folder)
    }

    fn fill(&self, folder: &Folder<'_>) -> Result<(), DiskError> {
        let below = || {
            let folders = folder.below.par_iter().with_max_len(1);
            folders.try_for_each(|at| self.make(&self.tree.folders[*at]))
        };
        let files = || {
            let mut to = self.root.join(folder.path);
            for item in &folder.items {
                to.push(name_of(&item.path));
                self.put(item, &to)?;
                to.pop();
            }
            (self.on_files)(folder.items.len() as u64);
            Ok::<_, DiskError>(())
        };
        let (files, below) = rayon::join(files, below);
        files.and(below)
    }

    fn put(&self, item: &Item, to: &Path) -> Result<(), DiskError> {
        match &item.action {
            Action::Link { from, size, mode, foreign } => {
                let linker = if *foreign { &self.foreign } else { &self.own };
                linker.link(from, to, *size, *mode)
            }
            Action::Copy { from, mode } => {
                fs::write(to, fs::read(from)?)?;
                set_mode(to, *mode)
            }
            Action::Write { content, mode } => {
                fs::write(to, content)?;
                set_mode(to, *mode)
            }
            Action::Symlink { .. } if symlink::COME_LAST => Ok(()),
            Action::Symlink { target } => {
                NewLink { at: to.to_owned(), target: target.clone() }.make()
            }
        }
    }
}

const TOP: usize = 0;
