//! The real stack: the registry's facts over the wheels of the general index, as they were.

use rocmenv_manifests::project::{ChannelChoice, Framework};
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::solve::{Question, Stack, StackRequest};
use rocmenv_resolver::target::{Target, TargetDriver, TargetGpu};

use crate::world::{File, World, answer, described, question, rounds, target};

/// jax, jaxlib and AMD's plugins with what each says that it was built for (2026-11-30).
fn jax_world() -> World {
    let mut world = World::default();
    for line in
        include_str!("../data/wheel-built-for.csv").lines().filter(|it| !it.starts_with('#'))
    {
        let fields: Vec<&str> = line.splitn(5, ',').collect();
        let [package, version, _, built, requires] = fields[..] else { panic!("{line}") };
        if package == "package" {
            continue;
        }
        let requires = requires.trim_matches('"').split(" | ").filter(|it| !it.is_empty());
        let summary = (!built.is_empty()).then(|| format!("for AMD GPUs (ROCm:{built})"));
        for tags in tags_of(package, version) {
            let file = File {
                name: format!("{}-{version}-{tags}.whl", package.replace('-', "_")),
                requires: requires.clone().map(str::to_owned).collect(),
                summary: summary.clone(),
                ..File::default()
            };
            world.file("python", package, file);
        }
    }
    for version in
        ["0.8.2", "0.9.1", "0.9.2", "0.10.0", "0.10.2", "0.11.0", "0.11.1", "0.11.2", "0.12.0"]
    {
        let jaxlib = format!("jaxlib<={version},>={version}");
        let needs = ["ml_dtypes>=0.5.0", "numpy>=2.0", "opt_einsum", "scipy>=1.14"];
        let plugin = format!("jax-rocm7-plugin=={version}; extra == 'rocm7'");
        world.wheel("jax", version, &[&needs[..], &[&jaxlib, &plugin]].concat());
        world.wheel("jaxlib", version, &["ml_dtypes", "numpy>=2.0", "scipy>=1.14"]);
    }
    world.wheel("ml-dtypes", "0.6.0", &["numpy>=1.21"]);
    world.wheel("opt-einsum", "3.4.0", &[]);
    world.wheel("scipy", "1.18.1", &["numpy<2.8,>=2.0"]);
    world.wheel("numpy", "2.5.5", &[]);
    for (package, version) in
        [("protobuf", "7.36.2"), ("flatbuffers", "25.12.19"), ("packaging", "26.4")]
    {
        world.wheel(package, version, &[]);
    }
    for version in ["10.0.0.0.1.1", "10.0.0.0.1.2"] {
        let both =
            ["rocm-bindings-hip~=10.0.0.0", "rocm-bindings-core~=10.0.0.0", "rocm-bootstrap"];
        world.wheel("hip-python", version, &both);
        world.wheel("rocm-bindings-hip", version, &["rocm-bindings-core~=10.0.0.0"]);
        world.wheel("rocm-bindings-core", version, &[]);
    }
    world.wheel("rocm-bootstrap", "0.3.0", &[]);
    world
}

fn tags_of(package: &str, version: &str) -> Vec<&'static str> {
    match package {
        _ if package.ends_with("-pjrt") => vec!["py3-none-manylinux_2_27_x86_64"],
        "jax-rocm7-plugin" if ["0.6.0", "0.7.1"].contains(&version) => {
            vec!["cp310-cp310-manylinux_2_28_x86_64"]
        }
        _ => vec!["cp311-cp311-manylinux_2_27_x86_64", "cp312-cp312-manylinux_2_27_x86_64"],
    }
}

/// An MI300X node with this driver and ROCm.
fn node(driver: &str, rocm: &str) -> Target {
    Target {
        os: Some(described("ubuntu-24.04".parse().unwrap())),
        gpus: Some(vec![described(TargetGpu {
            gfx: Some("gfx942".parse().unwrap()),
            product: Some("MI300X".to_owned()),
            count: 8,
        })]),
        driver: Some(described(TargetDriver::Amd(driver.parse().unwrap()))),
        host_rocm: Some(described(rocm.parse().unwrap())),
        ..target()
    }
}

fn on(target: Target, rocm: Option<&str>, frameworks: &[&str], packages: &[&str]) -> Question {
    let registry = Registry::embedded();
    let channel = ChannelChoice::Host;
    let request = StackRequest {
        registry: &registry,
        target: &target,
        channel: &channel,
        python: Some("3.12"),
    };
    let mut question = question(packages);
    question.stack = Stack::of_request(&request);
    question.target = target;
    question.wants.rocm = rocm.map(|text| described(text.parse().unwrap()));
    question.wants.frameworks = frameworks
        .iter()
        .map(|text| {
            let (name, requirement) = text.split_once(' ').unwrap_or((text, "*"));
            Framework {
                name: name.to_owned(),
                requirement: described(requirement.parse().unwrap()),
            }
        })
        .collect();
    question
}

