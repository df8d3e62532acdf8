//! ROCm as AMD serves it, locked, installed and run: the wheels of the newest index, and the
//! packages of the classic line.

use std::fmt::Write as _;

use insta::assert_snapshot;
use rocmenv_tests::channels::{
    WHL_NEXT, amd_classic, digests, every_wheel_channel_for, standalone_python,
};
use rocmenv_tests::{SigningKey, TarballBuilder, machine_python, sha256};

use super::amd_apt::runs_what_is_locked;
use super::{bare, connected, node, snapshot};

/// A registry that knows one interpreter build, and the fixtures' own digests of the files of
/// ROCm 10.0.0 of which the real registry knows the real ones.
fn overlay(version: &str, python: &[u8]) -> String {
    let mut text = format!(
        "[sources]\nsource = [{{ key = \"here\", site = \"this test\" }}]\n\n\
         [pythons]\nbuild = [{{ version = \"{version}\", build = \"20990101\", \
         target = \"linux\", flavor = \"install_only_stripped\", sha256 = \"{}\", \
         source = \"here\" }}]\n\n[hashes]\nfile = [\n",
        sha256(python)
    );
    for (file, digest) in digests(WHL_NEXT, "10.0.0") {
        if ["rocm-10", "rocm_sdk_core-", "rocm_sdk_libraries-"]
            .iter()
            .any(|it| file.starts_with(it))
        {
            let _ = writeln!(
                text,
                "{{ channel = \"amd-whl-next\", file = \"{file}\", sha256 = \"{digest}\", \
                 source = \"here\" }},"
            );
        }
    }
    text + "]\n"
}

