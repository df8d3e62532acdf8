//! An upgrade on Windows: its plan, a stage of the host, a stage of the environment that is taken
//! back by itself where its verification fails, and the same stage carried out.
//!
//! No framework but PyTorch is built for Windows; these are small wheels of a fixture, under the
//! names of one whose packages carry the number of their ROCm.

use std::fmt::Write as _;

use fs_err as fs;
use insta::assert_snapshot;
use rocmenv_tests::{Index, Output, WheelBuilder};

use super::Desk;

#[test]
fn a_stage_that_fails_is_taken_back_and_carried_out_later() {
    let test = "a_stage_that_fails_is_taken_back_and_carried_out_later";
    let Some(mut desk) = Desk::with(test, index()) else { return };
    desk.wine.sandbox().filter(r"20\d\d-\d\d-\d\dT[0-9:-]+Z", "[TIME]");
    desk.wine.sandbox().filter(r"registry of .*", "registry of [DATE]");
    let write = |name: &str, text: &str| {
        let path = desk.wine.project(name);
        fs::create_dir_all(path.parent().expect("a folder")).unwrap();
        fs::write(path, text).unwrap();
    };
    write("rocm.registry.d/fixture.toml", &overlay());
    write("rocm.toml", ROCM_TOML);
    for (name, rocm) in [("before", "7.2.0"), ("after", "10.0.0")] {
        write(&format!("{name}.json"), &HOST.replace("ROCM", rocm));
    }
    let call = |host: &str, words: &str| -> Output {
        desk.wine.rocmenv(&format!("--host {host}.json {words}")).run()
    };
    let synced = call("before", "sync");
    assert_eq!(synced.code, 0, "{}", synced.snapshot());
    assert_snapshot!(call("before", "upgrade --to 10.0").snapshot(), @r"
        exit: 0
        --- stdout ---
        ROCm 7.2.0 -> 10.0.0, jax 0.30.0 -> 0.32.0: 1 stage, 0 reboots

        stage 1 (rocmenv): ROCm 7.2.0 -> 10.0.0, jax 0.30.0 -> 0.32.0
          costs     download and disk not known (no index page with these builds is in the cache)
          gains     AMD Radeon RX 7900 XTX is listed (was not known)
          loses     ROCm Bandwidth Test (use TransferBench or ROCm Validation Suite); rocALUTION; hipfort; MIVisionX; rocAL; rocPyDecode; MIGraphX (use MIGraphX and ONNX Runtime apart from the SDK)
          moves     jax -> jax-rocm10-plugin; rocm-sdk-libraries-FAMILY -> rocm-sdk-libraries with rocm-sdk-device-GFX; HIP SDK installer for Windows -> wheels or tarball; https://repo.amd.com/rocm/whl-multi-arch/ -> https://stable.repo.amd.com/rocm/whl-next/; jax-rocm7-plugin, jax-rocm7-pjrt -> jax-rocm10-plugin, jax-rocm10-pjrt
          unproven  jax 0.32.0 with ROCm 10.0.0
          footing   built, not listed
          notes     first technology preview of TheRock; first production release of TheRock; version numbers go from 7.14 to 10.0
          verified  jax is imported; the commands of [verify] succeed
          undone    by the generation before, at once and offline

        in all: 0 reboots; download not known; disk not known
        rocmenv upgrade --apply begins
        --- stderr ---
        registry of [DATE]
        ");
    // The ROCm of the host is the user's, and Windows' own way is told.
    assert_snapshot!(call("before", "upgrade --to 10.0 --apply --yes").snapshot(), @r"
        exit: 6
        --- stdout ---
        stage 1 is yours: ROCm of the host 7.2.0 -> 10.0.0
          ROCm has to become 10.0.0; this host has 7.2.0
        do:
          install ROCm 10.0.0 as AMD's guide for this system says
        note: the commands of this distribution are not known
        then: rocmenv upgrade --continue (or `rocmenv upgrade --abort`)
        --- stderr ---
        ");
    let files =
        || ["rocm.toml", "rocm.lock"].map(|name| fs::read(desk.wine.project(name)).unwrap());
    let before = files();
    write("broken", "");
    let failed = call("after", "upgrade --continue");
    assert_eq!(failed.code, 1, "{}", failed.snapshot());
    assert!(failed.stderr.contains("error[upgrade-taken-back]"), "{}", failed.snapshot());
    assert_eq!(files(), before, "rocm.toml and rocm.lock are what they were");
    assert_eq!(jax(&desk), "0.30.0");
    fs::remove_file(desk.wine.project("broken")).unwrap();
    let done = call("after", "upgrade --continue");
    assert_eq!(done.code, 0, "{}", done.snapshot());
    assert_eq!(jax(&desk), "0.32.0");
    let back = call("after", "rollback --to 1");
    assert_eq!(jax(&desk), "0.30.0", "{}", back.snapshot());
}

fn jax(desk: &Desk) -> String {
    let statements = "import jax;print(jax.__version__)";
    desk.wine.rocmenv("run -q python -c").arg(statements).run().stdout.trim().to_owned()
}

fn index() -> Index {
    BUILDS.iter().fold(Index::new("main"), |index, (jax, rocm, release)| {
        let plugin = |part: &str| {
            WheelBuilder::new(&format!("jax-rocm{rocm}-{part}"), jax)
                .tag("py3-none-win_amd64")
                .summary(&format!("JAX for AMD GPUs (ROCm:{release})"))
        };
        let own = |name: &str| WheelBuilder::new(name, jax);
        index.wheel(own("jax")).wheel(own("jaxlib")).wheel(plugin("plugin")).wheel(plugin("pjrt"))
    })
}

fn overlay() -> String {
    let mut text = "[[sources.source]]\nkey = \"fixture\"\nsite = \"these tests\"\n".to_owned();
    for (version, number, release) in BUILDS {
        for part in ["plugin", "pjrt"] {
            let _ = write!(
                text,
                "\n[[builds-general.build]]\npackage = \"jax-rocm{number}-{part}\"\n\
                 version = \"{version}\"\nrocm = \"{release}\"\nchannel = \"python\"\n\
                 platforms = [\"win_amd64\"]\npythons = [\"cp312\"]\nsource = \"fixture\"\n"
            );
        }
    }
    text
}

const BUILDS: [(&str, &str, &str); 2] = [("0.30.0", "7", "7.2.0"), ("0.32.0", "10", "10.0.0")];

const ROCM_TOML: &str = "\
[project]
name = \"desk\"

[requires]
rocm = \"7.2\"
python = \"3.12\"
jax = \">=0.30\"

[rocm]
channel = \"host\"

[python]
source = \"host\"

[verify]
commands = [\"if exist broken exit 3\"]
";

const HOST: &str = r#"{
    "schema": 1,
    "os": { "family": "windows", "release": "windows-11-25H2" },
    "arch": "x86_64",
    "driver": { "loaded": true, "flavour": "adrenalin", "release": "26.8.1" },
    "gpus": [ { "gfx": "gfx1100", "product": "AMD Radeon RX 7900 XTX" } ],
    "windows": { "edition": "Professional", "build": 26200 },
    "rocm": [ { "path": "C:\\Program Files\\AMD\\ROCm\\ROCM", "version": "ROCM" } ]
}"#;
