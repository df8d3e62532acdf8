//! Where the interpreter of an environment comes from, driven from the outside.

use std::path::Path;

use rocmenv_tests::{
    Index, IndexServer, Output, Sandbox, TarballBuilder, WheelBuilder, World, machine_python,
    online, sha256,
};

use crate::rocmenv;

#[test]
fn a_build_is_fetched_once_and_kept_for_the_next_project() {
    let scene = Scene::new("managed", Archive::Right);
    let first = scene.sync("");
    assert_eq!(first.code, 0, "{}", first.snapshot());
    assert_eq!(scene.server.downloads(&scene.file), 1);
    let record = scene.record();
    assert!(record.contains(&format!("{}.99", scene.series)), "{record}");
    assert!(record.contains("\"managed\""), "{record}");
    let words = ["run", "python", "-c", "import demo; print(demo.__name__)"];
    let ran = scene.sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "demo\n"), "{}", ran.snapshot());

    // auto takes what is kept before it looks at the host, and needs no network for it
    scene.ask_for("auto");
    fs_err::remove_dir_all(scene.sandbox.project().join(".rocmenv")).unwrap();
    let again = scene.sync("--offline");
    assert_eq!(again.code, 0, "{}", again.snapshot());
    assert!(scene.record().contains("\"managed\""));
    assert_eq!(scene.server.downloads(&scene.file), 1);
}

#[test]
fn the_list_says_which_would_be_taken_and_why() {
    let scene = Scene::new("managed", Archive::Right);
    let list = |words: &str| {
        let output = rocmenv(&scene.sandbox, &format!("python list {words}"));
        assert_eq!(output.code, 0, "{}", output.snapshot());
        output
    };
    let json = |words: &str| -> serde_json::Value {
        serde_json::from_str(&list(&format!("{words} --json")).stdout).expect("JSON")
    };
    let nothing = rocmenv(&Sandbox::new(), "python list").stderr;
    assert!(nothing.starts_with("no series is wanted here"), "{nothing}");
    let chosen = |words: &str| json(words)["chosen"].clone();
    let file = serde_json::json!({ "kind": "fetched", "what": scene.file });
    assert_eq!(chosen(""), file);
    assert_eq!(chosen(&scene.series), file);
    assert_eq!(scene.sync("").code, 0);
    let after = json("");
    assert_eq!(after["wanted"]["series"], scene.series.as_str());
    assert_eq!(after["wanted"]["target"], "host");
    assert_eq!(after["found"][0]["from"], "managed");
    assert_eq!(after["chosen"]["kind"], "kept");
    assert_eq!(after["chosen"]["what"], after["found"][0]["place"]);
    scene.ask_for("host");
    assert_eq!(chosen("")["kind"], "host");
    let text = list("");
    assert!(text.stderr.contains("the first of the host's that fits"), "{}", text.stderr);
    assert!(text.stdout.contains("fits"), "{}", text.stdout);
    // Nobody builds it, and no host has it.
    scene.ask_for("auto");
    assert_eq!(chosen("3.3")["kind"], "nothing");
    assert!(json("3.3")["found"][0]["unfit"].is_string());
}

#[test]
fn an_interpreter_that_vanished_is_replaced_by_the_next_sync() {
    let scene = Scene::new("managed", Archive::Right);
    assert_eq!(scene.sync("").code, 0);
    let pythons = scene.sandbox.path("home/data/rocmenv/store/v1/python");
    fs_err::remove_dir_all(&pythons).unwrap();
    let ran = rocmenv(&scene.sandbox, "run python -c 0");
    assert_ne!(ran.code, 0, "{}", ran.snapshot());
    let again = scene.sync("--offline");
    assert_eq!(again.code, 0, "{}", again.snapshot());
    assert_eq!(rocmenv(&scene.sandbox, "run python -c 0").code, 0);
}

