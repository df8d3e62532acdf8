//! Environment variables that change what ROCm does on this host.
//!
//! They are read as facts and reported, never set by us without a word.

use serde::{Deserialize, Serialize};

/// A watched variable that is set, an empty value included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct EnvironmentVariable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What it changes.
    pub role: VariableRole,
}

/// What a variable changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VariableRole {
    /// Makes the runtime report another instruction set than the GPU's.
    ArchOverride,
    /// Hides devices.
    Isolation,
    /// Says where ROCm or its libraries are.
    Location,
    /// Logs, checks or serializes; slows programs down.
    Diagnosis,
    /// Changes how memory is allocated.
    Memory,
    /// Needed or read under WSL only.
    Wsl,
}

/// What a variable changes, `None` for one that is not watched.
pub fn role_of(name: &str) -> Option<VariableRole> {
    let exact = WATCHED_VARIABLES.iter().find(|(watched, _)| *watched == name);
    let prefixed = || WATCHED_PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix));
    exact.or_else(prefixed).map(|(_, role)| *role)
}

/// The variables that are watched by name.
///
/// Sources: AMD's references of environment variables of the ROCr runtime (`ROCm/rocm-systems`,
/// projects/rocr-runtime/runtime/docs/data/env_variables.rst) and of HIP's isolation
/// (projects/hip/docs/reference/env_variables/gpu_isolation_hip_env.rst), HIP's debugging
/// guide, MIOpen's and RCCL's documents, and AMD's rocm-cli for the override.
const WATCHED_VARIABLES: &[(&str, VariableRole)] = &[
    ("HSA_OVERRIDE_GFX_VERSION", VariableRole::ArchOverride),
    ("ROCM_BOOTSTRAP_FORCE_GFX_ARCH", VariableRole::ArchOverride),
    ("ROCR_VISIBLE_DEVICES", VariableRole::Isolation),
    ("HIP_VISIBLE_DEVICES", VariableRole::Isolation),
    ("CUDA_VISIBLE_DEVICES", VariableRole::Isolation),
    ("GPU_DEVICE_ORDINAL", VariableRole::Isolation),
    ("HSA_CU_MASK", VariableRole::Isolation),
    ("ROCM_PATH", VariableRole::Location),
    ("ROCM_HOME", VariableRole::Location),
    ("HIP_PATH", VariableRole::Location),
    ("LD_LIBRARY_PATH", VariableRole::Location),
    ("LD_PRELOAD", VariableRole::Location),
    ("PYTORCH_ROCM_ARCH", VariableRole::Location),
    ("ROCM_SDK_TARGET_FAMILY", VariableRole::Location),
    ("ROCM_SDK_PRELOAD_LIBRARIES", VariableRole::Location),
    ("HSA_ENABLE_DXG_DETECTION", VariableRole::Wsl),
    ("HSA_DISABLE_FRAGMENT_ALLOCATOR", VariableRole::Diagnosis),
    ("HSA_DISABLE_CACHE", VariableRole::Diagnosis),
    ("HSA_HOTSWAP_DISABLE", VariableRole::Diagnosis),
    ("HSA_HOTSWAP_VERBOSE", VariableRole::Diagnosis),
    ("HSA_SVM_GUARD_PAGES", VariableRole::Diagnosis),
    ("HSA_TOOLS_LIB", VariableRole::Diagnosis),
    ("HSAKMT_DEBUG_LEVEL", VariableRole::Diagnosis),
    ("AMD_COMGR_HOTSWAP_ENTRY_TRAMPOLINES", VariableRole::Diagnosis),
    ("AMD_LOG_LEVEL", VariableRole::Diagnosis),
    ("AMD_LOG_MASK", VariableRole::Diagnosis),
    ("AMD_SERIALIZE_KERNEL", VariableRole::Diagnosis),
    ("AMD_SERIALIZE_COPY", VariableRole::Diagnosis),
    ("HIP_LAUNCH_BLOCKING", VariableRole::Diagnosis),
    ("GPU_DUMP_CODE_OBJECT", VariableRole::Diagnosis),
    ("TORCH_COMPILE_DEBUG", VariableRole::Diagnosis),
    ("MIOPEN_ENABLE_LOGGING", VariableRole::Diagnosis),
    ("MIOPEN_ENABLE_LOGGING_CMD", VariableRole::Diagnosis),
    ("MIOPEN_LOG_LEVEL", VariableRole::Diagnosis),
    ("MIOPEN_DISABLE_CACHE", VariableRole::Diagnosis),
    ("ROCBLAS_LAYER", VariableRole::Diagnosis),
    ("HIPBLASLT_LOG_LEVEL", VariableRole::Diagnosis),
    ("NCCL_DEBUG", VariableRole::Diagnosis),
    ("MLIR_ENABLE_DUMP", VariableRole::Diagnosis),
    ("AMDGCN_ENABLE_DUMP", VariableRole::Diagnosis),
    ("PYTORCH_TUNABLEOP_VERBOSE", VariableRole::Diagnosis),
    ("PYTORCH_NO_HIP_MEMORY_CACHING", VariableRole::Diagnosis),
    ("PYTORCH_HIP_ALLOC_CONF", VariableRole::Memory),
    ("PYTORCH_CUDA_ALLOC_CONF", VariableRole::Memory),
    ("PYTORCH_ALLOC_CONF", VariableRole::Memory),
    ("HSA_XNACK", VariableRole::Memory),
];

/// Families of variables, watched by the beginning of their names.
const WATCHED_PREFIXES: &[(&str, VariableRole)] =
    &[("HSA_ENABLE_", VariableRole::Diagnosis), ("MIOPEN_DEBUG_", VariableRole::Diagnosis)];
