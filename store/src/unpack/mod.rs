//! Archives become files here. An archive is hostile until its last byte: whatever would leave
//! the tree, hide something or fill the disk is refused by name, and the half-made tree is of
//! no use to anybody.
//!
//! Nothing of an archive is ever executed; the maintainer scripts of a Debian package are not
//! even read.

mod codec;
mod deb;
mod entry;
mod path;
mod policy;
mod refusal;
mod tar;
mod tree;
mod zip;

pub use self::deb::unpack_deb;
pub use self::entry::{Entry, Node};
pub use self::path::TreePath;
pub(crate) use self::path::windows_can_hold;
pub use self::policy::{Limits, Names, Policy, Strip};
pub use self::refusal::{Reason, UnpackError};
pub use self::tar::unpack_tarball;
pub use self::tree::TreeWriter;
pub use self::zip::unpack_zip;

/// Hears how many more bytes were written, from several threads.
pub type OnBytes<'a> = &'a (dyn Fn(u64) + Sync);
