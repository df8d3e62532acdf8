//! This machine.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use memchr::memmem;
use rocmenv_manifests::platform::OsFamily;

use super::once::Answers;
use super::{KernelName, Ownership, Space, Stamp, Sysroot, platform};
use crate::host::facts::{DeviceOpen, Process};
#[cfg(windows)]
use crate::host::windows::RegistryValue;

/// The machine that this process runs on.
#[derive(Debug, Clone, Default)]
pub struct LiveSysroot {
    variables: BTreeMap<String, String>,
    answers: Answers,
}

impl LiveSysroot {
    /// This machine, with the environment that the caller read.
    pub fn new(variables: BTreeMap<String, String>) -> Self {
        Self { variables, answers: Answers::default() }
    }

    /// The same with what slow programs answered earlier in this call.
    #[must_use]
    pub fn remembering(self, answers: Answers) -> Self {
        Self { answers, ..self }
    }
}

impl Sysroot for LiveSysroot {
    fn family(&self) -> OsFamily {
        if cfg!(windows) { OsFamily::Windows } else { OsFamily::Linux }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn read_start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>> {
        start_of(path, length)
    }

    fn read_after(&self, path: &Path, mark: &[u8], length: usize) -> io::Result<Option<Vec<u8>>> {
        after_mark(path, mark, length)
    }

    fn read_after_last(
        &self,
        path: &Path,
        mark: &[u8],
        length: usize,
    ) -> io::Result<Option<Vec<u8>>> {
        after_last_mark(path, mark, length)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        names_in(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path).map(|path| dunce::simplified(&path).to_owned())
    }

    fn is_executable(&self, path: &Path) -> bool {
        platform::is_executable(path)
    }

    fn ownership(&self, path: &Path) -> io::Result<Ownership> {
        platform::ownership(path)
    }

    fn stamp(&self, path: &Path) -> io::Result<Stamp> {
        stamp_of(path)
    }

    fn open_device(&self, path: &Path) -> DeviceOpen {
        platform::open_device(path)
    }

    fn kernel(&self) -> io::Result<KernelName> {
        platform::kernel()
    }

    fn process(&self) -> io::Result<Process> {
        platform::process()
    }

    fn space(&self, path: &Path) -> io::Result<Space> {
        platform::space(path)
    }

    fn run(&self, program: &Path, arguments: &[&str], limit: Duration) -> io::Result<String> {
        run_within(program, arguments, limit)
    }

    fn run_once(&self, program: &Path, arguments: &[&str], limit: Duration) -> io::Result<String> {
        self.answers.of(program, || self.run(program, arguments, limit))
    }

    #[cfg(windows)]
    fn registry(&self, key: &str, depth: u32) -> io::Result<Vec<RegistryValue>> {
        super::registry::values(key, depth)
    }

    fn kernel_log(&self) -> io::Result<String> {
        platform::kernel_log()
    }

    fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }
}

/// The first bytes of a file.
pub(super) fn start_of(path: &Path, length: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(length);
    let limit = u64::try_from(length).unwrap_or(u64::MAX);
    fs::File::open(path)?.take(limit).read_to_end(&mut start)?;
    Ok(start)
}

/// What follows the first place of a mark in a file. One piece of the file is in memory at a
/// time, with the end of the one before it, in which the mark may begin.
pub(super) fn after_mark(path: &Path, mark: &[u8], length: usize) -> io::Result<Option<Vec<u8>>> {
    let mut file = fs::File::open(path)?;
    let finder = memmem::Finder::new(mark);
    let mut window = vec![0; PIECE + mark.len()];
    let mut kept = 0;
    loop {
        let read = match file.read(&mut window[kept..]) {
            Ok(0) => return Ok(None),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let filled = &window[..kept + read];
        if let Some(at) = finder.find(filled) {
            let mut found = filled[at + mark.len()..].to_vec();
            found.truncate(length);
            let rest = u64::try_from(length - found.len()).unwrap_or(u64::MAX);
            file.take(rest).read_to_end(&mut found)?;
            return Ok(Some(found));
        }
        let end = filled.len();
        kept = end.min(mark.len().saturating_sub(1));
        window.copy_within(end - kept..end, 0);
    }
}

/// What follows the last place of a mark in a file, searched from its end in pieces. Each piece
/// is read with the beginning of the one behind it, into which the mark may reach.
pub(super) fn after_last_mark(
    path: &Path,
    mark: &[u8],
    length: usize,
) -> io::Result<Option<Vec<u8>>> {
    let mut file = fs::File::open(path)?;
    let finder = memmem::FinderRev::new(mark);
    let piece = PIECE as u64;
    let overlap = mark.len().saturating_sub(1) as u64;
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut window = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(piece);
        file.seek(SeekFrom::Start(start))?;
        window.clear();
        file.by_ref().take(end - start + overlap).read_to_end(&mut window)?;
        if let Some(at) = finder.rfind(&window) {
            file.seek(SeekFrom::Start(start + (at + mark.len()) as u64))?;
            let mut found = Vec::with_capacity(length);
            file.take(length as u64).read_to_end(&mut found)?;
            return Ok(Some(found));
        }
        end = start;
    }
    Ok(None)
}

