//! The words of the crate that rows are written in.
//!
//! Rows name them from here, and only from here: the build script compiles the same rows with a
//! `vocabulary` of its own, in which each of these is plain text.

pub(crate) use crate::digest::Sha256;
pub(crate) use crate::gfx::GfxTarget;
pub(crate) use crate::platform::{Arch, OsFamily};
pub(crate) use crate::version::{Dotted, DriverVersion, RocmVersion};
