//! Public reports from Windows and WSL2: `windows-cases.toml` says what is right, and
//! docs/cases-windows.md is made of what comes out, misses among it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rocmenv_tests::Sandbox;
use serde::Deserialize;

use crate::documents::is_in_step;
use crate::measured::Case;
use crate::repository;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
    doctor: Vec<Diagnosed>,
}

/// A report that is replayed by the tests of doctor.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Diagnosed {
    source: String,
    what: String,
}

#[test]
fn reports_from_windows_are_answered_as_they_were_when_last_measured() {
    let sandbox = Sandbox::new();
    let mut wrong = String::new();
    for case in &cases().case {
        let output = case.asked(&sandbox);
        let outcome = case.outcome(&output, |code| code != 0 && code < 2);
        if outcome != case.outcome {
            let (asked, said) = (case.ask.join(" "), output.snapshot());
            let _ = writeln!(wrong, "{} ({asked}) is {outcome}\n{said}", case.source);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn docs_cases_windows_lists_them() {
    is_in_step("docs/cases-windows.md", &document(&cases()));
}

fn cases() -> Cases {
    let path = repository("tests/cli/windows-cases.toml");
    toml_edit::de::from_str(&fs_err::read_to_string(path).expect("the cases")).expect("cases")
}

/// What doctor has to find in each report that it is measured on.
fn findings() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for letter in 'a'..='h' {
        let path = repository(&format!("tests/data/doctor/cases-{letter}.txt"));
        let text = fs_err::read_to_string(path).expect("the reports");
        for entry in text.split("@@@ ").skip(1) {
            let source = entry.lines().next().unwrap_or_default().to_owned();
            let expect = entry.lines().find_map(|line| line.strip_prefix("expect "));
            found.insert(source, expect.expect("what is right").to_owned());
        }
    }
    found
}

fn document(cases: &Cases) -> String {
    let mut text = String::from(
        "# Public cases from Windows and WSL2\n\nEach report is asked of `rocmenv check` with the \
         reporter's own host (tests/cli/windows-cases.toml), or replayed for `rocmenv doctor` where \
         the fault is a state of the machine ([cases-doctor.md](cases-doctor.md)). No Windows and \
         no GPU was at hand: what is compared is the answer with the one that the thread settled \
         on. A test keeps this page and the program in step.\n\n\
         ## Asked of `check`\n\n| report | what | outcome | asked |\n|---|---|---|---|\n",
    );
    for Case { source, what, ask, outcome, .. } in &cases.case {
        let outcome = if outcome == "right" { outcome.clone() } else { format!("**{outcome}**") };
        let ask: Vec<String> = ask
            .iter()
            .map(|word| if word.contains(' ') { format!("\"{word}\"") } else { word.clone() })
            .collect();
        let _ = writeln!(text, "| {source} | {what} | {outcome} | `check {}` |", ask.join(" "));
    }
    text.push_str("\n## Told by `doctor`\n\n| report | what | finding |\n|---|---|---|\n");
    let findings = findings();
    for Diagnosed { source, what } in &cases.doctor {
        let finding = match findings[source].as_str() {
            "none" => "no error, which is right".to_owned(),
            codes => format!("`{}`", codes.replace('|', "` or `")),
        };
        let _ = writeln!(text, "| {source} | {what} | {finding} |");
    }
    let missed: Vec<&Case> = cases.case.iter().filter(|case| case.outcome != "right").collect();
    let _ = writeln!(
        text,
        "\n## Misses\n\n{} of {} reports are not answered as their threads were:\n",
        missed.len(),
        cases.case.len() + cases.doctor.len()
    );
    for Case { source, what, answer, outcome, .. } in missed {
        let _ = writeln!(text, "- {source}, {outcome}: {what}. Right is \"{answer}\".");
    }
    text
}
