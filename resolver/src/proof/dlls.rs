//! Who supplies the DLLs that files of Windows need.
//!
//! Names are equal whatever their case. A file's own folder comes first, because Python loads
//! modules with it; then anything of that name in the environment, served only where something
//! loads it or names its folder first (`os.add_dll_directory`); then what Windows has. Source:
//! Microsoft, "Dynamic-link library search order" and "Windows API sets".

use std::path::Path;

use super::linking::Supply;
use super::placed::Tree;
use crate::host::Sysroot;

/// The supply of one DLL for the file at `place`.
pub(super) fn supply(tree: &Tree, host: Option<&dyn Sysroot>, place: &str, name: &str) -> Supply {
    let folder = |at: &str| at.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.into());
    let named = tree.named_in_any_case(name);
    if let Some(at) = named.iter().find(|at| folder(at) == folder(place)) {
        return Supply::Environment((*at).to_owned());
    }
    if let Some(at) = named.first() {
        return Supply::EnvironmentElsewhere((*at).to_owned());
    }
    let name = name.to_ascii_lowercase();
    if name.starts_with("python3") {
        return Supply::Host("the interpreter".to_owned());
    }
    if API_SETS.iter().any(|set| name.starts_with(set)) {
        return Supply::Host("an API set of Windows".to_owned());
    }
    let Some(host) = host else { return Supply::NotChecked };
    let at = format!("{SYSTEM}/{name}");
    if host.exists(Path::new(&at)) { Supply::Host(at) } else { Supply::Missing }
}

const SYSTEM: &str = "C:/Windows/System32";
/// Names that the loader itself maps; no file has them.
const API_SETS: [&str; 2] = ["api-ms-win-", "ext-ms-"];
