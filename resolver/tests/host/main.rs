//! The host's facts, end to end: captured machines, KFD numbers, overrides, host files, and
//! the machine that runs the tests.

mod file;
mod gfx;
mod interpreters;
mod live;
mod machines;
mod overrides;
mod products;
mod rocminfo;
mod support;
