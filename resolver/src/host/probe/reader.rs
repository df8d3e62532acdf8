//! Reading with a memory for what could not be read.
//!
//! A file that is not there is no fault: most kernels lack most of these files. A file that
//! is there and refuses is listed, so that an unknown fact can be explained.

use std::io;
use std::path::Path;

use crate::host::facts::Unread;
use crate::host::sysroot::Sysroot;

pub(crate) struct Reader<'a> {
    root: &'a dyn Sysroot,
    unread: Vec<Unread>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(root: &'a dyn Sysroot) -> Self {
        Self { root, unread: Vec::new() }
    }

    pub(crate) fn root(&self) -> &'a dyn Sysroot {
        self.root
    }

    pub(crate) fn into_unread(self) -> Vec<Unread> {
        self.unread
    }

    pub(crate) fn exists(&self, path: impl AsRef<Path>) -> bool {
        self.root.exists(path.as_ref())
    }

    /// The content of a file, broken UTF-8 replaced.
    pub(crate) fn text(&mut self, path: impl AsRef<Path>) -> Option<String> {
        let path = path.as_ref();
        let bytes = self.keep(path, self.root.read(path))?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What follows the first place of a mark in a file, broken UTF-8 replaced.
    pub(crate) fn text_after(
        &mut self,
        path: impl AsRef<Path>,
        mark: &[u8],
        length: usize,
    ) -> Option<String> {
        let path = path.as_ref();
        let bytes = self.keep(path, self.root.read_after(path, mark, length))??;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A file of one line, trimmed; `None` where the line is empty.
    pub(crate) fn line(&mut self, path: impl AsRef<Path>) -> Option<String> {
        let text = self.text(path)?;
        Some(text.trim().to_owned()).filter(|line| !line.is_empty())
    }

    /// A file of one line that a driver may answer with an error, which means "not here".
    pub(crate) fn attribute(&self, path: impl AsRef<Path>) -> Option<String> {
        let bytes = self.root.read(path.as_ref()).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        Some(text.trim().to_owned()).filter(|line| !line.is_empty())
    }

    /// The names in a folder, none where there is no such folder.
    pub(crate) fn list(&mut self, path: impl AsRef<Path>) -> Vec<String> {
        let path = path.as_ref();
        self.keep(path, self.root.list(path)).unwrap_or_default()
    }

    /// Remembers something that could not be read.
    pub(crate) fn note(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.unread.push(Unread { what: what.into(), why: why.into() });
    }

    fn keep<T>(&mut self, path: &Path, outcome: io::Result<T>) -> Option<T> {
        match outcome {
            Ok(value) => Some(value),
            Err(error) => {
                let absent = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
                if !absent.contains(&error.kind()) {
                    self.note(path.to_string_lossy(), error.to_string());
                }
                None
            }
        }
    }
}
