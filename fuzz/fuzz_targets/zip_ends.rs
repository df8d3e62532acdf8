//! The ends and directories of zip archives.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rocmenv_store::index::archive_members;

fuzz_target!(|bytes: &[u8]| {
    let _ = archive_members(bytes);
});
