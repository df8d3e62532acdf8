//! Collecting: what nothing holds goes, and the figures are the true ones.

use std::path::PathBuf;

use fs_err as fs;
use rocmenv_store::gc::{Collector, Freed, GcOptions, execute, usage};
use rocmenv_store::generation::EnvWriter;
use rocmenv_store::layout::{EnvLayout, downloads};

use crate::support::{Sandbox, Wheel};

const DAY: u64 = 24 * 60 * 60;

fn options(day: u64) -> GcOptions {
    GcOptions { now: day * DAY, forget: vec![], without: vec![] }
}

/// Free bytes as the file system itself counts them.
fn blocks(root: &std::path::Path) -> u64 {
    let output =
        std::process::Command::new("du").args(["-s", "-B1", "--"]).arg(root).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_whitespace().next().unwrap().parse().unwrap()
}

fn sync(sandbox: &Sandbox, env: &EnvLayout, wheels: &[Wheel]) {
    let store = sandbox.store.in_use().unwrap();
    let objects = wheels.iter().map(|wheel| sandbox.wheel(&store, wheel)).collect();
    let writer = EnvWriter::lock(env.clone()).unwrap();
    let new = writer.begin(store.layout()).unwrap();
    new.build(&store, &Sandbox::request(objects), &|_| ()).unwrap();
    writer.switch(new.number()).unwrap();
}

fn large(name: &str, fill: u8) -> Wheel {
    Wheel::new(name).file_with(&format!("{name}.so"), &vec![fill; 300_000], 0o644)
}

#[test]
fn only_what_no_generation_holds_goes_and_the_figure_is_what_the_disk_says() {
    let sandbox = Sandbox::new();
    sync(&sandbox, &sandbox.env(), &[large("kept", 1)]);
    {
        let store = sandbox.store.in_use().unwrap();
        // Shares its large file with `kept`: removing it frees only the small ones.
        sandbox.wheel(&store, &large("twin", 1));
        sandbox.wheel(&store, &large("dead", 2));
    }
    let collector = Collector::lock(sandbox.store.layout().clone()).unwrap();
    let plan = collector.plan(&options(1)).unwrap();
    assert_eq!((plan.folders.len(), plan.files.len()), (2, 1));
    assert!(plan.freed.bytes >= 300_000 && plan.freed.bytes < 400_000, "{:?}", plan.freed);
    assert_eq!(plan, collector.plan(&options(1)).unwrap(), "planning changes nothing");

    let root = sandbox.store.layout().root().to_owned();
    let (before, folders) = (blocks(&root), folder_blocks(&plan.folders));
    execute(&collector, &plan).unwrap();
    assert_eq!(before - blocks(&root), plan.freed.bytes + folders);
    let rest = collector.plan(&options(1)).unwrap();
    assert_eq!((rest.folders.len(), rest.freed), (0, Freed::default()));
    assert_eq!(fs::read_dir(sandbox.store.layout().objects()).unwrap().count(), 1);
}

/// Blocks of the folders themselves, which the figure leaves out.
fn folder_blocks(folders: &[PathBuf]) -> u64 {
    let count = |path: &PathBuf| {
        let output = std::process::Command::new("find")
            .arg(path)
            .args(["-type", "d", "-printf", "%b\n"])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| line.parse::<u64>().unwrap() * 512).sum::<u64>()
    };
    folders.iter().map(count).sum()
}

#[test]
fn files_that_a_removed_project_still_links_are_not_counted_as_freed() {
    let sandbox = Sandbox::new();
    sync(&sandbox, &sandbox.env(), &[large("a", 1)]);
    // The root is forgotten by hand while the generation lives: its links keep the inodes.
    for root in fs::read_dir(sandbox.store.layout().roots()).unwrap() {
        fs::remove_file(root.unwrap().path()).unwrap();
    }
    let collector = Collector::lock(sandbox.store.layout().clone()).unwrap();
    let plan = collector.plan(&options(1)).unwrap();
    assert!(plan.freed.bytes < 100_000, "{:?}", plan.freed);
    execute(&collector, &plan).unwrap();
    let env = sandbox.env().generation(1).env();
    let module = crate::support::paths_below(&env).into_iter().find(|path| path.ends_with("a.so"));
    assert_eq!(fs::read(env.join(module.unwrap())).unwrap(), vec![1; 300_000]);
}

