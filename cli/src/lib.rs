//! The command line: arguments to options, outcomes to text. All printing of rocmenv is here.
//!
//! The trip of one call: `main` builds a [`Process`]; `args` reads the words (clap types live
//! there and nowhere else); `settings` joins the flags with the environment variables into one
//! value; `context` adds folders and the clock; `dispatch` hands plain options to
//! `commands::<verb>`, which calls `ops::<verb>` and gives the outcome to `render`.
//! A failure anywhere is an [`Error`], which knows its exit code and the command to try.

pub mod args;
pub mod codes;
pub mod commands;
pub mod context;
pub mod dispatch;
pub mod error;
pub mod failures;
pub mod ops;
pub mod process;
pub mod project_root;
pub mod render;
pub mod runtime;
pub mod settings;
pub mod variables;

pub use args::command;
pub use dispatch::run;
pub use error::{Error, Exit, Failure};
pub use process::Process;
