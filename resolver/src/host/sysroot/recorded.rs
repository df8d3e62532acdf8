//! A machine whose readings are kept, so that a capture can show what was seen of it.
//!
//! Small texts of `/sys`, `/proc` and a few of `/etc` are kept, and configuration space of PCI
//! functions as hexadecimal lines. Lists of users and packages are not.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rocmenv_manifests::platform::OsFamily;

use super::{KernelName, Ownership, Space, Stamp, Sysroot};
use crate::host::facts::{DeviceOpen, Process};

/// A machine, and what was read of it.
pub struct RecordedSysroot<'a> {
    inner: &'a dyn Sysroot,
    files: Mutex<BTreeMap<String, String>>,
}

impl<'a> RecordedSysroot<'a> {
    /// Reads through `inner`.
    pub fn new(inner: &'a dyn Sysroot) -> Self {
        Self { inner, files: Mutex::default() }
    }

    /// The files that were read, by path without the leading `/`.
    pub fn into_files(self) -> BTreeMap<String, String> {
        self.files.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, path: &Path, bytes: &[u8]) {
        let Some(path) = path.to_str().filter(|path| is_shown(path)) else { return };
        let text = if path.ends_with("/config") && path.starts_with("/sys/") {
            hexadecimal(bytes)
        } else {
            match std::str::from_utf8(bytes) {
                Ok(text) if bytes.len() <= LARGEST && !text.contains('\0') => text.to_owned(),
                _ => return,
            }
        };
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if files.len() < MOST {
            files.insert(path.trim_start_matches('/').to_owned(), text);
        }
    }
}

/// Whether a path is one that a diagnosis is about and that names no users.
fn is_shown(path: &str) -> bool {
    let starts = ["/sys/", "/proc/sys/", "/etc/modprobe.d/", "/usr/lib/modprobe.d/"];
    let whole = ["/proc/cmdline", "/proc/version", "/proc/meminfo", "/etc/os-release"];
    (starts.iter().any(|start| path.starts_with(start)) && !path.contains("/efivars/"))
        || whole.contains(&path)
}

/// Sixteen bytes a line, as `lspci -xxx` prints them.
fn hexadecimal(bytes: &[u8]) -> String {
    let mut out = String::new();
    for (number, line) in bytes.chunks(16).enumerate() {
        // the rest of the space is empty
        if line.iter().all(|byte| *byte == 0) {
            continue;
        }
        let _ = write!(out, "{:03x}:", number * 16);
        for byte in line {
            let _ = write!(out, " {byte:02x}");
        }
        out.push('\n');
    }
    out
}

const LARGEST: usize = 16 * 1024;
const MOST: usize = 2000;

impl Sysroot for RecordedSysroot<'_> {
    fn family(&self) -> OsFamily {
        self.inner.family()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = self.inner.read(path)?;
        self.keep(path, &bytes);
        Ok(bytes)
    }

    fn read_start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>> {
        let bytes = self.inner.read_start(path, length)?;
        self.keep(path, &bytes);
        Ok(bytes)
    }

    fn read_after(&self, path: &Path, mark: &[u8], length: usize) -> io::Result<Option<Vec<u8>>> {
        self.inner.read_after(path, mark, length)
    }

    fn read_after_last(
        &self,
        path: &Path,
        mark: &[u8],
        length: usize,
    ) -> io::Result<Option<Vec<u8>>> {
        self.inner.read_after_last(path, mark, length)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.inner.list(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.inner.canonical(path)
    }

    fn is_executable(&self, path: &Path) -> bool {
        self.inner.is_executable(path)
    }

    fn ownership(&self, path: &Path) -> io::Result<Ownership> {
        self.inner.ownership(path)
    }

    fn stamp(&self, path: &Path) -> io::Result<Stamp> {
        self.inner.stamp(path)
    }

    fn open_device(&self, path: &Path) -> DeviceOpen {
        self.inner.open_device(path)
    }

    fn kernel(&self) -> io::Result<KernelName> {
        self.inner.kernel()
    }

    fn process(&self) -> io::Result<Process> {
        self.inner.process()
    }

    fn space(&self, path: &Path) -> io::Result<Space> {
        self.inner.space(path)
    }

    fn run(&self, program: &Path, arguments: &[&str], limit: Duration) -> io::Result<String> {
        self.inner.run(program, arguments, limit)
    }

    fn variables(&self) -> &BTreeMap<String, String> {
        self.inner.variables()
    }

    fn kernel_log(&self) -> io::Result<String> {
        self.inner.kernel_log()
    }

    fn captured(&self, name: &str) -> Option<Vec<u8>> {
        self.inner.captured(name)
    }

    fn exists(&self, path: &Path) -> bool {
        self.inner.exists(path)
    }
}
