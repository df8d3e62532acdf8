//! What the solver asks of a PEP 440 version beyond its order.
//!
//! The order itself is `pep440_rs`'s and agrees with pypa/packaging. It must never decide
//! between builds: `+rocm10.0` sorts below `+rocm7.0` (see [`super::build_label`]).

use pep440_rs::Version;

/// Whether this is an alpha, beta, release candidate or development release.
pub fn is_prerelease(version: &Version) -> bool {
    version.any_prerelease()
}

/// Epoch and release alone: `1!2.0rc1.post2+cpu` is `1!2.0`.
pub fn base(version: &Version) -> Version {
    version.only_release().with_epoch(version.epoch())
}

/// Everything but the local label: `2.9.1+rocm6.4` is `2.9.1`.
pub fn public(version: &Version) -> Version {
    if version.is_local() { version.clone().without_local() } else { version.clone() }
}

/// The local label in its normal form: `rocm6.4` of `2.9.1+rocm6.4`.
pub fn local(version: &Version) -> Option<String> {
    if !version.is_local() {
        return None;
    }
    let segments: Vec<String> = version.local().iter().map(ToString::to_string).collect();
    Some(segments.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_taken_apart() {
        let version: Version = "1!2.9.1rc1.post2.dev3+ROCm6-4".parse().unwrap();
        assert!(is_prerelease(&version));
        assert_eq!(base(&version).to_string(), "1!2.9.1");
        assert_eq!(public(&version).to_string(), "1!2.9.1rc1.post2.dev3");
        assert_eq!(local(&version).as_deref(), Some("rocm6.4"));
        assert_eq!(local(&base(&version)), None);
    }
}
