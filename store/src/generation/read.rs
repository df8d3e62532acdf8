//! Reading generations, without any lock: what is complete never changes, and `current` is
//! replaced as a whole.

use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::generation::Generation;

use super::GenerationError;
use super::venv_link::what_stays;
use crate::fs::{DiskError, canonical};
use crate::layout::{EnvLayout, GenerationLayout};

/// A generation as `generations` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// What it knows of itself.
    pub record: Generation,
    /// It is the one that runs.
    pub is_current: bool,
    /// It was the one that ran before.
    pub is_previous: bool,
    /// It is kept, whatever comes.
    pub is_pinned: bool,
}

/// The current generation's number; `None` if the environment was never made.
pub fn current(env: &EnvLayout) -> Result<Option<u32>, GenerationError> {
    number_in(&env.current())
}

/// The number of the generation that was current before.
pub fn previous(env: &EnvLayout) -> Result<Option<u32>, GenerationError> {
    number_in(&env.previous())
}

/// Whether a generation is pinned.
pub fn is_pinned(env: &EnvLayout, number: u32) -> Result<bool, GenerationError> {
    Ok(pins(env)?.contains(&number))
}

/// What a generation knows of itself.
pub fn read(place: &GenerationLayout) -> Result<Generation, GenerationError> {
    let path = place.record();
    let missing = || GenerationError::Missing { path: path.clone() };
    let text = text_of(&path)?.ok_or_else(missing)?;
    let damaged = |source| GenerationError::Damaged { path: path.clone(), source: Some(source) };
    let format: Format = serde_json::from_str(&text).map_err(damaged)?;
    if format.format > FORMAT {
        return Err(GenerationError::Newer { path: path.clone(), format: format.format });
    }
    serde_json::from_str(&text).map_err(damaged)
}

/// Whether all that follows from `current` is as it should be; see [`super::EnvWriter::settle`].
pub fn is_settled(env: &EnvLayout, number: u32) -> Result<bool, DiskError> {
    Ok(env.active().exists() && what_stays(env, number)?.is_some())
}

/// The current generation's number; `None` also where the file that says it is damaged, for those
/// that go on without it.
pub(super) fn readable_current(env: &EnvLayout) -> Result<Option<u32>, GenerationError> {
    unless_damaged(current(env)).map(Option::flatten)
}

/// What was read; `None` where it is damaged.
pub(super) fn unless_damaged<T>(
    read: Result<T, GenerationError>,
) -> Result<Option<T>, GenerationError> {
    match read {
        Err(error) if error.is_damage() => Ok(None),
        read => read.map(Some),
    }
}

/// What the state of an environment cannot be read from: its marks and the records of its
/// generations. [`list`] passes over these.
pub fn damaged(env: &EnvLayout) -> Result<Vec<GenerationError>, GenerationError> {
    let current = current(env);
    let mut places: Vec<u32> = numbers(env)?;
    places.retain(|number| is_complete(&env.generation(*number)));
    places.extend(current.as_ref().ok().copied().flatten());
    places.sort_unstable();
    places.dedup();
    let marks = [current.err(), previous(env).err(), pins(env).err()];
    let records = places.into_iter().filter_map(|number| read(&env.generation(number)).err());
    Ok(marks.into_iter().flatten().chain(records).filter(GenerationError::is_damage).collect())
}

/// All complete generations whose records can be read, oldest first.
pub fn list(env: &EnvLayout) -> Result<Vec<Listed>, GenerationError> {
    let (current, previous) = (readable_current(env)?, unless_damaged(previous(env))?.flatten());
    let pins = unless_damaged(pins(env))?.unwrap_or_default();
    let mut listed = Vec::new();
    for number in numbers(env)? {
        let place = env.generation(number);
        if !is_complete(&place) && current != Some(number) {
            continue;
        }
        let Some(record) = unless_damaged(read(&place))? else { continue };
        listed.push(Listed {
            record,
            is_current: current == Some(number),
            is_previous: previous == Some(number),
            is_pinned: pins.contains(&number),
        });
    }
    Ok(listed)
}

/// The path that a generation was made at, if it lies elsewhere now: its scripts and libraries
/// still say that path, so it must be linked anew.
pub fn moved_from(record: &Generation, place: &GenerationLayout) -> Option<PathBuf> {
    let made_at = Path::new(&record.path);
    let here = canonical(place.root()).unwrap_or_else(|_| place.root().to_owned());
    (made_at != here && made_at != place.root()).then(|| made_at.to_owned())
}

/// Whether a generation was made to its end, and its removal not begun. The marker is written
/// after the folder was made, so a folder may have neither marker nor record.
pub(super) fn is_complete(place: &GenerationLayout) -> bool {
    place.record().exists() && !place.building().exists()
}

/// The numbers of all folders of generations, complete or not, in order.
pub(super) fn numbers(env: &EnvLayout) -> Result<Vec<u32>, GenerationError> {
    let entries = match fs::read_dir(env.generations()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(DiskError::from)?,
    };
    let mut numbers = Vec::new();
    for entry in entries {
        let name = entry.map_err(DiskError::from)?.file_name();
        numbers.extend(name.to_str().and_then(|name| name.parse::<u32>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// The pinned numbers.
pub(super) fn pins(env: &EnvLayout) -> Result<Vec<u32>, GenerationError> {
    let path = env.pinned();
    let Some(text) = text_of(&path)? else { return Ok(Vec::new()) };
    let number = |line: &str| {
        line.trim()
            .parse()
            .map_err(|_| GenerationError::Damaged { path: path.clone(), source: None })
    };
    text.lines().filter(|line| !line.is_empty()).map(number).collect()
}

pub(super) fn number_in(path: &Path) -> Result<Option<u32>, GenerationError> {
    let Some(text) = text_of(path)? else { return Ok(None) };
    let damaged = || GenerationError::Damaged { path: path.to_owned(), source: None };
    text.trim().parse().map(Some).map_err(|_| damaged())
}

fn text_of(path: &Path) -> Result<Option<String>, GenerationError> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        text => Ok(Some(text.map_err(DiskError::from)?)),
    }
}

#[derive(serde::Deserialize)]
struct Format {
    format: u32,
}

/// The format of records that this version writes.
pub(super) const FORMAT: u32 = 1;
