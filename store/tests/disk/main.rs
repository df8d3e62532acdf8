//! Everything of the store that is about the disk, against real archives and real file systems.

#![cfg(unix)] // what is run for Windows is in tests/windows

mod environment;
mod faults;
mod gc;
mod generation;
mod hostile;
mod model;
mod object;
mod runpath;
mod support;
mod windows;
