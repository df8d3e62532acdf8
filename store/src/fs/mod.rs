//! The few ways in which files are made, linked, made durable and removed.

mod atomic;
mod error;
mod inode;
mod link;
mod path;
mod patience;
pub(crate) mod symlink;
mod sync;
mod tree;

pub use atomic::{Waiting, flush_folder, replace, replace_with_mode};
pub use error::DiskError;
pub use link::{LinkCount, LinkMode, Linker};
pub use path::canonical;
pub use patience::is_in_use;
pub use sync::{flush, same_file_system};
pub use tree::{remove_tree, set_mode};

pub(crate) use inode::{FileFacts, file_facts};
pub(crate) use path::{is_long, joined, reachable};
pub(crate) use patience::rename;
