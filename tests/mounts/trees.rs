//! What a folder holds, as digests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fs_err as fs;
use rocmenv_tests::sha256;

/// Digests by path.
pub(crate) type Tree = BTreeMap<String, String>;

/// The digest of every file and link of a generation but of what is of that one alone: its number,
/// its record, what was verified. The marker that it is being made may stay when it is current.
pub(crate) fn digest_of(generation: &Path) -> Tree {
    let number = generation.file_name().expect("a number").to_string_lossy().into_owned();
    let (own, mut found) = (format!("/generations/{number}"), BTreeMap::new());
    walk(generation, "", &mut |path, bytes| {
        if !["generation.json", "verification.json", "building"].contains(&path) {
            let text = String::from_utf8_lossy(bytes).replace(&own, "/generations/N");
            let lines = text.split('\n').filter(|line| !line.starts_with(SCRIPT));
            let text: Vec<&str> = lines.collect();
            found.insert(path.to_owned(), sha256(text.join("\n").as_bytes()));
        }
    });
    found
}

/// What differs between two of these.
pub(crate) fn difference(one: &Tree, other: &Tree) -> Vec<String> {
    let paths: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    paths.into_iter().filter(|path| one.get(*path) != other.get(*path)).cloned().collect()
}

fn walk(folder: &Path, below: &str, look: &mut dyn FnMut(&str, &[u8])) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let inside = if below.is_empty() { name } else { format!("{below}/{name}") };
        let kind = fs::symlink_metadata(&path).expect("metadata").file_type();
        if kind.is_dir() {
            walk(&path, &inside, look);
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).expect("a link");
            look(&inside, target.as_os_str().as_encoded_bytes());
        } else {
            look(&inside, &fs::read(&path).expect("a file"));
        }
    }
}

/// A line of RECORD with the digest of a script, whose first line says the generation.
const SCRIPT: &str = "../../../bin/";
