//! Bundles of code objects, plain and compressed, as a section and as what lies before others.

use rocmenv_store::native::{Extent, walk};

pub(crate) fn look(bytes: &[u8]) {
    for magic in [b"__CLANG_OFFLOAD_BUNDLE__".as_slice(), b"CCOB", b""] {
        let section = [magic, bytes].concat();
        let length = section.len() as u64;
        let _ = walk(&section, 0..length, Extent::Whole);
        let _ = walk(&section, 0..length, Extent::Open);
    }
}
