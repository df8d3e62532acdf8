//! Windows files, whole and of which only the beginning is here.
#![no_main]

#[path = "../entries/pe.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry::look(bytes));
