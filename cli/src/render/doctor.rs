//! A diagnosis for people and for programs.

use std::fmt::Write as _;

use rocmenv_manifests::registry::rows::faults::{Need, Report, Severity};
use rocmenv_manifests::registry::rows::requirements::Item;
use rocmenv_resolver::diagnose::Diagnosis;
use rocmenv_resolver::diagnose::facts::Facts;
use rocmenv_resolver::diagnose::remedies::{Diagnosed, Step};
use rocmenv_resolver::diagnose::requirements::{Answer, Verdict};
use rocmenv_resolver::diagnose::rules::Confidence;
use rocmenv_resolver::diagnose::walks::{Outcome, Symptom, Walk};
use serde_json::{Value, json};

/// Findings, what nothing explains, and the sum. `verbose` adds why and the sources.
pub fn diagnosis(facts: &Facts, diagnosis: &Diagnosis, verbose: bool) -> String {
    let mut blocks: Vec<String> =
        diagnosis.findings.iter().map(|finding| block(finding, verbose)).collect();
    blocks.extend(open_lines("seen, and explained by no fault above", &diagnosis.unexplained));
    blocks.extend(open_lines("not recognised", &diagnosis.unmatched));
    blocks.push(sum(facts, diagnosis));
    blocks.join("\n")
}

fn block(finding: &Diagnosed, verbose: bool) -> String {
    let severity = word(finding.severity);
    let sure = sureness(finding.confidence);
    let mut lines = vec![format!("{severity} {}: {}{sure}", finding.code, finding.title)];
    rows(&mut lines, "seen", finding.evidence.iter().cloned());
    if verbose {
        rows(&mut lines, "why", [finding.means.clone()]);
    }
    rows(&mut lines, "do", finding.remedy.iter().map(step));
    rows(&mut lines, "verify", [finding.verify.clone()]);
    if verbose {
        rows(&mut lines, "source", finding.source.iter().map(report));
    }
    lines.join("\n") + "\n"
}

/// A label once, and its lines beside it.
fn rows(lines: &mut Vec<String>, label: &str, texts: impl IntoIterator<Item = String>) {
    for (number, text) in texts.into_iter().enumerate() {
        let label = if number == 0 { label } else { "" };
        lines.push(format!("  {label:7} {text}"));
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn sureness(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Certain => "",
        Confidence::Likely => " (likely)",
        Confidence::Possible => " (possible)",
        Confidence::Symptom => " (a symptom; its cause was not seen)",
    }
}

fn step(step: &Step) -> String {
    let text = match (&step.run, &step.say) {
        (Some(run), _) => format!("$ {run}"),
        (None, Some(say)) => say.clone(),
        (None, None) => String::new(),
    };
    let needs: Vec<&str> = step
        .needs
        .iter()
        .map(|need| match need {
            Need::Root => "root",
            Need::Relogin => "a new login",
            Need::Reboot => "a reboot",
        })
        .collect();
    if needs.is_empty() { text } else { format!("{text}  (needs {})", needs.join(", ")) }
}

fn report(report: &Report) -> String {
    match &report.date {
        Some(date) => format!("{} ({date}, {})", report.at, report.basis),
        None => format!("{} ({})", report.at, report.basis),
    }
}

fn open_lines(title: &str, lines: &[String]) -> Option<String> {
    if lines.is_empty() {
        return None;
    }
    let mut out = vec![format!("{title}:")];
    out.extend(lines.iter().take(SHOWN).map(|line| format!("  {line}")));
    if lines.len() > SHOWN {
        out.push(format!("  and {} more (--json)", lines.len() - SHOWN));
    }
    Some(out.join("\n") + "\n")
}

const SHOWN: usize = 10;

fn sum(facts: &Facts, diagnosis: &Diagnosis) -> String {
    let count = |severity| diagnosis.findings.iter().filter(|one| one.severity == severity).count();
    let number = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let counts = [
        (count(Severity::Error), "error"),
        (count(Severity::Warning), "warning"),
        (count(Severity::Note), "note"),
    ];
    let said: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| number(*count, word))
        .collect();
    let mut lines = Vec::new();
    if said.is_empty() {
        lines.push("no fault that is known was found".to_owned());
    } else {
        lines.push(said.join(", "));
    }
    if facts.host.has_gpu() == Some(false) {
        lines.push("no AMD GPU was found on this machine".to_owned());
    }
    if !diagnosis.unexplained.is_empty() || !diagnosis.unmatched.is_empty() {
        lines.push(
            "to have the rest looked at, send the file of `rocmenv doctor --capture FILE`"
                .to_owned(),
        );
    }
    lines.join("\n")
}

