//! What is newer, what the channels say of it, and the driver's packages of a host step.

use rocmenv_tests::{AptRepository, DebBuilder, SigningKey, Suite, WheelBuilder, World};

use super::{bare, connected, pass_a_second, rocmenv, served, small, snapshot};

#[test]
fn what_is_newer_is_told_within_and_beyond_what_was_asked() {
    let (mut server, mut sandbox) = served(small());
    sandbox.filter(r"20\d\d-\d\d-\d\d", "[DAY]");
    sandbox.write(
        "rocm.toml",
        "[project]\nname = \"p\"\n\n[python-packages]\ngreet = \"*\"\nwords = \"<2\"\n",
    );
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    pass_a_second();
    let newer = small().wheel(WheelBuilder::new("words", "1.5"));
    server.replace(World::new().index(newer.wheel(WheelBuilder::new("words", "3.0"))));
    let before = sandbox.read("rocm.lock");
    insta::assert_snapshot!(snapshot(&sandbox, "outdated"), @r"
        exit: 0
        --- stdout ---
        PACKAGE  LOCKED  IN RANGE  BEYOND
        words    1.1     1.5       3.0
        releases were looked for on [DAY], the next look is due on [DAY]
        registry of [DAY]
        --- stderr ---
        ");
    assert_eq!(sandbox.read("rocm.lock"), before, "nothing is written");
}

#[test]
fn channels_are_asked_for_releases_that_nobody_knew() {
    let page = "<a href=\"rocm-10.1.0.tar.gz\">x</a><a href=\"rocm-10.3.0.tar.gz\">x</a>";
    let folders = "<a href=\"7.2.4/\">7.2.4/</a><a href=\"latest/\">latest/</a>";
    let world = bare()
        .file("https://stable.repo.amd.com/rocm/whl-next/rocm/", page)
        .file("https://repo.radeon.com/rocm/apt/", folders);
    let (_internet, mut sandbox) = connected(world);
    sandbox.filter(r"20\d\d-\d\d-\d\d", "[DAY]");
    sandbox.write("rocm.toml", "[project]\nname = \"p\"\n\n[python-packages]\nnumpy = \"*\"\n");
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    insta::assert_snapshot!(snapshot(&sandbox, "outdated --online"), @r"
        exit: 0
        --- stdout ---
        every package is the newest that this target can have
        ROCm 10.3.0 is on `amd-whl-next` and not in this registry: look for a newer rocmenv
        `amd-manylinux`: not served here (404); these serve the newest: amd-whl-next
        `amd-windows`: not served here (404); these serve the newest: amd-whl-next
        `amd-multi-arch`: failed to fetch `https://repo.amd.com/rocm/whl-multi-arch/rocm/`
        2 of 5 channels answered
        registry of [DAY]
        --- stderr ---
        ");
    let kept = fs_err::read_to_string(sandbox.path("home/data/rocmenv/releases-looked-for"));
    assert!(kept.is_ok_and(|day| day.trim().len() == 10), "the day of the look is kept");
    insta::assert_snapshot!(snapshot(&sandbox, "outdated --online --offline"), @r"
        exit: 4
        --- stdout ---
        --- stderr ---
        error[offline]: offline: the list of releases is not in the cache
        help: run it again without `--offline`
        ");
}

/// AMD's driver of one release, as its repository has it: what it needs of the distribution is
/// not there.
fn driver(release: &str, version: &str, key: &SigningKey) -> AptRepository {
    let packages = [
        DebBuilder::new("amdgpu-dkms", version)
            .depends("dkms (>= 1.95), amdgpu-dkms-firmware (>= 1)")
            .file("/usr/src/amdgpu/dkms.conf", "PACKAGE_NAME=amdgpu\n"),
        DebBuilder::new("amdgpu-dkms-firmware", version).file("/lib/firmware/amdgpu/x.bin", "x"),
        DebBuilder::new("amdgpu-core", version),
    ];
    let suite = packages.iter().fold(Suite::new("noble").signed_by(key), Suite::package);
    AptRepository::new(&format!("amdgpu-{release}"))
        .at(&format!("https://repo.radeon.com/amdgpu/{release}/ubuntu"))
        .suite(suite)
}

#[test]
fn a_fingerprint_is_enough_to_keep_the_packages_of_a_driver() {
    let key = SigningKey::new("amd");
    let world = bare()
        .file("https://repo.radeon.com/rocm/rocm.gpg.key", key.armored())
        .apt(driver("30.20.1", "1:6.16.6.30200100-2255209.24.04", &key))
        .apt(driver("31.50", "1:6.18.4.31500000-2300000.24.04", &key));
    let (_internet, sandbox) = connected(world);
    let ask = |fingerprint: &str| {
        sandbox.write(
            "rocm.toml",
            format!(
                "[project]\nname = \"p\"\n\n[requires]\nrocm = \"10.0\"\n\n[python-packages]\n\
                 numpy = \"*\"\n\n[rocm]\nchannel = \"host\"\n\n[indexes.amd-apt-driver]\n\
                 fingerprint = \"{fingerprint}\"\n"
            ),
        );
    };
    sandbox.write("host.json", HOST);
    let call = |words: &str| rocmenv(&sandbox, &format!("--host host.json {words}"));
    for (fingerprint, is_kept) in
        [(SigningKey::new("other").fingerprint(), false), (key.fingerprint(), true)]
    {
        ask(&fingerprint);
        let locked = call("lock -q");
        assert_eq!(locked.code, 0, "{}", locked.snapshot());
        let step = call("upgrade --driver 31.50.0 --apply --yes");
        assert_eq!(step.code, 6, "{}", step.snapshot());
        let kept = step.stdout.contains("kept: amdgpu-dkms 1:6.18.4.31500000-2300000.24.04");
        assert_eq!(kept, is_kept, "{}", step.snapshot());
        assert_eq!(call("upgrade --abort").code, 0);
    }
}

#[test]
fn a_host_step_installs_from_files_that_are_kept_and_verified() {
    let key = SigningKey::new("amd");
    let world = bare().apt(driver("30.20.1", "1:6.16.6.30200100-2255209.24.04", &key)).apt(driver(
        "31.50",
        "1:6.18.4.31500000-2300000.24.04",
        &key,
    ));
    let (internet, mut sandbox) = connected(world);
    sandbox.filter("[0-9a-f]{64}", "[SHA256]");
    let keyring = key.write_keyring(&sandbox.path("keyrings"));
    let trusted = format!(
        "Types: deb\nURIs: https://repo.radeon.com/amdgpu/30.20.1/ubuntu\nSuites: noble\n\
         Components: main\nSigned-By: {}\n",
        keyring.display()
    );
    sandbox.write(
        "rocm.toml",
        "[project]\nname = \"p\"\n\n[requires]\nrocm = \"10.0\"\n\n[python-packages]\nnumpy = \"*\"\n\n\
         [rocm]\nchannel = \"host\"\n",
    );
    sandbox.write("host.json", HOST);
    let call = |words: &str| rocmenv(&sandbox, &format!("--host host.json {words}"));
    let locked = call("lock -q");
    assert_eq!(locked.code, 0, "{}", locked.snapshot());
    // Without a key that the user trusts nothing is kept, and that is said.
    let untrusted = call("upgrade --driver 31.50.0 --apply --yes");
    assert_eq!(untrusted.code, 6, "{}", untrusted.snapshot());
    assert!(untrusted.stdout.contains("no key that you trust"), "{}", untrusted.stdout);
    assert_eq!(call("upgrade --abort").code, 0);
    sandbox.write("../apt.sources", trusted);
    insta::assert_snapshot!(call("upgrade --driver 31.50.0 --apply --yes").snapshot(), @r"
        exit: 6
        --- stdout ---
        stage 2 is yours: driver 30.20.1 -> 31.50.0
          driver has to become 31.50.0; this host has 30.20.1
        do:
          sudo apt autoremove amdgpu-dkms
          sudo apt-get install --allow-downgrades [TEMP]/home/data/rocmenv/store/v1/drivers/[SHA256]/amdgpu-dkms-firmware_6.18.4.31500000-2300000.24.04_amd64.deb [TEMP]/home/data/rocmenv/store/v1/drivers/[SHA256]/amdgpu-dkms_6.18.4.31500000-2300000.24.04_amd64.deb
          sudo reboot
        hold:
          sudo apt-mark hold amdgpu-dkms amdgpu-dkms-firmware
        way back:
          sudo apt-mark unhold amdgpu-dkms amdgpu-dkms-firmware
          sudo apt autoremove amdgpu-dkms
          sudo apt-get install --allow-downgrades [TEMP]/home/data/rocmenv/store/v1/drivers/[SHA256]/amdgpu-dkms-firmware_6.16.6.30200100-2255209.24.04_amd64.deb [TEMP]/home/data/rocmenv/store/v1/drivers/[SHA256]/amdgpu-dkms_6.16.6.30200100-2255209.24.04_amd64.deb
          sudo reboot
        kernels that AMD names: 6.17 HWE; 6.17 OEM; 6.8 GA
        kept: amdgpu-dkms-firmware 1:6.18.4.31500000-2300000.24.04 (sha256:[SHA256])
        kept: amdgpu-dkms 1:6.18.4.31500000-2300000.24.04 (sha256:[SHA256])
        then: rocmenv upgrade --continue (or `rocmenv upgrade --abort`)
        --- stderr ---
        stage 1: firmware none -> 01.26.00.04: so you say
        ");
    // The vendor is gone; the files are not.
    drop(internet);
    let again = call("upgrade --continue --offline");
    assert_eq!(again.code, 6, "{}", again.snapshot());
    assert!(again.stdout.contains("amdgpu-dkms_"), "{}", again.stdout);
    let kept = again.stdout.split_whitespace().find(|word| word.contains("/amdgpu-dkms_"));
    fs_err::write(kept.expect("a path"), "changed").expect("written");
    let damaged = call("upgrade --continue --offline");
    assert_eq!(damaged.code, 5, "{}", damaged.snapshot());
}

pub(super) const HOST: &str = r#"{
    "schema": 1,
    "os": { "family": "linux", "release": "ubuntu-24.04", "codename": "noble" },
    "kernel": { "release": "6.8.0-45-generic" },
    "libc": { "kind": "glibc", "version": "2.39" },
    "arch": "x86_64",
    "driver": { "loaded": true, "flavour": "dkms", "release": "30.20.1" },
    "gpus": [ { "gfx": "gfx942", "product": "AMD Instinct MI300X" } ],
    "rocm": [ { "path": "/opt/rocm", "version": "10.0.0" } ]
}"#;
