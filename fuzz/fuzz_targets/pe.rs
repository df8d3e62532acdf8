//! Windows files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rocmenv_store::native::read;

fuzz_target!(|bytes: &[u8]| {
    let file = [b"MZ", bytes].concat();
    let _ = read("fuzzed.dll", &file);
});
