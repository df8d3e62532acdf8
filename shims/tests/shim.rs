//! The shim as a program: what runs, with which variables, and what is said when nothing does.

#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    reason = "the crate has no dependencies, so its tests have none"
)]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use rocmenv_shims::activation::{Activation, Change};
use rocmenv_shims::install::{Outcome, install, list, remove};

/// A project with one generation that has `tool`, a folder of shims, and a folder of the
/// system's programs.
struct Sandbox(PathBuf);

impl Sandbox {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("rocmenv-shim-{}-{count}", std::process::id());
        let root = fs::canonicalize(std::env::temp_dir()).unwrap().join(name);
        let sandbox = Self(root);
        fs::create_dir_all(sandbox.at("project/deep/er")).unwrap();
        fs::create_dir_all(sandbox.at("outside")).unwrap();
        fs::write(sandbox.at("project/rocm.toml"), "").unwrap();
        sandbox.generation("host", 3);
        let names = ["tool", "python", "only-env", "nowhere"].map(str::to_owned);
        install(&sandbox.at("shims"), &shim(), &names).unwrap();
        sandbox.program("system/tool", "echo system $*");
        sandbox.program("system/python", "echo system-python");
        sandbox
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    fn program(&self, path: &str, line: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{line}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn generation(&self, target: &str, number: u32) {
        let env = format!("project/.rocmenv/{target}");
        let root = format!("{env}/generations/{number}");
        let show =
            format!("echo {target}-{number} $* depth=$ROCMENV_SHIM_DEPTH V=$V H=$PYTHONHOME");
        self.program(&format!("{root}/env/bin/tool"), &show);
        self.program(&format!("{root}/env/bin/only-env"), "tool from $0; exit 7");
        let bin = self.at(&format!("{root}/env/bin")).display().to_string();
        let activation = Activation {
            root: self.at(&root),
            changes: vec![
                Change::Set("V".into(), "a b".into()),
                Change::Prepend("PATH".into(), bin),
                Change::Unset("PYTHONHOME".into()),
            ],
        };
        fs::write(self.at(&format!("{root}/activation")), activation.to_text()).unwrap();
        fs::write(self.at(&format!("{env}/current")), format!("{number}\n")).unwrap();
    }

    /// Runs a shim in a folder with further variables: exit code, output, and what was said, with
    /// the sandbox's path written `S`.
    fn run(&self, folder: &str, name: &str, variables: &[(&str, &str)]) -> String {
        let path = format!("{}:{}", self.at("shims").display(), self.at("system").display());
        let output = Command::new(self.at("shims").join(name))
            .arg("x y")
            .current_dir(self.at(folder))
            .env_clear()
            .env("PATH", path)
            .env("PYTHONHOME", "/bad")
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap().replace(&self.0.display().to_string(), "S");
        format!("{} {}", output.status.code().unwrap(), text.trim())
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn shim() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let path = tests.parent().unwrap().parent().unwrap().join("examples/shim");
    if !path.exists() {
        let arguments = ["build", "-p", "rocmenv-shims", "--example", "shim"];
        let built = Command::new(env!("CARGO")).args(arguments).status().unwrap();
        assert!(built.success() && path.exists());
    }
    path
}

#[test]
fn in_a_project_the_environments_program_runs_with_its_variables() {
    let sandbox = Sandbox::new();
    let wanted = "0 host-3 x y depth=1 V=a b H=";
    assert_eq!(sandbox.run("project", "tool", &[]), wanted);
    assert_eq!(sandbox.run("project/deep/er", "tool", &[]), wanted);
    let project = sandbox.at("project").display().to_string();
    assert_eq!(sandbox.run("outside", "tool", &[("ROCMENV_PROJECT", &project)]), wanted);
    // The child's code goes through, and what it calls is the environment's without a shim.
    let nested = sandbox.run("project", "only-env", &[]);
    assert!(nested.starts_with("7 host-3 from S/project/"), "{nested}");
    assert!(nested.contains("depth=1"), "{nested}");
}

#[test]
fn outside_or_for_a_missing_name_the_next_program_on_path_runs() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run("outside", "tool", &[]), "0 system x y");
    assert_eq!(sandbox.run("project", "python", &[]), "0 system-python");
    assert_eq!(sandbox.run("project", "tool", &[("ROCMENV_BYPASS", "1")]), "0 system x y");
    assert_eq!(
        sandbox.run("outside", "only-env", &[]),
        "127 rocmenv: `only-env` was not found: this folder belongs to no rocmenv project, nor is \
         one on PATH"
    );
    assert_eq!(
        sandbox.run("project", "nowhere", &[]),
        "127 rocmenv: `nowhere` was not found: the environment has no such program, nor is one \
         on PATH"
    );
}

#[test]
fn a_project_without_an_environment_breaks_nothing() {
    let sandbox = Sandbox::new();
    let current = sandbox.at("project/.rocmenv/host/current");
    fs::write(&current, "many").unwrap();
    assert_eq!(sandbox.run("project", "tool", &[]), "0 system x y");
    assert_eq!(
        sandbox.run("project", "only-env", &[]),
        "127 rocmenv: `only-env` was not found: `S/project/.rocmenv/host/current` cannot be read; \
         run `rocmenv sync`, nor is one on PATH"
    );
    fs::remove_dir_all(sandbox.at("project/.rocmenv")).unwrap();
    assert_eq!(
        sandbox.run("project", "only-env", &[]),
        "127 rocmenv: `only-env` was not found: the project `S/project` has no environment yet; \
         run `rocmenv sync`, nor is one on PATH"
    );
}

