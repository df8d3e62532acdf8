//! A client that shows an answer exactly as it came. For the kit's own tests.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

/// One answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
    /// How the connection ended, where not in order.
    pub(crate) broken: Option<std::io::ErrorKind>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }
}

/// Asks `http://127.0.0.1:PORT` for `target`, with header lines.
pub(crate) fn ask(port: u16, target: &str, headers: &[&str]) -> Answer {
    exchange(connect(port), target, headers)
}

/// The same over TLS, trusting only `authority_pem`; the error is the handshake's.
pub(crate) fn ask_tls(
    port: u16,
    target: &str,
    authority_pem: &str,
) -> Result<Answer, rustls::Error> {
    secure(connect(port), "localhost", target, authority_pem)
}

/// Asks `https://HOST` for `target` through a proxy on `port`.
pub(crate) fn ask_through(
    port: u16,
    host: &'static str,
    target: &str,
    authority_pem: &str,
) -> Result<Answer, rustls::Error> {
    let mut stream = connect(port);
    write!(stream, "CONNECT {host}:443 HTTP/1.1\r\n\r\n").unwrap();
    let mut established = [0; 39];
    stream.read_exact(&mut established).unwrap();
    assert!(established.ends_with(b"\r\n\r\n"));
    secure(stream, host, target, authority_pem)
}

fn secure(
    mut stream: TcpStream,
    host: &'static str,
    target: &str,
    authority_pem: &str,
) -> Result<Answer, rustls::Error> {
    use rustls::pki_types::pem::PemObject as _;
    let mut roots = rustls::RootCertStore::empty();
    let authority =
        rustls::pki_types::CertificateDer::from_pem_slice(authority_pem.as_bytes()).unwrap();
    roots.add(authority).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut session = rustls::ClientConnection::new(Arc::new(config), host.try_into().unwrap())?;
    while session.is_handshaking() {
        if let Err(error) = session.complete_io(&mut stream) {
            return Err(*error.into_inner().unwrap().downcast().unwrap());
        }
    }
    let stream = rustls::StreamOwned::new(session, stream);
    Ok(exchange(stream, target, &[&format!("Host: {host}")]))
}

fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream
}

fn exchange(mut stream: impl Read + Write, target: &str, headers: &[&str]) -> Answer {
    let mut request = format!("GET {target} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|header| header.starts_with("Host:")) {
        request.push_str("Host: 127.0.0.1\r\n");
    }
    for header in headers {
        request.push_str(header);
        request.push_str("\r\n");
    }
    request.push_str("\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut raw = Vec::new();
    let broken = stream.read_to_end(&mut raw).err().map(|error| error.kind());
    let end = raw.windows(4).position(|window| window == b"\r\n\r\n");
    let end = end.expect("an answer has a head");
    let head = String::from_utf8(raw[..end].to_vec()).unwrap();
    Answer { status: head[9..12].parse().unwrap(), head, body: raw[end + 4..].to_vec(), broken }
}
