//! What a requirement says of framework versions.

use std::str::FromStr;

use pep440_rs::{Version, VersionSpecifiers};
use rocmenv_manifests::registry::pattern::numbers;
use rocmenv_manifests::version::{Op, Requirement};

/// Whether a version is asked for. ROCm builds of TensorFlow carry the ROCm version as a fourth
/// part, which nobody means when asking for `2.14.0`.
pub(super) fn satisfies(wanted: &Requirement, version: &Version) -> bool {
    if wanted.is_any() {
        return true;
    }
    let Ok(specifiers) = VersionSpecifiers::from_str(&wanted.to_pep440()) else { return false };
    let three = version.release().iter().take(3).copied();
    specifiers.contains(version) || specifiers.contains(&Version::new(three))
}

/// The single version that a requirement names, if it names one.
pub(super) fn exact_version(wanted: &Requirement) -> Option<Version> {
    match wanted.clauses() {
        [clause] if matches!(clause.op, Op::Bare | Op::Equal) && !clause.wildcard => {
            Version::from_str(&clause.version).ok()
        }
        _ => None,
    }
}

/// Whether a version is a series (`2.7`, which asks for any 2.7.1) rather than one release.
pub(super) fn is_series(version: &Version) -> bool {
    version.release().len() < 3
}

/// Whether a version begins with the numbers of a listed one (`2.1.2` with `2.1`).
pub(super) fn begins_with(version: &Version, listed: &str) -> bool {
    numbers(listed).is_some_and(|listed| {
        let own = version.release();
        listed
            .iter()
            .enumerate()
            .all(|(at, part)| own.get(at).copied().unwrap_or(0) == u64::from(*part))
    })
}
