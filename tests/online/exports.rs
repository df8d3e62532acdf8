//! Every export is taken by the tools that it is for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rocmenv_tests::{Output, Sandbox, machine_python};

use super::{DAY, chosen, rocmenv, sandbox, skipped};

/// A project that holds the tools themselves, synced; its own lock is what they install.
fn tools(test: &str) -> Option<Sandbox> {
    let sandbox = sandbox(test)?;
    let series = machine_python().1;
    sandbox.write(
        "rocm.toml",
        format!(
            "{DAY}[project]\nname = \"tools\"\n[requires]\npython = \"{series}\"\n[python-packages]\n\
             pip = \">=26\"\nuv = \"*\"\nspython = \"*\"\ntaplo = \"*\"\n\
             cyclonedx-python-lib = {{ version = \">=11\", extras = [\"json-validation\"] }}\n\
             [python]\nsource = \"host\"\n"
        ),
    );
    let output = rocmenv(&sandbox, &["sync"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    Some(sandbox)
}

/// One of the tools, without the environment's own constraints.
fn tool(sandbox: &Sandbox, name: &str, words: &[&str]) -> Output {
    let program = sandbox.project().join(".venv/bin").join(name);
    let limit = std::time::Duration::from_secs(400);
    sandbox.command(program).args(words).limit(limit).run()
}

fn done(output: &Output) {
    assert_eq!(output.code, 0, "{}", output.snapshot());
}

/// What an environment holds, `name version` each, told by its folders.
fn installed(environment: &Path) -> BTreeSet<String> {
    let lib = fs_err::read_dir(environment.join("lib")).expect("an environment");
    let site = lib.map(|entry| entry.expect("a folder").path().join("site-packages"));
    let entries = site.flat_map(|site| fs_err::read_dir(site).expect("site-packages"));
    let names = entries.filter_map(|entry| {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let (name, version) = name.strip_suffix(".dist-info")?.split_once('-')?;
        Some(format!("{} {version}", name.to_lowercase().replace(['_', '.'], "-")))
    });
    names.collect()
}

fn venv(sandbox: &Sandbox, name: &str) -> PathBuf {
    done(&tool(sandbox, "uv", &["venv", "-q", "--python", ".venv/bin/python", name]));
    sandbox.project().join(name)
}

#[test]
fn pip_and_uv_install_requirements_and_pylock() {
    let Some(sandbox) = tools("pip_and_uv_install_requirements_and_pylock") else { return };
    let locked: BTreeSet<String> = chosen(&sandbox.read("rocm.lock")).into_iter().collect();
    done(&rocmenv(&sandbox, &["export", "requirements", "-o", "requirements.txt"]));
    done(&rocmenv(&sandbox, &["export", "pylock", "-o", "pylock.toml"]));
    let install = ["install", "-q", "--no-deps", "--require-hashes", "-r", "requirements.txt"];
    let one = venv(&sandbox, "one");
    done(&tool(&sandbox, "pip", &[&["--python", "one/bin/python"][..], &install].concat()));
    assert_eq!(installed(&one), locked);
    let two = venv(&sandbox, "two");
    let words = ["pip", "install", "-q", "--python", "two/bin/python", "-r", "pylock.toml"];
    done(&tool(&sandbox, "uv", &words));
    assert_eq!(installed(&two), locked);
    let three = venv(&sandbox, "three");
    let words = ["--python", "three/bin/python", "install", "-q", "-r", "pylock.toml"];
    done(&tool(&sandbox, "pip", &words));
    assert_eq!(installed(&three), locked);
    // a wrong digest is seen by both
    let wrong = sandbox.read("requirements.txt").replace("sha256:", "sha256:0").replace('\n', "\r");
    let wrong: String = wrong
        .split('\r')
        .map(|line| match line.split_once("sha256:") {
            Some((start, digest)) => format!("{start}sha256:{}\n", &digest[..64]),
            None => format!("{line}\n"),
        })
        .collect();
    sandbox.write("requirements.txt", wrong);
    let output = tool(&sandbox, "pip", &[&["--python", "one/bin/python"][..], &install].concat());
    assert_eq!(output.code, 0, "what is installed is not looked at again: {}", output.snapshot());
    venv(&sandbox, "four");
    let output = tool(&sandbox, "pip", &[&["--python", "four/bin/python"][..], &install].concat());
    assert_ne!(output.code, 0, "{}", output.snapshot());
    // and what pip installed comes back as the same lock
    done(&rocmenv(&sandbox, &["--project", "back", "import", "one"]));
    let back: BTreeSet<String> = chosen(&sandbox.read("back/rocm.lock")).into_iter().collect();
    let without_pip = |one: &&String| !one.starts_with("pip ");
    assert_eq!(
        back.iter().collect::<Vec<_>>(),
        locked.iter().filter(without_pip).collect::<Vec<_>>()
    );
}

#[test]
fn uv_lock_is_taken_over_with_the_same_files() {
    let Some(sandbox) = tools("uv_lock_is_taken_over_with_the_same_files") else { return };
    let series = machine_python().1;
    sandbox.write(
        "demo/pyproject.toml",
        "[project]\nname = \"demo\"\nversion = \"1\"\nrequires-python = \">=3.9\"\n\
         dependencies = [\"jsonschema<4.24\", \"attrs<25\"]\n",
    );
    sandbox.write("demo/.python-version", format!("{series}\n"));
    let words = ["lock", "-q", "--project", "demo", "--python", ".venv/bin/python"];
    done(&tool(&sandbox, "uv", &[&words[..], &["--exclude-newer", "2026-11-29"]].concat()));
    let output = rocmenv(&sandbox, &["--project", "demo", "import", "demo/uv.lock"]);
    done(&output);
    let lock = sandbox.read("demo/rocm.lock");
    let theirs = sandbox.read("demo/uv.lock");
    let digests = lock.lines().filter_map(|line| line.strip_prefix("sha256 = "));
    let digests: Vec<&str> = digests.map(|digest| digest.trim_matches('"')).collect();
    assert!(digests.len() >= 5, "{lock}");
    assert!(digests.iter().all(|digest| theirs.contains(digest)), "{}", output.snapshot());
}

#[test]
fn a_bill_of_materials_is_valid_by_the_schema() {
    let Some(sandbox) = tools("a_bill_of_materials_is_valid_by_the_schema") else { return };
    done(&rocmenv(&sandbox, &["export", "cyclonedx", "-o", "bom.json"]));
    let code = "import sys\n\
        from cyclonedx.schema import SchemaVersion\n\
        from cyclonedx.validation.json import JsonStrictValidator\n\
        text = sys.stdin.read()\n\
        fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)\n\
        print(fault)\nsys.exit(1 if fault else 0)\n";
    let python = sandbox.project().join(".venv/bin/python");
    let check = |text: &str| sandbox.command(&python).args(["-c", code]).stdin(text).run();
    let bom = sandbox.read("bom.json");
    done(&check(&bom));
    assert_ne!(check(&bom.replace("SHA-256", "SHA-257")).code, 0);
    let with = bom.matches("\"licenses\"").count();
    let all = bom.matches("\"purl\"").count();
    assert!(with * 10 >= all * 9, "{with} of {all} components have a licence");
}

#[test]
fn an_apptainer_definition_is_read_by_singularity_python() {
    let test = "an_apptainer_definition_is_read_by_singularity_python";
    let Some(sandbox) = tools(test) else { return };
    let words = ["export", "apptainer", "--base", "debian:12", "-o", "Singularity"];
    done(&rocmenv(&sandbox, &words));
    let output = tool(&sandbox, "spython", &["recipe", "Singularity"]);
    done(&output);
    for line in [
        "FROM debian:12 AS build",
        "RUN cd /opt/project && rocmenv sync --frozen --target host",
        "COPY --from=build /opt/project",
    ] {
        assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
    }
}

#[test]
fn taplo_checks_rocm_toml_by_the_schema() {
    let Some(sandbox) = tools("taplo_checks_rocm_toml_by_the_schema") else { return };
    sandbox.write("rocm.schema.json", rocmenv(&sandbox, &["schema"]).stdout);
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/taplo.toml");
    sandbox.write(".taplo.toml", fs_err::read(example).expect("the example"));
    done(&tool(&sandbox, "taplo", &["check", "rocm.toml"]));
    sandbox.write("wrong/rocm.toml", "[requires]\npython = 3\n");
    let output = tool(&sandbox, "taplo", &["check", "wrong/rocm.toml"]);
    assert_ne!(output.code, 0, "{}", output.snapshot());
}

#[test]
fn a_module_system_loads_a_module_file() {
    let test = "a_module_system_loads_a_module_file";
    let Some(sandbox) = tools(test) else { return };
    for folder in ["modules/env", "lua/env"] {
        let made = fs_err::create_dir_all(sandbox.project().join(folder));
        made.expect("the sandbox can be written");
    }
    done(&rocmenv(&sandbox, &["export", "module", "-o", "modules/env/1.0"]));
    done(&rocmenv(&sandbox, &["export", "module-lua", "-o", "lua/env/1.0.lua"]));
    // Debian's packages of the two exclude each other
    let (tcl, lmod) =
        ("/usr/lib/x86_64-linux-gnu/modulecmd.tcl", "/usr/share/lmod/lmod/libexec/lmod");
    let mut loaded = 0;
    for (program, command, folder) in
        [(tcl, format!("/usr/bin/tclsh {tcl} sh"), "modules"), (lmod, format!("{lmod} sh"), "lua")]
    {
        if Path::new(program).exists() {
            load(&sandbox, &command, folder);
            loaded += 1;
        }
    }
    if loaded == 0 {
        skipped(test, "it needs environment-modules or lmod");
    }
}

fn load(sandbox: &Sandbox, command: &str, folder: &str) {
    let folder = sandbox.project().join(folder);
    let show = "echo \"$VIRTUAL_ENV|$(command -v taplo)|$PIP_CONSTRAINT|$PYTHONHOME\"";
    let script = format!("eval \"$({command} load env/1.0)\"; {show}");
    let output = sandbox
        .command("/bin/sh")
        .args(["-c", &script])
        .env("PATH", "/usr/bin:/bin")
        .env("MODULEPATH", &folder)
        .env("PYTHONHOME", "/nowhere")
        .run();
    let generation = sandbox.project().join(".rocmenv/host/generations/1");
    let root = generation.display();
    let expected = format!("{root}/env|{root}/env/bin/taplo|{root}/constraints.txt|\n");
    assert_eq!(output.stdout, expected, "{command}: {}", output.snapshot());
}
