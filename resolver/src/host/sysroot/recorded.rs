//! A machine whose readings are kept, so that a capture can show what was seen of it.
//!
//! Small texts of `/sys`, `/proc` and a few of `/etc` are kept, and configuration space of PCI
//! functions as hexadecimal lines. Lists of users and packages are not.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::{LayeredSysroot, Sysroot};

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

impl LayeredSysroot for RecordedSysroot<'_> {
    fn under(&self) -> &dyn Sysroot {
        self.inner
    }

    fn seen(&self, path: &Path, bytes: &[u8]) {
        self.keep(path, bytes);
    }
}