#[test]
fn offline_says_what_would_be_fetched() {
    let scene = Scene::new("auto", Archive::Right);
    assert_eq!(scene.sync("").code, 0, "with the host's");
    scene.ask_for("managed");
    fs_err::remove_dir_all(scene.sandbox.project().join(".rocmenv")).unwrap();
    let output = scene.sync("--offline").snapshot();
    insta::assert_snapshot!(output.replace(&scene.series, "[SERIES]"), @r#"
        exit: 4
        --- stdout ---
        --- stderr ---
        error[offline]: offline: Python [SERIES].99 would have to be fetched
          caused by: rocmenv keeps none that fits
        help: run it again without `--offline`
        "#);
    assert!(!scene.sandbox.exists(".rocmenv/host/current"));
}

#[test]
fn another_archive_than_the_registrys_is_refused() {
    let scene = Scene::new("managed", Archive::Another);
    let output = scene.sync("");
    assert_eq!(output.code, 5, "{}", output.snapshot());
    assert!(
        output.stderr.contains("error[hash-mismatch]: cannot fetch Python"),
        "{}",
        output.stderr
    );
    assert!(output.stderr.contains("expected"), "{}", output.stderr);
}

#[test]
fn an_archive_without_an_interpreter_is_refused() {
    let scene = Scene::new("managed", Archive::Empty);
    let output = scene.sync("");
    assert_eq!(output.code, 5, "{}", output.snapshot());
    assert!(output.stderr.contains("holds no interpreter"), "{}", output.stderr);
}

#[test]
fn the_hosts_interpreter_is_taken_where_it_fits_and_nothing_is_fetched() {
    let scene = Scene::new("auto", Archive::Right);
    let output = scene.sync("");
    assert_eq!(output.code, 0, "{}", output.snapshot());
    assert!(scene.record().contains("\"host\""), "{}", scene.record());
    assert_eq!(scene.server.downloads(&scene.file), 0);
    // what it said is kept
    assert!(scene.sandbox.path("home/cache/rocmenv/interpreters").is_file());
}

#[test]
fn where_only_the_host_may_be_used_its_interpreters_are_listed() {
    let scene = Scene::new("host", Archive::Right);
    let absent = ["3.15", "3.9", "3.14", "3.10"].into_iter().find(|series| {
        let folders = ["/usr/local/bin", "/usr/bin"];
        !folders.iter().any(|folder| Path::new(folder).join(format!("python{series}")).exists())
    });
    let absent = absent.expect("a series that the machine lacks");
    scene.sandbox.write("rocm.toml", project(absent, "host"));
    let locked = rocmenv(&scene.sandbox, "lock");
    assert_eq!(locked.code, 0, "{}", locked.snapshot());
    let output = scene.sync("");
    assert_eq!(output.code, 1, "{}", output.snapshot());
    let lines: Vec<_> = output.stderr.lines().collect();
    let cause = format!("  caused by: this host has no CPython {absent}");
    assert_eq!(lines[1], cause, "{}", output.stderr);
    assert!(lines[2].starts_with("    `/") && lines[2].contains("` is "), "{}", output.stderr);
    let text = output.snapshot().replace(absent, "[SERIES]");
    let others = text.lines().filter(|line| !line.starts_with("    `/"));
    insta::assert_snapshot!(others.collect::<Vec<_>>().join("\n"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[python-not-found]: no interpreter for this environment, and `[python] source` allows only the host's
          caused by: this host has no CPython [SERIES]
        help: install python[SERIES], or remove `source = "host"` from `[python]` in rocm.toml so that rocmenv fetches one
        "#);
}

#[test]
fn an_address_that_is_none_is_named_with_who_says_so() {
    let mut scene = Scene::new("managed", Archive::Right);
    scene.sandbox.env("ROCMENV_PYTHON_BUILDS_URL", "builds.example");
    insta::assert_snapshot!(scene.sync("").snapshot(), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[index-address]: $ROCMENV_PYTHON_BUILDS_URL: not an address of interpreter builds
        help: rocmenv explain index-address
        "#);
}

/// Needs Debian 12 and its archive.
#[test]
fn the_distributions_interpreter_is_unpacked_without_root() {
    let release = fs_err::read_to_string("/etc/os-release").unwrap_or_default();
    if !online("the_distributions_interpreter_is_unpacked_without_root")
        || !release.contains("VERSION_CODENAME=bookworm")
    {
        return;
    }
    let sandbox = Sandbox::online();
    sandbox.write(
        "rocm.toml",
        "[project]\nname = \"scene\"\n\n[requires]\npython = \"3.11\"\n\n\
         [python-packages]\nsix = \"*\"\n\n[python]\nsource = \"distro\"\n",
    );
    for words in ["lock", "sync"] {
        let output = rocmenv(&sandbox, words);
        assert_eq!(output.code, 0, "{}", output.snapshot());
    }
    let program = "import sys, ssl, sqlite3, ctypes, lzma, six; \
                   print(sys.version_info[:2], sys.base_prefix)";
    let words = ["run", "python", "-c", program];
    let ran = sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run();
    let store = sandbox.path("home/data/rocmenv/store/v1/python");
    assert!(ran.stdout.starts_with("(3, 11) "), "{}", ran.snapshot());
    assert!(ran.stdout.contains(&store.display().to_string()), "{}", ran.snapshot());
}

/// What the server has under the build's name.
#[derive(Clone, Copy, PartialEq)]
enum Archive {
    /// The build.
    Right,
    /// Other bytes than the registry says.
    Another,
    /// What the registry says, without an interpreter in it.
    Empty,
}

/// A project with one package, an index that serves it, and one interpreter build that the
/// project's registry adds: newer than all others, and really an interpreter of this machine.
struct Scene {
    sandbox: Sandbox,
    server: IndexServer,
    series: String,
    file: String,
}

impl Scene {
    fn new(source: &str, archive: Archive) -> Self {
        let (program, series) = machine_python();
        let version = format!("{series}.99");
        let right = TarballBuilder::standalone_python(&version, &program).build();
        let empty = TarballBuilder::new().prefix("python/").file("README", "empty\n").build();
        let (promised, sent) = match archive {
            Archive::Right => (right.clone(), right),
            Archive::Another => (right, empty),
            Archive::Empty => (empty.clone(), empty),
        };
        let file = format!(
            "cpython-{version}+20990101-x86_64-unknown-linux-gnu-install_only_stripped.tar.gz"
        );
        let world = World::new()
            .index(Index::new("main").wheel(WheelBuilder::new("demo", "1.0")))
            .file(&format!("/builds/20990101/{file}"), sent);
        let server = IndexServer::start(world);
        let mut sandbox = Sandbox::new();
        sandbox.index(&server, "main");
        sandbox.env("ROCMENV_PYTHON_BUILDS_URL", &server.path("/builds/"));
        let digest = sha256(&promised);
        sandbox.write(
            "rocm.registry.d/python.toml",
            format!(
                "[sources]\nsource = [{{ key = \"here\", site = \"this test\" }}]\n\n\
                 [pythons]\nbuild = [{{ version = \"{version}\", build = \"20990101\", \
                 target = \"linux\", flavor = \"install_only_stripped\", \
                 sha256 = \"{digest}\", source = \"here\" }}]\n"
            ),
        );
        let scene = Self { sandbox, server, series, file };
        scene.sandbox.write("rocm.toml", project(&scene.series, source));
        let locked = rocmenv(&scene.sandbox, "lock");
        assert_eq!(locked.code, 0, "{}", locked.snapshot());
        scene
    }

    fn ask_for(&self, source: &str) {
        self.sandbox.write("rocm.toml", project(&self.series, source));
    }

    fn sync(&self, words: &str) -> Output {
        rocmenv(&self.sandbox, &format!("sync --no-compile-bytecode {words}"))
    }

    fn record(&self) -> String {
        let pattern = self.sandbox.project().join(".rocmenv/host/generations/1/generation.json");
        fs_err::read_to_string(pattern).unwrap()
    }
}

fn project(series: &str, source: &str) -> String {
    format!(
        "[project]\nname = \"scene\"\n\n[requires]\npython = \"{series}\"\n\n\
         [python-packages]\ndemo = \"1.0\"\n\n[python]\nsource = \"{source}\"\n"
    )
}
