//! An empty home for a program under test, and one snapshot of what it did.
//!
//! A run sees only what the sandbox gives it: the environment is cleared, home,
//! data, cache and configuration folders lie in a temporary folder, pip's and uv's
//! own configuration is switched off, and every proxy leads to a closed port, so
//! that a test which forgot its server fails instead of reaching out.

mod output;
mod run;
#[cfg(unix)]
mod terminal;

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::server::IndexServer;
use crate::world::SigningKey;
pub use output::Output;
pub use run::Run;

/// A temporary folder with an isolated environment; removed when dropped.
///
/// ```text
/// TEMP/
///   home/                 HOME
///     data/ cache/ config/ state/    the XDG folders
///   tmp/                  TMPDIR
///   bin/                  first on PATH; see Sandbox::program
///   project/              the working folder of every run
///   apt.sources           ROCMENV_APT_SOURCES, empty at first
/// ```
#[derive(Debug)]
pub struct Sandbox {
    root: TempDir,
    variables: Vec<(String, String)>,
    filters: Vec<(String, String)>,
}

impl Sandbox {
    /// An empty sandbox that reaches no network.
    pub fn new() -> Self {
        Self::inside(&std::env::temp_dir())
    }

    /// An empty sandbox in a folder, for a file system of one's own.
    pub fn inside(folder: &Path) -> Self {
        let root = tempfile::Builder::new()
            .prefix("rocmenv-")
            .tempdir_in(folder)
            .expect("a temporary folder can be made");
        let mut sandbox = Self { root, variables: Vec::new(), filters: Vec::new() };
        for folder in
            ["home/data", "home/cache", "home/config", "home/state", "tmp", "bin", "project"]
        {
            fs_err::create_dir_all(sandbox.path(folder)).expect("the sandbox can be written");
        }
        sandbox.write("../apt.sources", "");
        for (name, folder) in FOLDER_VARIABLES {
            let path = sandbox.path(folder).display().to_string();
            sandbox.env(name, &path);
        }
        for (name, value) in FIXED_VARIABLES {
            sandbox.env(name, value);
        }
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", sandbox.path("bin").display());
        sandbox.env("PATH", &path);
        sandbox
    }

    /// A sandbox that reaches the real indexes: it keeps this machine's proxies and its
    /// configuration of pip, uv and certificates, and apt's own sources are used.
    ///
    /// Only for tests that are guarded by [`crate::online`].
    pub fn online() -> Self {
        let mut sandbox = Self::new();
        let cut_off = [
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "NO_PROXY",
            "PIP_CONFIG_FILE",
            "UV_NO_CONFIG",
            "ROCMENV_INDEX_URL",
            "ROCMENV_APT_SOURCES",
        ];
        for name in cut_off {
            sandbox.remove_env(name);
        }
        for (name, value) in std::env::vars() {
            let kept = name.starts_with("PIP_")
                || name.starts_with("UV_")
                || name.starts_with("SSL_CERT_")
                || name.to_ascii_uppercase().ends_with("_PROXY");
            if kept {
                sandbox.env(&name, &value);
            }
        }
        sandbox
    }