#[test]
fn a_missing_project_counts_for_thirty_days_unless_it_is_forgotten() {
    let sandbox = Sandbox::new();
    sync(&sandbox, &sandbox.env(), &[large("a", 1)]);
    fs::rename(sandbox.path("project"), sandbox.path("unmounted")).unwrap();
    let collector = Collector::lock(sandbox.store.layout().clone()).unwrap();
    let at = |day: u64| collector.plan(&options(day)).unwrap();
    let first = at(100);
    assert_eq!((first.folders.len(), first.waiting.len(), first.waiting[0].1), (0, 1, 30 * DAY));
    execute(&collector, &first).unwrap();
    assert_eq!(at(129).folders.len(), 0);
    assert_eq!(at(130).folders.len(), 1);
    let project = fs::canonicalize(sandbox.folder.path()).unwrap().join("project");
    let forgetful = GcOptions { forget: vec![project], ..options(101) };
    assert_eq!(collector.plan(&forgetful).unwrap().folders.len(), 1);
    // It comes back: the waiting is over.
    fs::rename(sandbox.path("unmounted"), sandbox.path("project")).unwrap();
    execute(&collector, &at(120)).unwrap();
    fs::rename(sandbox.path("project"), sandbox.path("unmounted")).unwrap();
    assert_eq!(at(150).folders.len(), 0);
    execute(&collector, &at(150)).unwrap();
    let last = at(180);
    assert_eq!((last.folders.len(), last.roots.len()), (1, 1));
    execute(&collector, &last).unwrap();
    // The shared file still has a name in the project, wherever that is; then no more.
    assert_eq!(at(181).files.len(), 0);
    fs::remove_dir_all(sandbox.path("unmounted")).unwrap();
    assert_eq!((at(181).files.len(), at(181).freed.files), (1, 1));
}

#[test]
fn a_generation_that_goes_with_it_frees_what_only_it_held() {
    let sandbox = Sandbox::new();
    sync(&sandbox, &sandbox.env(), &[large("a", 1)]);
    sync(&sandbox, &sandbox.env(), &[large("b", 2)]);
    let old = fs::canonicalize(sandbox.env().generation(1).root()).unwrap();
    let options = GcOptions { without: vec![old], ..options(1) };
    let root = fs::canonicalize(sandbox.folder.path()).unwrap();
    let writer = EnvWriter::lock(sandbox.env()).unwrap();
    let collector = Collector::lock(sandbox.store.layout().clone()).unwrap();
    let plan = collector.plan(&options).unwrap();
    assert_eq!((plan.folders.len(), plan.files.len()), (1, 1));
    let before = file_blocks(&root);
    writer.remove(sandbox.store.layout(), &[1]).unwrap();
    execute(&collector, &plan).unwrap();
    // The root's own little file goes, too.
    let freed = before - file_blocks(&root);
    assert!(freed >= plan.freed.bytes && freed <= plan.freed.bytes + 4096, "{freed} {plan:?}");
}

/// Blocks of all files below a folder, each inode once.
fn file_blocks(root: &std::path::Path) -> u64 {
    let mut seen = std::collections::BTreeMap::new();
    for path in crate::support::paths_below(root) {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = fs::symlink_metadata(root.join(path)).unwrap();
        seen.insert(metadata.ino(), metadata.blocks() * 512);
    }
    seen.values().sum()
}

#[test]
fn sizes_count_every_inode_once() {
    let sandbox = Sandbox::new();
    let cache = sandbox.path("cache");
    fs::create_dir_all(downloads(&cache)).unwrap();
    fs::write(downloads(&cache).join("x.whl"), vec![0; 50_000]).unwrap();
    fs::write(cache.join("page"), vec![0; 10_000]).unwrap();
    sync(&sandbox, &sandbox.env(), &[large("a", 1), large("b", 1)]);
    let layout = sandbox.store.layout().clone();
    let usage = usage(&[layout.clone(), layout], &cache).unwrap();
    let [first, again] = usage.stores[..] else { panic!("{usage:?}") };
    assert_eq!(first.object_count, 2);
    assert!(first.objects > 300_000 && first.objects < 400_000, "{usage:?}");
    assert_eq!((again.object_count, again.objects), (2, 0), "nothing counts twice");
    assert!(usage.downloads >= 50_000 && usage.cache >= usage.downloads + 10_000, "{usage:?}");
}
