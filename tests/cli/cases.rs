//! Public reports, asked of `check` with the reporter's host: what is right is written in
//! `cases.toml`, what comes out is counted in docs/cases-check.md, wrong ones among it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rocmenv_tests::Sandbox;
use serde::Deserialize;

use crate::documents::is_in_step;
use crate::measured::Case;
use crate::repository;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
    tested: Vec<Tested>,
    left_out: Vec<LeftOut>,
}

/// A case of packages that `check` does not know, asked of `lock` in a test of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tested {
    source: String,
    kind: String,
    what: String,
    file: String,
    test: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeftOut {
    kinds: String,
    sources: Vec<String>,
    why: String,
}

#[test]
fn public_cases_are_answered_as_they_were_when_last_measured() {
    let cases = cases();
    let sandbox = Sandbox::new();
    let mut wrong = String::new();
    for case in &cases.case {
        let output = case.asked(&sandbox);
        let outcome = case.outcome(&output, |code| code != 0);
        if outcome != case.outcome {
            let _ = writeln!(
                wrong,
                "{} ({}) is {outcome}, not {}\n{}",
                case.source,
                case.ask.join(" "),
                case.outcome,
                output.snapshot()
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn cases_that_lock_answers_have_their_tests() {
    for tested in cases().tested {
        let text = fs_err::read_to_string(repository(&tested.file)).expect("a file of tests");
        let head = format!("#[test]\nfn {}()", tested.test);
        assert!(text.contains(&head), "{}: {} has no {}", tested.source, tested.file, tested.test);
    }
}

#[test]
fn docs_cases_check_counts_them() {
    is_in_step("docs/cases-check.md", &document(&cases()));
}

fn cases() -> Cases {
    let text = fs_err::read_to_string(repository("tests/cli/cases.toml")).expect("the cases");
    toml_edit::de::from_str(&text).expect("cases")
}

fn document(cases: &Cases) -> String {
    let mut kinds: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for case in &cases.case {
        let at = ["right", "wrong", "not-known"].iter().position(|word| *word == case.outcome);
        kinds.entry(&case.kind).or_default()[at.expect("an outcome")] += 1;
    }
    let mut text = String::from(
        "# Public cases asked of `check`\n\nReports of users, each asked of `rocmenv check` with \
         the reporter's own host and request (tests/cli/cases.toml). \"Right\" means that the \
         answer is the one that the thread settled on; \"not known\" that no document in the \
         registry speaks of it, so that it is let through and said to be not known. A test keeps \
         this page and the program in step.\n\nOn the first run 38 of 46 were right. The other \
         eight came right afterwards: by rows of the registry that were made from these very \
         threads (ROCm/tensorflow-upstream#2146, ROCm/ROCm#3986, ROCm/rocBLAS#1331, \
         aqarooni02/Comfyui-AMD-Windows-Install-Script#1), by naming PyTorch's own build, which \
         AMD's own for the same GPU say nothing of (pytorch/pytorch#164346, \
         likelovewant/ROCmLibs-for-gfx1103-AMD780M-APU#37), and by taking a warning for right \
         where one reporter saw it or the GPU works with less memory \
         (AUTOMATIC1111/stable-diffusion-webui#15464, ROCm/ROCm#5444). So the numbers guard \
         against falling back; they predict nothing for reports that nobody has read.\n\n\
         | kind | cases | right | wrong | not known |\n|---|---|---|---|---|\n",
    );
    let mut all = [0; 3];
    for (kind, counts) in &kinds {
        row(&mut text, kind, counts);
        all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    row(&mut text, "all", &all);
    text.push_str("\n## Those that are not right\n\n");
    if cases.case.iter().all(|case| case.outcome == "right") {
        text.push_str("None.\n");
    }
    for case in cases.case.iter().filter(|case| case.outcome != "right") {
        let _ = writeln!(
            text,
            "- {} ({}), {}: {}. Asked: `rocmenv check {}`. Right is \"{}\"{}.",
            case.source,
            case.kind,
            case.outcome.replace('-', " "),
            case.what,
            case.ask.join(" "),
            case.answer,
            match case.says.as_slice() {
                [] => String::new(),
                says => format!(", naming {}", says.join(", ")),
            }
        );
    }
    text.push_str("\n## Asked of `lock`\n\nClosures of packages that `check` does not know; each is a test of the program that comes out right.\n\n");
    for tested in &cases.tested {
        let Tested { source, kind, what, test, file } = tested;
        let _ = writeln!(text, "- {source} ({kind}): {what}. `{test}` in {file}.");
    }
    text.push_str("\n## Left out\n\n");
    for left_out in &cases.left_out {
        let sources = left_out.sources.join(", ");
        let _ = writeln!(text, "- {} ({}): {}.", left_out.kinds, sources, left_out.why);
    }
    text
}

fn row(text: &mut String, kind: &str, [right, wrong, unknown]: &[usize; 3]) {
    let cases = right + wrong + unknown;
    let _ = writeln!(text, "| {kind} | {cases} | {right} | {wrong} | {unknown} |");
}
