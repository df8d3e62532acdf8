//! Writes an unpacked tree into an empty folder of our own, keeping account of every name, so
//! that no entry can reach through another one.

use std::collections::HashMap;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;
use sha2::Digest as _;

use super::entry::{Entry, Node};
use super::path::TreePath;
use super::policy::{Limits, Names, Policy};
use super::refusal::{Reason, UnpackError};
use super::{OnBytes, Strip};
use crate::fs::symlink::{self, NewLink};
use crate::object::STORE_TIME;

/// A tree that is being written.
pub struct TreeWriter<'a> {
    root: PathBuf,
    policy: &'a Policy,
    on_bytes: OnBytes<'a>,
    nodes: HashMap<String, Kind>,
    folded: HashMap<String, String>,
    entries: Vec<Entry>,
    /// Links that wait until everything else is there.
    links: Vec<NewLink>,
    count: u64,
    budget: Budget,
}

/// How many bytes may still come; shared by threads.
struct Budget {
    written: AtomicU64,
    limits: Limits,
    by_ratio: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Made because something lies in it.
    ImpliedFolder,
    Folder,
    File,
    Link,
}

impl<'a> TreeWriter<'a> {
    /// Writes into `root`, which must be empty or absent. `archive_size` is what the content is
    /// compared with.
    pub fn new(
        root: &Path,
        policy: &'a Policy,
        archive_size: u64,
        on_bytes: OnBytes<'a>,
    ) -> Result<Self, UnpackError> {
        fs::create_dir_all(root).map_err(crate::fs::DiskError::from)?;
        let limits = policy.limits;
        let by_ratio = archive_size.saturating_mul(limits.ratio).max(limits.free_bytes);
        Ok(Self {
            root: root.to_owned(),
            policy,
            on_bytes,
            nodes: HashMap::new(),
            folded: HashMap::new(),
            entries: Vec::new(),
            links: Vec::new(),
            count: 0,
            budget: Budget { written: AtomicU64::new(0), limits, by_ratio },
        })
    }

    /// The clean name of an entry, stripped; `None` is an entry that stands for the root.
    pub fn name(&self, raw: &[u8]) -> Result<Option<TreePath>, UnpackError> {
        let shown = || String::from_utf8_lossy(raw).into_owned();
        let path = TreePath::parse(raw, self.policy.names)
            .map_err(|reason| UnpackError::refuse(shown(), reason))?;
        let Some(path) = path else { return Ok(None) };
        match &self.policy.strip {
            Strip::Nothing => Ok(Some(path)),
            Strip::FirstFolder => Ok(path.without_first()),
            Strip::Prefix(prefix) if path.as_str() == prefix => Ok(None),
            Strip::Prefix(prefix) => path
                .below(prefix)
                .map(Some)
                .ok_or_else(|| UnpackError::refuse(shown(), Reason::OutsidePrefix(prefix.clone()))),
        }
    }

    /// A folder of the archive.
    pub fn folder(&mut self, path: &TreePath) -> Result<(), UnpackError> {
        self.count_entry(path)?;
        match self.nodes.get(path.as_str()) {
            // Archives made by appending list a folder again.
            Some(Kind::Folder) => return Ok(()),
            Some(Kind::ImpliedFolder) => {}
            Some(_) => return Err(UnpackError::refuse(path.as_str(), Reason::Duplicate)),
            None => {
                self.parents(path)?;
                self.claim(path, Kind::Folder)?;
                self.make_folder(path.as_str())?;
            }
        }
        self.nodes.insert(path.as_str().to_owned(), Kind::Folder);
        self.entries.push(Entry { path: path.as_str().to_owned(), node: Node::Folder });
        Ok(())
    }

    /// Takes the name for a file and makes its folders; the content comes by [`Self::fill`].
    pub fn reserve(&mut self, path: &TreePath, mode: u32) -> Result<(), UnpackError> {
        self.count_entry(path)?;
        if mode & SET_ID_BITS != 0 {
            return Err(UnpackError::refuse(path.as_str(), Reason::SetUserId));
        }
        self.parents(path)?;
        self.claim(path, Kind::File)
    }

    /// Writes the content of a reserved file, from any thread, hashing on the way.
    pub fn fill(
        &self,
        path: &TreePath,
        mode: u32,
        content: &mut dyn Read,
        buffer: &mut Vec<u8>,
    ) -> Result<Entry, UnpackError> {
        let executable = mode & ANY_EXECUTE != 0;
        let mut node = Node::File { sha256: Sha256::from_bytes([0; 32]), size: 0, executable };
        let mut file = create(&self.root.join(path.as_str()), node.mode())?;
        let mut hasher = sha2::Sha256::new();
        let mut written = 0;
        buffer.resize(BUFFER, 0);
        loop {
            let read = match content.read(buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(UnpackError::unreadable(path.as_str(), error)),
            };
            self.budget.spend(path, read as u64)?;
            hasher.update(&buffer[..read]);
            file.write_all(&buffer[..read]).map_err(crate::fs::DiskError::from)?;
            written += read as u64;
            (self.on_bytes)(read as u64);
        }
        file.set_modified(UNIX_EPOCH + STORE_TIME).map_err(crate::fs::DiskError::from)?;
        let digest = Sha256::from_bytes(hasher.finalize().into());
        if let Node::File { sha256, size, .. } = &mut node {
            (*sha256, *size) = (digest, written);
        }
        Ok(Entry { path: path.as_str().to_owned(), node })
    }

