//! What native Windows does not have: `lock` says it as `check` does, with the document, and has a
//! target under WSL2 where AMD lists the product there.

use insta::assert_snapshot;
use rocmenv_tests::channels::{Internet, WHL_NEXT, general, wheels};
use rocmenv_tests::{Sandbox, WheelBuilder, World};

use super::rocmenv;

/// Channels of two releases, and a general index with the files that the frameworks have there:
/// for Linux, or for any system where a part of one is written in Python alone.
fn internet() -> Internet {
    let linux = "cp312-cp312-manylinux_2_28_x86_64";
    let parts = [
        ("tensorflow-rocm", "2.20.0", linux),
        ("jax", "0.11.2", "py3-none-any"),
        ("jaxlib", "0.11.2", "cp312-cp312-win_amd64"),
        ("jaxlib", "0.11.2", linux),
        ("jax-rocm10-plugin", "0.11.2", linux),
        ("jax-rocm10-pjrt", "0.11.2", "py3-none-manylinux_2_28_x86_64"),
        ("onnxruntime-migraphx", "1.24.0", linux),
        ("vllm", "0.15.0", linux),
        ("linux-only", "1.0", "py3-none-manylinux_2_28_x86_64"),
    ];
    let index = parts.iter().fold(general(), |index, (name, version, tag)| {
        let summary = if name.contains("-rocm10-") { "JAX for AMD GPUs (ROCm:10.0.0)" } else { "" };
        let wheel = WheelBuilder::new(name, version).tag(tag).summary(summary);
        index.wheel(wheel.without_module())
    });
    let folder = "https://repo.radeon.com/rocm/windows/rocm-rel-7.1.1/";
    let world = World::new().index(index).index(wheels(WHL_NEXT)).index(wheels(folder));
    Internet::start(world.index(wheels("https://download.pytorch.org/whl/rocm7.2/")))
}

struct Desk {
    sandbox: Sandbox,
}

impl Desk {
    fn new(internet: &Internet, gpu: &str, wishes: &str) -> Self {
        let mut sandbox = Sandbox::new();
        sandbox.internet(internet);
        let text = format!(
            "{wishes}\n\n[targets.desk]\nos = \"windows-11-25H2\"\ngpus = [\"{gpu}\"]\n\
             driver = \"26.8.1\"\n"
        );
        sandbox.write("rocm.toml", text);
        Self { sandbox }
    }

    fn refused(&self) -> String {
        let output = rocmenv(&self.sandbox, "lock -q");
        assert_eq!(output.code, 1, "{}", output.snapshot());
        output.stderr.clone()
    }
}

/// What is told of each wish, its requirement apart.
fn told(release: &str, gpu: &str, wishes: &[&str]) -> String {
    let internet = internet();
    let tell = |wish: &&str| {
        let text = format!("[requires]\nrocm = \"{release}\"\npython = \"3.12\"\n{wish}");
        Desk::new(&internet, gpu, &text).refused()
    };
    wishes.iter().map(tell).collect::<Vec<_>>().join("\n")
}

