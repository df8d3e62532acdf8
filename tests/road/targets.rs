//! `target`: colleagues' machines in one lock.

use insta::assert_snapshot;

use super::{GREETING, rocmenv, served, small, snapshot};

const MI300X: &str = r#"{ "schema": 1, "os": { "family": "linux", "release": "ubuntu-24.04" },
  "kernel": { "release": "6.8.0-45-generic" }, "libc": { "kind": "glibc", "version": "2.39" },
  "arch": "x86_64", "driver": { "flavour": "dkms", "release": "31.50.0" },
  "gpus": [ { "gfx": "gfx942", "product": "AMD Instinct MI300X" },
            { "gfx": "gfx942", "product": "AMD Instinct MI300X" } ] }"#;

const ARM: &str = r#"{ "schema": 1, "os": { "family": "linux", "release": "debian-12" },
  "libc": { "kind": "glibc", "version": "2.36" }, "arch": "aarch64", "gpus": [] }"#;

#[test]
fn this_host_is_locked_beside_the_others_which_stay_byte_for_byte() {
    let (_server, sandbox) = served(small());
    sandbox.write("mi300x.json", MI300X);
    sandbox.write("arm.json", ARM);
    let text = format!(
        "{GREETING}\n[targets.cluster]\nos = \"ubuntu-24.04\"\narch = \"x86_64\"\ngpus = [\"MI300X\"]\n"
    );
    sandbox.write("rocm.toml", &text);
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    let lock = sandbox.read("rocm.lock");
    assert_snapshot!(snapshot(&sandbox, "--host arm.json sync"), @r"
        exit: 6
        --- stdout ---
        --- stderr ---
        error[host-does-not-fit]: no target of `rocm.lock` is this host
          cluster:
            the lock needs `arch = x86_64`; this host has aarch64
        help: rocmenv target add (locks this host, too), or rocmenv sync --target cluster
        ");
    assert_snapshot!(snapshot(&sandbox, "--host arm.json target add desk --dry-run"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `desk`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        would lock 2 packages for `desk`: Python [3]
         + greet 1.0
         + words 1.1
          [targets.desk]
          os = "debian-12"
          libc = "2.36"
          arch = "aarch64"
          gpus = []
        nothing was written (`--dry-run`)
        "#);
    assert_eq!(
        (sandbox.read("rocm.toml"), sandbox.read("rocm.lock")),
        (text.clone(), lock.clone())
    );
    assert_snapshot!(snapshot(&sandbox, "--host arm.json target add desk"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `desk`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 2 packages for `desk`: Python [3]
         + greet 1.0
         + words 1.1
          [targets.desk]
          os = "debian-12"
          libc = "2.36"
          arch = "aarch64"
          gpus = []
        added target `desk`; next: rocmenv sync
        "#);
    let both = sandbox.read("rocm.lock");
    let part = |text: &str| {
        text.split("\n\n").find(|part| part.contains("\"cluster\"")).map(str::to_owned)
    };
    assert_eq!(part(&lock), part(&both));
    assert_eq!(rocmenv(&sandbox, "--host arm.json lock --check").code, 0);
    assert_snapshot!(snapshot(&sandbox, "--host arm.json target list"), @r"
        exit: 0
        --- stdout ---
        TARGET   SYSTEM        GPUS                 DRIVER    LOCKED   THIS HOST
        cluster  ubuntu-24.04  AMD Instinct MI300X  not said  default  the lock needs `arch = x86_64`; this host has aarch64
        desk     debian-12     none                 not said  default  fits
        --- stderr ---
        ");
    assert_snapshot!(snapshot(&sandbox, "--host arm.json target add"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        this host fits target `desk` already; nothing was added
        ");
    assert_snapshot!(snapshot(&sandbox, "--host arm.json target add desk"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[target-exists]: `rocm.toml` has a target `desk` already
        help: rocmenv target list
        ");
    assert_snapshot!(snapshot(&sandbox, "target remove dsk"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-target]: no target `dsk` in `rocm.toml`; did you mean `desk`?
        help: --target cluster or --target desk
        ");
    assert_snapshot!(snapshot(&sandbox, "target remove desk"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        removed target `desk`; the others are as they were
        ");
    assert_eq!((sandbox.read("rocm.toml"), sandbox.read("rocm.lock")), (text, lock));
}

#[test]
fn the_host_of_a_first_lock_is_described_when_a_second_comes() {
    let (_server, sandbox) = served(small());
    sandbox.write("mi300x.json", MI300X);
    sandbox.write("arm.json", ARM);
    sandbox.write("rocm.toml", GREETING);
    assert_eq!(rocmenv(&sandbox, "--host mi300x.json lock -q").code, 0);
    let before = sandbox.read("rocm.lock");
    assert_snapshot!(snapshot(&sandbox, "--host arm.json target add desk"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `desk`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 2 packages for `desk`: Python [3]
         + greet 1.0
         + words 1.1
          [targets.host]

          [targets.desk]
          os = "debian-12"
          libc = "2.36"
          arch = "aarch64"
          gpus = []
        the host that rocm.lock was made on is described now, too, as far as its part says
        added target `desk`; next: rocmenv sync
        "#);
    let after = sandbox.read("rocm.lock");
    let without_inputs = |text: &str| {
        let part = text.split("\n\n").find(|part| part.contains("name = \"host\""));
        let lines = part.into_iter().flat_map(str::lines);
        lines.filter(|line| !line.starts_with("inputs")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without_inputs(&before), without_inputs(&after));
    assert_eq!(rocmenv(&sandbox, "lock --check").code, 0);
}

#[test]
fn a_hosts_gpus_and_driver_become_its_description() {
    let (_server, sandbox) = served(small());
    sandbox.write("mi300x.json", MI300X);
    sandbox
        .write("rocm.toml", format!("{GREETING}\n[targets.arm]\narch = \"aarch64\"\ngpus = []\n"));
    assert_snapshot!(snapshot(&sandbox, "--host mi300x.json target add"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        locked 2 packages for `ubuntu-24-04-gfx942`: Python [3]
         + greet 1.0
         + words 1.1
          [targets.ubuntu-24-04-gfx942]
          os = "ubuntu-24.04"
          kernel = "6.8.0"
          libc = "2.39"
          gpus = [{ product = "AMD Instinct MI300X", count = 2 }]
          driver = "31.50.0"
        added target `ubuntu-24-04-gfx942`; next: rocmenv sync
        "#);
}

#[test]
fn trust_is_given_shown_and_taken_back() {
    let (_server, sandbox) = served(small());
    sandbox.write("rocm.toml", format!("{GREETING}\n[verify]\ncommands = [\"python -c pass\"]\n"));
    let said = ["trust --show", "trust", "trust --show", "trust --revoke", "trust --show --json"]
        .map(|words| snapshot(&sandbox, words));
    assert_snapshot!(said.join("\n"), @r#"
        exit: 0
        --- stdout ---
        python -c pass
        --- stderr ---
        nobody has allowed these commands to run: rocmenv trust

        exit: 0
        --- stdout ---
        python -c pass
        --- stderr ---
        these commands are allowed to run; other ones are another question

        exit: 0
        --- stdout ---
        python -c pass
        --- stderr ---
        these commands are allowed to run; other ones are another question

        exit: 0
        --- stdout ---
        python -c pass
        --- stderr ---
        nobody has allowed these commands to run: rocmenv trust

        exit: 0
        --- stdout ---
        {
          "commands": [
            "python -c pass"
          ],
          "trust": "undecided",
          "dry-run": false
        }
        --- stderr ---
        "#);
}
