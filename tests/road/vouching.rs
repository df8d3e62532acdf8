//! A key of AMD's repositories that nobody vouched for, and a person at a terminal who is asked.

use insta::assert_snapshot;
use rocmenv_tests::channels::{Internet, amd_classic};
use rocmenv_tests::{Output, Sandbox, SigningKey};

use super::amd_apt::{PUBLISHED, key};
use super::{bare, connected, rocmenv, snapshot};

/// `rocmenv` before which a person sits, who answers the question about the key.
fn asked(sandbox: &Sandbox, words: &str, typed: &str) -> Output {
    let run = sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words.split_whitespace());
    let run = run.env("ROCMENV_NO_PROGRESS", "1").env("NO_COLOR", "1").without_env("CI");
    run.at_terminal(&[(QUESTION, typed)])
}

#[test]
fn a_yes_is_written_down_and_the_lock_goes_on() {
    let (_internet, sandbox) = amd();
    assert_snapshot!(asked(&sandbox, "lock", "y").snapshot(), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        nobody vouched yet for the key of `amd-apt-classic-7.2.4`
          repository   https://repo.radeon.com/rocm/apt/7.2.4
          fetched from https://repo.radeon.com/rocm/rocm.gpg.key
          named by     ROCm/rocm-install-on-linux, docs/reference/*.rst, docs/install/native-install/ubuntu.rst on branch docs/6.2.4
          fingerprint  C6AB 621E 06F6 7177 9EFC 116C 7641 9E90 092F F663
          user id      amd <amd@example.com>
        whoever can change what lies there can put another key there: compare the fingerprint with one that you have from somewhere else
        Trust this key, in rocm.toml? yes
        added fingerprint = "C6AB621E06F671779EFC116C76419E90092FF663" to [indexes.amd-apt-classic-7.2.4]
        locked 4 packages for `node`: ROCm 7.2.4 (amd)
         + hip-runtime-amd 7.2.53211.70204-1
         + rocm-core 7.2.4.70204-1
         + rocm-hip-runtime 7.2.4.70204-1
         + rocminfo 1.0.0.70204-1
        "#);
    assert_snapshot!(sandbox.read("rocm.toml"), @r#"
        # of the cluster
        [requires]
        rocm = "7.2.4"   # as the others have

        [rocm]
        channel = "amd"
        components = [ "runtime" ]

        [targets.node]
        os = "ubuntu-24.04"
        gpus = ["MI300X"]
        driver = "30.30.0"

        [indexes."amd-apt-classic-7.2.4"]
        fingerprint = "C6AB621E06F671779EFC116C76419E90092FF663"
        # the end
        "#);
    // what was confirmed once is not asked again
    assert_snapshot!(asked(&sandbox, "lock --upgrade", "n").snapshot(), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        kept 4 packages for `node`: ROCm 7.2.4 (amd)
        rocm.lock is up to date
        ");
}

#[test]
fn no_is_what_enter_means() {
    let (_internet, sandbox) = amd();
    for typed in ["\r", "n"] {
        let output = asked(&sandbox, "lock", typed);
        assert_eq!(output.code, 1, "{}", output.snapshot());
        assert!(output.stderr.contains("Trust this key, in rocm.toml? no"), "{}", output.stderr);
        assert_eq!(sandbox.read("rocm.toml"), PROJECT);
    }
}

#[test]
fn nobody_else_is_asked() {
    let (internet, sandbox) = amd();
    let refused = snapshot(&sandbox, "lock");
    for words in ["lock --yes", "lock -q", "lock --json", "lock --dry-run", "lock --check"] {
        let output = asked(&sandbox, words, "y");
        assert_eq!(output.code, 1, "{words}: {}", output.snapshot());
        assert!(!output.stderr.contains(QUESTION), "{words}: {}", output.stderr);
    }
    assert_eq!(snapshot(&sandbox, "lock"), refused);
    assert_eq!(sandbox.read("rocm.toml"), PROJECT);
    let asked = internet.server.requests();
    assert!(!asked.iter().any(|request| request.path.ends_with("rocm.gpg.key")));
}

#[test]
fn a_key_that_cannot_be_shown_is_not_asked_about() {
    let (_internet, sandbox) = connected(bare().apt(amd_classic(&key())));
    sandbox.write("rocm.toml", PROJECT);
    assert_snapshot!(asked(&sandbox, "lock", "y").snapshot(), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        warning: no key of `amd-apt-classic-7.2.4` can be shown: there is nothing at `https://repo.radeon.com/rocm/rocm.gpg.key`
        error[R-index-unreadable]: no set fits target `node`
        package lists of `amd-apt-classic-7.2.4` could not be read: no apt repository is called `amd-apt-classic-7.2.4`, or nobody said who signs it; `[indexes."amd-apt-classic-7.2.4"]` says so: the key's `fingerprint` for one of AMD's, else `url`, `kind = "apt"`, `suites` and `signed-by`
        help: rocmenv explain R-index-unreadable
        "#);
}

#[test]
fn sync_asks_as_lock_does_and_the_key_must_still_have_signed() {
    let (_internet, sandbox) = connected(
        bare().apt(amd_classic(&key())).file(PUBLISHED, SigningKey::new("other").armored()),
    );
    sandbox.write("rocm.toml", PROJECT);
    let output = asked(&sandbox, "sync --target node", "y");
    assert_eq!(output.code, 5, "{}", output.snapshot());
    assert!(output.stderr.contains("none of the expected keys signed it"), "{}", output.stderr);
    let output = rocmenv(&sandbox, "lock");
    assert_eq!(output.code, 5, "{}", output.snapshot());
}

/// AMD's repository of 7.2.4, the place where its key is published, and a project that needs it.
fn amd() -> (Internet, Sandbox) {
    let (internet, sandbox) =
        connected(bare().apt(amd_classic(&key())).file(PUBLISHED, key().armored()));
    sandbox.write("rocm.toml", PROJECT);
    (internet, sandbox)
}

const QUESTION: &str = "[y/N]";

const PROJECT: &str = "\
# of the cluster
[requires]
rocm = \"7.2.4\"   # as the others have

[rocm]
channel = \"amd\"
components = [ \"runtime\" ]

[targets.node]
os = \"ubuntu-24.04\"
gpus = [\"MI300X\"]
driver = \"30.30.0\"
# the end
";
