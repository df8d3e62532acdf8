//! OpenPGP keys for test repositories.

use std::path::{Path, PathBuf};

use pgp::composed::{
    ArmorOptions, CleartextSignedMessage, KeyType, SecretKeyParamsBuilder, SignedSecretKey,
};
use pgp::packet::{SignatureConfig, SignatureType, Subpacket, SubpacketData};
use pgp::ser::Serialize as _;
use pgp::types::{KeyDetails as _, Password, Timestamp};
use rand::SeedableRng as _;

/// A key that signs repositories. The same name gives the same key in every run.
#[derive(Clone)]
pub struct SigningKey {
    name: String,
    key: SignedSecretKey,
}

impl SigningKey {
    /// The key that belongs to `name`.
    pub fn new(name: &str) -> Self {
        let seed = crate::digest::chance(0, name);
        let key = SecretKeyParamsBuilder::default()
            .key_type(KeyType::Ed25519Legacy)
            .can_certify(true)
            .can_sign(true)
            .created_at(Timestamp::from_secs(CREATED))
            .primary_user_id(format!("{name} <{name}@example.com>"))
            .build()
            .expect("the parameters are complete")
            .generate(rand::rngs::StdRng::seed_from_u64(seed))
            .expect("an Ed25519 key can be made");
        Self { name: name.to_owned(), key }
    }

    /// The fingerprint in upper-case hexadecimal, 40 characters.
    pub fn fingerprint(&self) -> String {
        format!("{:X}", self.key.fingerprint())
    }

    /// The public key with ASCII armour, as a `.asc` keyring holds it.
    pub fn armored(&self) -> String {
        self.key
            .to_public_key()
            .to_armored_string(ArmorOptions::default())
            .expect("a key can be written")
    }

    /// The public key in binary, as a `.gpg` keyring holds it.
    pub fn binary(&self) -> Vec<u8> {
        self.key.to_public_key().to_bytes().expect("a key can be written")
    }

    /// Writes the public key into `folder` as `NAME.asc` and gives its path, for `Signed-By`.
    pub fn write_keyring(&self, folder: &Path) -> PathBuf {
        let path = folder.join(format!("{}.asc", self.name));
        fs_err::create_dir_all(folder).expect("the folder can be made");
        fs_err::write(&path, self.armored()).expect("the folder can be written");
        path
    }

    /// `text`, clear-signed (RFC 9580, section 7).
    pub fn clear_sign(&self, text: &str) -> String {
        let mut random = rand::rngs::StdRng::seed_from_u64(1);
        let key = &self.key.primary_key;
        let mut config = SignatureConfig::from_key(&mut random, key, SignatureType::Text)
            .expect("the key can sign");
        config.hashed_subpackets = vec![
            SubpacketData::SignatureCreationTime(Timestamp::from_secs(SIGNED)),
            SubpacketData::IssuerFingerprint(key.fingerprint()),
        ]
        .into_iter()
        .map(|data| Subpacket::regular(data).expect("the subpacket is well-formed"))
        .collect();
        config.unhashed_subpackets = vec![
            Subpacket::regular(SubpacketData::IssuerKeyId(key.legacy_key_id()))
                .expect("the subpacket is well-formed"),
        ];
        CleartextSignedMessage::new(text, config, key, &Password::empty())
            .and_then(|message| message.to_armored_string(ArmorOptions::default()))
            .expect("the key can sign")
    }
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "SigningKey({})", self.name)
    }
}

/// 1 January 2023.
const CREATED: u32 = 1_672_531_200;
/// 1 January 2024.
const SIGNED: u32 = 1_704_067_200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_hold_for_the_key_that_made_them() {
        let (ours, other) = (SigningKey::new("ours"), SigningKey::new("other"));
        let signed = ours.clear_sign("Origin: Test\n- a dash\n");
        let (message, _) = CleartextSignedMessage::from_string(&signed).unwrap();
        assert!(message.verify(&ours.key.to_public_key()).is_ok());
        assert!(message.verify(&other.key.to_public_key()).is_err());
        let changed = signed.replace("Test", "Evil");
        let (message, _) = CleartextSignedMessage::from_string(&changed).unwrap();
        assert!(message.verify(&ours.key.to_public_key()).is_err());
    }

    #[test]
    fn a_name_has_one_key() {
        assert_eq!(SigningKey::new("ours").armored(), SigningKey::new("ours").armored());
        assert_ne!(SigningKey::new("ours").fingerprint(), SigningKey::new("other").fingerprint());
        assert_eq!(
            SigningKey::new("ours").clear_sign("a\n"),
            SigningKey::new("ours").clear_sign("a\n")
        );
    }
}
