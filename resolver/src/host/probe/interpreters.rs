//! Python interpreters: on the search path, pyenv's versions, the distribution's.
//!
//! Scripts on the search path are looked past: pyenv's shims are shell scripts that take long,
//! fail with 127 when their version is not chosen, and stand for versions that are found in
//! pyenv's own folder anyway. Each interpreter that remains is run once, without site
//! packages, so that nothing of the user's runs.

mod answer;
mod pyenv;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::Reader;
use crate::host::facts::{Interpreter, InterpreterOrigin};
use crate::host::sysroot::Sysroot;
use answer::{Answer, QUESTION};

/// A file that may be an interpreter.
struct Candidate {
    path: PathBuf,
    real: PathBuf,
    base: Option<String>,
    origin: InterpreterOrigin,
}

/// All interpreters that answer, each once.
pub(super) fn find(reader: &mut Reader<'_>) -> Vec<Interpreter> {
    let candidates = candidates(reader);
    let answers = ask_all(reader.root(), &candidates);
    let mut found = Vec::new();
    for (candidate, answer) in candidates.into_iter().zip(answers) {
        let path = candidate.path.to_string_lossy().into_owned();
        match answer {
            Ok(answer) => found.push(Interpreter {
                path,
                real_path: candidate.real.to_string_lossy().into_owned(),
                version: answer.version,
                implementation: answer.implementation,
                prefix: answer.prefix,
                free_threaded: answer.free_threaded,
                virtual_environment_of: candidate.base,
                origin: candidate.origin,
            }),
            Err(why) => reader.note(path, why),
        }
    }
    found
}

fn candidates(reader: &mut Reader<'_>) -> Vec<Candidate> {
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
                candidates.push(Candidate { path, real, base, origin });
            }
        }
    }
    candidates
}

/// Where to look: the search path, each of pyenv's versions, newest first, and the
/// distribution's folders even if the search path leaves them out.
fn folders(reader: &mut Reader<'_>, pyenv: Option<&Path>) -> Vec<PathBuf> {
    let search = reader.root().variables().get("PATH").cloned().unwrap_or_default();
    let mut folders = Vec::new();
    for folder in search.split(':').filter(|folder| folder.starts_with('/')).map(Path::new) {
        match pyenv.filter(|pyenv| folder == pyenv.join("shims")) {
            Some(pyenv) => folders.extend(pyenv::chosen_versions(reader, pyenv)),
            None => folders.push(folder.to_owned()),
        }
    }
    folders.extend(pyenv.into_iter().flat_map(|root| pyenv::versions(reader, root)));
    folders.extend(["/usr/local/bin", "/usr/bin"].map(PathBuf::from));
    let mut seen = BTreeSet::new();
    folders.retain(|folder| seen.insert(folder.clone()));
    folders
}

/// Where a path leads and, for a virtual environment, the folder of its base. `None` for
/// what is no interpreter itself: scripts, and links to a program that stands for many.
fn examine(reader: &Reader<'_>, path: &Path) -> Option<(PathBuf, Option<String>)> {
    let root = reader.root();
    let real = root.canonical(path).ok()?;
    if !is_interpreter_name(real.file_name()?.to_str()?) || !root.is_executable(&real) {
        return None;
    }
    if root.read_start(&real, 2).is_ok_and(|start| start == b"#!") {
        return None;
    }
    let settings = path.parent()?.parent()?.join("pyvenv.cfg");
    let base = reader.attribute(settings).and_then(|text| home_of(&text));
    Some((real, base))
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

/// Asks several at a time: starting an interpreter mostly waits for the disk.
fn ask_all(root: &dyn Sysroot, candidates: &[Candidate]) -> Vec<Result<Answer, String>> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..candidates.len().min(AT_ONCE) {
            let (next, sender) = (&next, sender.clone());
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(candidate) = candidates.get(at) else {
                        break;
                    };
                    // the receiver outlives the scope
                    let _ = sender.send((at, ask(root, candidate)));
                }
            });
        }
    });
    drop(sender);
    let mut answers: Vec<_> = receiver.into_iter().collect();
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

fn ask(root: &dyn Sysroot, candidate: &Candidate) -> Result<Answer, String> {
    // -E -s -S -B: no variables, no user or site packages, no bytecode written
    let arguments = ["-E", "-s", "-S", "-B", "-c", QUESTION];
    let output = root.run(&candidate.path, &arguments, LIMIT).map_err(|error| error.to_string())?;
    Answer::parse(&output).ok_or_else(|| "it ran and gave no answer".to_owned())
}

const DISTRIBUTION: &[&str] = &["/usr/bin", "/usr/libexec", "/bin"];

const AT_ONCE: usize = 4;

const LIMIT: Duration = Duration::from_secs(5);

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
