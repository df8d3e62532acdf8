//! ELF sections, dynamic sections, version needs, and files of which only the beginning is here.
#![no_main]

#[path = "../entries/elf.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entry::look(bytes));
