//! A node for tests of upgrades: a JAX project whose builds are served on loopback, and hosts that
//! are given as files.

use std::fmt::Write as _;

use rocmenv_tests::{Index, IndexServer, Output, Sandbox, WheelBuilder, World};

use crate::SERIES;

/// A JAX project on a node that has ROCm 7.2.4 and driver 30.20.1, given as host files.
pub(crate) struct Node {
    pub(crate) sandbox: Sandbox,
    // Serves as long as it lives.
    _server: IndexServer,
}

impl Node {
    pub(crate) fn new() -> Self {
        Self::with("", |wheel, _| wheel)
    }

    /// As `new`, with more in rocm.toml and in the wheels of JAX, by version.
    pub(crate) fn with(rest: &str, change: impl Fn(WheelBuilder, &str) -> WheelBuilder) -> Self {
        Self::inside(Sandbox::new(), Index::new("main"), rest, change)
    }

    /// As `with`, in a sandbox that is there and on an index that has more.
    pub(crate) fn inside(
        mut sandbox: Sandbox,
        index: Index,
        rest: &str,
        change: impl Fn(WheelBuilder, &str) -> WheelBuilder,
    ) -> Self {
        let mut index = index.wheel(WheelBuilder::new("numpy", "2.0"));
        for (jax, rocm, release) in BUILDS {
            let plugin = |part: &str| {
                WheelBuilder::new(&format!("jax-rocm{rocm}-{part}"), jax)
                    .summary(&format!("JAX for AMD GPUs (ROCm:{release})"))
            };
            // What is imported late must be of the same version as what was imported first.
            let late = format!("VERSION = '{jax}'\n");
            index = index
                .wheel(change(
                    WheelBuilder::new("jax", jax)
                        .requires(&format!("jaxlib=={jax}"))
                        .requires("numpy")
                        .file("jax/late.py", late),
                    jax,
                ))
                .wheel(WheelBuilder::new("jaxlib", jax))
                .wheel(plugin("plugin"))
                .wheel(plugin("pjrt"));
        }
        let server = IndexServer::start(World::new().index(index));
        sandbox.index(&server, "main");
        sandbox.filter(r"20\d\d-\d\d-\d\dT[0-9:-]+Z", "[TIME]");
        sandbox.filter(r"registry of .*", "registry of [DATE]");
        sandbox.filter(r"Python 3\.\d+(\.\d+)?( \(\w+\))?", "Python [3]");
        let series = sandbox.command("python3").args(["-c", SERIES]).run().stdout;
        let series = series.trim();
        sandbox.write("rocm.registry.d/fixture.toml", overlay(series));
        sandbox.write("rocm.toml", ROCM_TOML.replace("SERIES", series) + rest);
        for (name, rocm, driver) in [
            ("first", "7.2.4", "30.20.1"),
            ("driver", "7.2.4", "31.50.0"),
            ("last", "10.0.0", "31.50.0"),
            ("rocm", "10.0.0", "30.20.1"),
        ] {
            let host = HOST.replace("ROCM", rocm).replace("DRIVER", driver);
            sandbox.write(&format!("{name}.json"), host);
        }
        let node = Self { sandbox, _server: server };
        node.must("first", "sync");
        assert_eq!(node.jax(), "0.30.0");
        node
    }

    pub(crate) fn call(&self, host: &str, words: &str) -> Output {
        let mut all = vec!["--host".to_owned(), format!("{host}.json")];
        all.extend(words.split_whitespace().map(str::to_owned));
        self.sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(all).run()
    }

    pub(crate) fn must(&self, host: &str, words: &str) {
        let output = self.call(host, words);
        assert_eq!(output.code, 0, "{words}: {}", output.snapshot());
    }

    pub(crate) fn snapshot(&self, host: &str, words: &str) -> String {
        self.call(host, words).snapshot()
    }

    /// The JAX of the environment that runs now.
    pub(crate) fn jax(&self) -> String {
        let code = "import jax, jax.late; assert jax.__version__ == jax.late.VERSION; \
                    print(jax.__version__)";
        let words = ["run", "python", "-B", "-c", code];
        let output = self.sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run();
        assert_eq!(output.code, 0, "{}", output.snapshot());
        output.stdout.trim().to_owned()
    }

    pub(crate) fn file(&self, name: &str) -> String {
        self.sandbox.read(name)
    }

    /// The number of the current generation.
    pub(crate) fn generation(&self) -> u32 {
        self.file(".rocmenv/host/current").trim().parse().expect("a number")
    }
}

/// Builds of JAX that no registry knows: version, the number in the plugins' names, and ROCm.
const BUILDS: [(&str, &str, &str); 3] =
    [("0.30.0", "7", "7.2.0"), ("0.31.0", "7", "7.14.0"), ("0.32.0", "10", "10.0.0")];

/// What the fixture's registry says of them, for whatever Python runs the tests.
fn overlay(series: &str) -> String {
    let tag = format!("cp{}", series.replace('.', ""));
    let mut text = "[[sources.source]]\nkey = \"fixture\"\nsite = \"these tests\"\n".to_owned();
    for (version, number, release) in BUILDS {
        for part in ["plugin", "pjrt"] {
            let _ = write!(
                text,
                "\n[[builds-general.build]]\npackage = \"jax-rocm{number}-{part}\"\n\
                 version = \"{version}\"\nrocm = \"{release}\"\nchannel = \"python\"\n\
                 platforms = [\"linux_x86_64\"]\npythons = [\"{tag}\"]\nsource = \"fixture\"\n"
            );
        }
    }
    text
}

const ROCM_TOML: &str = "\
[project]
name = \"node\"

[requires]
rocm = \"7.2\"
python = \"SERIES\"
jax = \">=0.30\"  # any

[rocm]
channel = \"host\"

[verify]
commands = [\"test ! -e broken\"]
";

const HOST: &str = r#"{
    "schema": 1,
    "os": { "family": "linux", "release": "ubuntu-24.04", "codename": "noble" },
    "kernel": { "release": "6.8.0-45-generic" },
    "libc": { "kind": "glibc", "version": "2.39" },
    "arch": "x86_64",
    "driver": { "loaded": true, "flavour": "dkms", "release": "DRIVER" },
    "gpus": [ { "gfx": "gfx942", "product": "AMD Instinct MI300X" } ],
    "rocm": [ { "path": "/opt/rocm", "version": "ROCM" } ]
}"#;
