//! Objects: made once, whole, shared where that is worth it.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use fs_err as fs;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_store::object::{ObjectError, damaged_files, touched_files};

use crate::support::{
    Sandbox, Tarred, Wheel, artifact, deb_of, gzip, paths_below, tar_of, xz, zstd,
};

#[test]
fn a_package_is_laid_out_under_usr_whatever_its_compression() {
    use Tarred::{File, Folder, Symlink};
    let data = tar_of(&[
        Folder("./"),
        Folder("./lib/"),
        Folder("./lib/x86_64-linux-gnu/"),
        File("./lib/x86_64-linux-gnu/libx.so.1", b"elf", 0o644),
        Folder("./usr/lib/x86_64-linux-gnu/"),
        Symlink("./usr/lib/x86_64-linux-gnu/libx.so", "/lib/x86_64-linux-gnu/libx.so.1"),
        Symlink("./usr/bin/tool", "../../etc/alternatives/tool"),
        File("./usr/bin/program", b"#!/bin/sh\n", 0o755),
    ]);
    for data in [gzip(&data), xz(&data), zstd(&data), data.clone()] {
        let sandbox = Sandbox::new();
        let store = sandbox.store.in_use().unwrap();
        let object = sandbox.object(&store, ArtifactKind::Deb, "libx", &deb_of(&data));
        let tree = object.layout.tree();
        assert_eq!(
            paths_below(&tree),
            [
                "usr/bin/program",
                "usr/bin/tool",
                "usr/lib/x86_64-linux-gnu/libx.so",
                "usr/lib/x86_64-linux-gnu/libx.so.1"
            ]
        );
        let library = fs::read(tree.join("usr/lib/x86_64-linux-gnu/libx.so")).unwrap();
        assert_eq!(library, b"elf");
        let mode = fs::metadata(tree.join("usr/bin/program")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o555);
    }
    assert!(!std::path::Path::new("/tmp/rocmenv-maintainer-script-ran").exists());
}

#[test]
fn a_wheel_that_is_not_what_its_record_says_is_no_object() {
    let said = |wheel: Wheel| {
        let sandbox = Sandbox::new();
        let store = sandbox.store.in_use().unwrap();
        let bytes = wheel.bytes();
        let (path, artifact) = sandbox.archive(ArtifactKind::Wheel, "a", "a.whl", &bytes);
        let error = match store.ensure(&path, &artifact, &|_| ()).map(|o| o.manifest.notes.clone())
        {
            Ok(notes) => format!("made, with notes {notes:?}"),
            Err(ObjectError::Wheel { source, .. }) => source.to_string(),
            Err(error) => error.to_string(),
        };
        let made = store.find(&artifact.sha256.unwrap()).unwrap().is_some();
        assert_eq!(made, error.starts_with("made"));
        assert_eq!(paths_below(&store.layout().staging()), [""; 0]);
        error
    };
    let wheel = || Wheel::new("a").file("a.py", "x = 1\n");
    let said = [
        said(wheel().record("a.py,sha256=AAAA,6\na-1.0.dist-info/RECORD,,\n")),
        said(wheel().record("a.py,md5=AAAA,6\na-1.0.dist-info/RECORD,,\n")),
        said(wheel().record("a.py,,7\na-1.0.dist-info/RECORD,,\n")),
        said(wheel().record("a.py\n")),
        said(wheel().record("a.py,,\nb.py,,\n")),
        said(wheel().file("b-1.0.dist-info/WHEEL", "")),
        said(Wheel::new("a").file("a.dist-info-not/x", "")),
    ];
    insta::assert_snapshot!(said.join("\n"), @r#"
    `a.py` is not the file that RECORD says: sha256 nia_NpkRxFwkPGhBR7I_yeHc_PJX0pmhxjIBam_NM_Q instead of AAAA
    RECORD gives a `md5` digest of `a.py`, which proves nothing
    `a.py` is not the file that RECORD says: 6 bytes instead of 7
    its `RECORD` cannot be read: row 1: not three fields
    made, with notes ["RECORD does not list `a-1.0.dist-info/METADATA`", "RECORD does not list `a-1.0.dist-info/WHEEL`", "RECORD lists `b.py`, which is not there"]
    it has 2 `.dist-info` folders instead of one
    made, with notes []
    "#);
}

#[test]
fn large_equal_files_share_an_inode_and_small_ones_do_not() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let large = vec![7; 100_000];
    let wheel = |name: &str, mode| {
        let (big, small) = (format!("{name}/big.so"), format!("{name}/small.py"));
        Wheel::new(name).file_with(&big, &large, mode).file(&small, "x = 1\n")
    };
    let inode = |name: &str, mode, file: &str| {
        let object = sandbox.wheel(&store, &wheel(name, mode));
        fs::metadata(object.layout.tree().join(name).join(file)).unwrap().ino()
    };
    assert_eq!(inode("a", 0o644, "big.so"), inode("b", 0o644, "big.so"));
    assert_ne!(inode("a", 0o644, "small.py"), inode("b", 0o644, "small.py"));
    assert_ne!(inode("a", 0o644, "big.so"), inode("c", 0o755, "big.so"));
}

