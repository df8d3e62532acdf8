//! The documents that are made from the program are in step with it.

use std::fmt::Write as _;

use rocmenv_tests::Sandbox;

use crate::{repository, rocmenv};

#[test]
#[expect(clippy::disallowed_methods, reason = "the switch by which a person rewrites the document")]
fn docs_commands_is_what_help_says() {
    let sandbox = Sandbox::new();
    let top = rocmenv(&sandbox, "--help").stdout;
    let mut text = String::from(
        "# Commands\n\nWhat `--help` says, kept so by a test. Global options are shown once.\n",
    );
    let _ = write!(text, "\n## rocmenv\n\n```text\n{top}```\n");
    for verb in verbs(&top) {
        let help = rocmenv(&sandbox, &format!("{verb} --help")).stdout;
        let own = help.split("\nGlobal options:").next().unwrap_or_default();
        let _ = write!(text, "\n## rocmenv {verb}\n\n```text\n{}\n```\n", own.trim_end());
    }
    let path = repository("docs/commands.md");
    if std::env::var_os("ROCMENV_WRITE_DOCS").is_some() {
        fs_err::write(&path, &text).expect("the document can be written");
    }
    let written = fs_err::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "docs/commands.md is out of step: run with ROCMENV_WRITE_DOCS=1");
}

/// The words in the column of commands, `help` left out.
fn verbs(help: &str) -> Vec<&str> {
    let commands = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let lines = commands.unwrap_or_default().lines();
    let words = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let verbs = words.filter_map(|line| line.split_whitespace().next());
    verbs.filter(|verb| *verb != "help").collect()
}

#[test]
fn the_manual_has_one_page_a_command() {
    let sandbox = Sandbox::new();
    assert_eq!(rocmenv(&sandbox, "man --directory man").code, 0);
    for page in ["rocmenv.1", "rocmenv-init.1", "rocmenv-shims-install.1"] {
        assert!(sandbox.read(&format!("man/{page}")).contains(".TH"), "{page}");
    }
    assert!(rocmenv(&sandbox, "man").stdout.contains("Exit codes"));
}

#[test]
fn the_schema_knows_the_keys_that_users_write() {
    let output = rocmenv(&Sandbox::new(), "schema");
    let schema: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
    let keys = schema["properties"].as_object().expect("properties");
    for key in ["project", "requires", "rocm", "python-packages", "targets", "env", "verify"] {
        assert!(keys.contains_key(key), "{key}");
    }
}

#[test]
fn starting_is_fast() {
    let sandbox = Sandbox::new();
    let once = || {
        let start = std::time::Instant::now();
        assert_eq!(rocmenv(&sandbox, "--version").code, 0);
        start.elapsed()
    };
    let best = (0..10).map(|_| once()).min().expect("ten runs");
    // The budget is 10 ms for a release build; a debug build on a busy machine gets more.
    assert!(best < std::time::Duration::from_millis(60), "{best:?}");
}