/// Size and time of a file.
pub(super) fn stamp_of(path: &Path) -> io::Result<Stamp> {
    let metadata = fs::metadata(path)?;
    let since = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let modified = u64::try_from(since.as_nanos()).unwrap_or(u64::MAX);
    Ok(Stamp { size: metadata.len(), modified })
}

/// The UTF-8 names in a folder, sorted.
pub(super) fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        if let Ok(name) = entry?.file_name().into_string() {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Reads the program's output on a thread of its own: a grandchild that keeps the pipe open
/// must not hold up the probe beyond the limit.
fn run_within(program: &Path, arguments: &[&str], limit: Duration) -> io::Result<String> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let Some(mut stdout) = child.stdout.take() else {
        return Err(io::Error::other("the program has no standard output"));
    };
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut output = Vec::new();
        let outcome = stdout.read_to_end(&mut output).map(|_| output);
        // the receiver is gone once the time is over: nobody wants the answer any more
        let _ = sender.send(outcome);
    });
    let deadline = Instant::now() + limit;
    let output = receiver.recv_timeout(limit);
    let ended = output.is_ok().then(|| wait_until(&mut child, deadline)).transpose()?.flatten();
    let (Ok(output), Some(status)) = (output, ended) else {
        child.kill()?;
        child.wait()?;
        let seconds = limit.as_secs_f32();
        return Err(io::Error::new(
            io::ErrorKind::TimedOut,
            format!("no answer within {seconds} s"),
        ));
    };
    if !status.success() {
        return Err(io::Error::other(format!("the program ended with {status}")));
    }
    String::from_utf8(output?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// How a program ended, if it did by then: one that closed its output may go on all the same.
fn wait_until(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    loop {
        match child.try_wait()? {
            None if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
            ended => return Ok(ended),
        }
    }
}

/// How much of a long file is read at once.
const PIECE: usize = 64 * 1024;

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_wherever_it_stands() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let after = |content: &[u8]| {
            fs::write(file.path(), content).unwrap();
            let found = LiveSysroot::default().read_after(file.path(), b"=mark=", 4).unwrap();
            found.map(|found| String::from_utf8(found).unwrap())
        };
        for before in (0..8).chain(PIECE - 8..PIECE + 16) {
            let mut content = vec![b'='; before];
            content.extend_from_slice(b"=mark=12345=mark=6");
            assert_eq!(after(&content).as_deref(), Some("1234"), "{before} bytes before it");
            content.truncate(before + 7);
            assert_eq!(after(&content).as_deref(), Some("1"), "{before} bytes before it");
            content.truncate(before + 5);
            assert_eq!(after(&content), None, "{before} bytes before it");
        }
    }

    #[test]
    fn the_last_place_of_a_mark_is_found_wherever_it_stands() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let after = |content: &[u8]| {
            fs::write(file.path(), content).unwrap();
            let root = LiveSysroot::default();
            let found = root.read_after_last(file.path(), b"=mark=", 4).unwrap();
            found.map(|found| String::from_utf8(found).unwrap())
        };
        for behind in (0..8).chain(PIECE - 16..PIECE + 16) {
            let mut content = b"=mark=6=mark=12345".to_vec();
            content.resize(content.len() + behind, b'=');
            assert_eq!(after(&content).as_deref(), Some("1234"), "{behind} bytes behind it");
            content.drain(..7);
            assert_eq!(after(&content).as_deref(), Some("1234"), "{behind} bytes behind it");
            content.remove(0);
            assert_eq!(after(&content), None, "{behind} bytes behind it");
        }
        assert_eq!(after(b"=mark=1").as_deref(), Some("1"));
        assert_eq!(after(b""), None);
    }

    #[test]
    fn a_program_that_outlasts_the_limit_is_ended() {
        let root = LiveSysroot::default();
        let shell = Path::new("/bin/sh");
        let limit = Duration::from_secs(10);
        assert_eq!(root.run(shell, &["-c", "echo ok"], limit).unwrap(), "ok\n");
        assert!(root.run(shell, &["-c", "exit 127"], limit).is_err());
        let late = root.run(shell, &["-c", "exec sleep 20"], Duration::from_millis(50));
        assert_eq!(late.unwrap_err().kind(), io::ErrorKind::TimedOut);
        let silent = root.run(shell, &["-c", "exec sleep 20 >&-"], Duration::from_millis(50));
        assert_eq!(silent.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
