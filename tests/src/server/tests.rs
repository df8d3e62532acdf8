use std::time::Duration;

use insta::assert_snapshot;

use super::client::{ask, ask_tls};
use super::*;
use crate::{Index, Sidecars, WheelBuilder};

fn demo() -> Index {
    Index::new("main")
        .wheel(
            WheelBuilder::new("demo", "1.0+rocm10.0")
                .requires_python(">=3.10,<4")
                .tag("cp312-cp312-linux_x86_64"),
        )
        .wheel(WheelBuilder::new("demo", "1.1"))
        .yanked("broken")
        .sdist("demo", "1.1")
}

fn page(server: &IndexServer, target: &str, accept: &str) -> String {
    let answer = ask(server.port(), target, &[&format!("Accept: {accept}")]);
    format!(
        "{} {}\n{}",
        answer.status,
        answer.header("content-type").unwrap_or_default(),
        answer.text()
    )
}

pub(super) const JSON: &str = "application/vnd.pypi.simple.v1+json";

#[test]
fn the_general_index_in_both_forms() {
    let server = IndexServer::start(World::new().index(demo()));
    assert_eq!(server.url("main"), format!("http://127.0.0.1:{}/main/simple/", server.port()));
    assert_snapshot!(page(&server, "/main/simple/demo/", "text/html"), @r#"
    200 text/html
    <!DOCTYPE html>
    <html>
      <head><meta name="pypi:repository-version" content="1.1"><title>Links for demo</title></head>
      <body>
        <h1>Links for demo</h1>
        <a href="../../files/demo-1.0%2Brocm10.0-cp312-cp312-linux_x86_64.whl#sha256=891ad4914d4e88642fabcc1f0705ba8ca09344395b2124778e5637e5822ad9c8" data-requires-python="&gt;=3.10,&lt;4">demo-1.0+rocm10.0-cp312-cp312-linux_x86_64.whl</a><br/>
        <a href="../../files/demo-1.1-py3-none-any.whl#sha256=86dec4a85b88a04c8aebdc86d41a6c9aee9448862aa8c7d10a9f8f8397bafe92" data-yanked="broken">demo-1.1-py3-none-any.whl</a><br/>
        <a href="../../files/demo-1.1.tar.gz#sha256=d00cebcd0276075923e776c6521ac2b0a1384c2f335e23b2b4dca9e902803b56">demo-1.1.tar.gz</a><br/>
      </body>
    </html>
    "#);
    assert_snapshot!(page(&server, "/main/simple/demo/", JSON), @r#"
    200 application/vnd.pypi.simple.v1+json
    {"meta":{"api-version":"1.1"},"name":"demo","versions":["1.0+rocm10.0","1.1"],"files":[{"filename":"demo-1.0+rocm10.0-cp312-cp312-linux_x86_64.whl","url":"../../files/demo-1.0%2Brocm10.0-cp312-cp312-linux_x86_64.whl","hashes":{"sha256":"891ad4914d4e88642fabcc1f0705ba8ca09344395b2124778e5637e5822ad9c8"},"requires-python":">=3.10,<4","yanked":false,"upload-time":"2024-01-01T00:00:00.000000Z","size":972},{"filename":"demo-1.1-py3-none-any.whl","url":"../../files/demo-1.1-py3-none-any.whl","hashes":{"sha256":"86dec4a85b88a04c8aebdc86d41a6c9aee9448862aa8c7d10a9f8f8397bafe92"},"yanked":"broken","upload-time":"2024-01-01T00:00:00.000000Z","size":855},{"filename":"demo-1.1.tar.gz","url":"../../files/demo-1.1.tar.gz","hashes":{"sha256":"d00cebcd0276075923e776c6521ac2b0a1384c2f335e23b2b4dca9e902803b56"},"yanked":false,"upload-time":"2024-01-01T00:00:00.000000Z","size":18}]}
    "#);
    assert_snapshot!(page(&server, "/main/simple/", JSON), @r#"
    200 application/vnd.pypi.simple.v1+json
    {"meta":{"api-version":"1.1"},"projects":[{"name":"demo"}]}
    "#);
}

#[test]
fn files_lie_where_the_page_links_them() {
    let server = IndexServer::start(World::new().index(demo()));
    let wheel = WheelBuilder::new("demo", "1.1").build();
    let path = "/main/files/demo-1.1-py3-none-any.whl";
    assert_eq!(ask(server.port(), path, &[]).body, wheel.bytes);
    let encoded = "/main/files/demo-1.0%2Brocm10.0-cp312-cp312-linux_x86_64.whl";
    assert_eq!(ask(server.port(), encoded, &[]).status, 200);
    assert_eq!(server.downloads("demo-1.1-py3-none-any.whl"), 1);
    assert_eq!(ask(server.port(), "/main/simple/demo", &[]).status, 301);
    assert_eq!(ask(server.port(), "/main/simple/other/", &[]).status, 404);
}

#[test]
fn amd_pages_redirect_to_their_owner_and_hide_what_is_missing() {
    let index = Index::amd("amd")
        .at("https://stable.repo.amd.com/rocm/whl-next/")
        .owned_by("torch", "https://stable.repo.amd.com/rocm/pytorch/whl-next/")
        .wheel(WheelBuilder::new("torch", "2.13.0+rocm10.0.0").requires_python(">=3.10"));
    let server = IndexServer::start(World::new().index(index));
    let host = "Host: stable.repo.amd.com";

    let redirect = ask(server.port(), "/rocm/whl-next/torch/", &[host]);
    assert_eq!(
        (redirect.status, redirect.header("location")),
        (301, Some("/rocm/pytorch/whl-next/torch/"))
    );
    let page = ask(server.port(), "/rocm/pytorch/whl-next/torch/", &[host]);
    assert_snapshot!(page.text(), @r#"
    <!DOCTYPE html>
    <html>
      <head><meta name="pypi:repository-version" content="1.1"><title>Links for torch</title></head>
      <body>
        <h1>Links for torch</h1>
        <a href="../torch-2.13.0%2Brocm10.0.0-py3-none-any.whl" data-requires-python="&gt;=3.10">torch-2.13.0+rocm10.0.0-py3-none-any.whl</a><br/>
      </body>
    </html>
    "#);
    let file = "/rocm/pytorch/whl-next/torch-2.13.0%2Brocm10.0.0-py3-none-any.whl";
    assert_eq!(ask(server.port(), file, &[host]).status, 200);
    let missing = ask(server.port(), "/rocm/whl-next/numpy/", &[host]);
    assert_eq!(missing.status, 403);

    let direct = "/stable.repo.amd.com/rocm/whl-next/torch/";
    assert_eq!(
        ask(server.port(), direct, &[]).header("location"),
        Some("/stable.repo.amd.com/rocm/pytorch/whl-next/torch/")
    );
}

#[test]
fn a_folder_links_everything_on_one_page() {
    let index = Index::folder("rocm-rel-7.1")
        .wheel(WheelBuilder::new("a", "1+rocm7.1"))
        .wheel(WheelBuilder::new("b", "2"));
    let server = IndexServer::start(World::new().index(index));
    assert_snapshot!(page(&server, "/rocm-rel-7.1/", JSON), @r#"
    200 text/html
    <html>
    <head><title>Index of /</title></head>
    <body>
    <pre><a href="../">../</a>
    <a href="a-1%2Brocm7.1-py3-none-any.whl">a-1+rocm7.1-py3-none-any.whl</a>
    <a href="b-2-py3-none-any.whl">b-2-py3-none-any.whl</a>
    </pre>
    </body>
    </html>
    "#);
}

#[test]
fn pytorch_pages_advertise_metadata() {
    let index = Index::pytorch("rocm6.4")
        .at("https://download.pytorch.org/whl/rocm6.4")
        .files_at("https://download-r2.pytorch.org/whl/rocm6.4")
        .wheel(WheelBuilder::new("torch", "2.9.1+rocm6.4"));
    let server = IndexServer::start(World::new().index(index));
    let answer = ask(server.port(), "/whl/rocm6.4/torch/", &["Host: download.pytorch.org"]);
    assert_snapshot!(answer.text(), @r#"
    <!DOCTYPE html>
    <html>
      <head><meta name="pypi:repository-version" content="1.1"><title>Links for torch</title></head>
      <body>
        <h1>Links for torch</h1>
        <a href="https://download-r2.pytorch.org/whl/rocm6.4/torch-2.9.1%2Brocm6.4-py3-none-any.whl#sha256=c3ec3fabe2544f98d1e5fae7f1b1003ac905adea4a3945eb8f7e3c038c6db014" data-dist-info-metadata="sha256=69f98a7d3c5fc976c35fbc046456313401abb3f0f1d5b23d3d1ac018278d90da" data-core-metadata="sha256=69f98a7d3c5fc976c35fbc046456313401abb3f0f1d5b23d3d1ac018278d90da">torch-2.9.1+rocm6.4-py3-none-any.whl</a><br/>
      </body>
    </html>
    "#);
    let sidecar = ask(
        server.port(),
        "/whl/rocm6.4/torch-2.9.1%2Brocm6.4-py3-none-any.whl.metadata",
        &["Host: download-r2.pytorch.org"],
    );
    let metadata = WheelBuilder::new("torch", "2.9.1+rocm6.4").build().metadata;
    assert_eq!(sidecar.text(), metadata);
}

#[test]
fn sidecars_and_ranges_can_be_missing() {
    let index = |sidecars| {
        Index::new("main")
            .sidecars(sidecars)
            .without_ranges()
            .wheel(WheelBuilder::new("a", "1"))
            .wheel(WheelBuilder::new("a", "2"))
    };
    let statuses = |sidecars| {
        let server = IndexServer::start(World::new().index(index(sidecars)));
        let advertised =
            page(&server, "/main/simple/a/", "text/html").matches("data-core-metadata").count();
        let found = ["a-1", "a-2"].map(|stem| {
            let path = format!("/main/files/{stem}-py3-none-any.whl.metadata");
            ask(server.port(), &path, &[]).status
        });
        (advertised, found)
    };
    assert_eq!(statuses(Sidecars::Absent), (0, [404, 404]));
    assert_eq!(statuses(Sidecars::Advertised), (2, [200, 200]));
    assert_eq!(statuses(Sidecars::Unadvertised), (0, [200, 200]));
    assert_eq!(statuses(Sidecars::Some), (1, [200, 404]));

    let server = IndexServer::start(World::new().index(index(Sidecars::Absent)));
    let range = ask(server.port(), WHEEL_A, &["Range: bytes=0-3"]);
    assert_eq!(range.status, 200);
}

#[test]
fn ranges_tags_and_conditions() {
    let server = IndexServer::start(one_wheel().validators());
    let whole = ask(server.port(), WHEEL_A, &[]);
    let tag = whole.header("etag").unwrap().to_owned();

    let end = ask(server.port(), WHEEL_A, &["Range: bytes=-22"]);
    assert_eq!(end.status, 206);
    assert_eq!(end.body, whole.body[whole.body.len() - 22..]);
    let expected =
        format!("bytes {}-{}/{}", whole.body.len() - 22, whole.body.len() - 1, whole.body.len());
    assert_eq!(end.header("content-range"), Some(expected.as_str()));

    let beyond = ask(server.port(), WHEEL_A, &["Range: bytes=9999999-"]);
    assert_eq!(beyond.status, 416);
    let same = format!("If-Range: {tag}");
    let matching = ask(server.port(), WHEEL_A, &["Range: bytes=5-", &same]);
    assert_eq!(matching.status, 206);
    let stale = ask(server.port(), WHEEL_A, &["Range: bytes=5-", "If-Range: \"old\""]);
    assert_eq!(stale.status, 200);
    let unchanged = ask(server.port(), WHEEL_A, &[&format!("If-None-Match: {tag}")]);
    assert_eq!((unchanged.status, unchanged.body.len()), (304, 0));
}

#[test]
fn credentials_are_asked_for() {
    let index = demo().credentials("user", "s3cret");
    let server = IndexServer::start(World::new().index(index));
    for (headers, expected) in [
        (vec![], 401),
        (vec!["Authorization: Basic dXNlcjp3cm9uZw=="], 401),
        (vec!["Authorization: Basic dXNlcjpzM2NyZXQ="], 200),
    ] {
        let answer = ask(server.port(), "/main/simple/demo/", &headers);
        assert_eq!(answer.status, expected);
    }
    assert!(server.requests()[2].authorized);
}

pub(super) fn one_wheel() -> World {
    World::new().index(Index::new("main").wheel(WheelBuilder::new("a", "1")))
}

pub(super) const WHEEL_A: &str = "/main/files/a-1-py3-none-any.whl";

#[test]
fn shuffling_depends_on_the_seed_alone() {
    let order = |seed| {
        let index = (0..8).fold(Index::new("main"), |index, minor| {
            index.wheel(WheelBuilder::new("a", &format!("1.{minor}")))
        });
        let world = World::new().index(index).shuffled(seed, Duration::from_millis(3));
        page(&IndexServer::start(world), "/main/simple/a/", "text/html")
    };
    assert_eq!(order(1), order(1));
    assert_ne!(order(1), order(2));
}

#[test]
fn the_world_can_change_under_a_running_server() {
    let mut server = IndexServer::start(World::new());
    assert_eq!(ask(server.port(), WHEEL_A, &[]).status, 404);
    server.replace(one_wheel());
    assert_eq!(ask(server.port(), WHEEL_A, &[]).status, 200);
    assert_eq!(server.requests().len(), 2);
    server.forget_requests();
    assert_eq!(server.requests(), []);
}

#[test]
fn tls_in_time_and_out_of_time() {
    let server = IndexServer::start_tls(one_wheel(), Validity::Valid);
    let answer = ask_tls(server.port(), WHEEL_A, server.authority_pem().unwrap());
    assert_eq!(answer.unwrap().status, 200);

    let server = IndexServer::start_tls(one_wheel(), Validity::Expired);
    let error = ask_tls(server.port(), WHEEL_A, server.authority_pem().unwrap()).unwrap_err();
    assert!(error.to_string().contains("expired"), "{error}");
}

#[test]
fn a_dropped_server_is_gone() {
    let server = IndexServer::start(World::new().file("/only-here", "x"));
    let port = server.port();
    assert_eq!(ask(port, "/only-here", &[]).status, 200);
    drop(server);
    // Another test's server may have got the port; it does not have the file.
    let reached = std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
    assert!(!reached || ask(port, "/only-here", &[]).status != 200);
}
