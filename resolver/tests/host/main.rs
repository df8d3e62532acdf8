//! The host's facts, end to end: captured machines, KFD numbers, overrides, host files, and
//! the machine that runs the tests.

#![cfg(unix)] // what is run for Windows is in tests/windows
#![expect(
    clippy::disallowed_methods,
    reason = "captured machines are laid out in temporary folders"
)]

mod diagnose;
mod file;
mod gfx;
mod hanging;
mod interpreters;
mod live;
mod machines;
mod overrides;
mod products;
mod rocminfo;
mod support;
mod surroundings;
mod windows;
