//! Symbolic links, and what stands for them where the system makes none.
//!
//! Windows makes them for administrators and in Developer Mode only (and Wine says that it made
//! one and did not). There a link to a file becomes a hard link or a copy, one to a folder a tree
//! of these: so its end must be there first, and links are made last.

use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::{DiskError, rename};

/// Whether links must wait until everything that they may lead to is there.
pub(crate) const COME_LAST: bool = cfg!(windows);

/// One link that is to be made.
#[derive(Debug, Clone)]
pub(crate) struct NewLink {
    /// Where.
    pub(crate) at: PathBuf,
    /// What it says, with `/` between its parts; it leads into the same tree.
    pub(crate) target: String,
}

impl NewLink {
    /// Makes it.
    pub(crate) fn make(&self) -> Result<(), DiskError> {
        let made = symlink(&self.target, &self.at);
        if made.is_ok() && is_link(&self.at) {
            return Ok(());
        }
        if !COME_LAST {
            return Ok(made?);
        }
        let _ = fs::remove_file(&self.at);
        Ok(stand_in(&self.end(), &self.at)?)
    }

    fn end(&self) -> PathBuf {
        let folder = self.at.parent().unwrap_or(Path::new(""));
        folder.join(self.target.split('/').collect::<PathBuf>())
    }
}

/// Makes links, on Windows each after those that it leads to. One that leads nowhere is left out
/// there: nothing could be found through it.
pub(crate) fn make_all(links: Vec<NewLink>) -> Result<(), DiskError> {
    let mut waiting = links;
    while !waiting.is_empty() {
        let before = waiting.len();
        let (ready, others): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|link| !COME_LAST || link.end().exists());
        ready.iter().try_for_each(NewLink::make)?;
        if others.len() == before {
            break;
        }
        waiting = others;
    }
    Ok(())
}

/// Something that is found where a link to `end` would be.
fn stand_in(end: &Path, at: &Path) -> io::Result<()> {
    if end.is_dir() {
        fs::create_dir(at)?;
        for entry in fs::read_dir(end)? {
            let entry = entry?;
            stand_in(&entry.path(), &at.join(entry.file_name()))?;
        }
        return Ok(());
    }
    fs::hard_link(end, at).or_else(|_| fs::copy(end, at).map(drop))
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

#[cfg(unix)]
fn symlink(target: &str, at: &Path) -> io::Result<()> {
    fs::os::unix::fs::symlink(target, at)
}

#[cfg(windows)]
fn symlink(target: &str, at: &Path) -> io::Result<()> {
    let target = target.replace('/', "\\");
    let folder = at.parent().unwrap_or(Path::new(""));
    if folder.join(&target).is_dir() {
        fs::os::windows::fs::symlink_dir(target, at)
    } else {
        fs::os::windows::fs::symlink_file(target, at)
    }
}

/// Makes a folder be found at `link`, too: a symbolic link, or on Windows a junction, for which
/// nobody needs a right and whose `target` must be absolute.
///
/// # Errors
/// The system makes none, or says that it made one and did not.
pub(crate) fn link_folder(target: &Path, link: &Path) -> io::Result<()> {
    let made = make_folder_link(target, link);
    if made.is_ok() && is_link(link) {
        return Ok(());
    }
    let _ = fs::remove_dir(link);
    made.and(Err(io::ErrorKind::Unsupported.into()))
}

#[cfg(unix)]
fn make_folder_link(target: &Path, link: &Path) -> io::Result<()> {
    fs::os::unix::fs::symlink(target, link)
}

#[cfg(windows)]
fn make_folder_link(target: &Path, link: &Path) -> io::Result<()> {
    junction::create(target, link)
}

/// Puts the link `new` in the place of the link `old`, which may be absent.
pub(crate) fn replace_link(new: &Path, old: &Path) -> io::Result<()> {
    if cfg!(windows) && is_link(old) {
        // To Windows a junction is a folder, which no rename replaces.
        fs::remove_dir(old)?;
    }
    rename(new, old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_in_has_the_content_of_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("lib/below")).unwrap();
        fs::write(at("lib/below/x"), "text").unwrap();
        stand_in(&at("lib"), &at("lib64")).unwrap();
        assert_eq!(fs::read_to_string(at("lib64/below/x")).unwrap(), "text");
        stand_in(&at("lib/below/x"), &at("y")).unwrap();
        assert_eq!(fs::read_to_string(at("y")).unwrap(), "text");
    }

    #[test]
    fn links_to_links_are_found_whatever_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("libx.so.1.0"), "text").unwrap();
        let link = |name: &str, target: &str| NewLink { at: at(name), target: target.to_owned() };
        let links = vec![
            link("libx.so", "libx.so.1"),
            link("libx.so.1", "libx.so.1.0"),
            link("dangling", "nowhere"),
        ];
        make_all(links).unwrap();
        assert_eq!(fs::read_to_string(at("libx.so")).unwrap(), "text");
        assert!(fs::symlink_metadata(at("libx.so.1")).is_ok());
    }
}