#[test]
fn pytorch_is_installed_with_the_code_of_its_gpu_and_runs() {
    let (program, series) = machine_python();
    let version = format!("{series}.99");
    let python = TarballBuilder::standalone_python(&version, &program).build();
    let world = every_wheel_channel_for(&series);
    let (internet, mut sandbox) =
        connected(standalone_python(world, &version, "20990101", &program));
    sandbox.filter(&format!("cp{}", series.replace('.', "")), "cp3X");
    sandbox.write("rocm.registry.d/here.toml", overlay(&version, &python));
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\nrocm = \"10.0\"\npython = \"{series}\"\npytorch = \"2.13\"\n\
             [python]\nsource = \"managed\"\n{}",
            node("\"MI300X\"")
        ),
    );
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    locked 16 packages for `node`: ROCm 10.0.0 (therock), Python [3]
     + amd-torch-device-gfx942 2.13.0+rocm10.0.0
     + amd-torchvision-device-gfx942 0.28.0+rocm10.0.0
     + filelock 1.0
     + fsspec 1.0
     + jinja2 1.0
     + networkx 1.0
     + rocm 10.0.0
     + rocm-bootstrap 0.3.0
     + rocm-sdk-core 10.0.0
     + rocm-sdk-device-gfx942 10.0.0
     + rocm-sdk-libraries 10.0.0
     + sympy 1.0
     + torch 2.13.0+rocm10.0.0
     + torchaudio 2.11.0.2+rocm10.0.0
     + torchvision 0.28.0+rocm10.0.0
     + typing-extensions 1.0
    warning: the index gives no hash of `amd_torch_device_gfx942-2.13.0+rocm10.0.0-cp3X-cp3X-linux_x86_64.whl` and 5 more; `rocmenv lock --hash` downloads and hashes
    ");
    assert_snapshot!(snapshot(&sandbox, "sync --target node"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: gaps: `amd_torch_device_gfx942-2.13.0+rocm10.0.0-cp3X-cp3X-linux_x86_64.whl` has no hash yet; it gets one now
    warning: gaps: `amd_torchvision_device_gfx942-0.28.0+rocm10.0.0-cp3X-cp3X-linux_x86_64.whl` has no hash yet; it gets one now
    warning: gaps: `rocm_sdk_device_gfx942-10.0.0-py3-none-linux_x86_64.whl` has no hash yet; it gets one now
    warning: gaps: `torch-2.13.0+rocm10.0.0-cp3X-cp3X-linux_x86_64.whl` has no hash yet; it gets one now
    warning: gaps: `torchaudio-2.11.0.2+rocm10.0.0-cp3X-cp3X-linux_x86_64.whl` has no hash yet; it gets one now
    warning: gaps: `torchvision-0.28.0+rocm10.0.0-cp3X-cp3X-linux_x86_64.whl` has no hash yet; it gets one now
     + amd-torch-device-gfx942 2.13.0+rocm10.0.0
     + amd-torchvision-device-gfx942 0.28.0+rocm10.0.0
     + filelock 1.0
     + fsspec 1.0
     + jinja2 1.0
     + networkx 1.0
     + rocm 10.0.0
     + rocm-bootstrap 0.3.0
     + rocm-sdk-core 10.0.0
     + rocm-sdk-device-gfx942 10.0.0
     + rocm-sdk-libraries 10.0.0
     + sympy 1.0
     + torch 2.13.0+rocm10.0.0
     + torchaudio 2.11.0.2+rocm10.0.0
     + torchvision 0.28.0+rocm10.0.0
     + typing-extensions 1.0
    made generation 1 for `node`: 16 packages on Python [3]
    ");
    let program = "import os, rocm_sdk, torch\n\
                   print(rocm_sdk.__version__, torch.__version__)\n\
                   print(sorted(os.listdir(os.path.join(os.path.dirname(torch.__file__), '.kpack'))))";
    let words = ["run", "-q", "python", "-c", program];
    let ran = sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run();
    assert_snapshot!(ran.snapshot(), @r"
    exit: 0
    --- stdout ---
    10.0.0 2.13.0+rocm10.0.0
    ['torch_gfx942.kpack']
    --- stderr ---
    ");
    // the setup of `rocm` would have ended the installation
    assert_snapshot!(snapshot(&sandbox, "run -q rocm-sdk"), @r"
    exit: 0
    --- stdout ---
    10.0.0
    --- stderr ---
    ");
    let asked = internet.server.requests();
    let pages = asked.iter().filter(|request| request.path.ends_with("/whl-next/torch/"));
    let mut pages: Vec<&str> = pages.map(|request| request.path.as_str()).collect();
    pages.dedup();
    assert_eq!(
        pages,
        [
            "/stable.repo.amd.com/rocm/whl-next/torch/",
            "/stable.repo.amd.com/rocm/pytorch/whl-next/torch/"
        ]
    );
}

#[test]
fn packages_of_the_classic_line_need_the_key_that_the_user_names() {
    let key = SigningKey::new("amd");
    let (_internet, sandbox) = connected(bare().apt(amd_classic(&key)));
    let project = |release: &str| {
        format!(
            "[requires]\nrocm = \"{release}\"\n[rocm]\nchannel = \"amd\"\n\
             components = [\"runtime\"]\n[targets.node]\nos = \"ubuntu-24.04\"\n\
             gpus = [\"MI300X\"]\ndriver = \"30.30.0\"\n"
        )
    };
    sandbox.write("rocm.toml", project("7.2.4"));
    assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-index-unreadable]: no set fits target `node`
        package lists of `amd-apt-classic-7.2.4` could not be read: no apt repository is called `amd-apt-classic-7.2.4`, or nobody said who signs it; `[indexes."amd-apt-classic-7.2.4"]` says so: the key's `fingerprint` for one of AMD's, else `url`, `kind = "apt"`, `suites` and `signed-by`
        help: rocmenv explain R-index-unreadable
        "#);
    let index = "[indexes.\"amd-apt-classic-7.2.4\"]\nkind = \"apt\"\n\
                 url = \"https://repo.radeon.com/rocm/apt/7.2.4\"\nsuites = [\"noble\"]\n\
                 signed-by = \"keys/amd.asc\"\n";
    // the newest is enough: no repository of another release is asked
    sandbox.write("rocm.toml", project("7.2") + index);
    sandbox.write("keys/amd.asc", SigningKey::new("someone else").armored());
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
    exit: 5
    --- stdout ---
    --- stderr ---
    error[index-integrity]: cannot get package lists of `amd-apt-classic-7.2.4`
      caused by: the signature of `https://repo.radeon.com/rocm/apt/7.2.4/dists/noble/` cannot be trusted
      caused by: none of the expected keys signed it as it is (signed by C6AB621E06F671779EFC116C76419E90092FF663)
    help: rocmenv explain index-integrity
    ");
    sandbox.write("keys/amd.asc", key.armored());
    runs_what_is_locked(&sandbox);
}
