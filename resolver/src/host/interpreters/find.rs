//! The first interpreter of the host that fits, with as few programs run as possible.
//!
//! What its name or its folder says to be of another series is not run; what was asked before is
//! not run again. An interpreter of a virtual environment stands for its base: an environment is
//! never built on somebody's environment.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use pep440_rs::Version;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::version::Dotted;

use super::answer::{Answer, ask};
use super::candidates::{Candidate, Said, base_of, candidates, program};
use super::memory::InterpreterMemory;
use super::unfit::{LookedAt, Unfit};
use crate::host::facts::InterpreterOrigin;
use crate::host::probe::Reader;
use crate::host::sysroot::Sysroot;

/// What an environment needs: CPython with its global lock, of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterpreterWish {
    /// The series (`3.12`).
    pub series: Dotted,
    /// The oldest release of it for which the lock holds (`3.12.0`); no preview of it is enough.
    pub minimum: Dotted,
}

/// An interpreter that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundInterpreter {
    /// The program itself, no link.
    pub path: PathBuf,
    /// Its full version.
    pub version: Version,
    /// How it was found.
    pub origin: InterpreterOrigin,
}

/// No interpreter of the host fits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct NoInterpreter {
    /// What was wanted.
    pub wish: InterpreterWish,
    /// What was found instead, in the order in which it was looked at.
    pub looked_at: Vec<LookedAt>,
}

impl fmt::Display for NoInterpreter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this host has no CPython {}", self.wish.series)?;
        for candidate in &self.looked_at {
            write!(f, "\n{candidate}")?;
        }
        Ok(())
    }
}

/// Finds the first interpreter that fits: on the search path, among pyenv's versions, the
/// distribution's, those of the launcher of Windows.
pub fn find_interpreter(
    root: &dyn Sysroot,
    wish: &InterpreterWish,
    memory: &dyn InterpreterMemory,
) -> Result<FoundInterpreter, NoInterpreter> {
    let mut reader = Reader::new(root);
    let mut seen = BTreeSet::new();
    let mut looked_at = Vec::new();
    for candidate in candidates(&mut reader) {
        let path = candidate.path.clone();
        match examine(&reader, wish, memory, &mut seen, candidate) {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => {}
            Err(why) => looked_at.push(LookedAt { path, why }),
        }
    }
    Err(NoInterpreter { wish: wish.clone(), looked_at })
}

/// `None` for one that was looked at before.
fn examine(
    reader: &Reader<'_>,
    wish: &InterpreterWish,
    memory: &dyn InterpreterMemory,
    seen: &mut BTreeSet<PathBuf>,
    candidate: Candidate,
) -> Result<Option<FoundInterpreter>, Unfit> {
    let base = candidate.base.as_deref().map(|home| base_program(reader, home, wish));
    let (path, real) = base.transpose()?.unwrap_or((candidate.path, candidate.real));
    if !seen.insert(real.clone()) {
        return Ok(None);
    }
    candidate.said.as_ref().map_or(Ok(()), |said| judge_said(said, wish))?;
    judge_name(&real, candidate.origin, wish)?;
    let answer = answer(reader.root(), memory, &path, &real)?;
    judge(&answer, wish)?;
    let origin = candidate.origin;
    Ok(Some(FoundInterpreter { path: real, version: answer.version, origin }))
}

/// The interpreter in the folder `home` of a `pyvenv.cfg` (PEP 405), and where it leads. Some
/// tools write the folder of another virtual environment there, which is followed.
fn base_program(
    reader: &Reader<'_>,
    home: &str,
    wish: &InterpreterWish,
) -> Result<(PathBuf, PathBuf), Unfit> {
    let gone = || Unfit::BaseGone(home.to_owned());
    let mut folder = PathBuf::from(home);
    for _ in 0..MAXIMUM_BASES {
        let names = [format!("python{}", wish.series), "python3".to_owned(), "python".to_owned()];
        let ending = if reader.root().family() == OsFamily::Windows { ".exe" } else { "" };
        let mut paths = names.iter().map(|name| folder.join(format!("{name}{ending}")));
        let found = paths.find_map(|path| Some((program(reader, &path)?, path)));
        let (real, path) = found.ok_or_else(gone)?;
        match base_of(reader, &path) {
            Some(further) => folder = PathBuf::from(further),
            None => return Ok((path, real)),
        }
    }
    Err(gone())
}

/// What can be told without running it: `python3.11`, `python3.13t`, `pypy3.10`,
/// `.../versions/3.11.7/bin/python3`.
fn judge_name(real: &Path, origin: InterpreterOrigin, wish: &InterpreterWish) -> Result<(), Unfit> {
    let name = real.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let Some(said) = name.strip_prefix("python") else {
        return Err(Unfit::Implementation(name.to_owned()));
    };
    let folder = (origin == InterpreterOrigin::Pyenv).then(|| version_folder(real)).flatten();
    for text in [Some(said), folder].into_iter().flatten() {
        let Some(version) = Dotted::leading(text) else { continue };
        if text.ends_with('t') {
            return Err(Unfit::FreeThreaded);
        }
        let known = version.parts().len().min(wish.series.parts().len());
        if version.parts()[..known] != wish.series.parts()[..known] {
            return Err(Unfit::Named(version));
        }
    }
    Ok(())
}

/// What can be told by what was said of it: the series, and whether it has its global lock.
fn judge_said(said: &Said, wish: &InterpreterWish) -> Result<(), Unfit> {
    if said.free_threaded {
        return Err(Unfit::FreeThreaded);
    }
    let own = Dotted::leading(&said.version.to_string());
    match own.filter(|own| !own.parts().starts_with(wish.series.parts())) {
        Some(other) => Err(Unfit::Named(other)),
        None => Ok(()),
    }
}

/// The folder of pyenv that a program lies in, named after a version.
fn version_folder(real: &Path) -> Option<&str> {
    let bin = real.parent().filter(|folder| folder.ends_with("bin"))?;
    bin.parent()?.file_name()?.to_str()
}

fn answer(
    root: &dyn Sysroot,
    memory: &dyn InterpreterMemory,
    path: &Path,
    real: &Path,
) -> Result<Answer, Unfit> {
    let stamp = root.stamp(real).ok();
    let known = stamp.and_then(|stamp| memory.recall(real, stamp));
    if let Some(Ok(answer)) = known.as_deref().map(Answer::parse) {
        return Ok(answer);
    }
    let words = ask(root, path).map_err(Unfit::Silent)?;
    let answer = Answer::parse(&words).map_err(Unfit::Silent)?;
    if let Some(stamp) = stamp {
        memory.remember(real, stamp, &words);
    }
    Ok(answer)
}

fn judge(answer: &Answer, wish: &InterpreterWish) -> Result<(), Unfit> {
    if answer.implementation != "cpython" {
        return Err(Unfit::Implementation(answer.implementation.clone()));
    }
    if answer.free_threaded {
        return Err(Unfit::FreeThreaded);
    }
    let numbers = |version: &Dotted| version.parts().iter().copied().map(u64::from).collect();
    let (series, minimum): (Vec<u64>, Vec<u64>) = (numbers(&wish.series), numbers(&wish.minimum));
    if !answer.version.release().starts_with(&series) {
        return Err(Unfit::Series(answer.version.clone()));
    }
    if answer.version < Version::new(minimum) {
        let (version, minimum) = (answer.version.clone(), wish.minimum.clone());
        return Err(Unfit::TooOld { version, minimum });
    }
    Ok(())
}

/// Environments over environments; more is a circle.
const MAXIMUM_BASES: usize = 4;