#[test]
fn frameworks_that_amd_lists_for_linux_are_refused_with_its_document() {
    let wishes = [
        "tensorflow = \"*\"",
        "jax = \"*\"",
        "vllm = \"*\"",
        "onnxruntime = \"*\"",
        "[rocm]\ncomponents = [\"rccl\"]",
    ];
    assert_snapshot!(told("10.0", "RX 9070 XT", &wishes), @r"
        error[R-native-windows]: no set fits target `desk`
        rocm.toml:4 asks for tensorflow
        AMD lists tensorflow with ROCm 10.0.0 for Linux only, and no build of it for another system is known (AMD-Ecosystem/ai-ecosystem, docs/frameworks/tensorflow/include/rocm10.0.0-docker.rst, rocm10.0.0-pip-install.rst)
        tensorflow-rocm 2.20.0 (index `python`): wheels for other systems only (manylinux_2_28_x86_64)
        help: rocmenv explain R-native-windows

        error[R-native-windows]: no set fits target `desk`
        rocm.toml:4 asks for jax
        AMD lists jax with ROCm 10.0.0 for Linux only, and no build of it for another system is known (ROCm/rocm-docs, docs/about/release-notes.md)
        jax-rocm10-pjrt 0.11.2 (index `python`): wheels for other systems only (manylinux_2_28_x86_64)
        help: rocmenv explain R-native-windows

        error[R-native-windows]: no set fits target `desk`
        rocm.toml:4 asks for vllm
        AMD lists vllm with ROCm 10.0.0 for Linux only, and no build of it for another system is known (AMD-Ecosystem/ai-ecosystem, docs/inference/include/vllm/rocm10.0.0-docker.rst, rocm10.0.0-pip-install.rst)
        help: rocmenv explain R-native-windows

        error[R-native-windows]: no set fits target `desk`
        rocm.toml:4 asks for onnxruntime
        whether onnxruntime goes with ROCm 10.0.0 on native Windows is not known: no document that was read says it, and no build of it is known
        onnxruntime-migraphx 1.24.0 (index `python`): wheels for other systems only (manylinux_2_28_x86_64)
        help: rocmenv explain R-native-windows

        error[R-native-windows]: no set fits target `desk`
        rocm.toml:5 asks for rccl
        rccl comes from `distribution` and `amd-apt-core`, which are for Linux; nothing of it is known for native Windows (ROCm/rocm-docs, docs/about/transition-guide-TheRock.md)
        help: rocmenv explain R-native-windows
        ");
}

/// AMD's page for ROCm 7.1 on Windows has PyTorch alone, and no product of it is listed under WSL2.
#[test]
fn frameworks_that_amd_does_not_have_on_windows_are_refused() {
    let wishes =
        ["tensorflow = \"*\"", "jax = \"*\"", "vllm = \"*\"", "[rocm]\ncomponents = [\"rccl\"]"];
    assert_snapshot!(told("7.1.1", "RX 7900 XTX", &wishes), @r"
        error[R-native-windows]: no set fits target `desk`
        rocm.toml:4 asks for tensorflow
        tensorflow on native Windows and ROCm 7.1.1: not listed by AMD's Radeon and Ryzen page for ROCm on Windows, which has pytorch (rocm.docs.amd.com/projects/radeon-ryzen, docs-7.1, docs-7.2.1, latest pages (excerpts))
        tensorflow-rocm 2.20.0 (index `python`): wheels for other systems only (manylinux_2_28_x86_64)
        help: rocmenv explain R-native-windows

        error[R-native-windows]: no set fits target `desk`
        rocm.toml:4 asks for jax
        jax on native Windows and ROCm 7.1.1: not listed by AMD's Radeon and Ryzen page for ROCm on Windows, which has pytorch (rocm.docs.amd.com/projects/radeon-ryzen, docs-7.1, docs-7.2.1, latest pages (excerpts))
        jax-rocm10-pjrt 0.11.2 (index `python`): wheels for other systems only (manylinux_2_28_x86_64)
        help: rocmenv explain R-native-windows

        error[R-native-windows]: no set fits target `desk`
        rocm.toml:4 asks for vllm
        vllm on native Windows and ROCm 7.1.1: not listed by AMD's Radeon and Ryzen page for ROCm on Windows, which has pytorch (rocm.docs.amd.com/projects/radeon-ryzen, docs-7.1, docs-7.2.1, latest pages (excerpts))
        help: rocmenv explain R-native-windows

        error[R-native-windows]: no set fits target `desk`
        rocm.toml:5 asks for rccl
        rccl on native Windows and ROCm 7.1.1: not listed by AMD's Radeon and Ryzen page for ROCm on Windows, which has pytorch (rocm.docs.amd.com/projects/radeon-ryzen, docs-7.1, docs-7.2.1, latest pages (excerpts))
        help: rocmenv explain R-native-windows
        ");
}

/// Packages by name, and an index by name: none of PyTorch's with ROCm has a file for Windows.
#[test]
fn packages_and_indexes_for_linux_are_refused_like_their_frameworks() {
    let wishes = [
        "[python-packages]\ntensorflow-rocm = \"*\"",
        "[python-packages]\njax-rocm10-plugin = \"*\"",
    ];
    let packages = told("10.0", "RX 7900 XTX", &wishes);
    let index = "pytorch = \"*\"\n[python-packages]\n\
                 torch = { version = \"*\", index = \"pytorch-rocm7.2\" }";
    let index = told("7.1.1", "RX 7900 XTX", &[index]);
    assert_snapshot!([packages, index].join("\n"), @r"
        error[R-native-windows]: no set fits target `desk`
        rocm.toml:5 asks for tensorflow-rocm
        AMD lists tensorflow with ROCm 10.0.0 for Linux only, and no build of it for another system is known (AMD-Ecosystem/ai-ecosystem, docs/frameworks/tensorflow/include/rocm10.0.0-docker.rst, rocm10.0.0-pip-install.rst)
        tensorflow-rocm 2.20.0 (index `python`): wheels for other systems only (manylinux_2_28_x86_64)
        help: rocmenv explain R-native-windows

        error[R-native-windows]: no set fits target `desk`
        rocm.toml:5 asks for jax-rocm10-plugin
        AMD lists jax with ROCm 10.0.0 for Linux only, and no build of it for another system is known (ROCm/rocm-docs, docs/about/release-notes.md)
        jax-rocm10-plugin 0.11.2 (index `python`): wheels for other systems only (manylinux_2_28_x86_64)
        help: rocmenv explain R-native-windows

        error[R-native-windows]: no set fits target `desk`
        rocm.toml:6 asks for torch
        index `pytorch-rocm7.2` has files for linux only (astral-sh/uv, crates/uv-torch/src/backend.rs)
        torch 2.11.0+rocm7.2 to 2.14.1+rocm7.2 (5 versions) (index `pytorch-rocm7.2`): wheels for other systems only (manylinux_2_28_x86_64)
        fix 1: take torch from the index of its ROCm builds: [python-packages.torch] without index
        fix 2: drop torch: [python-packages] without torch
        help: rocmenv lock --fix 1
        ");
}

#[test]
fn the_fix_makes_the_target_one_of_wsl_which_locks() {
    let wishes = "[requires]\nrocm = \"10.0\"\npython = \">=3.12,<3.14\"\npytorch = \"*\"\n\
                  [python-packages]\nlinux-only = \"*\"";
    let internet = internet();
    let desk = Desk::new(&internet, "Ryzen AI Max+ 395", wishes);
    let refused = desk.refused();
    assert_snapshot!(refused, @r#"
        error[R-no-wheel-for-platform]: no set fits target `desk`
        rocm.toml:6 asks for linux-only
        linux-only 1.0 (index `python`): wheels for other systems only (manylinux_2_28_x86_64)
        fix 1: drop linux-only: [python-packages] without linux-only
        fix 2: take ubuntu-26.04 under WSL2: [targets.desk] os = "ubuntu-26.04", [targets.desk] wsl = true
        help: rocmenv lock --fix 1
        "#);
    let fix = refused.lines().find(|line| line.contains("under WSL2")).unwrap_or_default();
    let number = fix.trim_start().trim_start_matches("fix ").split(':').next().unwrap_or_default();
    let fixed = rocmenv(&desk.sandbox, &format!("lock --fix {number}"));
    assert_eq!(fixed.code, 0, "{}", fixed.snapshot());
    let text = desk.sandbox.read("rocm.toml");
    assert!(text.contains("wsl = true") && text.contains("os = \"ubuntu-"), "{text}");
    let locked = rocmenv(&desk.sandbox, "lock -q");
    assert_eq!(locked.code, 0, "{}", locked.snapshot());
    let lock = desk.sandbox.read("rocm.lock");
    assert!(lock.contains("linux-only") && lock.contains("linux_x86_64.whl"), "{lock}");
}

/// AMD's own library for WSL says that JAX is not enabled there: it is no way out.
#[test]
fn jax_is_refused_under_wsl_by_amds_word() {
    let internet = internet();
    let mut sandbox = Sandbox::new();
    sandbox.internet(&internet);
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"10.0\"\npython = \"3.12\"\njax = \"*\"\n\n[targets.wsl]\n\
         os = \"ubuntu-24.04\"\nwsl = true\ngpus = [\"RX 9070 XT\"]\ndriver = \"26.8.1\"\n",
    );
    let output = rocmenv(&sandbox, "lock -q");
    assert_eq!(output.code, 1, "{}", output.snapshot());
    assert_snapshot!(output.stderr, @r"
        error[R-stated-no]: no set fits target `wsl`
        rocm.toml:4 asks for jax
        jax 0.11.2 needs jax-rocm5-pjrt
        jax 0.11.2 needs jax-rocm7-pjrt ==0.11.2.*
        jax 0.11.2 needs jax-rocm60-pjrt ==0.11.2.*
        there is no jax-rocm5-pjrt
        there is no jax-rocm60-pjrt
        there is no jax-rocm7-pjrt
        JAX 0.11.2: JAX with ROCm 10.1.0 under WSL2: AMD says that JAX is not enabled and not validated under WSL (ROCm/librocdxg, README.md); did you mean `jax`?
        help: rocmenv explain R-stated-no
        ");
}

/// A product that AMD has no row for under WSL2 is offered none.
#[test]
fn no_wsl_is_offered_to_a_product_that_has_none() {
    let wish = "pytorch = \"*\"\n[python-packages]\nlinux-only = \"*\"";
    let told = told("10.0", "RX 6800 XT", &[wish]);
    assert!(!told.contains("WSL2"), "{told}");
}
