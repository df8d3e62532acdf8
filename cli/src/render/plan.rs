//! A plan as lines: what comes, changes and goes.

use rocmenv_manifests::plan::Plan;

/// One line a change, by name. What stays is not told.
pub fn plan(plan: &Plan) -> Vec<String> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for new in &plan.add {
        lines.push((&new.name, format!(" + {} {}", new.name, new.version)));
    }
    for (old, new) in &plan.change {
        let text = if old.version == new.version {
            format!(" ~ {} {} (another file)", new.name, new.version)
        } else {
            format!(" ~ {} {} -> {}", new.name, old.version, new.version)
        };
        lines.push((&new.name, text));
    }
    for old in &plan.remove {
        lines.push((&old.name, format!(" - {} {}", old.name, old.version)));
    }
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}
