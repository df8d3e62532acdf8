//! Reads a Windows: one query to PowerShell, or texts that were taken from a machine, become
//! [`Sources`]; [`Sources`] become facts. The same parser serves a live Windows, the Windows
//! outside of a WSL, and captures.
//!
//! The query changes nothing and needs no administrator rights. `wmic` is not asked: current
//! Windows 11 no longer has it.

mod adapters;
mod date;
mod keys;
mod read;
mod sources;
mod text;

pub(super) use date::day;
pub(super) use keys::{ALL as KEYS, PYTHON_CORES};
pub use read::{WindowsFacts, feature_release};
pub use sources::{RegistryValue, Sources, SourcesError, VideoController};
pub use text::{decoded, registry_export, video_controllers};

/// Where PowerShell 5.1 is below the Windows folder; every Windows has it.
pub const POWERSHELL: &str = r"System32\WindowsPowerShell\v1.0\powershell.exe";

/// What PowerShell is asked. It writes one JSON document, see [`Sources`].
pub const QUERY: &str = include_str!("query.ps1");
