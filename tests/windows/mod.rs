//! The road on Windows, as far as Wine shows it: the programs for Windows, served wheels, and a
//! stub in the place of `python.exe`. `.ci/windows` builds and runs all of it; docs/windows-checks.md
//! says what each test shows and what no test here can.

mod hostile;
mod in_use;
mod machine;
mod road;
mod shells;
mod upgrading;

use rocmenv_tests::{Index, IndexServer, WheelBuilder, Wine, World};

/// A Windows with a project that asks for `greet`, which needs `words`, from a served index.
struct Desk {
    wine: Wine,
    server: IndexServer,
}

impl Desk {
    /// `None` where the programs for Windows were not built.
    fn new(test: &str) -> Option<Self> {
        Self::with(test, Index::new("main"))
    }

    /// The same with more wheels in the index.
    fn with(test: &str, index: Index) -> Option<Self> {
        let mut wine = Wine::start(test)?;
        let words = |version: &str| WheelBuilder::new("words", version).tag("py3-none-win_amd64");
        let greet = WheelBuilder::new("greet", "1.0")
            .requires("words>=1")
            .without_module()
            .file("greet/__init__.py", "print('hello')\nprint(argv)\nexit(300)\n")
            .console_script("greet", "greet:main");
        let server = IndexServer::start(
            World::new().index(
                index
                    .wheel(words("1.0").file("words/weights.bin", vec![1; 300_000]))
                    .wheel(words("1.1").file("words/weights.bin", vec![2; 300_000]))
                    .wheel(WheelBuilder::new("words", "9.0").tag("py3-none-manylinux_2_28_x86_64"))
                    .wheel(greet),
            ),
        );
        wine.sandbox().index(&server, "main");
        wine.sandbox().filter(r"\b\d+\.\d [MK]?i?B\b", "[SIZE]");
        let desk = Self { wine, server };
        desk.ask("greet = \"*\"");
        Some(desk)
    }

    /// Writes rocm.toml with these lines under `[python-packages]`.
    fn ask(&self, packages: &str) {
        let text = format!(
            "[project]\nname = \"desk\"\n\n[requires]\npython = \"3.12\"\n\n\
             [python-packages]\n{packages}\n\n[python]\nsource = \"host\"\n"
        );
        fs_err::write(self.wine.project("rocm.toml"), text).expect("the sandbox can be written");
    }

    fn snapshot(&self, words: &str) -> String {
        self.wine.rocmenv(words).run().snapshot()
    }

    /// A path in a generation, as this machine says it.
    fn generation(&self, number: u32, relative: &str) -> std::path::PathBuf {
        self.wine.project(&format!(".rocmenv/host/generations/{number}/{relative}"))
    }

    /// The version of `words` in the environment that runs now.
    fn words(&self) -> String {
        let statements = "import words;print(words.__version__)";
        let run = self.wine.rocmenv("run python -c").arg(statements).run();
        assert_eq!(run.code, 0, "{}", run.snapshot());
        run.stdout.trim().to_owned()
    }
}
