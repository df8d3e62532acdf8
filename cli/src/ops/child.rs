//! Running a program of the environment to its end, or to a limit, and keeping what it said.

use std::ffi::OsString;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::environment::Current;
use super::run::{self, RunError};
use crate::context::Context;

/// A program that ended.
#[derive(Debug, Clone)]
pub struct Ended {
    /// Its code; `None` where a signal ended it or it was stopped.
    pub code: Option<i32>,
    /// What it wrote to standard error, else to standard output.
    pub said: String,
    /// What it wrote to standard output.
    pub output: String,
    /// The limit at which it was stopped, where it was.
    pub stopped_after: Option<Duration>,
}

/// Runs a program in the project's folder with the environment's variables and no input.
///
/// # Errors
/// There is no such program, or the system refuses to run it.
pub fn run(context: &Context, current: &Current, words: &[OsString]) -> Result<Ended, RunError> {
    run_within(context, current, words, None)
}

/// As [`run`], where a program that runs longer than the limit is stopped with all that it
/// started.
///
/// # Errors
/// As for [`run`].
pub fn run_within(
    context: &Context,
    current: &Current,
    words: &[OsString],
    limit: Option<Duration>,
) -> Result<Ended, RunError> {
    let prepared = run::prepare_in(context, current, words)?;
    let mut command = Command::new(&prepared.program);
    command.args(&prepared.arguments).current_dir(current.root.folder());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (name, value) in prepared.variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let refused = |source| RunError::Refused { program: prepared.program.clone(), source };
    let mut child = command.spawn().map_err(refused)?;
    let (output, errors) = (Gathered::of(child.stdout.take()), Gathered::of(child.stderr.take()));
    let deadline = limit.map(|limit| Instant::now() + limit);
    let status = wait(&mut child, deadline).map_err(refused)?;
    // What it left running may hold its streams open; nobody waits for that beyond the limit.
    let (output, errors) = (output.text(deadline), errors.text(deadline));
    let said = if errors.is_empty() { output.clone() } else { errors };
    Ok(Ended {
        code: status.and_then(|status| status.code()),
        said,
        output,
        stopped_after: limit.filter(|_| status.is_none()),
    })
}

/// Waits for the end; `None` where the deadline came first and the program was stopped.
fn wait(child: &mut Child, deadline: Option<Instant>) -> std::io::Result<Option<ExitStatus>> {
    let Some(deadline) = deadline else { return child.wait().map(Some) };
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            stop(child)?;
            return Ok(None);
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Ends a program and, where the system tells, what it started: a shell that is gone would leave
/// its commands behind.
fn stop(child: &mut Child) -> std::io::Result<()> {
    let started = descendants::of(child.id());
    child.kill()?;
    child.wait()?;
    descendants::end(&started);
    Ok(())
}

/// What is read of a stream, beside the program that writes it.
struct Gathered {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: mpsc::Receiver<()>,
}

impl Gathered {
    fn of(stream: Option<impl Read + Send + 'static>) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (sender, ended) = mpsc::channel();
        let kept = Arc::clone(&bytes);
        thread::spawn(move || {
            let mut buffer = vec![0; 64 * 1024];
            let mut stream = stream;
            while let Some(Ok(count @ 1..)) = stream.as_mut().map(|one| one.read(&mut buffer)) {
                if let Ok(mut bytes) = kept.lock() {
                    bytes.extend_from_slice(&buffer[..count]);
                }
            }
            // Whoever waited may be gone.
            let _ = sender.send(());
        });
        Self { bytes, ended }
    }

    /// All of it, or what there is a moment after the deadline.
    fn text(&self, deadline: Option<Instant>) -> String {
        // The other side going away is an end like any other.
        let _ = match deadline {
            None => self.ended.recv().ok(),
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now()) + MOMENT;
                self.ended.recv_timeout(left).ok()
            }
        };
        let bytes = self.bytes.lock().map(|bytes| bytes.clone()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }
}

impl Ended {
    /// The last line of what it said, which is where Python says what is wrong.
    pub fn last_line(&self) -> String {
        let ended = match (self.stopped_after, self.code) {
            (Some(limit), _) => format!("stopped after {} s", limit.as_secs_f64()),
            (None, Some(code)) => format!("code {code}"),
            (None, None) => "ended by a signal".to_owned(),
        };
        match self.said.lines().last() {
            Some(line) => format!("{ended}: {line}"),
            None => ended,
        }
    }
}

/// What a program has started, as the kernel's process table says.
#[cfg(target_os = "linux")]
mod descendants {
    use fs_err as fs;
    use rustix::process::{Pid, Signal, kill_process};

    /// Everything below a process, the nearest first.
    pub(super) fn of(root: u32) -> Vec<u32> {
        let mut parents = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Ok(process) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
            // A process may end while it is looked at.
            let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
            let after_name = stat.rsplit(')').next().unwrap_or_default();
            let parent = after_name.split_whitespace().nth(1).and_then(|word| word.parse().ok());
            parents.extend(parent.map(|parent: u32| (process, parent)));
        }
        let mut found = vec![root];
        let mut at = 0;
        while let Some(&parent) = found.get(at) {
            found.extend(parents.iter().filter(|one| one.1 == parent).map(|one| one.0));
            at += 1;
        }
        found.split_off(1)
    }

    /// Ends them.
    pub(super) fn end(processes: &[u32]) {
        for &process in processes {
            let process = i32::try_from(process).ok().and_then(Pid::from_raw);
            // One that has ended by itself is what was wanted.
            let _ = process.map(|process| kill_process(process, Signal::KILL));
        }
    }
}

/// Other systems do not tell without help.
#[cfg(not(target_os = "linux"))]
mod descendants {
    pub(super) fn of(_: u32) -> Vec<u32> {
        Vec::new()
    }

    pub(super) fn end(_: &[u32]) {}
}

const LONGEST_PAUSE: Duration = Duration::from_millis(20);
const MOMENT: Duration = Duration::from_millis(500);