#[test]
fn a_moved_project_is_said_to_be_moved() {
    let sandbox = Sandbox::new();
    fs::rename(sandbox.at("project"), sandbox.at("elsewhere")).unwrap();
    assert_eq!(
        sandbox.run("elsewhere", "tool", &[]),
        "0 system x y\nrocmenv: the environment `S/elsewhere/.rocmenv/host/generations/3` was made \
         at `S/project/.rocmenv/host/generations/3`; run `rocmenv sync`"
    );
    // Reached through a link it is where it was made.
    fs::rename(sandbox.at("elsewhere"), sandbox.at("project")).unwrap();
    symlink(sandbox.at("project"), sandbox.at("link")).unwrap();
    let link = sandbox.at("link").display().to_string();
    let said = sandbox.run("outside", "tool", &[("ROCMENV_PROJECT", &link)]);
    assert_eq!(said, "0 host-3 x y depth=1 V=a b H=");
}

#[test]
fn of_several_environments_the_marked_or_the_named_one_is_used() {
    let sandbox = Sandbox::new();
    sandbox.generation("cluster", 1);
    sandbox.generation("cluster/train", 2);
    assert_eq!(sandbox.run("project", "tool", &[]), "0 system x y");
    let first = |said: String| said.split(' ').nth(1).unwrap().to_owned();
    let run = |variables: &[(&str, &str)]| first(sandbox.run("project", "tool", variables));
    assert_eq!(run(&[("ROCMENV_TARGET", "cluster")]), "cluster-1");
    assert_eq!(run(&[("ROCMENV_TARGET", "cluster"), ("ROCMENV_ENV", "train")]), "cluster/train-2");
    fs::write(sandbox.at("project/.rocmenv/active"), "cluster/train\n").unwrap();
    assert_eq!(run(&[]), "cluster/train-2");
    assert_eq!(run(&[("ROCMENV_ENV", "default")]), "cluster-1");
    assert_eq!(run(&[("ROCMENV_TARGET", "host")]), "host-3");
    // A mark that leads out of the project is none.
    fs::write(sandbox.at("project/.rocmenv/active"), "../../x\n").unwrap();
    assert_eq!(run(&[]), "system");
}

#[test]
fn shims_that_find_only_shims_end() {
    let sandbox = Sandbox::new();
    // A second folder with another copy of the program, in front of each other.
    let copy = sandbox.at("copy/shim");
    fs::create_dir_all(copy.parent().unwrap()).unwrap();
    fs::copy(shim(), &copy).unwrap();
    install(&sandbox.at("other"), &copy, &["loop".to_owned()]).unwrap();
    install(&sandbox.at("shims"), &shim(), &["loop".to_owned()]).unwrap();
    let path = format!("{}:{}", sandbox.at("shims").display(), sandbox.at("other").display());
    assert_eq!(
        sandbox.run("outside", "loop", &[("PATH", &path)]),
        "127 rocmenv: `loop`: shims call each other without end"
    );
}

#[test]
fn installing_leaves_alone_what_is_no_shim() {
    let sandbox = Sandbox::new();
    let folder = sandbox.at("bin");
    let names = ["a", "b"].map(str::to_owned);
    sandbox.program("bin/b", "echo mine");
    assert_eq!(install(&folder, &shim(), &names).unwrap(), [Outcome::Installed, Outcome::Foreign]);
    assert_eq!(install(&folder, &shim(), &names).unwrap(), [Outcome::Unchanged, Outcome::Foreign]);
    assert_eq!(list(&folder, &shim()).unwrap(), ["a"]);
    let elsewhere = Path::new("/elsewhere").join(shim().file_name().unwrap());
    fs::remove_file(folder.join("a")).unwrap();
    symlink(elsewhere, folder.join("a")).unwrap();
    assert_eq!(install(&folder, &shim(), &names).unwrap()[0], Outcome::Installed);
    let names = ["a", "b", "c"].map(str::to_owned);
    assert_eq!(
        remove(&folder, &shim(), &names).unwrap(),
        [Outcome::Removed, Outcome::Foreign, Outcome::Absent]
    );
    assert!(folder.join("b").exists());
    assert_eq!(list(&sandbox.at("no-folder"), &shim()).unwrap(), [""; 0]);
}

#[test]
fn a_program_whose_interpreter_is_gone_is_not_replaced_by_another_one() {
    let sandbox = Sandbox::new();
    let python = sandbox.at("project/.rocmenv/host/generations/3/env/bin/python");
    symlink("/nowhere/python3.12", python).unwrap();
    assert_eq!(
        sandbox.run("project", "python", &[]),
        "127 rocmenv: `python` of the environment is gone: no `/nowhere/python3.12`; run `rocmenv sync`"
    );
    assert_eq!(sandbox.run("outside", "python", &[]), "0 system-python");
}