    /// Lists what [`Self::fill`] returned.
    pub fn keep(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// A whole file.
    pub fn file(
        &mut self,
        path: &TreePath,
        mode: u32,
        content: &mut dyn Read,
        buffer: &mut Vec<u8>,
    ) -> Result<(), UnpackError> {
        self.reserve(path, mode)?;
        let entry = self.fill(path, mode, content, buffer)?;
        self.keep(entry);
        Ok(())
    }

    /// A symbolic link that says `target`, which must point into the tree.
    pub fn link(&mut self, path: &TreePath, target: &str) -> Result<(), UnpackError> {
        self.count_entry(path)?;
        let place = path.resolve(target).ok_or_else(|| {
            UnpackError::refuse(path.as_str(), Reason::LinkOutside(target.to_owned()))
        })?;
        // A `..` after the name of another link would lead elsewhere than it seems to; written
        // anew, `..` only follows real folders.
        let target = path.relative_to(&place);
        self.parents(path)?;
        self.claim(path, Kind::Link)?;
        let link = NewLink { at: self.root.join(path.as_str()), target: target.clone() };
        if symlink::COME_LAST {
            self.links.push(link);
        } else {
            link.make()?;
        }
        let node = Node::Link { target };
        self.entries.push(Entry { path: path.as_str().to_owned(), node });
        Ok(())
    }

    /// A hard link to a file that came before.
    pub fn hard_link(&mut self, path: &TreePath, to: &TreePath) -> Result<(), UnpackError> {
        self.count_entry(path)?;
        let nowhere =
            || UnpackError::refuse(path.as_str(), Reason::HardLinkNowhere(to.as_str().to_owned()));
        let first = self.entries.iter().rfind(|entry| entry.path == to.as_str());
        let node = first.map(|entry| entry.node.clone()).ok_or_else(nowhere)?;
        if !matches!(node, Node::File { .. }) {
            return Err(nowhere());
        }
        self.parents(path)?;
        self.claim(path, Kind::File)?;
        fs::hard_link(self.root.join(to.as_str()), self.root.join(path.as_str()))
            .map_err(crate::fs::DiskError::from)?;
        self.entries.push(Entry { path: path.as_str().to_owned(), node });
        Ok(())
    }

    /// All entries, sorted by name. Links that had to wait for the rest are made here.
    pub fn finish(mut self) -> Result<Vec<Entry>, UnpackError> {
        symlink::make_all(std::mem::take(&mut self.links))?;
        self.entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(self.entries)
    }

    fn count_entry(&mut self, path: &TreePath) -> Result<(), UnpackError> {
        self.count += 1;
        if self.count > self.policy.limits.entries {
            let reason = Reason::TooMany(self.policy.limits.entries);
            return Err(UnpackError::refuse(path.as_str(), reason));
        }
        Ok(())
    }

    fn claim(&mut self, path: &TreePath, kind: Kind) -> Result<(), UnpackError> {
        if self.nodes.insert(path.as_str().to_owned(), kind).is_some() {
            return Err(UnpackError::refuse(path.as_str(), Reason::Duplicate));
        }
        self.fold(path.as_str())
    }

    fn fold(&mut self, path: &str) -> Result<(), UnpackError> {
        if self.policy.names == Names::Linux {
            return Ok(());
        }
        match self.folded.insert(path.to_lowercase(), path.to_owned()) {
            Some(other) if other != path => {
                Err(UnpackError::refuse(path, Reason::CaseClash(other)))
            }
            _ => Ok(()),
        }
    }

    fn parents(&mut self, path: &TreePath) -> Result<(), UnpackError> {
        for folder in path.ancestors() {
            match self.nodes.get(folder) {
                Some(Kind::Folder | Kind::ImpliedFolder) => {}
                Some(Kind::File | Kind::Link) => {
                    let reason = Reason::NotAFolder(folder.to_owned());
                    return Err(UnpackError::refuse(path.as_str(), reason));
                }
                None => {
                    self.nodes.insert(folder.to_owned(), Kind::ImpliedFolder);
                    self.fold(folder)?;
                    self.make_folder(folder)?;
                }
            }
        }
        Ok(())
    }

    fn make_folder(&self, path: &str) -> Result<(), UnpackError> {
        Ok(fs::create_dir(self.root.join(path)).map_err(crate::fs::DiskError::from)?)
    }
}

impl Budget {
    fn spend(&self, path: &TreePath, amount: u64) -> Result<(), UnpackError> {
        let total = self.written.fetch_add(amount, Ordering::Relaxed) + amount;
        if total > self.limits.bytes {
            return Err(UnpackError::refuse(path.as_str(), Reason::TooLarge(self.limits.bytes)));
        }
        if total > self.by_ratio {
            return Err(UnpackError::refuse(path.as_str(), Reason::Bomb(self.limits.ratio)));
        }
        Ok(())
    }
}

fn create(path: &Path, mode: u32) -> Result<std::fs::File, UnpackError> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    fs::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    Ok(options.open(path).map_err(crate::fs::DiskError::from)?.into_parts().0)
}

const SET_ID_BITS: u32 = 0o6000;
const ANY_EXECUTE: u32 = 0o111;
const BUFFER: usize = 256 * 1024;
