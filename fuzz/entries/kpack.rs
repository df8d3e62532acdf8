//! Kernel archives and references to them.

use rocmenv_store::native::{read_archive, read_reference};

pub(crate) fn look(bytes: &[u8]) {
    let archive = [b"KPAK\x01\0\0\0\x10\0\0\0\0\0\0\0".as_slice(), bytes].concat();
    let _ = read_archive(&archive);
    let _ = read_archive(&bytes.to_vec());
    let _ = read_reference(bytes);
}
