//! A difference in one sentence, then the packages.

use crate::ops::difference::{Changed, Difference};

/// The sentence and one line a package; the sentence alone where no package changes.
pub fn difference(difference: &Difference) -> String {
    let mut lines: Vec<String> = difference_words(difference).into_iter().collect();
    lines.extend(super::plan(&difference.plan));
    if lines.is_empty() {
        lines.push(format!("the same {}", super::packages(difference.plan.keep.len())));
    }
    lines.join("\n")
}

/// `ROCm 7.2.4 -> 10.0.0: gfx906 lost, index moved (2 packages: python -> amd-whl-next), torch
/// 2.9.1 -> 2.12.0`; `None` where nothing of the stack changes.
pub fn difference_words(difference: &Difference) -> Option<String> {
    let mut parts = Vec::new();
    let mut listed = |names: &[rocmenv_manifests::gfx::GfxTarget], word: &str| {
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            parts.push(format!("{} {word}", names.join(" ")));
        }
    };
    listed(&difference.gfx_lost, "lost");
    listed(&difference.gfx_gained, "gained");
    if let Some(driver) = &difference.driver {
        parts.push(match (&driver.from, &driver.to) {
            (_, Some(to)) => format!("needs {to}"),
            (Some(from), None) => format!("no longer needs {from}"),
            (None, None) => String::new(),
        });
    }
    if let Some(channel) = &difference.channel {
        parts.push(format!("channel {}", arrow(channel)));
    }
    for one in &difference.index_moves {
        let count = match one.packages.as_slice() {
            [only] => only.clone(),
            more => format!("{} packages", more.len()),
        };
        parts.push(format!("index moved ({count}: {} -> {})", one.from, one.to));
    }
    if let Some(python) = &difference.python {
        parts.push(format!("Python {}", arrow(python)));
    }
    let frameworks = difference.frameworks.iter();
    parts.extend(frameworks.map(|one| format!("{} {}", one.package, arrow(&one.version))));
    let head = difference.rocm.as_ref().map(|rocm| format!("ROCm {}", arrow(rocm)));
    match (head, parts.is_empty()) {
        (Some(head), true) => Some(head),
        (Some(head), false) => Some(format!("{head}: {}", parts.join(", "))),
        (None, true) => None,
        (None, false) => Some(parts.join(", ")),
    }
}

fn arrow(changed: &Changed) -> String {
    let word = |side: &Option<String>| side.clone().unwrap_or_else(|| "none".to_owned());
    format!("{} -> {}", word(&changed.from), word(&changed.to))
}
