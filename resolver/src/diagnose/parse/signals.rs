//! The words by which a line is recognised. Data, not judgement: what a signal means together
//! with the facts is for the rules.

use crate::diagnose::facts::Signal;

/// What a line says, if it says something known. The first signature that fits wins, so special
/// ones stand before general ones.
pub(super) fn recognise(line: &str) -> Option<Signal> {
    let lower = line.to_lowercase();
    let fits = |words: &&[&str]| words.iter().all(|word| holds(&lower, word));
    SIGNATURES.iter().find(|(_, words)| fits(words)).map(|(signal, _)| *signal)
}

/// `!word` must be absent, `a|b` is either.
fn holds(line: &str, word: &str) -> bool {
    match word.strip_prefix('!') {
        Some(absent) => !absent.split('|').any(|one| line.contains(one)),
        None => word.split('|').any(|one| line.contains(one)),
    }
}

/// Whether a line looks like a failure at all, for those that nothing recognises.
pub(super) fn looks_failed(line: &str) -> bool {
    let lower = line.to_lowercase();
    let marks = [
        "error:",
        "error ",
        "failed",
        "hsa_status_error",
        "hiperror",
        "segmentation fault",
        "assertion",
        "cannot ",
        "fatal",
        "traceback",
        "not found",
        "undefined symbol",
        "denied",
        "aborted",
        "exception",
    ];
    let harmless = [
        "0 errors",
        "no error",
        "error log",
        "errors: 0",
        "crat table not found",
        "capabilities: <access denied>",
        "walker_error",
        "mapping_error",
        "permission_faults",
    ];
    marks.iter().any(|mark| lower.contains(mark))
        && !harmless.iter().any(|mark| lower.contains(mark))
}

use Signal as S;

