//! The guard of the accelerator: a lock that was changed, and an environment that was.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use fs_err as fs;
use rocmenv_tests::{Index, WheelBuilder};

use crate::Project;

/// A project whose index has torch's family for ROCm and for CUDA.
fn torch() -> Project {
    let wheel = |name: &str, version: &str| WheelBuilder::new(name, version);
    let index = Index::new("main")
        .wheel(wheel("torch", "2.9.1+rocm7.2"))
        .wheel(wheel("torchvision", "0.24.1+rocm7.2"))
        .wheel(wheel("torchvision", "0.24.1+rocm6.4"))
        .wheel(wheel("extra", "0.1"));
    Project::on(index)
}

/// Asks for torch and a torchvision of this index, which AMD's own are not asked for.
fn ask(project: &Project, torchvision: &str) {
    let url = project.server.url("main");
    let line = |name: &str, version: &str| {
        format!("{name} = {{ version = \"{version}\", index = \"local\" }}\n")
    };
    project.ask(
        &format!("{}{}", line("torch", "*"), line("torchvision", torchvision)),
        &format!("[indexes.local]\nurl = \"{url}\"\nkind = \"simple\"\n"),
    );
}

#[test]
fn a_lock_that_was_turned_to_cuda_is_stopped_before_anything_is_fetched() {
    let project = torch();
    ask(&project, "==0.24.1+rocm7.2");
    assert_eq!(project.call("lock").code, 0);
    let lock = project.sandbox.read("rocm.lock");
    let turned = |to: &str| project.sandbox.write("rocm.lock", lock.replace("+rocm7.2", to));
    turned("+cu128");
    insta::assert_snapshot!(project.snapshot("sync --frozen"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[wrong-accelerator]: torch 2.9.1+cu128 is built for CUDA, not for ROCm; torchvision 0.24.1+cu128 is built for CUDA, not for ROCm
        help: rocmenv lock
        ");
    turned("+cpu");
    insta::assert_snapshot!(project.snapshot("sync --frozen"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[wrong-accelerator]: torch 2.9.1+cpu is built for the processor alone, not for ROCm; torchvision 0.24.1+cpu is built for the processor alone, not for ROCm
        help: rocmenv lock
        ");
    project.sandbox.write("rocm.lock", lock.replace("0.24.1+rocm7.2", "0.24.1+rocm6.4"));
    insta::assert_snapshot!(project.snapshot("sync --frozen"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[wrong-accelerator]: torchvision 0.24.1+rocm6.4 is not of the build of torch 2.9.1+rocm7.2
        help: rocmenv lock
        ");
    assert!(!project.sandbox.exists(".rocmenv"));
    assert_eq!(project.call("sync --frozen --skip-gate accelerator --dry-run").code, 0);
}

#[test]
fn builds_that_do_not_belong_together_are_not_locked() {
    let project = torch();
    ask(&project, "==0.24.1+rocm6.4");
    insta::assert_snapshot!(project.snapshot("lock"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[wrong-accelerator]: torchvision 0.24.1+rocm6.4 is not of the build of torch 2.9.1+rocm7.2
        help: rocmenv explain wrong-accelerator
        ");
}

#[test]
fn a_torch_that_pip_put_in_is_an_error_and_a_discarding_sync_mends_it() {
    let project = torch();
    ask(&project, "==0.24.1+rocm7.2");
    let made = project.call("sync");
    assert_eq!(made.code, 0, "{}", made.snapshot());
    assert_eq!(project.call("run python -c pass").code, 0);
    let site = project.site_packages(1);
    let put = |name: &str, version: &str| {
        let info = site.join(format!("{name}-{version}.dist-info"));
        fs::create_dir(&info).expect("a folder");
        let metadata = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n");
        fs::write(info.join("METADATA"), metadata).expect("written");
        fs::write(info.join("INSTALLER"), "pip\n").expect("written");
    };
    put("requests", "2.32.0");
    insta::assert_snapshot!(project.snapshot("run python -c pass"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: requests 2.32.0 is not locked: rocmenv status
        ");
    fs::remove_dir_all(site.join("torch-2.9.1+rocm7.2.dist-info")).expect("removed");
    put("torch", "2.14.0");
    insta::assert_snapshot!(project.snapshot("run python -c pass"), @r"
        exit: 3
        --- stdout ---
        --- stderr ---
        error[accelerator-changed]: torch 2.14.0 is built for CUDA, not for ROCm
        help: rocmenv sync --discard
        ");
    let status = project.call("status").stdout;
    assert!(
        status.contains("torch 2.14.0 is built for CUDA, not for ROCm: rocmenv sync --discard"),
        "{status}"
    );
    insta::assert_snapshot!(project.snapshot("sync"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[foreign-packages]: the new environment would not have what was put into this one: requests 2.32.0, torch 2.14.0
        help: rocmenv add --from-env (keeps them), or rocmenv sync --discard
        ");
    assert_eq!(project.call("sync --discard").code, 0);
    assert_eq!(project.call("run python -c pass").code, 0);
}

/// What `run` pays for looking, on an environment of 6,000 files.
#[test]
fn looking_for_strangers_costs_little_on_six_thousand_files() {
    let mut index = Index::new("main");
    let mut asked = String::new();
    for package in 0..60 {
        let name = format!("part{package}");
        let mut wheel = WheelBuilder::new(&name, "1.0");
        for file in 0..100 {
            wheel = wheel.file(&format!("{name}/m{file}.txt"), vec![1; 10]);
        }
        index = index.wheel(wheel);
        let _ = writeln!(asked, "{name} = \"*\"");
    }
    let project = Project::on(index);
    project.sync(&asked);
    let site = project.site_packages(1);
    let hidden = site.with_file_name("hidden");
    let once = || {
        let start = Instant::now();
        assert_eq!(project.call("run true").code, 0);
        start.elapsed()
    };
    let (mut with, mut without) = (Duration::MAX, Duration::MAX);
    // In turn, so that other work of this machine hits both alike.
    for _ in 0..40 {
        with = with.min(once());
        // Without a folder of modules there is nothing to look at.
        fs::rename(&site, &hidden).expect("renamed");
        without = without.min(once());
        fs::rename(&hidden, &site).expect("renamed");
    }
    let cost = with.saturating_sub(without);
    assert!(
        cost < Duration::from_millis(10),
        "run: {with:?} with 6,000 files, {without:?} without, so {cost:?} for looking"
    );
}
