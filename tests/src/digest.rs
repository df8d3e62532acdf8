//! Digests as the served formats spell them.
//!
//! Written here a second time on purpose: what the store computes is checked
//! against these, so they must not be its own functions.

use sha2::{Digest, Sha256, Sha512};

/// The SHA-256 of `bytes` in lower-case hexadecimal, 64 characters.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The SHA-512 of `bytes` in lower-case hexadecimal, 128 characters.
pub fn sha512(bytes: &[u8]) -> String {
    hex(&Sha512::digest(bytes))
}

/// The form that RECORD files use: `sha256=` and URL-safe base64 without padding.
///
/// Source: the recorded-projects specification of the Python packaging authority (PEP 376, 627).
pub fn record_sha256(bytes: &[u8]) -> String {
    use base64::Engine as _;
    let encoded = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
    format!("sha256={encoded}")
}

/// A number that depends on `seed` and `key` alone: the kit's only source of chance.
pub(crate) fn chance(seed: u64, key: &str) -> u64 {
    let mut hasher = Sha256::new();
    hasher.update(seed.to_le_bytes());
    hasher.update(key.as_bytes());
    let digest = hasher.finalize();
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(record_sha256(b""), "sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
    }

    #[test]
    fn chance_depends_on_seed_and_key() {
        assert_eq!(chance(1, "a"), chance(1, "a"));
        assert_ne!(chance(1, "a"), chance(2, "a"));
        assert_ne!(chance(1, "a"), chance(1, "b"));
    }
}
