//! What a plan says that it costs, by what the cache and the store know; and what it then costs.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use fs_err as fs;
use rocmenv_tests::{Index, Sandbox, Sidecars};
use serde_json::Value;

use crate::node::Node;

/// A node whose JAX has a file that is worth sharing, another one in each version.
fn node() -> Node {
    node_on(Index::new("main"))
}

fn node_on(index: Index) -> Node {
    let node = Node::inside(Sandbox::new(), index, "", |wheel, version| {
        let fill = version.as_bytes()[3];
        wheel.file("jax/weights.bin", vec![fill; 300_000])
    });
    // The host is where it has to be, so that one stage is left.
    let firmware = "MI300X\", \"firmware\": { \"pldm\": \"0x01260004\" }";
    node.sandbox.write("ready.json", node.file("rocm.json").replace("MI300X\"", firmware));
    node
}

/// A call in another project of the same user, which has the later release already.
fn later(node: &Node, words: &str) {
    let project = node.file("rocm.toml").replace("7.2", "10.0");
    node.sandbox.write("../later/rocm.toml", project);
    let overlay = node.file("rocm.registry.d/fixture.toml");
    node.sandbox.write("../later/rocm.registry.d/fixture.toml", overlay);
    node.must("ready", &format!("--project ../later {words}"));
}

fn costs(node: &Node) -> String {
    let plan = plan(node);
    format!("stage {:#}\nall   {:#}", plan["stages"][0]["cost"], plan["cost"])
}

fn plan(node: &Node) -> Value {
    let output = node.call("ready", "--offline upgrade --to 10.0 --json");
    let plan: Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(plan["stages"].as_array().map(Vec::len), Some(1), "{plan:#}");
    plan
}

/// The line of a plan that says what its one stage costs, and the line of the whole.
fn lines(node: &Node) -> String {
    let output = node.call("ready", "--offline upgrade --to 10.0");
    let lines = output.stdout.lines();
    let lines: Vec<&str> =
        lines.filter(|line| line.contains("  costs ") || line.starts_with("in all")).collect();
    lines.join("\n")
}

