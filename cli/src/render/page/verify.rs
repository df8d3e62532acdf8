//! What `verify` found as a page: stage by stage, how far each look went and how long it took.

use super::{Page, escaped};
use crate::ops::verify::{Finding, Result as Found, StageOutcome, VerifyOutcome};
use crate::render::moment;
use crate::render::verify::{level, word};

/// What the page says beside the outcome.
#[derive(Debug, Clone, Copy)]
pub struct VerifyPage<'p> {
    /// The project.
    pub project: &'p str,
    /// When (RFC 3339, UTC).
    pub at: &'p str,
    /// The outcome.
    pub outcome: &'p VerifyOutcome,
}

/// The page.
pub fn verify_html(page: &VerifyPage<'_>) -> String {
    let outcome = page.outcome;
    let findings = || outcome.stages.iter().flat_map(|stage| &stage.findings);
    let counts: Vec<String> = [Found::Passed, Found::Warned, Found::Failed, Found::Skipped]
        .into_iter()
        .map(|result| {
            let number = findings().filter(|finding| finding.result == result).count();
            let name = word(result).to_lowercase();
            format!("<span class=\"result {name}\">{number} {name}</span> ")
        })
        .collect();
    let counts = counts.concat();
    let not_run = findings()
        .filter(|finding| finding.result == Found::Skipped)
        .map(|finding| {
            format!("<li><b>{}</b>: {}</li>\n", escaped(&finding.what), escaped(&finding.detail))
        })
        .collect::<Vec<_>>()
        .concat();
    let not_run = if not_run.is_empty() {
        String::new()
    } else {
        format!("<h2>Not run, and so not proven</h2>\n<ul>\n{not_run}</ul>\n")
    };
    let verdict = if outcome.has_passed() { "Nothing failed" } else { "Verification failed" };
    let longest = outcome.stages.iter().map(|stage| stage.seconds).fold(0.0, f64::max);
    let stages: String = outcome.stages.iter().map(|one| stage(one, longest)).collect();
    let body = format!(
        "<h1>{verdict}: {}</h1>\n<p class=\"soft\">Generation {}, looked at on {}. Each line says \
         how far it went: <b>read</b> facts or files, <b>loaded</b> modules or libraries, \
         <b>ran</b> programs to their end. What was skipped proves nothing.</p>\n\
         <p id=\"counts\">{counts}</p>\n{stages}{not_run}",
        escaped(page.project),
        outcome.generation,
        escaped(&moment(page.at))
    );
    let page = Page {
        title: &format!("rocmenv verify: {}", page.project),
        style: include_str!("assets/verify.css"),
        body: &body,
        script: "",
    };
    page.html()
}

fn stage(stage: &StageOutcome, longest: f64) -> String {
    let rows: String = stage.findings.iter().map(row).collect();
    let share = if longest > 0.0 { stage.seconds / longest * 100.0 } else { 0.0 };
    let found = if rows.is_empty() {
        "<p class=\"soft\">this environment has nothing for it to look at</p>".to_owned()
    } else {
        format!(
            "<table>\n<tr><th>result</th><th>proof</th><th>time</th><th>what</th><th>found</th></tr>\n\
             {rows}</table>"
        )
    };
    format!(
        "<section id=\"{name}\">\n<h2>{name} <span class=\"time\"><span class=\"bar\" \
         style=\"width:{share:.0}px\"></span>{:.2} s</span></h2>\n{found}\n</section>\n",
        stage.seconds,
        name = stage.stage
    )
}

fn row(finding: &Finding) -> String {
    let name = word(finding.result).to_lowercase();
    let seconds = finding.seconds.map(|seconds| format!("{seconds:.2} s")).unwrap_or_default();
    format!(
        "<tr><td><span class=\"result {name}\">{name}</span></td><td>{}</td><td>{seconds}</td>\
         <td>{}</td><td>{}</td></tr>\n",
        level(finding),
        escaped(&finding.what),
        escaped(&finding.detail)
    )
}
