//! What releases change, what ends, and what is announced, each with its documents.

use std::fmt::Write as _;

use rocmenv_manifests::registry::rows::changes::ChangeKind;
use rocmenv_resolver::upgrade::{Roadmap, RoadmapChange, RoadmapRelease};

use super::{escaped, sources};
use crate::ops::matrix::word;

/// Ends of support and of channels.
pub(super) fn ends(roadmap: &Roadmap) -> String {
    let is_end = |change: &&RoadmapChange| {
        matches!(change.kind, ChangeKind::EndOfSupport | ChangeKind::Deprecated)
    };
    let of_releases = roadmap.releases.iter().flat_map(|release| {
        let own = release.changes.iter().filter(is_end);
        own.map(|change| (release.version.to_string(), change))
    });
    let others = roadmap.unreleased.iter().filter(is_end);
    let mut rows = of_releases
        .chain(others.map(|change| ("no release named".to_owned(), change)))
        .map(|(since, change)| {
            format!(
                "<tr><td>{}</td><td>{} {}</td><td>{}</td><td>{}</td></tr>\n",
                escaped(&since),
                escaped(&word(&change.kind)),
                escaped(&word(&change.subject)),
                wording(change),
                sources(&change.evidence)
            )
        })
        .collect::<Vec<_>>()
        .concat();
    for channel in &roadmap.ended {
        let until = channel.until.as_ref().map_or_else(
            || "frozen: nothing new appears there".to_owned(),
            |until| format!("ends with {until}"),
        );
        let next = channel.continues_at.as_deref().unwrap_or("no channel that is known");
        let _ = writeln!(
            rows,
            "<tr><td></td><td>channel</td><td><b>{}</b> {}; goes on at {}</td><td>{}</td></tr>",
            escaped(&channel.name),
            escaped(&until),
            escaped(next),
            sources(&channel.evidence)
        );
    }
    format!(
        "<h2>Ends of support</h2>\n<table>\n<tr><th>since</th><th>what</th><th></th><th>source, day read</th></tr>\n\
         {rows}</table>\n"
    )
}

/// Announcements and plans.
pub(super) fn announcements(roadmap: &Roadmap) -> String {
    let planned = roadmap.unreleased.iter().filter(|change| change.kind == ChangeKind::Planned);
    let planned = planned.map(|change| {
        format!(
            "<tr><td>planned</td><td>{}</td><td>{}</td></tr>\n",
            wording(change),
            sources(&change.evidence)
        )
    });
    let said = roadmap.announcements.iter().map(|one| {
        let entry = &one.entry;
        let arrow = if entry.to.is_empty() { String::new() } else { format!(" → {}", entry.to) };
        let confidence = entry.confidence.as_deref().unwrap_or_default();
        format!(
            "<tr><td>{}</td><td><b>{}{}</b> {} <span class=\"soft\">{} {}</span></td><td>{}</td></tr>\n",
            escaped(&entry.topic),
            escaped(&entry.from),
            escaped(&arrow),
            escaped(&entry.status),
            escaped(&entry.notes),
            escaped(confidence),
            sources(&one.evidence)
        )
    });
    let rows: String = planned.chain(said).collect();
    format!(
        "<h2>Announcements</h2>\n<table>\n<tr><th>topic</th><th></th><th>source, day read</th>\
         </tr>\n{rows}</table>\n"
    )
}

/// What each release changes.
pub(super) fn releases(roadmap: &Roadmap) -> String {
    let rows: String = roadmap.releases.iter().map(release).collect();
    format!(
        "<h2>What each release changes</h2>\n<table class=\"releases\">\n<tr><th>ROCm</th>\
         <th>day</th><th>line</th><th>drivers that AMD lists</th><th>changes</th>\
         <th>source, day read</th></tr>\n{rows}</table>\n"
    )
}

fn release(release: &RoadmapRelease) -> String {
    let mut changes = release
        .changes
        .iter()
        .map(|change| {
            format!(
                "<li>{} {}: {} {}</li>\n",
                escaped(&word(&change.kind)),
                escaped(&word(&change.subject)),
                wording(change),
                sources(&change.evidence)
            )
        })
        .collect::<Vec<_>>()
        .concat();
    for (class, title, targets) in
        [("gain", "newly listed", &release.gained), ("loss", "no longer listed", &release.lost)]
    {
        let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
        if let (false, Some(before)) = (names.is_empty(), &release.compared_with) {
            let _ = writeln!(
                changes,
                "<li class=\"{class}\">{title} (against {before}): {}</li>",
                escaped(&names.join(" "))
            );
        }
    }
    format!(
        "<tr id=\"release-{version}\"><td><b>{version}</b></td><td>{}</td><td>{} {}</td><td>{}</td>\
         <td><ul>{changes}</ul></td><td>{}</td></tr>\n",
        escaped(release.date.as_deref().unwrap_or("not found")),
        escaped(&release.line),
        escaped(&word(&release.kind)),
        escaped(&if release.drivers.is_empty() {
            "not known".to_owned()
        } else {
            release.drivers.join(" ")
        }),
        sources(&release.evidence),
        version = escaped(&release.version.to_string()),
    )
}

fn wording(change: &RoadmapChange) -> String {
    let mut text = format!("<b>{}</b>", escaped(&change.from));
    if let Some(to) = &change.to {
        let _ = write!(text, " → <b>{}</b>", escaped(to));
    }
    if let Some(when) = &change.when {
        let _ = write!(text, " ({})", escaped(when));
    }
    if !change.notes.is_empty() {
        let _ = write!(text, " <span class=\"soft\">{}</span>", escaped(&change.notes));
    }
    text
}
