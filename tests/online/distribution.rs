//! ROCm and Python out of Debian 12's own signed archive, unpacked without root.

use super::{DAY, rocmenv, sandbox, skipped};

/// Whether this is the system whose archive these tests speak of.
pub(super) fn is_bookworm(test: &str) -> bool {
    let release = fs_err::read_to_string("/etc/os-release").unwrap_or_default();
    let is = release.contains("VERSION_CODENAME=bookworm");
    if !is {
        skipped(test, "it needs Debian 12");
    }
    is
}

#[test]
fn the_runtime_loads_and_says_that_there_is_no_device() {
    let test = "the_runtime_loads_and_says_that_there_is_no_device";
    let Some(sandbox) = sandbox(test).filter(|_| is_bookworm(test)) else { return };
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"5.2\"\npython = \"3.11\"\n\
         [rocm]\nchannel = \"distro\"\ncomponents = [\"runtime\", \"smi\"]\n\
         [python]\nsource = \"distro\"\n",
    );
    let output = rocmenv(&sandbox, &["sync"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let lock = sandbox.read("rocm.lock");
    for name in ["libamdhip64-5", "libhsa-runtime64-1", "rocminfo", "python3.11"] {
        assert!(lock.contains(&format!("name = \"{name}\"")), "{name}: {lock}");
    }
    for host in ["libc6", "libgcc-s1", "libstdc++6"] {
        assert!(!lock.contains(&format!("name = \"{host}\"")), "{host} is always the host's");
    }
    let info = rocmenv(&sandbox, &["run", "rocminfo"]);
    assert!(info.stdout.contains("ROCk module is NOT loaded"), "{}", info.snapshot());
    let code = "import ctypes\n\
        hip = ctypes.CDLL('libamdhip64.so.5')\n\
        number = ctypes.c_int()\n\
        print(hip.hipRuntimeGetVersion(ctypes.byref(number)), number.value)\n\
        print(hip.hipGetDeviceCount(ctypes.byref(number)))\n";
    let output = rocmenv(&sandbox, &["run", "python", "-c", code]);
    assert_eq!(output.stdout, "0 50221153\n100\n", "{}", output.snapshot());
    let code = "import sys; print(sys.version_info[:2])";
    let output = rocmenv(&sandbox, &["run", "python", "-c", code]);
    assert_eq!(output.stdout, "(3, 11)\n", "{}", output.snapshot());
}

#[test]
fn hipcc_compiles_a_kernel_for_two_targets() {
    let test = "hipcc_compiles_a_kernel_for_two_targets";
    let Some(sandbox) = sandbox(test).filter(|_| is_bookworm(test)) else { return };
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"5.2\"\n\
         [rocm]\nchannel = \"distro\"\ncomponents = [\"runtime\", \"hip-dev\"]\n",
    );
    let output = rocmenv(&sandbox, &["sync"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    sandbox.write(
        "add.hip.cpp",
        "#include <hip/hip_runtime.h>\n\
         __global__ void add(float* a, const float* b) { a[threadIdx.x] += b[threadIdx.x]; }\n",
    );
    let words = ["run", "hipcc", "--offload-arch=gfx90a", "--offload-arch=gfx1030"];
    let output = rocmenv(&sandbox, &[&words[..], &["-c", "add.hip.cpp", "-o", "add.o"]].concat());
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let object = fs_err::read(sandbox.project().join("add.o")).unwrap_or_default();
    let holds = |needle: &[u8]| object.windows(needle.len()).any(|window| window == needle);
    assert!(holds(b"gfx90a") && holds(b"gfx1030"));
}

#[test]
fn files_of_the_prefix_load_each_other_without_a_variable() {
    let test = "files_of_the_prefix_load_each_other_without_a_variable";
    let Some(sandbox) = sandbox(test).filter(|_| is_bookworm(test)) else { return };
    // Of a described target nothing is known to be installed, so that all of LLVM is in the prefix.
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"5.2\"\n\
         [rocm]\nchannel = \"distro\"\ncomponents = [\"runtime\", \"hip-dev\", \"smi\"]\n\
         [targets.node]\nos = \"debian-12\"\ngpus = [\"gfx90a\"]\n",
    );
    let output = rocmenv(&sandbox, &["sync", "--target", "node"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let prefix = sandbox.project().join(".rocmenv/node/generations/1/rocm");
    let alone = |words: &[&str]| {
        sandbox.command("env").args(["-i", "PATH=/usr/bin:/bin"]).args(words).run()
    };
    let info = alone(&[&prefix.join("usr/bin/rocminfo").display().to_string()]);
    assert!(info.stdout.contains("ROCk module is NOT loaded"), "{}", info.snapshot());
    // What the prefix has comes from it, for every file that a loader may load.
    let files = files_of(&prefix);
    let mut checked = 0;
    for file in &files {
        let listed = alone(&["ldd", &file.display().to_string()]);
        for line in listed.stdout.lines().filter_map(|line| line.trim().split_once(" => ")) {
            let (name, from) = line;
            let held = files.iter().any(|file| file.ends_with(format!("x86_64-linux-gnu/{name}")));
            if held {
                let from_prefix = from.starts_with(&prefix.display().to_string());
                assert!(from_prefix, "{}: {name} => {from}", file.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 1000, "{checked} of {} files", files.len());
}

/// Programs and libraries below a folder: libraries by every name that they have, programs by
/// their own, which the system takes for `$ORIGIN` whatever link they are started by (ldd does not).
fn files_of(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let path = entry.path();
        let kind = entry.file_type().expect("a kind");
        let is_other_name = kind.is_symlink() && !path.to_string_lossy().contains(".so");
        let is_elf = || fs_err::read(&path).is_ok_and(|bytes| bytes.starts_with(b"\x7fELF\x02"));
        if kind.is_dir() {
            found.extend(files_of(&path));
        } else if !is_other_name && is_elf() {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn a_newer_suite_is_refused_for_its_c_library() {
    let test = "a_newer_suite_is_refused_for_its_c_library";
    let Some(sandbox) = sandbox(test).filter(|_| is_bookworm(test)) else { return };
    // the machine's own mirror and keys, another suite
    let own = fs_err::read_to_string("/etc/apt/sources.list.d/debian.sources").unwrap_or_default();
    let Some(entry) = own.split("\n\n").find(|entry| entry.contains("Suites: bookworm ")) else {
        skipped(test, "it needs Debian's own sources entry");
        return;
    };
    let line = |line: &str| match line.split_once(": ") {
        Some(("Suites", _)) => "Suites: trixie".to_owned(),
        _ => line.to_owned(),
    };
    let entry: Vec<String> = entry.lines().map(line).collect();
    let sources = sandbox.write("trixie.sources", entry.join("\n") + "\n");
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"*\"\n[rocm]\nchannel = \"distro\"\ncomponents = [\"runtime\"]\n",
    );
    let output = sandbox
        .command(env!("CARGO_BIN_EXE_rocmenv"))
        .arg("lock")
        .env("ROCMENV_APT_SOURCES", sources)
        .run();
    assert_eq!(output.code, 1, "{}", output.snapshot());
    assert!(output.stderr.contains("needs libc6 >= 2.38"), "{}", output.stderr);
    assert!(output.stderr.contains("glibc 2.36"), "{}", output.stderr);
}

#[test]
fn bookworms_rocm_is_kept_beside_a_wheel_environment_and_both_are_switched_to() {
    let test = "bookworms_rocm_is_kept_beside_a_wheel_environment_and_both_are_switched_to";
    let Some(sandbox) = sandbox(test).filter(|_| is_bookworm(test)) else { return };
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"5.2\"\npython = \"3.11\"\n\
         [rocm]\nchannel = \"distro\"\ncomponents = [\"runtime\", \"smi\"]\n",
    );
    let call = |words: &[&str]| {
        let output = rocmenv(&sandbox, words);
        assert_eq!(output.code, 0, "{}", output.snapshot());
        output.stdout
    };
    call(&["sync"]);
    // The same project moves to wheels; the distribution's environment stays as generation 1.
    sandbox.write(
        "rocm.toml",
        format!(
            "{DAY}[requires]\nrocm = \"7.2\"\npython = \"3.12\"\njax = \"*\"\n\
             [rocm]\nchannel = \"host\"\n"
        ),
    );
    sandbox.write("wheels.json", WHEELS_HOST);
    call(&["--host", "wheels.json", "sync"]);
    let hip = "import ctypes\n\
        hip = ctypes.CDLL('libamdhip64.so.5')\n\
        number = ctypes.c_int()\n\
        print(hip.hipRuntimeGetVersion(ctypes.byref(number)), number.value)\n";
    let jax = "import sys, jax; print(sys.version_info[:2], jax.__version__)";
    for _ in 0..2 {
        assert_eq!(call(&["run", "python", "-c", jax]), "(3, 12) 0.10.0\n");
        let absent = rocmenv(&sandbox, &["run", "python", "-c", hip]);
        assert_ne!(absent.code, 0, "no library of the other: {}", absent.snapshot());
        call(&["rollback", "--to", "1"]);
        assert_eq!(call(&["run", "python", "-c", hip]), "0 50221153\n");
        let info = rocmenv(&sandbox, &["run", "rocminfo"]);
        assert!(info.stdout.contains("ROCk module is NOT loaded"), "{}", info.snapshot());
        let absent = rocmenv(&sandbox, &["run", "python", "-c", jax]);
        assert_ne!(absent.code, 0, "no module of the other: {}", absent.snapshot());
        call(&["rollback", "--to", "2"]);
    }
    let difference = call(&["generations", "diff", "1", "2"]);
    assert!(difference.starts_with("ROCm 5.2"), "{difference}");
}

/// This machine with a GPU and ROCm 7.2.4, for the wheels that use the host's own.
const WHEELS_HOST: &str = r#"{
    "schema": 1,
    "os": { "family": "linux", "release": "ubuntu-24.04", "codename": "noble" },
    "kernel": { "release": "6.8.0-45-generic" },
    "libc": { "kind": "glibc", "version": "2.36" },
    "arch": "x86_64",
    "driver": { "loaded": true, "flavour": "dkms", "release": "30.20.1" },
    "gpus": [ { "gfx": "gfx942", "product": "AMD Instinct MI300X" } ],
    "rocm": [ { "path": "/opt/rocm", "version": "7.2.4" } ]
}"#;
