//! What environment markers are evaluated against: the values of one target.
//!
//! A described target does not know everything that an interpreter would say (its kernel
//! release, its build string): such a value is unknown, and so is an answer that depends on it.
//! Nothing is read from the machine here.

use std::fmt;

use pep440_rs::Version;

use crate::platform::{Arch, OsFamily};

/// The variables of the dependency specifier grammar, `extra` apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkerVariable {
    /// `os_name`: `posix`, `nt`.
    OsName,
    /// `sys_platform`: `linux`, `win32`.
    SysPlatform,
    /// `platform_machine`: `x86_64`, `aarch64`, `AMD64`.
    PlatformMachine,
    /// `platform_python_implementation`: `CPython`.
    PlatformPythonImplementation,
    /// `platform_release`: the kernel's release.
    PlatformRelease,
    /// `platform_system`: `Linux`, `Windows`.
    PlatformSystem,
    /// `platform_version`: the kernel's build string.
    PlatformVersion,
    /// `python_version`: X.Y.
    PythonVersion,
    /// `python_full_version`: X.Y.Z.
    PythonFullVersion,
    /// `implementation_name`: `cpython`.
    ImplementationName,
    /// `implementation_version`: X.Y.Z.
    ImplementationVersion,
}

/// The answer of a marker where some values may be unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It applies.
    True,
    /// It does not apply.
    False,
    /// It depends on this variable, which the target does not say.
    Unknown(MarkerVariable),
    /// It compares by an operator that means nothing for such values (`os_name ~= '1.0'`).
    Undefined,
}

/// The marker values of one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkerEnv {
    values: [Value; MarkerVariable::ALL.len()],
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Value {
    text: Option<String>,
    version: Option<Version>,
}

impl MarkerEnv {
    /// The values of CPython `python` (X.Y.Z) on a target. WSL is Linux. The kernel's release and
    /// build string stay unknown until [`Self::with`] gives them.
    pub fn cpython(python: &Version, os: OsFamily, arch: Arch) -> Self {
        use MarkerVariable as V;
        let minor: Vec<String> = python.release().iter().take(2).map(u64::to_string).collect();
        let (os_name, sys_platform, system) = match os {
            OsFamily::Linux => ("posix", "linux", "Linux"),
            OsFamily::Windows => ("nt", "win32", "Windows"),
        };
        let machine = match (os, arch) {
            (OsFamily::Windows, Arch::X86_64) => "AMD64",
            (OsFamily::Windows, Arch::Aarch64) => "ARM64",
            (OsFamily::Linux, Arch::X86_64) => "x86_64",
            (OsFamily::Linux, Arch::Aarch64) => "aarch64",
        };
        Self::unknown()
            .with(V::OsName, os_name)
            .with(V::SysPlatform, sys_platform)
            .with(V::PlatformSystem, system)
            .with(V::PlatformMachine, machine)
            .with(V::PlatformPythonImplementation, "CPython")
            .with(V::ImplementationName, "cpython")
            .with(V::ImplementationVersion, python.to_string())
            .with(V::PythonFullVersion, python.to_string())
            .with(V::PythonVersion, minor.join("."))
    }

    /// Values that are all unknown.
    pub fn unknown() -> Self {
        Self { values: std::array::from_fn(|_| Value::default()) }
    }

    /// The same with one value set.
    #[must_use]
    pub fn with(mut self, variable: MarkerVariable, text: impl Into<String>) -> Self {
        let text = text.into();
        let version = text.parse().ok();
        self.values[variable as usize] = Value { text: Some(text), version };
        self
    }

    /// The text of a variable, if known.
    pub fn text(&self, variable: MarkerVariable) -> Option<&str> {
        self.values[variable as usize].text.as_deref()
    }

    /// A variable as a version, if it is known and is one.
    pub fn version(&self, variable: MarkerVariable) -> Option<&Version> {
        self.values[variable as usize].version.as_ref()
    }
}

impl MarkerVariable {
    /// Every variable, in the order of the enum.
    pub const ALL: [Self; 11] = [
        Self::OsName,
        Self::SysPlatform,
        Self::PlatformMachine,
        Self::PlatformPythonImplementation,
        Self::PlatformRelease,
        Self::PlatformSystem,
        Self::PlatformVersion,
        Self::PythonVersion,
        Self::PythonFullVersion,
        Self::ImplementationName,
        Self::ImplementationVersion,
    ];

    /// The variable of that name; the dotted names of PEP 345 are read too.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "os_name" | "os.name" => Self::OsName,
            "sys_platform" | "sys.platform" => Self::SysPlatform,
            "platform_machine" | "platform.machine" => Self::PlatformMachine,
            "platform_python_implementation"
            | "platform.python_implementation"
            | "python_implementation" => Self::PlatformPythonImplementation,
            "platform_release" => Self::PlatformRelease,
            "platform_system" => Self::PlatformSystem,
            "platform_version" | "platform.version" => Self::PlatformVersion,
            "python_version" => Self::PythonVersion,
            "python_full_version" => Self::PythonFullVersion,
            "implementation_name" => Self::ImplementationName,
            "implementation_version" => Self::ImplementationVersion,
            _ => return None,
        })
    }

    /// Whether its values are compared as versions, where the other side is one.
    pub fn is_version(self) -> bool {
        matches!(
            self,
            Self::PlatformRelease
                | Self::PythonVersion
                | Self::PythonFullVersion
                | Self::ImplementationVersion
        )
    }
}

impl fmt::Display for MarkerVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OsName => "os_name",
            Self::SysPlatform => "sys_platform",
            Self::PlatformMachine => "platform_machine",
            Self::PlatformPythonImplementation => "platform_python_implementation",
            Self::PlatformRelease => "platform_release",
            Self::PlatformSystem => "platform_system",
            Self::PlatformVersion => "platform_version",
            Self::PythonVersion => "python_version",
            Self::PythonFullVersion => "python_full_version",
            Self::ImplementationName => "implementation_name",
            Self::ImplementationVersion => "implementation_version",
        })
    }
}
