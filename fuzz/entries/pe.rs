//! Windows files, whole and of which only the beginning is here.

use rocmenv_store::native::{Early, read};

pub(crate) fn look(bytes: &[u8]) {
    let file = [b"MZ", bytes].concat();
    let _ = read("fuzzed.dll", &file);
    let mut early = Early::default();
    if let Some(code) = early.look(&file) {
        let _ = Early::facts("fuzzed.dll", &file, code);
    }
}
