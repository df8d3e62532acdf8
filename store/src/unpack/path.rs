//! Names of entries: what a name may be, decided on the name alone.

use super::policy::Names;
use super::refusal::Reason;

/// A name that stays within its tree: relative, `/` between its parts, no `.`, no `..`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TreePath(String);

impl TreePath {
    /// Reads a name as an archive has it; `None` is the root of the tree itself (`./`).
    pub fn parse(raw: &[u8], names: Names) -> Result<Option<Self>, Reason> {
        let text = std::str::from_utf8(raw).map_err(|_| Reason::NotText)?;
        if text.contains('\0') {
            return Err(Reason::NotText);
        }
        if text.starts_with('/') {
            return Err(Reason::Absolute);
        }
        let mut clean = String::with_capacity(text.len());
        for part in text.split('/') {
            match part {
                "" | "." => continue,
                ".." => return Err(Reason::ParentFolder),
                _ => {}
            }
            if names == Names::Portable {
                check_portable(part)?;
            }
            if !clean.is_empty() {
                clean.push('/');
            }
            clean.push_str(part);
        }
        Ok(if clean.is_empty() { None } else { Some(Self(clean)) })
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folders that it lies in, from the outside in.
    pub fn ancestors(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(at, _)| &self.0[..at])
    }

    /// The name without its leading folder `prefix`; `None` if it is not below it.
    pub fn below(&self, prefix: &str) -> Option<Self> {
        let rest = self.0.strip_prefix(prefix)?.strip_prefix('/')?;
        Some(Self(rest.to_owned()))
    }

    /// The name without its first part; `None` if it has only one.
    pub fn without_first(&self) -> Option<Self> {
        let (_, rest) = self.0.split_once('/')?;
        Some(Self(rest.to_owned()))
    }

    /// The name under which Windows would file it.
    pub fn folded(&self) -> String {
        self.0.to_lowercase()
    }

    /// Where a symbolic link at this name points, if that is within the tree: the parts of the
    /// place, which may not exist. `target` is relative to the link's folder.
    pub fn resolve(&self, target: &str) -> Option<String> {
        if target.starts_with('/') || target.is_empty() {
            return None;
        }
        let mut parts: Vec<&str> = self.0.split('/').collect();
        parts.pop();
        for part in target.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                _ => parts.push(part),
            }
        }
        Some(parts.join("/"))
    }

    /// What a link at this name must say to point at `place`, a clean name in the same tree or
    /// the empty name of its root.
    pub fn relative_to(&self, place: &str) -> String {
        let mine: Vec<&str> = self.0.split('/').collect();
        let folders = &mine[..mine.len() - 1];
        let theirs: Vec<&str> = place.split('/').filter(|part| !part.is_empty()).collect();
        let common = folders.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
        let common = common.min(theirs.len().saturating_sub(1));
        let mut parts = vec![".."; folders.len() - common];
        parts.extend(&theirs[common..]);
        if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
    }

    pub(super) fn mapped(&self, map: impl FnOnce(&str) -> Option<String>) -> Self {
        map(&self.0).map_or_else(|| self.clone(), Self)
    }
}

/// Whether Windows can hold a file of this name.
pub(crate) fn windows_can_hold(name: &str) -> bool {
    check_portable(name).is_ok()
}

/// What Windows cannot hold ("Naming Files, Paths, and Namespaces" of its documentation).
fn check_portable(part: &str) -> Result<(), Reason> {
    let forbidden = |c: char| c < ' ' || r#"<>:"|?*\"#.contains(c);
    if part.contains(forbidden) || part.ends_with(['.', ' ']) {
        return Err(Reason::WindowsName);
    }
    let stem = part.split('.').next().unwrap_or(part).trim_end();
    if RESERVED.iter().any(|name| name.eq_ignore_ascii_case(stem)) {
        return Err(Reason::WindowsName);
    }
    Ok(())
}

/// The superscripts are digits to Windows; consoles have names of their own.
const RESERVED: [&str; 30] = [
    "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8",
    "COM9", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9", "COM¹", "COM²",
    "COM³", "LPT¹", "LPT²", "LPT³", "CONIN$", "CONOUT$",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn portable(name: &str) -> Result<Option<String>, Reason> {
        TreePath::parse(name.as_bytes(), Names::Portable).map(|path| path.map(|p| p.0))
    }

    #[test]
    fn names_are_cleaned_or_refused() {
        assert_eq!(portable("./a//b/"), Ok(Some("a/b".into())));
        assert_eq!(portable("./"), Ok(None));
        assert_eq!(portable("/etc/passwd"), Err(Reason::Absolute));
        assert_eq!(portable("a/../b"), Err(Reason::ParentFolder));
        for name in
            ["C:\\x", "a\\b", "aux.py", "NUL", "a/con .txt", "com¹.py", "x.", "x ", "a?b", "a\tb"]
        {
            assert_eq!(portable(name), Err(Reason::WindowsName), "{name}");
        }
        assert_eq!(portable("auxiliary.py"), Ok(Some("auxiliary.py".into())));
        assert_eq!(TreePath::parse(b"a\xff", Names::Linux), Err(Reason::NotText));
        let man = TreePath::parse(b"man3/Foo::Bar.3pm", Names::Linux);
        assert!(man.is_ok_and(|path| path.is_some()));
    }

    #[test]
    fn links_are_resolved_within_the_tree() {
        let path = TreePath("usr/lib/x.so".into());
        assert_eq!(path.resolve("../share/y").as_deref(), Some("usr/share/y"));
        assert_eq!(path.resolve("../../../etc/passwd"), None);
        assert_eq!(path.resolve("/etc/passwd"), None);
        assert_eq!(path.relative_to("usr/share/y"), "../share/y");
        assert_eq!(path.relative_to("usr/lib/x.so.1"), "x.so.1");
        assert_eq!(path.relative_to("etc/x"), "../../etc/x");
        assert_eq!(path.relative_to(""), "../..");
        assert_eq!(TreePath("x".into()).relative_to(""), ".");
        assert_eq!(path.resolve(&path.relative_to("usr")).as_deref(), Some("usr"));
    }
}
