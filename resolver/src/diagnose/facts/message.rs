//! A line of a log or of an error that says something known.

use serde::{Deserialize, Serialize};

/// A recognised line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Message {
    /// What it says.
    pub signal: Signal,
    /// The line as it stood, trimmed.
    pub line: String,
}

impl Message {
    /// The first instruction set that the line names.
    pub fn gfx(&self) -> Option<rocmenv_manifests::gfx::GfxTarget> {
        self.line.match_indices("gfx").find_map(|(at, _)| {
            let rest = &self.line[at..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            rest[..end].parse().ok()
        })
    }
}

/// What a line can say. One signal is no diagnosis: the same line has several causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the table of signatures shows the words of each")]
pub enum Signal {
    // opening device nodes
    KfdPermission,
    KfdAbsent,
    KfdInvalid,
    KfdNoMemory,
    KfdNotPermitted,
    RenderPermission,
    CardPermission,
    NoGroup,
    RootRefused,
    // kernel and driver
    ModuleNotLoaded,
    SmiNoDriver,
    KeyRejected,
    UnknownSymbol,
    DkmsBuildFailed,
    DkmsNoConf,
    DpkgDriver,
    AtomicsRejected,
    KfdUnsupported,
    FirmwareFile,
    GpuInitFailed,
    PageFault,
    GpuHang,
    OutOfResources,
    HsaGeneric,
    HsaSegfault,
    KfdAdded,
    Throttling,
    // code for the GPU
    NoCode,
    ImageInvalid,
    IsaInvalid,
    TensileMissing,
    OverrideHint,
    EarlyName,
    // builds
    TorchNoCuda,
    NoHipGpus,
    NmsMissing,
    TritonMissing,
    TritonTwice,
    NoVersions,
    OtherPlatform,
    IndexLacks,
    IndexRefused,
    NoSetuptools,
    AlreadySatisfied,
    JaxPlugin,
    Bitsandbytes,
    VllmNoDevice,
    VllmTwoPlatforms,
    CudaLibrary,
    LocalOrder,
    // libraries
    AmdsmiName,
    AmdsmiSymbol,
    RocmSymbol,
    RocmLibrary,
    LlvmSymbol,
    System32Hip,
    // WSL
    WslNoAdapter,
    WslThunk,
    WslUnsupported,
    WslIoctl,
    // Windows
    NoRocmDevice,
    HipDllMissing,
    SmartAppControl,
    LongPath,
    VcRuntime,
    // several GPUs
    IommuWarning,
    PresentState,
    CollectiveTimeout,
    P2pFreeze,
    // repositories
    RepoNoRelease,
    KeyExpired,
    KeyMissing,
    DistroCandidate,
    InstallerOption,
    FileConflict,
    RpmDependency,
    RepoSuite,
    Certificates,
    CompilerGone,
    // disk and download
    DiskFull,
    HashMismatch,
    ArchiveCorrupt,
    WheelName,
    SlowDownload,
    // ABI
    NumpyAbi,
    Glibc,
    Glibcxx,
    // slow
    MiopenDatabase,
    HipblasltFallback,
    // containers
    DockerDesktop,
}
