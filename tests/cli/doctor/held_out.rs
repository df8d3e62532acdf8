//! Public threads that no rule was made for: folders of what their reporters pasted, made before
//! the answers were looked at. docs/cases-doctor.md shows what is counted here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rocmenv_tests::Sandbox;

use crate::{repository, rocmenv};

struct Thread {
    source: String,
    /// What the thread settled on: codes with `|` between, or `-` where it settled on nothing that
    /// a look at the machine could tell.
    settled: String,
    /// The outputs, name and text.
    outputs: Vec<(String, String)>,
}

fn threads() -> Vec<Thread> {
    let data = |name: &str| {
        let path = repository(&format!("tests/data/doctor/{name}"));
        fs_err::read_to_string(path).expect("the threads are there")
    };
    let mut settled: BTreeMap<String, String> = data("held-out-settled.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let mut words = line.split_whitespace();
            let mut word = || words.next().expect("a thread and its answer").to_owned();
            (word(), word())
        })
        .collect();
    let pasted = data("held-out.txt");
    let threads = pasted.split("@@@ ").skip(1).map(|entry| {
        let (source, rest) = entry.split_once('\n').expect("a thread");
        let outputs = rest.split("=== ").skip(1).map(|output| {
            let (name, text) = output.split_once('\n').expect("an output");
            (name.to_owned(), text.to_owned())
        });
        Thread {
            source: source.to_owned(),
            settled: settled.remove(source).unwrap_or_else(|| panic!("{source} has no answer")),
            outputs: outputs.collect(),
        }
    });
    let threads: Vec<Thread> = threads.collect();
    assert!(settled.is_empty(), "answers without a thread: {settled:?}");
    threads
}

/// Right: the answer is among the findings; where a thread settled on nothing that could be seen,
/// no error is found. Not known: no finding. Wrong: another one in its place.
fn judged(thread: &Thread, found: &[String], exit: i32) -> &'static str {
    let is_right = match thread.settled.as_str() {
        "-" => exit == 0,
        settled => settled.split('|').any(|code| found.iter().any(|own| own == code)),
    };
    match (is_right, found.is_empty()) {
        (true, _) => "right",
        (false, true) => "not known",
        (false, false) => "wrong",
    }
}

#[test]
fn threads_that_no_rule_was_made_for() {
    let sandbox = Sandbox::new();
    let mut table = String::from("| thread | settled on | found | |\n|---|---|---|---|\n");
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let threads = threads();
    assert!(threads.len() >= 25);
    for (number, thread) in threads.iter().enumerate() {
        for (name, text) in &thread.outputs {
            sandbox.write(&format!("{number}/{name}"), text);
        }
        let output = rocmenv(&sandbox, &format!("doctor --from {number} --json"));
        let json: serde_json::Value = serde_json::from_str(&output.stdout)
            .unwrap_or_else(|error| panic!("{}: {error}: {}", thread.source, output.snapshot()));
        let code = |finding: &serde_json::Value| finding["code"].as_str().map(str::to_owned);
        let found: Vec<String> =
            json["findings"].as_array().into_iter().flatten().filter_map(code).collect();
        let verdict = judged(thread, &found, output.code);
        *counts.entry(verdict).or_default() += 1;
        let settled = if thread.settled == "-" {
            "nothing to see".to_owned()
        } else {
            thread.settled.replace('|', " or ")
        };
        let shown = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
        let _ = writeln!(table, "| {} | {settled} | {shown} | {verdict} |", thread.source);
    }
    let count = |verdict| counts.get(verdict).copied().unwrap_or_default();
    let (right, wrong, unknown) = (count("right"), count("wrong"), count("not known"));
    let _ = writeln!(table, "\nNow: {right} right, {wrong} wrong, {unknown} not known.");
    let document =
        fs_err::read_to_string(repository("docs/cases-doctor.md")).expect("the document");
    let shown = document.split("<!-- held out -->\n").nth(1).unwrap_or_default();
    assert!(shown.starts_with(&table), "docs/cases-doctor.md has to hold after its mark:\n{table}");
}