#[test]
fn what_is_known_of_a_stage_is_said_and_no_more() {
    let node = node();
    // No page of the later plugin was ever read here.
    insta::assert_snapshot!(lines(&node), @r"
          costs     download and disk not known (no index page with these builds is in the cache)
        in all: 0 reboots; download not known; disk not known
        ");
    insta::assert_snapshot!(costs(&node), @r#"
        stage {
          "reboots": 0,
          "download": null,
          "disk": null,
          "download-gap": "not-cached",
          "disk-gap": "not-cached"
        }
        all   {
          "driver-only": 0,
          "unknown": 0,
          "reboots": 0,
          "stages": 1,
          "unsized-stages": 1,
          "download": 0,
          "unsized-disk-stages": 1,
          "disk": 0
        }
        "#);
    // Pages and metadata, but no file.
    later(&node, "lock");
    insta::assert_snapshot!(lines(&node), @r"
          costs     download 4.5 kB; disk 302.1 kB
        in all: 0 reboots; download 4.5 kB; disk 302.1 kB
        ");
    insta::assert_snapshot!(costs(&node), @r#"
        stage {
          "reboots": 0,
          "download": 4501,
          "disk": 302117
        }
        all   {
          "driver-only": 0,
          "unknown": 0,
          "reboots": 0,
          "stages": 1,
          "unsized-stages": 0,
          "download": 4501,
          "unsized-disk-stages": 0,
          "disk": 302117
        }
        "#);
    // Pages alone: what the wheels need and unpack to is not known.
    let (metadata, aside) = ("home/cache/rocmenv/metadata", "home/aside");
    let moved = |from: &str, to: &str| fs::rename(node.sandbox.path(from), node.sandbox.path(to));
    moved(metadata, aside).expect("moved");
    insta::assert_snapshot!(lines(&node), @r"
          costs     download at least 1.0 kB (the frameworks' own wheels); disk not known (what the files unpack to was not read)
        in all: 0 reboots; download at least 1.0 kB; disk not known
        ");
    insta::assert_snapshot!(costs(&node), @r#"
        stage {
          "reboots": 0,
          "download": null,
          "disk": null,
          "download-at-least": {
            "bytes": 1048,
            "of": "frameworks"
          },
          "disk-gap": "not-read"
        }
        all   {
          "driver-only": 0,
          "unknown": 0,
          "reboots": 0,
          "stages": 1,
          "unsized-stages": 1,
          "download": 1048,
          "unsized-disk-stages": 1,
          "disk": 0
        }
        "#);
    // The wheels are in the store, and nobody knows what else they need.
    later(&node, "sync");
    insta::assert_snapshot!(lines(&node), @r"
          costs     download and disk not known (the frameworks' own wheels are here)
        in all: 0 reboots; download not known; disk not known
        ");
    // Everything that it needs is.
    moved(aside, metadata).expect("moved");
    insta::assert_snapshot!(lines(&node), @r"
          costs     download 0 B (all is here); disk 0 B (in the store)
        in all: 0 reboots; download 0 B; disk 0 B
        ");
    insta::assert_snapshot!(costs(&node), @r#"
        stage {
          "reboots": 0,
          "download": 0,
          "disk": 0
        }
        all   {
          "driver-only": 0,
          "unknown": 0,
          "reboots": 0,
          "stages": 1,
          "unsized-stages": 0,
          "download": 0,
          "unsized-disk-stages": 0,
          "disk": 0
        }
        "#);
    // Downloads alone: what they unpack to stands in them.
    fs::remove_dir_all(node.sandbox.path("home/data/rocmenv/store/v1/objects")).expect("removed");
    insta::assert_snapshot!(lines(&node), @r"
          costs     download 0 B (all is here); disk 302.5 kB
        in all: 0 reboots; download 0 B; disk 302.5 kB
        ");
}

#[test]
fn an_index_without_sizes_gives_those_of_wheels_whose_end_was_read() {
    let cost = |index: Index| {
        let node = node_on(index.without_sizes());
        later(&node, "lock");
        lines(&node)
    };
    insta::assert_snapshot!(cost(Index::new("main")), @r"
          costs     download 4.5 kB; disk 302.1 kB
        in all: 0 reboots; download 4.5 kB; disk 302.1 kB
        ");
    insta::assert_snapshot!(cost(Index::new("main").sidecars(Sidecars::Some)), @r"
          costs     download at least 2.6 kB (3 of 5 files); disk at least 301.2 kB (3 of 5 files)
        in all: 0 reboots; download at least 2.6 kB; disk at least 301.2 kB
        ");
    insta::assert_snapshot!(cost(Index::new("main").sidecars(Sidecars::Advertised)), @r"
          costs     download and disk not known (no size is known of 4 of 5 files)
        in all: 0 reboots; download not known; disk not known
        ");
}

/// Bytes of the finished downloads.
fn downloads(node: &Node) -> u64 {
    let folder = node.sandbox.path("home/cache/rocmenv/downloads");
    let entries = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("one"));
    let finished = entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    let paths: Vec<_> = finished.map(|entry| entry.path()).collect();
    let paths: Vec<&Path> = paths.iter().map(std::path::PathBuf::as_path).collect();
    inodes(&paths).values().map(|(bytes, _)| bytes).sum()
}

/// Bytes of what lies beside the trees of objects, as far as it is among `files`.
fn lists(objects: &Path, files: &BTreeMap<u64, (u64, u64)>) -> u64 {
    let mut sum = 0;
    for object in fs::read_dir(objects).expect("a folder") {
        let object = object.expect("one").path();
        for name in ["manifest", "sealed", "native"] {
            if let Ok(metadata) = fs::metadata(object.join(name))
                && files.contains_key(&metadata.ino())
            {
                sum += metadata.len();
            }
        }
    }
    sum
}

/// Files of some folders by their inodes, with bytes and bytes on the disk.
fn inodes(folders: &[&Path]) -> BTreeMap<u64, (u64, u64)> {
    let mut found = BTreeMap::new();
    let mut open: Vec<_> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    while let Some(path) = open.pop() {
        let metadata = fs::symlink_metadata(&path).expect("there");
        if metadata.is_dir() {
            open.extend(
                fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("one").path()),
            );
        } else {
            found.insert(metadata.ino(), (metadata.len(), metadata.blocks() * 512));
        }
    }
    found
}

#[test]
fn the_disk_gets_what_the_plan_said() {
    let node = node();
    later(&node, "lock");
    let cost = plan(&node)["stages"][0]["cost"].clone();
    let (download, disk) = (cost["download"].as_u64(), cost["disk"].as_u64());
    let store = node.sandbox.path("home/data/rocmenv/store/v1");
    let (objects, files) = (store.join("objects"), store.join("files"));
    let measured = |what: &str| {
        let output = node.call("ready", "cache size --json");
        let size: Value = serde_json::from_str(&output.stdout).expect("JSON");
        size[what].as_u64().expect("a number")
    };
    let before = inodes(&[&objects, &files]);
    let (objects_before, downloads_before) = (measured("objects"), downloads(&node));
    node.must("ready", "upgrade --to 10.0 --apply --yes");
    assert_eq!(Some(downloads(&node) - downloads_before), download, "what came is what was said");
    // Every file of the new objects counts once, with the name that it has among the shared ones.
    let mut after = inodes(&[&objects, &files]);
    after.retain(|inode, _| !before.contains_key(inode));
    let (bytes, blocks) = after.values().fold((0, 0), |sum, file| (sum.0 + file.0, sum.1 + file.1));
    // Beside the files of the wheels an object has the list of them, and its mark.
    let lists = lists(&objects, &after);
    assert_eq!(Some(bytes - lists), disk, "the files are what was said");
    // `cache size` counts blocks, and so the lists and what each file fills up of its last block.
    assert_eq!(measured("objects") - objects_before, blocks);
    assert!(blocks >= bytes, "{blocks} {bytes}");
}
