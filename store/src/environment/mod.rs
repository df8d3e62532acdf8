//! One environment: a virtual environment and a ROCm prefix beside it, as one real tree of links
//! into the store.
//!
//! First a [`Blueprint`] says every file of it, then [`build`] makes them. Real folders and no
//! links to package folders, because libraries find each other across packages by paths such as
//! `$ORIGIN/../_rocm_sdk_core/lib`.

mod activation;
mod blueprint;
mod build;
mod bytecode;
mod interpreter;
mod launcher;
mod prefix;
mod project;
mod python;
mod runpath;
mod strangers;
mod tree;

pub use activation::{constraints, is_runtime};
pub use blueprint::{Blueprint, Collision};
pub use build::{Built, EnvSpec, EnvironmentError, build};
pub use bytecode::{BytecodeError, compile};
pub use interpreter::{ManagedPython, managed_python};
pub use prefix::Prefix;
pub use project::{LocalProject, PROJECT_FILE, local_project_of};
pub use runpath::Rewritten;
pub use strangers::{Stranger, strangers};

/// Hears how many more files are there, from several threads.
pub type OnFiles<'a> = &'a (dyn Fn(u64) + Sync);
