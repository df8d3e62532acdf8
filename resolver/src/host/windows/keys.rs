//! The keys of the registry that are read where PowerShell does not answer; the query reads the
//! same ones.

/// A key, and how many levels below it count.
pub(in crate::host) type Depth = (&'static str, u32);

/// Interpreters that registered themselves for the launcher (PEP 514), a user's before the
/// machine's: `TAG`, `TAG\InstallPath`.
pub(in crate::host) const PYTHON_CORES: [Depth; 2] = [
    (r"HKEY_CURRENT_USER\SOFTWARE\Python\PythonCore", 2),
    (r"HKEY_LOCAL_MACHINE\SOFTWARE\Python\PythonCore", 2),
];

/// All of them.
pub(in crate::host) const ALL: [Depth; 8] = [
    (r"HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion", 0),
    (r"HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\FileSystem", 0),
    (r"HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\CI\Policy", 0),
    (r"HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\VisualStudio\14.0\VC\Runtimes\X64", 0),
    (r"HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows\CurrentVersion\Lxss\MSI", 0),
    (
        r"HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}",
        1,
    ),
    PYTHON_CORES[0],
    PYTHON_CORES[1],
];
