//! Bundles of code objects, plain and compressed, as a section and as what lies before others.
#![no_main]

#[path = "../entries/bundle.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry::look(bytes));
