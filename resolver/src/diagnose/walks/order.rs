//! The order of each walk: from what everything else stands on upwards.

use super::Symptom;
use super::seen::{self, Seen};

/// A step as planned.
pub(super) struct Planned {
    /// What is asked.
    pub(super) question: &'static str,
    /// The faults that answer it.
    pub(super) faults: &'static [&'static str],
    /// What the facts show of it.
    pub(super) seen: Seen,
    /// How to find out, where they do not.
    pub(super) ask: &'static str,
}

pub(super) fn steps(symptom: Symptom) -> &'static [Planned] {
    match symptom {
        Symptom::NoGpu => NO_GPU,
        Symptom::FrameworkIgnoresGpu => FRAMEWORK,
        Symptom::SlowTraining => SLOW,
    }
}

const NO_GPU: &[Planned] = &[
    Planned {
        question: "is an AMD GPU on the bus",
        faults: &["D-gpu-not-in-kfd", "D-vfio"],
        seen: seen::gpu_on_bus,
        ask: "lspci -nn -d 1002:",
    },
    Planned {
        question: "is amdgpu loaded",
        faults: &[
            "D-secure-boot",
            "D-module-blacklisted",
            "D-nomodeset",
            "D-dkms-not-built",
            "D-dkms-build-failed",
            "D-dkms-half-configured",
            "D-dkms-stale-tree",
            "D-module-other-kernel",
            "D-firmware-missing",
            "D-amdgpu-not-loaded",
        ],
        seen: seen::driver_loaded,
        ask: "ls /sys/module/amdgpu",
    },
    Planned {
        question: "does KFD take the GPU",
        faults: &[
            "D-pcie-atomics",
            "D-pcie-no-atomics",
            "D-pcie-atomics-vm",
            "D-mec-firmware-old",
            "D-kfd-enomem",
            "D-kfd-absent",
            "D-wsl-no-dxg",
            "D-wsl-version-1",
        ],
        seen: seen::kfd_nodes,
        ask: "dmesg | grep kfd",
    },
    Planned {
        question: "may this process open the nodes",
        faults: &[
            "D-kfd-permission",
            "D-session-groups",
            "D-group-missing",
            "D-render-permission",
            "D-kfd-einval",
            "D-kfd-eperm",
            "D-container-no-device",
            "D-container-gid",
            "D-container-cgroup",
            "D-container-nogroup",
            "D-lxc-kfd-gid",
            "D-docker-desktop",
        ],
        seen: seen::kfd_opens,
        ask: "ls -ln /dev/kfd /dev/dri/renderD*; id",
    },
    Planned {
        question: "do masks leave a GPU",
        faults: &["D-masks-cancel", "D-mask-hides-all", "D-mask-partial"],
        seen: seen::masks,
        ask: "env | grep VISIBLE_DEVICES",
    },
    Planned {
        question: "does the runtime fit the driver",
        faults: &[
            "D-driver-window",
            "D-vgpr-kernel",
            "D-apu-out-of-resources",
            "D-gfx1152-hsa-error",
            "D-known-bad",
            "D-reboot-pending",
            "D-wsl-dxg-detection",
            "D-wsl-no-librocdxg",
            "D-wsl-no-adapter",
            "D-wsl-second-vendor",
            "D-wsl-unsupported-gpu",
            "D-wsl-ioctl",
            "D-wsl-driver-pair",
            "D-windows-no-device",
            "D-windows-rdna2-hidden",
            "D-windows-legacy-driver",
            "D-windows-hip-missing",
            "D-runtime-segfault",
        ],
        seen: seen::runtime,
        ask: "rocminfo",
    },
];

