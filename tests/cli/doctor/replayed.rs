//! Public reports, replayed: the right answer of each, and how many of each kind are right, keyed
//! by their threads. docs/cases-doctor.md shows the very numbers that are counted here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rocmenv_tests::Sandbox;

use super::codes_in;
use crate::repository;

struct Report {
    source: String,
    kind: String,
    expect: String,
    capture: String,
}

fn reports() -> Vec<Report> {
    let mut found = Vec::new();
    for letter in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let path = repository(&format!("tests/data/doctor/cases-{letter}.txt"));
        let text = fs_err::read_to_string(path).expect("the reports are there");
        for entry in text.split("@@@ ").skip(1) {
            let mut parts = entry.splitn(4, '\n');
            let mut line = |start: &str| {
                let line = parts.next().expect("a line");
                line.strip_prefix(start).unwrap_or_else(|| panic!("no {start}: {line}")).to_owned()
            };
            let (source, kind, expect) = (line(""), line("kind "), line("expect "));
            let capture = parts.next().expect("a capture").to_owned();
            found.push(Report { source, kind, expect, capture });
        }
    }
    found
}

#[derive(Default)]
struct Count {
    right: u32,
    wrong: u32,
    unknown: u32,
}

/// `none` is right where no error is found; a code, where it is among the findings. Not known:
/// nothing was found, or the report holds nothing to find.
#[test]
fn public_reports_get_their_right_answers() {
    let sandbox = Sandbox::new();
    let mut kinds: BTreeMap<String, Count> = BTreeMap::new();
    let (mut misses, mut wrongs) = (Vec::new(), Vec::new());
    for report in reports() {
        let (found, exit) = codes_in(&sandbox, &report.capture);
        let count = kinds.entry(report.kind.clone()).or_default();
        let is_right = match report.expect.as_str() {
            "none" => exit == 0,
            expect => expect.split('|').any(|code| found.iter().any(|own| own == code)),
        };
        if is_right {
            count.right += 1;
        } else if report.expect == "-" || (found.is_empty() && report.expect != "none") {
            count.unknown += 1;
            misses.push(format!("{} ({})", report.source, report.kind));
        } else {
            count.wrong += 1;
            wrongs.push(format!("{}: wanted {}, found {found:?}", report.source, report.expect));
        }
    }
    assert!(wrongs.is_empty(), "wrong answers:\n{}", wrongs.join("\n"));
    let mut table = String::from("| kind | right | wrong | not known |\n|---|---|---|---|\n");
    let mut sum = Count::default();
    for (kind, count) in &kinds {
        let Count { right, wrong, unknown } = count;
        let _ = writeln!(table, "| {kind} | {right} | {wrong} | {unknown} |");
        sum.right += right;
        sum.wrong += wrong;
        sum.unknown += unknown;
    }
    let _ = writeln!(table, "| all | {} | {} | {} |", sum.right, sum.wrong, sum.unknown);
    let _ = write!(table, "\nNot known: {}.\n", misses.join(", "));
    let document =
        fs_err::read_to_string(repository("docs/cases-doctor.md")).expect("the document");
    let shown = document.split("<!-- measured -->\n").nth(1).unwrap_or_default();
    assert!(shown.starts_with(&table), "docs/cases-doctor.md has to hold after its mark:\n{table}");
}
