//! The recipe for continuous integration: its shell lines are run, and its gates fail as written.

use rocmenv_tests::{IndexServer, Output, Sandbox, World, machine_python};

use super::{node, rocmenv, small};

/// A project as the recipe expects it, with a target of its name.
fn project() -> (IndexServer, Sandbox) {
    let server = IndexServer::start(World::new().index(small()));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_rocmenv"));
    let folder = program.parent().expect("a folder").display().to_string();
    sandbox.env("PATH", &format!("{folder}:/usr/bin:/bin"));
    let series = machine_python().1;
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\npython = \"{series}\"\n[python-packages]\ngreet = \"*\"\n\
             [python]\nsource = \"host\"\n{}",
            node("\"MI300X\"")
        ),
    );
    sandbox.write(
        "test_greet.py",
        "import unittest, words\nclass Test(unittest.TestCase):\n    \
         def test_words(self):\n        self.assertEqual(words.hello(), 'hello')\n",
    );
    (server, sandbox)
}

/// The shell lines of the recipe in their order, with the target filled in. How the program comes
/// onto the path is the reader's own affair.
fn lines() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/github-actions.yml");
    let text = fs_err::read_to_string(path).expect("the recipe is there");
    let runs = text.lines().filter_map(|line| line.trim().strip_prefix("run: "));
    let runs = runs.filter(|line| !line.starts_with("cargo install"));
    runs.map(|line| line.replace("${{ matrix.target }}", "node")).collect()
}

fn shell(sandbox: &Sandbox, line: &str) -> Output {
    sandbox.command("/bin/sh").args(["-ec", line]).run()
}

#[test]
fn every_line_of_the_recipe_runs_without_a_gpu() {
    let (_server, sandbox) = project();
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    let lines = lines();
    assert_eq!(lines.len(), 6, "{lines:?}");
    for line in lines {
        let output = shell(&sandbox, &line);
        assert_eq!(output.code, 0, "{line}: {}", output.snapshot());
    }
    assert!(sandbox.read("bom-node.json").contains("CycloneDX"));
}

#[test]
fn the_gates_end_with_the_codes_of_the_page() {
    let (_server, sandbox) = project();
    let code = |words: &str| rocmenv(&sandbox, words).code;
    assert_eq!(code("lock --check"), 3, "there is no lock");
    assert_eq!(code("lock -q"), 0);
    assert_eq!(code("lock --check"), 0);
    let good = sandbox.read("rocm.toml");
    sandbox.write("rocm.toml", good.replace("greet", "words"));
    assert_eq!(code("lock --check"), 3, "the lock is for something else");
    assert_eq!(code("sync --locked --target node"), 3);
    sandbox.write("rocm.toml", good.replace("greet", "nobody-has-this"));
    assert_eq!(code("lock --check"), 1, "no solution");
    sandbox.write("rocm.toml", good.replace("[requires]", "[require]"));
    assert_eq!(code("lock --check"), 2, "rocm.toml is wrong");
    sandbox.write("rocm.toml", &good);
    let lock = sandbox.read("rocm.lock");
    let line = lock.lines().find(|line| line.starts_with("sha256")).expect("a digest");
    sandbox.write("rocm.lock", lock.replace(line, &format!("sha256 = \"{}\"", "0".repeat(64))));
    assert_eq!(code("sync --frozen --target node"), 5, "another file than was locked");
    sandbox.write("rocm.lock", lock.replace(&format!("{line}\n"), ""));
    assert_eq!(code("sync --frozen --target node"), 3, "a file without a digest");
    sandbox.write("rocm.lock", &lock);
    assert_eq!(code("sync --frozen --target node"), 0);
    assert_eq!(code("verify files import --target node"), 0);
    assert_eq!(code("run --target node python -c raise(SystemExit(41))"), 41);
    let module = sandbox.project().join(".rocmenv/node/generations/1/env");
    let found = fs_err::read_dir(module.join("lib")).expect("an environment").next();
    let library = found.expect("one library").expect("a folder").path();
    let module = library.join("site-packages/words/__init__.py");
    fs_err::remove_file(&module).expect("it was installed");
    assert_eq!(code("verify files import --target node"), 1, "a file is gone");
}

#[test]
fn the_page_of_exit_codes_is_what_help_says() {
    let help = rocmenv(&Sandbox::new(), "--help").stdout;
    let listed = help.split("Exit codes:\n").nth(1).expect("the codes").lines();
    let listed: Vec<(String, String)> = listed
        .filter_map(|line| line.trim().split_once("  "))
        .map(|(code, text)| (code.to_owned(), text.trim().to_owned()))
        .collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/exit-codes.md");
    let page = fs_err::read_to_string(path).expect("the page is there");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let rows: Vec<(String, String)> = rows
        .filter(|row| row.starts_with(|c: char| c.is_ascii_digit()))
        .filter_map(|row| {
            let mut cells = row.split(" | ");
            Some((cells.next()?.to_owned(), cells.next()?.to_owned()))
        })
        .collect();
    assert_eq!(rows, listed);
}

#[test]
fn renovate_is_told_versions_days_and_what_is_stable() {
    let output = rocmenv(&Sandbox::new(), "registry --renovate rocm");
    let json: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
    let releases = json["releases"].as_array().expect("a list");
    let find = |version: &str| releases.iter().find(|one| one["version"] == version);
    assert_eq!(find("10.1.0").map(|one| &one["isStable"]), Some(&true.into()));
    assert_eq!(find("7.10.0").map(|one| &one["isStable"]), Some(&false.into()));
    let torch = rocmenv(&Sandbox::new(), "registry --renovate torch").stdout;
    assert!(torch.contains("\"version\": \"2.13.0\""), "{torch}");
    let wrong = rocmenv(&Sandbox::new(), "registry --renovate pytroch");
    assert_eq!(wrong.code, 2, "{}", wrong.snapshot());
}
