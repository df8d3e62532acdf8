//! The trees on disk, declared once. Nothing here reads or writes anything.
//!
//! ```text
//! DATA/store/v1/                  one writable store a disk
//!   objects/<sha256>/             one unpacked artifact
//!     manifest                    its files with digests (see `object::Manifest`)
//!     sealed                      there once the object is known to be on the disk
//!     tree/...                    its files
//!   bytecode/<sha256>/<tag>/      compiled Python of one object for one compiler
//!   rewritten/<sha256>/<key>/     libraries and programs of one object with other search paths
//!   files/<sha256>[-x]            shared inodes of files of 64 KiB and more
//!   python/<key>/                 managed interpreters, trees of links into objects
//!   roots/<sha256 of path>.json   what each generation holds
//!   locks/                        empty files to lock
//!   staging/                      half-made things; swept by gc
//! CACHE/downloads/                artifacts as they were served
//!
//! PROJECT/.rocmenv/
//!   active                        which environment shims use
//!   .gitignore                    `*`
//! PROJECT/.rocmenv/<target>[/<env>]/
//!   current                       holds N; replaced by one rename
//!   previous, pinned, counter     numbers, as text
//!   lock                          one process at a time changes this environment
//!   generations/N/
//!     building                    there until the generation is complete
//!     generation.json             its record
//!     activation                  what a shim reads
//!     rocm.toml, rocm.lock        as they were
//!     verification.json           what `verify` found last
//!     env/                        the virtual environment
//!     rocm/                       the ROCm prefix
//! ```

mod project;
mod store;

use std::path::{Path, PathBuf};

pub use project::{EnvLayout, GenerationLayout};
pub use rocmenv_shims::locate::PROJECT_FOLDER;
pub use store::{ObjectLayout, StoreLayout};

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

/// Where downloads lie in a cache folder.
pub fn downloads(cache: &Path) -> PathBuf {
    cache.join("downloads")
}
