//! A set of public keys that may sign, and which of them may do so now.

use pgp::composed::{Deserializable, SignedPublicKey, SignedPublicSubKey};
use pgp::packet::{self, Signature, SignatureType};
use pgp::types::{KeyDetails, Tag};

/// Public keys, as a keyring holds them.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    keys: Vec<SignedPublicKey>,
}

/// What a key says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyName {
    /// The fingerprint of the primary key, in upper case.
    pub fingerprint: String,
    /// Its user ids, without control characters: anybody can make a key that says anything.
    pub users: Vec<String>,
}

/// A keyring that holds no usable key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no OpenPGP public key can be read from it")]
pub struct KeysError;

impl Keys {
    /// The keys of a keyring: binary as apt keeps them, or armored. A key of a kind that is not
    /// understood is passed over; it then can sign nothing.
    ///
    /// # Errors
    /// There is no key in it.
    pub fn parse(keyring: &[u8]) -> Result<Self, KeysError> {
        let (found, _) = SignedPublicKey::from_reader_many(keyring).map_err(|_| KeysError)?;
        let keys: Vec<_> = found.flatten().collect();
        if keys.is_empty() { Err(KeysError) } else { Ok(Self { keys }) }
    }

    /// Adds the keys of another keyring.
    pub fn extend(&mut self, other: Self) {
        self.keys.extend(other.keys);
    }

    /// Keeps only keys with one of these fingerprints (of the key or of a subkey of it), upper or
    /// lower case.
    pub fn only(&mut self, fingerprints: &[String]) {
        let wanted: Vec<_> = fingerprints.iter().map(|text| text.to_ascii_lowercase()).collect();
        self.keys.retain(|key| {
            let subkeys = key.public_subkeys.iter().map(|subkey| subkey.key.fingerprint());
            std::iter::once(key.primary_key.fingerprint())
                .chain(subkeys)
                .any(|fingerprint| wanted.contains(&format!("{fingerprint:x}")))
        });
    }

    /// What each key says of itself.
    pub fn names(&self) -> Vec<KeyName> {
        let shown = |id: &[u8]| {
            let text = String::from_utf8_lossy(id);
            text.chars().filter(|letter| !letter.is_control()).collect::<String>()
        };
        let name = |key: &SignedPublicKey| KeyName {
            fingerprint: format!("{:X}", key.primary_key.fingerprint()),
            users: key.details.users.iter().map(|user| shown(user.id.id())).collect(),
        };
        self.keys.iter().map(name).collect()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The fingerprint of the key that made this signature over `text`, if it may sign now.
    pub(super) fn signer(&self, signature: &Signature, text: &[u8], now: i64) -> Signer {
        let mut answer = Signer::Unknown;
        for key in &self.keys {
            let primary = &key.primary_key;
            if signature.verify(primary, text).is_ok() {
                answer = judge(primary_standing(key, now), primary);
            }
            for subkey in &key.public_subkeys {
                if signature.verify(&subkey.key, text).is_ok() {
                    let standing = match primary_standing(key, now) {
                        Standing::Good => subkey_standing(primary, subkey, now),
                        bad => bad,
                    };
                    answer = judge(standing, &subkey.key);
                }
            }
            if matches!(answer, Signer::Good(_)) {
                break;
            }
        }
        answer
    }
}

/// Who made a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Signer {
    /// A key of the keyring that may sign; its fingerprint.
    Good(String),
    /// A key of the keyring that may not, and why.
    Barred(String, &'static str),
    /// None of the keyring, or the text was changed.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Good,
    Revoked,
    Expired,
    Unbound,
}

fn judge(standing: Standing, key: &impl KeyDetails) -> Signer {
    let fingerprint = format!("{:X}", key.fingerprint());
    match standing {
        Standing::Good => Signer::Good(fingerprint),
        Standing::Revoked => Signer::Barred(fingerprint, "was revoked"),
        Standing::Expired => Signer::Barred(fingerprint, "has expired"),
        Standing::Unbound => Signer::Barred(fingerprint, "is not bound to its owner"),
    }
}

fn primary_standing(key: &SignedPublicKey, now: i64) -> Standing {
    let primary = &key.primary_key;
    let details = &key.details;
    if details.revocation_signatures.iter().any(|sig| sig.verify_key(primary).is_ok()) {
        return Standing::Revoked;
    }
    let direct = details.direct_signatures.iter().filter(|sig| sig.verify_key(primary).is_ok());
    let certified = details.users.iter().flat_map(|user| {
        user.signatures.iter().filter(|sig| {
            sig.typ() != Some(SignatureType::CertRevocation)
                && sig.verify_certification(primary, Tag::UserId, &user.id).is_ok()
        })
    });
    in_time(primary, direct.chain(certified), now)
}

fn subkey_standing(primary: &packet::PublicKey, subkey: &SignedPublicSubKey, now: i64) -> Standing {
    let valid = || {
        let signatures = subkey.signatures.iter();
        signatures.filter(|sig| sig.verify_subkey_binding(primary, &subkey.key).is_ok())
    };
    if valid().any(|sig| sig.typ() == Some(SignatureType::SubkeyRevocation)) {
        return Standing::Revoked;
    }
    // A subkey signs only if it says itself that it belongs to the primary key (RFC 9580,
    // section 10.1.5): else anybody could claim another's signing key as a subkey.
    let signing = valid().filter(|sig| {
        sig.key_flags().sign()
            && sig
                .embedded_signature()
                .is_some_and(|back| back.verify_primary_key_binding(&subkey.key, primary).is_ok())
    });
    in_time(&subkey.key, signing, now)
}

/// By the newest of the valid self-signatures.
fn in_time<'s>(
    key: &impl KeyDetails,
    signatures: impl Iterator<Item = &'s Signature>,
    now: i64,
) -> Standing {
    let Some(newest) = signatures.max_by_key(|sig| sig.created()) else {
        return Standing::Unbound;
    };
    let lifetime = newest.key_expiration_time().map_or(0, |time| i64::from(time.as_secs()));
    let made = i64::from(key.created_at().as_secs());
    if lifetime > 0 && now >= made + lifetime { Standing::Expired } else { Standing::Good }
}
