//! The registry: what is known of ROCm, as data with sources.
//!
//! Facts live in `manifests/registry/*.toml`, one file a topic, one line a fact. The build checks
//! them and embeds them; `Registry` parses a table when it is asked for; `query` gives verdicts
//! with their evidence. Nothing here decides what to take: the resolver does.

pub mod indexes;
pub mod loader;
pub mod overlay;
pub mod pattern;
pub mod query;
pub mod rows;
pub mod tables;
pub mod validate;
pub mod verdict;
mod vocabulary;

pub use loader::Registry;
pub use overlay::{Overlay, OverlayError};
pub use pattern::{BuiltFor, DriverPattern, Pattern, ReleasePattern};
pub use query::{
    ChannelIndex, DeviceWheels, FrameworkQuestion, GpuChange, Kernel, KnownGpu, MetaRequirement,
    ModuleRelease, NameKind, NamedKernel, Situation, System, is_windows_driver_number,
};
pub use verdict::{Evidence, Judgement, Reason, Verdict};
