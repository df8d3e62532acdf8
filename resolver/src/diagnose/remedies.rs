//! A finding in the words of the registry's catalogue, with the remedy for this platform.

use std::collections::BTreeMap;

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::faults::{Fault, Need, Report, Scope, Severity};
use serde::Serialize;

use super::facts::Facts;
use super::rules::{Confidence, Finding};

/// A finding with everything that a person needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Diagnosed {
    /// The fault's code.
    pub code: String,
    /// Its family.
    pub family: String,
    /// How bad it is.
    pub severity: Severity,
    /// How sure the rule is.
    pub confidence: Confidence,
    /// What has to change.
    pub scope: Scope,
    /// One line.
    pub title: String,
    /// The lines that show it.
    pub evidence: Vec<String>,
    /// What it is and why it happens.
    pub means: String,
    /// What to do here, in order.
    pub remedy: Vec<Step>,
    /// The command that shows that it is mended.
    pub verify: String,
    /// Where it was met.
    pub source: Vec<Report>,
}

/// One step of a remedy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Step {
    /// The command, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The advice, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
    /// What it takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<Need>,
}

/// A finding in words; `None` for a code that the catalogue lacks, which a test excludes.
pub fn describe(finding: &Finding, facts: &Facts, registry: &Registry) -> Option<Diagnosed> {
    let row = registry.faults().fault.iter().find(|row| row.code == finding.code)?;
    let fill = |text: &str| filled(text, &finding.data);
    Some(Diagnosed {
        code: row.code.clone(),
        family: row.family.clone(),
        severity: row.severity,
        confidence: finding.confidence,
        scope: row.scope,
        title: fill(&row.title),
        evidence: finding.evidence.clone(),
        means: fill(&row.means),
        remedy: steps(row, facts, &finding.data),
        verify: fill(&row.verify),
        source: row.report.clone(),
    })
}

/// The steps for this platform; all of them where the platform is not known.
fn steps(row: &Fault, facts: &Facts, data: &BTreeMap<&'static str, String>) -> Vec<Step> {
    let words = facts.platform_words();
    let is_known = facts.host.os.family.is_some() || facts.is_wsl();
    let packaged = ["debian", "fedora", "arch", "suse"];
    let names_distribution = words.iter().any(|word| packaged.contains(word));
    let fits = |on: &str| {
        !is_known
            || words.contains(&on)
            // a distribution that is not known gets the commands of all
            || (packaged.contains(&on) && !names_distribution && words.contains(&"linux"))
    };
    let steps = row.remedy.iter().filter(|step| fits(&step.on));
    steps
        .map(|step| Step {
            run: step.run.as_deref().map(|text| filled(text, data)),
            say: step.say.as_deref().map(|text| filled(text, data)),
            needs: step.needs.clone(),
        })
        .collect()
}

/// `{name}` by what the finding knows, else as a name to fill in (`GROUP`). Other braces, of
/// shells and of awk, stay.
fn filled(text: &str, data: &BTreeMap<&'static str, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        out.push_str(&rest[..start]);
        let after = &rest[start + 1..];
        let name = after.split('}').next().filter(|_| after.contains('}')).unwrap_or_default();
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        if is_name {
            match data.get(name) {
                Some(value) => out.push_str(value),
                None => out.push_str(&name.to_uppercase()),
            }
            rest = &after[name.len() + 1..];
        } else {
            out.push('{');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_filled_and_other_braces_stay() {
        let data = BTreeMap::from([("group", "render".to_owned())]);
        assert_eq!(filled("usermod -aG {group} {user}", &data), "usermod -aG render USER");
        assert_eq!(filled("awk '{print $2; exit}' {", &data), "awk '{print $2; exit}' {");
    }
}
