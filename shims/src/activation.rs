//! The activation file of a generation: which variables a program of the environment gets.
//!
//! ```text
//! rocmenv-activation 1
//! /home/me/project/.rocmenv/host/generations/3
//! set VIRTUAL_ENV /home/me/project/.rocmenv/host/generations/3/env
//! prepend PATH /home/me/project/.rocmenv/host/generations/3/env/bin
//! unset PYTHONHOME
//! ```
//!
//! The second line is the generation's own path: a copy elsewhere is recognised by it. Values go
//! to the end of the line; `%`, line feed and carriage return are written `%25`, `%0A`, `%0D`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// A whole activation file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activation {
    /// The generation's folder, absolute.
    pub root: PathBuf,
    /// What is done to the variables, in order.
    pub changes: Vec<Change>,
}

/// What is done to one variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It gets this value.
    Set(String, String),
    /// This folder comes before those of a list of paths.
    Prepend(String, String),
    /// It goes away.
    Unset(String),
}

/// The file is not an activation file that this version reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActivationError {
    /// It is of another version, or something else.
    Version(String),
    /// The generation's path is missing or relative.
    Root,
    /// A line that is not understood (from 1).
    Line(usize),
}

impl fmt::Display for ActivationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(line) => write!(f, "`{line}` is not `{HEADER}`"),
            Self::Root => f.write_str("line 2 is not an absolute path"),
            Self::Line(number) => write!(f, "line {number} is no `set`, `prepend` or `unset`"),
        }
    }
}

impl std::error::Error for ActivationError {}

impl Activation {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, ActivationError> {
        let mut lines = text.lines();
        let version = lines.next().unwrap_or_default();
        if version != HEADER {
            return Err(ActivationError::Version(version.to_owned()));
        }
        let root = PathBuf::from(unescape(lines.next().unwrap_or_default()));
        if !root.is_absolute() {
            return Err(ActivationError::Root);
        }
        let changes = lines
            .enumerate()
            .filter(|(_, line)| !line.is_empty())
            .map(|(at, line)| parse_change(line).ok_or(ActivationError::Line(at + 3)))
            .collect::<Result<_, _>>()?;
        Ok(Self { root, changes })
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADER}\n{}\n", escape(&self.root.to_string_lossy()));
        for change in &self.changes {
            let line = match change {
                Change::Set(name, value) => format!("set {name} {}\n", escape(value)),
                Change::Prepend(name, value) => format!("prepend {name} {}\n", escape(value)),
                Change::Unset(name) => format!("unset {name}\n"),
            };
            text.push_str(&line);
        }
        text
    }

    /// The folders that programs of the environment lie in, first one first.
    pub fn program_folders(&self) -> Vec<&Path> {
        let on_path =
            |change: &Change| matches!(change, Change::Prepend(name, _) if name == "PATH");
        let folders = self.changes.iter().filter(|change| on_path(change));
        let mut folders: Vec<&Path> = folders
            .filter_map(|change| match change {
                Change::Prepend(_, value) => Some(Path::new(value)),
                _ => None,
            })
            .collect();
        folders.reverse();
        folders
    }

    /// The variables that change and what they become (`None`: they go away), given how they
    /// are now.
    pub fn apply(
        &self,
        now: impl Fn(&str) -> Option<OsString>,
    ) -> BTreeMap<String, Option<OsString>> {
        let mut after: BTreeMap<String, Option<OsString>> = BTreeMap::new();
        for change in &self.changes {
            match change {
                Change::Set(name, value) => {
                    after.insert(name.clone(), Some(value.into()));
                }
                Change::Unset(name) => {
                    after.insert(name.clone(), None);
                }
                Change::Prepend(name, value) => {
                    let before = after.get(name).cloned().unwrap_or_else(|| now(name));
                    after.insert(name.clone(), Some(prepended(value, before)));
                }
            }
        }
        after
    }
}

/// `folder` before the list, and nowhere else in it: a program of the environment that calls
/// another through a shim must not make the list longer each time.
fn prepended(folder: &str, list: Option<OsString>) -> OsString {
    let mut joined = OsString::from(folder);
    let Some(list) = list.filter(|list| !list.is_empty()) else { return joined };
    let mut others: Vec<PathBuf> = std::env::split_paths(&list).collect();
    let count = others.len();
    others.retain(|path| path != Path::new(folder));
    if others.len() == count {
        joined.push(LIST_SEPARATOR);
        joined.push(list);
    } else {
        for path in others {
            joined.push(LIST_SEPARATOR);
            joined.push(path);
        }
    }
    joined
}

fn parse_change(line: &str) -> Option<Change> {
    let (verb, rest) = line.split_once(' ')?;
    let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
    let valid = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(valid) {
        return None;
    }
    let (name, value) = (name.to_owned(), unescape(value));
    match verb {
        "set" => Some(Change::Set(name, value)),
        "prepend" if !value.is_empty() => Some(Change::Prepend(name, value)),
        "unset" if value.is_empty() => Some(Change::Unset(name)),
        _ => None,
    }
}

fn escape(value: &str) -> String {
    value.replace('%', "%25").replace('\n', "%0A").replace('\r', "%0D")
}

fn unescape(value: &str) -> String {
    value.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
}

const HEADER: &str = "rocmenv-activation 1";
const LIST_SEPARATOR: &str = if cfg!(windows) { ";" } else { ":" };

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn example() -> Activation {
        Activation {
            root: "/p/.rocmenv/host/generations/3".into(),
            changes: vec![
                Change::Set("A".into(), "x %0A\ny z".into()),
                Change::Prepend("PATH".into(), "/p/rocm/bin".into()),
                Change::Prepend("PATH".into(), "/p/env/bin".into()),
                Change::Unset("PYTHONHOME".into()),
            ],
        }
    }

    #[test]
    fn a_file_is_written_and_read_back() {
        assert_eq!(Activation::parse(&example().to_text()), Ok(example()));
    }

    #[test]
    fn bad_files_are_named() {
        let error = |text: &str| Activation::parse(text).unwrap_err().to_string();
        assert_eq!(
            error("rocmenv-activation 2\n/x\n"),
            "`rocmenv-activation 2` is not `rocmenv-activation 1`"
        );
        assert_eq!(error("rocmenv-activation 1\nx\n"), "line 2 is not an absolute path");
        assert_eq!(
            error("rocmenv-activation 1\n/x\nset A b\nrun x\n"),
            "line 4 is no `set`, `prepend` or `unset`"
        );
        assert_eq!(
            error("rocmenv-activation 1\n/x\nset A=B c\n"),
            "line 3 is no `set`, `prepend` or `unset`"
        );
    }

    #[test]
    fn variables_change_in_order_and_twice_is_once() {
        let path = |value: &str| {
            let after = example().apply(|name| (name == "PATH").then(|| value.into()));
            after["PATH"].clone().unwrap().into_string().unwrap()
        };
        assert_eq!(path("/usr/bin"), "/p/env/bin:/p/rocm/bin:/usr/bin");
        assert_eq!(path(""), "/p/env/bin:/p/rocm/bin");
        assert_eq!(path("/p/env/bin:/p/rocm/bin:/x"), "/p/env/bin:/p/rocm/bin:/x");
        let folders = example();
        assert_eq!(folders.program_folders(), [Path::new("/p/env/bin"), Path::new("/p/rocm/bin")]);
    }
}
