//! The ends and directories of zip archives.
#![no_main]

#[path = "../entries/zip_ends.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry::look(bytes));
