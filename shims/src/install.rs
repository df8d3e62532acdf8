//! Putting shims into a folder and taking them out, without ever touching a file that is none.
//!
//! On Unix a shim is a symbolic link to the shim program; on Windows a copy of it, which is known
//! by a mark in its bytes, so that a shim of an older release is one, too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What happened to one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The shim is new, or now leads to this program.
    Installed,
    /// It was there already.
    Unchanged,
    /// Something else has this name; it was left alone.
    Foreign,
    /// The shim was taken out.
    Removed,
    /// There was none.
    Absent,
}

/// Puts shims for `names` into `folder`, which is made if need be.
pub fn install(folder: &Path, shim: &Path, names: &[String]) -> io::Result<Vec<Outcome>> {
    fs::create_dir_all(folder)?;
    names.iter().map(|name| install_one(&path_of(folder, name), shim)).collect()
}

/// The names of the shims in `folder`, sorted.
pub fn list(folder: &Path, shim: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(names),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        let name = if cfg!(windows) { path.file_stem() } else { path.file_name() };
        if let Some(name) = name
            && is_shim(&path, shim)
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Takes the shims for `names` out of `folder`.
pub fn remove(folder: &Path, shim: &Path, names: &[String]) -> io::Result<Vec<Outcome>> {
    let remove_one = |name: &String| {
        let path = path_of(folder, name);
        if fs::symlink_metadata(&path).is_err() {
            return Ok(Outcome::Absent);
        }
        if !is_shim(&path, shim) {
            return Ok(Outcome::Foreign);
        }
        take_away(&path).map(|()| Outcome::Removed)
    };
    names.iter().map(remove_one).collect()
}

fn install_one(path: &Path, shim: &Path) -> io::Result<Outcome> {
    if fs::symlink_metadata(path).is_ok() {
        if !is_shim(path, shim) {
            return Ok(Outcome::Foreign);
        }
        if leads_to(path, shim) {
            return Ok(Outcome::Unchanged);
        }
        take_away(path)?;
    }
    put(shim, path)?;
    Ok(Outcome::Installed)
}

#[cfg(unix)]
fn put(shim: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(shim, path)
}

#[cfg(not(unix))]
fn put(shim: &Path, path: &Path) -> io::Result<()> {
    fs::copy(shim, path).map(|_| ())
}

/// Removes a shim. One that is running cannot be removed on Windows, but may get another name; it
/// goes when its name is needed again.
fn take_away(path: &Path) -> io::Result<()> {
    let removed = fs::remove_file(path);
    if cfg!(unix) || removed.is_ok() {
        return removed;
    }
    let aside = path.with_extension("old");
    let _ = fs::remove_file(&aside);
    fs::rename(path, aside)
}

/// Whether the file at `path` is a shim, of this or of another copy of the program.
fn is_shim(path: &Path, shim: &Path) -> bool {
    if cfg!(unix) {
        let target = fs::read_link(path).ok();
        let target = target.as_deref().and_then(Path::file_name);
        target.is_some() && target == shim.file_name()
    } else {
        path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("exe"))
            && fs::read(path).is_ok_and(|bytes| is_marked(&bytes))
    }
}

/// Whether these are the bytes of a shim program. The words are put together here, so that the
/// program that looks for them does not hold them itself.
fn is_marked(bytes: &[u8]) -> bool {
    let mark = ["a shim", "of rocmenv,", "format 1"].join(" ");
    bytes.windows(mark.len()).any(|window| window == mark.as_bytes())
}

fn leads_to(path: &Path, shim: &Path) -> bool {
    if cfg!(unix) {
        return fs::read_link(path).is_ok_and(|target| target == shim);
    }
    matches!((fs::read(path), fs::read(shim)), (Ok(one), Ok(other)) if one == other)
}

fn path_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// What a shim program holds, so that it is known as one.
pub(crate) const MARK: &str = "a shim of rocmenv, format 1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shim_is_known_by_its_mark() {
        let program = format!("MZ...{MARK}...");
        assert!(is_marked(program.as_bytes()));
        assert!(!is_marked(b"MZ... a shim of something else"));
    }
}
