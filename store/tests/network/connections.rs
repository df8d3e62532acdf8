//! Certificates, proxies, logins: how a server is reached, and what of it is never told.

use rocmenv_store::fetch::{
    FailureClass, FetchError, FetchOptions, Fetcher, Get, Login, Logins, Proxies,
};
use rocmenv_store::report::Silent;
use rocmenv_tests::{Fault, Index, IndexServer, Proxy, Validity, WheelBuilder, World};

use crate::support::{Recorder, block, options, told, url};

fn get(fetcher: &Fetcher, address: &str) -> Result<u16, FetchError> {
    let address = url(address);
    block(fetcher.get(&Get::new(&address), &Silent)).map(|reply| reply.status)
}

fn trusting(server: &IndexServer, folder: &tempfile::TempDir) -> Fetcher {
    let path = folder.path().join("authority.pem");
    fs_err::write(&path, server.authority_pem().unwrap()).unwrap();
    Fetcher::new(FetchOptions { certificates: vec![path], ..options() }, Logins::new())
}

#[test]
fn certificates_are_those_that_were_named() {
    let folder = tempfile::tempdir().unwrap();
    let world = || World::new().file("/a", "content");
    let valid = IndexServer::start_tls(world(), Validity::Valid);
    assert_eq!(get(&trusting(&valid, &folder), &valid.path("/a")).unwrap(), 200);

    let stranger = Fetcher::new(options(), Logins::new());
    let error = get(&stranger, &valid.path("/a")).unwrap_err();
    assert_eq!(error.class(), FailureClass::Network);
    assert!(told(&error).contains("UnknownIssuer"), "{}", told(&error));
}

#[test]
fn an_expired_certificate_is_named_and_not_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let expired = IndexServer::start_tls(World::new().file("/a", "x"), Validity::Expired);
    let recorder = Recorder::default();
    let address = url(&expired.path("/a"));
    let fetcher = trusting(&expired, &folder);
    let error = block(fetcher.get(&Get::new(&address), &recorder)).unwrap_err();
    assert!(told(&error).contains("certificate expired"), "{}", told(&error));
    assert_eq!(error.class(), FailureClass::Network);
    assert!(recorder.events().is_empty(), "{:?}", recorder.events());
}

#[test]
fn a_file_of_certificates_that_cannot_be_read_is_named() {
    let certificates = vec!["/nowhere/authority.pem".into()];
    let fetcher = Fetcher::new(FetchOptions { certificates, ..options() }, Logins::new());
    let error = get(&fetcher, "http://127.0.0.1:1/").unwrap_err();
    assert_eq!(error.to_string(), "cannot set up the certificates of `/nowhere/authority.pem`");
    assert_eq!(error.class(), FailureClass::Local);
}

#[test]
fn proxies_are_used_but_for_the_exceptions() {
    let server = IndexServer::start(World::new().file("/a", "content"));
    let proxy = Proxy::start();
    let through = |except: Option<&str>| {
        let proxies = Proxies {
            http: Some(proxy.url()),
            except: except.map(str::to_owned),
            ..Proxies::default()
        };
        Fetcher::new(FetchOptions { proxies, ..options() }, Logins::new())
    };
    assert_eq!(get(&through(None), &server.path("/a")).unwrap(), 200);
    assert_eq!(proxy.seen(), [format!("GET {}", server.path("/a"))]);
    assert_eq!(get(&through(Some("example.test,127.0.0.1")), &server.path("/a")).unwrap(), 200);
    assert_eq!(proxy.seen().len(), 1);
}

#[test]
fn a_proxy_stands_before_encrypted_servers_too() {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::amd("amd").wheel(WheelBuilder::new("demo", "1.0"));
    let world = World::new().index(index.at("https://stable.repo.amd.com/rocm/whl-next/"));
    let server = IndexServer::start_tls(world, Validity::Valid);
    let proxy = Proxy::to(&server);
    let path = folder.path().join("authority.pem");
    fs_err::write(&path, server.authority_pem().unwrap()).unwrap();
    let proxies = Proxies { https: Some(proxy.url()), ..Proxies::default() };
    let options = FetchOptions { proxies, certificates: vec![path], ..options() };
    let fetcher = Fetcher::new(options, Logins::new());
    let status = get(&fetcher, "https://stable.repo.amd.com/rocm/whl-next/demo/").unwrap();
    assert_eq!(status, 200);
    assert_eq!(proxy.seen(), ["CONNECT stable.repo.amd.com:443"]);
}