/// The findings and the sum of a diagnosis as one document.
pub fn diagnosis_json(diagnosis: &Diagnosis) -> Value {
    let counting = diagnosis.errors().count();
    json!({
        "findings": diagnosis.findings,
        "unexplained": diagnosis.unexplained,
        "unmatched": diagnosis.unmatched,
        "errors": counting,
    })
}

/// A symptom, step by step, and the finding that is to be mended first.
pub fn walk(walk: &Walk, diagnosis: &Diagnosis) -> String {
    let mut lines = vec![symptom(walk.symptom).to_owned()];
    for (number, step) in walk.steps.iter().enumerate() {
        let outcome = match step.outcome {
            Outcome::Fine => "fine",
            Outcome::Fault => "FAULT",
            Outcome::NotKnown => "not known",
        };
        lines.push(format!("{}. {}: {outcome}", number + 1, step.question));
        lines.push(format!("   {}", step.seen));
        lines.extend(step.findings.iter().map(|code| format!("   {code}")));
    }
    lines.push(String::new());
    let cause = walk
        .cause
        .as_ref()
        .and_then(|cause| diagnosis.findings.iter().find(|finding| finding.code == *cause));
    match cause {
        Some(cause) => {
            lines.push("mend this first:".to_owned());
            lines.push(block(cause, true));
        }
        None => lines.push("none of these steps shows a fault that is known".to_owned()),
    }
    lines.join("\n")
}

fn symptom(symptom: Symptom) -> &'static str {
    match symptom {
        Symptom::NoGpu => "rocminfo or HIP sees no GPU",
        Symptom::FrameworkIgnoresGpu => "the framework does not use the GPU",
        Symptom::SlowTraining => "training is slower than it should be",
    }
}

/// A walk with the findings that it names.
pub fn walk_json(walk: &Walk, diagnosis: &Diagnosis) -> Value {
    let named = |code: &String| walk.steps.iter().any(|step| step.findings.contains(code));
    let findings: Vec<_> = diagnosis.findings.iter().filter(|one| named(&one.code)).collect();
    json!({ "symptom": walk.symptom, "steps": walk.steps, "cause": walk.cause, "findings": findings })
}

/// The environment matrix as a table.
pub fn requirements(answer: &Answer) -> String {
    let header = ["", "minimum", "recommended", "this machine", "verdict"];
    let rows: Vec<Vec<String>> = answer
        .lines
        .iter()
        .map(|line| {
            vec![
                item(line.item).to_owned(),
                line.minimum.clone(),
                line.recommended.clone(),
                line.has.clone(),
                verdict(line.verdict).to_owned(),
            ]
        })
        .collect();
    let mut out = format!("{}, ROCm {}\n\n", answer.workload, answer.rocm);
    out.push_str(&super::table(&header, &rows));
    out.push_str("\n\n");
    for line in &answer.lines {
        let base = line.baseline.map(|base| format!(" (the baseline alone: {})", verdict(base)));
        let _ = writeln!(out, "{}: {}{}", item(line.item), line.why, base.unwrap_or_default());
    }
    if !answer.instead.is_empty() {
        let _ = writeln!(out, "\nwhat would run: {}", answer.instead.join("; "));
    }
    out
}

fn item(item: Item) -> &'static str {
    match item {
        Item::Os => "operating system",
        Item::Cpu => "processor",
        Item::Ram => "memory (GB)",
        Item::Gpu => "GPU",
        Item::Vram => "GPU memory (GB)",
        Item::GpuCount => "GPUs",
        Item::Storage => "storage (GB)",
        Item::PowerSupply => "power supply (W)",
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::FullySupported => "fully supported",
        Verdict::Supported => "supported",
        Verdict::NotKnown => "not known",
        Verdict::BelowMinimum => "below minimum",
        Verdict::StatedNo => "stated no",
    }
}
