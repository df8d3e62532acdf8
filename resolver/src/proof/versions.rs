//! Symbol versions that files need and a target's C and C++ libraries lack.

use std::collections::BTreeSet;

use rocmenv_manifests::version::Dotted;
use serde::Serialize;

use super::placed::Package;

/// What a target's own libraries define.
#[derive(Debug, Clone, Default)]
pub struct Platform {
    /// glibc's version; `None`: not known.
    pub glibc: Option<Dotted>,
    /// The versions that libstdc++ defines (`GLIBCXX_3.4.30`); `None`: not known.
    pub libstdcxx: Option<BTreeSet<String>>,
}

/// A file that needs more than the target has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct TooNew {
    /// The file.
    pub file: String,
    /// The library (`libc.so.6`).
    pub library: String,
    /// The version that is missing (`GLIBC_2.38`), the highest of several.
    pub version: String,
}

/// Files that cannot be loaded for a version of symbols, sorted.
pub fn versions(packages: &[Package], platform: &Platform) -> Vec<TooNew> {
    let mut found = Vec::new();
    for package in packages {
        for file in package.files() {
            let needs = file.linking.iter().flat_map(|linking| &linking.versions);
            let mut missing: Vec<_> =
                needs.filter(|need| is_missing(&need.version, platform)).collect();
            missing.sort_by_key(|need| (family(&need.version), number(&need.version)));
            // One a family: the highest says it all.
            for (at, need) in missing.iter().enumerate() {
                let next = missing.get(at + 1);
                if next.is_none_or(|next| family(&next.version) != family(&need.version)) {
                    found.push(TooNew {
                        file: file.path.clone(),
                        library: need.library.clone(),
                        version: need.version.clone(),
                    });
                }
            }
        }
    }
    found.sort();
    found
}

fn is_missing(version: &str, platform: &Platform) -> bool {
    match family(version) {
        "GLIBC" => match (number(version), &platform.glibc) {
            (Some(needed), Some(has)) => needed > *has,
            _ => false,
        },
        "GLIBCXX" | "CXXABI" => {
            platform.libstdcxx.as_ref().is_some_and(|defined| !defined.contains(version))
        }
        _ => false,
    }
}

/// `GLIBC` of `GLIBC_2.34`.
fn family(version: &str) -> &str {
    version.split_once('_').map_or(version, |(family, _)| family)
}

fn number(version: &str) -> Option<Dotted> {
    version.split_once('_')?.1.parse().ok()
}
