//! Projects that ask for a package with a large file, side by side in one sandbox.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_tests::{Index, IndexServer, Output, Run, Sandbox, WheelBuilder, World};

/// Bytes of the large file, which does not compress.
pub(crate) const WEIGHTS: u64 = 4_000_000;

/// A sandbox whose projects ask for `model`, which there is in three versions; `twin` has the same
/// large file as the first.
pub(crate) struct Models {
    pub(crate) sandbox: Sandbox,
    user: Option<u32>,
    // Serves as long as it lives.
    _server: IndexServer,
}

impl Models {
    pub(crate) fn inside(folder: &Path) -> Self {
        let model = |version: &str, seed: u32| {
            let weights = weights(version, seed);
            let mut wheel = WheelBuilder::new("model", version).file("model/weights.bin", weights);
            for at in 0..20 {
                let text = format!("# part {at} of {version}\n").repeat(200);
                wheel = wheel.file(&format!("model/part{at}.py"), text.into_bytes());
            }
            wheel
        };
        let twin = WheelBuilder::new("twin", "1.0").file("twin/weights.bin", weights("1.0", 0));
        let index = [("1.0", 0), ("2.0", 1_000_000), ("3.0", 2_000_000)]
            .into_iter()
            .fold(Index::new("main").wheel(twin), |index, (version, seed)| {
                index.wheel(model(version, seed))
            });
        let server = IndexServer::start(World::new().index(index));
        let mut sandbox = Sandbox::inside(folder);
        sandbox.index(&server, "main");
        let models = Self { sandbox, user: None, _server: server };
        for name in ["first", "second", "third"] {
            models.ask(name, "1.0");
        }
        models
    }

    /// What a project asks for.
    pub(crate) fn ask(&self, project: &str, version: &str) {
        let text = format!("[python-packages]\nmodel = \"=={version}\"\n");
        self.sandbox.write(&format!("{project}/rocm.toml"), text);
    }

    /// From now on calls are those of another user, whom all but the store belongs to.
    pub(crate) fn becomes_nobody(&mut self) {
        use std::os::unix::fs::PermissionsExt as _;
        // A program that nobody else may reach cannot be run by another user.
        fs::copy(env!("CARGO_BIN_EXE_rocmenv"), self.program()).expect("copied");
        let open = std::fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.sandbox.path(""), open).expect("opened");
        let _ = fs::remove_dir_all(self.sandbox.path("home/cache"));
        fs::create_dir(self.sandbox.path("home/cache")).expect("made");
        let words = ["-R", "nobody", "home", "project", "tmp"];
        let given = self.sandbox.command("chown").args(words).in_folder("..").run();
        assert_eq!(given.code, 0, "{}", given.snapshot());
        self.user = Some(NOBODY);
    }

    pub(crate) fn call(&self, project: &str, words: &str) -> Output {
        self.run(project).args(words.split_whitespace()).run()
    }

    pub(crate) fn must(&self, project: &str, words: &str) -> Output {
        let output = self.call(project, words);
        assert_eq!(output.code, 0, "{words}: {}", output.snapshot());
        output
    }

    pub(crate) fn json(&self, project: &str, words: &str) -> serde_json::Value {
        serde_json::from_str(&self.must(project, &format!("{words} --json")).stdout).expect("JSON")
    }

    /// Syncs a project; how many files got in by which link.
    pub(crate) fn links(&self, project: &str) -> BTreeMap<String, u64> {
        let made = self.json(project, "sync");
        let links = made["generation"]["links"].clone();
        let links: Vec<(String, u64)> = serde_json::from_value(links).expect("names and numbers");
        links.into_iter().collect()
    }

    /// The version that a project runs.
    pub(crate) fn runs(&self, project: &str) -> String {
        let code = "import model, model.part7; print(model.__version__)";
        let ran = self.run(project).args(["run", "-q", "python", "-B", "-c", code]).run();
        assert_eq!(ran.code, 0, "{}", ran.snapshot());
        ran.stdout.trim().to_owned()
    }

    /// The large file in the current environment of a project.
    pub(crate) fn weights(&self, project: &str) -> PathBuf {
        let venv = self.sandbox.project().join(project).join(".venv/lib");
        let python = fs::read_dir(venv).expect("a folder").next().expect("one").expect("an entry");
        python.path().join("site-packages/model/weights.bin")
    }

    fn run(&self, project: &str) -> Run<'_> {
        let run = match self.user {
            None => self.sandbox.command(env!("CARGO_BIN_EXE_rocmenv")),
            Some(user) => {
                let id = user.to_string();
                let words = ["--reuid", &id, "--regid", &id, "--clear-groups"];
                self.sandbox.command("setpriv").args(words).arg(self.program())
            }
        };
        run.in_folder(project)
    }

    fn program(&self) -> PathBuf {
        self.sandbox.path("bin/rocmenv")
    }
}

const NOBODY: u32 = 65_534;

/// They begin with words that can be found on a disk.
fn weights(version: &str, seed: u32) -> Vec<u8> {
    let noise = |at: u32| at.wrapping_add(seed).wrapping_mul(2_654_435_761).to_be_bytes();
    let words = format!("{MARK} {version}\n").repeat(500).into_bytes();
    words.into_iter().chain((0..1_000_000_u32).flat_map(noise)).collect()
}

/// What weights begin with.
pub(crate) const MARK: &str = "the weights of version";
