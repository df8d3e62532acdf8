//! The ROCm prefix: Debian packages and tarballs laid over each other in `rocm/`.

use std::collections::BTreeSet;

use rocmenv_manifests::lock::ArtifactKind;

use super::blueprint::Blueprint;
use super::python::{Origin, add_linked};
use super::runpath::Rewritten;
use crate::object::Object;
use crate::unpack::{Entry, Node};

/// Which folders of a prefix matter, relative to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prefix {
    /// The root of ROCm itself: empty for a tarball, `usr` for a distribution's packages,
    /// `opt/rocm-7.2.4` for AMD's. `None`: there is no prefix.
    pub root: Option<String>,
    /// Programs.
    pub programs: Vec<String>,
    /// Shared libraries.
    pub libraries: Vec<String>,
}

impl Prefix {
    /// Lays an object over the others, with its rewritten files in the place of those that they
    /// were copied from.
    pub(super) fn add(blueprint: &mut Blueprint, object: &Object, rewritten: &[Rewritten]) {
        let (owner, origin) = (blueprint.owner(&object.manifest.name), Origin::of(object));
        let copies = rewritten.iter().find(|one| one.object.digest == object.digest);
        let copies = copies.map(|one| (&*one.object.manifest, Origin::of(&one.object)));
        for entry in &object.manifest.entries {
            let path = [FOLDER, "/", &entry.path].concat();
            let copy = copies
                .as_ref()
                .and_then(|(manifest, origin)| Some((manifest.entry(&entry.path)?, origin)));
            let (entry, origin) = copy.unwrap_or((entry, &origin));
            add_linked(blueprint, owner, origin, entry, path);
        }
    }

    /// What the objects of an environment make of it.
    pub fn of(objects: &[Object]) -> Self {
        let entries = objects
            .iter()
            .filter(|object| is_prefix(object.manifest.kind))
            .flat_map(|object| &object.manifest.entries);
        Self::of_entries(entries)
    }

    fn of_entries<'e>(entries: impl Iterator<Item = &'e Entry>) -> Self {
        let (mut roots, mut programs, mut libraries) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for entry in entries {
            if matches!(entry.node, Node::Folder) {
                continue;
            }
            let (folder, name) = entry.path.rsplit_once('/').unwrap_or(("", &entry.path));
            let root = root_of(folder);
            roots.insert(root.to_owned());
            let inside = folder[root.len()..].trim_start_matches('/');
            if matches!(inside, "bin" | "sbin") {
                programs.insert(folder.to_owned());
            } else if is_library_folder(inside) && is_library(name) {
                libraries.insert(folder.to_owned());
            }
        }
        // AMD's own root before the distribution's, whose packages have `etc` beside it.
        let root = roots.iter().find(|root| root.starts_with("opt/"));
        let root = root.or_else(|| roots.get("usr")).or_else(|| roots.first()).cloned();
        Self {
            root,
            programs: programs.into_iter().collect(),
            libraries: libraries.into_iter().collect(),
        }
    }
}

/// The root that a folder belongs to: `opt/rocm-X`, `opt/rocm/core-X`, `usr` or the prefix.
fn root_of(folder: &str) -> &str {
    let parts = |count: usize| {
        let end = folder.match_indices('/').nth(count - 1).map_or(folder.len(), |(at, _)| at);
        &folder[..end]
    };
    if folder.starts_with("opt/rocm/") {
        parts(3)
    } else if folder.starts_with("opt/rocm-") {
        parts(2)
    } else if folder == "usr" || folder.starts_with("usr/") {
        "usr"
    } else {
        ""
    }
}

/// `lib`, `lib64` and the multiarch folders of Debian (`lib/x86_64-linux-gnu`).
fn is_library_folder(inside: &str) -> bool {
    match inside.split_once('/') {
        None => matches!(inside, "lib" | "lib64"),
        Some((lib, triplet)) => lib == "lib" && triplet.ends_with("-linux-gnu"),
    }
}

fn is_library(name: &str) -> bool {
    name.strip_suffix(".so").is_some() || name.contains(".so.")
}

pub(super) fn is_prefix(kind: ArtifactKind) -> bool {
    matches!(kind, ArtifactKind::Deb | ArtifactKind::Tarball)
}

pub(super) const FOLDER: &str = "rocm";

#[cfg(test)]
mod tests {
    use super::*;

    fn prefix(paths: &[&str]) -> Prefix {
        let node = || Node::Link { target: "x".to_owned() };
        let entries: Vec<_> =
            paths.iter().map(|path| Entry { path: (*path).to_owned(), node: node() }).collect();
        Prefix::of_entries(entries.iter())
    }

    #[test]
    fn the_three_layouts_are_told_apart() {
        let debian = prefix(&[
            "etc/x.conf",
            "usr/bin/rocminfo",
            "usr/lib/x86_64-linux-gnu/libamdhip64.so.5",
        ]);
        assert_eq!(debian.root.as_deref(), Some("usr"));
        assert_eq!(debian.libraries, ["usr/lib/x86_64-linux-gnu"]);
        let classic =
            prefix(&["opt/rocm-7.2.4/bin/hipcc", "opt/rocm-7.2.4/lib/libx.so", "usr/share/doc/x"]);
        assert_eq!(classic.root.as_deref(), Some("opt/rocm-7.2.4"));
        assert_eq!(classic.programs, ["opt/rocm-7.2.4/bin"]);
        let tarball = prefix(&["bin/hipcc", "lib/libx.so.1", "lib/llvm/lib/liby.so"]);
        assert_eq!(tarball.root.as_deref(), Some(""));
        assert_eq!(tarball.libraries, ["lib"]);
        let core = prefix(&["opt/rocm/core-10.1/lib/libx.so"]);
        assert_eq!(core.root.as_deref(), Some("opt/rocm/core-10.1"));
    }
}
