//! A real upgrade of real wheels: JAX for ROCm 7.2.4, then 7.14, then 10, over hosts that are
//! given as files; a verification that fails at the last stage; and back to the first generation.

use std::time::Instant;

use rocmenv_tests::{Output, Sandbox};

use super::{DAY, chosen, rocmenv, sandbox};

#[test]
fn jax_moves_from_rocm_7_2_over_7_14_to_10_and_back() {
    let test = "jax_moves_from_rocm_7_2_over_7_14_to_10_and_back";
    let Some(sandbox) = sandbox(test) else { return };
    for (name, rocm, driver) in [
        ("first", "7.2.4", "30.20.1"),
        ("middle", "7.14.0", "30.20.1"),
        ("driver", "7.14.0", "31.50.0"),
        ("last", "10.0.0", "31.50.0"),
    ] {
        let host = HOST.replace("ROCM", rocm).replace("DRIVER", driver);
        sandbox.write(&format!("{name}.json"), host);
    }
    // The lock is of the day on which 0.9.2 was wished for; later any newer one will do.
    let manifest = |jax: &str| {
        format!(
            "{DAY}[requires]\nrocm = \"7.2\"\npython = \"3.12\"\njax = \"{jax}\"\n\n\
             [rocm]\nchannel = \"host\"\n\n[verify]\ncommands = [\"test ! -e broken\"]\n"
        )
    };
    sandbox.write("rocm.toml", manifest("==0.9.2"));
    let timed = |name: &str, host: &str, words: &str| {
        let start = Instant::now();
        let output = call(&sandbox, host, words);
        let seconds = start.elapsed().as_secs_f64();
        let line = format!("{test}: {name}: {seconds:.2} s\n");
        let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
        output
    };
    let must = |name: &str, host: &str, words: &str, code: i32| {
        let output = timed(name, host, words);
        assert_eq!(output.code, code, "{name}: {}", output.snapshot());
        output
    };
    must("sync 7.2.4", "first", "sync", 0);
    let first = plugin(&sandbox);
    assert!(first.starts_with("jax-rocm7-plugin 0.9.2"), "{first}");
    sandbox.write("rocm.toml", manifest(">=0.9.2"));
    must("lock", "first", "lock", 0);
    assert_eq!(plugin(&sandbox), first, "a lock keeps what it had");
    must("plan", "first", "upgrade --to 7.14", 0);
    // The ROCm of the host is the owner's step.
    must("begin", "first", "upgrade --to 7.14 --apply --yes", 6);
    must("to 7.14", "middle", "upgrade --continue", 0);
    assert_eq!(runs(&sandbox), "0.12.0");
    must("begin the last", "middle", "upgrade --to 10.0 --driver 31.50.0 --apply --yes", 6);
    must("driver", "driver", "upgrade --continue", 6);
    sandbox.write("broken", "");
    let failed = must("to 10.0, failing", "last", "upgrade --continue", 1);
    assert!(failed.stderr.contains("upgrade-taken-back"), "{}", failed.stderr);
    assert_eq!(runs(&sandbox), "0.12.0");
    assert!(plugin(&sandbox).starts_with("jax-rocm7-plugin"), "taken back");
    fs_err::remove_file(sandbox.project().join("broken")).expect("removed");
    must("to 10.0", "last", "upgrade --continue", 0);
    assert!(plugin(&sandbox).starts_with("jax-rocm10-plugin"), "{}", plugin(&sandbox));
    must("rollback --to 1", "first", "rollback --to 1", 0);
    assert_eq!(runs(&sandbox), "0.9.2");
}

fn call(sandbox: &Sandbox, host: &str, words: &str) -> Output {
    let file = format!("{host}.json");
    let mut all = vec!["--host", &file];
    all.extend(words.split_whitespace());
    rocmenv(sandbox, &all)
}

fn plugin(sandbox: &Sandbox) -> String {
    let all = chosen(&sandbox.read("rocm.lock"));
    all.into_iter().find(|one| one.contains("-plugin ")).expect("a plugin")
}

fn runs(sandbox: &Sandbox) -> String {
    let code = "import jax; print(jax.__version__)";
    let output = rocmenv(sandbox, &["run", "python", "-c", code]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    output.stdout.trim().to_owned()
}

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