#[test]
fn a_shared_file_that_was_written_to_infects_no_other_object() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let large = vec![7; 100_000];
    let first = sandbox.wheel(&store, &Wheel::new("a").file_with("a.so", &large, 0o644));
    let path = first.layout.tree().join("a.so");
    let mode = fs::metadata(&path).unwrap().permissions();
    fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    fs::write(&path, vec![8; 100_000]).unwrap();
    fs::set_permissions(&path, mode).unwrap();
    let second = sandbox.wheel(&store, &Wheel::new("b").file_with("b.so", &large, 0o644));
    assert_eq!(fs::read(second.layout.tree().join("b.so")).unwrap(), large);
    assert_eq!(damaged_files(&second.layout, &second.manifest), []);
    let said = |found: Vec<rocmenv_store::object::Damage>| format!("{found:?}");
    assert_eq!(
        said(damaged_files(&first.layout, &first.manifest)),
        "[Damage { path: \"a.so\", kind: Content }]"
    );
    assert_eq!(
        said(touched_files(&first.layout, &first.manifest)),
        "[Damage { path: \"a.so\", kind: Touched }]"
    );
    assert_eq!(touched_files(&second.layout, &second.manifest), []);
    // The remedy: away with it, and made anew it shares the good file.
    store.discard(&first.digest).unwrap();
    assert!(store.find(&first.digest).unwrap().is_none());
    let first = sandbox.wheel(&store, &Wheel::new("a").file_with("a.so", &large, 0o644));
    assert_eq!(damaged_files(&first.layout, &first.manifest), []);
}

#[test]
fn an_unsealed_object_that_is_torn_is_made_again() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let wheel = Wheel::new("a").file("a.py", "x = 1\n");
    let object = sandbox.wheel(&store, &wheel);
    assert!(!object.is_sealed());
    // As after a power cut: the name is there, the bytes are not.
    let path = object.layout.tree().join("a.py");
    fs::remove_file(&path).unwrap();
    fs::write(&path, "").unwrap();
    assert!(store.find(&object.digest).unwrap().is_none());
    let again = sandbox.wheel(&store, &wheel);
    assert_eq!(fs::read_to_string(&path).unwrap(), "x = 1\n");
    store.seal(std::slice::from_ref(&again)).unwrap();
    assert!(store.find(&again.digest).unwrap().is_some_and(|object| object.is_sealed()));
}

#[test]
fn threads_that_want_the_same_object_all_get_it() {
    let sandbox = Sandbox::new();
    let files = (0..50).map(|at| (format!("a/m{at}.py"), format!("x = {at}\n")));
    let wheel = files.fold(Wheel::new("a"), |wheel, (path, text)| wheel.file(&path, &text));
    let (path, artifact) = sandbox.archive(ArtifactKind::Wheel, "a", "a.whl", &wheel.bytes());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let store = sandbox.store.in_use().unwrap();
                let object = store.ensure(&path, &artifact, &|_| ()).unwrap();
                assert_eq!(damaged_files(&object.layout, &object.manifest), []);
            });
        }
    });
    assert_eq!(fs::read_dir(sandbox.store.layout().objects()).unwrap().count(), 1);
}

#[test]
fn a_gap_of_the_lock_cannot_be_an_object() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let mut artifact = artifact(ArtifactKind::Wheel, "a", "a.whl", b"");
    artifact.sha256 = None;
    let error = store.ensure(&sandbox.path("none"), &artifact, &|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "`a.whl` has no digest yet, so it cannot be kept by digest");
}
