//! The facts of one object.
//!
//! On disk as lists of files are: the SHA-256 of the rest, then postcard. What is torn or of
//! another format is read anew.

use fs_err as fs;
use rayon::prelude::*;
use rocmenv_manifests::device_code::{Fault, FileKind, NamedData, NativeFile, ObjectFacts};
use rocmenv_manifests::digest::Sha256;
use serde::{Deserialize, Serialize};

use crate::fs::Waiting;
use crate::native::{self, DiskSource};
use crate::object::Object;
use crate::unpack::{Entry, Node};

/// What the native files of an object hold and need. Never fails: a file that cannot be read is a
/// fault among the facts, and facts that cannot be kept are read again the next time.
pub fn facts_of(object: &Object) -> ObjectFacts {
    let kept = object.layout.native();
    if let Some(facts) = fs::read(&kept).ok().and_then(|bytes| decode(&bytes)) {
        return facts;
    }
    let facts = read(object);
    if !object.foreign
        && let Some(bytes) = encode(&facts)
    {
        // The object is as good without them, and torn ones are read anew: nothing is flushed.
        let _ = Waiting::new(&kept, &bytes).and_then(Waiting::take_place);
    }
    facts
}

/// The facts of several objects, in their order, read side by side.
pub fn facts_of_each(objects: &[&Object]) -> Vec<ObjectFacts> {
    objects.par_iter().map(|object| facts_of(object)).collect()
}

fn read(object: &Object) -> ObjectFacts {
    let tree = object.layout.tree();
    let entries = &object.manifest.entries;
    let mut files: Vec<NativeFile> = entries
        .par_iter()
        .filter(|entry| is_candidate(entry))
        .filter_map(|entry| match DiskSource::open(&tree.join(&entry.path)) {
            Ok(source) => native::read(&entry.path, &source),
            Err(error) => {
                let mut file = NativeFile::new(&entry.path, FileKind::Elf);
                file.faults.push(Fault::Unreadable { problem: error.kind().to_string() });
                Some(file)
            }
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let paths = entries.iter().filter(|entry| !matches!(entry.node, Node::Folder));
    let (data, libraries) = by_names(paths.map(|entry| entry.path.as_str()));
    ObjectFacts { files, data, libraries }
}

/// Kernel data by its names is not opened.
fn is_candidate(entry: &Entry) -> bool {
    let Node::File { executable, .. } = entry.node else { return false };
    native::is_native(&entry.path, executable) && native::data_of(&entry.path).is_none()
}

/// What the names of files say: kernel data per library, and what others may load.
pub(super) fn by_names<'p>(paths: impl Iterator<Item = &'p str>) -> (Vec<NamedData>, Vec<String>) {
    let (mut data, mut libraries) = (Vec::<NamedData>::new(), Vec::new());
    for path in paths {
        let name = path.rsplit('/').next().unwrap_or(path);
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        let is_library = matches!(extension.as_deref(), Some("so" | "dll" | "kpack"));
        if is_library || name.contains(".so.") {
            libraries.push(path.to_owned());
        }
        let Some((library, target)) = native::data_of(path) else { continue };
        let known = data.iter_mut().find(|one| one.library == library);
        match known {
            Some(known) => {
                known.files += 1;
                if !known.targets.contains(&target) {
                    known.targets.push(target);
                }
            }
            None => data.push(NamedData { library, targets: vec![target], files: 1 }),
        }
    }
    for one in &mut data {
        one.targets.sort();
    }
    data.sort_by_key(|one| one.library);
    libraries.sort();
    (data, libraries)
}

#[derive(Serialize, Deserialize)]
struct Kept {
    format: u32,
    facts: ObjectFacts,
}

fn encode(facts: &ObjectFacts) -> Option<Vec<u8>> {
    let body = postcard::to_stdvec(&Kept { format: FORMAT, facts: facts.clone() }).ok()?;
    let mut bytes = Sha256::of(&body).as_bytes().to_vec();
    bytes.extend(body);
    Some(bytes)
}

fn decode(bytes: &[u8]) -> Option<ObjectFacts> {
    let (digest, body) = bytes.split_first_chunk::<32>()?;
    if Sha256::of(body).as_bytes() != digest {
        return None;
    }
    let kept: Kept = postcard::from_bytes(body).ok()?;
    (kept.format == FORMAT).then_some(kept.facts)
}

/// Goes up whenever the readers learn something, so that old facts are read anew.
const FORMAT: u32 = 3;
