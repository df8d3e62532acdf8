//! The programs that were built for Windows, run by Wine on this machine.
//!
//! `.ci/windows` builds them and says where they are; without it nothing is there to run.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::{Output, Run, Sandbox};

/// A Windows of its own for one test: a sandbox, seen by Windows programs as drive `Z:`.
///
/// ```text
/// TEMP/
///   programs/   rocmenv.exe, rocmenv-shim.exe
///   python/     python.exe, which stands for an interpreter
///   data/ cache/ config/   rocmenv's folders
///   project/    the working folder
/// ```
#[derive(Debug)]
pub struct Wine {
    sandbox: Sandbox,
    loader: PathBuf,
    programs: PathBuf,
}

impl Wine {
    /// A Windows for the test `name`; `None` where there are no programs for it. Then a line
    /// `wine test skipped: NAME` goes to standard error past the harness's capture.
    pub fn start(name: &str) -> Option<Self> {
        let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let (Some(wine), Some(programs)) = (path("ROCMENV_WINE"), path("ROCMENV_WINDOWS_PROGRAMS"))
        else {
            let _ = writeln!(std::io::stderr(), "wine test skipped: {name} (.ci/windows runs it)");
            return None;
        };
        let mut sandbox = Sandbox::new();
        for (from, to) in PROGRAMS {
            let to = sandbox.path(to);
            fs_err::create_dir_all(to.parent().unwrap_or(Path::new(""))).expect("a folder");
            let from = programs.join(from);
            let linked = fs_err::hard_link(&from, &to);
            linked.or_else(|_| fs_err::copy(&from, &to).map(drop)).expect("the programs are built");
        }
        for name in ["WINEPREFIX", "WINEDEBUG", "WINEDLLOVERRIDES"] {
            if let Ok(value) = std::env::var(name) {
                sandbox.env(name, &value);
            }
        }
        sandbox.env("DISPLAY", "");
        for (name, folder) in
            [("ROCMENV_DATA", "data"), ("ROCMENV_CACHE", "cache"), ("ROCMENV_CONFIG", "config")]
        {
            let folder = windows_path(&sandbox.path(folder));
            sandbox.env(name, &folder);
        }
        let search = format!(
            "{};{}",
            windows_path(&sandbox.path("python")),
            windows_path(&sandbox.path("programs"))
        );
        // Wine puts it before the PATH of its own registry.
        sandbox.env("WINEPATH", &search);
        let shown = regex::escape(&windows_path(&sandbox.path("")));
        sandbox.filter(shown.trim_end_matches(r"\\"), "[TEMP]");
        Some(Self { sandbox, loader: wine, programs })
    }

    /// The sandbox, for its files and variables. Paths in variables are Windows'.
    pub fn sandbox(&mut self) -> &mut Sandbox {
        &mut self.sandbox
    }

    /// The path of a file of the project, as this machine says it.
    pub fn project(&self, relative: &str) -> PathBuf {
        self.sandbox.project().join(relative)
    }

    /// The path of a file of the sandbox, as Windows says it.
    pub fn shown(&self, relative: &str) -> String {
        windows_path(&self.sandbox.path(relative))
    }

    /// The folder of Windows' own libraries, which all tests share.
    pub fn system_folder(&self) -> PathBuf {
        let prefix = std::env::var_os("WINEPREFIX").expect("Wine is told where its Windows is");
        Path::new(&prefix).join("drive_c/windows/system32")
    }

    /// Gives this Windows a registry of its own, as the shared one was when it was last written
    /// to the disk: what a test changes in it nobody else sees, and what others change it does not
    /// see. Wine's own files stay the shared ones.
    #[cfg(unix)]
    pub fn own_registry(&mut self) {
        let shared = std::env::var_os("WINEPREFIX").expect("Wine is told where its Windows is");
        let (shared, own) = (PathBuf::from(shared), self.sandbox.path("windows"));
        fs_err::create_dir(&own).expect("a folder");
        for name in ["system.reg", "user.reg", "userdef.reg", ".update-timestamp"] {
            fs_err::copy(shared.join(name), own.join(name)).expect("Wine wrote its registry");
        }
        for name in ["drive_c", "dosdevices"] {
            fs_err::os::unix::fs::symlink(shared.join(name), own.join(name)).expect("a link");
        }
        self.sandbox.env("WINEPREFIX", own.to_str().expect("a path is UTF-8"));
    }

    /// Prepares a run of `rocmenv` with these words, parted at blanks.
    pub fn rocmenv(&self, words: &str) -> Run<'_> {
        self.run("programs/rocmenv.exe").args(words.split_whitespace())
    }

    /// Prepares a run of a program of the sandbox.
    pub fn run(&self, program: &str) -> Run<'_> {
        self.sandbox.command(&self.loader).arg(self.sandbox.path(program))
    }

    /// Prepares a run of one of Windows' own tools (`reg`).
    pub fn tool(&self, words: &[&str]) -> Run<'_> {
        self.sandbox.command(&self.loader).args(words)
    }

    /// One run of a tool, which must succeed.
    pub fn must_tool(&self, words: &[&str]) {
        let output = self.tool(words).run();
        assert_eq!(output.code, 0, "{words:?}: {}", output.snapshot());
    }

    /// Puts one of the programs that were built for Windows somewhere else, too.
    pub fn copy_program(&self, name: &str, to: &Path) {
        fs_err::copy(self.programs.join(name), to).expect("the programs are built");
    }

    /// Prepares a run of a batch file's text in the command prompt.
    pub fn command_prompt(&self, batch: &str) -> Run<'_> {
        let path = self.sandbox.path("prompt.cmd");
        fs_err::write(&path, batch.replace('\n', "\r\n")).expect("the sandbox can be written");
        self.sandbox.command(&self.loader).args(["cmd", "/c"]).arg(windows_path(&path))
    }

    /// Starts a program that goes on while others run; the caller waits for it.
    pub fn spawn(&self, program: &str, arguments: &[&str]) -> std::process::Child {
        let path = self.sandbox.path(program);
        self.sandbox.start(&self.loader, &[path.to_str().expect("a path is UTF-8")], arguments)
    }

    /// One run of `rocmenv`, which must succeed.
    pub fn must(&self, words: &str) -> Output {
        let output = self.rocmenv(words).run();
        assert_eq!(output.code, 0, "{words}: {}", output.snapshot());
        output
    }
}

/// How Windows programs see a path of this machine.
pub fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.display().to_string().replace('/', "\\"))
}

const PROGRAMS: [(&str, &str); 5] = [
    ("rocmenv.exe", "programs/rocmenv.exe"),
    ("rocmenv-shim.exe", "programs/rocmenv-shim.exe"),
    ("examples/stub_python.exe", "python/python.exe"),
    ("examples/stub_python.exe", "python/Lib/venv/scripts/nt/venvlauncher.exe"),
    ("examples/stub_python.exe", "python/Lib/venv/scripts/nt/venvwlauncher.exe"),
];
