//! What each verb does: options in, outcome out, and nothing printed.

pub mod activate;
pub mod check;
pub mod child;
pub mod edit;
pub mod environment;
pub mod files;
pub mod generations;
pub mod host;
pub mod init;
pub mod interpreter;
pub mod lock;
pub mod locked;
pub mod matrix;
pub mod project;
pub mod quickstart;
pub mod registry;
pub mod run;
pub mod shims;
pub mod status;
pub mod storage;
pub mod sync;
pub mod verify;
pub mod world;
