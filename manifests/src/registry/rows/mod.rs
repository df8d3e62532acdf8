//! One struct per table and per file of `manifests/registry/*.toml`, as they are written there.
//!
//! Shapes only; what a row means for a question is in `query`. The build script reads the data
//! with these very types, so they know nothing of the rest of the crate but `vocabulary` and
//! `pattern`.

pub mod bindings;
pub mod builds;
pub mod changes;
pub mod channels;
pub mod components;
pub mod device_code;
pub mod drivers;
pub mod faults;
pub mod frameworks;
pub mod gpus;
pub mod images;
pub mod kernels;
pub mod known_bad;
pub mod native_windows;
pub mod pythons;
pub mod reference;
pub mod releases;
pub mod requirements;
pub mod sources;
pub mod support;
pub mod tuning;
