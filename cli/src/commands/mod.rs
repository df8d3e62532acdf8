//! One file a verb: options to its op, the outcome to `render`. Nothing is decided here.

pub mod activate;
pub mod check;
pub mod completions;
pub mod doctor;
pub mod edit;
pub mod explain;
pub mod generations;
pub mod host;
pub mod init;
pub mod lock;
pub mod locked;
pub mod man;
pub mod matrix;
pub mod quickstart;
pub mod registry;
pub mod run;
pub mod schema;
pub mod shims;
pub mod status;
pub mod storage;
pub mod sync;
pub mod verify;
