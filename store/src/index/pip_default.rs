//! The index that a pip uses when nobody configured one, read from that pip's own source.
//!
//! pip keeps it in `pip/_internal/models/index.py` as the first argument of the first
//! `PackageIndex(...)`, and adds `simple`. The file is read, not run.

use std::io::Read;
use std::path::Path;

use rocmenv_manifests::sourced::{Origin, Sourced};

use super::discover::Surroundings;

/// The default of the first pip that has one.
pub(super) fn find(around: &Surroundings<'_>) -> Option<Sourced<String>> {
    around.pips.iter().find_map(|pip| {
        let source = if pip.extension().is_some_and(|end| end == "whl") {
            from_wheel(&(around.read)(pip)?)?
        } else {
            around.text(&pip.join(SOURCE))?
        };
        let address = address(&source)?;
        Some(Sourced::new(address, Origin::Probed(format!("pip in {}", shown(pip)))))
    })
}

fn from_wheel(wheel: &[u8]) -> Option<String> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(wheel)).ok()?;
    let entry = archive.by_name(SOURCE).ok()?;
    let mut source = String::new();
    entry.take(LARGEST_SOURCE).read_to_string(&mut source).ok()?;
    Some(source)
}

fn address(source: &str) -> Option<String> {
    let mut rest = source;
    // The class comes first, its uses after it.
    loop {
        let (_, after) = rest.split_once("= PackageIndex(")?;
        let argument = after.trim_start();
        rest = after;
        let Some(quote) = argument.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            continue;
        };
        let (address, _) = argument[1..].split_once(quote)?;
        return Some(format!("{}/simple/", address.trim_end_matches('/')));
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

const SOURCE: &str = "pip/_internal/models/index.py";
const LARGEST_SOURCE: u64 = 1024 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_index_of_the_source_is_the_default() {
        let source = "class PackageIndex:\n    def __init__(self, url): ...\n\n\
                      Main = PackageIndex(\n    \"https://index.test/\", file_storage_domain=\"f.test\"\n)\n\
                      Test = PackageIndex('https://other.test/', 'x')\n";
        assert_eq!(address(source).as_deref(), Some("https://index.test/simple/"));
        assert_eq!(address("class PackageIndex:\n    pass\n"), None);
    }
}
