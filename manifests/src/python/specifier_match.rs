//! Whether one specifier matches one version, by PEP 440's text.
//!
//! Our own because `pep440_rs` 0.7 differs from pypa/packaging in three ways that matter:
//! `<1.0.post1` refuses 1.0 and its pre-releases, `>1.0a1` refuses 1.0.post0, and `==2.0.1.*`
//! takes 2.0 (it compares only the parts that both have). The conformance tables hold the cases.

use pep440_rs::{Operator, Version, VersionSpecifier};

/// Whether `version` satisfies `specifier`; pre-releases are not special here.
pub(crate) fn matches(specifier: &VersionSpecifier, version: &Version) -> bool {
    let wanted = specifier.version();
    match specifier.operator() {
        Operator::Equal => is_equal(wanted, version),
        Operator::NotEqual => !is_equal(wanted, version),
        Operator::EqualStar => has_prefix(wanted, wanted.release().len(), version),
        Operator::NotEqualStar => !has_prefix(wanted, wanted.release().len(), version),
        Operator::ExactEqual => wanted.to_string() == version.to_string(),
        Operator::TildeEqual => {
            let kept = wanted.release().len() - 1;
            has_prefix(wanted, kept, version) && without_local(version) >= *wanted
        }
        Operator::GreaterThanEqual => without_local(version) >= *wanted,
        Operator::LessThanEqual => without_local(version) <= *wanted,
        Operator::GreaterThan => {
            version > wanted
                && !is_post_release_of(version, wanted)
                && without_local(version) != *wanted
        }
        Operator::LessThan => version < wanted && !is_pre_release_of(version, wanted),
    }
}

/// A local label is compared only where the specifier has one.
fn is_equal(wanted: &Version, version: &Version) -> bool {
    if wanted.is_local() { version == wanted } else { without_local(version) == *wanted }
}

/// Whether the first `count` parts of the release agree, missing ones counting as zero.
fn has_prefix(wanted: &Version, count: usize, version: &Version) -> bool {
    let part = |release: &[u64], at: usize| release.get(at).copied().unwrap_or(0);
    wanted.epoch() == version.epoch()
        && (0..count).all(|at| part(wanted.release(), at) == part(version.release(), at))
}

/// `>V` must not take a post-release of V, unless V is one itself.
fn is_post_release_of(version: &Version, wanted: &Version) -> bool {
    version.is_post()
        && !wanted.is_post()
        && !wanted.is_dev()
        && version.pre() == wanted.pre()
        && has_same_release(version, wanted)
}

/// `<V` must not take a pre-release of V, unless V is one itself. A pre-release of a
/// post-release is its own development release alone.
fn is_pre_release_of(version: &Version, wanted: &Version) -> bool {
    if wanted.any_prerelease() || !has_same_release(version, wanted) {
        return false;
    }
    if wanted.is_post() {
        version.is_dev() && version.pre().is_none() && version.post() == wanted.post()
    } else {
        version.any_prerelease()
    }
}

fn has_same_release(left: &Version, right: &Version) -> bool {
    has_prefix(left, left.release().len().max(right.release().len()), right)
}

fn without_local(version: &Version) -> Version {
    version.clone().without_local()
}
