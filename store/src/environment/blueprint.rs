//! Every file of an environment, before the first one is made. Two packages that want different
//! files at one place are found here.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::path::PathBuf;

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::platform::OsFamily;

/// The files of an environment, relative to the generation's folder.
#[derive(Debug)]
pub struct Blueprint {
    system: OsFamily,
    items: Vec<Item>,
    folders: BTreeSet<String>,
    /// The folder of the file that was added last: files come folder by folder.
    latest: String,
    /// How a folder is spelled, by its name without case (Windows).
    spelled: HashMap<String, String>,
    owners: Vec<String>,
    collisions: Vec<Collision>,
}

/// Two packages bring different things to one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Collision {
    /// The place, relative to the generation's folder.
    pub path: String,
    /// The package that has it.
    pub first: String,
    /// The package that wants it too.
    pub second: String,
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` comes with `{}` and with `{}`", self.path, self.first, self.second)
    }
}

/// One file or link.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) path: String,
    pub(super) action: Action,
    identity: Identity,
    owner: usize,
}

/// How a file gets there.
#[derive(Debug)]
pub(super) enum Action {
    /// From the store, as cheaply as possible.
    Link { from: PathBuf, size: u64, mode: u32, foreign: bool },
    /// From the store, with an inode of its own.
    Copy { from: PathBuf, mode: u32 },
    /// New.
    Write { content: Vec<u8>, mode: u32 },
    /// A symbolic link.
    Symlink { target: String },
}

/// What makes two items the same.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Identity {
    File { sha256: Sha256, executable: bool },
    Symlink(String),
}

impl Blueprint {
    /// An empty one, for a system. Names that differ by case alone are one name on Windows.
    pub fn new(system: OsFamily) -> Self {
        Self {
            system,
            items: Vec::new(),
            folders: BTreeSet::new(),
            latest: String::new(),
            spelled: HashMap::new(),
            owners: Vec::new(),
            collisions: Vec::new(),
        }
    }

    /// The name under which a package's files are listed in collisions.
    pub(super) fn owner(&mut self, name: &str) -> usize {
        self.owners.push(name.to_owned());
        self.owners.len() - 1
    }

    /// Adds a file or link. Of several at one place the first one counts.
    pub(super) fn add(&mut self, owner: usize, path: String, action: Action, identity: Identity) {
        let path = self.spelled(path);
        if let Some((folder, _)) = path.rsplit_once('/')
            && folder != self.latest
        {
            folder.clone_into(&mut self.latest);
            self.around(folder);
        }
        self.items.push(Item { path, action, identity, owner });
    }

    /// Adds a folder with those around it.
    pub(super) fn folder(&mut self, path: &str) {
        let path = self.spelled(format!("{path}/"));
        self.around(path.trim_end_matches('/'));
    }

    fn around(&mut self, mut path: &str) {
        while self.folders.insert(path.to_owned()) {
            match path.rfind('/') {
                Some(at) => path = &path[..at],
                None => return,
            }
        }
    }

    /// The path with its folders spelled as they were first: `Include/x` where there is `include`.
    fn spelled(&mut self, path: String) -> String {
        if self.system == OsFamily::Linux {
            return path;
        }
        let mut spelled = String::with_capacity(path.len());
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            spelled.push_str(part);
            if parts.peek().is_some() {
                let first = self.spelled.entry(spelled.to_lowercase());
                let first = first.or_insert_with(|| spelled.clone());
                spelled.clone_from(first);
                spelled.push('/');
            }
        }
        spelled
    }

    /// Everything, folders from the outside in and files by place. A file where another package
    /// has a folder is one more collision.
    pub(super) fn finish(mut self) -> Finished {
        let items = self.one_a_place();
        for item in &items {
            if self.folders.contains(&item.path) {
                let below = format!("{}/", item.path);
                let other = items.iter().find(|other| other.path.starts_with(&below));
                if let Some(other) = other {
                    self.collide(item.path.clone(), item.owner, other.owner);
                } else {
                    self.folders.remove(&item.path);
                }
            }
        }
        self.collisions.sort();
        Finished { folders: self.folders, items, collisions: self.collisions }
    }

    /// The items by place, each place once; what differs there is a collision.
    fn one_a_place(&mut self) -> Vec<Item> {
        let mut items = std::mem::take(&mut self.items);
        let is_windows = self.system == OsFamily::Windows;
        // Both sorts are stable, so what was added first comes first.
        if is_windows {
            items.sort_by_cached_key(|item| item.path.to_lowercase());
        } else {
            items.sort_by(|a, b| a.path.cmp(&b.path));
        }
        items.dedup_by(|later, first| {
            let same_place = later.path == first.path
                || (is_windows && later.path.to_lowercase() == first.path.to_lowercase());
            if same_place && later.identity != first.identity {
                self.collide(later.path.clone(), first.owner, later.owner);
            }
            same_place
        });
        if is_windows {
            items.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        }
        items
    }

    fn collide(&mut self, path: String, first: usize, second: usize) {
        let name = |owner: usize| self.owners[owner].clone();
        let collision = Collision { path, first: name(first), second: name(second) };
        self.collisions.push(collision);
    }
}

/// A blueprint that is complete.
pub(super) struct Finished {
    pub(super) folders: BTreeSet<String>,
    pub(super) items: Vec<Item>,
    pub(super) collisions: Vec<Collision>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(blueprint: &mut Blueprint, owner: &str, path: &str, content: &[u8]) {
        let owner = blueprint.owner(owner);
        let identity = Identity::File { sha256: Sha256::of(content), executable: false };
        let action = Action::Write { content: content.to_vec(), mode: 0o644 };
        blueprint.add(owner, path.to_owned(), action, identity);
    }

    #[test]
    fn equal_files_meet_and_different_ones_collide() {
        let mut blueprint = Blueprint::new(OsFamily::Linux);
        add(&mut blueprint, "a", "x/__init__.py", b"");
        add(&mut blueprint, "b", "x/__init__.py", b"");
        add(&mut blueprint, "b", "x/y.py", b"1");
        add(&mut blueprint, "c", "x/y.py", b"2");
        add(&mut blueprint, "d", "x/y.py/z", b"");
        let finished = blueprint.finish();
        assert_eq!(finished.items.len(), 3);
        let said: Vec<_> = finished.collisions.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            ["`x/y.py` comes with `b` and with `c`", "`x/y.py` comes with `b` and with `d`",]
        );
    }

    #[test]
    fn on_windows_case_tells_nothing_apart() {
        let mut blueprint = Blueprint::new(OsFamily::Windows);
        add(&mut blueprint, "a", "Lib/x/A.py", b"1");
        add(&mut blueprint, "b", "lib/x/b.py", b"1");
        add(&mut blueprint, "c", "LIB/x/a.py", b"2");
        let finished = blueprint.finish();
        let paths: Vec<_> = finished.items.iter().map(|item| item.path.as_str()).collect();
        assert_eq!(paths, ["Lib/x/A.py", "Lib/x/b.py"]);
        assert_eq!(finished.folders.len(), 2);
        let said: Vec<_> = finished.collisions.iter().map(ToString::to_string).collect();
        assert_eq!(said, ["`Lib/x/a.py` comes with `a` and with `c`"]);
    }
}
