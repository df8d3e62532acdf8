//! Certificates for one server: an authority of its own and one leaf.

use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// Whether the server's certificate is in its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validity {
    /// From 1975 to 4096.
    Valid,
    /// Ended in the year 2001.
    Expired,
}

/// What a server shows, and whom its clients have to trust.
pub(super) struct Identity {
    pub(super) authority_pem: String,
    pub(super) config: Arc<ServerConfig>,
}

impl Identity {
    pub(super) fn for_hosts(hosts: &[String], validity: Validity) -> Self {
        let authority_key = KeyPair::generate().expect("a key can be made");
        let authority = authority();
        let authority_pem =
            authority.self_signed(&authority_key).expect("the authority is well-formed").pem();
        let issuer = Issuer::new(authority, authority_key);

        let key = KeyPair::generate().expect("a key can be made");
        let leaf = leaf(hosts, validity).signed_by(&key, &issuer).expect("the leaf is well-formed");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider knows TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_single_cert(
                vec![leaf.der().clone()],
                PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())),
            )
            .expect("key and certificate belong together");
        Self { authority_pem, config: Arc::new(config) }
    }
}

fn authority() -> CertificateParams {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params.distinguished_name.push(DnType::CommonName, "rocmenv test authority");
    params
}

fn leaf(hosts: &[String], validity: Validity) -> CertificateParams {
    let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
    names.extend_from_slice(hosts);
    let mut params = CertificateParams::new(names).expect("hosts are valid names");
    params.distinguished_name.push(DnType::CommonName, "rocmenv test server");
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    if validity == Validity::Expired {
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(2001, 1, 1);
    }
    params
}
