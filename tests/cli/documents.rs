//! The documents that are made from the program are in step with it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rocmenv_tests::Sandbox;
use serde_json::Value;

use crate::{repository, rocmenv};

#[test]
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
    is_in_step("docs/commands.md", &text);
}

/// A document that is made from the program is in step with it.
#[expect(clippy::disallowed_methods, reason = "the switch by which a person rewrites the document")]
pub(crate) fn is_in_step(document: &str, text: &str) {
    let path = repository(document);
    if std::env::var_os("ROCMENV_WRITE_DOCS").is_some() {
        fs_err::write(&path, text).expect("the document can be written");
    }
    let written = fs_err::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "{document} is out of step: run with ROCMENV_WRITE_DOCS=1");
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
    let schema: Value = serde_json::from_str(&output.stdout).expect("JSON");
    let keys = schema["properties"].as_object().expect("properties");
    for key in ["project", "requires", "rocm", "python-packages", "targets", "env", "verify"] {
        assert!(keys.contains_key(key), "{key}");
    }
}

#[test]
fn docs_rocm_toml_lists_every_key_and_no_other() {
    let output = rocmenv(&Sandbox::new(), "schema");
    let schema: Value = serde_json::from_str(&output.stdout).expect("JSON");
    let written = fs_err::read_to_string(repository("docs/rocm-toml.md")).expect("the document");
    let mut top = BTreeSet::new();
    keys(&schema, &schema, "", &mut top);
    assert_eq!(documented(&written, "## Tables"), top);
    let own = |name: &str| {
        let mut own = BTreeSet::new();
        keys(&schema, &schema["$defs"][name], "", &mut own);
        own
    };
    assert_eq!(documented(&written, "## A package table"), own("RawPackage"));
    let target: BTreeSet<String> = own("RawTarget").union(&own("RawGpu")).cloned().collect();
    assert_eq!(documented(&written, "## A target"), target);
}

/// The keys below a table of the schema, with dots. Tables that have a section of their own end
/// the walk.
fn keys(root: &Value, schema: &Value, path: &str, found: &mut BTreeSet<String>) {
    let name = schema["$ref"].as_str().and_then(|it| it.strip_prefix("#/$defs/"));
    let below = |key: &str| match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    };
    if name == Some("RawTarget") {
        found.insert(below("*"));
        return;
    }
    let schema = name.map_or(schema, |name| &root["$defs"][name]);
    let properties = schema["properties"].as_object();
    for (key, inner) in properties.into_iter().flatten() {
        keys(root, inner, &below(key), found);
    }
    let open = Some(&schema["additionalProperties"]).filter(|it| it.is_object());
    if let Some(inner) = open {
        keys(root, inner, &below("NAME"), found);
    }
    if properties.is_none() && open.is_none() {
        found.insert(path.to_owned());
    }
}

/// The first columns of the tables under a heading.
fn documented(text: &str, heading: &str) -> BTreeSet<String> {
    let after = text.split(heading).nth(1).expect("the heading");
    let section = after.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split('`').next()).map(str::to_owned).collect()
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
