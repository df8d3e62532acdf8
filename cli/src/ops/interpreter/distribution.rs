//! The interpreter in a distribution's packages, which the lock has chosen like all the others.

use std::collections::BTreeSet;

use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::lock::{ArtifactKind, LockedPackage};
use rocmenv_manifests::version::Dotted;
use rocmenv_resolver::python_builds::distribution_packages;
use rocmenv_store::environment::managed_python;
use rocmenv_store::object::{InUse, Object};

use super::{InterpreterError, Provided, Wanted};

/// The interpreter made of its packages.
pub(super) fn unpacked(
    store: &InUse<'_>,
    wanted: &Wanted<'_>,
    parts: &[Object],
) -> Result<Provided, InterpreterError> {
    let [package, _] = distribution_packages(wanted.series);
    let missing = || InterpreterError::NotLocked { package: package.clone() };
    let python = managed_python(store, parts)?.ok_or_else(missing)?;
    let itself = parts.iter().find(|object| object.manifest.name == package);
    let version = upstream(&itself.ok_or_else(missing)?.manifest.version);
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
pub(super) fn needed<'a>(packages: &'a [LockedPackage], series: &Dotted) -> BTreeSet<&'a str> {
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
    use std::path::{Path, PathBuf};

    use rocmenv_manifests::digest::Sha256;
    use rocmenv_manifests::name::IndexName;
    use rocmenv_manifests::plan::Artifact;
    use rocmenv_manifests::project::PythonSource;
    use rocmenv_store::layout::StoreLayout;
    use rocmenv_store::object::Store;
    use rocmenv_tests::DebBuilder;

    use super::*;
    use crate::error::Failure as _;

    #[test]
    fn the_interpreter_is_made_of_its_own_packages_alone() {
        let scene = Scene::new();
        let provided = scene.provide(&Dotted::new(3, 11), "3.11.0").unwrap();
        assert_eq!(provided.interpreter.version, "3.11.2");
        assert_eq!(provided.interpreter.source, "distribution");
        let program = PathBuf::from(&provided.interpreter.path);
        let output = std::process::Command::new(&program).output().unwrap();
        assert_eq!(output.stdout, b"eleven\n");
        let usr = program.parent().unwrap().parent().unwrap();
        assert!(usr.join("lib/python3.11/os.py").is_file());
        assert!(usr.join("share/readline/inputrc").is_file(), "what it needs came along");
        assert!(!usr.join("lib/libamdhip64.so.5").exists(), "and nothing else");
        assert_eq!(provided.objects.len(), 4);
        let again = scene.provide(&Dotted::new(3, 11), "3.11.0").unwrap();
        assert_eq!(again, provided);
    }

    #[test]
    fn without_its_package_or_too_old_the_lock_is_to_blame() {
        let scene = Scene::new();
        let message = |series: Dotted, floor| {
            let error = scene.provide(&series, floor).unwrap_err();
            assert_eq!(error.code(), Some("python-not-locked"));
            error.to_string()
        };
        insta::assert_snapshot!(message(Dotted::new(3, 12), "3.12.0"), @"`rocm.lock` has no `python3.12` for this environment");
        insta::assert_snapshot!(message(Dotted::new(3, 11), "3.11.4"), @"`python3.11` is Python 3.11.2, and the lock needs 3.11.4 or newer");
    }

    #[test]
    fn what_the_interpreter_needs_is_followed() {
        let packages = locked();
        let needed = needed(&packages, &Dotted::new(3, 11));
        let expected = [
            "libc6",
            "libpython3.11-stdlib",
            "python3.11",
            "python3.11-minimal",
            "readline-common",
        ];
        assert_eq!(needed.into_iter().collect::<Vec<_>>(), expected);
        assert!(super::needed(&packages, &Dotted::new(3, 12)).is_empty());
    }

    #[test]
    fn a_debian_version_says_pythons() {
        assert_eq!(upstream("3.11.2-6+deb12u8"), "3.11.2");
        assert_eq!(upstream("3.13.0~rc2-1"), "3.13.0rc2");
        assert_eq!(upstream("1:3.14.10"), "3.14.10");
    }

    /// The objects of an environment with an interpreter and a part of ROCm.
    struct Scene {
        _folder: tempfile::TempDir,
        store: Store,
        objects: Vec<Object>,
    }

    impl Scene {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(StoreLayout::new(folder.path()), Vec::new()).unwrap();
            let version = "3.11.2-6+deb12u8";
            let debs = [
                DebBuilder::new("python3.11", version).file("/usr/share/doc/python3.11/x", "x\n"),
                DebBuilder::new("python3.11-minimal", version)
                    .executable("/usr/bin/python3.11", "#!/bin/sh\necho eleven\n"),
                DebBuilder::new("libpython3.11-stdlib", version)
                    .file("/usr/lib/python3.11/os.py", "\n"),
                DebBuilder::new("readline-common", "8.2-1.3")
                    .file("/usr/share/readline/inputrc", "\n"),
                DebBuilder::new("libamdhip64-5", "5.2.3-8")
                    .file("/usr/lib/libamdhip64.so.5", "no ELF\n"),
            ];
            let held = store.in_use().unwrap();
            let objects = debs.iter().map(|deb| object(folder.path(), &held, deb)).collect();
            drop(held);
            Self { _folder: folder, store, objects }
        }

        fn provide(&self, series: &Dotted, floor: &str) -> Result<Provided, InterpreterError> {
            let (packages, floor) = (locked(), floor.parse().unwrap());
            let wanted =
                Wanted { series, floor: &floor, source: PythonSource::Distro, locked: &packages };
            let names = wanted.packages();
            let is_part = |object: &&Object| names.contains(object.manifest.name.as_str());
            let parts: Vec<Object> = self.objects.iter().filter(is_part).cloned().collect();
            unpacked(&self.store.in_use().unwrap(), &wanted, &parts)
        }
    }

    fn object(folder: &Path, store: &InUse<'_>, deb: &DebBuilder) -> Object {
        let built = deb.build();
        let path = folder.join("archive.deb");
        fs_err::write(&path, &built.bytes).unwrap();
        let artifact = Artifact {
            name: built.name.clone(),
            version: built.version.clone(),
            index: IndexName::distribution(),
            kind: ArtifactKind::Deb,
            file: "archive.deb".to_owned(),
            sha256: Some(Sha256::of(&built.bytes)),
            size: None,
        };
        store.ensure(&path, &artifact, &|_| ()).unwrap()
    }

    fn locked() -> Vec<LockedPackage> {
        vec![
            package("python3.11", &["libpython3.11-stdlib", "python3.11-minimal"]),
            package("python3.11-minimal", &["libpython3.11-stdlib"]),
            package("libpython3.11-stdlib", &["readline-common", "python3.11-minimal"]),
            package("readline-common", &["libc6"]),
            package("libamdhip64-5", &["readline-common", "libdrm2"]),
            package("libdrm2", &[]),
        ]
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
