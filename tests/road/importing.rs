//! `import`: every source, into a new project and into one that is there.

use insta::assert_snapshot;
use rocmenv_tests::{IndexServer, Sandbox, machine_python, sha256};

use super::{rocmenv, served, small, snapshot, words};

/// The small world, and Python's series in the project so that the machine decides nothing.
fn world() -> (IndexServer, Sandbox, String) {
    let (server, mut sandbox) = served(small());
    let series = machine_python().1;
    sandbox.filter(&series.replace('.', r"\."), "[3]");
    (server, sandbox, series)
}

fn wheel_of_words(version: &str) -> String {
    sha256(&words(version).build().bytes)
}

#[test]
fn a_compiled_requirements_file_is_locked_as_it_was() {
    let (_server, sandbox, _) = world();
    let hash = wheel_of_words("1.0");
    sandbox.write(
        "requirements.txt",
        format!(
            "# compiled\n--index-url https://index.example/simple\ngreet==1.0\n    \
             # via -r requirements.in\nwords==1.0 \\\n    --hash=sha256:{hash}\n    # via greet\n\
             -e git+https://host.example/x#egg=x\n"
        ),
    );
    assert_snapshot!(snapshot(&sandbox, "import requirements.txt"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        read a requirements file
        warning: left out: --index-url https://index.example/simple: the general index is the user's configuration, or [indexes.python]
        warning: left out: git+https://host.example/x#egg=x: a lock cannot hold a folder of source
        added greet = "==1.0" to [python-packages]
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 2 packages for `host`: Python [3]
         + greet 1.0
         + words 1.0
        2 of 2 pinned versions are locked as they were
        next: rocmenv sync
        "#);
    assert_snapshot!(sandbox.read("rocm.toml"), @r#"
        [project]
        name = "project"

        [python-packages]
        greet = "==1.0"
        "#);
    assert_snapshot!(snapshot(&sandbox, "lock --check"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        rocm.lock is up to date; nothing was written
        ");
}

#[test]
fn a_file_that_is_not_the_pinned_one_is_refused() {
    let (_server, sandbox, _) = world();
    let text = format!("words==1.0 --hash=sha256:{}\n", "0".repeat(64));
    sandbox.write("requirements.txt", text);
    let output = rocmenv(&sandbox, "import requirements.txt");
    assert_eq!(output.code, 5, "{}", output.snapshot());
    assert!(output.stderr.contains("which the source does not name"), "{}", output.stderr);
    assert!(!sandbox.exists("rocm.lock") && !sandbox.exists("rocm.toml"));
}

#[test]
fn a_source_that_cannot_be_locked_leaves_everything_as_it_was() {
    let (_server, sandbox, series) = world();
    sandbox.write("requirements.txt", "words==1.0\nnowhere==3.0\n");
    assert_snapshot!(snapshot(&sandbox, "--project new import requirements.txt"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-not-found]: no lock can be made of the source; no file was written
          caused by: no set fits target `host`
            rocm.toml:6 asks for nowhere ==3.0.*
            there is no nowhere
            fix 1: drop nowhere: [python-packages] without nowhere
        help: `rocmenv import --no-lock SOURCE` writes rocm.toml alone; then rocmenv lock
        ");
    assert!(!sandbox.exists("new"), "not even the folder");
    let before = format!("[requires]\npython = \"{series}\"\n[python-packages]\nwords = \"*\"\n");
    sandbox.write("rocm.toml", &before);
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    let lock = sandbox.read("rocm.lock");
    let refused = rocmenv(&sandbox, "import --force requirements.txt");
    assert!(refused.stderr.contains("`rocm.toml` is as it was"), "{}", refused.stderr);
    assert_eq!((sandbox.read("rocm.toml"), sandbox.read("rocm.lock")), (before, lock));
    // without a network there is no lock either, and the code is that of the network
    sandbox.write("later.txt", "greet==1.0\n");
    assert_eq!(rocmenv(&sandbox, "--project new --offline import later.txt").code, 4);
    assert!(!sandbox.exists("new"));
    assert_eq!(rocmenv(&sandbox, "--project new --offline import --no-lock later.txt").code, 0);
    assert!(sandbox.exists("new/rocm.toml") && !sandbox.exists("new/rocm.lock"));
}

#[test]
fn a_line_of_the_user_is_replaced_only_where_that_is_asked_for() {
    let (_server, sandbox, series) = world();
    let before =
        format!("[requires]\npython = \"{series}\"\n\n[python-packages]\nwords = \">=1\" # ours\n");
    sandbox.write("rocm.toml", &before);
    sandbox.write("requirements.txt", "words==1.0\n");
    assert_snapshot!(snapshot(&sandbox, "import requirements.txt"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[import-replaces]: `rocm.toml` has words = ">=1" in [python-packages], and the source asks for "==1.0"
        help: rocmenv import --force requirements.txt
        "#);
    assert_eq!(sandbox.read("rocm.toml"), before);
    assert!(!sandbox.exists("rocm.lock"));
    assert_eq!(rocmenv(&sandbox, "import --force requirements.txt").code, 0);
    assert_eq!(sandbox.read("rocm.toml"), before.replace(">=1", "==1.0"));
    assert_eq!(rocmenv(&sandbox, "import requirements.txt").code, 0);
    fs_err::remove_file(sandbox.project().join("rocm.toml")).expect("removed");
    assert_snapshot!(snapshot(&sandbox, "import requirements.txt"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[import-replaces]: `[TEMP]/project/rocm.lock` is there already, without a `rocm.toml`
        help: rocmenv import --force requirements.txt
        ");
}

#[test]
fn a_project_that_is_there_keeps_its_lines() {
    let (_server, sandbox, series) = world();
    let before = format!("# mine\n[requires]\npython = \"{series}\" # ours\n");
    sandbox.write("rocm.toml", &before);
    sandbox.write("requirements.txt", "words==1.0\n");
    let shown = rocmenv(&sandbox, "import requirements.txt --dry-run").stdout;
    assert_eq!(sandbox.read("rocm.toml"), before);
    assert_eq!(rocmenv(&sandbox, "import requirements.txt -q").code, 0);
    assert_eq!(sandbox.read("rocm.toml"), shown);
    assert!(shown.starts_with(&before), "{shown}");
    assert!(sandbox.read("rocm.lock").contains("words-1.0-"));
}

#[test]
fn uv_and_pylock_pin_what_the_project_does_not_ask_for() {
    let (_server, sandbox, series) = world();
    let hash = wheel_of_words("1.0");
    sandbox.write(".python-version", format!("{series}\n"));
    sandbox.write(
        "uv.lock",
        format!(
            "version = 1\nrequires-python = \">=3.9\"\n\n[[package]]\nname = \"demo\"\n\
             version = \"0\"\nsource = {{ virtual = \".\" }}\n\n[package.metadata]\n\
             requires-dist = [{{ name = \"greet\", specifier = \">=1\" }}]\n\n\
             [[package]]\nname = \"words\"\nversion = \"1.0\"\n\
             source = {{ registry = \"https://index.example/simple\" }}\n\
             wheels = [{{ url = \"https://x/words.whl\", hash = \"sha256:{hash}\" }}]\n"
        ),
    );
    assert_snapshot!(snapshot(&sandbox, "import uv.lock"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        read a lock of uv
        added python = "[3]" to [requires]
        added greet = ">=1" to [python-packages]
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 2 packages for `host`: Python [3]
         + greet 1.0
         + words 1.0
        1 of 1 pinned versions are locked as they were
        next: rocmenv sync
        "#);
    assert!(sandbox.read("rocm.toml").contains(&format!("python = \"{series}\"")));
    let lock = sandbox.read("rocm.lock");
    let exported = rocmenv(&sandbox, "export pylock -q --wheels w").stdout;
    sandbox.write("other/pylock.toml", exported);
    assert_eq!(rocmenv(&sandbox, "--project other import other/pylock.toml -q").code, 0);
    let files = |lock: &str| {
        let lines = lock.lines().filter(|line| line.starts_with("sha256"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(files(&sandbox.read("other/rocm.lock")), files(&lock));
}

#[test]
fn a_virtual_environment_is_taken_over_with_what_was_asked_for() {
    let (_server, sandbox, series) = world();
    let site = format!("old/lib/python{series}/site-packages");
    sandbox.write("old/pyvenv.cfg", format!("home = /usr/bin\nversion = {series}.1\n"));
    for (name, version, needs) in
        [("greet", "1.0", "Requires-Dist: words\n"), ("words", "1.0", ""), ("pip", "1", "")]
    {
        let text = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}");
        sandbox.write(&format!("{site}/{name}-{version}.dist-info/METADATA"), text);
    }
    sandbox.write(&format!("{site}/greet-1.0.dist-info/REQUESTED"), "");
    sandbox.write(
        &format!("{site}/local-1.dist-info/METADATA"),
        "Metadata-Version: 2.1\nName: local\nVersion: 1\n",
    );
    sandbox.write(&format!("{site}/local-1.dist-info/direct_url.json"), "{}");
    assert_snapshot!(snapshot(&sandbox, "import old"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        read a virtual environment
        warning: left out: local: it was installed from an address or folder, not from an index
        added python = "[3]" to [requires]
        added greet = "==1.0" to [python-packages]
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 2 packages for `host`: Python [3]
         + greet 1.0
         + words 1.0
        2 of 2 pinned versions are locked as they were
        next: rocmenv sync
        "#);
    assert!(sandbox.read("rocm.lock").contains("words-1.0-"));
    assert!(!sandbox.exists("old/lib/rocm.toml"));
}

#[test]
fn a_pyproject_brings_its_groups_and_its_source() {
    let (_server, sandbox, series) = world();
    sandbox.write(
        "pyproject.toml",
        format!(
            "[project]\nname = \"demo\"\nversion = \"1\"\nrequires-python = \"=={series}.*\"\n\
             dependencies = [\"words<1.1\"]\n[project.scripts]\nsay = \"demo.cli:main\"\n\
             [dependency-groups]\ndev = [\"greet\"]\n"
        ),
    );
    sandbox.write("src/demo/__init__.py", "");
    sandbox
        .write("src/demo/cli.py", "import words\ndef main():\n    print('demo', words.VERSION)\n");
    assert_snapshot!(snapshot(&sandbox, "import pyproject.toml"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        read a pyproject.toml
        added path = "." to [project]
        added python = "==[3].*" to [requires]
        added words = "<1.1" to [python-packages]
        added greet = "*" to [groups.dev]
        next: rocmenv lock && rocmenv sync
        "#);
    assert_eq!(rocmenv(&sandbox, "sync -q").code, 0);
    assert_eq!(rocmenv(&sandbox, "run say").stdout, "demo 1.0\n");
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        `host` is up to date: generation 1
        ");
    // a source that changes needs no sync, a script that changes does
    sandbox.write("src/demo/cli.py", "def main():\n    print('new')\n");
    assert_eq!(rocmenv(&sandbox, "run say").stdout, "new\n");
    let text = sandbox.read("pyproject.toml").replace("say =", "tell =");
    sandbox.write("pyproject.toml", text);
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        made generation 2 for `host`: 1 package on Python [3]
        ");
    assert_eq!(rocmenv(&sandbox, "run tell").stdout, "new\n");
    assert_eq!(rocmenv(&sandbox, "run say").code, 127);
    assert!(!rocmenv(&sandbox, "status").stdout.contains("belongs to no package"));
}

#[test]
fn a_path_that_is_not_there_is_named() {
    let (_server, sandbox, series) = world();
    sandbox.write(
        "rocm.toml",
        format!(
            "[project]\npath = \"lib\"\n[requires]\npython = \"{series}\"\n\
             [python-packages]\nwords = \"*\"\n"
        ),
    );
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[project-path]: `[project] path` names the folder `lib`, which is not there
        help: rocmenv explain project-path
        ");
}

#[test]
fn the_rocm_of_a_host_is_used_where_it_is() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "host.json",
        "{\"schema\": 1, \"rocm\": [{\"path\": \"/opt/rocm\", \"real-path\": \"/opt/rocm-7.2.4\", \
         \"version\": \"7.2.4\", \"build\": \"7.2.4-1\"}]}",
    );
    assert_snapshot!(snapshot(&sandbox, "--host host.json import /opt/rocm"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        read a ROCm of this host
        added rocm = "==7.2.4" to [requires]
        added channel = "host" to [rocm]
        next: rocmenv lock && rocmenv sync
        "#);
    assert_snapshot!(sandbox.read("rocm.toml"), @r#"
        [project]
        name = "project"

        [requires]
        rocm = "==7.2.4"

        [rocm]
        channel = "host"
        "#);
    assert_snapshot!(snapshot(&sandbox, "--host host.json import /opt/rocm-1"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[import-source]: `/opt/rocm-1` is not there
        help: rocmenv explain import-source
        ");
}

#[test]
fn the_active_runtime_of_rocm_cli_is_read_and_nothing_written_there() {
    let sandbox = Sandbox::new();
    let runtime = |key: &str, version: &str, at: u64| {
        format!(
            "{{\"runtime_key\": \"{key}\", \"runtime_id\": \"therock-release:gfx110X-all\", \
             \"channel\": \"release\", \"format\": \"wheel\", \"family\": \"gfx110X-all\", \
             \"version\": \"{version}\", \"install_root\": \"/nowhere/{key}\", \
             \"installed_at_unix_ms\": {at}}}"
        )
    };
    sandbox.write("rocm/runtimes/registry/a.json", runtime("a", "10.0.0", 1));
    sandbox.write("rocm/runtimes/registry/b.json", runtime("b", "10.1.0", 2));
    sandbox.write("rocm/config.json", "{\"active_runtime_key\": \"A\"}");
    assert_snapshot!(snapshot(&sandbox, "import rocm"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        read the runtimes of rocm-cli
        warning: left out: runtime b: another runtime is the active one
        added rocm = "==10.0.0" to [requires]
        added channel = "therock" to [rocm]
        next: rocmenv lock && rocmenv sync
        "#);
    assert_snapshot!(sandbox.read("rocm.toml"), @r#"
        [project]
        name = "project"

        [requires]
        rocm = "==10.0.0"

        [rocm]
        channel = "therock"
        "#);
    let files = fs_err::read_dir(sandbox.project().join("rocm")).expect("the folder is there");
    assert_eq!(files.count(), 2);
}

#[test]
fn builds_lose_their_labels_and_cuda_stays_behind() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "requirements.txt",
        "torch==2.9.1+rocm7.2\ntorchvision==0.24.1+rocm7.2\npytorch-triton-rocm==3.5.1\n\
         nvidia-cublas-cu12==12.8\nnumpy>=2,<3\n",
    );
    assert_snapshot!(snapshot(&sandbox, "import requirements.txt --no-lock"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        read a requirements file
        warning: left out: torchvision ==0.24.1+rocm7.2: it comes with its framework
        warning: left out: pytorch-triton-rocm ==3.5.1: it comes with PyTorch
        warning: left out: nvidia-cublas-cu12 ==12.8: it is for CUDA
        added rocm = "7.2" to [requires]
        added pytorch = "==2.9.1" to [requires]
        added numpy = ">=2,<3" to [python-packages]
        next: rocmenv lock && rocmenv sync
        "#);
    assert_snapshot!(sandbox.read("rocm.toml"), @r#"
        [project]
        name = "project"

        [requires]
        rocm = "7.2"
        pytorch = "==2.9.1"

        [python-packages]
        numpy = ">=2,<3"
        "#);
}
