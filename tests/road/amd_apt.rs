//! AMD's apt repositories: addresses and suites are the registry's, whom to trust is the user's.

use insta::{allow_duplicates, assert_snapshot};
use rocmenv_tests::channels::{Internet, amd_classic};
use rocmenv_tests::{Sandbox, SigningKey};

use super::{bare, connected, rocmenv, snapshot};

#[test]
fn a_fingerprint_is_all_that_the_user_says() {
    let (_internet, sandbox) = amd();
    ask(&sandbox, &trusted("amd-apt-classic-7.2.4", &key().fingerprint()));
    runs_what_is_locked(&sandbox);
    // the name of the channel stands for all of its releases; people write fingerprints in groups
    let spaced: String = key().fingerprint().chars().flat_map(|digit| [digit, ' ']).collect();
    ask(&sandbox, &trusted("amd-apt-classic", &spaced));
    let output = rocmenv(&sandbox, "lock -q --upgrade");
    assert_eq!(output.code, 0, "{}", output.snapshot());
}

#[test]
fn nobody_is_trusted_by_first_use() {
    let (internet, sandbox) = amd();
    ask(&sandbox, "");
    let output = rocmenv(&sandbox, "lock");
    assert_eq!(output.code, 1, "{}", output.snapshot());
    assert!(
        output.stderr.contains("the key's `fingerprint` for one of AMD's"),
        "{}",
        output.stderr
    );
    let asked = internet.server.requests();
    let of_amd = |path: &str| path.starts_with("/repo.radeon.com/");
    assert!(!asked.iter().any(|request| of_amd(&request.path)), "nobody may be asked");
}

#[test]
fn what_is_published_counts_only_if_it_is_the_trusted_key() {
    let (_internet, sandbox) = amd();
    let other = SigningKey::new("someone else").fingerprint();
    ask(&sandbox, &trusted("amd-apt-classic-7.2.4", &other));
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
        exit: 5
        --- stdout ---
        --- stderr ---
        error[index-integrity]: cannot get package lists of `amd-apt-classic-7.2.4`
          caused by: `https://repo.radeon.com/rocm/rocm.gpg.key` has no key with the fingerprint 763D5186167A09D745FA23E95A2A93FB3BC18C57
        help: rocmenv explain index-integrity
        ");
}

#[test]
fn an_entry_of_the_hosts_sources_names_the_key() {
    let (internet, sandbox) = amd();
    let keyring = key().write_keyring(&sandbox.path("keyrings"));
    let line = format!(
        "deb [arch=amd64 signed-by={}] https://repo.radeon.com/rocm/apt/7.2.4 noble main\n",
        keyring.display()
    );
    fs_err::write(sandbox.path("apt.sources"), "").expect("writable");
    let sources = sandbox.write("amd.list", line);
    ask(&sandbox, "");
    let call = sandbox.command(env!("CARGO_BIN_EXE_rocmenv"));
    let output = call.arg("lock").env("ROCMENV_APT_SOURCES", sources.display().to_string()).run();
    assert_eq!(output.code, 0, "{}", output.snapshot());
    assert!(output.stderr.contains("ROCm 7.2.4 (amd)"), "{}", output.stderr);
    let asked = internet.server.requests();
    assert!(!asked.iter().any(|request| request.path.ends_with("rocm.gpg.key")));
}

#[test]
fn half_a_fingerprint_and_unknown_repositories_are_refused() {
    let (_internet, sandbox) = amd();
    ask(&sandbox, &trusted("amd-apt-classic", "1A693C5C"));
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[manifest-invalid]: rocm.toml:11:15: `1A693C5C` is no whole fingerprint of a key, which has 40 or 64 hexadecimal digits
        help: rocmenv explain manifest-invalid
        ");
    ask(&sandbox, &trusted("amd-apt-clasic", &key().fingerprint()));
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-name]: rocm.toml:11: no apt repository `amd-apt-clasic` is known; did you mean `amd-apt-classic`?
        help: rocmenv explain unknown-name
        ");
    ask(&sandbox, "[indexes.amd-apt-classic]\nkind = \"apt\"\n");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[manifest-invalid]: rocm.toml:10:10: an index needs its `url`
        help: rocmenv explain manifest-invalid
        ");
}

/// Every package of a lock asks where it is served, and where nothing is cached all ask for the
/// one list at once. It is fetched, unpacked and cleared away once, whoever is first.
#[test]
fn packages_of_one_list_share_it_where_nothing_is_cached() {
    let (internet, sandbox) = amd();
    ask(&sandbox, &trusted("amd-apt-classic-7.2.4", &key().fingerprint()));
    let locked = rocmenv(&sandbox, "lock -q");
    assert_eq!(locked.code, 0, "{}", locked.snapshot());
    let asked = |end: &str| {
        let requests = internet.server.requests();
        requests.iter().filter(|request| request.path.contains(end)).count()
    };
    internet.server.forget_requests();
    let call = sandbox.command(env!("CARGO_BIN_EXE_rocmenv"));
    let call = call.args(["sync", "-q", "--target", "node"]);
    let made = call.env("ROCMENV_CACHE", sandbox.path("new").display().to_string()).run();
    assert_eq!(made.code, 0, "{}", made.snapshot());
    assert_eq!(asked("/by-hash/SHA256/"), 1, "the list comes once");
    assert_eq!(asked("/InRelease"), 1, "its signature, too");
}

/// Locks, makes and runs what AMD's repository of 7.2.4 has in small.
pub(super) fn runs_what_is_locked(sandbox: &Sandbox) {
    allow_duplicates! {
        assert_snapshot!(snapshot(sandbox, "lock"), @r"
            exit: 0
            --- stdout ---
            --- stderr ---
            locked 4 packages for `node`: ROCm 7.2.4 (amd)
             + hip-runtime-amd 7.2.53211.70204-1
             + rocm-core 7.2.4.70204-1
             + rocm-hip-runtime 7.2.4.70204-1
             + rocminfo 1.0.0.70204-1
            ");
        assert_snapshot!(snapshot(sandbox, "sync --target node"), @r"
            exit: 0
            --- stdout ---
            --- stderr ---
             + hip-runtime-amd 7.2.53211.70204-1
             + rocm-core 7.2.4.70204-1
             + rocm-hip-runtime 7.2.4.70204-1
             + rocminfo 1.0.0.70204-1
            made generation 1 for `node`: 4 packages
            ");
        assert_snapshot!(snapshot(sandbox, "run -q rocminfo"), @r"
            exit: 0
            --- stdout ---
            a fixture
            --- stderr ---
            ");
    }
}

/// The key that AMD signs with in this world.
pub(super) fn key() -> SigningKey {
    SigningKey::new("amd")
}

/// AMD's repository of 7.2.4 and the place where its key is published.
fn amd() -> (Internet, Sandbox) {
    let published = key().armored().into_bytes();
    connected(bare().apt(amd_classic(&key())).file(PUBLISHED, published))
}

/// Where AMD publishes the key.
pub(super) const PUBLISHED: &str = "https://repo.radeon.com/rocm/rocm.gpg.key";

fn trusted(index: &str, fingerprint: &str) -> String {
    format!("[indexes.\"{index}\"]\nfingerprint = \"{fingerprint}\"\n")
}

fn ask(sandbox: &Sandbox, more: &str) {
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\nrocm = \"7.2.4\"\n[rocm]\nchannel = \"amd\"\n\
             components = [\"runtime\"]\n[targets.node]\nos = \"ubuntu-24.04\"\n\
             gpus = [\"MI300X\"]\ndriver = \"30.30.0\"\n{more}"
        ),
    );
}
