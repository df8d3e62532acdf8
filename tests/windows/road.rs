//! From nothing to a running program, and back.

use insta::assert_snapshot;

use super::Desk;

#[test]
fn init_makes_a_project() {
    let Some(desk) = Desk::new("init_makes_a_project") else { return };
    fs_err::remove_file(desk.wine.project("rocm.toml")).unwrap();
    assert_snapshot!(desk.snapshot("init --name desk --python 3.12 --package greet"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        made `[TEMP]\project\rocm.toml`
        next: rocmenv lock && rocmenv sync
        ");
    desk.wine.must("sync");
    assert!(desk.wine.rocmenv("run greet").run().stdout.starts_with("hello"));
}

#[test]
fn lock_sync_and_run() {
    let Some(desk) = Desk::new("lock_sync_and_run") else { return };
    assert_snapshot!(desk.snapshot("lock"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 2 packages for `host`: Python 3.12
         + greet 1.0
         + words 1.1
        ");
    assert_snapshot!(desk.snapshot("sync"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
         + greet 1.0
         + words 1.1
        made generation 1 for `host`: 2 packages on Python 3.12.7 (host)
        ");
    assert_snapshot!(desk.snapshot("sync"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        `host` is up to date: generation 1
        ");
    // 300: more than a code of Unix can be; what arrives on this side of Wine are its low bits
    assert_snapshot!(desk.snapshot("run greet one --two"), @r"
        exit: 44
        --- stdout ---
        hello
        one
        --two
        --- stderr ---
        ");
    assert_eq!(desk.words(), "1.1");
    for file in ["env/Scripts/python.exe", "env/Scripts/greet.exe", "env/Scripts/greet-script.py"] {
        assert!(desk.generation(1, file).is_file(), "{file}");
    }
    let record = desk.generation(1, "env/Lib/site-packages/greet-1.0.dist-info/RECORD");
    let record = fs_err::read_to_string(record).unwrap();
    assert!(record.contains("../../Scripts/greet.exe,sha256="), "{record}");
}

#[test]
fn files_are_linked_into_the_environment() {
    let Some(desk) = Desk::new("files_are_linked_into_the_environment") else { return };
    desk.wine.must("sync");
    let record = fs_err::read_to_string(desk.generation(1, "generation.json")).unwrap();
    assert!(record.contains("\"hardlink\""), "{record}");
    let status = desk.wine.must("status").stdout;
    assert!(!status.contains("written to"), "{status}");
    let verified = desk.wine.rocmenv("verify").run();
    assert_eq!(verified.code, 0, "{}", verified.snapshot());
}

#[test]
fn a_generation_is_made_and_left_again() {
    let Some(desk) = Desk::new("a_generation_is_made_and_left_again") else { return };
    desk.ask("words = \"==1.0\"");
    desk.wine.must("sync");
    desk.ask("words = \"==1.1\"");
    desk.wine.must("sync");
    assert_eq!(desk.words(), "1.1");
    assert_snapshot!(desk.snapshot("rollback"), @r"
        exit: 0
        --- stdout ---
         ~ words 1.1 -> 1.0
        --- stderr ---
        generation 1 is current, 2 was
        rocm.toml and rocm.lock were left as they are; `sync` waits for `rocmenv rollback --files` or `rocmenv sync --unpin`
        ");
    assert_eq!(desk.words(), "1.0");
    let generations = desk.wine.must("generations").stdout;
    assert_eq!(generations.lines().count(), 3, "{generations}");
    desk.wine.must("sync --unpin");
    assert_eq!(desk.words(), "1.1");
}

#[test]
fn gc_removes_what_nothing_holds() {
    let Some(desk) = Desk::new("gc_removes_what_nothing_holds") else { return };
    for version in ["1.0", "1.1", "1.0"] {
        desk.ask(&format!("words = \"=={version}\""));
        desk.wine.must("sync");
    }
    let kept = desk.wine.project("../data/store/v1/files");
    // Contents of packages; the launcher, which nothing here needs, goes.
    let shared = || {
        let names = fs_err::read_dir(&kept).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| !name.to_string_lossy().ends_with("-x")).count()
    };
    let before = shared();
    assert_snapshot!(desk.snapshot("gc --keep 1"), @r"
        exit: 0
        --- stdout ---
        frees [SIZE] in 13 files
          generations 1 of `[TEMP]\project\.rocmenv\host`
        --- stderr ---
        ");
    assert!(!desk.generation(1, "").exists(), "the oldest goes");
    assert!(desk.generation(2, "").exists(), "the one before the current stays");
    // Names on this file system are counted as on Windows: what is linked is not freed.
    assert_eq!(shared(), before, "both contents are still in environments");
    assert_eq!(desk.words(), "1.0");
}

#[test]
fn an_environment_that_moved_is_told_and_made_anew() {
    let Some(desk) = Desk::new("an_environment_that_moved_is_told_and_made_anew") else { return };
    desk.wine.must("sync");
    let there = desk.wine.project("../project-moved");
    fs_err::rename(desk.wine.project(""), &there).unwrap();
    fs_err::create_dir(desk.wine.project("")).unwrap();
    let ran = desk.wine.rocmenv("--project ..\\project-moved run greet").run();
    assert_eq!(ran.code, 3, "{}", ran.snapshot());
    assert_eq!(desk.wine.rocmenv("--project ..\\project-moved sync --offline").run().code, 0);
    let ran = desk.wine.rocmenv("--project ..\\project-moved run greet").run();
    assert!(ran.stdout.starts_with("hello"), "{}", ran.snapshot());
}

#[test]
fn no_link_is_claimed_that_was_not_made() {
    let Some(desk) = Desk::new("no_link_is_claimed_that_was_not_made") else { return };
    desk.wine.must("sync");
    // Wine makes no junctions: `.venv` is left out, and nothing half-made stays.
    assert!(desk.wine.project(".venv").symlink_metadata().is_err());
    assert!(desk.wine.project(".rocmenv/host/.venv-new").symlink_metadata().is_err());
}

#[test]
fn the_index_is_the_one_of_the_pip_that_is_there() {
    let test = "the_index_is_the_one_of_the_pip_that_is_there";
    let Some(mut desk) = Desk::new(test) else { return };
    let index = desk.server.path("/main/");
    let models = desk.wine.project("../python/Lib/site-packages/pip/_internal/models");
    fs_err::create_dir_all(&models).unwrap();
    let source = format!("PyPI = PackageIndex(\n    \"{index}\", file_storage_domain=\"x\"\n)\n");
    fs_err::write(models.join("index.py"), source).unwrap();
    for name in ["ROCMENV_INDEX_URL", "PIP_CONFIG_FILE", "UV_NO_CONFIG"] {
        desk.wine.sandbox().remove_env(name);
    }
    desk.wine.must("lock");
}
