//! Paths as programs can use them, and as the system needs them.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// Where a path leads once all links are followed. On Windows without the prefix `\\?\` wherever
/// it can be left out: scripts, `pyvenv.cfg` and PATH get these paths, and most programs
/// understand no prefix.
///
/// Some file systems there (RAM disks, network drives, Wine with long paths) cannot say where a
/// path leads; then it leads to itself.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    match fs_err::canonicalize(path) {
        Err(error) if cfg!(windows) && error.kind() != io::ErrorKind::NotFound => {
            let absolute = std::path::absolute(path)?;
            if absolute.exists() { Ok(absolute) } else { Err(error) }
        }
        found => found.map(|path| dunce::simplified(&path).to_owned()),
    }
}

/// The path for calls that do not lengthen paths by themselves, as those of `std` do: on Windows
/// one of 260 characters or more needs the prefix `\\?\` there.
pub(crate) fn reachable(path: &Path) -> Cow<'_, Path> {
    if !cfg!(windows) || path.as_os_str().len() < LONGEST_PLAIN {
        return Cow::Borrowed(path);
    }
    let Ok(absolute) = std::path::absolute(path) else { return Cow::Borrowed(path) };
    let text = absolute.to_string_lossy();
    if text.starts_with(VERBATIM) || absolute.to_str().is_none() {
        return Cow::Owned(absolute);
    }
    Cow::Owned(match text.strip_prefix(r"\\") {
        Some(share) => PathBuf::from(format!(r"{VERBATIM}UNC\{share}")),
        None => PathBuf::from(format!("{VERBATIM}{text}")),
    })
}

/// Whether a program without a manifest for long paths, or on a Windows that has not switched
/// them on, cannot open the path below the folder.
pub(crate) fn is_long(folder: &Path, below: &str) -> bool {
    cfg!(windows) && folder.as_os_str().len() + 1 + below.len() >= MAX_PATH
}

/// The path below a folder, in one allocation: `Path::join` needs two.
pub(crate) fn joined(folder: &Path, below: &str) -> PathBuf {
    let mut path = PathBuf::with_capacity(folder.as_os_str().len() + 1 + below.len());
    path.push(folder);
    path.push(below);
    path
}

const VERBATIM: &str = r"\\?\";
/// `MAX_PATH` less the twelve characters that a folder must leave for a file ("Maximum Path
/// Length Limitation" of the Windows documentation).
const LONGEST_PLAIN: usize = 248;
const MAX_PATH: usize = 260;
