//! What a plan says of a driver's packages: nothing without their list, AMD's own part with it.

use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rocmenv_tests::{AptRepository, DebBuilder, Sandbox, SigningKey, Suite};
use serde_json::Value;

use super::moving::HOST;
use super::{bare, connected, rocmenv};

/// AMD's driver of one release, with packages that say what they take.
fn driver(release: &str, version: &str, key: &SigningKey) -> AptRepository {
    let packages = [
        DebBuilder::new("amdgpu-dkms", version)
            .depends("dkms (>= 1.95), amdgpu-dkms-firmware (>= 1)")
            .field("Installed-Size", "300"),
        DebBuilder::new("amdgpu-dkms-firmware", version).field("Installed-Size", "20"),
    ];
    let suite = packages.iter().fold(Suite::new("noble").signed_by(key), Suite::package);
    AptRepository::new(&format!("amdgpu-{release}"))
        .at(&format!("https://repo.radeon.com/amdgpu/{release}/ubuntu"))
        .suite(suite)
}

#[test]
fn what_amd_lists_of_a_driver_is_a_part_of_what_it_costs() {
    let key = SigningKey::new("amd");
    let world = bare()
        .file("https://repo.radeon.com/rocm/rocm.gpg.key", key.armored())
        .apt(driver("30.20.1", "1:6.16.6.30200100-2255209.24.04", &key))
        .apt(driver("31.50", "1:6.18.4.31500000-2300000.24.04", &key));
    let (_internet, sandbox) = connected(world);
    sandbox.write("host.json", HOST);
    sandbox.write(
        "rocm.toml",
        format!(
            "[project]\nname = \"p\"\n\n[requires]\nrocm = \"10.0\"\n\n[python-packages]\n\
             numpy = \"*\"\n\n[rocm]\nchannel = \"host\"\n\n[indexes.amd-apt-driver]\n\
             fingerprint = \"{}\"\n",
            key.fingerprint()
        ),
    );
    let call = |words: &str| rocmenv(&sandbox, &format!("--host host.json {words}"));
    let locked = call("lock -q");
    assert_eq!(locked.code, 0, "{}", locked.snapshot());
    let plan = || {
        let lines = call("--offline upgrade --driver 31.50.0").stdout;
        let lines = lines.lines();
        let lines: Vec<&str> =
            lines.filter(|line| line.contains("  costs ") || line.starts_with("in all")).collect();
        lines.join("\n")
    };
    insta::assert_snapshot!(plan(), @r"
          costs     1 reboot; download and disk not known (the maker of the machine hands it out)
          costs     the reboot of the stage before does for it, too; download and disk not known (AMD's list of its packages is not in the cache)
        in all: 1 reboot; download not known; disk not known
        ");
    // The step keeps both drivers' packages, and with them their lists.
    assert_eq!(call("upgrade --driver 31.50.0 --apply --yes").code, 6);
    assert_eq!(call("upgrade --abort").code, 0);
    insta::assert_snapshot!(plan(), @r"
          costs     1 reboot; download and disk not known (the maker of the machine hands it out)
          costs     the reboot of the stage before does for it, too; download not known (AMD's own packages are here); disk at least 327.7 kB (AMD's own packages)
        in all: 1 reboot; download not known; disk at least 327.7 kB
        ");
    let drivers = sandbox.path("home/data/rocmenv/store/v1/drivers");
    let folders = fs_err::read_dir(&drivers).expect("a folder");
    let files =
        folders.flat_map(|folder| fs_err::read_dir(folder.expect("one").path()).expect("one"));
    let kept: Vec<u64> =
        files.map(|file| file.expect("one").metadata().expect("one").len()).collect();
    assert_eq!(kept.len(), 4);
    fs_err::remove_dir_all(drivers).expect("removed");
    insta::assert_snapshot!(plan(), @r"
          costs     1 reboot; download and disk not known (the maker of the machine hands it out)
          costs     the reboot of the stage before does for it, too; download at least 2.5 kB (AMD's own packages); disk at least 330.2 kB (AMD's own packages)
        in all: 1 reboot; download at least 2.5 kB; disk at least 330.2 kB
        ");
    let plan = call("--offline upgrade --driver 31.50.0 --json").stdout;
    let plan: Value = serde_json::from_str(&plan).expect("JSON");
    let said = plan["stages"][1]["cost"]["download-at-least"]["bytes"].as_u64();
    assert_eq!(said, Some(kept.iter().sum()), "what was kept is what is said");
}

#[test]
fn what_a_stage_brings_costs_the_next_one_nothing() {
    let (_internet, mut sandbox) = connected(bare());
    let host = HOST.replace("10.0.0", "5.7.1").replace("30.20.1", "5.7.1");
    let host = host.replace("gfx942", "gfx90a").replace("MI300X", "MI250");
    let host = host.replace("ubuntu-24.04", "ubuntu-22.04").replace("noble", "jammy");
    let host = host.replace("6.8.0-45", "5.15.0-100").replace("2.39", "2.35");
    sandbox.write("host.json", host);
    let print = "import sys; print('%d.%d' % sys.version_info[:2])";
    let series = sandbox.command("python3").args(["-c", print]).run().stdout;
    sandbox.write(
        "rocm.toml",
        format!(
            "[project]\nname = \"p\"\n\n[requires]\nrocm = \"5.7\"\npython = \"{}\"\n\n\
             [python-packages]\nnumpy = \"*\"\n\n[rocm]\nchannel = \"host\"\n",
            series.trim()
        ),
    );
    let call = |words: &str| rocmenv(&sandbox, &format!("--host host.json {words}"));
    let locked = call("lock -q");
    assert_eq!(locked.code, 0, "{}", locked.snapshot());
    let plan = call("--offline upgrade --to 10.0").stdout;
    let shown = |line: &&str| {
        line.contains("  costs ") || line.starts_with("in all") || line.starts_with("stage ")
    };
    let lines: Vec<&str> = plan.lines().filter(shown).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
        stage 1 (rocmenv): ROCm 5.7.1 -> 6.1.5
          costs     download at least 865 B (the environment, without the host's own ROCm); disk at least 415 B (the environment, without the host's own ROCm)
        stage 2 (you): firmware none -> MU 5 with IFWI 75
          costs     1 reboot; download and disk not known (the maker of the machine hands it out)
        stage 3 (you): driver 5.7.1 -> 6.4.3
          costs     the reboot of the stage before does for it, too; download and disk not known (AMD's list of its packages is not in the cache)
        stage 4 (rocmenv): ROCm 6.1.5 -> 7.2.4
          costs     download and disk not known (the environment brings nothing new; the host's own ROCm was not counted)
        stage 5 (you): driver 6.4.3 -> 31.50.0
          costs     1 reboot; download and disk not known (AMD's list of its packages is not in the cache)
        stage 6 (rocmenv): ROCm 7.2.4 -> 10.0.0
          costs     download and disk not known (the environment brings nothing new; the host's own ROCm was not counted)
        in all: 2 reboots; download at least 865 B; disk at least 415 B
        ");
    // A store on another disk: what each generation is then is a copy.
    let device = |path: &Path| fs_err::metadata(path).map(|it| it.dev()).ok();
    let other = Path::new("/dev/shm");
    if device(other).is_none() || device(other) == device(&sandbox.project()) {
        let _ = writeln!(std::io::stderr(), "skipped: this machine has no second file system");
        return;
    }
    let data = tempfile::tempdir_in(other).expect("a folder on another file system");
    let disks = |sandbox: &Sandbox| -> Vec<u64> {
        let words = "--host host.json --offline upgrade --to 10.0 --json";
        let plan: Value = serde_json::from_str(&rocmenv(sandbox, words).stdout).expect("JSON");
        let stages = plan["stages"].as_array().expect("stages").iter();
        stages.filter_map(|stage| stage["cost"]["disk-at-least"]["bytes"].as_u64()).collect()
    };
    let [first, 0, 0] = disks(&sandbox)[..] else { panic!("one file for three stages") };
    sandbox.env("ROCMENV_DATA", &data.path().display().to_string());
    assert_eq!(disks(&sandbox), [2 * first, first, first]);
}
