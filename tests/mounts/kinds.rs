//! What each kind of file system gives an environment: which links, at what cost, and what is said.

use std::io::Write as _;

use fs_err as fs;
use rocmenv_tests::{Disk, FileSystem, mounts};
use tempfile::TempDir;

use crate::models::{Models, WEIGHTS};

/// A disk of its own for one test.
pub(crate) struct Place {
    pub(crate) disk: Disk,
    pub(crate) folder: TempDir,
}

impl Place {
    pub(crate) fn of(file_system: FileSystem) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let at = |name: &str| folder.path().join(name);
        let megabytes = if file_system == FileSystem::Ext4 { 128 } else { 512 };
        let disk = Disk::make(file_system, &at("disk.img"), megabytes, &at("disk"));
        Self { disk, folder }
    }
}

/// What docs/disks.md says, past the harness's capture.
fn figure(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn links_cost_next_to_nothing(file_system: FileSystem, mode: &str) {
    let place = Place::of(file_system);
    let models = Models::inside(place.disk.at());
    let said = models.must("first", "sync --verbose");
    assert!(said.stderr.contains(&format!(" by {mode}\n")), "{}", said.snapshot());
    assert!(!said.stderr.contains("another file system"), "{}", said.snapshot());
    let before = place.disk.used();
    let links = models.links("second");
    assert_eq!(links.keys().collect::<Vec<_>>(), [mode], "{links:?}");
    let grown = place.disk.used().saturating_sub(before);
    figure(&format!("{}, {mode}: a second project takes {grown} bytes", file_system.name()));
    assert!(grown < WEIGHTS / 4, "the second project takes {grown} bytes");
    // What the store takes is on the disk once, whoever shares its blocks.
    let size = models.json("second", "cache size");
    let stored = ["objects", "bytecode", "downloads"].map(|of| size[of].as_u64().expect("bytes"));
    let whole: u64 = stored.iter().sum();
    assert!(whole > 2 * WEIGHTS && whole < place.disk.used(), "{size} {}", place.disk.used());
    models.must("second", "verify files --deep");
    // What is removed from one environment is in the others.
    let weights = models.weights("second");
    fs::remove_file(&weights).expect("removed");
    models.must("first", "verify files --deep");
    assert_eq!(models.runs("first"), "1.0");
}

#[test]
fn btrfs_gives_reflinks_that_cost_next_to_nothing() {
    if mounts("btrfs_gives_reflinks_that_cost_next_to_nothing") {
        links_cost_next_to_nothing(FileSystem::Btrfs, "reflink");
    }
}

#[test]
fn ext4_gives_hard_links_that_cost_next_to_nothing() {
    if mounts("ext4_gives_hard_links_that_cost_next_to_nothing") {
        links_cost_next_to_nothing(FileSystem::Ext4, "hardlink");
    }
}

#[test]
fn xfs_gives_reflinks_that_cost_next_to_nothing() {
    if mounts("xfs_gives_reflinks_that_cost_next_to_nothing") {
        links_cost_next_to_nothing(FileSystem::Xfs, "reflink");
    }
}

#[test]
fn gc_says_what_becomes_free_where_blocks_are_shared() {
    if !mounts("gc_says_what_becomes_free_where_blocks_are_shared") {
        return;
    }
    let place = Place::of(FileSystem::Btrfs);
    let models = Models::inside(place.disk.at());
    for version in ["1.0", "2.0", "3.0"] {
        models.ask("first", version);
        models.must("first", "sync -q");
    }
    let before = place.disk.used();
    let freed = models.json("first", "gc --keep 1")["freed-bytes"].as_u64().expect("bytes");
    let really = before.saturating_sub(place.disk.used());
    figure(&format!("btrfs, reflink: gc said {freed} bytes, df {really}"));
    let apart = freed.abs_diff(really);
    assert!(apart < WEIGHTS / 4, "said {freed}, and {really} are free");
}

/// Links do not cross disks: everything is copied, which is said with what would help.
#[test]
fn a_store_on_another_disk_is_copied_from() {
    if !mounts("a_store_on_another_disk_is_copied_from") {
        return;
    }
    let (store, project) = (Place::of(FileSystem::Ext4), Place::of(FileSystem::Btrfs));
    let mut models = Models::inside(project.disk.at());
    let data = store.disk.at().join("data");
    models.sandbox.env("ROCMENV_DATA", &data.display().to_string());
    let said = models.must("first", "sync --verbose");
    assert!(said.stderr.contains(" by copy\n"), "{}", said.snapshot());
    assert!(said.stderr.contains("another file system than the project"), "{}", said.snapshot());
    assert!(store.disk.used() > WEIGHTS);
    let before = project.disk.used();
    let links = models.links("third");
    assert_eq!(links.keys().collect::<Vec<_>>(), ["copy"], "{links:?}");
    let grown = project.disk.used().saturating_sub(before);
    figure(&format!("ext4 and btrfs, copy: a second project takes {grown} bytes"));
    assert!(grown > WEIGHTS && grown < 2 * WEIGHTS, "{grown} bytes");
    models.must("first", "verify files --deep");
    assert_eq!(models.runs("first"), "1.0");
    // One store a disk: with one here nothing is copied.
    let here = project.disk.at().join("here");
    models.sandbox.env("ROCMENV_STORES", &here.display().to_string());
    let links = models.links("second");
    assert_eq!(links.keys().collect::<Vec<_>>(), ["reflink"], "{links:?}");
}

/// Linux lets nobody make a hard link to another's file; a reflink needs only that it may be read.
#[test]
fn another_user_reflinks_a_layer_of_his_disk_and_links_to_one_of_another() {
    if !mounts("another_user_reflinks_a_layer_of_his_disk_and_links_to_one_of_another") {
        return;
    }
    let (here, there) = (Place::of(FileSystem::Btrfs), Place::of(FileSystem::Ext4));
    for (place, mode) in [(&here, "reflink"), (&there, "symlink")] {
        let mut models = Models::inside(here.disk.at());
        let layer = place.disk.at().join(format!("layer-{mode}"));
        let layer = layer.display().to_string();
        models.sandbox.env("ROCMENV_DATA", &layer);
        models.must("first", "sync -q");
        models.sandbox.remove_env("ROCMENV_DATA").env("ROCMENV_LAYERS", &layer);
        for folder in [here.folder.path(), there.folder.path()] {
            open(folder);
        }
        models.becomes_nobody();
        let before = here.disk.used();
        let links = models.links("second");
        assert_eq!(links.keys().collect::<Vec<_>>(), [mode], "{links:?}");
        let grown = here.disk.used().saturating_sub(before);
        figure(&format!("layer of another user, {mode}: a project takes {grown} bytes"));
        assert!(grown < WEIGHTS / 4, "{mode}: {grown} bytes");
        assert_eq!(models.runs("second"), "1.0");
        models.must("second", "verify files --deep");
    }
}

fn open(folder: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).expect("opened");
}

