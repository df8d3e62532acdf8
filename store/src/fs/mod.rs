//! The few ways in which files are made, linked, made durable and removed.

mod atomic;
mod error;
mod link;
mod sync;
mod tree;

pub use atomic::{Waiting, flush_folder, replace, replace_with_mode};
pub use error::DiskError;
pub use link::{LinkCount, LinkMode, Linker};
pub use sync::{flush, same_file_system};
pub use tree::{remove_tree, set_mode, symlink};
