//! Kernel archives and references to them.
#![no_main]

#[path = "../entries/kpack.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry::look(bytes));