/// An image of a container holds store and project; what happens in it is kept above.
#[test]
fn a_container_goes_on_from_the_store_in_its_image() {
    if !mounts("a_container_goes_on_from_the_store_in_its_image") {
        return;
    }
    let place = Place::of(FileSystem::Ext4);
    let at = |name: &str| place.disk.at().join(name);
    for name in ["root", "image", "above", "work"] {
        fs::create_dir(at(name)).expect("made");
    }
    // Paths inside stay the same: what is built in the folder becomes the image below it.
    let built = Disk::overlay(&at("root"), &at("image"), &at("work"), &at("root"));
    let models = Models::inside(built.at());
    models.must("first", "sync -q");
    built.unmount();
    fs::create_dir(at("work-above")).expect("made");
    let running = Disk::overlay(&at("image"), &at("above"), &at("work-above"), &at("root"));
    assert_eq!(models.runs("first"), "1.0");
    models.must("first", "sync -q --offline --locked");
    models.must("first", "verify files --deep");
    let before = running.used();
    // A link to a file of the image copies it up, as a copy would; it is not fetched again.
    let links = models.links("second");
    assert_eq!(links.keys().collect::<Vec<_>>(), ["hardlink"], "{links:?}");
    let grown = running.used().saturating_sub(before);
    figure(&format!("overlayfs, hard link: the first project above takes {grown} bytes"));
    assert!(grown < 2 * WEIGHTS, "{grown} bytes");
    let before = running.used();
    models.links("third");
    let grown = running.used().saturating_sub(before);
    figure(&format!("overlayfs, hard link: the next one takes {grown} bytes"));
    assert!(grown < WEIGHTS / 4, "what is above is linked: {grown} bytes");
    models.must("second", "verify files --deep");
    assert_eq!(models.runs("second"), "1.0");
    models.must("second", "gc");
    assert_eq!((models.runs("first"), models.runs("third")), ("1.0".into(), "1.0".into()));
    drop(models);
}
