//! ELF sections, dynamic sections, version needs, and files of which only the beginning is here.

use rocmenv_store::native::{Early, defined_versions, read};

pub(crate) fn look(bytes: &[u8]) {
    let mut file = b"\x7fELF\x02\x01".to_vec();
    file.extend(bytes);
    let _ = read("fuzzed.so", &file);
    let _ = defined_versions(&file);
    let mut early = Early::default();
    if let Some(code) = early.look(&file) {
        let _ = Early::facts("fuzzed.so", &file, code);
    }
}
