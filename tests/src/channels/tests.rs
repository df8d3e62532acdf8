use super::*;
use crate::server::client::{ask, ask_through};

fn page(server: &IndexServer, host: &str, target: &str) -> (u16, String) {
    let answer = ask(server.port(), target, &[&format!("Host: {host}")]);
    let text = answer.header("location").map_or_else(|| answer.text(), str::to_owned);
    (answer.status, text)
}

#[test]
fn the_newest_index_of_amd() {
    let server = IndexServer::start(World::new().index(wheels(WHL_NEXT)));
    let host = "stable.repo.amd.com";
    assert_eq!(
        page(&server, host, "/rocm/whl-next/torch/"),
        (301, "/rocm/pytorch/whl-next/torch/".to_owned())
    );
    assert_eq!(
        page(&server, host, "/rocm/whl-next/rocm-sdk-core/"),
        (301, "/rocm/core/whl-next/rocm-sdk-core/".to_owned())
    );
    let (_, core) = page(&server, host, "/rocm/core/whl-next/rocm-sdk-core/");
    insta::assert_snapshot!(core, @r#"
    <!DOCTYPE html>
    <html>
      <head><meta name="pypi:repository-version" content="1.1"><title>Links for rocm-sdk-core</title></head>
      <body>
        <h1>Links for rocm-sdk-core</h1>
        <a href="../rocm_sdk_core-10.0.0-py3-none-linux_x86_64.whl">rocm_sdk_core-10.0.0-py3-none-linux_x86_64.whl</a><br/>
        <a href="../rocm_sdk_core-10.0.0-py3-none-win_amd64.whl">rocm_sdk_core-10.0.0-py3-none-win_amd64.whl</a><br/>
        <a href="../rocm_sdk_core-10.1.0-py3-none-linux_x86_64.whl">rocm_sdk_core-10.1.0-py3-none-linux_x86_64.whl</a><br/>
      </body>
    </html>
    "#);
    let wheel = "/rocm/pytorch/whl-next/torch-2.13.0%2Brocm10.1.0-cp312-cp312-linux_x86_64.whl";
    assert_eq!(ask(server.port(), wheel, &[&format!("Host: {host}")]).status, 200);
}

#[test]
fn torch_has_an_extra_for_each_device() {
    let all = rows();
    let torch = all
        .iter()
        .find(|row| row.project == "torch" && row.version == "2.13.0+rocm10.1.0")
        .unwrap();
    let metadata = files(torch, &all).remove(0).metadata.unwrap();
    let lines: Vec<&str> =
        metadata.lines().filter(|line| !line.contains("gfx") || line.contains("gfx942")).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    Metadata-Version: 2.1
    Name: torch
    Version: 2.13.0+rocm10.1.0
    Requires-Dist: rocm[libraries]~=10.1.0
    Requires-Dist: triton==3.8.0+git669b31ac.rocm10.1.0
    Requires-Dist: rocm-bootstrap
    Requires-Dist: filelock
    Requires-Dist: fsspec
    Requires-Dist: jinja2
    Requires-Dist: networkx
    Requires-Dist: sympy
    Requires-Dist: typing-extensions
    Requires-Dist: amd-torch-device-gfx942==2.13.0+rocm10.1.0 ; extra == "device-gfx942"
    Provides-Extra: device-gfx942
    "#);
}

#[test]
fn pytorch_serves_files_from_elsewhere_and_triton_from_the_root() {
    let address = "https://download.pytorch.org/whl/rocm6.4/";
    let server = IndexServer::start(World::new().index(wheels(address)));
    let host = "download.pytorch.org";
    let (_, torch) = page(&server, host, "/whl/rocm6.4/torch/");
    assert!(torch.contains("\"https://download-r2.pytorch.org/whl/rocm6.4/torch-2.9.1%2Brocm6.4-"));
    let (_, triton) = page(&server, host, "/whl/rocm6.4/pytorch-triton-rocm/");
    assert!(triton.contains("\"../../pytorch_triton_rocm-3.5.1-"), "{triton}");
}

#[test]
fn everything_at_once() {
    let key = crate::SigningKey::new("amd");
    let world = every_wheel_channel().apt(amd_classic(&key)).apt(amd_core(&key));
    let world = therock_tarball(world, "gfx110X-all", "10.0.0");
    let world = standalone_python(world, "3.12.15", "20261021", Path::new("/usr/bin/python3"));
    assert_eq!(
        world.hosts(),
        [
            "download-r2.pytorch.org",
            "download.pytorch.org",
            "github.com",
            "repo.amd.com",
            "repo.radeon.com",
            "rocm.frameworks.amd.com",
            "stable.repo.amd.com",
            "wheels.vllm.ai"
        ]
    );
    let internet = Internet::start(world);
    assert!(internet.server.url("main").starts_with("https://127.0.0.1:"));
    let port = internet.proxy.port();
    let authority = internet.server.authority_pem().unwrap();
    let statuses = [
        ("repo.radeon.com", "/rocm/apt/7.2.4/dists/noble/InRelease"),
        ("repo.radeon.com", "/rocm/manylinux/rocm-rel-7.2.4/"),
        ("repo.amd.com", "/rocm/whl/gfx110X-all/torch/"),
        ("repo.amd.com", "/rocm/whl/gfx110X-all/tensorflow/"),
        ("stable.repo.amd.com", "/rocm/core/packages/ubuntu2404/dists/stable/InRelease"),
        ("stable.repo.amd.com", TARBALL),
        ("github.com", PYTHON),
    ]
    .map(|(host, path)| ask_through(port, host, path, authority).unwrap().status);
    assert_eq!(statuses, [200, 200, 200, 403, 200, 200, 200]);
    assert_eq!(internet.proxy.seen()[0], "CONNECT repo.radeon.com:443");
}

const TARBALL: &str = "/rocm/core/tarball/therock-dist-linux-gfx110X-all-10.0.0.tar.gz";
const PYTHON: &str = "/astral-sh/python-build-standalone/releases/download/20261021/cpython-3.12.15%2B20261021-x86_64-unknown-linux-gnu-install_only_stripped.tar.gz";
