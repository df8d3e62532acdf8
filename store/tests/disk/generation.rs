//! Generations: numbers, switching, leftovers, retention, moving.

use fs_err as fs;
use rocmenv_store::generation::{
    EnvWriter, GenerationError, VenvLink, current, generations_in_use, list, moved_from,
    point_venv_at, previous, read,
};

use crate::support::{Sandbox, Wheel};

/// Makes a generation and switches to it; its number.
fn sync(sandbox: &Sandbox, module: &str) -> u32 {
    let store = sandbox.store.in_use().unwrap();
    let wheel = sandbox.wheel(&store, &Wheel::new("pkg").file("pkg.py", module));
    let writer = EnvWriter::lock(sandbox.env()).unwrap();
    let new = writer.begin(store.layout()).unwrap();
    new.build(&store, &Sandbox::request(vec![wheel]), &|_| ()).unwrap();
    writer.switch(new.number()).unwrap();
    new.number()
}

fn numbers(sandbox: &Sandbox) -> Vec<u32> {
    list(&sandbox.env()).unwrap().iter().map(|listed| listed.record.number).collect()
}

#[test]
fn numbers_grow_and_are_never_used_twice() {
    let sandbox = Sandbox::new();
    assert_eq!(current(&sandbox.env()).unwrap(), None);
    assert_eq!([sync(&sandbox, "1"), sync(&sandbox, "2"), sync(&sandbox, "3")], [1, 2, 3]);
    let writer = EnvWriter::lock(sandbox.env()).unwrap();
    writer.switch(1).unwrap();
    assert_eq!(previous(&sandbox.env()).unwrap(), Some(3));
    writer.remove(sandbox.store.layout(), &[2, 3]).unwrap();
    drop(writer);
    assert_eq!(sync(&sandbox, "4"), 4);
    assert_eq!(numbers(&sandbox), [1, 4]);
}

#[test]
fn a_half_built_generation_is_not_seen_and_goes_with_the_next() {
    let sandbox = Sandbox::new();
    sync(&sandbox, "1");
    let dead = {
        let writer = EnvWriter::lock(sandbox.env()).unwrap();
        writer.begin(sandbox.store.layout()).unwrap()
    };
    assert_eq!(dead.number(), 2);
    let writer = EnvWriter::lock(sandbox.env()).unwrap();
    assert!(matches!(writer.switch(2), Err(GenerationError::Unknown(2))));
    drop(writer);
    assert_eq!(numbers(&sandbox), [1]);
    assert_eq!(sync(&sandbox, "3"), 3);
    assert!(!dead.place().root().exists());
}

#[test]
fn the_current_the_previous_the_pinned_and_the_used_stay() {
    let sandbox = Sandbox::new();
    for at in 1..=7 {
        sync(&sandbox, &at.to_string());
    }
    let writer = EnvWriter::lock(sandbox.env()).unwrap();
    writer.pin(1).unwrap();
    writer.switch(3).unwrap();
    assert_eq!(writer.removable(2, &[4]).unwrap(), [2, 5]);
    writer.unpin(1).unwrap();
    let going = writer.removable(2, &[4]).unwrap();
    assert_eq!(going, [1, 2, 5]);
    writer.remove(sandbox.store.layout(), &going).unwrap();
    // The current one is not removed even when told to.
    writer.remove(sandbox.store.layout(), &[3]).unwrap();
    assert_eq!(numbers(&sandbox), [3, 4, 6, 7]);
    assert_eq!(fs::read_dir(sandbox.store.layout().roots()).unwrap().count(), 4);
}

#[test]
fn a_process_that_runs_from_a_generation_is_known() {
    let sandbox = Sandbox::new();
    sync(&sandbox, "1");
    sync(&sandbox, "2");
    let python = sandbox.env().generation(1).env().join("bin/python");
    let python = fs::canonicalize(python.parent().unwrap()).unwrap().join("python");
    let mut child = std::process::Command::new(python)
        .args(["-c", "import time; time.sleep(60)"])
        .spawn()
        .unwrap();
    let found = generations_in_use(&sandbox.env(), "/proc".as_ref());
    for at in 3..=5 {
        sync(&sandbox, &at.to_string());
    }
    let retire = || {
        let writer = EnvWriter::lock(sandbox.env()).unwrap();
        writer.retire(sandbox.store.layout(), 1, "/proc".as_ref()).unwrap()
    };
    let retired = retire();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!((found, retired), (vec![1], vec![2, 3]));
    assert_eq!(retire(), [1]);
    assert_eq!(generations_in_use(&sandbox.env(), "/proc".as_ref()), [0; 0]);
}

#[test]
fn a_moved_project_is_known_as_such() {
    let sandbox = Sandbox::new();
    sync(&sandbox, "1");
    let place = sandbox.env().generation(1);
    assert_eq!(moved_from(&read(&place).unwrap(), &place), None);
    let before = fs::canonicalize(place.root()).unwrap();
    fs::rename(sandbox.path("project"), sandbox.path("elsewhere")).unwrap();
    let there = rocmenv_store::layout::GenerationLayout::at(
        sandbox.path("elsewhere/.rocmenv/host/generations/1"),
    );
    assert_eq!(moved_from(&read(&there).unwrap(), &there), Some(before));
}

#[test]
fn the_venv_link_follows_and_leaves_what_is_not_ours() {
    let sandbox = Sandbox::new();
    sync(&sandbox, "1");
    sync(&sandbox, "2");
    let env = sandbox.env();
    assert_eq!(point_venv_at(&env, 1).unwrap(), VenvLink::Made);
    assert_eq!(point_venv_at(&env, 1).unwrap(), VenvLink::Unchanged);
    assert_eq!(point_venv_at(&env, 2).unwrap(), VenvLink::Made);
    assert!(sandbox.path("project/.venv/pyvenv.cfg").exists());
    fs::remove_file(env.venv_link()).unwrap();
    fs::create_dir(env.venv_link()).unwrap();
    assert_eq!(point_venv_at(&env, 2).unwrap(), VenvLink::Foreign);
}

#[test]
fn a_record_of_a_newer_version_is_refused_with_that_reason() {
    let sandbox = Sandbox::new();
    sync(&sandbox, "1");
    let place = sandbox.env().generation(1);
    fs::write(place.record(), "{\"format\": 9, \"something\": \"else\"}").unwrap();
    let said = read(&place).unwrap_err().to_string();
    assert!(said.ends_with("generation.json` has format 9, and only format 1 is known"), "{said}");
}