    /// A path of the sandbox, relative to its root.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.path().join(relative)
    }

    /// The working folder of every run.
    pub fn project(&self) -> PathBuf {
        self.path("project")
    }

    /// Writes a file, relative to the project; its folder is made.
    pub fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.project().join(relative);
        if let Some(folder) = path.parent() {
            fs_err::create_dir_all(folder).expect("the sandbox can be written");
        }
        fs_err::write(&path, content).expect("the sandbox can be written");
        path
    }

    /// Reads a text file, relative to the project.
    pub fn read(&self, relative: &str) -> String {
        fs_err::read_to_string(self.project().join(relative)).expect("the file is there")
    }

    /// Whether a path exists, relative to the project; a dangling link does.
    pub fn exists(&self, relative: &str) -> bool {
        self.project().join(relative).symlink_metadata().is_ok()
    }

    /// Puts an executable script on PATH, before the machine's programs.
    #[cfg(unix)]
    pub fn program(&self, name: &str, script: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.write(&format!("../bin/{name}"), script);
        let executable = std::fs::Permissions::from_mode(0o755);
        fs_err::set_permissions(&path, executable).expect("the sandbox can be written");
        path
    }

    /// Sets a variable for every later run.
    pub fn env(&mut self, name: &str, value: &str) -> &mut Self {
        self.remove_env(name);
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Unsets a variable for every later run.
    pub fn remove_env(&mut self, name: &str) -> &mut Self {
        self.variables.retain(|(known, _)| known != name);
        self
    }

    /// Makes `name` of `server` the general index (`ROCMENV_INDEX_URL`).
    pub fn index(&mut self, server: &IndexServer, name: &str) -> &mut Self {
        self.trust(server);
        self.env("ROCMENV_INDEX_URL", &server.url(name))
    }

    /// Adds the apt repository `name` of `server` to the sources, signed by `key`.
    pub fn apt(&mut self, server: &IndexServer, name: &str, key: &SigningKey) -> &mut Self {
        let keyring = key.write_keyring(&self.path("keyrings"));
        let sources = self.path("apt.sources");
        let before = fs_err::read_to_string(&sources).expect("the sandbox can be read");
        let paragraphs = server.apt_sources(name, &keyring);
        fs_err::write(&sources, format!("{before}\n{paragraphs}"))
            .expect("the sandbox can be written");
        self
    }

    /// Sends every other address than loopback through `proxy`.
    pub fn proxy(&mut self, proxy: &crate::Proxy) -> &mut Self {
        let address = proxy.url();
        self.env("HTTP_PROXY", &address).env("HTTPS_PROXY", &address)
    }

    /// Sends every address to `internet`, trusts its certificates, and takes its `main` as the general index.
    pub fn internet(&mut self, internet: &crate::channels::Internet) -> &mut Self {
        self.proxy(&internet.proxy).index(&internet.server, "main")
    }

    /// Trusts the certificates of `server` (`SSL_CERT_FILE`), where it has one.
    pub fn trust(&mut self, server: &IndexServer) -> &mut Self {
        if let Some(authority) = server.authority_pem() {
            let path = self.write("../authority.pem", authority);
            self.env("SSL_CERT_FILE", &path.display().to_string());
        }
        self
    }

    /// Replaces what matches the regular expression `pattern` in every snapshot.
    pub fn filter(&mut self, pattern: &str, replacement: &str) -> &mut Self {
        self.filters.push((pattern.to_owned(), replacement.to_owned()));
        self
    }

    /// Prepares a run of `program` in the project folder.
    pub fn command(&self, program: impl AsRef<Path>) -> Run<'_> {
        Run::new(self, program.as_ref())
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

const FOLDER_VARIABLES: [(&str, &str); 7] = [
    ("HOME", "home"),
    ("XDG_DATA_HOME", "home/data"),
    ("XDG_CACHE_HOME", "home/cache"),
    ("XDG_CONFIG_HOME", "home/config"),
    ("XDG_STATE_HOME", "home/state"),
    ("TMPDIR", "tmp"),
    ("ROCMENV_APT_SOURCES", "apt.sources"),
];

const FIXED_VARIABLES: [(&str, &str); 9] = [
    ("LANG", "C.UTF-8"),
    ("TZ", "UTC"),
    ("COLUMNS", "100"),
    ("PIP_CONFIG_FILE", "/dev/null"), // pip's own way to say: no configuration file at all
    ("UV_NO_CONFIG", "1"),
    ("ROCMENV_INDEX_URL", "http://127.0.0.1:9/no-index-was-given/"),
    ("HTTP_PROXY", "http://127.0.0.1:9"),
    ("HTTPS_PROXY", "http://127.0.0.1:9"),
    ("NO_PROXY", "127.0.0.1,localhost"),
];

#[cfg(all(test, unix))]
mod tests;
