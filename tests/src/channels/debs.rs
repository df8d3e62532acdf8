//! AMD's two layouts of native packages.

use crate::deb::DebBuilder;
use crate::world::{AptRepository, SigningKey, Suite};

/// ROCm 7.2.4 for Ubuntu 24.04 in the classic layout, called `amd-classic`.
///
/// The release stands at the end of each component's own version (`.70204`), files lie
/// under `/opt/rocm-7.2.4`, and `rocm-hip-runtime` pins `rocminfo` exactly (AMD's install
/// guide). What follows the last dash of a version is made up.
pub fn amd_classic(key: &SigningKey) -> AptRepository {
    let core = DebBuilder::new("rocm-core", "7.2.4.70204-1")
        .file("/opt/rocm-7.2.4/.info/version", "7.2.4\n")
        .symlink("/opt/rocm", "rocm-7.2.4");
    let runtime = DebBuilder::new("hip-runtime-amd", "7.2.53211.70204-1")
        .depends("rocm-core (= 7.2.4.70204-1)")
        .file("/opt/rocm-7.2.4/lib/libamdhip64.so.7.2", "not an ELF file\n")
        .symlink("/opt/rocm-7.2.4/lib/libamdhip64.so.7", "libamdhip64.so.7.2");
    let info = DebBuilder::new("rocminfo", "1.0.0.70204-1")
        .depends("rocm-core, libc6 (>= 2.34)")
        .executable("/opt/rocm-7.2.4/bin/rocminfo", "#!/bin/sh\necho a fixture\n");
    let meta = DebBuilder::new("rocm-hip-runtime", "7.2.4.70204-1")
        .depends("hip-runtime-amd (= 7.2.53211.70204-1), rocminfo (= 1.0.0.70204-1)");
    let suite =
        [core, runtime, info, meta].iter().fold(Suite::new("noble").signed_by(key), Suite::package);
    AptRepository::amd_classic("7.2.4").suite(suite)
}

/// ROCm 10.0 for Ubuntu 24.04 in the layout since 10.0, called `amd-core`.
///
/// A name without suffix is an empty package that depends on the one with it; files lie
/// under `/opt/rocm/core-10.0` (AMD's transition guide).
pub fn amd_core(key: &SigningKey) -> AptRepository {
    let version = "10.0.0-4";
    let runtime = DebBuilder::new("amdrocm-runtime10.0", version)
        .depends("libc6 (>= 2.28)")
        .file("/opt/rocm/core-10.0/.info/version", "10.0.0\n")
        .file("/opt/rocm/core-10.0/lib/libamdhip64.so.7.15", "not an ELF file\n")
        .symlink("/opt/rocm/core-10.0/lib/libamdhip64.so.7", "libamdhip64.so.7.15");
    let device = DebBuilder::new("amdrocm-core-sdk10.0-gfx1100", version)
        .depends(&format!("amdrocm-runtime10.0 (= {version})"))
        .file("/opt/rocm/core-10.0/.kpack/blas_lib_gfx1100.kpack", "kernels\n");
    let sdk = DebBuilder::new("amdrocm-core-sdk10.0", version)
        .depends(&format!("amdrocm-runtime10.0 (= {version})"));
    let meta = DebBuilder::new("amdrocm-core-sdk", version)
        .depends(&format!("amdrocm-core-sdk10.0 (= {version})"));
    let suite = [runtime, device, sdk, meta]
        .iter()
        .fold(Suite::new("stable").signed_by(key), Suite::package);
    AptRepository::amd_core("ubuntu2404").suite(suite)
}