#[test]
fn a_login_goes_to_its_server_only() {
    let index = || {
        Index::new("private")
            .wheel(WheelBuilder::new("demo", "1.0"))
            .credentials("me", "s3cret-word")
    };
    let server = IndexServer::start(World::new().index(index()));
    let page = format!("{}demo/", server.url("private"));
    let error = get(&Fetcher::new(options(), Logins::new()), &page).unwrap_err();
    assert_eq!(error.to_string(), format!("`{page}` answered 401 Unauthorized"));

    let mut logins = Logins::new();
    logins.add(&url(&page), Login::new("me", "s3cret-word"));
    assert_eq!(get(&Fetcher::new(options(), logins.clone()), &page).unwrap(), 200);

    let mut netrc = Logins::new();
    netrc.add_netrc("machine 127.0.0.1 login me password s3cret-word");
    assert_eq!(get(&Fetcher::new(options(), netrc), &page).unwrap(), 200);

    // A redirect to another server does not take the login along.
    let other = IndexServer::start(World::new().file("/a", "content"));
    let world = World::new().index(index()).fault("/demo/", Fault::Redirect(other.path("/a")));
    let server = IndexServer::start(world);
    let page = format!("{}demo/", server.url("private"));
    let mut logins = Logins::new();
    logins.add(&url(&page), Login::new("me", "s3cret-word"));
    assert_eq!(get(&Fetcher::new(options(), logins), &page).unwrap(), 200);
    assert!(server.requests()[0].authorized);
    assert!(!other.requests()[0].authorized);
}

#[test]
fn no_error_and_no_event_holds_a_secret() {
    let secrets = ["s3cret-word", "t0ken"];
    let server = IndexServer::start(World::new().fault("/a", Fault::Status(500)));
    let base = server.path("/a");
    let closed = "http://127.0.0.1:9/a";
    let mut logins = Logins::new();
    for address in [base.as_str(), closed] {
        logins.add(&url(address), Login::new("me", "s3cret-word"));
    }
    let proxies = Proxies {
        https: Some("http://me:s3cret-word@127.0.0.1:9".to_owned()),
        ..Proxies::default()
    };
    let options = FetchOptions { proxies, ..options() };
    let mut said = format!("{options:?} {logins:?}");
    let fetcher = Fetcher::new(options, logins);
    let recorder = Recorder::default();
    let addresses = [
        format!("{base}?signature=t0ken"),
        format!("{closed}?signature=t0ken"),
        "https://index.test/a?signature=t0ken".to_owned(),
        base.replace("http://", "http://me:s3cret-word@"),
    ];
    for address in addresses {
        let address = url(&address);
        let error = block(fetcher.get(&Get::new(&address), &recorder)).unwrap_err();
        said.push_str(&told(&error));
        said.push_str(&format!(" {error:?}"));
    }
    said.push_str(&recorder.events().join(" "));
    assert!(said.contains("500") && said.contains("127.0.0.1:9"), "{said}");
    for secret in secrets {
        assert!(!said.contains(secret), "{said}");
    }

    let bad = Proxies { http: Some("http://me:s3cret-word@:x".to_owned()), ..Proxies::default() };
    let fetcher = Fetcher::new(FetchOptions { proxies: bad, ..self::options() }, Logins::new());
    let error = get(&fetcher, closed).unwrap_err();
    let said = format!("{} {error:?}", told(&error));
    assert!(!said.contains("s3cret-word"), "{said}");
    assert_eq!(error.class(), FailureClass::Local);
}

#[test]
fn an_encrypted_address_never_leads_to_a_plain_one() {
    let folder = tempfile::tempdir().unwrap();
    let plain = IndexServer::start(World::new().file("/a", "content"));
    let world = World::new().fault("/a", Fault::Redirect(plain.path("/a")));
    let server = IndexServer::start_tls(world, Validity::Valid);
    let error = get(&trusting(&server, &folder), &server.path("/a")).unwrap_err();
    assert!(told(&error).contains("to a plain one"), "{}", told(&error));
    assert!(plain.requests().is_empty());
}

/// The system's store is found by the library, and these variables lead it elsewhere: only a
/// process of its own can show that.
#[test]
fn ssl_cert_file_names_the_system_s_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let server = IndexServer::start_tls(World::new().file("/a", "content"), Validity::Valid);
    let path = folder.path().join("authority.pem");
    fs_err::write(&path, server.authority_pem().unwrap()).unwrap();
    let succeeds_with = |name: &str, value: &std::path::Path| {
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["connections::child_that_asks", "--exact", "--ignored"])
            .env_remove("SSL_CERT_FILE")
            .env_remove("SSL_CERT_DIR")
            .env(name, value)
            .env("ROCMENV_TEST_ADDRESS", server.path("/a"))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout).into_owned();
        assert!(said.contains("running 1 test"), "{said}");
        child.status.success()
    };
    assert!(succeeds_with("SSL_CERT_FILE", &path));
    assert!(!succeeds_with("NOTHING", &path));
}

#[test]
#[ignore = "the child of another test"]
fn child_that_asks() {
    let address = std::env::var("ROCMENV_TEST_ADDRESS").unwrap();
    let fetcher = Fetcher::new(options(), Logins::new());
    assert_eq!(get(&fetcher, &address).unwrap(), 200);
}
