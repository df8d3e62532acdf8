//! Where packages come from and what they bring.

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::channels::{Behaviour, ChannelKind};
use rocmenv_manifests::version::RocmVersion;

fn rocm(text: &str) -> RocmVersion {
    text.parse().unwrap()
}

#[test]
fn placeholders_never_come_from_the_general_index() {
    let registry = Registry::embedded();
    let names = ["amd-torch-device-gfx942", "rocm", "rocm-sdk-core", "rocm-sdk-devel"];
    for name in names.into_iter().chain(["rocm-profiler", "rocm-sdk-device-gfx942"]) {
        assert!(registry.placeholder(name).is_some(), "{name}");
        for release in ["7.14.0", "10.0.0", "10.1.0"] {
            let binding = registry.binding_of(name, &rocm(release)).unwrap();
            assert_ne!(binding.channel, "python", "{name} with {release}");
        }
    }
    assert!(registry.placeholder("numpy").is_none());
    assert_eq!(registry.other_accelerator("torch").unwrap().accelerator, "cuda");
}

#[test]
fn the_channel_of_a_package_follows_the_line() {
    let registry = Registry::embedded();
    let channel = |package: &str, release: &str| {
        registry.binding_of(package, &rocm(release)).map(|binding| binding.channel.as_str())
    };
    assert_eq!(channel("torch", "7.2.0"), Some("pytorch-rocm"));
    assert_eq!(channel("torch", "7.14.1"), Some("amd-multi-arch"));
    assert_eq!(channel("torch", "10.0.0"), Some("amd-whl-next"));
    assert_eq!(channel("rocm-sdk-core", "10.0.0"), Some("amd-whl-next"));
    assert_eq!(channel("jax-rocm10-plugin", "10.1.0"), Some("python"));
    assert_eq!(channel("numpy", "10.0.0"), None);
}

#[test]
fn indexes_have_names_and_addresses() {
    let registry = Registry::embedded();
    let build = |version: &str| {
        let builds = registry.builds_of("torch");
        let build = builds.into_iter().find(|build| build.version == version).unwrap();
        registry.index_of_build(build).unwrap()
    };
    let index = build("2.14.0+rocm7.2");
    assert_eq!(index.name.as_str(), "pytorch-rocm7.2");
    assert_eq!(index.url.as_deref(), Some("https://download.pytorch.org/whl/rocm7.2/"));
    let index = build("2.8.0+rocm7.12.0");
    assert_eq!(index.name.as_str(), "amd-per-family-gfx1151");
    let python = &registry.pythons().build[0];
    let target = "x86_64-unknown-linux-gnu";
    let parts = [("build", python.build.as_str()), ("version", "3.15.1"), ("target", target)];
    assert_eq!(registry.address("pbs", &parts), None);
    let whole = [parts.as_slice(), &[("flavor", "install_only_stripped")]].concat();
    assert_eq!(
        registry.address("pbs", &whole).unwrap(),
        "https://github.com/astral-sh/python-build-standalone/releases/download/20261021/\
         cpython-3.15.1%2B20261021-x86_64-unknown-linux-gnu-install_only_stripped.tar.gz"
    );
    for table in [registry.builds(), registry.builds_general()] {
        for build in &table.build {
            assert!(
                registry.index_of_build(build).is_some(),
                "{} {}",
                build.package,
                build.version
            );
        }
    }
    let last = registry.channel("amd-manylinux").and_then(|channel| registry.continues_at(channel));
    assert_eq!(last.unwrap().name, "amd-whl-next");
    let wheels = registry.channels_for(ChannelKind::Wheel, &rocm("10.0.0"));
    assert_eq!(wheels.iter().map(|channel| &channel.name).collect::<Vec<_>>(), ["amd-whl-next"]);
    assert!(wheels[0].behaves(Behaviour::NoHashes));
}

