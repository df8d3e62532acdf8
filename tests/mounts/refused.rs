//! Disks that refuse: full, read-only, rotten. The old environment runs, and with a disk that does
//! its work again everything goes on.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::process::Command;

use fs_err as fs;
use rocmenv_tests::{Disk, FileSystem, mounts};

use crate::kinds::Place;
use crate::models::{MARK, Models};

#[test]
fn a_disk_that_fills_up_at_any_step_loses_nothing() {
    if !mounts("a_disk_that_fills_up_at_any_step_loses_nothing") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let disk = Disk::memory(32 << 10, &folder.path().join("disk"));
    let models = Models::inside(disk.at());
    models.must("first", "sync -q");
    models.ask("first", "2.0");
    let (mut refused, mut megabytes) = (0, disk.used() >> 20);
    loop {
        megabytes += 1;
        assert!(megabytes < 64, "it never ends");
        disk.remount(&format!("size={megabytes}m"));
        let synced = models.call("first", "sync");
        if synced.code == 0 {
            break;
        }
        refused += 1;
        let named = synced.stderr.contains("error[disk-full]: ");
        assert!(synced.code == 1 && named, "{megabytes} MiB: {}", synced.snapshot());
        assert_eq!(models.runs("first"), "1.0");
        models.must("first", "verify files --deep");
    }
    assert!(refused > 3, "{refused}");
    assert_eq!(models.runs("first"), "2.0");
    models.must("first", "verify files --deep");
}

#[test]
fn a_disk_that_becomes_read_only_is_read_on() {
    if !mounts("a_disk_that_becomes_read_only_is_read_on") {
        return;
    }
    let place = Place::of(FileSystem::Ext4);
    let mut models = Models::inside(place.disk.at());
    models.must("first", "sync -q");
    models.must("second", "lock -q");
    place.disk.remount("ro");
    assert_eq!(models.runs("first"), "1.0");
    for words in ["status", "generations", "verify files --deep", "cache size", "sync --locked"] {
        models.must("first", words);
    }
    for words in ["sync --locked", "gc"] {
        let said = models.call("second", words);
        assert_eq!(said.code, 1, "{words}: {}", said.snapshot());
        assert!(said.stderr.contains("the file system is read-only"), "{}", said.snapshot());
    }
    // A store on it serves as a layer for a project on another disk.
    let other = Place::of(FileSystem::Ext4);
    let at = |name: &str| other.disk.at().join(name).display().to_string();
    let layer = models.sandbox.path("home/data/rocmenv").display().to_string();
    models.sandbox.env("ROCMENV_LAYERS", &layer).env("TMPDIR", &at(""));
    models.sandbox.env("ROCMENV_DATA", &at("data")).env("ROCMENV_CACHE", &at("cache"));
    fs::create_dir(at("project")).expect("made");
    for name in ["rocm.toml", "rocm.lock"] {
        let text = models.sandbox.read(&format!("second/{name}"));
        fs::write(other.disk.at().join("project").join(name), text).expect("written");
    }
    let links = models.links(&at("project"));
    assert_eq!(links.keys().collect::<Vec<_>>(), ["symlink"], "{links:?}");
    assert_eq!(models.runs(&at("project")), "1.0");
    for name in ["ROCMENV_LAYERS", "ROCMENV_DATA", "ROCMENV_CACHE"] {
        models.sandbox.remove_env(name);
    }
    place.disk.remount("rw");
    models.must("second", "sync -q --locked");
    assert_eq!(models.runs("second"), "1.0");
}

/// Btrfs has checksums: what has rotted is not read at all, by nobody.
#[test]
fn what_has_rotted_is_found_and_stops_nobody_else() {
    if !mounts("what_has_rotted_is_found_and_stops_nobody_else") {
        return;
    }
    let mut place = Place::of(FileSystem::Btrfs);
    let models = Models::inside(place.disk.at());
    models.must("first", "sync -q");
    let (image, at) = (place.folder.path().join("disk.img"), place.disk.at().to_owned());
    place.disk.unmount();
    rot(&image);
    place.disk = Disk::of(FileSystem::Btrfs, &image, &at);
    assert!(fs::read(models.weights("first")).is_err(), "the disk reads what has rotted");
    let said = models.call("first", "verify files --deep");
    assert!(
        said.code == 1 && said.stdout.contains("weights.bin: unreadable"),
        "{}",
        said.snapshot()
    );
    // Another package with this file makes it anew for itself and for all who come after it.
    models.sandbox.write("second/rocm.toml", "[python-packages]\ntwin = \"*\"\n");
    models.must("second", "sync -q");
    models.must("second", "verify files --deep");
    // Once nothing holds the rotten object it goes, and comes back whole.
    fs::remove_dir_all(models.sandbox.project().join("first/.rocmenv")).expect("removed");
    models.must("first", "gc --forget .rocmenv");
    models.must("first", "sync -q");
    models.must("first", "verify files --deep");
    assert_eq!(models.runs("first"), "1.0");
}

/// Changes what the weights begin with, wherever the disk has them.
fn rot(image: &std::path::Path) {
    let words = ["--only-matching", "--byte-offset", "--text", "--fixed-strings", MARK];
    let found = Command::new("grep").args(words).arg(image).output().expect("grep runs");
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    let mut file = fs::OpenOptions::new().write(true).open(image).expect("the image is there");
    let places = found.lines().filter_map(|line| line.split(':').next()?.parse().ok());
    let mut count = 0;
    for place in places {
        file.seek(SeekFrom::Start(place)).expect("a place");
        file.write_all(b"ROT").expect("written");
        count += 1;
    }
    assert!(count > 0, "the weights are on the disk");
}
