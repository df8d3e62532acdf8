//! Signatures by keys in every standing.

use pgp::composed::{
    ArmorOptions, CleartextSignedMessage, KeyType, SecretKeyParamsBuilder, SignedPublicKey,
    SignedSecretKey, SubkeyParamsBuilder,
};
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{SignatureConfig, SignatureType, Subpacket, SubpacketData};
use pgp::ser::Serialize as _;
use pgp::types::{Duration, KeyDetails as _, Password, SigningKey, Tag, Timestamp};
use rand::SeedableRng as _;
use rand::rngs::StdRng;

use super::{Keys, SignError, verify};

const CREATED: u32 = 1_700_000_000;
const SIGNED: u32 = 1_750_000_000;
const NOW: i64 = 1_760_000_000;
const TEXT: &str = "Suite: stable\n- dashed\n";

/// A key with a subkey that signs, as archives have.
fn key(seed: u64) -> SignedSecretKey {
    let created = Timestamp::from_secs(CREATED);
    let subkey = SubkeyParamsBuilder::default()
        .key_type(KeyType::Ed25519Legacy)
        .can_sign(true)
        .created_at(created)
        .build()
        .unwrap();
    SecretKeyParamsBuilder::default()
        .key_type(KeyType::Ed25519Legacy)
        .can_certify(true)
        .can_sign(true)
        .created_at(created)
        .primary_user_id(format!("{seed} <{seed}@index.test>"))
        .subkey(subkey)
        .build()
        .unwrap()
        .generate(StdRng::seed_from_u64(seed))
        .unwrap()
}

fn config(key: &impl SigningKey, kind: SignatureType, more: &[SubpacketData]) -> SignatureConfig {
    let mut config = SignatureConfig::from_key(StdRng::seed_from_u64(1), key, kind).unwrap();
    let created = SubpacketData::SignatureCreationTime(Timestamp::from_secs(SIGNED));
    let issuer = SubpacketData::IssuerFingerprint(key.fingerprint());
    config.hashed_subpackets = [created, issuer]
        .into_iter()
        .chain(more.iter().cloned())
        .map(|data| Subpacket::regular(data).unwrap())
        .collect();
    config
}

fn signed_by(key: &impl SigningKey) -> String {
    signed(key, config(key, SignatureType::Text, &[]))
}

fn signed(key: &impl SigningKey, config: SignatureConfig) -> String {
    CleartextSignedMessage::new(TEXT, config, key, &Password::empty())
        .unwrap()
        .to_armored_string(ArmorOptions::default())
        .unwrap()
}

fn keyring(key: &SignedPublicKey) -> Keys {
    Keys::parse(&key.to_bytes().unwrap()).unwrap()
}

fn said(message: &str, keys: &Keys) -> String {
    match verify(message, keys, NOW) {
        Ok(signed) => format!("good: {}", signed.fingerprint),
        Err(error) => error.to_string(),
    }
}

#[test]
fn primary_keys_and_subkeys_sign_and_the_text_comes_back() {
    let key = key(1);
    let keys = keyring(&key.to_public_key());
    let subkey = &key.secret_subkeys[0].key;
    for (message, fingerprint) in [
        (signed_by(&key.primary_key), key.primary_key.fingerprint()),
        (signed_by(subkey), subkey.fingerprint()),
    ] {
        let signed = verify(&message, &keys, NOW).unwrap();
        assert_eq!(signed.text.trim_end(), TEXT.trim_end());
        assert_eq!(signed.fingerprint, format!("{fingerprint:X}"));
    }
}

#[test]
fn what_stands_outside_or_was_changed_is_not_signed() {
    let key = key(1);
    let keys = keyring(&key.to_public_key());
    let message = signed_by(&key.primary_key);
    for changed in [
        format!("Suite: evil\n{message}"),
        format!("{message}Suite: evil\n"),
        message.replace("-----BEGIN PGP SIGNED MESSAGE-----", ""),
        TEXT.to_owned(),
        String::new(),
        message[..message.len() / 2].to_owned(),
    ] {
        let error = verify(&changed, &keys, NOW).unwrap_err();
        assert!(matches!(error, SignError::NotSigned(_)), "{changed}");
    }
    let changed = message.replace("stable", "unstable");
    assert!(matches!(verify(&changed, &keys, NOW), Err(SignError::Unknown(_))));
    let stranger = keyring(&self::key(2).to_public_key());
    let told = said(&message, &stranger);
    let fingerprint = key.primary_key.fingerprint();
    assert_eq!(
        told,
        format!("none of the expected keys signed it as it is (signed by {fingerprint:X})")
    );
}

