//! What comes after a sync, on real environments: going back, collecting, status, verifying.

#![cfg(unix)] // what is run for Windows is in tests/windows

#[path = "generations/benching.rs"]
mod benching;
#[path = "generations/closures.rs"]
mod closures;
#[path = "generations/collecting.rs"]
mod collecting;
#[path = "generations/costs.rs"]
mod costs;
#[path = "generations/describing.rs"]
mod describing;
#[path = "generations/differences.rs"]
mod differences;
#[path = "generations/guard.rs"]
mod guard;
#[path = "generations/killing.rs"]
mod killing;
#[path = "generations/node.rs"]
mod node;
#[path = "generations/ran.rs"]
mod ran;
#[path = "generations/rollback.rs"]
mod rollback;
#[path = "generations/settling.rs"]
mod settling;
#[path = "generations/status.rs"]
mod status;
#[path = "generations/taking.rs"]
mod taking;
#[path = "generations/upgrading.rs"]
mod upgrading;
#[path = "generations/verify.rs"]
mod verify;

use std::path::PathBuf;

use rocmenv_tests::{Index, IndexServer, Output, Sandbox, WheelBuilder, World};

/// A project whose packages are served on loopback; each sync makes a generation.
struct Project {
    sandbox: Sandbox,
    series: String,
    // Serves as long as it lives.
    server: IndexServer,
}

impl Project {
    /// `demo` exists in two versions, `extra` and
    /// `broken`, which cannot be imported, in one; `demo` has a large file that differs.
    fn new() -> Self {
        let demo = |version: &str, fill: u8| {
            WheelBuilder::new("demo", version).file("demo/weights.bin", vec![fill; 300_000])
        };
        let index = Index::new("main")
            .wheel(demo("1.0", 1))
            .wheel(demo("2.0", 2))
            .wheel(WheelBuilder::new("extra", "0.1"))
            .wheel(
                WheelBuilder::new("broken", "1.0")
                    .without_module()
                    .file("broken/__init__.py", "raise ImportError('libx.so.7 is not there')\n"),
            );
        Self::on(index)
    }

    /// On an index of its own.
    fn on(index: Index) -> Self {
        let server = IndexServer::start(World::new().index(index));
        let mut sandbox = Sandbox::new();
        sandbox.index(&server, "main");
        // Times, the interpreter of this machine, and how old the registry is.
        sandbox.filter(r"20\d\d-\d\d-\d\dT[0-9:-]+Z", "[TIME]");
        sandbox.filter(r"\b\d+\.\d s\b", "[T] s");
        sandbox.filter(r"`[^`]*/python3[.\d]*`", "`[INTERPRETER]`");
        sandbox.filter(r"\b3\.\d+\.\d+ +", "[PYTHON] ");
        sandbox.filter(r"/python3\.\d+/", "/python[SERIES]/");
        sandbox.filter(r"registry of .*", "registry of [DATE]");
        let series = sandbox.command("python3").args(["-c", SERIES]).run().stdout;
        let series = series.trim().to_owned();
        Self { sandbox, series, server }
    }

    /// Asks for these packages (lines of `[python-packages]`) and syncs.
    fn sync(&self, packages: &str) {
        self.ask(packages, "");
        let output = self.call("sync");
        assert_eq!(output.code, 0, "{}", output.snapshot());
    }

    /// Writes rocm.toml.
    fn ask(&self, packages: &str, rest: &str) {
        let series = &self.series;
        self.sandbox.write(
            "rocm.toml",
            format!(
                "[project]\nname = \"p\"\n\n[requires]\npython = \"{series}\"\n\n\
                 [python-packages]\n{packages}\n{rest}"
            ),
        );
    }

    fn call(&self, words: &str) -> Output {
        self.sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words.split_whitespace()).run()
    }

    fn snapshot(&self, words: &str) -> String {
        self.call(words).snapshot()
    }

    /// The JSON document that a call prints.
    fn json(&self, words: &str) -> serde_json::Value {
        let output = self.call(&format!("{words} --json"));
        serde_json::from_str(&output.stdout).expect("JSON")
    }

    /// What `demo` is in the environment that runs now.
    fn demo(&self) -> String {
        let words = ["run", "python", "-B", "-c", "import demo; print(demo.__version__)"];
        let output = self.sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run();
        assert_eq!(output.code, 0, "{}", output.snapshot());
        output.stdout.trim().to_owned()
    }

    /// A generation's folder of modules.
    fn site_packages(&self, generation: u32) -> PathBuf {
        let series = &self.series;
        self.sandbox.project().join(format!(
            ".rocmenv/host/generations/{generation}/env/lib/python{series}/site-packages"
        ))
    }

    /// Two generations: `demo` 1.0, then 2.0 with `extra`.
    fn with_two_generations() -> Self {
        let project = Self::new();
        project.sync("demo = \"==1.0\"");
        project.sync("demo = \"==2.0\"\nextra = \"*\"");
        project
    }
}

const SERIES: &str = "import sys; print('%d.%d' % sys.version_info[:2])";
