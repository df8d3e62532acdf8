//! False friends: what looks like a fault, or like another one.

use rocmenv_tests::Sandbox;

use super::{codes, found};
use crate::rocmenv;

#[test]
fn a_stray_nvidia_smi_is_no_nvidia_gpu() {
    let sandbox = Sandbox::new();
    sandbox.program("nvidia-smi", "#!/bin/sh\necho 'GPU 0: NVIDIA GeForce RTX 3090'\n");
    let output = rocmenv(&sandbox, "doctor --json");
    assert!(!output.stdout.contains("D-mixed-vendor"), "{}", output.stdout);
}

#[test]
fn seven_ten_is_not_seven_one() {
    // 7.10 is newer than 7.2, 7.1 is older; both count registers wrongly, 7.2 and 7.11 do not
    let strix = |rocm: &str| {
        let facts =
            format!("os = fedora-43\nkernel = 6.18.6-200.fc43\ngpus = gfx1151\nrocm = {rocm}");
        found(&facts, "").contains(&"D-vgpr-kernel".to_owned())
    };
    assert_eq!(
        [strix("7.1.0"), strix("7.10.0"), strix("7.2.0"), strix("7.11.0")],
        [true, true, false, false]
    );
    // a driver repository of 7.1 is retired, one of 30.10 is not
    let lists = |path: &str| {
        found(
            "os = ubuntu-24.04",
            &format!("deb https://repo.radeon.com/amdgpu/{path}/ubuntu noble main"),
        )
    };
    assert_eq!(lists("7.1"), ["D-repo-retired-path"]);
    assert_eq!(lists("30.10"), [""; 0]);
}

#[test]
fn memory_of_an_mi300x_is_counted_in_bytes() {
    let host = r#"{"schema": 1, "os": {"family": "linux", "release": "ubuntu-24.04"}, "memory": {"total-bytes": 2164212928512},
        "gpus": [{"gfx": "gfx942", "product": "AMD Instinct MI300X", "kfd-node": 1, "vram-bytes": 206141652992}]}"#;
    let sandbox = Sandbox::new();
    sandbox.write("host.json", host);
    let output = rocmenv(
        &sandbox,
        "doctor --from host.json --requirements --workload inference:70B@fp16 --rocm 10.0.0",
    );
    assert!(output.stdout.contains("192 GB, 192 GB in all"), "{}", output.stdout);
    assert_eq!(codes(host).0, [""; 0]);
}

#[test]
fn two_cards_of_one_family_are_no_mixture() {
    assert_eq!(found("os = ubuntu-24.04\ngpus = gfx1100, gfx1101", ""), [""; 0]);
    assert_eq!(found("os = ubuntu-24.04\ngpus = gfx1100x2", ""), [""; 0]);
}

#[test]
fn an_integrated_gpu_beside_a_card_is_a_warning_until_it_is_masked() {
    let facts = "os = ubuntu-24.04\ngpus = gfx1100, gfx1036";
    assert_eq!(found(facts, ""), ["D-igpu-beside-dgpu"]);
    assert_eq!(found(facts, "ROCR_VISIBLE_DEVICES=0"), ["D-mask-partial"]);
}

#[test]
fn masked_devices_are_composed() {
    let facts = "os = ubuntu-24.04\ngpus = gfx1100x2";
    assert_eq!(found(facts, "ROCR_VISIBLE_DEVICES=1\nHIP_VISIBLE_DEVICES=1"), ["D-masks-cancel"]);
    assert_eq!(found(facts, "ROCR_VISIBLE_DEVICES=1\nCUDA_VISIBLE_DEVICES=0"), ["D-mask-partial"]);
    assert_eq!(found(facts, "HIP_VISIBLE_DEVICES="), [""; 0]);
    assert_eq!(found(facts, "CUDA_VISIBLE_DEVICES="), ["D-mask-hides-all"]);
}

#[test]
fn an_old_kernel_without_the_line_of_the_target_is_no_fault() {
    let topology = "cpu_cores_count 16\nsimd_count 0\n\
        cpu_cores_count 0\nsimd_count 256\nvendor_id 4098\ndevice_id 26720\nlocation_id 1280\n";
    assert_eq!(codes(topology).0, [""; 0]);
}

#[test]
fn an_empty_rocm_agent_enumerator_proves_nothing() {
    let log = "$ rocm_agent_enumerator\ngfx000\n$ cat /sys/class/kfd/kfd/topology/nodes/1/properties\n\
        cpu_cores_count 0\nsimd_count 192\ngfx_target_version 110000\n";
    assert_eq!(found("os = ubuntu-24.04", log), [""; 0]);
}

#[test]
fn out_of_resources_is_no_question_of_groups_where_kfd_opens() {
    let facts = "os = ubuntu-24.04\nkernel = 6.14.0-27-generic\ngpus = gfx1103";
    let log = "HSA_STATUS_ERROR_OUT_OF_RESOURCES\n";
    assert_eq!(found(facts, log), ["D-apu-out-of-resources"]);
}

#[test]
fn two_numbers_of_rejected_atomics_are_firmware() {
    let line = "kfd kfd: amdgpu: skipped device 1002:744c, PCI rejects atomics";
    assert_eq!(codes(line).0, ["D-pcie-atomics"]);
    assert_eq!(codes(&format!("{line} 494<509")).0, ["D-mec-firmware-old"]);
}