#[test]
fn a_subkey_that_somebody_claims_signs_nothing_for_them() {
    let (victim, attacker) = (key(1), key(2));
    let mut claimed = attacker.to_public_key();
    claimed.public_subkeys = victim.to_public_key().public_subkeys;
    let subkey = &victim.secret_subkeys[0].key;
    assert_eq!(
        said(&signed_by(subkey), &keyring(&claimed)),
        format!("the key {:X} that signed it is not bound to its owner", subkey.fingerprint())
    );
}

#[test]
fn keys_that_expired_or_were_revoked_sign_nothing() {
    let key = key(1);
    let primary = &key.primary_key;
    let public = primary.public_key();
    let message = signed_by(primary);
    let fingerprint = primary.fingerprint();

    let certified = |lifetime: u32| {
        let mut certificate = key.to_public_key();
        let time = SubpacketData::KeyExpirationTime(Duration::from_secs(lifetime));
        let config = config(primary, SignatureType::CertPositive, &[time]);
        let user = &mut certificate.details.users[0];
        let signature = config
            .sign_certification(primary, &public, &Password::empty(), Tag::UserId, &user.id)
            .unwrap();
        user.signatures = vec![signature];
        keyring(&certificate)
    };
    let whole = u32::try_from(NOW).unwrap() - CREATED;
    assert_eq!(
        said(&message, &certified(whole)),
        format!("the key {fingerprint:X} that signed it has expired")
    );
    assert_eq!(said(&message, &certified(whole + 1)), format!("good: {fingerprint:X}"));

    let mut revoked = key.to_public_key();
    let revocation = config(primary, SignatureType::KeyRevocation, &[])
        .sign_key(primary, &Password::empty(), &public)
        .unwrap();
    revoked.details.revocation_signatures.push(revocation);
    let subkey = signed_by(&key.secret_subkeys[0].key);
    for message in [&message, &subkey] {
        assert!(said(message, &keyring(&revoked)).ends_with("that signed it was revoked"));
    }
}

#[test]
fn signatures_of_the_future_or_run_out_do_not_count() {
    let key = key(1);
    let primary = &key.primary_key;
    let keys = keyring(&key.to_public_key());
    let lifetime = |seconds| SubpacketData::SignatureExpirationTime(Duration::from_secs(seconds));
    let run_out = signed(primary, config(primary, SignatureType::Text, &[lifetime(1)]));
    assert!(matches!(verify(&run_out, &keys, NOW), Err(SignError::Unknown(_))));
    let message = signed_by(primary);
    let before = i64::from(SIGNED) - 2 * 24 * 60 * 60;
    assert!(matches!(verify(&message, &keys, before), Err(SignError::Unknown(_))));
    assert!(verify(&message, &keys, i64::from(SIGNED)).is_ok());
}

/// RSA, because newer algorithms refuse weak hashes by themselves.
#[test]
fn a_weak_hash_does_not_count() {
    let key = SecretKeyParamsBuilder::default()
        .key_type(KeyType::Rsa(2048))
        .can_certify(true)
        .can_sign(true)
        .created_at(Timestamp::from_secs(CREATED))
        .primary_user_id("rsa <rsa@index.test>".to_owned())
        .build()
        .unwrap()
        .generate(StdRng::seed_from_u64(3))
        .unwrap();
    let primary = &key.primary_key;
    let keys = keyring(&key.to_public_key());
    let mut weak = config(primary, SignatureType::Text, &[]);
    weak.hash_alg = HashAlgorithm::Sha1;
    let message = signed(primary, weak);
    assert!(matches!(verify(&message, &keys, NOW), Err(SignError::Unknown(_))));
    assert!(verify(&signed_by(primary), &keys, NOW).is_ok());
}

#[test]
fn what_is_no_keyring_is_no_keyring() {
    for bytes in [&b""[..], b"hello", b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nabc\n"] {
        assert!(Keys::parse(bytes).is_err(), "{bytes:?}");
    }
}