fn with_notes(question: &Question, world: &World) -> String {
    let mut text = answer(question, world);
    if let (Ok(solution), _) = rounds(question, world) {
        for note in &solution.notes {
            text = format!("{text}\n{}: {}", note.code, note.text);
        }
    }
    text
}

#[test]
fn jax_for_rocm_10() {
    let question = on(node("31.50.0", "10.1.0"), Some("10.1"), &["jax"], &[]);
    insta::assert_snapshot!(with_notes(&question, &jax_world()), @r"
    jax==0.12.0
    jax-rocm10-pjrt==0.12.0
    jax-rocm10-plugin==0.12.0
    jaxlib==0.12.0
    ml-dtypes==0.6.0
    numpy==2.5.5
    opt-einsum==3.4.0
    scipy==1.18.1
    N-built-not-listed: AMD's table for ROCm 10.1.0 ends at JAX 0.11.1; this wheel is built for 10.1
    N-not-known: no document that was read speaks of driver 31.50.0 with ROCm 10.1.0
    ");
}

#[test]
fn jax_for_rocm_7_2_is_the_newest_that_says_so() {
    let question = on(node("30.20.0", "7.2.4"), Some("7.2"), &["jax"], &[]);
    insta::assert_snapshot!(with_notes(&question, &jax_world()), @r"
    jax==0.10.0
    jax-rocm7-pjrt==0.10.0
    jax-rocm7-plugin==0.10.0
    jaxlib==0.10.0
    ml-dtypes==0.6.0
    numpy==2.5.5
    opt-einsum==3.4.0
    scipy==1.18.1
    N-built-not-listed: AMD's table for ROCm 7.2.4 ends at JAX 0.8.2; this wheel is built for 7.2
    ");
}

#[test]
fn jax_for_rocm_7_14() {
    let question = on(node("31.40.0", "7.14.0"), Some("7.14"), &["jax"], &[]);
    insta::assert_snapshot!(with_notes(&question, &jax_world()), @r"
    jax==0.12.0
    jax-rocm7-pjrt==0.12.0
    jax-rocm7-plugin==0.12.0
    jaxlib==0.12.0
    ml-dtypes==0.6.0
    numpy==2.5.5
    opt-einsum==3.4.0
    scipy==1.18.1
    N-built-not-listed: AMD's table for ROCm 7.14.0 ends at JAX 0.10.0; this wheel is built for 7.14
    ");
}

#[test]
fn an_old_driver_is_the_reason() {
    let question = on(node("6.2.0", "10.1.0"), Some("10.1"), &["jax"], &[]);
    insta::assert_snapshot!(answer(&question, &jax_world()), @r"
        [R-driver-window]
        rocm.toml:9 asks for ROCm 10.1
        ROCm 10.1.0 needs driver 30.10 or newer, as ROCm 10.0.0 did (ROCm/amdgpu-docs, docs/compatibility/compatibility-matrix.rst); the driver of this target is 6.2.0 (rocm.toml:9)
        ");
    let question = on(node("6.2.0", "10.0.0"), Some("10.0"), &["jax"], &[]);
    insta::assert_snapshot!(answer(&question, &jax_world()), @r"
        [R-driver-window]
        rocm.toml:9 asks for ROCm 10.0
        ROCm 10.0.0 needs a driver from 30.10 to 31.50 (ROCm/amdgpu-docs, docs/compatibility/compatibility-matrix.rst); the driver of this target is 6.2.0 (rocm.toml:9)
        ");
}

#[test]
fn bindings_and_runpaths_bind_to_their_rocm() {
    let world = jax_world();
    let hip = |rocm: &str, series: &str| {
        answer(&on(node("31.50.0", rocm), Some(series), &[], &["hip-python"]), &world)
    };
    insta::assert_snapshot!(hip("10.1.0", "10.1"), @r"
    hip-python==10.0.0.0.1.2
    rocm-bindings-core==10.0.0.0.1.2
    rocm-bindings-hip==10.0.0.0.1.2
    rocm-bootstrap==0.3.0
    ");
    insta::assert_snapshot!(hip("7.2.4", "7.2"), @r"
        [R-built-for-other]
        rocm.toml:1 asks for hip-python
        rocm.toml:9 asks for ROCm 7.2
        hip-python 10.0.0.0.1.2, 10.0.0.0.1.1 (index `python`): built for ROCm 10
        ");
    let onnx = |rocm: &str, series: &str| {
        answer(&on(node("30.20.0", rocm), Some(series), &[], &["onnxruntime-migraphx"]), &world)
    };
    insta::assert_snapshot!(onnx("7.2.4", "7.2"), @r"
    flatbuffers==25.12.19
    numpy==2.5.5
    onnxruntime-migraphx==1.27.1
    packaging==26.4
    protobuf==7.36.2
    ");
    insta::assert_snapshot!(onnx("7.1.1", "7.1"), @r"
        [R-built-for-other]
        rocm.toml:1 asks for onnxruntime-migraphx
        rocm.toml:9 asks for ROCm 7.1
        onnxruntime-migraphx 1.23.0 to 1.27.0 (6 versions) (index `python`): does not say which ROCm it is built for
        onnxruntime-migraphx 1.27.1 (index `python`): built for ROCm 7.2
        this would do: allow builds that do not say their ROCm
        ");
}

#[test]
fn unproven_is_a_choice_of_the_user() {
    let mut question = on(node("31.50.0", "10.1.0"), Some("10.1"), &["jax ==0.11.1"], &[]);
    insta::assert_snapshot!(answer(&question, &jax_world()), @r"
        [R-unproven]
        rocm.toml:9 asks for jax ==0.11.1
        jax 0.11.1 needs jax-rocm10-pjrt ==0.11.1.*
        jax-rocm10-pjrt 0.11.1 (index `python`): does not say which ROCm it is built for
        this would do: allow builds that do not say their ROCm
        this would do: ask for jax 0.12
        ");
    question.unproven = true;
    insta::assert_snapshot!(with_notes(&question, &jax_world()), @r"
    jax==0.11.1
    jax-rocm10-pjrt==0.11.1
    jax-rocm10-plugin==0.11.1
    jaxlib==0.11.1
    ml-dtypes==0.6.0
    numpy==2.5.5
    opt-einsum==3.4.0
    scipy==1.18.1
    N-not-known: no document that was read speaks of driver 31.50.0 with ROCm 10.1.0
    N-unproven: jax-rocm10-pjrt 0.11.1 does not say which ROCm it is built for
    N-unproven: jax-rocm10-plugin 0.11.1 does not say which ROCm it is built for
    ");
}

/// AMD's current index with device wheels, the meta package as a source archive, and the general
/// index with its CUDA build and placeholders.
fn torch_world() -> World {
    let mut world = World::default();
    let mut put = |index: &str, package: &str, name: &str, requires: &[&str]| {
        let requires = requires.iter().map(|&it| it.to_owned()).collect();
        world.file(index, package, File { name: name.to_owned(), requires, ..File::default() });
    };
    let next = "amd-whl-next";
    for (torch, vision, rocm) in [("2.13.0", "0.28.0", "10.0.0"), ("2.14.0", "0.29.0", "10.1.0")] {
        let tags = "cp312-cp312-linux_x86_64";
        let label = format!("rocm{rocm}");
        let sdk = format!("rocm[libraries]=={rocm}");
        let device = format!("amd-torch-device-gfx942=={torch}+{label}; extra == 'device-gfx942'");
        let name = format!("torch-{torch}+{label}-{tags}.whl");
        put(next, "torch", &name, &[&sdk, "triton", "numpy", &device]);
        let name = format!("amd_torch_device_gfx942-{torch}+{label}-{tags}.whl");
        put(next, "amd-torch-device-gfx942", &name, &[&format!("rocm-sdk-device-gfx942=={rocm}")]);
        let device =
            format!("amd-torchvision-device-gfx942=={vision}+{label}; extra == 'device-gfx942'");
        let name = format!("torchvision-{vision}+{label}-{tags}.whl");
        put(next, "torchvision", &name, &[&format!("torch=={torch}"), &device]);
        let name = format!("amd_torchvision_device_gfx942-{vision}+{label}-{tags}.whl");
        put(next, "amd-torchvision-device-gfx942", &name, &[]);
        let name = format!("torchaudio-2.11.0+{label}-{tags}.whl");
        put(next, "torchaudio", &name, &["torch"]);
        for package in ["rocm-sdk-core", "rocm-sdk-libraries", "rocm-sdk-device-gfx942"] {
            let name = format!("{}-{rocm}-py3-none-linux_x86_64.whl", package.replace('-', "_"));
            put(next, package, &name, &[]);
        }
        put(next, "rocm", &format!("rocm-{rocm}.tar.gz"), &[]);
        let name = format!("triton-3.8.0+git1.{label}-{tags}.whl");
        put(next, "triton", &name, &[]);
    }
    put("python", "torch", "torch-2.15.0-cp312-cp312-manylinux_2_28_x86_64.whl", &[]);
    put("python", "triton", "triton-3.9.0-cp312-cp312-manylinux_2_28_x86_64.whl", &[]);
    put("python", "numpy", "numpy-2.5.5-py3-none-any.whl", &[]);
    put("python", "rocm-sdk-core", "rocm_sdk_core-99.0-py3-none-any.whl", &[]);
    world
}

#[test]
fn torch_comes_with_its_devices_and_never_from_the_general_index() {
    let target = node("31.50.0", "7.2.4");
    let registry = Registry::embedded();
    let channel = ChannelChoice::TheRock;
    let mut question = on(target.clone(), Some("10.1"), &["pytorch"], &[]);
    question.stack = Stack::of(&registry, &target, &channel);
    insta::assert_snapshot!(answer(&question, &torch_world()), @r"
    amd-torch-device-gfx942==2.14.0+rocm10.1.0
    amd-torchvision-device-gfx942==0.29.0+rocm10.1.0
    numpy==2.5.5
    rocm==10.1.0
    rocm-sdk-core==10.1.0
    rocm-sdk-device-gfx942==10.1.0
    rocm-sdk-libraries==10.1.0
    torch==2.14.0+rocm10.1.0
    torchaudio==2.11.0+rocm10.1.0
    torchvision==0.29.0+rocm10.1.0
    triton==3.8.0+git1.rocm10.1.0
    ");
    question.wants.rocm = Some(described("10.0".parse().unwrap()));
    insta::assert_snapshot!(answer(&question, &torch_world()), @r"
    amd-torch-device-gfx942==2.13.0+rocm10.0.0
    amd-torchvision-device-gfx942==0.28.0+rocm10.0.0
    numpy==2.5.5
    rocm==10.0.0
    rocm-sdk-core==10.0.0
    rocm-sdk-device-gfx942==10.0.0
    rocm-sdk-libraries==10.0.0
    torch==2.13.0+rocm10.0.0
    torchaudio==2.11.0+rocm10.0.0
    torchvision==0.28.0+rocm10.0.0
    triton==3.8.0+git1.rocm10.0.0
    ");
    question.wants.frameworks[0].requirement = described(">=2.15".parse().unwrap());
    insta::assert_snapshot!(answer(&question, &torch_world()), @r"
        [R-not-found]
        rocm.toml:9 asks for pytorch >=2.15
        no pytorch is >=2.15; the newest is 2.14.0
        this would do: ask for pytorch 2.13
        ");
}

#[test]
fn a_cold_cache_gives_the_same_answer_in_few_rounds() {
    let question = on(node("31.50.0", "10.1.0"), Some("10.1"), &["jax"], &[]);
    let (warm, _) = rounds(&question, &jax_world());
    let (cold, count) = rounds(&question, &jax_world().shuffled(7).unfetched());
    assert_eq!(format!("{warm:?}"), format!("{cold:?}"));
    assert!(count <= 10, "{count} rounds");
}

#[test]
fn a_listed_release_comes_before_a_newer_one_that_no_table_knows() {
    let target = node("31.50.0", "7.2.4");
    let registry = Registry::embedded();
    let mut question = on(target.clone(), Some(">=10.0"), &["pytorch"], &[]);
    question.stack = Stack::of(&registry, &target, &ChannelChoice::TheRock);
    let (solution, _) = rounds(&question, &torch_world());
    let solution = solution.unwrap();
    assert_eq!(solution.rocm.unwrap().version.to_string(), "10.0.0");
}

#[test]
fn the_host_has_another_rocm_or_none() {
    let question = on(node("31.50.0", "7.2.4"), Some("10.1"), &["jax"], &[]);
    insta::assert_snapshot!(answer(&question, &jax_world()), @r"
        [R-host-rocm]
        rocm.toml:9 asks for ROCm 10.1
        the ROCm must be 10.1; the ROCm of this target is 7.2.4 (rocm.toml:9)
        this would do: ask for rocm 7.2
        ");
    let target = Target { host_rocm: None, ..node("31.50.0", "7.2.4") };
    insta::assert_snapshot!(answer(&on(target, Some("10.1"), &["jax"], &[]), &jax_world()), @r"
    [R-host-rocm]
    rocm.toml:9 asks for ROCm 10.1
    the ROCm must be 10.1; the ROCm of this target is not described
    ");
}
