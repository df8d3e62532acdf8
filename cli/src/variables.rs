//! The environment variables that rocmenv honours: one table, which also makes
//! docs/environment.md. A variable that is not declared here cannot be read.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;

/// One variable.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// Whose it is.
    pub owner: Owner,
    /// What it does, in one sentence.
    pub meaning: &'static str,
}

/// Whose a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// rocmenv's own.
    Rocmenv,
    /// A convention of terminals and tools.
    Convention,
    /// Of pip or uv, whose configuration says where packages come from.
    PythonTool,
    /// Of ROCm: read as a fact and reported, never set silently.
    Rocm,
}

/// The variables of one call.
#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// Takes the variables of the process.
    pub fn new(env: BTreeMap<OsString, OsString>) -> Self {
        Self(env)
    }

    /// The value of a declared variable; an empty one counts as not set.
    pub fn value(&self, variable: &Variable) -> Option<&OsStr> {
        let value = self.0.get(OsStr::new(variable.name))?;
        (!value.is_empty()).then_some(value)
    }

    /// The value as text, where it is text.
    pub fn text(&self, variable: &Variable) -> Option<&str> {
        self.value(variable)?.to_str()
    }

    /// Whether the variable is set to something that is not a no.
    pub fn is_on(&self, variable: &Variable) -> bool {
        let no = ["0", "false", "no", "off"];
        self.value(variable).is_some_and(|value| !no.iter().any(|no| value == OsStr::new(no)))
    }

    /// The declared variables of one owner that are set, in the table's order.
    pub fn set_of(&self, owner: Owner) -> Vec<(&'static str, &OsStr)> {
        let declared = ALL.iter().filter(|variable| variable.owner == owner);
        declared.filter_map(|variable| Some((variable.name, self.value(variable)?))).collect()
    }

    /// All variables, for a program that is run.
    pub fn all(&self) -> &BTreeMap<OsString, OsString> {
        &self.0
    }
}

/// docs/environment.md.
pub fn documentation() -> String {
    let mut text = String::from(HEADER);
    for (owner, title) in SECTIONS {
        let _ = write!(text, "\n## {title}\n\n| variable | meaning |\n|---|---|\n");
        for variable in ALL.iter().filter(|variable| variable.owner == owner) {
            let _ = writeln!(text, "| `{}` | {} |", variable.name, variable.meaning);
        }
    }
    text
}

const HEADER: &str = "# Environment variables\n\n\
    Made from the table in `cli/src/variables.rs`; a test keeps it so. A flag beats its variable, \
    and an empty variable counts as not set. `0`, `false`, `no` and `off` switch a switch off.\n";

const SECTIONS: [(Owner, &str); 4] = [
    (Owner::Rocmenv, "rocmenv's own"),
    (Owner::Convention, "Conventions of terminals and tools"),
    (Owner::PythonTool, "Where Python packages come from"),
    (Owner::Rocm, "ROCm's, read as facts and reported, never set silently"),
];

macro_rules! variables {
    ($($name:ident: $owner:ident, $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: Variable = Variable {
                name: stringify!($name),
                owner: Owner::$owner,
                meaning: $meaning,
            };
        )*

        /// Every variable, in the order of the documentation.
        pub const ALL: &[Variable] = &[$($name),*];
    };
}

