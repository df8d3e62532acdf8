//! The interpreter in a distribution's packages, which the lock has chosen like all the others.

use std::collections::BTreeSet;

use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::lock::{ArtifactKind, LockedPackage};
use rocmenv_manifests::version::Dotted;
use rocmenv_resolver::python_builds::distribution_packages;
use rocmenv_store::environment::managed_python;
use rocmenv_store::object::Object;

use super::{InterpreterError, Place, Provided, Wanted};

/// The interpreter made of the environment's own packages, with what it needs of them and no more.
pub(super) fn unpacked(
    place: &Place<'_>,
    wanted: &Wanted<'_>,
) -> Result<Provided, InterpreterError> {
    let [package, _] = distribution_packages(wanted.series);
    let missing = || InterpreterError::NotLocked { package: package.clone() };
    let names = needed(wanted.packages, wanted.series);
    let is_part = |object: &&Object| {
        object.manifest.kind == ArtifactKind::Deb && names.contains(object.manifest.name.as_str())
    };
    let parts: Vec<Object> = wanted.objects.iter().filter(is_part).cloned().collect();
    let built = tokio::task::block_in_place(|| managed_python(place.store, &parts))?;
    let python = built.ok_or_else(missing)?;
    let named = |object: &&Object| object.manifest.name == package;
    let of = parts.iter().find(named).ok_or_else(missing)?;
    let version = upstream(&of.manifest.version);
    if python.series != wanted.series.to_string() {
        return Err(missing());
    }
    if Dotted::leading(&version).is_none_or(|version| version < *wanted.floor) {
        let floor = wanted.floor.clone();
        return Err(InterpreterError::DistributionTooOld { package, version, floor });
    }
    let interpreter = Interpreter {
        version,
        path: python.program.to_string_lossy().into_owned(),
        source: "distribution".to_owned(),
    };
    let objects = parts.iter().map(|object| object.digest).collect();
    Ok(Provided { interpreter, key: Some(python.key), objects })
}

/// The names of the packages that the interpreter needs, itself among them.
fn needed<'a>(packages: &'a [LockedPackage], series: &Dotted) -> BTreeSet<&'a str> {
    let roots = distribution_packages(series);
    let debs = || packages.iter().filter(|package| package.kind == ArtifactKind::Deb);
    let mut ahead: Vec<&str> = debs()
        .map(|package| package.name.as_str())
        .filter(|name| roots.iter().any(|root| root == name))
        .collect();
    let mut needed = BTreeSet::new();
    while let Some(name) = ahead.pop() {
        if needed.insert(name) {
            let of_name = debs().filter(|package| package.name == name);
            ahead.extend(of_name.flat_map(|package| package.requires.iter().map(String::as_str)));
        }
    }
    needed
}

/// The upstream part of a Debian version (Debian policy, section 5.6.12) as Python writes it:
/// `3.13.0~rc2-1` is `3.13.0rc2`.
fn upstream(version: &str) -> String {
    let without_epoch = version.split_once(':').map_or(version, |(_, rest)| rest);
    let upstream = without_epoch.rsplit_once('-').map_or(without_epoch, |(upstream, _)| upstream);
    upstream.split('+').next().unwrap_or(upstream).replace('~', "")
}

#[cfg(test)]
mod tests {
    use rocmenv_manifests::name::IndexName;

    use super::*;

    #[test]
    fn what_the_interpreter_needs_is_followed_and_nothing_else_comes_along() {
        let packages = [
            package("python3.11", &["libpython3.11-stdlib", "python3.11-minimal"]),
            package("python3.11-minimal", &["libpython3.11-stdlib"]),
            package("libpython3.11-stdlib", &["libssl3", "python3.11-minimal"]),
            package("libssl3", &["libc6"]),
            package("libamdhip64-5", &["libssl3", "libdrm2"]),
            package("libdrm2", &[]),
        ];
        let needed = needed(&packages, &Dotted::new(3, 11));
        let expected =
            ["libc6", "libpython3.11-stdlib", "libssl3", "python3.11", "python3.11-minimal"];
        assert_eq!(needed.into_iter().collect::<Vec<_>>(), expected);
        assert!(super::needed(&packages, &Dotted::new(3, 12)).is_empty());
    }

    #[test]
    fn a_debian_version_says_pythons() {
        assert_eq!(upstream("3.11.2-6+deb12u8"), "3.11.2");
        assert_eq!(upstream("3.13.0~rc2-1"), "3.13.0rc2");
        assert_eq!(upstream("1:3.14.10"), "3.14.10");
    }

    fn package(name: &str, requires: &[&str]) -> LockedPackage {
        LockedPackage {
            name: name.to_owned(),
            version: "1".to_owned(),
            index: IndexName::distribution(),
            kind: ArtifactKind::Deb,
            members: Vec::new(),
            files: Vec::new(),
            requires: requires.iter().map(|name| (*name).to_owned()).collect(),
            reason: String::new(),
        }
    }
}
