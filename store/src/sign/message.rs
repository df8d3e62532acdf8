//! Clear-signed texts (RFC 9580, section 7): what is inside the signature, and nothing else.

use pgp::composed::CleartextSignedMessage;
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{Signature, SignatureType};

use super::keyring::{Keys, Signer};

/// A text that was signed by a key that may sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The signed text, with plain line ends.
    pub text: String,
    /// The fingerprint of the key, in upper case.
    pub fingerprint: String,
}

/// A text is not signed by whom it must be.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    /// It is no clear-signed text, or something stands outside the signature.
    #[error("it is not a signed text")]
    NotSigned(#[source] Box<pgp::errors::Error>),
    /// None of the keys made any of its signatures, or the text was changed.
    #[error("none of the expected keys signed it as it is (signed by {})", listed(.0))]
    Unknown(Vec<String>),
    /// A right key that may not sign any more.
    #[error("the key {fingerprint} that signed it {why}")]
    Barred {
        /// The key.
        fingerprint: String,
        /// Why.
        why: &'static str,
    },
}

/// Checks a clear-signed text against keys, at a time (seconds since 1970 UTC).
///
/// # Errors
/// It is not signed by one of the keys, or not in this form.
pub fn verify(message: &str, keys: &Keys, now: i64) -> Result<Signed, SignError> {
    let (message, _) = CleartextSignedMessage::from_string(message)
        .map_err(|error| SignError::NotSigned(Box::new(error)))?;
    let text = message.signed_text();
    let mut barred = None;
    for signature in message.signatures().iter().filter(|sig| is_acceptable(sig, now)) {
        match keys.signer(signature, text.as_bytes(), now) {
            Signer::Good(fingerprint) => {
                return Ok(Signed { text: text.replace("\r\n", "\n"), fingerprint });
            }
            Signer::Barred(fingerprint, why) => {
                barred = Some(SignError::Barred { fingerprint, why });
            }
            Signer::Unknown => {}
        }
    }
    Err(barred.unwrap_or_else(|| SignError::Unknown(issuers(message.signatures()))))
}

/// Of a kind that signs texts, with a hash that still stands, made in the past, not run out.
fn is_acceptable(signature: &Signature, now: i64) -> bool {
    let created = signature.created().map_or(i64::MAX, |time| i64::from(time.as_secs()));
    let lifetime = signature.signature_expiration_time().map_or(0, |t| i64::from(t.as_secs()));
    let strong = matches!(
        signature.hash_alg(),
        Some(
            HashAlgorithm::Sha256
                | HashAlgorithm::Sha384
                | HashAlgorithm::Sha512
                | HashAlgorithm::Sha3_256
                | HashAlgorithm::Sha3_512
        )
    );
    matches!(signature.typ(), Some(SignatureType::Binary | SignatureType::Text))
        && strong
        && created <= now.saturating_add(CLOCK_ROOM)
        && (lifetime == 0 || now < created.saturating_add(lifetime))
}

fn issuers(signatures: &[Signature]) -> Vec<String> {
    let mut found: Vec<String> = signatures
        .iter()
        .flat_map(|sig| {
            let fingerprints = sig.issuer_fingerprint();
            if fingerprints.is_empty() {
                sig.issuer_key_id().iter().map(|id| id.to_string().to_uppercase()).collect()
            } else {
                fingerprints.iter().map(|f| format!("{f:X}")).collect::<Vec<_>>()
            }
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

fn listed(issuers: &[String]) -> String {
    if issuers.is_empty() { "nobody".to_owned() } else { issuers.join(", ") }
}

/// A clock may be a day off.
const CLOCK_ROOM: i64 = 24 * 60 * 60;