#[test]
fn a_gpu_needs_its_device_wheels() {
    let registry = Registry::embedded();
    let wheels = |package: &str, gfx: &str, release: &str| {
        registry.device_wheels(package, gfx.parse().unwrap(), &rocm(release))
    };
    let torch = wheels("torch", "gfx1151", "10.0.0").unwrap();
    assert_eq!(torch.extra.as_deref(), Some("device-gfx1151"));
    assert_eq!(torch.packages, ["amd-torch-device-gfx1151", "amd-torch-device-gfx115x"]);
    let torch = wheels("torch", "gfx942", "10.0.0").unwrap();
    assert_eq!(torch.packages, ["amd-torch-device-gfx942"]);
    assert_eq!(wheels("torchaudio", "gfx942", "10.0.0"), None);
    assert_eq!(wheels("torch", "gfx942", "7.2.0"), None);
}

#[test]
fn the_meta_package_is_expanded_for_the_targets_gpus() {
    let registry = Registry::embedded();
    let gpus = ["gfx942".parse().unwrap(), "gfx90a".parse().unwrap()];
    let expand = |extras: &[&str]| {
        let found = registry.meta_requirements("rocm", extras, "10.0.0", &gpus)?;
        Some(
            found.iter().map(|one| format!("{}=={}", one.package, one.version)).collect::<Vec<_>>(),
        )
    };
    assert_eq!(expand(&[]).unwrap(), ["rocm-sdk-core==10.0.0"]);
    assert_eq!(
        expand(&["libraries", "device"]).unwrap(),
        [
            "rocm-sdk-core==10.0.0",
            "rocm-sdk-device-gfx90a==10.0.0",
            "rocm-sdk-device-gfx942==10.0.0",
            "rocm-sdk-libraries==10.0.0",
        ]
    );
    assert_eq!(
        expand(&["device-gfx1100"]).unwrap(),
        ["rocm-sdk-core==10.0.0", "rocm-sdk-device-gfx1100==10.0.0"]
    );
    assert_eq!(expand(&["everything"]), None);
    assert_eq!(registry.meta_requirements("torch", &[], "2.13.0", &gpus), None);
}

#[test]
fn components_are_packages_by_channel_and_suite() {
    let registry = Registry::embedded();
    let packages = |component: &str, channel: &str, suite| {
        let row = registry.component_packages(component, channel, suite)?;
        Some(row.packages.join(" "))
    };
    let bookworm = Some("bookworm");
    assert_eq!(packages("runtime", "distribution", bookworm).unwrap(), "libamdhip64-5");
    assert_eq!(packages("hip-dev", "distribution", bookworm).unwrap(), "hipcc");
    assert_eq!(packages("smi", "distribution", bookworm).unwrap(), "rocminfo rocm-smi");
    assert_eq!(packages("dnn", "distribution", bookworm), None);
    assert_eq!(packages("runtime", "amd-apt-core", None).unwrap(), "amdrocm-runtime{series}");
    assert_eq!(packages("runtime", "amd-whl-next", None).unwrap(), "rocm-sdk-core");
}

#[test]
fn a_runpath_binds_a_wheel_to_its_rocm() {
    let registry = Registry::embedded();
    let row = registry.runpath("onnxruntime-migraphx", "1.27.1").unwrap();
    assert_eq!(row.paths, ["/opt/rocm-7.2.4"]);
    assert!(row.rocm.iter().any(|own| own.contains(&[7, 2, 4])));
    assert!(!row.rocm.iter().any(|own| own.contains(&[10, 0, 0])));
    for package in ["hip-python", "rocm-bindings-core", "rocm-bindings-hip"] {
        let row = registry.runpath(package, "10.0.0.0.1.2").unwrap();
        assert!(row.rocm.iter().any(|own| own.contains(&[10, 1, 0])), "{package}");
        assert!(!row.rocm.iter().any(|own| own.contains(&[7, 2, 4])), "{package}");
    }
    assert_eq!(registry.providers("triton").len(), 3);
}
