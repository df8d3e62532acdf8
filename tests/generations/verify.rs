//! The stages, on an environment that is whole and on one that is not.

use fs_err as fs;

use crate::Project;

const NO_GPU: &str = r#"{"schema": 1, "os": {"family": "linux"}, "arch": "x86_64", "gpus": []}"#;

/// A project with a command to verify, on a host that is known to have no GPU.
fn with_command(command: &str) -> Project {
    let mut project = Project::new();
    let host = project.sandbox.write("host.json", NO_GPU);
    project.sync("demo = \"==1.0\"");
    project.sandbox.env("ROCMENV_HOST", &host.display().to_string());
    project.ask("demo = \"==1.0\"", &format!("[verify]\ncommands = ['{command}']\n"));
    project
}

#[test]
fn commands_run_once_they_are_allowed() {
    let project = with_command("test -n \"$VIRTUAL_ENV\" && python -c \"import demo\"");
    insta::assert_snapshot!(project.snapshot("verify"), @r#"
        exit: 1
        --- stdout ---
        RESULT   STAGE     LEVEL   TIME   WHAT
        passed   host      read           contract of the lock                               3 predicates hold
        skipped  host      -              amdgpu driver                                      not loaded on this host
        skipped  host      -              AMD GPU                                            this host has none: nothing runs on one
        passed   files     read    [T] s  files of wheels                                    7 files are as they were made
        passed   files     read           files in the store                                 5 files are as they were made
        passed   import    loaded  [T] s  import demo
        FAILED   commands  ran            test -n "$VIRTUAL_ENV" && python -c "import demo"  not run: nobody has allowed this rocm.toml to run it (`rocmenv trust` does)

        stages: host [T] s, files [T] s, rocm [T] s, import [T] s, framework [T] s, gpus [T] s, commands [T] s
        --- stderr ---
        not proven: that anything computes on an AMD GPU
        "#);
    insta::assert_snapshot!(project.snapshot("verify --yes"), @r#"
        exit: 0
        --- stdout ---
        RESULT   STAGE     LEVEL   TIME   WHAT
        passed   host      read           contract of the lock                               3 predicates hold
        skipped  host      -              amdgpu driver                                      not loaded on this host
        skipped  host      -              AMD GPU                                            this host has none: nothing runs on one
        passed   files     read    [T] s  files of wheels                                    7 files are as they were made
        passed   files     read           files in the store                                 5 files are as they were made
        passed   import    loaded  [T] s  import demo
        passed   commands  ran     [T] s  test -n "$VIRTUAL_ENV" && python -c "import demo"

        stages: host [T] s, files [T] s, rocm [T] s, import [T] s, framework [T] s, gpus [T] s, commands [T] s
        --- stderr ---
        not proven: that anything computes on an AMD GPU
        "#);
    // The answer was kept; for other commands there is none.
    assert_eq!(project.call("verify").code, 0);
    project.ask("demo = \"==1.0\"", "[verify]\ncommands = ['true']\n");
    assert_eq!(project.call("verify commands").code, 1);
}

#[test]
fn a_gpu_that_is_asked_for_must_be_there() {
    let project = with_command("true");
    assert_eq!(project.call("verify host").code, 0);
    insta::assert_snapshot!(project.snapshot("verify host --require-gpu"), @r"
        exit: 1
        --- stdout ---
        RESULT  STAGE  LEVEL  TIME  WHAT
        passed  host   read         contract of the lock  3 predicates hold
        FAILED  host   read         amdgpu driver         not loaded on this host
        FAILED  host   read         AMD GPU               this host has none: nothing runs on one

        stages: host [T] s
        --- stderr ---
        not proven: that anything computes on an AMD GPU
        ");
}

#[test]
fn damage_is_found_by_size_and_what_keeps_size_and_time_by_hash() {
    let project = with_command("true");
    let site = project.site_packages(1);
    fs::write(site.join("demo-1.0.dist-info/METADATA"), "x").expect("written");
    insta::assert_snapshot!(project.snapshot("verify files"), @r"
        exit: 1
        --- stdout ---
        RESULT  STAGE  LEVEL  TIME   WHAT
        FAILED  files  read   [T] s  files of wheels     1 of 7: demo-1.0.dist-info/METADATA: 1 bytes instead of 46
        passed  files  read          files in the store  5 files are as they were made

        stages: files [T] s
        --- stderr ---
        help: rocmenv sync --repair
        ");
    fs::remove_file(site.join("demo/weights.bin")).expect("removed");
    fs::write(site.join("demo/weights.bin"), vec![9; 300_000]).expect("written");
    let shallow = project.call("verify files").stdout;
    assert!(!shallow.contains("weights.bin"), "{shallow}");
    let deep = project.call("verify files --deep").stdout;
    assert!(deep.contains("demo/weights.bin: changed"), "{deep}");
}

#[test]
fn a_module_that_does_not_load_fails() {
    let project = Project::new();
    project.sync("demo = \"*\"\nbroken = \"*\"");
    insta::assert_snapshot!(project.snapshot("verify import"), @r"
        exit: 1
        --- stdout ---
        RESULT  STAGE   LEVEL   TIME   WHAT
        FAILED  import  loaded  [T] s  import broken  code 1: ImportError: libx.so.7 is not there
        passed  import  loaded  [T] s  import demo

        stages: import [T] s
        --- stderr ---
        ");
}

#[test]
fn a_command_that_runs_too_long_is_stopped_with_what_it_started() {
    let project = with_command("sleep 300 & echo $! > started; echo waiting; wait");
    let start = std::time::Instant::now();
    insta::assert_snapshot!(project.snapshot("verify commands --yes --timeout 1"), @r"
        exit: 1
        --- stdout ---
        RESULT  STAGE     LEVEL  TIME   WHAT
        FAILED  commands  ran    [T] s  sleep 300 & echo $! > started; echo waiting; wait  stopped after 1 s: waiting

        stages: commands [T] s
        --- stderr ---
        ");
    assert!(start.elapsed().as_secs() < 30, "nobody waits for the sleeper");
    let sleeper = project.sandbox.read("started");
    let line = fs::read_to_string(format!("/proc/{}/stat", sleeper.trim())).unwrap_or_default();
    let is_gone = line.is_empty() || line.contains(") Z ");
    assert!(is_gone, "{line}");
}

#[test]
fn the_report_is_a_page_that_says_what_was_not_run() {
    let project = with_command("echo \"</td><script>alert(1)</script>\" >&2; exit 3");
    let output = project.call("verify --yes --html report.html");
    assert_eq!(output.code, 1, "{}", output.snapshot());
    let page = project.sandbox.read("report.html");
    let report = project.json("verify --yes");
    for stage in report["stages"].as_array().expect("a list") {
        let name = stage["stage"].as_str().expect("a name");
        assert!(page.contains(&format!("<section id=\"{name}\">")), "{name}");
        assert!(stage["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0), "{stage}");
        for finding in stage["findings"].as_array().expect("a list") {
            let is_proof = finding["level"].is_string();
            assert_eq!(is_proof, finding["result"] != "skipped", "{finding}");
        }
    }
    assert!(!page.contains("<script"), "what a program says is text");
    assert!(page.contains("&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;"), "{page}");
    assert!(page.contains("Not run, and so not proven"));
    assert!(page.contains("content=\"default-src 'none';") && !page.contains(" src="));
}
