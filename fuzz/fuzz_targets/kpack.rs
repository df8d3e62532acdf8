//! Kernel archives and references to them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rocmenv_store::native::{read_archive, read_reference};

fuzz_target!(|bytes: &[u8]| {
    let archive = [b"KPAK\x01\0\0\0\x10\0\0\0\0\0\0\0".as_slice(), bytes].concat();
    let _ = read_archive(&archive);
    let _ = read_archive(&bytes.to_vec());
    let _ = read_reference(bytes);
});
