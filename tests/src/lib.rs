//! Fixtures for the tests of rocmenv: archives, worlds served over HTTP, sandboxes.
//!
//! ```text
//! WheelBuilder, DebBuilder, TarballBuilder     bytes of one artifact, right or wrong on purpose
//!         |
//!       World                                  what exists and in which layout it is served: a pure value
//!         |
//!    IndexServer                               answers on loopback, misbehaves where told, keeps a log
//!         |
//!      Sandbox                                 runs a program in an empty home and takes one snapshot of it
//! ```
//!
//! [`channels`] are ready-made worlds with AMD's and PyTorch's own addresses, behind a
//! [`Proxy`]; [`scenario`] has resolver problems of a public suite with their right answers.
//!
//! Nothing here depends on another crate of the workspace: a fixture that used the
//! code under test would repeat its mistakes. Test code may panic and read the
//! machine; that is why this crate, and no other, is allowed to.

#![allow(
    clippy::disallowed_methods,
    clippy::missing_panics_doc,
    reason = "a fixture that cannot be made ends the test; the kit sets up files, clocks and variables"
)]

mod archive;
mod browser;
pub mod channels;
mod deb;
mod digest;
mod machine;
mod mount;
pub mod native;
mod online;
mod proxy;
mod sandbox;
pub mod scenario;
mod server;
mod stub_torch;
mod tarball;
mod wheel;
mod wine;
mod world;
mod zipfile;

pub use archive::{Compression, Entry};
pub use browser::Browser;
pub use deb::{Deb, DebBuilder};
pub use digest::{record_sha256, sha256, sha512};
pub use machine::machine_python;
pub use mount::{Disk, FileSystem, make_subvolume, mounts, reflink};
pub use online::online;
pub use proxy::Proxy;
pub use sandbox::{Output, Run, Sandbox};
pub use server::{IndexServer, Request, Validity};
pub use stub_torch::STUB_TENSORS;
pub use tarball::TarballBuilder;
pub use wheel::{Damage, Wheel, WheelBuilder, normal_name};
pub use wine::{Wine, windows_path};
pub use world::{
    AptRepository, Fault, Index, Layout, Served, Sidecars, SigningKey, Suite, SuiteFault, World,
};
