//! One run of a program in a sandbox.

use std::ffi::OsStr;
use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::{Output, Sandbox};

/// A run that is being prepared.
#[derive(Debug)]
pub struct Run<'s> {
    sandbox: &'s Sandbox,
    pub(super) command: Command,
    input: Vec<u8>,
    limit: Duration,
}

impl Sandbox {
    /// Starts a program that goes on while others run, its input and output piped.
    pub(crate) fn start(&self, program: &Path, first: &[&str], more: &[&str]) -> Child {
        let mut command = self.isolated(program);
        command.args(first).args(more).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    fn isolated(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.project());
        command
    }
}

impl<'s> Run<'s> {
    pub(super) fn new(sandbox: &'s Sandbox, program: &Path) -> Self {
        let command = sandbox.isolated(program);
        Self { sandbox, command, input: Vec::new(), limit: DEFAULT_LIMIT }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets a variable for this run alone.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Unsets a variable for this run alone.
    #[must_use]
    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Runs in another folder, relative to the project.
    #[must_use]
    pub fn in_folder(mut self, relative: &str) -> Self {
        self.command.current_dir(self.sandbox.project().join(relative));
        self
    }

    /// What the program reads on standard input; nothing by default.
    #[must_use]
    pub fn stdin(mut self, text: &str) -> Self {
        text.as_bytes().clone_into(&mut self.input);
        self
    }

    /// Another limit than two minutes, after which the run is ended and the test fails.
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Runs to the end.
    pub fn run(mut self) -> Output {
        let mut child = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", self.program()));
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let mut stdin = child.stdin.take().expect("standard input is piped");
        let input = std::mem::take(&mut self.input);
        // A program may end without reading: that is no fault of the test.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let status = self.wait(&mut child);
        writer.join().expect("the writer does not panic");
        let text = |stream: JoinHandle<Vec<u8>>| {
            let bytes = stream.join().expect("a reader does not panic");
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let output = Output {
            code: status.map_or(0, code),
            stdout: text(stdout),
            stderr: text(stderr),
            filters: self.filters(),
        };
        assert!(
            status.is_some(),
            "{} did not end within {:?}\n{}",
            self.program(),
            self.limit,
            output.snapshot()
        );
        output
    }

    /// The status, or nothing where the limit passed and the child was killed.
    fn wait(&self, child: &mut Child) -> Option<ExitStatus> {
        let end = Instant::now() + self.limit;
        while Instant::now() < end {
            if let Some(status) = child.try_wait().expect("a child can be waited for") {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = child.kill();
        let _ = child.wait();
        None
    }

    fn program(&self) -> String {
        self.command.get_program().to_string_lossy().into_owned()
    }

    fn filters(&self) -> Vec<(String, String)> {
        let root = self.sandbox.root.path();
        let real = fs_err::canonicalize(root).expect("the sandbox is there");
        let mut filters: Vec<(String, String)> = [real.as_path(), root]
            .map(|path| (regex::escape(&path.display().to_string()), "[TEMP]".to_owned()))
            .into();
        let port = (r"\b(127\.0\.0\.1|localhost):\d+".to_owned(), "$1:[PORT]".to_owned());
        filters.push(port);
        filters.extend(self.sandbox.filters.iter().cloned());
        filters
    }
}

fn collect(stream: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    let mut stream = stream.expect("both outputs are piped");
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        bytes
    })
}

#[cfg(unix)]
fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt as _;
    status.code().unwrap_or_else(|| -status.signal().unwrap_or_default())
}

#[cfg(not(unix))]
fn code(status: ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}

const DEFAULT_LIMIT: Duration = Duration::from_mins(2);
