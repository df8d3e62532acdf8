//! An upgrade from its plan to its end: stages of the host and of the environment, a verification
//! that fails, the ways back, and a kill at any instant.

use fs_err as fs;
use rocmenv_tests::{Index, IndexServer, Output, Sandbox, WheelBuilder, World};

use crate::SERIES;

/// A JAX project on a node that has ROCm 7.2.4 and driver 30.20.1, given as host files.
struct Node {
    sandbox: Sandbox,
    // Serves as long as it lives.
    _server: IndexServer,
}

impl Node {
    fn new() -> Self {
        let mut index = Index::new("main").wheel(WheelBuilder::new("numpy", "2.0"));
        for (jax, rocm, release) in BUILDS {
            let plugin = |part: &str| {
                WheelBuilder::new(&format!("jax-rocm{rocm}-{part}"), jax)
                    .summary(&format!("JAX for AMD GPUs (ROCm:{release})"))
            };
            // What is imported late must be of the same version as what was imported first.
            let late = format!("VERSION = '{jax}'\n");
            index = index
                .wheel(
                    WheelBuilder::new("jax", jax)
                        .requires(&format!("jaxlib=={jax}"))
                        .requires("numpy")
                        .file("jax/late.py", late),
                )
                .wheel(WheelBuilder::new("jaxlib", jax))
                .wheel(plugin("plugin"))
                .wheel(plugin("pjrt"));
        }
        let server = IndexServer::start(World::new().index(index));
        let mut sandbox = Sandbox::new();
        sandbox.index(&server, "main");
        sandbox.filter(r"20\d\d-\d\d-\d\dT[0-9:-]+Z", "[TIME]");
        sandbox.filter(r"registry of .*", "registry of [DATE]");
        sandbox.filter(r"Python 3\.\d+(\.\d+)?( \(\w+\))?", "Python [3]");
        let series = sandbox.command("python3").args(["-c", SERIES]).run().stdout;
        let series = series.trim();
        sandbox.write("rocm.registry.d/fixture.toml", overlay(series));
        sandbox.write("rocm.toml", ROCM_TOML.replace("SERIES", series));
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

    fn call(&self, host: &str, words: &str) -> Output {
        let mut all = vec!["--host".to_owned(), format!("{host}.json")];
        all.extend(words.split_whitespace().map(str::to_owned));
        self.sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(all).run()
    }

    fn must(&self, host: &str, words: &str) {
        let output = self.call(host, words);
        assert_eq!(output.code, 0, "{words}: {}", output.snapshot());
    }

    fn snapshot(&self, host: &str, words: &str) -> String {
        self.call(host, words).snapshot()
    }

    /// The JAX of the environment that runs now.
    fn jax(&self) -> String {
        let code = "import jax, jax.late; assert jax.__version__ == jax.late.VERSION; \
                    print(jax.__version__)";
        let words = ["run", "python", "-B", "-c", code];
        let output = self.sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run();
        assert_eq!(output.code, 0, "{}", output.snapshot());
        output.stdout.trim().to_owned()
    }

    fn file(&self, name: &str) -> String {
        self.sandbox.read(name)
    }

    /// The number of the current generation.
    fn generation(&self) -> u32 {
        self.file(".rocmenv/host/current").trim().parse().expect("a number")
    }
}

#[test]
fn stages_of_the_host_and_of_the_environment_are_passed_in_turn() {
    let node = Node::new();
    let wish = "upgrade --to 10.0 --driver 31.50.0";
    insta::assert_snapshot!(node.snapshot("first", wish), @"");
    let plan = node.call("first", &format!("{wish} --json"));
    let plan: serde_json::Value = serde_json::from_str(&plan.stdout).expect("JSON");
    assert_eq!(plan["stages"].as_array().map(Vec::len), Some(2), "{plan:#}");
    // Nobody has allowed the commands yet, so that nothing could be verified.
    insta::assert_snapshot!(node.snapshot("first", &format!("{wish} --apply")), @"");
    insta::assert_snapshot!(node.snapshot("first", &format!("{wish} --apply --yes")), @"");
    insta::assert_snapshot!(node.snapshot("first", &format!("{wish} --apply")), @"");
    assert_eq!(node.call("first", "upgrade --continue").code, 6, "the host is not so yet");
    // Next comes the ROCm of the host itself, which is what this project uses.
    insta::assert_snapshot!(node.snapshot("driver", "upgrade --continue"), @"");
    let before = (node.file("rocm.toml"), node.file("rocm.lock"));
    node.sandbox.write("broken", "");
    let failed = node.call("last", "upgrade --continue");
    assert_eq!(failed.code, 1, "{}", failed.snapshot());
    assert!(failed.stderr.contains("error[upgrade-taken-back]"), "{}", failed.stderr);
    let evidence = failed.stderr.split('`').find(|text| text.ends_with("evidence-2.json"));
    let evidence = fs::read_to_string(evidence.expect("a path")).expect("the evidence is kept");
    assert!(evidence.contains("test ! -e broken"), "{evidence}");
    assert_eq!(node.jax(), "0.30.0", "taken back");
    assert_eq!((node.file("rocm.toml"), node.file("rocm.lock")), before);
    let status = node.call("last", "status").stdout;
    assert!(status.contains("1 of 2 stages done, the last stage was taken back"), "{status}");
    fs::remove_file(node.sandbox.project().join("broken")).expect("removed");
    insta::assert_snapshot!(node.snapshot("last", "upgrade --continue"), @"");
    assert_eq!(node.jax(), "0.32.0");
    assert!(node.file("rocm.toml").contains("jax = \">=0.30\"  # any"), "the wish stays");
    insta::assert_snapshot!(node.snapshot("last", "generations diff 1 3"), @"");
    // By hand, to the first one, whose driver the host has no more.
    insta::assert_snapshot!(node.snapshot("last", "rollback --to 1"), @"");
    assert_eq!(node.jax(), "0.30.0");
    insta::assert_snapshot!(node.snapshot("last", "upgrade --continue"), @"");
}

#[test]
fn an_upgrade_that_was_begun_can_be_left() {
    let node = Node::new();
    let before = (node.file("rocm.toml"), node.file("rocm.lock"));
    node.must("rocm", "upgrade --to 10.0 --apply --yes");
    assert_eq!((node.jax().as_str(), node.generation()), ("0.32.0", 2));
    insta::assert_snapshot!(node.snapshot("rocm", "upgrade --abort"), @"");
    node.must("rocm", "rollback --to 1 --files");
    let code = node.call("rocm", "upgrade --to 10.0 --driver 31.50.0 --apply").code;
    assert_eq!(code, 6);
    insta::assert_snapshot!(node.snapshot("rocm", "upgrade --abort"), @"");
    assert_eq!((node.file("rocm.toml"), node.file("rocm.lock")), before);
    assert_eq!(node.jax(), "0.30.0");
    assert!(!node.sandbox.exists(".rocmenv/upgrade.json"));
}

#[test]
fn a_program_that_runs_across_an_upgrade_keeps_its_files() {
    let node = Node::new();
    let code = "import jax, sys, time, pathlib\n\
                pathlib.Path('started').touch()\n\
                while not pathlib.Path('upgraded').exists(): time.sleep(0.01)\n\
                import jax.late\n\
                print(jax.__version__, jax.late.VERSION)";
    std::thread::scope(|scope| {
        let program = scope.spawn(|| {
            let words = ["run", "python", "-B", "-c", code];
            node.sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run()
        });
        while !node.sandbox.exists("started") {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        node.must("rocm", "upgrade --to 10.0 --apply --yes");
        assert_eq!(node.jax(), "0.32.0");
        node.sandbox.write("upgraded", "");
        let output = program.join().expect("the program ends");
        assert_eq!(output.stdout, "0.30.0 0.30.0\n", "{}", output.snapshot());
    });
}

/// Kills the upgrade at each of its calls of `calls` in turn: whatever runs afterwards is the old
/// or the new generation, and both `--abort` and `--continue` lead out of it.
fn sweep(calls: &str) {
    if !has_strace() {
        return;
    }
    let node = Node::new();
    // What is fetched and unpacked once is there for every later trial.
    node.must("rocm", "upgrade --to 10.0 --apply --yes");
    node.must("rocm", "rollback --to 1 --files");
    let (mut killed, mut at) = (0, 0);
    loop {
        at += 1;
        assert!(at < 400, "the sweep has no end");
        let trace = format!("trace={calls}");
        let inject = format!("inject={calls}:signal=SIGKILL:when={at}");
        let binary = env!("CARGO_BIN_EXE_rocmenv");
        let words = ["-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject, binary];
        let words = words.into_iter().chain(["--host", "rocm.json"]);
        let words = words.chain(["upgrade", "--to", "10.0", "--apply", "--yes"]);
        let output = node.sandbox.command("strace").args(words).run();
        let done = output.code == 0;
        let runs = node.jax();
        assert!(["0.30.0", "0.32.0"].contains(&runs.as_str()), "call {at}: {runs}");
        let is_under_way = node.sandbox.exists(".rocmenv/upgrade.json");
        if is_under_way && at % 2 == 0 {
            node.must("rocm", "upgrade --continue");
            assert_eq!(node.jax(), "0.32.0", "call {at}");
        } else if is_under_way {
            node.must("rocm", "upgrade --abort");
            assert_eq!(node.jax(), "0.30.0", "call {at}");
        }
        for entry in fs::read_dir(node.sandbox.project().join(".rocmenv/host/generations"))
            .expect("a folder")
        {
            let entry = entry.expect("an entry").path();
            let is_current = entry.ends_with(node.generation().to_string());
            assert!(!(is_current && entry.join("building").exists()), "call {at}");
        }
        if done {
            break;
        }
        killed += 1;
        if node.generation() != 1 {
            node.must("rocm", "rollback --to 1 --files");
        }
    }
    assert!(killed >= 3, "only {killed} calls of {calls} were reached");
}

#[test]
fn a_kill_at_any_rename_leaves_the_old_or_the_new() {
    sweep("rename,renameat,renameat2");
}

#[test]
fn a_kill_at_any_flush_leaves_the_old_or_the_new() {
    sweep("fsync,fdatasync,syncfs");
}

#[test]
fn a_kill_at_any_removal_leaves_the_old_or_the_new() {
    sweep("unlink,unlinkat,rmdir");
}

#[test]
fn a_kill_at_any_link_leaves_the_old_or_the_new() {
    sweep("link,linkat,symlink,symlinkat");
}

fn has_strace() -> bool {
    let found = std::process::Command::new("strace").arg("-V").output().is_ok();
    if !found {
        // past the harness's capture, so that it is seen
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"test skipped: strace is not installed\n",
        );
    }
    found
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
            text += &format!(
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
