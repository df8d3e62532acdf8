//! A bundle as a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use fs_err as fs;
use rayon::prelude::*;
use rocmenv_manifests::digest::Sha256;

use super::list::{Bundle, BundleFile};
use super::{BundleError, FILES, LIST, place_of};
use crate::fs::{DiskError, remove_tree, replace, set_mode};
use crate::object::digest_of;

pub(super) fn read(at: &Path) -> Result<Bundle, BundleError> {
    match fs::read(at.join(LIST)) {
        Ok(bytes) => Bundle::parse(&bytes).map_err(|fault| BundleError::of_list(at, fault)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(BundleError::NotOne { at: at.to_owned() })
        }
        Err(error) => Err(error.into()),
    }
}

/// The list comes last, so that a folder that is half written has the old list or none.
pub(super) fn write(
    to: &Path,
    bundle: &Bundle,
    sources: &BTreeMap<Sha256, PathBuf>,
) -> Result<(), BundleError> {
    fs::create_dir_all(to.join(FILES))?;
    for file in bundle.here() {
        let place = to.join(file.path());
        if place.exists() && digest_of(&place)? == file.sha256 {
            continue;
        }
        let Some(source) = sources.get(&file.sha256) else {
            return Err(BundleError::damaged(to, format!("`{}` is missing", file.path())));
        };
        fs::create_dir_all(place.parent().unwrap_or(to))?;
        put(source, &place)?;
    }
    replace(&to.join(LIST), &bundle.to_text())?;
    let listed: BTreeSet<String> = bundle.here().map(|file| file.sha256.to_string()).collect();
    for entry in fs::read_dir(to.join(FILES))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.parse::<Sha256>().is_ok() && !listed.contains(&name) {
            remove_tree(&path)?;
        }
    }
    Ok(())
}

pub(super) fn take(
    at: &Path,
    wanted: &BTreeSet<Sha256>,
    downloads: &Path,
) -> Result<Bundle, BundleError> {
    let bundle = read(at)?;
    check_places(at, &bundle)?;
    let files: Vec<&BundleFile> = bundle.here().collect();
    files.par_iter().try_for_each(|file| check(at, file))?;
    for file in files.into_iter().filter(|file| wanted.contains(&file.sha256)) {
        let place = place_of(file, downloads, at)?;
        if !place.exists() {
            put(&at.join(file.path()), &place)?;
        }
    }
    Ok(bundle)
}

/// Nothing is there that is not listed, and nothing leads out of the folder.
fn check_places(at: &Path, bundle: &Bundle) -> Result<(), BundleError> {
    let mut listed: BTreeSet<PathBuf> = bundle.here().map(|file| at.join(file.path())).collect();
    listed.insert(at.join(LIST));
    let mut folders: BTreeSet<PathBuf> = [at.join(FILES)].into();
    folders.extend(bundle.here().map(|file| at.join(FILES).join(file.sha256.to_string())));
    let mut waiting = vec![at.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let fits = if kind.is_dir() {
                folders.contains(&path)
            } else {
                kind.is_file() && listed.contains(&path)
            };
            if !fits {
                let inside = path.strip_prefix(at).unwrap_or(&path);
                let what = format!("`{}` is not in its list", inside.display());
                return Err(BundleError::damaged(at, what));
            }
            if kind.is_dir() {
                waiting.push(path);
            }
        }
    }
    Ok(())
}

fn check(at: &Path, file: &BundleFile) -> Result<(), BundleError> {
    let path = at.join(file.path());
    let found = match fs::metadata(&path) {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(BundleError::damaged(at, format!("`{}` is missing", file.path())));
        }
        Err(error) => return Err(error.into()),
    };
    if found != file.size || digest_of(&path)? != file.sha256 {
        let what = format!("`{}` is not what its digest says", file.path());
        return Err(BundleError::damaged(at, what));
    }
    Ok(())
}

/// Another name of the same file where that goes, else a copy.
fn put(from: &Path, to: &Path) -> Result<(), DiskError> {
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            fs::remove_file(to)?;
            put(from, to)
        }
        Err(_) => {
            let folder = to.parent().unwrap_or(Path::new("."));
            let mut new = tempfile::NamedTempFile::new_in(folder)?;
            std::io::copy(&mut fs::File::open(from)?, new.as_file_mut())?;
            new.persist(to).map_err(|error| error.error)?;
            set_mode(to, 0o644)
        }
    }
}
