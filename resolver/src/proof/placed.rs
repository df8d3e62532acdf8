//! Where the files of packages lie in an environment, before or after it was made.

use std::collections::BTreeMap;

use rocmenv_manifests::device_code::{NativeFile, ObjectFacts};

/// A package with its facts.
#[derive(Debug, Clone)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where its files go.
    pub site: Site,
    /// What its native files hold; `None` where nobody could read them.
    pub facts: Option<ObjectFacts>,
}

/// A root of an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Site {
    /// The modules of Python.
    Modules,
    /// The ROCm prefix.
    Prefix,
}

/// All libraries of an environment by their places (`modules/torch/lib/libx.so`).
#[derive(Debug, Default)]
pub struct Tree {
    packages: BTreeMap<String, String>,
    names: BTreeMap<String, Vec<String>>,
}

impl Tree {
    /// The libraries of these packages.
    pub fn of(packages: &[Package]) -> Self {
        let mut tree = Self::default();
        for package in packages {
            let Some(facts) = &package.facts else { continue };
            for path in &facts.libraries {
                tree.add(package.place(path), &package.name);
            }
            // A name that a file gives itself counts beside the name that it has.
            for file in &facts.files {
                let soname = file.linking.as_ref().and_then(|linking| linking.soname.clone());
                if let Some(soname) = soname {
                    let places = tree.names.entry(soname).or_default();
                    let place = package.place(&file.path);
                    if !places.contains(&place) {
                        places.push(place);
                    }
                }
            }
        }
        tree
    }

    fn add(&mut self, place: String, package: &str) {
        let name = place.rsplit('/').next().unwrap_or(&place).to_owned();
        self.names.entry(name).or_default().push(place.clone());
        self.packages.insert(place, package.to_owned());
    }

    /// Whether a library lies at a place.
    pub fn has(&self, place: &str) -> bool {
        self.packages.contains_key(place)
    }

    /// Whether a folder holds any library.
    pub fn has_folder(&self, folder: &str) -> bool {
        let inside = format!("{}/", folder.trim_end_matches('/'));
        self.packages.range(inside.clone()..).next().is_some_and(|(at, _)| at.starts_with(&inside))
    }

    /// The places of libraries of that name.
    pub fn named(&self, name: &str) -> &[String] {
        self.names.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The places of libraries of that name, in any case.
    pub fn named_in_any_case(&self, name: &str) -> Vec<&str> {
        let all = self.names.iter().filter(|(own, _)| own.eq_ignore_ascii_case(name));
        all.flat_map(|(_, places)| places).map(String::as_str).collect()
    }

    /// Every place.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.packages.keys().map(String::as_str)
    }
}

impl Package {
    /// Its native files.
    pub fn files(&self) -> &[NativeFile] {
        self.facts.as_ref().map(|facts| facts.files.as_slice()).unwrap_or_default()
    }

    /// Where a file of it lies in the environment: wheels keep some in folders of their data.
    pub fn place(&self, path: &str) -> String {
        match self.site {
            Site::Prefix => format!("prefix/{path}"),
            Site::Modules => {
                let in_data = path.split_once('/').filter(|(first, _)| {
                    first.rsplit_once('.').is_some_and(|(_, end)| end == "data")
                });
                match in_data.and_then(|(_, rest)| rest.split_once('/')) {
                    Some(("purelib" | "platlib", rest)) => format!("modules/{rest}"),
                    Some((_, rest)) => format!("root/{rest}"),
                    None => format!("modules/{path}"),
                }
            }
        }
    }
}

/// A folder that a file names, seen from the folder that the file lies in; `None` for one that
/// leads out of the environment.
pub(super) fn within(place: &str, folder: &str) -> Option<String> {
    let own = place.rsplit_once('/').map_or("", |(own, _)| own);
    let full = folder.replace("${ORIGIN}", "$ORIGIN").replace("$ORIGIN", own);
    if full.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
