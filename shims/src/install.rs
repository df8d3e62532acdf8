//! Putting shims into a folder and taking them out, without ever touching a file that is none.
//!
//! On Unix a shim is a symbolic link to the shim program; on Windows a copy of it.

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
        fs::remove_file(&path).map(|()| Outcome::Removed)
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
        fs::remove_file(path)?;
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(shim, path)?;
    #[cfg(not(unix))]
    fs::copy(shim, path)?;
    Ok(Outcome::Installed)
}

/// Whether the file at `path` is a shim, of this or of another copy of the program.
fn is_shim(path: &Path, shim: &Path) -> bool {
    if cfg!(unix) {
        let target = fs::read_link(path).ok();
        let target = target.as_deref().and_then(Path::file_name);
        target.is_some() && target == shim.file_name()
    } else {
        leads_to(path, shim)
    }
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
