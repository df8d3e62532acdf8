//! The index that a pip uses when nobody configured one, read from that pip's own source.
//!
//! pip keeps it in `pip/_internal/models/index.py` as the first argument of the first
//! `PackageIndex(...)`, and adds `simple`. The file is read, not run.

use std::io::Read;
use std::path::{Path, PathBuf};

use rocmenv_manifests::sourced::{Origin, Sourced};

use super::discover::Surroundings;

/// An interpreter whose pip may be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InterpreterPlace<'a> {
    /// The folder that `bin/python3` or `python.exe` lies below.
    pub prefix: &'a Path,
    /// Its series (`3.12`).
    pub series: &'a str,
}

/// Where the pips of these interpreters may be, in their order: installed ones, those that
/// ensurepip carries, and last those of the distribution. `list` gives the files of a folder.
pub fn pip_places(
    interpreters: &[InterpreterPlace<'_>],
    list: &dyn Fn(&Path) -> Vec<PathBuf>,
) -> Vec<PathBuf> {
    let wheels = |folder: &Path| {
        let mut found = list(folder);
        found.retain(|path| {
            let name = path.file_stem().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("pip-"))
                && path.extension().is_some_and(|end| end == "whl")
        });
        // The newest of several, as far as names can tell.
        found.sort();
        found.reverse();
        found
    };
    let mut places = Vec::new();
    for place in interpreters {
        let unix = place.prefix.join("lib").join(format!("python{}", place.series));
        for library in [unix, place.prefix.join("Lib")] {
            places.push(library.join("site-packages"));
            places.extend(wheels(&library.join("ensurepip").join("_bundled")));
        }
    }
    places.push(PathBuf::from("/usr/lib/python3/dist-packages"));
    places.extend(wheels(Path::new("/usr/share/python-wheels")));
    places
}

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

    #[test]
    fn pips_are_looked_for_beside_their_interpreters() {
        let prefix = Path::new("/opt/py");
        let list = |folder: &Path| match folder.to_str().unwrap() {
            "/opt/py/lib/python3.12/ensurepip/_bundled" => {
                vec![folder.join("pip-24.0-py3-none-any.whl"), folder.join("README")]
            }
            "/usr/share/python-wheels" => vec![folder.join("pip-23.0.1-py3-none-any.whl")],
            _ => Vec::new(),
        };
        let places = pip_places(&[InterpreterPlace { prefix, series: "3.12" }], &list);
        let places: Vec<_> = places.iter().map(|path| path.display().to_string()).collect();
        assert_eq!(
            places,
            [
                "/opt/py/lib/python3.12/site-packages",
                "/opt/py/lib/python3.12/ensurepip/_bundled/pip-24.0-py3-none-any.whl",
                "/opt/py/Lib/site-packages",
                "/usr/lib/python3/dist-packages",
                "/usr/share/python-wheels/pip-23.0.1-py3-none-any.whl",
            ]
        );
    }
}