const FRAMEWORK: &[Planned] = &[
    Planned {
        question: "is it a build for ROCm",
        faults: &[
            "D-torch-cpu",
            "D-torch-cuda",
            "D-vllm-cuda",
            "D-already-satisfied",
            "D-index-too-old",
            "D-python-tag",
            "D-jax-plugin",
        ],
        seen: seen::torch_build,
        ask: "python -m torch.utils.collect_env",
    },
    Planned {
        question: "may the process open the GPU",
        faults: &[
            "D-kfd-permission",
            "D-session-groups",
            "D-group-missing",
            "D-render-permission",
            "D-kfd-einval",
            "D-kfd-enomem",
            "D-kfd-eperm",
            "D-kfd-absent",
            "D-amdgpu-not-loaded",
            "D-container-no-device",
            "D-container-gid",
            "D-container-cgroup",
            "D-container-nogroup",
        ],
        seen: seen::kfd_opens,
        ask: "ls -ln /dev/kfd /dev/dri/renderD*; id",
    },
    Planned {
        question: "do masks leave a GPU",
        faults: &["D-masks-cancel", "D-mask-hides-all", "D-mask-partial"],
        seen: seen::masks,
        ask: "env | grep VISIBLE_DEVICES",
    },
    Planned {
        question: "is the right GPU first",
        faults: &[
            "D-igpu-chosen",
            "D-igpu-beside-dgpu",
            "D-mixed-vendor",
            "D-mixed-arch",
            "D-vllm-two-platforms",
        ],
        seen: seen::first_gpu,
        ask: "rocminfo | grep -E 'Marketing|gfx'",
    },
    Planned {
        question: "has the build code for this GPU",
        faults: &[
            "D-device-package-missing",
            "D-arch-not-in-build",
            "D-arch-dropped",
            "D-arch-never",
            "D-tensile-missing",
            "D-override-harmful",
            "D-override-needed",
            "D-override-flattens",
            "D-override-no-help",
        ],
        seen: seen::arch_list,
        ask: "python -c 'import torch; print(torch.cuda.get_arch_list())'",
    },
    Planned {
        question: "is one ROCm loaded, and the right one",
        faults: &[
            "D-two-rocm",
            "D-foreign-rocm",
            "D-rocm-library-missing",
            "D-amdsmi-missing",
            "D-amdsmi-mixed",
            "D-system32-hip",
            "D-windows-sdk-conflict",
            "D-torchvision-pair",
            "D-triton-twice",
            "D-numpy-abi",
            "D-glibc-too-old",
            "D-libstdcxx-too-old",
            "D-addon-cuda",
        ],
        seen: seen::hip_library,
        ask: "LD_DEBUG=libs python -c 'import torch' 2>&1 | grep libamdhip64",
    },
];

/// Bandwidth, occupancy, copies and collectives, temperature and power, in that order.
const SLOW: &[Planned] = &[
    Planned {
        question: "bandwidth: links, memory window, memory of the host",
        faults: &[
            "D-pcie-narrow",
            "D-small-bar",
            "D-memory-below",
            "D-ttm-limit",
            "D-apu-memory-kernel",
            "D-numa-balancing",
        ],
        seen: seen::bandwidth,
        ask: "cat /sys/bus/pci/devices/*/current_link_width",
    },
    Planned {
        question: "occupancy: the right device, tuned libraries, nothing serialized",
        faults: &[
            "D-torch-cpu",
            "D-torch-cuda",
            "D-igpu-chosen",
            "D-igpu-beside-dgpu",
            "D-debug-variables",
            "D-hipblaslt-fallback",
            "D-miopen-first-run",
            "D-override-needed",
        ],
        seen: seen::occupancy,
        ask: "rocmenv doctor --from the log of a run",
    },
    Planned {
        question: "copies and collectives: peer-to-peer, IOMMU, shared memory",
        faults: &[
            "D-iommu-pt",
            "D-p2p-freeze",
            "D-collective-timeout",
            "D-shm-small",
            "D-acs-redirect",
            "D-pcie-no-atomics",
            "D-pcie-atomics-vm",
            "D-mask-partial",
        ],
        seen: seen::collectives,
        ask: "cat /proc/cmdline; sudo lspci -vvv | grep -E 'ACSCtl|AtomicOps'; NCCL_DEBUG=INFO of a run",
    },
    Planned {
        question: "temperature and power",
        faults: &["D-thermal", "D-gpu-hang"],
        seen: seen::temperature,
        ask: "amd-smi metric --temperature --power, while it runs",
    },
];
