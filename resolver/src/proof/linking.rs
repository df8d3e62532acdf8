//! Who supplies the libraries that files need: the order is the dynamic loader's (ld.so(8)).
//!
//! Folders of the file's own RUNPATH first, each in its order; then what a host has. A library
//! of the environment that no folder leads to still serves where something loaded it before, as
//! Python packages do, and is told apart.

use std::collections::BTreeMap;
use std::path::Path;

use rocmenv_manifests::device_code::FileKind;
use rocmenv_manifests::platform::OsFamily;
use serde::Serialize;

use super::dlls;
use super::placed::{Package, Tree, within};
use crate::host::Sysroot;

/// What was found of all libraries.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Linked {
    /// Every name that is needed, with its worst supply, sorted by name.
    pub libraries: Vec<Supplied>,
    /// Folders that files look into and that are not there, sorted.
    pub dead_folders: Vec<DeadFolder>,
    /// Files of which this was not read.
    pub unread: usize,
}

/// A needed library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Supplied {
    /// Its name (`libamdhip64.so.7`).
    pub name: String,
    /// Who supplies it; the worst of all files that need it.
    pub supply: Supply,
    /// A file with that supply.
    pub needed_by: String,
    /// How many files need it.
    pub files: usize,
}

/// Who supplies a library, best first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case", tag = "by", content = "at")]
pub enum Supply {
    /// The environment, where the file itself looks.
    Environment(String),
    /// The environment, in a folder that the file does not look into: something must load it first.
    EnvironmentElsewhere(String),
    /// The host's own libraries, or the interpreter.
    Host(String),
    /// Nobody looked: the target is described.
    NotChecked,
    /// A ROCm of the host outside of this environment, which changes without it.
    HostRocm(String),
    /// Nobody.
    Missing,
}

/// A folder of a RUNPATH that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct DeadFolder {
    /// As the file writes it.
    pub folder: String,
    /// How many files look there.
    pub files: usize,
    /// One of them.
    pub file: String,
}

/// Looks for everything that the packages need on a system of that family: files for another one
/// are not loaded there. `host` is the target's machine, where it is here.
pub fn linking(packages: &[Package], family: OsFamily, host: Option<&dyn Sysroot>) -> Linked {
    let kind = match family {
        OsFamily::Linux => FileKind::Elf,
        OsFamily::Windows => FileKind::Pe,
    };
    let search = Search { tree: Tree::of(packages), host, folders: host_folders(host) };
    let mut found: BTreeMap<String, Supplied> = BTreeMap::new();
    let mut dead: BTreeMap<String, DeadFolder> = BTreeMap::new();
    let mut unread = 0;
    for package in packages {
        for file in package.files().iter().filter(|file| file.kind == kind) {
            let Some(linking) = &file.linking else {
                unread += 1;
                continue;
            };
            let place = package.place(&file.path);
            for name in &linking.needs {
                let supply = match kind {
                    FileKind::Pe => dlls::supply(&search.tree, host, &place, name),
                    _ => search.supply(&place, &linking.search, name),
                };
                let (name, needed_by) = (name.clone(), file.path.clone());
                let new = Supplied { name: name.clone(), supply, needed_by, files: 0 };
                let known = found.entry(name).or_insert_with(|| new.clone());
                known.files += 1;
                if new.supply > known.supply {
                    *known = Supplied { files: known.files, ..new };
                }
            }
            for folder in linking.search.iter().filter(|one| search.is_dead(&place, one)) {
                let (file, files) = (file.path.clone(), 0);
                let new = DeadFolder { folder: folder.clone(), files, file };
                dead.entry(folder.clone()).or_insert(new).files += 1;
            }
        }
    }
    Linked {
        libraries: found.into_values().collect(),
        dead_folders: dead.into_values().collect(),
        unread,
    }
}

impl Linked {
    /// The names that nobody supplies.
    pub fn missing(&self) -> impl Iterator<Item = &Supplied> {
        self.libraries.iter().filter(|one| one.supply == Supply::Missing)
    }

    /// The names that come from a ROCm outside of the environment.
    pub fn from_host_rocm(&self) -> impl Iterator<Item = &Supplied> {
        self.libraries.iter().filter(|one| matches!(one.supply, Supply::HostRocm(_)))
    }
}

struct Search<'h> {
    tree: Tree,
    host: Option<&'h dyn Sysroot>,
    folders: Vec<String>,
}

impl Search<'_> {
    fn supply(&self, place: &str, folders: &[String], name: &str) -> Supply {
        for folder in folders {
            match within(place, folder) {
                Some(inside) => {
                    let at = format!("{inside}/{name}");
                    if self.tree.has(&at) {
                        return Supply::Environment(at);
                    }
                }
                None if self.host_has(folder, name) => return of_host(folder, name),
                None => {}
            }
        }
        // Files of a prefix are given its folders; the loader looks into them.
        let named = self.tree.named(name);
        let in_prefix = named.iter().find(|at| at.starts_with("prefix/"));
        if let Some(at) = in_prefix.filter(|_| place.starts_with("prefix/")) {
            return Supply::Environment(at.clone());
        }
        if let Some(at) = named.first() {
            return Supply::EnvironmentElsewhere(at.clone());
        }
        if name.starts_with("libpython3") {
            return Supply::Host("the interpreter".to_owned());
        }
        if self.host.is_none() {
            return Supply::NotChecked;
        }
        let folder = self.folders.iter().find(|folder| self.host_has(folder, name));
        folder.map_or(Supply::Missing, |folder| of_host(folder, name))
    }

    fn host_has(&self, folder: &str, name: &str) -> bool {
        folder.starts_with('/')
            && self.host.is_some_and(|host| host.exists(&Path::new(folder).join(name)))
    }

    fn is_dead(&self, place: &str, folder: &str) -> bool {
        match within(place, folder) {
            // The file's own folder is there, whatever else lies in it.
            Some(inside) => {
                place.rsplit_once('/').is_none_or(|(own, _)| own != inside)
                    && !self.tree.has_folder(&inside)
            }
            None => {
                folder.starts_with('/')
                    && self.host.is_some_and(|host| !host.exists(Path::new(folder)))
            }
        }
    }
}

fn of_host(folder: &str, name: &str) -> Supply {
    let at = format!("{}/{name}", folder.trim_end_matches('/'));
    if folder.starts_with("/opt/rocm") { Supply::HostRocm(at) } else { Supply::Host(at) }
}

/// Where the loader looks on a host: its configured folders, then the built-in ones.
fn host_folders(host: Option<&dyn Sysroot>) -> Vec<String> {
    let Some(host) = host else { return Vec::new() };
    let mut folders = Vec::new();
    let extra = Path::new("/etc/ld.so.conf.d");
    for name in host.list(extra).unwrap_or_default() {
        if name.strip_suffix(".conf").is_none() {
            continue;
        }
        let text = host.read(&extra.join(name)).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines = text.lines().map(str::trim).filter(|line| line.starts_with('/'));
        folders.extend(lines.map(str::to_owned));
    }
    folders.extend(BUILT_IN.map(str::to_owned));
    folders
}

const BUILT_IN: [&str; 8] = [
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
];
