//! Where interpreters may be, in the order in which a user would mean them: the search path, with
//! the versions that pyenv's shims stand for in their place, then all of pyenv's versions and the
//! distribution's folders; on Windows what registered itself for the launcher, newest first.
//!
//! Nothing is run here. Scripts are looked past: pyenv's shims are shell scripts that take long,
//! fail with 127 when their version is not chosen, and stand for versions that are found in
//! pyenv's own folder anyway.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pep440_rs::Version;
use rocmenv_manifests::platform::OsFamily;

use super::pyenv;
use crate::host::facts::{Interpreter, InterpreterOrigin};
use crate::host::probe::{Reader, registered_interpreters};

/// A file that may be an interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::host) struct Candidate {
    /// The path by which it was found.
    pub(in crate::host) path: PathBuf,
    /// Where that leads.
    pub(in crate::host) real: PathBuf,
    /// The folder of its base, for the interpreter of a virtual environment.
    pub(in crate::host) base: Option<String>,
    /// How it was found.
    pub(in crate::host) origin: InterpreterOrigin,
    /// What was said of it where it was found.
    pub(in crate::host) said: Option<Said>,
}

/// What somebody says of an interpreter, so that it need not be run to be passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::host) struct Said {
    /// Its version, as far as it was said.
    pub(in crate::host) version: Version,
    /// Whether it is built without the global lock.
    pub(in crate::host) free_threaded: bool,
}

/// All candidates, each once.
pub(in crate::host) fn candidates(reader: &mut Reader<'_>) -> Vec<Candidate> {
    let mut seen = BTreeSet::new();
    let mut candidates = Vec::new();
    let pyenv = pyenv::root(reader);
    let versions = pyenv.as_ref().map(|root| root.join("versions"));
    for folder in folders(reader, pyenv.as_deref()) {
        let names = reader.root().list(&folder).unwrap_or_default();
        for name in names.into_iter().filter(|name| is_interpreter_name(name)) {
            let path = folder.join(name);
            let Some((real, base)) = examine(reader, &path) else {
                continue;
            };
            let identity = if base.is_some() { folder.clone() } else { real.clone() };
            if seen.insert(identity) {
                let origin = origin(&real, versions.as_deref());
                candidates.push(Candidate { path, real, base, origin, said: None });
            }
        }
    }
    let registered = registered(reader);
    candidates.extend(registered.into_iter().filter(|one| seen.insert(one.real.clone())));
    candidates
}

/// What registered itself for the launcher of Windows and is still there, newest first; of the
/// same version the user's own before the machine's.
fn registered(reader: &Reader<'_>) -> Vec<Candidate> {
    if reader.root().family() != OsFamily::Windows {
        return Vec::new();
    }
    let mut facts = registered_interpreters(reader.root());
    facts.sort_by(|one, other| other.version.cmp(&one.version));
    let candidate = |fact: Interpreter| {
        let path = PathBuf::from(fact.path);
        let (real, base) = examine(reader, &path)?;
        let said = Said { version: fact.version, free_threaded: fact.free_threaded };
        Some(Candidate { path, real, base, origin: fact.origin, said: Some(said) })
    };
    facts.into_iter().filter_map(candidate).collect()
}

/// Where to look: the search path, each of pyenv's versions, newest first, and the
/// distribution's folders even if the search path leaves them out.
fn folders(reader: &mut Reader<'_>, pyenv: Option<&Path>) -> Vec<PathBuf> {
    let search = reader.root().variables().get("PATH").cloned().unwrap_or_default();
    let is_windows = reader.root().family() == OsFamily::Windows;
    let separator = if is_windows { ';' } else { ':' };
    let mut folders = Vec::new();
    // A captured Windows is read on Linux, where its paths count as relative.
    let is_absolute = |folder: &&str| {
        if is_windows { !folder.is_empty() } else { folder.starts_with('/') }
    };
    for folder in search.split(separator).filter(is_absolute).map(Path::new) {
        match pyenv.filter(|pyenv| folder == pyenv.join("shims")) {
            Some(pyenv) => folders.extend(pyenv::chosen_versions(reader, pyenv)),
            None => folders.push(folder.to_owned()),
        }
    }
    folders.extend(pyenv.into_iter().flat_map(|root| pyenv::versions(reader, root)));
    if !is_windows {
        folders.extend(["/usr/local/bin", "/usr/bin"].map(PathBuf::from));
    }
    let mut seen = BTreeSet::new();
    folders.retain(|folder| seen.insert(folder.clone()));
    folders
}

/// Where a path leads and, for a virtual environment, the folder of its base.
fn examine(reader: &Reader<'_>, path: &Path) -> Option<(PathBuf, Option<String>)> {
    Some((program(reader, path)?, base_of(reader, path)))
}

/// Where a path leads. `None` for what is no interpreter itself: scripts, and links to a program
/// that stands for many.
pub(super) fn program(reader: &Reader<'_>, path: &Path) -> Option<PathBuf> {
    let root = reader.root();
    let real = root.canonical(path).ok()?;
    if !is_interpreter_name(real.file_name()?.to_str()?) || !root.is_executable(&real) {
        return None;
    }
    let is_script = root.read_start(&real, 2).is_ok_and(|start| start == b"#!");
    (!is_script).then_some(real)
}

/// The folder of the base, for a path in a virtual environment.
pub(super) fn base_of(reader: &Reader<'_>, path: &Path) -> Option<String> {
    let settings = path.parent()?.parent()?.join("pyvenv.cfg");
    home_of(&reader.attribute(settings)?)
}

/// The key `home` of a `pyvenv.cfg` (PEP 405).
fn home_of(settings: &str) -> Option<String> {
    let pairs = settings.lines().filter_map(|line| line.split_once('='));
    let mut homes = pairs.filter(|(key, _)| key.trim() == "home");
    homes.next().map(|(_, value)| value.trim().to_owned())
}

fn origin(real: &Path, versions: Option<&Path>) -> InterpreterOrigin {
    if versions.is_some_and(|versions| real.starts_with(versions)) {
        return InterpreterOrigin::Pyenv;
    }
    if DISTRIBUTION.iter().any(|folder| real.starts_with(folder)) {
        return InterpreterOrigin::Distribution;
    }
    InterpreterOrigin::Path
}

/// `python`, `python3`, `python3.12`, `python3.13t`, `pypy3.11`; not `python3-config`.
fn is_interpreter_name(name: &str) -> bool {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let Some(version) = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy")) else {
        return false;
    };
    let version = version.strip_suffix('t').unwrap_or(version);
    version.split('.').all(|part| part.bytes().all(|letter| letter.is_ascii_digit()))
}

const DISTRIBUTION: &[&str] = &["/usr/bin", "/usr/libexec", "/bin"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_interpreters_are_told_from_their_tools() {
        for name in ["python", "python3", "python3.12", "python3.13t", "pypy3.11", "python.exe"] {
            assert!(is_interpreter_name(name), "{name}");
        }
        for name in ["python3-config", "python3.11-config", "pythonw", "ipython", "python3.12d"] {
            assert!(!is_interpreter_name(name), "{name}");
        }
    }
}
