//! The trees on disk, declared once. Nothing here reads or writes anything.
//!
//! ```text
//! DATA/store/v1/                  one writable store a disk
//!   objects/<sha256>/             one unpacked artifact
//!     manifest                    its files with digests (see `object::Manifest`)
//!     sealed                      there once the object is known to be on the disk
//!     tree/...                    its files
//!   bytecode/<sha256>/<tag>/      compiled Python of one object for one compiler
//!   files/<sha256>[-x]            shared inodes of files of 64 KiB and more
//!   python/<key>/                 managed interpreters, trees of links into objects
//!   roots/<sha256 of path>.json   what each generation holds
//!   locks/                        empty files to lock
//!   staging/                      half-made things; swept by gc
//! CACHE/downloads/                artifacts as they were served
//!
//! PROJECT/.rocmenv/active         which environment shims use
//! PROJECT/.rocmenv/<target>[/<env>]/
//!   current                       holds N; replaced by one rename
//!   previous, pinned, counter     numbers, as text
//!   lock                          one process at a time changes this environment
//!   generations/N/
//!     building                    there until the generation is complete
//!     generation.json             its record
//!     activation                  what a shim reads
//!     rocm.toml, rocm.lock        as they were
//!     env/                        the virtual environment
//!     rocm/                       the ROCm prefix
//! ```

use std::path::{Path, PathBuf};

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_shims::locate::ACTIVE;

/// The two folders of a user that rocmenv keeps things in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserFolders {
    /// Objects, interpreters: what environments are linked from.
    pub data: PathBuf,
    /// Pages and downloads: what can be fetched again.
    pub cache: PathBuf,
}

impl UserFolders {
    /// The folders by the conventions of the system (XDG, Known Folders); `None` where the user
    /// has no home folder.
    pub fn of_user() -> Option<Self> {
        let folders = directories::ProjectDirs::from("", "", "rocmenv")?;
        Some(Self {
            data: folders.data_local_dir().to_owned(),
            cache: folders.cache_dir().to_owned(),
        })
    }
}

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
    pub fn folders(&self) -> [PathBuf; 7] {
        [
            self.objects(),
            self.bytecode(),
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

    /// There once the object is known to be on the disk, not only in memory.
    pub fn sealed(&self) -> PathBuf {
        self.root.join("sealed")
    }
}

/// Where downloads lie in a cache folder.
pub fn downloads(cache: &Path) -> PathBuf {
    cache.join("downloads")
}

/// One environment of a project on one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvLayout {
    project: PathBuf,
    root: PathBuf,
}

impl EnvLayout {
    /// The environment `env` on `target` of the project in the folder `project`.
    pub fn new(project: &Path, target: &TargetName, env: &EnvName) -> Self {
        let mut root = project.join(PROJECT_FOLDER).join(target.as_str());
        if !env.is_default() {
            root.push(env.as_str());
        }
        Self { project: project.to_owned(), root }
    }

    /// The project's folder.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// `PROJECT/.rocmenv/<target>[/<env>]`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file that holds the current generation's number.
    pub fn current(&self) -> PathBuf {
        self.root.join("current")
    }

    /// The file that holds the number of the generation before it.
    pub fn previous(&self) -> PathBuf {
        self.root.join("previous")
    }

    /// The file that holds pinned numbers, one a line.
    pub fn pinned(&self) -> PathBuf {
        self.root.join("pinned")
    }

    /// The file that holds the highest number ever given.
    pub fn counter(&self) -> PathBuf {
        self.root.join("counter")
    }

    /// Locked by the one process that changes this environment.
    pub fn lock(&self) -> PathBuf {
        self.root.join("lock")
    }

    /// Where the generations lie.
    pub fn generations(&self) -> PathBuf {
        self.root.join("generations")
    }

    /// Where one generation lies.
    pub fn generation(&self, number: u32) -> GenerationLayout {
        GenerationLayout::at(self.generations().join(number.to_string()))
    }

    /// The file that says which environment of the project shims use.
    pub fn active(&self) -> PathBuf {
        self.project.join(PROJECT_FOLDER).join(ACTIVE)
    }

    /// What that file holds when shims use this environment: `<target>[/<env>]`.
    pub fn mark(&self) -> String {
        let folder = self.project.join(PROJECT_FOLDER);
        let mark = self.root.strip_prefix(folder).unwrap_or(&self.root);
        mark.to_string_lossy().replace('\\', "/")
    }

    /// The link that editors look for.
    pub fn venv_link(&self) -> PathBuf {
        self.project.join(".venv")
    }
}

/// One generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerationLayout {
    root: PathBuf,
}

impl GenerationLayout {
    /// The generation in the folder `root`.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// There until the generation is complete.
    pub fn building(&self) -> PathBuf {
        self.root.join("building")
    }

    /// Its record.
    pub fn record(&self) -> PathBuf {
        self.root.join("generation.json")
    }

    /// What a shim reads.
    pub fn activation(&self) -> PathBuf {
        self.root.join("activation")
    }

    /// The locked pins, for pip and uv.
    pub fn constraints(&self) -> PathBuf {
        self.root.join("constraints.txt")
    }

    /// rocm.toml as it was.
    pub fn project_file(&self) -> PathBuf {
        self.root.join("rocm.toml")
    }

    /// rocm.lock as it was.
    pub fn lock_file(&self) -> PathBuf {
        self.root.join("rocm.lock")
    }

    /// The virtual environment.
    pub fn env(&self) -> PathBuf {
        self.root.join("env")
    }

    /// The ROCm prefix.
    pub fn rocm(&self) -> PathBuf {
        self.root.join("rocm")
    }
}

pub use rocmenv_shims::locate::PROJECT_FOLDER;

const VERSION: &str = "v1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_of_a_project_with_one_has_no_folder_of_its_own() {
        let target = TargetName::host();
        let one = EnvLayout::new(Path::new("p"), &target, &EnvName::default_env());
        assert_eq!(one.current(), Path::new("p/.rocmenv/host/current"));
        let other = EnvLayout::new(Path::new("p"), &target, &"train".parse().unwrap());
        assert_eq!((one.mark(), other.mark()), ("host".to_owned(), "host/train".to_owned()));
        let record = other.generation(3).record();
        assert_eq!(record, Path::new("p/.rocmenv/host/train/generations/3/generation.json"));
    }
}
