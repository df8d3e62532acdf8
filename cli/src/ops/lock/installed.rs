//! The packages that the host's distribution has installed, from dpkg's own record.
//!
//! A library that the host has in a sufficient version is used where it is and not unpacked into
//! an environment.

use std::collections::BTreeMap;
use std::path::Path;

/// Names and versions of installed packages; none on a system without dpkg.
pub(super) fn packages(status: &Path) -> BTreeMap<String, String> {
    let text = fs_err::read_to_string(status).unwrap_or_default();
    text.split("\n\n").filter_map(installed).collect()
}

/// One paragraph of the file (deb-control syntax; `Status` of dpkg-query(1)).
fn installed(paragraph: &str) -> Option<(String, String)> {
    let value = |field: &str| {
        let mut lines = paragraph.lines();
        lines.find_map(|line| line.strip_prefix(field)?.strip_prefix(": "))
    };
    (value("Status")? == "install ok installed").then_some(())?;
    Some((value("Package")?.to_owned(), value("Version")?.to_owned()))
}

/// Where dpkg keeps its record.
pub(super) const DPKG_STATUS: &str = "/var/lib/dpkg/status";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_installed_counts() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("status");
        let text = "Package: libelf1\nStatus: install ok installed\nVersion: 0.188-2.1\n\n\
                    Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n";
        fs_err::write(&file, text).unwrap();
        let expected = BTreeMap::from([("libelf1".to_owned(), "0.188-2.1".to_owned())]);
        assert_eq!(packages(&file), expected);
        assert!(packages(Path::new("/nowhere")).is_empty());
    }
}
