//! Copies with other search paths: whose they are, who makes them, and what stays as it is.

use std::path::{Path, PathBuf};
use std::process::Command;

use fs_err as fs;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_store::environment::{Built, EnvSpec, build};
use rocmenv_store::generation::EnvWriter;
use rocmenv_store::layout::{GenerationLayout, StoreLayout};
use rocmenv_store::object::{InUse, Object, Store};

use crate::support::{Sandbox, Tarred, deb_of, tar_of};

/// A library that needs `low`; `words` are for the compiler.
fn library(folder: &Path, words: &[&str]) -> Vec<u8> {
    let cc = |output: &str, code: &str, words: &[&str]| {
        fs::write(folder.join("x.c"), code).unwrap();
        let mut command = Command::new("cc");
        command.current_dir(folder).args(["-shared", "-fPIC", "x.c", "-o", output, "-L."]);
        let said = command.args(words).output().unwrap();
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        fs::read(folder.join(output)).unwrap()
    };
    cc("liblow.so.1", "int low() { return 7; }", &["-Wl,-soname,liblow.so.1"]);
    cc(
        "libhigh.so.1",
        "int low(); int high() { return low(); }",
        &[&["-Wl,-soname,libhigh.so.1", "-l:liblow.so.1"], words].concat(),
    )
}

/// Two packages: one library each, in one folder.
fn packages(sandbox: &Sandbox, store: &InUse<'_>, words: &[&str]) -> Vec<Object> {
    let folder = sandbox.path("archives");
    let high = library(&folder, words);
    let low = fs::read(folder.join("liblow.so.1")).unwrap();
    [("low", low), ("high", high)]
        .map(|(name, bytes)| {
            let path = format!("./usr/lib/lib{name}.so.1");
            let archive = deb_of(&tar_of(&[Tarred::File(&path, &bytes, 0o644)]));
            sandbox.object(store, ArtifactKind::Deb, name, &archive)
        })
        .to_vec()
}

fn built(store: &InUse<'_>, place: PathBuf, spec: &EnvSpec) -> Built {
    fs::create_dir(&place).unwrap();
    build(store, &GenerationLayout::at(place), spec, &|_| ()).unwrap()
}

/// The objects and keys of a store's copies.
fn kept(store: &StoreLayout) -> usize {
    fs::read_dir(store.rewritten()).unwrap().count()
}

#[test]
fn copies_of_a_layer_are_used_and_none_are_made() {
    let sandbox = Sandbox::new();
    {
        let store = sandbox.store.in_use().unwrap();
        let mut request = Sandbox::request(packages(&sandbox, &store, &[]));
        request.spec.python = None;
        let writer = EnvWriter::lock(sandbox.env()).unwrap();
        let new = writer.begin(store.layout()).unwrap();
        let record = new.build(&store, &request, &|_| ()).unwrap();
        assert_eq!(record.rewritten.len(), 1);
        assert_eq!(record.rewritten[0].object, request.spec.objects[1].digest);
    }
    let layer = sandbox.store.layout().clone();
    let own = Store::open(StoreLayout::new(&sandbox.path("own")), vec![layer]).unwrap();
    let store = own.in_use().unwrap();
    let objects = packages(&sandbox, &store, &[]);
    let spec = EnvSpec { objects, ..EnvSpec::default() };
    let built = built(&store, sandbox.path("generation"), &spec);
    assert_eq!(built.rewritten.len(), 1);
    assert!(built.rewritten[0].object.foreign);
    assert_eq!(kept(own.layout()), 0);
}

#[test]
fn another_prefix_takes_the_same_copies_or_files_as_they_came() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let objects = packages(&sandbox, &store, &[]);
    let spec = EnvSpec { objects: objects.clone(), ..EnvSpec::default() };
    let first = built(&store, sandbox.path("1"), &spec);
    let second = built(&store, sandbox.path("2"), &spec);
    assert_eq!(first.rewritten[0].key, second.rewritten[0].key);
    let source = objects[1].layout.tree().join("usr/lib/libhigh.so.1");
    let linked =
        |number: &str| fs::read(sandbox.path(number).join("rocm/usr/lib/libhigh.so.1")).unwrap();
    assert_ne!(linked("1"), fs::read(&source).unwrap());
    // Without the library that it needs there is nothing to lead to.
    let alone = EnvSpec { objects: objects[1..].to_vec(), ..EnvSpec::default() };
    assert!(built(&store, sandbox.path("3"), &alone).rewritten.is_empty());
    assert_eq!(linked("3"), fs::read(&source).unwrap());
    let windows = EnvSpec { system: OsFamily::Windows, ..spec };
    assert!(built(&store, sandbox.path("4"), &windows).rewritten.is_empty());
}

#[test]
fn what_cannot_be_changed_stays_as_it_came_and_is_not_tried_again() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let objects = packages(&sandbox, &store, &["-Wl,--spare-dynamic-tags=1"]);
    let spec = EnvSpec { objects: objects.clone(), ..EnvSpec::default() };
    let built = built(&store, sandbox.path("generation"), &spec);
    let manifest = &built.rewritten[0].object.manifest;
    assert_eq!(manifest.entries, []);
    assert_eq!(
        manifest.notes,
        ["usr/lib/libhigh.so.1: its dynamic section has no room for a path"]
    );
    let source = objects[1].layout.tree().join("usr/lib/libhigh.so.1");
    let linked = sandbox.path("generation/rocm/usr/lib/libhigh.so.1");
    assert_eq!(fs::read(linked).unwrap(), fs::read(source).unwrap());
    // The variable is there for it.
    assert!(built.activation.to_text().contains("prepend LD_LIBRARY_PATH"));
}

#[test]
fn a_torn_copy_is_made_anew() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let spec = EnvSpec { objects: packages(&sandbox, &store, &[]), ..EnvSpec::default() };
    let first = built(&store, sandbox.path("1"), &spec);
    let copy = first.rewritten[0].object.layout.tree().join("usr/lib/libhigh.so.1");
    let whole = fs::read(&copy).unwrap();
    // Nothing was flushed yet, so that a power cut may leave this.
    fs::remove_file(&copy).unwrap();
    fs::write(&copy, &whole[..100]).unwrap();
    built(&store, sandbox.path("2"), &spec);
    assert_eq!(fs::read(copy).unwrap(), whole);
}
