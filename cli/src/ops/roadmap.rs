//! `matrix roadmap`: the roadmap as a table, one line a change, newest release first.

use rocmenv_manifests::registry::{Evidence, Registry};
use rocmenv_resolver::upgrade::{Roadmap, RoadmapChange, RoadmapRelease, roadmap};
use serde_json::json;

use super::matrix::{Matrix, Platform, titles, word};

/// The table, with GPUs gained and lost on a platform.
pub(super) fn table(registry: &Registry, platform: Platform) -> Matrix {
    let roadmap = roadmap(registry, platform);
    let mut rows: Vec<Vec<String>> = roadmap.releases.iter().flat_map(release).collect();
    rows.extend(roadmap.unreleased.iter().map(|row| change("-", row)));
    rows.extend(ended(&roadmap));
    rows.extend(roadmap.announcements.iter().map(|row| {
        let entry = &row.entry;
        let what = [entry.status.as_str(), &entry.notes];
        let what: Vec<&str> = what.into_iter().filter(|text| !text.is_empty()).collect();
        let from = format!("{}: {}", entry.from, what.join("; "));
        line("-", &format!("said of {}", entry.topic), &from, &entry.to, &row.evidence)
    }));
    Matrix {
        header: titles(&["rocm", "what", "from", "to", "source"]),
        rows,
        legend: vec![
            "drivers: those that AMD's matrix lists; gfx: what a release's own table lists and the one before did not, and the other way".to_owned(),
            "a source is a key of `rocmenv matrix roadmap --json`, which has the documents with their days".to_owned(),
        ],
        date: roadmap.date.clone(),
        data: json!({ "roadmap": roadmap }),
    }
}

fn release(release: &RoadmapRelease) -> Vec<Vec<String>> {
    let rocm = release.version.to_string();
    let day = release.date.as_deref().unwrap_or("day not found");
    let kind = format!("{} {}, {day}", release.line, word(&release.kind));
    let drivers = if release.drivers.is_empty() {
        "drivers not known".to_owned()
    } else {
        format!("drivers {}", release.drivers.join(" "))
    };
    let mut rows = vec![line(&rocm, "released", &kind, &drivers, &release.evidence)];
    rows.extend(release.changes.iter().map(|row| change(&rocm, row)));
    let targets = [("gfx gained", &release.gained), ("gfx no longer listed", &release.lost)];
    for (what, targets) in targets {
        if let (false, Some(before)) = (targets.is_empty(), &release.compared_with) {
            let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
            rows.push(line(&rocm, what, &names.join(" "), &format!("against {before}"), &[]));
        }
    }
    rows
}

fn change(rocm: &str, row: &RoadmapChange) -> Vec<String> {
    let what = format!("{} {}", word(&row.kind), word(&row.subject));
    let mut from = row.from.clone();
    for more in [row.when.as_deref().unwrap_or_default(), &row.notes] {
        if !more.is_empty() {
            from = format!("{from}; {more}");
        }
    }
    line(rocm, &what, &from, row.to.as_deref().unwrap_or_default(), &row.evidence)
}

fn ended(roadmap: &Roadmap) -> impl Iterator<Item = Vec<String>> {
    roadmap.ended.iter().map(|channel| {
        let until = channel.until.as_ref().map(|until| format!(" ends with {until}"));
        let frozen = if channel.frozen { " is frozen" } else { "" };
        let from = format!("{}{}{frozen}", channel.name, until.unwrap_or_default());
        let to = channel.continues_at.as_deref().unwrap_or_default();
        line("-", "channel", &from, to, &channel.evidence)
    })
}

fn line(rocm: &str, what: &str, from: &str, to: &str, evidence: &[Evidence]) -> Vec<String> {
    let mut keys: Vec<&str> = evidence.iter().map(|one| one.key.as_str()).collect();
    keys.dedup();
    [rocm, what, from, to, &keys.join("+")].map(str::to_owned).to_vec()
}
