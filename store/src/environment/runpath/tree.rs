//! What lies where in a prefix, with its links followed as the system follows them.

use std::collections::HashMap;

use rocmenv_manifests::device_code::{FileKind, Linking, ObjectFacts};

use crate::object::Object;
use crate::unpack::Node;

/// A prefix before it is on the disk. Paths are relative to it and have no `/` at either end.
pub(super) struct Tree<'o> {
    nodes: HashMap<&'o str, &'o Node>,
    /// What a 64-bit loader may load, by its real path.
    loadable: HashMap<&'o str, &'o Linking>,
    /// Other folders in which a library has a name, by its real path: a loader takes the folder of
    /// the name that it found for `$ORIGIN`.
    aliases: HashMap<String, Vec<String>>,
}

impl<'o> Tree<'o> {
    pub(super) fn of(objects: &[&'o Object], facts: &'o [ObjectFacts]) -> Self {
        let entries = objects.iter().flat_map(|object| &object.manifest.entries);
        Self::new(entries.map(|entry| (entry.path.as_str(), &entry.node)).collect(), facts)
    }

    pub(super) fn new(nodes: HashMap<&'o str, &'o Node>, facts: &'o [ObjectFacts]) -> Self {
        let files = facts.iter().flat_map(|facts| &facts.files);
        let loadable = files
            .filter(|file| file.kind == FileKind::Elf)
            .filter_map(|file| Some((file.path.as_str(), file.linking.as_ref()?)))
            .collect();
        let links = nodes.iter().filter(|(_, node)| matches!(node, Node::Link { .. }));
        let mut links: Vec<&str> =
            links.map(|(path, _)| *path).filter(|path| path.contains(".so")).collect();
        // The order of what follows is part of the copies' paths.
        links.sort_unstable();
        let mut tree = Self { nodes, loadable, aliases: HashMap::new() };
        for path in links {
            let Some(real) = tree.real(path).filter(|real| tree.is_loadable(real)) else {
                continue;
            };
            let Some(folder) = tree.real(folder_of(path)) else { continue };
            let folders = tree.aliases.entry(real).or_default();
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        tree
    }

    /// The real path of a path, whether something is there or not; `None` where it leads out of the
    /// prefix.
    pub(super) fn real(&self, path: &str) -> Option<String> {
        let mut ahead: Vec<&str> = path.rsplit('/').collect();
        let (mut at, mut links) = (String::new(), 0);
        while let Some(part) = ahead.pop() {
            match part {
                "" | "." => {}
                ".." if at.is_empty() => return None,
                ".." => at.truncate(at.rfind('/').unwrap_or(0)),
                name => {
                    let here = joined(&at, name);
                    match self.nodes.get(here.as_str()) {
                        Some(Node::Link { target }) => {
                            links += 1;
                            if links > MOST_LINKS || target.starts_with('/') {
                                return None;
                            }
                            ahead.extend(target.rsplit('/'));
                        }
                        _ => at = here,
                    }
                }
            }
        }
        Some(at)
    }

    /// Whether a loader finds a library of this name in a folder.
    pub(super) fn holds(&self, folder: &str, name: &str) -> bool {
        self.real(&joined(folder, name)).is_some_and(|real| self.is_loadable(&real))
    }

    /// Whether anything has this path.
    pub(super) fn has(&self, path: &str) -> bool {
        self.nodes.contains_key(path)
    }

    /// The folders from which a file may be loaded, its own first.
    pub(super) fn places(&self, path: &str) -> Vec<String> {
        let own = folder_of(path).to_owned();
        let others = self.aliases.get(path).into_iter().flatten();
        let others = others.filter(|folder| **folder != own).cloned().collect::<Vec<_>>();
        std::iter::once(own).chain(others).collect()
    }

    fn is_loadable(&self, real: &str) -> bool {
        self.loadable.contains_key(real)
    }
}

pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { [folder, "/", name].concat() }
}

/// As many as Linux follows.
const MOST_LINKS: usize = 40;
