//! An upgrade from its plan to its end: stages of the host and of the environment, a verification
//! that fails, the ways back, and a kill at any instant.

use std::fmt::Write as _;

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
    insta::assert_snapshot!(node.snapshot("first", wish), @r"
        exit: 0
        --- stdout ---
        driver 30.20.1 -> 31.50.0, firmware none -> 01.26.00.04, ROCm 7.2.4 -> 10.0.0, jax 0.30.0 -> 0.32.0: 3 stages, 2 reboots

        stage 1 (you): firmware none -> 01.26.00.04
          costs     1 reboot
          verified  you say that firmware is 01.26.00.04; the driver shows AMD Instinct MI300X
          undone    by a backup of the firmware only
          note: the maker of the machine gives the bundle 01.26.00.04 for AMD Instinct MI300X
          note: no probe can read it: `rocmenv upgrade --continue --yes` says that it is done

        stage 2 (rocmenv): ROCm 7.2.4 -> 10.0.0, jax 0.30.0 -> 0.32.0
          costs     download not known; disk not known
          loses     ROCm Bandwidth Test (use TransferBench or ROCm Validation Suite); rocALUTION; hipfort; MIVisionX; rocAL; rocPyDecode; MIGraphX (use MIGraphX and ONNX Runtime apart from the SDK)
          moves     jax -> jax-rocm10-plugin; rocm-sdk-libraries-FAMILY -> rocm-sdk-libraries with rocm-sdk-device-GFX; rocm-*, hip-* -> amdrocm-*; /opt/rocm-X.Y.Z -> /opt/rocm/core-X.Y; https://repo.radeon.com/rocm/manylinux/ -> https://repo.amd.com/rocm/whl-multi-arch/; https://repo.radeon.com/rocm/apt/ -> https://repo.amd.com/rocm/packages-multi-arch/; https://repo.amd.com/rocm/whl-multi-arch/ -> https://stable.repo.amd.com/rocm/whl-next/; https://repo.amd.com/rocm/packages-multi-arch/ -> https://stable.repo.amd.com/rocm/core/packages/; jax-rocm7-plugin, jax-rocm7-pjrt -> jax-rocm10-plugin, jax-rocm10-pjrt
          unproven  jax 0.32.0 with ROCm 10.0.0
          footing   built, not listed
          notes     first technology preview of TheRock; first production release of TheRock; RHEL 10.1 and 9.7: RHEL 10.2, 10.0, 9.8, 9.6, 9.4, 8.10; version numbers go from 7.14 to 10.0; ROCm 7.2.4 or older installed by a package manager or runfile: uninstall it first
          verified  jax is imported; the commands of [verify] succeed
          undone    by the generation before, at once and offline

        stage 3 (you): driver 30.20.1 -> 31.50.0
          costs     1 reboot
          loses     driver no longer serves ROCm 6.3 6.4: older generations need the former one
          unproven  jax 0.32.0 with ROCm 10.0.0
          footing   built, not listed
          verified  driver is 31.50.0; the driver shows AMD Instinct MI300X
          undone    by installing driver 30.20.1 again
          do:
            sudo apt autoremove amdgpu-dkms
            sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
            echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/31.50/ubuntu noble main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
            sudo apt update
            sudo apt install amdgpu-dkms
            sudo reboot
          hold:
            sudo apt-mark hold amdgpu-dkms amdgpu-dkms-firmware
          way back:
            sudo apt-mark unhold amdgpu-dkms amdgpu-dkms-firmware
            sudo apt autoremove amdgpu-dkms
            sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
            echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/30.20.1/ubuntu noble main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
            sudo apt update
            sudo apt install amdgpu-dkms
            sudo reboot
          kernels that AMD names: 6.17 HWE; 6.17 OEM; 6.8 GA
          note: the driver's packages are kept when the step comes, where you trust a key for AMD's repository; then it installs from files
          note: the packages of driver 30.20.1 are not kept: the way back needs AMD's repository

        rocmenv upgrade --apply begins
        --- stderr ---
        registry of [DATE]
        ");
    let plan = node.call("first", &format!("{wish} --json"));
    let plan: serde_json::Value = serde_json::from_str(&plan.stdout).expect("JSON");
    assert_eq!(plan["stages"].as_array().map(Vec::len), Some(3), "{plan:#}");
    // Nobody has allowed the commands yet, so that nothing could be verified.
    insta::assert_snapshot!(node.snapshot("first", &format!("{wish} --apply")), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[not-allowed]: nobody has allowed the commands of this rocm.toml to be run, so no stage can be verified
        help: rocmenv upgrade --apply --yes
        ");
    // `--yes` allows them, and says that the firmware is there. Next comes the ROCm of the host
    // itself, which is what this project uses.
    insta::assert_snapshot!(node.snapshot("first", &format!("{wish} --apply --yes")), @r"
        exit: 6
        --- stdout ---
        stage 2 is yours: ROCm of the host 7.2.4 -> 10.0.0
          ROCm has to become 10.0.0; this host has 7.2.4
        do:
          sudo apt autoremove rocm-core
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://stable.repo.amd.com/rocm/core/packages/ubuntu2404/ stable main' | sudo tee /etc/apt/sources.list.d/rocm.list && sudo apt update
          sudo apt install amdrocm-core-sdk10.0
        way back:
          sudo apt remove amdrocm-core-sdk10.0
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/rocm/apt/7.2.4 noble main' | sudo tee /etc/apt/sources.list.d/rocm.list && sudo apt update
          sudo apt install rocm
        kernels that AMD names: 6.17 HWE; 6.17 OEM; 6.8 GA
        note: AMD's guide has ROCm 7.2.4 removed before 10.0.0 is installed
        then: rocmenv upgrade --continue (or `rocmenv upgrade --abort`)
        --- stderr ---
        stage 1: firmware none -> 01.26.00.04: the host is so
        ");
    insta::assert_snapshot!(node.snapshot("first", &format!("{wish} --apply")), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[upgrade-under-way]: an upgrade of [TIME] is under way: 1 of 3 stages are done
        help: rocmenv upgrade --continue (or `rocmenv upgrade --abort`)
        ");
    assert_eq!(node.call("first", "upgrade --continue").code, 6, "the host is not so yet");
    let before = (node.file("rocm.toml"), node.file("rocm.lock"));
    node.sandbox.write("broken", "");
    let failed = node.call("rocm", "upgrade --continue");
    assert_eq!(failed.code, 1, "{}", failed.snapshot());
    assert!(failed.stderr.contains("error[upgrade-taken-back]"), "{}", failed.stderr);
    let evidence = failed.stderr.split('`').find(|text| text.ends_with("evidence-2.json"));
    let evidence = fs::read_to_string(evidence.expect("a path")).expect("the evidence is kept");
    assert!(evidence.contains("test ! -e broken"), "{evidence}");
    assert_eq!(node.jax(), "0.30.0", "taken back");
    assert_eq!((node.file("rocm.toml"), node.file("rocm.lock")), before);
    let status = node.call("rocm", "status").stdout;
    assert!(status.contains("1 of 3 stages done, the last stage was taken back"), "{status}");
    fs::remove_file(node.sandbox.project().join("broken")).expect("removed");
    let driver = node.call("rocm", "upgrade --continue");
    assert_eq!(driver.code, 6, "{}", driver.snapshot());
    assert!(driver.stdout.contains("driver has to become 31.50.0"), "{}", driver.stdout);
    insta::assert_snapshot!(node.snapshot("last", "upgrade --continue"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        stage 3: driver 30.20.1 -> 31.50.0: the host is so
        all 3 stages are done
        ");
    assert_eq!(node.jax(), "0.32.0");
    assert!(node.file("rocm.toml").contains("jax = \">=0.30\"  # any"), "the wish stays");
    insta::assert_snapshot!(node.snapshot("last", "generations diff 1 3"), @r"
        exit: 0
        --- stdout ---
        ROCm 7.2.4 -> 10.0.0: needs driver in 30.10..31.50.99, jax 0.30.0 -> 0.32.0
         ~ jax 0.30.0 -> 0.32.0
         + jax-rocm10-pjrt 0.32.0
         + jax-rocm10-plugin 0.32.0
         - jax-rocm7-pjrt 0.30.0
         - jax-rocm7-plugin 0.30.0
         ~ jaxlib 0.30.0 -> 0.32.0
        --- stderr ---
        ");
    // By hand, to the first one, whose driver the host has no more.
    insta::assert_snapshot!(node.snapshot("last", "rollback --to 1"), @r"
        exit: 0
        --- stdout ---
        ROCm 10.0.0 -> 7.2.4: needs driver in 6.4..31.50.99, jax 0.32.0 -> 0.30.0
         ~ jax 0.32.0 -> 0.30.0
         - jax-rocm10-pjrt 0.32.0
         - jax-rocm10-plugin 0.32.0
         + jax-rocm7-pjrt 0.30.0
         + jax-rocm7-plugin 0.30.0
         ~ jaxlib 0.32.0 -> 0.30.0
        --- stderr ---
        warning: generation 1 is not for this host: the lock needs `host rocm = 7.2`; this host has ROCm 10.0.0
        generation 1 is current, 3 was
        rocm.toml and rocm.lock were left as they are; `sync` waits for `rocmenv rollback --files` or `rocmenv sync --unpin`
        ");
    assert_eq!(node.jax(), "0.30.0");
    insta::assert_snapshot!(node.snapshot("last", "upgrade --continue"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[upgrade-none]: no upgrade is under way
        help: rocmenv upgrade --apply
        ");
}

#[test]
fn an_upgrade_that_was_begun_can_be_left() {
    let node = Node::new();
    let before = (node.file("rocm.toml"), node.file("rocm.lock"));
    node.must("rocm", "upgrade --to 10.0 --apply --yes");
    assert_eq!((node.jax().as_str(), node.generation()), ("0.32.0", 2));
    insta::assert_snapshot!(node.snapshot("rocm", "upgrade --abort"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[upgrade-none]: no upgrade is under way
        help: rocmenv upgrade --apply
        ");
    node.must("rocm", "rollback --to 1 --files");
    let code = node.call("rocm", "upgrade --to 10.0 --driver 31.50.0 --apply").code;
    assert_eq!(code, 6);
    insta::assert_snapshot!(node.snapshot("rocm", "upgrade --abort"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        returned to where the upgrade began: generation 1, rocm.toml and rocm.lock
        ");
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
    let mut node = Node::new();
    // Strace counts calls by thread: with one worker each of its steps has a number.
    node.sandbox.env("RAYON_NUM_THREADS", "1").env("TOKIO_WORKER_THREADS", "1");
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
            node.must("rocm", "upgrade --continue --yes");
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
    assert!(killed >= 2, "only {killed} calls of {calls} were reached");
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
