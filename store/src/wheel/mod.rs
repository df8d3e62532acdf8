//! Wheels: the binary distribution format of Python packages.
//!
//! Follows the specification "Binary distribution format" and "Recording installed projects" of
//! the Python packaging guides (PEP 427, PEP 376, PEP 627). What is decided here is where the
//! files of an unpacked wheel go and which files are written beside them; nothing is linked here.

mod check;
mod entry_points;
mod error;
mod info;
mod install;
mod launchers;
mod meta;
mod record;
mod scheme;
mod script;

pub use check::check;
pub use entry_points::{EntryPoint, EntryPoints};
pub use error::WheelError;
pub use info::WheelInfo;
pub(crate) use install::INSTALLER;
pub use install::{FileSource, InstalledFile, install};
pub(crate) use launchers::of_entry_point;
pub use meta::install_rocm_meta;
pub use record::{RecordRow, RecordWriter, read_record};
pub use scheme::{Launcher, Place, Scheme};
pub use script::{launcher, shebang};
