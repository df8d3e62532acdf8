//! The real pip and the real uv in an environment, with a requirements file that asks for
//! another torch: the locked pins keep them off, and what goes around them is noticed.

use rocmenv_tests::{Index, IndexServer, WheelBuilder, World};

use super::{rocmenv, sandbox};

const VERSION: &str = "import importlib.metadata as m; print(m.version('torch'))";

#[test]
fn pip_and_uv_keep_the_locked_torch() {
    let Some(mut sandbox) = sandbox("pip_and_uv_keep_the_locked_torch") else { return };
    let server = IndexServer::start(
        World::new().index(
            Index::new("main")
                .wheel(WheelBuilder::new("torch", "2.9.1+rocm7.2"))
                .wheel(WheelBuilder::new("torch", "2.14.0"))
                .wheel(WheelBuilder::new("harmless", "1.0")),
        ),
    );
    sandbox.env("NO_PROXY", "127.0.0.1,localhost");
    sandbox.env("no_proxy", "127.0.0.1,localhost");
    let url = server.url("main");
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\npython = \"3.11\"\n\n[python-packages]\npip = \"*\"\nuv = \"*\"\n\
             torch = {{ version = \"==2.9.1+rocm7.2\", index = \"local\" }}\n\n\
             [indexes.local]\nurl = \"{url}\"\nkind = \"simple\"\n"
        ),
    );
    sandbox.write("other.txt", "torch==2.14.0\n");
    sandbox.write("more.txt", "torch\nharmless\n");
    let output = rocmenv(&sandbox, &["sync"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let pip = ["run", "python", "-m", "pip", "install", "--index-url", &url, "-r"];
    let uv = ["run", "uv", "pip", "install", "--index-url", &url, "-r"];
    for tool in [&pip[..], &uv[..]] {
        let refused = rocmenv(&sandbox, &[tool, &["other.txt"]].concat());
        assert_ne!(refused.code, 0, "{}", refused.snapshot());
        let said = refused.snapshot();
        assert!(said.contains("2.9.1+rocm7.2"), "{said}");
        let allowed = rocmenv(&sandbox, &[tool, &["more.txt"]].concat());
        assert_eq!(allowed.code, 0, "{}", allowed.snapshot());
        let version = rocmenv(&sandbox, &["run", "python", "-c", VERSION]);
        assert_eq!(version.stdout, "2.9.1+rocm7.2\n", "{}", version.snapshot());
        assert!(version.stderr.contains("harmless 1.0 is not locked"), "{}", version.stderr);
    }
    // uv takes no pylock.toml beside a constraint, agreeing or not; pip compares the two. Without
    // the constraint uv takes it.
    let exported = rocmenv(&sandbox, &["export", "pylock", "-q", "-o", "pylock.toml"]);
    assert_eq!(exported.code, 0, "{}", exported.snapshot());
    let install = ["uv", "pip", "install", "-r", "pylock.toml"];
    let refused = rocmenv(&sandbox, &[&["run"][..], &install].concat());
    let why = "Cannot specify constraints with a `pylock.toml` file";
    assert!(refused.code != 0 && refused.stderr.contains(why), "{}", refused.snapshot());
    let without = ["run", "env", "-u", "UV_CONSTRAINT"];
    let allowed = rocmenv(&sandbox, &[&without[..], &install].concat());
    assert_eq!(allowed.code, 0, "{}", allowed.snapshot());
    let version = rocmenv(&sandbox, &["run", "python", "-c", VERSION]);
    assert_eq!(version.stdout, "2.9.1+rocm7.2\n", "{}", version.snapshot());
    // Whoever takes the pins away gets what they asked for, and is told.
    let without = ["run", "env", "-u", "PIP_CONSTRAINT", "python", "-m", "pip", "install"];
    let forced = [&without[..], &["--index-url", &url, "-r", "other.txt"]].concat();
    let output = rocmenv(&sandbox, &forced);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let run = rocmenv(&sandbox, &["run", "python", "-c", VERSION]);
    assert_eq!(run.code, 3, "{}", run.snapshot());
    assert!(run.stderr.contains("torch 2.14.0 is built for CUDA, not for ROCm"), "{}", run.stderr);
    assert_eq!(rocmenv(&sandbox, &["sync"]).code, 1, "it says first what would go");
    assert_eq!(rocmenv(&sandbox, &["sync", "--discard"]).code, 0);
    let version = rocmenv(&sandbox, &["run", "python", "-c", VERSION]);
    assert_eq!(version.stdout, "2.9.1+rocm7.2\n", "{}", version.snapshot());
}
