//! requirements.txt as pip reads it ("Requirements File Format" of its documentation), and what
//! pip-compile and `uv pip compile` write beside each line: who asked for it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rocmenv_manifests::digest::Sha256;

use super::foreign::digests;
use super::{Foreign, ImportError};
use crate::ops::files::FileError;

/// Reads a file and those that it includes.
pub(super) fn read(
    path: &Path,
    text_of: &dyn Fn(&Path) -> Result<String, FileError>,
) -> Result<Foreign, ImportError> {
    let mut reading =
        Reading { foreign: Foreign::default(), lines: Vec::new(), seen: BTreeSet::new() };
    reading.file(path, text_of, false)?;
    let Reading { mut foreign, lines, .. } = reading;
    // where the lines say who asked, what only other packages need is left to the lock
    let annotated = lines.iter().any(|line| line.asked.is_some());
    for line in lines {
        if let Some((name, version)) = &line.pinned {
            foreign.pin(name, version, line.hashes);
        }
        if !line.constraint && (!annotated || line.asked == Some(true)) {
            foreign.wish(&line.text, None);
        }
    }
    Ok(foreign)
}

struct Reading {
    foreign: Foreign,
    lines: Vec<Line>,
    seen: BTreeSet<PathBuf>,
}

/// One requirement.
struct Line {
    text: String,
    pinned: Option<(String, String)>,
    hashes: BTreeSet<Sha256>,
    constraint: bool,
    /// Whether a person asked for it, where a comment of a compiler says so.
    asked: Option<bool>,
}

impl Reading {
    fn file(
        &mut self,
        path: &Path,
        text_of: &dyn Fn(&Path) -> Result<String, FileError>,
        constraint: bool,
    ) -> Result<(), ImportError> {
        if !self.seen.insert(path.to_owned()) {
            return Ok(());
        }
        let text = text_of(path)?.replace("\r\n", "\n").replace("\\\n", " ");
        for line in text.lines() {
            let (content, comment) = split_comment(line);
            if let Some(comment) = comment {
                self.annotate(comment);
            }
            let beside = |name: &str| path.parent().unwrap_or(path).join(name);
            match option(content) {
                None if content.is_empty() => {}
                None => self.requirement(content, constraint),
                Some(("-r" | "--requirement", name)) => {
                    self.file(&beside(name), text_of, constraint)?;
                }
                Some(("-c" | "--constraint", name)) => self.file(&beside(name), text_of, true)?,
                Some(("-e" | "--editable", place)) if is_here(place) => {
                    self.foreign.path = Some(".".to_owned());
                }
                Some(("-e" | "--editable", place)) => {
                    self.foreign.leave(place, "a lock cannot hold a folder of source");
                }
                Some(("-i" | "--index-url", _)) => self.foreign.leave(
                    content,
                    "the general index is the user's configuration, or [indexes.python]",
                ),
                Some(("--extra-index-url" | "-f" | "--find-links", _)) => self.foreign.leave(
                    content,
                    "AMD's and PyTorch's indexes are known; another one goes into [indexes]",
                ),
                Some(("--require-hashes", _)) => {}
                Some(_) => self.foreign.leave(content, "an option of pip"),
            }
        }
        Ok(())
    }

    fn requirement(&mut self, content: &str, constraint: bool) {
        let mut words = content.split(" --");
        let text = words.next().unwrap_or_default().trim().to_owned();
        if is_here(&text) {
            self.foreign.path = Some(".".to_owned());
            return;
        }
        if text.contains(" @ ") || text.contains("://") {
            self.foreign.leave(&text, "a lock holds files of an index, not of an address");
            return;
        }
        let hashes = digests(words.filter_map(|word| word.trim().strip_prefix("hash=")));
        let pinned = pinned(&text);
        self.lines.push(Line { text, pinned, hashes, constraint, asked: None });
    }

    /// `# via demo`, or over several lines `# via`, `#   -r requirements.in`, `#   demo`: files
    /// and projects are people, names are packages.
    fn annotate(&mut self, comment: &str) {
        let Some(line) = self.lines.last_mut() else { return };
        let comment = comment.trim();
        let names = match comment.strip_prefix("via") {
            Some(names) => names,
            None if line.asked.is_some() => comment,
            None => return,
        };
        let is_file = |word: &str| {
            let word = word.trim_matches(['(', ')', ',']);
            word == "-r" || [".in", ".txt", ".toml"].iter().any(|end| word.ends_with(end))
        };
        let by_person = names.split_whitespace().any(is_file);
        line.asked = Some(by_person || line.asked == Some(true));
    }
}

/// The name and version of `name==version`, with or without extras and marker.
fn pinned(text: &str) -> Option<(String, String)> {
    let text = text.split(';').next()?;
    let (name, version) = text.split_once("==")?;
    let version = version.trim_start_matches('=').trim();
    let name = name.split('[').next()?.trim();
    let exact = !version.contains([',', '*', ' ', '<', '>', '!', '~'])
        && !name.contains([',', '>', '<', '~', '!']);
    exact.then(|| (name.to_owned(), version.to_owned()))
}

/// An option with its value.
fn option(content: &str) -> Option<(&str, &str)> {
    if !content.starts_with('-') {
        return None;
    }
    let end = content.find([' ', '=']).unwrap_or(content.len());
    Some((&content[..end], content[end..].trim_start_matches(['=', ' ']).trim()))
}

/// A comment begins a line or follows a blank.
fn split_comment(line: &str) -> (&str, Option<&str>) {
    let start = if line.trim_start().starts_with('#') { line.find('#') } else { line.find(" #") };
    match start {
        Some(at) => (line[..at].trim(), Some(line[at..].trim_start().trim_start_matches('#'))),
        None => (line.trim(), None),
    }
}

fn is_here(place: &str) -> bool {
    let place = place.split('[').next().unwrap_or(place).trim_start_matches("file:");
    matches!(place, "." | "./")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreign(text: &str) -> Foreign {
        let text = text.to_owned();
        read(Path::new("requirements.txt"), &|_| Ok(text.clone())).unwrap()
    }

    fn wishes(foreign: &Foreign) -> Vec<String> {
        let text = |wish: &super::super::Wish| {
            format!("{} {}", wish.request.name, wish.request.requirement)
        };
        foreign.wishes.iter().map(text).collect()
    }

    #[test]
    fn what_only_packages_need_is_pinned_and_not_asked_for() {
        let found = foreign(
            "# compiled\n--index-url https://index.example/simple\na==1.0 \\\n    \
             --hash=sha256:0000000000000000000000000000000000000000000000000000000000000000\n    \
             # via\n    #   -r requirements.in\n    #   b\nb==2.0.1 # via a\n",
        );
        assert_eq!(wishes(&found), ["a ==1.0"]);
        let pins: Vec<_> = found.pins.iter().map(|(n, p)| format!("{n} {}", p.version)).collect();
        assert_eq!(pins, ["a 1.0", "b 2.0.1"]);
        assert_eq!(found.pins.values().map(|pin| pin.hashes.len()).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(found.left_out.len(), 1);
    }

    #[test]
    fn a_frozen_list_is_asked_for_whole() {
        let found = foreign("a==1.0\n-e .\nb[x]>=2; python_version > '3.9'\nc @ https://x/c.whl\n");
        assert_eq!(wishes(&found), ["a ==1.0", "b >=2"]);
        assert_eq!(found.path.as_deref(), Some("."));
        assert_eq!(found.left_out[0].what, "c @ https://x/c.whl");
        assert_eq!(found.pins.len(), 1);
    }
}
