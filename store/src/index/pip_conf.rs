//! pip's configuration files: where they are, in which order, and what they say.
//!
//! The order is pip's: for all users, the user's, the environment's, then `PIP_CONFIG_FILE`;
//! what is read later wins.

use std::path::{Path, PathBuf};

use rocmenv_manifests::sourced::{Origin, Sourced};

use super::discover::Surroundings;

/// One file's settings.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PipFile {
    settings: Vec<Entry>,
}

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    section: String,
    key: String,
    value: Sourced<String>,
}

impl PipFile {
    /// What it says to `pip install`.
    pub(super) fn value(&self, key: &str) -> Option<Sourced<String>> {
        ["install", "global"].iter().find_map(|section| {
            let mut entries = self.settings.iter().rev();
            let found = entries.find(|entry| entry.section == *section && entry.key == key)?;
            (!found.value.value.is_empty()).then(|| found.value.clone())
        })
    }
}

/// The files that are there, in pip's order.
pub(super) fn read_all(around: &Surroundings<'_>) -> Vec<PipFile> {
    let paths = paths(around);
    paths.iter().filter_map(|path| Some(parse(&around.text(path)?, path))).collect()
}

fn paths(around: &Surroundings<'_>) -> Vec<PathBuf> {
    let variable = |name: &str| around.variable(name).map(|v| PathBuf::from(v.value));
    let own = variable("PIP_CONFIG_FILE");
    // pip's documented way to have no file read at all.
    if own.as_deref().is_some_and(|path| path == Path::new("/dev/null") || path == Path::new("nul"))
    {
        return Vec::new();
    }
    let mut paths = Vec::new();
    let shared = around.variable("XDG_CONFIG_DIRS").map(|v| v.value);
    if cfg!(not(windows)) {
        for folder in shared.as_deref().unwrap_or("/etc/xdg").split(':') {
            paths.push(Path::new(folder).join("pip/pip.conf"));
        }
        paths.push(PathBuf::from("/etc/pip.conf"));
    }
    paths.extend(variable("PROGRAMDATA").map(|folder| folder.join("pip/pip.ini")));
    if let Some(home) = around.home {
        paths.push(home.join(".pip/pip.conf"));
        let config = variable("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        paths.push(config.join("pip/pip.conf"));
    }
    paths.extend(variable("APPDATA").map(|folder| folder.join("pip/pip.ini")));
    for name in ["pip.conf", "pip.ini"] {
        paths.extend(variable("VIRTUAL_ENV").map(|folder| folder.join(name)));
    }
    paths.extend(own);
    paths
}

/// The format of Python's configparser, as far as pip uses it.
fn parse(text: &str, path: &Path) -> PipFile {
    let file = path.display().to_string();
    let mut section = String::new();
    let mut settings: Vec<Entry> = Vec::new();
    let mut open = false;
    for (at, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.starts_with(['#', ';']) {
            continue;
        }
        if trimmed.is_empty() {
            continue;
        }
        if open && line.starts_with([' ', '\t']) {
            if let Some(entry) = settings.last_mut() {
                entry.value.value.push('\n');
                entry.value.value.push_str(trimmed);
            }
        } else if let Some(name) = trimmed.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            name.trim().clone_into(&mut section);
            open = false;
        } else if let Some((key, value)) = trimmed.split_once(['=', ':']) {
            let key = key.trim().to_ascii_lowercase().replace('_', "-");
            let origin = Origin::File { file: file.clone(), line: at + 1 };
            settings.push(Entry {
                section: section.clone(),
                key: key.strip_prefix("--").unwrap_or(&key).to_owned(),
                value: Sourced::new(value.trim().to_owned(), origin),
            });
            open = true;
        }
    }
    PipFile { settings }
}
