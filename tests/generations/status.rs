//! What no longer agrees is said with the command that mends it.

use fs_err as fs;

use crate::Project;

#[test]
fn a_fresh_environment_agrees_with_everything() {
    let project = Project::with_two_generations();
    insta::assert_snapshot!(project.snapshot("status"), @r"
        exit: 0
        --- stdout ---
        project      p in `[TEMP]/project`
        lock         up to date (host)
        environment  `host`: generation 2 of [TIME], 2 packages
        python       [PYTHON] (host), `[INTERPRETER]`
        verified     not yet: rocmenv verify
        registry     registry of [DATE]
        --- stderr ---
        ");
}

#[test]
fn the_last_verification_is_remembered_with_its_generation() {
    let project = Project::with_two_generations();
    assert_eq!(project.call("verify host").code, 0);
    assert!(project.json("status")["environment"]["verified"].is_null());
    assert_eq!(project.call("verify --deep").code, 0);
    let verified = &project.json("status")["environment"]["verified"];
    assert_eq!((&verified["passed"], &verified["deep"]), (&true.into(), &true.into()));
    assert_eq!(project.call("rollback").code, 0);
    assert!(project.json("status")["environment"]["verified"].is_null());
}

#[test]
fn nothing_locked_and_nothing_made_is_said() {
    let project = Project::new();
    project.ask("demo = \"*\"", "");
    insta::assert_snapshot!(project.snapshot("status"), @r"
        exit: 0
        --- stdout ---
        project      p in `[TEMP]/project`
        lock         none: rocmenv lock
        environment  none yet: rocmenv sync
        registry     registry of [DATE]
        --- stderr ---
        ");
}

#[test]
fn what_was_put_in_taken_out_and_written_to_is_found() {
    let project = Project::with_two_generations();
    let site = project.site_packages(2);
    let package = |name: &str, version: &str| {
        let info = site.join(format!("{name}-{version}.dist-info"));
        fs::create_dir(&info).expect("a folder");
        let metadata = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n");
        fs::write(info.join("METADATA"), metadata).expect("written");
        fs::write(info.join("INSTALLER"), "pip\n").expect("written");
        fs::write(info.join("RECORD"), format!("{name}/__init__.py,,\n")).expect("written");
    };
    package("requests", "2.32.0");
    fs::remove_dir_all(site.join("extra-0.1.dist-info")).expect("removed");
    package("extra", "9.0");
    fs::remove_dir_all(site.join("demo-2.0.dist-info")).expect("removed");
    fs::write(site.join("notes.txt"), "x").expect("written");
    // As root, a write goes through the link into the store.
    let weights = site.join("demo/weights.bin");
    fs::set_permissions(&weights, std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .expect("changed");
    fs::write(&weights, "short").expect("written");
    insta::assert_snapshot!(project.snapshot("status"), @r"
        exit: 0
        --- stdout ---
        project      p in `[TEMP]/project`
        lock         up to date (host)
        environment  `host`: generation 2 of [TIME], 2 packages
        python       [PYTHON] (host), `[INTERPRETER]`
        verified     not yet: rocmenv verify
        registry     registry of [DATE]
        ! extra 9.0 was installed by pip in the place of the locked 0.1: rocmenv sync --discard
        ! requests 2.32.0 was installed by pip and is not locked: rocmenv add requests
        ! demo 2.0 is locked and was taken out: rocmenv sync --repair
        ! `[TEMP]/project/.rocmenv/host/generations/2/env/lib/python[SERIES]/site-packages/demo` belongs to no package
        ! `[TEMP]/project/.rocmenv/host/generations/2/env/lib/python[SERIES]/site-packages/notes.txt` belongs to no package
        ! files of demo were written to since they were installed (`demo/weights.bin`): rocmenv sync --repair
        --- stderr ---
        ");
}

#[test]
fn a_newer_rocm_toml_a_rollback_and_another_host_are_found() {
    let project = Project::with_two_generations();
    assert_eq!(project.call("rollback").code, 0);
    project.ask("demo = \"==2.0\"", "");
    let host = project.sandbox.write(
        "other.json",
        r#"{"schema": 1, "os": {"family": "linux"}, "arch": "aarch64", "gpus": [],
            "kernel": {"release": "6.14.0-5-generic"},
            "driver": {"flavour": "dkms", "dkms": [
                {"version": "6.16.6-2255209", "has-source": true, "kernels": ["6.8.0-45-generic"]}
            ]}}"#,
    );
    insta::assert_snapshot!(project.snapshot(&format!("--host {} status", host.display())), @r"
        exit: 0
        --- stdout ---
        project      p in `[TEMP]/project`
        lock         rocm.toml asks for something else by now: rocmenv lock
        environment  `host`: generation 1 of [TIME], 1 package
        python       [PYTHON] (host), `[INTERPRETER]`
        held         by a rollback or a pin: `rocmenv rollback --files` or `rocmenv sync --unpin` goes on
        verified     not yet: rocmenv verify
        registry     registry of [DATE]
        ! rocm.lock is not what is installed (1 to add, 1 to change, 0 to remove): rocmenv sync
        ! the host does not fit: the lock needs `arch = x86_64`; this host has aarch64
        ! kernel 6.14.0-5-generic runs, and amdgpu-dkms 6.16.6-2255209 is built for 6.8.0-45-generic only: dkms autoinstall -k 6.14.0-5-generic
        --- stderr ---
        ");
}

#[test]
fn a_moved_project_and_a_vanished_interpreter_are_named() {
    let project = Project::with_two_generations();
    let record = ".rocmenv/host/generations/2/generation.json";
    let text = project.sandbox.read(record);
    let mut json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    json["python"]["path"] = "/nowhere/python3".into();
    project.sandbox.write(record, json.to_string());
    let (here, there) = (project.sandbox.project(), project.sandbox.path("project/moved"));
    fs::create_dir_all(&there).expect("a folder");
    for name in [".rocmenv", "rocm.toml", "rocm.lock"] {
        fs::rename(here.join(name), there.join(name)).expect("renamed");
    }
    let status = project.json("--project moved status");
    let kinds: Vec<&str> = status["environment"]["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|finding| finding["kind"].as_str().expect("a kind"))
        .collect();
    assert_eq!(kinds, ["moved", "interpreter-vanished"]);
}
