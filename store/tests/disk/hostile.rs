//! Archives that mean harm: each is refused, by the name of the entry.

use std::error::Error as _;
use std::path::Path;

use proptest::prelude::*;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_store::object::policy_for;
use rocmenv_store::unpack::{
    Limits, Names, Policy, Strip, UnpackError, unpack_deb, unpack_tarball, unpack_zip,
};

use crate::support::{Sandbox, Tarred, deb_of, gzip, paths_below, tar_of, xz, zip_of, zstd};

/// What is said when a tarball is unpacked, with its causes.
fn tarball(names: Names, entries: &[Tarred<'_>]) -> String {
    let policy = Policy { limits: Limits::default(), names, strip: Strip::Nothing };
    refused(&tar_of(entries), |archive, root| {
        unpack_tarball(archive, root, &policy, &|_| ()).map(drop)
    })
}

fn zip(files: &[(&str, &str, u32)]) -> String {
    let files: Vec<_> = files
        .iter()
        .map(|(path, content, mode)| ((*path).to_owned(), content.as_bytes().to_vec(), *mode))
        .collect();
    zip_bytes(&zip_of(&files))
}

fn zip_bytes(bytes: &[u8]) -> String {
    refused(bytes, |archive, root| {
        unpack_zip(archive, root, &policy_for(ArtifactKind::Wheel), &|_| ()).map(drop)
    })
}

fn refused(bytes: &[u8], unpack: impl FnOnce(&Path, &Path) -> Result<(), UnpackError>) -> String {
    let sandbox = Sandbox::new();
    let (archive, _) = sandbox.archive(ArtifactKind::Tarball, "x", "x.archive", bytes);
    let outside = sandbox.path("outside");
    let root = sandbox.path("deep/er/root");
    fs_err::create_dir_all(root.parent().unwrap()).unwrap();
    let said = match unpack(&archive, &root) {
        Ok(()) => "unpacked".to_owned(),
        Err(error) => match error.source() {
            Some(cause) => format!("{error}: {cause}"),
            None => error.to_string(),
        },
    };
    assert!(!outside.exists(), "something was written outside");
    let strays = paths_below(&sandbox.path("deep"));
    assert!(strays.iter().all(|path| path.starts_with("er/root/")), "{strays:?}");
    said
}

#[test]
fn tarballs_are_refused_by_name() {
    use Tarred::{Device, File, Folder, HardLink, Symlink};
    let said = [
        tarball(Names::Linux, &[File("/etc/passwd", b"x", 0o644)]),
        tarball(Names::Linux, &[File("../../../outside", b"x", 0o644)]),
        tarball(Names::Linux, &[File("a/../../outside", b"x", 0o644)]),
        tarball(Names::Linux, &[Symlink("a", "../../outside")]),
        tarball(Names::Linux, &[Symlink("a", "/etc")]),
        tarball(Names::Linux, &[Folder("d"), Symlink("a", "d"), File("a/x", b"x", 0o644)]),
        tarball(Names::Linux, &[HardLink("a", "../../outside")]),
        tarball(Names::Linux, &[HardLink("a", "b")]),
        tarball(Names::Linux, &[Device("null")]),
        tarball(Names::Linux, &[File("su", b"x", 0o4755)]),
        tarball(Names::Linux, &[File("sg", b"x", 0o2755)]),
        tarball(Names::Linux, &[File("a", b"x", 0o644), File("./a", b"y", 0o644)]),
        tarball(Names::Linux, &[File("a", b"x", 0o644), File("a/b", b"y", 0o644)]),
        tarball(Names::Portable, &[File("d/Read", b"", 0o644), File("d/read", b"", 0o644)]),
        tarball(Names::Portable, &[File("D/x", b"", 0o644), File("d/y", b"", 0o644)]),
        tarball(Names::Portable, &[File("a/aux.h", b"", 0o644)]),
        tarball(Names::Portable, &[File("C:\\x", b"", 0o644)]),
    ];
    insta::assert_snapshot!(said.join("\n"), @r"
    the archive is refused because of its entry `/etc/passwd`, which has an absolute path
    the archive is refused because of its entry `../../../outside`, which leaves its tree through `..`
    the archive is refused because of its entry `a/../../outside`, which leaves its tree through `..`
    the archive is refused because of its entry `a`, which is a link out of its tree, to `../../outside`
    the archive is refused because of its entry `a`, which is a link out of its tree, to `/etc`
    the archive is refused because of its entry `a/x`, which lies below `a`, which is no folder
    the archive is refused because of its entry `../../outside`, which leaves its tree through `..`
    the archive is refused because of its entry `a`, which is a hard link to `b`, which is no file before it
    the archive is refused because of its entry `null`, which is a device, a pipe or a socket
    the archive is refused because of its entry `su`, which is a file with the setuid or setgid bit
    the archive is refused because of its entry `sg`, which is a file with the setuid or setgid bit
    the archive is refused because of its entry `a`, which is there twice
    the archive is refused because of its entry `a/b`, which lies below `a`, which is no folder
    the archive is refused because of its entry `d/read`, which differs from `d/Read` by case alone
    the archive is refused because of its entry `d`, which differs from `D` by case alone
    the archive is refused because of its entry `a/aux.h`, which has a name that Windows cannot hold
    the archive is refused because of its entry `C:\x`, which has a name that Windows cannot hold
    ");
}

#[test]
fn what_is_no_harm_is_unpacked() {
    use Tarred::{File, Folder, HardLink, Symlink};
    let entries = [
        Folder("./"),
        Folder("./lib"),
        File("./lib/libx.so.1", b"elf", 0o755),
        Symlink("./lib/libx.so", "libx.so.1"),
        Symlink("./bin", "lib/../lib"),
        HardLink("./lib/again", "lib/libx.so.1"),
        File("./man/Foo::Bar.3pm", b"", 0o644),
        Folder("./lib"),
    ];
    assert_eq!(tarball(Names::Linux, &entries), "unpacked");
}

#[test]
fn zips_are_refused_by_name() {
    let said = [
        zip(&[("../outside", "x", 0o644)]),
        zip(&[("/etc/passwd", "x", 0o644)]),
        zip(&[("a\\b", "x", 0o644)]),
        zip(&[("link", "/etc/passwd", 0o120_777)]),
        zip(&[("su", "x", 0o104_755)]),
        zip(&[("A.py", "x", 0o644), ("a.py", "y", 0o644)]),
        zip(&[("a", "x", 0o644), ("a/b", "y", 0o644)]),
        zip(&[("nul.txt", "x", 0o644)]),
    ];
    insta::assert_snapshot!(said.join("\n"), @r"
    the archive is refused because of its entry `../outside`, which leaves its tree through `..`
    the archive is refused because of its entry `/etc/passwd`, which has an absolute path
    the archive is refused because of its entry `a\b`, which has a name that Windows cannot hold
    the archive is refused because of its entry `link`, which is a link, which this kind of archive may not contain
    unpacked
    the archive is refused because of its entry `a.py`, which differs from `A.py` by case alone
    the archive is refused because of its entry `a/b`, which lies below `a`, which is no folder
    the archive is refused because of its entry `nul.txt`, which has a name that Windows cannot hold
    ");
}

#[test]
fn a_zip_that_says_two_things_is_refused() {
    let files = |names: &[&str]| {
        let files: Vec<_> =
            names.iter().map(|name| ((*name).to_owned(), b"content".to_vec(), 0o644)).collect();
        zip_of(&files)
    };
    let patch = |bytes: &[u8], from: &[u8], to: &[u8], which: usize| {
        let found: Vec<_> =
            (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
        let mut bytes = bytes.to_vec();
        bytes[found[which]..found[which] + to.len()].copy_from_slice(to);
        bytes
    };
    let plain = files(&["good.py", "same.py"]);
    let mut wrong_crc = plain.clone();
    let central = plain.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    let local = plain.windows(4).position(|window| window == b"PK\x03\x04").unwrap();
    for at in [central + 16, local + 14] {
        wrong_crc[at] ^= 1;
    }
    let said = [
        // The local header has another name than the directory.
        zip_bytes(&patch(&plain, b"good.py", b"evil.py", 0)),
        // The directory has one name twice.
        zip_bytes(&patch(&plain, b"good.py", b"same.py", 1)),
        zip_bytes(&wrong_crc),
        zip_bytes(&plain[..plain.len() - 30]),
        zip_bytes(b"PK\x03\x04 this is no zip archive"),
    ];
    insta::assert_snapshot!(said.join("\n"), @r"
    the zip archive is damaged: invalid Zip archive: header inconsistency detected: Local file header filename mismatch (does not match central directory)
    the archive is refused because of its entry `same.py`, which is there twice
    the archive is damaged: good.py: Invalid checksum
    the zip archive is damaged: invalid Zip archive: Could not find EOCD
    the zip archive is damaged: invalid Zip archive: Could not find EOCD
    ");
}

#[test]
fn bombs_are_refused_before_they_fill_the_disk() {
    let zeros = vec![0; 1 << 20];
    let limits = Limits { bytes: 1 << 30, entries: 3, ratio: 10, free_bytes: 1024 };
    let policy = |limits| Policy { limits, names: Names::Linux, strip: Strip::Nothing };
    let with = |limits, bytes: &[u8]| {
        refused(bytes, |archive, root| {
            unpack_tarball(archive, root, &policy(limits), &|_| ()).map(drop)
        })
    };
    let bomb = tar_of(&[Tarred::File("zeros", &zeros, 0o644)]);
    let many: Vec<_> = ["a", "b", "c", "d"].map(|name| Tarred::File(name, b"", 0o644)).into();
    let said = [
        with(limits, &gzip(&bomb)),
        with(limits, &xz(&bomb)),
        with(limits, &zstd(&bomb)),
        with(Limits { bytes: 1000, ratio: 1_000_000, ..limits }, &gzip(&bomb)),
        with(limits, &tar_of(&many)),
    ];
    insta::assert_snapshot!(said.join("\n"), @r"
    the archive is refused because of its entry `zeros`, which makes the content more than 10 times as large as the archive
    the archive is refused because of its entry `zeros`, which makes the content more than 10 times as large as the archive
    the archive is refused because of its entry `zeros`, which makes the content more than 10 times as large as the archive
    the archive is refused because of its entry `zeros`, which makes the content larger than 1000 bytes
    the archive is refused because of its entry `d`, which is one more than the 3 entries that are allowed
    ");
}

#[test]
fn a_package_may_not_leave_its_root_either() {
    use Tarred::{File, Folder, Symlink};
    let policy = policy_for(ArtifactKind::Deb);
    let deb = |entries: &[Tarred<'_>]| {
        refused(&deb_of(&tar_of(entries)), |archive, root| {
            unpack_deb(archive, root, &policy, &|_| ()).map(drop)
        })
    };
    let said = [
        deb(&[Folder("./"), File("./../../outside", b"x", 0o644)]),
        deb(&[Symlink("./usr/x", "../../outside")]),
        deb(&[Symlink("./usr/x", "/../outside")]),
        refused(b"!<arch>\nnonsense", |archive, root| {
            unpack_deb(archive, root, &policy, &|_| ()).map(drop)
        }),
        deb(&[File("./usr/bin/sudo", b"x", 0o4755)]),
    ];
    insta::assert_snapshot!(said.join("\n"), @r"
    the archive is refused because of its entry `./../../outside`, which leaves its tree through `..`
    the archive is refused because of its entry `./usr/x`, which is a link out of its tree, to `../../outside`
    the archive is refused because of its entry `./usr/x`, which is a link out of its tree, to `/../outside`
    the archive is damaged: its ar members: unexpected EOF in the middle of archive entry header
    the archive is refused because of its entry `usr/bin/sudo`, which is a file with the setuid or setgid bit
    ");
}

#[derive(Debug, Clone)]
enum Made {
    File(String),
    Folder(String),
    Symlink(String, String),
    HardLink(String, String),
}

fn entries() -> impl Strategy<Value = Vec<Made>> {
    // Few parts, so that names meet each other.
    let name = || {
        let part = prop::sample::select(vec!["a", "b", "l", ".", "..", ""]);
        prop::collection::vec(part, 1..5).prop_map(|parts| parts.join("/"))
    };
    let entry = prop_oneof![
        name().prop_map(Made::File),
        name().prop_map(Made::Folder),
        (name(), name()).prop_map(|(path, target)| Made::Symlink(path, target)),
        (name(), name()).prop_map(|(path, target)| Made::HardLink(path, target)),
    ];
    prop::collection::vec(entry, 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Whatever the names, nothing is written outside, and no link that was made leads outside.
    #[test]
    fn no_archive_leaves_its_tree(entries in entries()) {
        let tarred: Vec<Tarred<'_>> = entries
            .iter()
            .map(|made| match made {
                Made::File(path) => Tarred::File(path, b"x", 0o644),
                Made::Folder(path) => Tarred::Folder(path),
                Made::Symlink(path, target) => Tarred::Symlink(path, target),
                Made::HardLink(path, target) => Tarred::HardLink(path, target),
            })
            .collect();
        let sandbox = Sandbox::new();
        let (archive, _) =
            sandbox.archive(ArtifactKind::Tarball, "x", "x.tar", &tar_of(&tarred));
        let before = paths_below(sandbox.folder.path());
        let root = sandbox.path("deep/er/root");
        fs_err::create_dir_all(&root).unwrap();
        let policy = policy_for(ArtifactKind::Tarball);
        let unpacked = unpack_tarball(&archive, &root, &policy, &|_| ());
        let outside: Vec<_> = paths_below(sandbox.folder.path())
            .into_iter()
            .filter(|path| !path.starts_with("deep/er/root/"))
            .collect();
        prop_assert_eq!(before, outside);
        let real = fs_err::canonicalize(&root).unwrap();
        for path in paths_below(&root) {
            if let Ok(end) = fs_err::canonicalize(root.join(&path)) {
                prop_assert!(end.starts_with(&real), "{} leads to {}", path, end.display());
            }
        }
        if let Ok(listed) = unpacked {
            for entry in listed {
                prop_assert!(root.join(&entry.path).symlink_metadata().is_ok());
            }
        }
    }
}
