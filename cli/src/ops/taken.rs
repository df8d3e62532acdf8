//! Packages that pip or another program put into an environment, and taking them over into
//! rocm.toml.

use std::collections::BTreeSet;

use fs_err as fs;
use rocmenv_manifests::generation::Generation;
use rocmenv_store::layout::GenerationLayout;

use super::guard;
use super::packages::{entries, site_packages};

/// One package that `sync` did not install, or not in this version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// Its normal name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Whether somebody asked for it by name; else it came because another one needs it.
    pub is_asked: bool,
    /// Where it came from, if that was no index (PEP 610).
    pub direct: Option<String>,
}

/// The packages of a generation that are not what was locked, sorted by name.
pub fn foreign(generation: &Generation, place: &GenerationLayout) -> Vec<Foreign> {
    let Some(folder) = site_packages(place) else { return Vec::new() };
    let asked = asked(&folder);
    let put_in = guard::strangers(generation, place).into_iter();
    let mut found: Vec<Foreign> = put_in
        .filter_map(|stranger| {
            let wish = asked.iter().find(|(name, _)| *name == stranger.name);
            Some(Foreign {
                is_asked: wish.is_some(),
                direct: wish.and_then(|(_, direct)| direct.clone()),
                name: stranger.name,
                version: stranger.version?,
            })
        })
        .collect();
    // A program that records no wishes: then all of them are.
    if !found.iter().any(|package| package.is_asked) {
        for package in &mut found {
            package.is_asked = true;
        }
    }
    found
}

/// The packages that somebody named, with the place of those that came from no index: pip and uv
/// leave a file `REQUESTED` (PEP 376) and `direct_url.json` (PEP 610).
fn asked(site_packages: &std::path::Path) -> BTreeSet<(String, Option<String>)> {
    let mut asked = BTreeSet::new();
    for folder in entries(site_packages) {
        let is_package = folder.extension().is_some_and(|extension| extension == "dist-info");
        if !is_package || !folder.join("REQUESTED").exists() {
            continue;
        }
        let stem = folder.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = stem.rsplit_once('-').map_or(stem.as_str(), |(name, _)| name);
        let Ok(name) = rocmenv_manifests::python::name::package_name(name) else { continue };
        let direct = fs::read(folder.join("direct_url.json")).ok();
        let direct = direct.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let direct = direct.and_then(|json: serde_json::Value| {
            json.get("url").and_then(|url| url.as_str()).map(str::to_owned)
        });
        asked.insert((name.to_string(), direct));
    }
    asked
}