/// Lower-case words that a line must hold, all of them.
const SIGNATURES: &[(Signal, &[&str])] = &[
    (S::KfdPermission, &["/dev/kfd", "permission denied|eacces"]),
    (S::KfdAbsent, &["/dev/kfd", "no such file|cannot access|enoent"]),
    (S::KfdInvalid, &["/dev/kfd", "invalid argument|einval"]),
    (S::KfdNoMemory, &["/dev/kfd", "cannot allocate memory|enomem"]),
    (S::KfdNotPermitted, &["/dev/kfd", "operation not permitted|eperm"]),
    (S::RenderPermission, &["/dev/dri/renderd|renderd1", "permission denied|eacces"]),
    (S::CardPermission, &["/dev/dri/card", "permission denied|eacces"]),
    (S::NoGroup, &["nogroup", "member|root|crw"]),
    // rocminfo says so after it was refused; root is refused in a user namespace only
    (S::RootRefused, &["root is not member of"]),
    (S::SmiNoDriver, &["can't initialize amdsmi"]),
    (S::SmiNoDriver, &["driver not initialized", "amdgpu not found in modules"]),
    (S::ModuleNotLoaded, &["rock module is not loaded"]),
    (S::ModuleNotLoaded, &["amdgpu not found in modules"]),
    (S::KeyRejected, &["key was rejected by service|required key not available"]),
    (S::KeyRejected, &["lockdown", "unsigned module"]),
    (
        S::UnknownSymbol,
        &["amdgpu|amdttm|amdkcl", "unknown symbol|disagrees about version of symbol"],
    ),
    (S::UnknownSymbol, &["could not insert", "amdgpu", "exec format error|invalid module format"]),
    (S::DkmsBuildFailed, &["bad return status for module build"]),
    (S::DkmsBuildFailed, &["amdgpu", "dkms", "fails to build|failed to build|build failed"]),
    (
        S::DkmsBuildFailed,
        &[
            "amdgpu",
            "implicit declaration of function|has no member named|incompatible pointer|too few arguments to function",
        ],
    ),
    (S::DkmsBuildFailed, &["dkms apport", "is not supported"]),
    (S::DkmsNoConf, &["could not locate dkms.conf"]),
    (S::DkmsNoConf, &["/var/lib/dkms/amdgpu", "dkms.conf does not exist"]),
    (
        S::DpkgDriver,
        &["dpkg|configure", "amdgpu-dkms|rock-dkms|rocm-dkms", "error|exit status|returned"],
    ),
    (S::DpkgDriver, &["amdgpu-dkms", "exit status"]),
    (S::AtomicsRejected, &["pci rejects atomics"]),
    (S::KfdUnsupported, &["not supported in kfd|missing in supported_devices"]),
    (S::KfdAdded, &["kfd", "added device"]),
    (S::FirmwareFile, &["direct firmware load for amdgpu", "failed"]),
    (S::FirmwareFile, &["amdgpu", "failed to load firmware|firmware file", "!successfully"]),
    (S::GpuInitFailed, &["fatal error during gpu init"]),
    (S::GpuInitFailed, &["amdgpu", "probe of", "failed with error"]),
    (S::PageFault, &["protection_fault_status"]),
    (S::PageFault, &["memory access fault by gpu"]),
    (S::PageFault, &["gfxhub|mmhub", "page fault"]),
    (S::GpuHang, &["gpu hang"]),
    (S::GpuHang, &["amdgpu", "ring", "timeout"]),
    (S::GpuHang, &["amdgpu", "gpu reset begin"]),
    (S::Throttling, &["amdgpu", "throttl"]),
    (S::OutOfResources, &["hsa_status_error_out_of_resources"]),
    (S::IsaInvalid, &["hsa_status_error_invalid_isa"]),
    (S::HsaGeneric, &["hsa_status_error", "generic error"]),
    (
        S::HsaSegfault,
        &["segfault|sigsegv|segmentation fault", "libhsa-runtime64|rocr::|hsa_amd_memory"],
    ),
    (
        S::TensileMissing,
        &[
            "tensilelibrary",
            "cannot read|could not load|not found|could not open|illegal seek|no such file",
        ],
    ),
    (S::OverrideHint, &["hsa_override_gfx_version may be needed"]),
    (S::NoCode, &["invalid device function"]),
    (
        S::NoCode,
        &["hiperrornobinaryforgpu|no kernel image is available|unable to find code object"],
    ),
    (S::ImageInvalid, &["device kernel image is invalid|hiperrorinvalidimage"]),
    (
        S::EarlyName,
        &["gfx940|gfx941", "!gfx942", "!tensilelibrary", "arch|target|offload|code|built"],
    ),
    (S::TorchNoCuda, &["torch not compiled with cuda"]),
    (S::NoHipGpus, &["no hip gpus are available"]),
    (S::NmsMissing, &["torchvision::nms does not exist"]),
    (
        S::TritonMissing,
        &[
            "triton",
            "no matching distribution found|could not find a version|there is no version of|not found in the package registry|no solution",
        ],
    ),
    (S::TritonTwice, &["collecting triton", "!rocm"]),
    (S::TritonTwice, &["triton", "required-by"]),
    (
        S::NoSetuptools,
        &["setuptools", "not found|could not find a version|no matching distribution"],
    ),
    (S::NoVersions, &["from versions: none"]),
    (S::NoVersions, &["no matching distribution found for", "tensorflow-rocm|torch|jax"]),
    (S::OtherPlatform, &["wheels are available for", "following platform"]),
    (S::IndexLacks, &["was not found in the package registry"]),
    (
        S::IndexRefused,
        &[
            "repo.amd.com|nightlies.amd.com|rocm.nightlies|stable.repo|prereleases.amd.com|/whl-multi-arch",
            "403|404|forbidden",
        ],
    ),
    (S::AlreadySatisfied, &["requirement already satisfied: torch", "!+rocm"]),
    (S::JaxPlugin, &["rocm_plugin_extension is not found"]),
    (S::JaxPlugin, &["no ffi handler registered", "rocm"]),
    (S::Bitsandbytes, &["libbitsandbytes_rocm", "not found|no such file|cannot open|missing"]),
    (S::Bitsandbytes, &["configured rocm binary not found"]),
    (S::VllmNoDevice, &["failed to infer device type"]),
    (S::VllmTwoPlatforms, &["only one platform plugin can be activated"]),
    (
        S::CudaLibrary,
        &[
            "libcudart|libcublas|libcudnn|libcuda.so|libnvrtc",
            "cannot open|not found|no such file|could not load|misses",
        ],
    ),
    (S::LocalOrder, &["+rocm7", "+rocm10", "->|although|chosen|instead|downgrad|over"]),
    (S::LocalOrder, &["+rocmsdk", "+rocm7"]),
    (
        S::RocmLibrary,
        &[
            "libamdhip64.so|libhsa-runtime64.so|libhiprtc.so|librocblas.so|libhipblas.so|libmiopen.so|librccl.so|librocm-core.so",
            "cannot open shared object",
        ],
    ),
    (S::AmdsmiSymbol, &["libamd_smi", "undefined symbol"]),
    (S::AmdsmiName, &["name 'amdsmi' is not defined"]),
    (S::AmdsmiName, &["assertionerror: invalid device id"]),
    (S::RocmSymbol, &["/opt/rocm", "undefined symbol"]),
    (S::LlvmSymbol, &["undefined symbol", "llvm"]),
    (S::System32Hip, &["system32", "amdhip64_7.dll|amdhip64.dll", "loaded|load|older|picks|path"]),
    (S::HipDllMissing, &["amdhip64", "failed to load|could not be found|can't open|not found"]),
    (S::WslNoAdapter, &["no wddm adapters found"]),
    (S::WslThunk, &["thunk_proxy", "assertion"]),
    (S::WslUnsupported, &["rocr: unsupported gpu"]),
    (S::WslIoctl, &["dxgkio_query_adapter_info", "failed"]),
    (S::NoRocmDevice, &["no rocm-capable device is detected"]),
    (S::NoRocmDevice, &["hip api error = 0100"]),
    (
        S::SmartAppControl,
        &["smart app control|application control policy has blocked|code integrity policy"],
    ),
    (
        S::LongPath,
        &[
            "winerror 206|file name or extension is too long|filename or extension is too long|path too long",
        ],
    ),
    (S::VcRuntime, &["vcruntime140|msvcp140", "not found|missing|could not be found"]),
    (S::VcRuntime, &["winerror 126", "torch|c10.dll|shm.dll|caffe2"]),
    (S::IommuWarning, &["missing \"iommu=pt\""]),
    (S::PresentState, &["operation cannot be performed in the present state"]),
    (S::CollectiveTimeout, &["watchdog caught collective operation timeout"]),
    (S::P2pFreeze, &["nccl_p2p_disable|p2p|peer", "freez|hang|reset by the bmc"]),
    (
        S::Certificates,
        &[
            "certificate is not trusted|no system certificates available|certificate verification failed|certificate_verify_failed",
        ],
    ),
    (S::RepoSuite, &["repo.radeon.com/rocm/apt", "does not have a release file"]),
    (S::RepoSuite, &["err:", "repo.radeon.com/rocm/apt", " release", "!inrelease"]),
    // dnf and zypper
    (S::RpmDependency, &["nothing provides", "needed by"]),
    (
        S::RpmDependency,
        &["rocm|amdgpu|hip|rocblas", "none of the providers can be installed|conflicting requests"],
    ),
    (S::KeyMissing, &["public key for", "is not installed"]),
    (S::RepoNoRelease, &["repo.radeon.com/amdgpu", "release file|404"]),
    (S::KeyExpired, &["expkeysig|keyexpired"]),
    (S::KeyMissing, &["no_pubkey"]),
    (S::KeyMissing, &["public key", "missing|not available|9386b48a1a693c5c"]),
    (
        S::DistroCandidate,
        &["rocminfo|hipcc|rocm-cmake|rocm-device-libs|rocm-smi", "is to be installed|candidate"],
    ),
    (S::InstallerOption, &["amdgpu-install", "use case|usecase", "invalid|unknown|missing|not"]),
    (S::InstallerOption, &["--accept-eula"]),
    (S::FileConflict, &["/opt/rocm", "exists in filesystem|trying to overwrite"]),
    (S::CompilerGone, &["/opt/rocm", "can't exec|no such file or directory", "clang|llvm|hipcc"]),
    (
        S::DiskFull,
        &["no space left on device|errno 28|disk quota exceeded|not enough space on the disk"],
    ),
    (S::HashMismatch, &["do not match the hashes|hash mismatch|hash sum mismatch"]),
    (S::HashMismatch, &["expected sha256"]),
    (
        S::ArchiveCorrupt,
        &["bad crc-32|badzipfile|failed to unzip|file is not a zip file|invalid distance|corrupt"],
    ),
    (S::WheelName, &["invalid wheel filename"]),
    (S::SlowDownload, &["repo.radeon.com", "kb/s|timed out|timeout"]),
    (
        S::NumpyAbi,
        &[
            "compiled using numpy 1.x cannot be run|numpy.core.multiarray failed to import|numpy.dtype size changed",
        ],
    ),
    (S::Glibcxx, &["glibcxx_|cxxabi_", "not found|undefined|required"]),
    (S::Glibc, &["glibc_2.", "not found|undefined|required"]),
    (S::MiopenDatabase, &["missing system database file"]),
    (S::HipblasltFallback, &["unsupported architecture", "hipblas|blas backend"]),
    (S::DockerDesktop, &["desktop-linux|docker desktop", "*|context|linuxkit|running|kfd"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_one_signal() {
        let cases = [
            ("Unable to open /dev/kfd read-write: Permission denied", Some(S::KfdPermission)),
            (
                "kfd kfd: amdgpu: skipped device 1002:744c, PCI rejects atomics 494<509",
                Some(S::AtomicsRejected),
            ),
            ("RuntimeError: HIP error: invalid device function", Some(S::NoCode)),
            ("[    7.0] [drm] amdgpu kernel modesetting enabled.", None),
            (
                "/opt/rocm-7.0.1/lib/libamd_smi.so: undefined symbol: amdsmi_x",
                Some(S::AmdsmiSymbol),
            ),
            (
                "ImportError: /opt/rocm-7.2.0/lib/libMIOpen.so.1: undefined symbol",
                Some(S::RocmSymbol),
            ),
            ("  Requirement already satisfied: torch==2.9+rocm7.2", None),
        ];
        for (line, signal) in cases {
            assert_eq!(recognise(line), signal, "{line}");
        }
    }
}
