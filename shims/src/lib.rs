//! The lean program behind rocmenv's PATH shims.
//!
//! A shim finds the project it is called in, reads which generation is current and what that
//! generation's activation file says, sets the variables and becomes the program. It starts
//! thousands of times under a build, so it is std only, knows no TOML and reads two small files.
//!
//! [`locate`] finds the project, [`activation`] is the file's format, [`decide`] says what to do
//! (a pure function of the two and the environment), [`exec`] does it; [`install`] puts shims
//! into a folder and takes them out. On Windows the same program is the [`launcher`] of entry
//! points. [`child`] is the one place that becomes another program.

#![expect(
    clippy::disallowed_methods,
    reason = "std only: this crate reads files and variables itself"
)]

pub mod activation;
pub mod child;
pub mod decide;
pub mod exec;
pub mod install;
pub mod launcher;
pub mod locate;
