//! gc and the cache: the figures are those of the disk.

use crate::Project;

#[test]
fn old_generations_go_with_what_only_they_held() {
    let project = Project::with_two_generations();
    project.sync("extra = \"*\"");
    project.sync("demo = \"==2.0\"");
    // 1 holds demo 1.0, which no other generation does.
    let before = project.json("gc --keep 1 --dry-run");
    assert_eq!(before["done"], false);
    assert_eq!(before["generations"][0]["generations"], serde_json::json!([1, 2]));
    let used = || project.json("cache size")["objects"].as_u64().expect("bytes");
    let objects = used();
    let said = project.call("gc --keep 1");
    assert_eq!(said.code, 0, "{}", said.snapshot());
    let freed = before["freed-bytes"].as_u64().expect("bytes");
    assert!(freed > 300_000, "{freed}");
    // The generations' own files are part of what is freed.
    let gone = objects - used();
    assert!(gone > 300_000 && gone <= freed, "{gone} {freed}");
    assert_eq!(project.json("gc --keep 1 --dry-run")["freed-bytes"], 0);
    assert_eq!(project.demo(), "2.0");
    assert!(!project.sandbox.exists(".rocmenv/host/generations/1"));
    assert!(project.sandbox.exists(".rocmenv/host/generations/3"));
}

#[test]
fn as_few_generations_go_as_a_size_needs_the_oldest_first() {
    let project = Project::with_two_generations();
    project.sync("extra = \"*\"");
    project.sync("demo = \"==2.0\"");
    let size = |name: &str| project.json("cache size")[name].as_u64().expect("bytes");
    let used = || size("objects") + size("bytecode") + size("pythons");
    let before = used();
    // Only the first holds demo 1.0: it going is enough.
    let plan = project.json(&format!("gc --max-size {} --dry-run", before - 1));
    assert_eq!(plan["generations"][0]["generations"], serde_json::json!([1]));
    assert!(plan["stays-bytes"].as_u64().is_some_and(|stays| stays < before));
    // It is small enough: nothing goes.
    let plan = project.json(&format!("gc --max-size {before} --dry-run"));
    assert_eq!(plan["generations"], serde_json::json!([]));
    assert_eq!(plan["stays-bytes"], before);
    // What runs now and what ran before stay, whatever is asked.
    let said = project.call("gc --max-size 1kB");
    assert_eq!(said.code, 0, "{}", said.snapshot());
    assert!(said.stdout.contains("generations 1, 2 of"), "{}", said.stdout);
    assert!(said.stderr.contains("more than 1.0 kB: generations that are"), "{}", said.stderr);
    let stays = project.json("gc --max-size 1kB --dry-run")["stays-bytes"].clone();
    assert_eq!(stays, used());
    assert_eq!(project.demo(), "2.0");
}

#[test]
fn what_a_gone_project_held_waits_until_it_is_forgotten() {
    let mut project = Project::with_two_generations();
    let folder = project.sandbox.project();
    fs_err::rename(folder.join(".rocmenv"), project.sandbox.path("unmounted")).expect("renamed");
    project.sandbox.filter(r"\d+\.\d [kM]B in \d+ files", "[FREED]");
    project.sandbox.filter(r"\d+ objects, bytecode", "[N] objects, bytecode");
    insta::assert_snapshot!(project.snapshot("gc"), @r"
        exit: 0
        --- stdout ---
        frees 0 B in 0 files
        --- stderr ---
        warning: `[TEMP]/project/.rocmenv` is gone; what 2 generation(s) there hold is kept for 30 more days, in case it comes back: `rocmenv gc --forget [TEMP]/project/.rocmenv` if it does not
        ");
    insta::assert_snapshot!(project.snapshot("gc --forget .rocmenv --dry-run"), @r"
        exit: 0
        --- stdout ---
        would free [FREED]
          what `[TEMP]/project/.rocmenv/host/generations/1` held, which is gone
          what `[TEMP]/project/.rocmenv/host/generations/2` held, which is gone
          [N] objects, bytecode folders and leftovers
        --- stderr ---
        ");
    insta::assert_snapshot!(project.snapshot("gc --forget ."), @r"
        exit: 0
        --- stdout ---
        frees 0 B in 0 files
        --- stderr ---
        warning: `[TEMP]/project/.rocmenv` is gone; what 2 generation(s) there hold is kept for 30 more days, in case it comes back: `rocmenv gc --forget [TEMP]/project/.rocmenv` if it does not
        warning: `[TEMP]/project` is still there, so it is not forgotten
        ");
    assert_eq!(project.call("gc --forget .rocmenv").code, 0);
    assert_eq!(project.json("cache size")["object-count"], 0);
}

#[test]
fn cleaning_the_cache_leaves_the_environment_and_what_is_not_ours() {
    let project = Project::with_two_generations();
    let foreign = project.sandbox.write("../home/cache/rocmenv/mine.txt", "mine");
    let cache = |name: &str| project.sandbox.path("home/cache/rocmenv").join(name);
    assert!(cache("downloads").exists());
    let size = project.json("cache size")["downloads"].as_u64().expect("bytes");
    let would = project.json("cache clean --dry-run")["freed-bytes"].as_u64().expect("bytes");
    assert!(would >= size && size > 0, "{would} {size}");
    assert!(cache("downloads").exists());
    assert_eq!(project.json("cache clean")["freed-bytes"], would);
    assert!(!cache("downloads").exists() && foreign.exists());
    assert_eq!(project.demo(), "2.0");
}
