//! The store's part of the layout.

use std::path::{Path, PathBuf};

use rocmenv_manifests::digest::Sha256;

/// A store: one version of one layout in one data folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreLayout {
    root: PathBuf,
}

impl StoreLayout {
    /// The store in a data folder.
    pub fn new(data: &Path) -> Self {
        Self { root: data.join("store").join(VERSION) }
    }

    /// `DATA/store/v1`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the objects lie.
    pub fn objects(&self) -> PathBuf {
        self.root.join("objects")
    }

    /// Where one object lies.
    pub fn object(&self, digest: &Sha256) -> ObjectLayout {
        ObjectLayout { root: self.objects().join(digest.to_string()) }
    }

    /// Where compiled Python lies.
    pub fn bytecode(&self) -> PathBuf {
        self.root.join("bytecode")
    }

    /// Where the compiled Python of one object for one compiler lies.
    pub fn bytecode_of(&self, digest: &Sha256, compiler: &str) -> ObjectLayout {
        ObjectLayout { root: self.bytecode().join(digest.to_string()).join(compiler) }
    }

    /// Where copies with other search paths lie.
    pub fn rewritten(&self) -> PathBuf {
        self.root.join("rewritten")
    }

    /// Where the copies of files of one object with one set of search paths lie.
    pub fn rewritten_of(&self, digest: &Sha256, key: &Sha256) -> ObjectLayout {
        ObjectLayout { root: self.rewritten().join(digest.to_string()).join(key.to_string()) }
    }

    /// Where shared inodes lie.
    pub fn files(&self) -> PathBuf {
        self.root.join("files")
    }

    /// The shared inode of a content.
    pub fn file(&self, content: &Sha256, executable: bool) -> PathBuf {
        let suffix = if executable { "-x" } else { "" };
        self.files().join(format!("{content}{suffix}"))
    }

    /// Where managed interpreters lie.
    pub fn pythons(&self) -> PathBuf {
        self.root.join("python")
    }

    /// Where roots lie.
    pub fn roots(&self) -> PathBuf {
        self.root.join("roots")
    }

    /// The root that a generation writes.
    pub fn root_of(&self, generation: &Path) -> PathBuf {
        let key = Sha256::of(generation.as_os_str().as_encoded_bytes());
        self.roots().join(format!("{key}.json"))
    }

    /// Where driver packages and installers lie, each in a folder named by its digest. Nothing
    /// links them, so gc leaves them alone.
    pub fn drivers(&self) -> PathBuf {
        self.root.join("drivers")
    }

    /// Where half-made things lie.
    pub fn staging(&self) -> PathBuf {
        self.root.join("staging")
    }

    /// Locked while one thing of the store (an object, an interpreter) is made.
    pub fn lock_of(&self, key: &str) -> PathBuf {
        self.root.join("locks").join(key)
    }

    /// Shared by everything that uses the store, exclusive for gc.
    pub fn gc_lock(&self) -> PathBuf {
        self.root.join("locks").join("gc")
    }

    /// The folders that a store must have.
    pub fn folders(&self) -> [PathBuf; 8] {
        [
            self.objects(),
            self.bytecode(),
            self.rewritten(),
            self.files(),
            self.pythons(),
            self.roots(),
            self.staging(),
            self.root.join("locks"),
        ]
    }
}

/// One object of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectLayout {
    root: PathBuf,
}

impl ObjectLayout {
    /// An object that is being made somewhere else than at its final path.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// The object's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Its files.
    pub fn tree(&self) -> PathBuf {
        self.root.join("tree")
    }

    /// The list of its files.
    pub fn manifest(&self) -> PathBuf {
        self.root.join("manifest")
    }

    /// What its native files hold and need, once that was read.
    pub fn native(&self) -> PathBuf {
        self.root.join("native")
    }

    /// There once the object is known to be on the disk, not only in memory.
    pub fn sealed(&self) -> PathBuf {
        self.root.join("sealed")
    }
}

const VERSION: &str = "v1";