#[test]
fn a_missing_tensile_file_has_four_meanings() {
    let line = |path: &str, gfx: &str| {
        format!(
            "rocBLAS error: Cannot read {path}/lib/rocblas/library/TensileLibrary.dat: No such file or directory for GPU arch : {gfx}"
        )
    };
    let one = |facts: &str, log: &str| {
        let found = found(facts, log);
        found.into_iter().find(|code| code != "D-igpu-beside-dgpu").unwrap_or_default()
    };
    let linux = "os = ubuntu-24.04\n";
    let dropped =
        one(&format!("{linux}gpus = gfx906\nrocm = 6.4.0"), &line("/opt/rocm-6.4.0", "gfx906"));
    let chosen = one(
        &format!("{linux}gpus = gfx1100, gfx1036\nrocm = 6.4.0"),
        &line("/opt/rocm", "gfx1036"),
    );
    let never = one(&format!("{linux}gpus = gfx1036\nrocm = 6.0.0"), &line("/opt/rocm", "gfx1036"));
    let foreign = one(
        &format!("{linux}gpus = gfx1030\nrocm = 6.0.0"),
        &format!("torch==2.1.0+rocm5.6\n{}", line("/opt/rocm-6.0.0", "gfx1030")),
    );
    let missing =
        one(&format!("{linux}gpus = gfx1103\nrocm = 6.3.2"), &line("/opt/rocm", "gfx1103"));
    assert_eq!(
        [dropped, chosen, never, foreign, missing],
        ["D-arch-dropped", "D-igpu-chosen", "D-arch-never", "D-foreign-rocm", "D-tensile-missing"]
    );
}

#[test]
fn a_module_that_is_not_loaded_has_many_reasons() {
    let gone = "ROCk module is NOT loaded, possibly no GPU devices";
    let facts = "os = ubuntu-24.04\ngpus = gfx1100";
    assert_eq!(found(facts, gone), ["D-amdgpu-not-loaded"]);
    assert_eq!(
        found(
            facts,
            &format!(
                "{gone}\nmodprobe: ERROR: could not insert 'amdgpu': Key was rejected by service"
            )
        ),
        ["D-secure-boot"]
    );
    assert_eq!(
        found(facts, &format!("{gone}\n/etc/modprobe.d/blacklist.conf: blacklist amdgpu")),
        ["D-module-blacklisted"]
    );
    let wsl = "os = ubuntu-24.04\nwsl = 2";
    let smi = "driver not initialized (amdgpu not found in modules)";
    assert_eq!(found(wsl, smi), ["D-wsl-smi"]);
}

/// ROCm/ROCm#1549: by owner and mode nobody refuses root but a user namespace.
#[test]
fn rocm_1549_root_is_refused_in_a_user_namespace() {
    let refused = "ROCk module is loaded\nUnable to open /dev/kfd read-write: Permission denied\n";
    let group = "is not member of \"video\" group, the default DRM access group.";
    assert_eq!(codes(&format!("{refused}root {group}")).0, ["D-container-nogroup"]);
    assert_eq!(codes(&format!("{refused}me {group}")).0, ["D-kfd-permission"]);
    assert_eq!(
        codes(&format!("{refused}uid=0(root) gid=0(root) groups=0(root)")).0,
        ["D-container-nogroup"]
    );
}

/// ROCm/ROCm#5106: what the runtime calls out of resources is the missing adapter under WSL.
#[test]
fn rocm_5106_out_of_resources_under_wsl_is_the_adapter() {
    let call = "Call returned HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed";
    let wsl = "WSL environment detected.";
    assert_eq!(codes(&format!("{wsl}\n{call}")).0, ["D-wsl-no-adapter"]);
    assert_eq!(codes(call).0, [""; 0]);
    assert_eq!(
        codes(&format!("{wsl}\nROCR: unsupported GPU\n{call}")).0,
        ["D-wsl-unsupported-gpu"]
    );
}

/// ROCm/ROCm#1753: the loader's own words; a library of CUDA is another fault.
#[test]
fn rocm_1753_a_library_that_the_loader_lacks_is_named() {
    let lacks = |library: &str| {
        format!("ImportError: {library}: cannot open shared object file: No such file or directory")
    };
    assert_eq!(codes(&lacks("libamdhip64.so.5")).0, ["D-rocm-library-missing"]);
    assert_eq!(codes(&lacks("libmpi_cxx.so.40")).0, [""; 0]);
    assert!(!codes(&lacks("libcudart.so.13")).0.contains(&"D-rocm-library-missing".to_owned()));
}

/// ROCm/ROCm#1736: the driver's repository and ROCm's own lack different things.
#[test]
fn rocm_1736_a_suite_is_no_path_of_a_driver() {
    let lacks = |path: &str| {
        format!(
            "E: The repository 'http://repo.radeon.com/{path} Release' does not have a Release file."
        )
    };
    assert_eq!(codes(&lacks("rocm/apt/debian xenial")).0, ["D-repo-suite"]);
    assert_eq!(codes(&lacks("amdgpu/7.2/ubuntu noble")).0, ["D-repo-retired-path"]);
}
