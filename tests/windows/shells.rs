//! Shims, the hook of the command prompt, and what PowerShell gets.

use insta::assert_snapshot;
use rocmenv_tests::{Index, WheelBuilder};

use super::Desk;

#[test]
fn shims_find_the_environment() {
    let Some(mut desk) = Desk::new("shims_find_the_environment") else { return };
    desk.wine.must("sync");
    let folder = desk.wine.shown("shims");
    desk.wine.sandbox().env("ROCMENV_SHIMS", &folder);
    assert_snapshot!(desk.snapshot("shims install"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        installed greet
        installed python
        installed pythonw
        put the folder first on PATH: rocmenv shims update-shell
        ");
    assert_eq!(desk.wine.must("shims list").stdout, "greet\npython\npythonw\n");
    let greet = desk.wine.run("shims/greet.exe").arg("shimmed").run();
    assert_eq!(greet.stdout, "hello\nshimmed\n", "{}", greet.snapshot());
    // A shim of another release is one, too; what only has the name is none.
    let (greet, other) = (desk.wine.project("../shims/greet.exe"), "../shims/other.exe");
    let mut older = fs_err::read(&greet).unwrap();
    older.extend_from_slice(b"of an older release");
    fs_err::write(&greet, older).unwrap();
    fs_err::write(desk.wine.project(other), "of somebody else").unwrap();
    assert_snapshot!(desk.snapshot("shims remove greet other"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        removed greet
        warning: `[TEMP]\shims\other` is no shim of rocmenv and was left alone
        ");
    assert!(desk.wine.project(other).exists());
}

#[test]
fn the_command_prompt_enters_and_leaves() {
    let Some(desk) = Desk::new("the_command_prompt_enters_and_leaves") else { return };
    desk.wine.must("sync");
    let text = desk.wine.must("activate cmd").stdout;
    fs_err::write(desk.wine.project("enter.cmd"), text).unwrap();
    let prompt = "@set PYTHONHOME=kept\n@call enter.cmd\n@echo [%VIRTUAL_ENV%] [%PYTHONHOME%]\n\
                  @greet inside\n@call enter.cmd\n@call enter.cmd deactivate\n\
                  @echo [%VIRTUAL_ENV%] [%PYTHONHOME%] [%_ROCMENV_ACTIVE%]\n\
                  @if \"%PATH%\"==\"%BEFORE%\" echo PATH is as it was\n";
    let output = desk.wine.command_prompt(&format!("@set \"BEFORE=%PATH%\"\n{prompt}")).run();
    assert_snapshot!(output.filtered_stdout().replace('\r', ""), @r"
        [[TEMP]\project\.rocmenv\host\generations\1\env] []
        hello
        inside
        [] [kept] []
        PATH is as it was
        ");
}

#[test]
fn powershell_gets_completions_and_a_hook() {
    let Some(desk) = Desk::new("powershell_gets_completions_and_a_hook") else { return };
    desk.wine.must("sync");
    let completions = desk.wine.must("completions powershell").stdout;
    assert!(completions.contains("Register-ArgumentCompleter"));
    let hook = desk.wine.must("activate powershell").stdout;
    let environment = desk.wine.shown("project/.rocmenv/host/generations/1/env");
    assert!(hook.contains(&format!("$env:VIRTUAL_ENV = '{environment}'")), "{hook}");
}

#[test]
fn a_runtime_that_windows_finds_first_is_told() {
    // The Windows folder is the other tests', too: a name that nobody else looks for.
    let name = format!("amdhip64_{}.dll", std::process::id());
    let sdk = WheelBuilder::new("sdk", "1.0")
        .tag("py3-none-win_amd64")
        .file(&format!("_sdk/bin/{name}"), "no library\n");
    let index = Index::new("main").wheel(sdk);
    let Some(desk) = Desk::with("a_runtime_that_windows_finds_first_is_told", index) else {
        return;
    };
    desk.ask("sdk = \"*\"");
    desk.wine.must("sync");
    let told = || {
        let status = desk.wine.must("status").stdout;
        let line = status.lines().find(|line| line.contains("amdhip64"));
        line.unwrap_or_default().to_owned()
    };
    assert_eq!(told(), "");
    let activation = fs_err::read_to_string(desk.generation(1, "activation")).unwrap();
    assert!(activation.contains(r"env\Lib\site-packages\_sdk\bin"), "{activation}");
    let system = desk.wine.system_folder().join(&name);
    fs_err::write(&system, "the driver's\n").unwrap();
    let line = told();
    fs_err::remove_file(&system).unwrap();
    assert!(line.contains(&format!(r"System32\{name}")), "{line}");
}