variables! {
    ROCMENV_PROJECT: Rocmenv, "The project's folder, as `--project`.";
    ROCMENV_TARGET: Rocmenv, "The target, as `--target`.";
    ROCMENV_ENV: Rocmenv, "The environment of the project, as `-e`.";
    ROCMENV_HOST: Rocmenv, "A file of host facts that replaces the probe, as `--host`.";
    ROCMENV_OFFLINE: Rocmenv, "Use no network, as `--offline`.";
    ROCMENV_LOCKED: Rocmenv, "The lock must already fit, as `--locked`.";
    ROCMENV_FROZEN: Rocmenv, "Use the lock unchecked, as `--frozen`.";
    ROCMENV_NO_PROGRESS: Rocmenv, "Show no progress bars, as `--no-progress`.";
    ROCMENV_DATA: Rocmenv, "The folder that holds the store and the shims, in place of the user's data folder.";
    ROCMENV_LAYERS: Rocmenv, "Data folders of an administrator, separated as in `PATH`: their stores are read, never written. Without it, the folders that `/etc/rocmenv/layers` lists, one a line.";
    ROCMENV_STORES: Rocmenv, "Further data folders of yours on other disks, separated as in `PATH`: a project on one of these disks has its files in the store there.";
    ROCMENV_CACHE: Rocmenv, "The folder of pages and downloads, in place of the user's cache folder.";
    ROCMENV_CONFIG: Rocmenv, "The folder of the user's own registry overlays.";
    ROCMENV_SHIMS: Rocmenv, "The folder that `shims install` writes into.";
    ROCMENV_INDEX_URL: Rocmenv, "The address of the general Python package index.";
    ROCMENV_PYTHON_BUILDS_URL: Rocmenv, "The address below which interpreter builds are served, in place of the registry's: `ADDRESS/BUILD/FILE`.";
    ROCMENV_APT_SOURCES: Rocmenv, "A file of apt sources that stands for the host's own (under `/etc/apt`).";
    ROCMENV_POWERSHELL: Rocmenv, "The PowerShell that says what a Windows is, natively and from inside of a WSL, in place of the one in its Windows folder (`/mnt/c/Windows` in a WSL).";
    ROCMENV_PROBE_SECONDS: Rocmenv, "How long Windows' PowerShell may take to say what the machine is, natively and from inside of a WSL, before it is left unasked (15).";
    ROCMENV_BYPASS: Rocmenv, "`1` makes every shim step aside for the next program of that name on PATH.";
    ROCMENV_SHIM_DEPTH: Rocmenv, "Set by shims, to notice that they call each other in a circle.";
    NO_COLOR: Convention, "Any value: no colours.";
    CLICOLOR_FORCE: Convention, "Colours even where the output is no terminal.";
    FORCE_COLOR: Convention, "The same.";
    TERM: Convention, "`dumb`: no colours and no progress bars.";
    CI: Convention, "Set by build machines: no questions and no progress bars.";
    SHELL: Convention, "The shell that `shell` starts and `activate` speaks to when none is named.";
    PATH: Convention, "Where interpreters of the host are looked for.";
    HOME: Convention, "Where the user's configuration is.";
    USERPROFILE: Convention, "The same, by the name that Windows has for it.";
    SYSTEMROOT: Convention, "Where Windows itself is: its libraries are found before an environment's.";
    HTTP_PROXY: Convention, "The proxy for plain addresses.";
    HTTPS_PROXY: Convention, "The proxy for encrypted addresses.";
    ALL_PROXY: Convention, "The proxy for all addresses.";
    NO_PROXY: Convention, "Hosts that are reached without a proxy.";
    SSL_CERT_FILE: Convention, "Certificates that are trusted beside the system's.";
    NETRC: Convention, "The file of names and passwords of hosts, in place of `~/.netrc`.";
    PIP_INDEX_URL: PythonTool, "pip's general index.";
    PIP_CONFIG_FILE: PythonTool, "pip's configuration file.";
    UV_DEFAULT_INDEX: PythonTool, "uv's general index.";
    UV_INDEX_URL: PythonTool, "The same, by its older name.";
    UV_PYTHON_INSTALL_MIRROR: PythonTool, "Where uv gets interpreter builds, as `ROCMENV_PYTHON_BUILDS_URL`.";
    HSA_OVERRIDE_GFX_VERSION: Rocm, "Makes the runtime believe in another gfx target.";
    ROCR_VISIBLE_DEVICES: Rocm, "Hides GPUs from the runtime.";
    HIP_VISIBLE_DEVICES: Rocm, "Hides GPUs from HIP.";
    CUDA_VISIBLE_DEVICES: Rocm, "Hides GPUs from HIP, too.";
    GPU_DEVICE_ORDINAL: Rocm, "Hides GPUs from OpenCL and HIP.";
    ROCM_PATH: Rocm, "Where programs look for ROCm.";
    HIP_PATH: Rocm, "Where programs look for HIP.";
    HIP_PLATFORM: Rocm, "What HIP is built for.";
    PYTORCH_ROCM_ARCH: Rocm, "The gfx targets that PyTorch extensions are built for.";
    LD_LIBRARY_PATH: Rocm, "Libraries that are taken before those of any environment.";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        Environment::new(pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect())
    }

    #[test]
    fn an_empty_variable_is_not_set_and_a_no_is_off() {
        let env = environment(&[("NO_COLOR", ""), ("CI", "false"), ("ROCMENV_OFFLINE", "1")]);
        assert_eq!(env.value(&NO_COLOR), None);
        assert!(!env.is_on(&CI));
        assert!(env.is_on(&ROCMENV_OFFLINE));
    }

    #[test]
    fn the_variables_of_rocm_are_facts() {
        let env = environment(&[("HIP_VISIBLE_DEVICES", "1"), ("HOME", "/home/u")]);
        assert_eq!(env.set_of(Owner::Rocm), [("HIP_VISIBLE_DEVICES", OsStr::new("1"))]);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a switch of this test alone")]
    fn the_document_is_in_step() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/environment.md");
        let written = fs_err::read_to_string(path).unwrap_or_default();
        if std::env::var_os("ROCMENV_WRITE_DOCS").is_some() {
            fs_err::write(path, documentation()).unwrap();
            return;
        }
        assert_eq!(written, documentation(), "run with ROCMENV_WRITE_DOCS=1 to write it");
    }
}
