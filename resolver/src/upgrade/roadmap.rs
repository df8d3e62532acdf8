//! The roadmap as one value: lines, releases with what each changes, and what is announced.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::registry::rows::changes::{ChangeKind, ChangeSubject, ReleaseChange};
use rocmenv_manifests::registry::rows::releases::{Line, ReleaseKind, RoadmapEntry};
use rocmenv_manifests::registry::rows::support::Platform;
use rocmenv_manifests::registry::{Evidence, GpuChange, Registry};
use rocmenv_manifests::version::RocmVersion;
use serde::Serialize;

/// The roadmap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Roadmap {
    /// The day of the registry.
    pub date: String,
    /// The lines.
    pub lines: Vec<Line>,
    /// The releases that more is known of than a name, newest first.
    pub releases: Vec<RoadmapRelease>,
    /// Changes that name no release.
    pub unreleased: Vec<RoadmapChange>,
    /// What documents announce or say of the lines, in words.
    pub announcements: Vec<Announcement>,
    /// Channels that have ended or been frozen.
    pub ended: Vec<EndedChannel>,
}

/// A release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RoadmapRelease {
    /// Its number.
    pub version: RocmVersion,
    /// Its day, where found.
    pub date: Option<String>,
    /// Its line.
    pub line: String,
    /// How it came out.
    pub kind: ReleaseKind,
    /// The drivers that AMD's matrix lists for it, oldest first.
    pub drivers: Vec<String>,
    /// What it changes.
    pub changes: Vec<RoadmapChange>,
    /// Targets that its table lists for the platform and the table before it does not.
    pub gained: Vec<GfxTarget>,
    /// Targets that the table before it lists and its own does not.
    pub lost: Vec<GfxTarget>,
    /// The release whose table was the one before, where targets differ.
    pub compared_with: Option<RocmVersion>,
    /// The documents.
    pub evidence: Vec<Evidence>,
}

/// A change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RoadmapChange {
    /// What happens.
    pub kind: ChangeKind,
    /// To what.
    pub subject: ChangeSubject,
    /// Its name, or what it was.
    pub from: String,
    /// What it is afterwards, or what to use in its place.
    pub to: Option<String>,
    /// The day or quarter that a document gives.
    pub when: Option<String>,
    /// More.
    pub notes: String,
    /// The documents.
    pub evidence: Vec<Evidence>,
}

/// An announcement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Announcement {
    /// The row.
    #[serde(flatten)]
    pub entry: RoadmapEntry,
    /// The documents.
    pub evidence: Vec<Evidence>,
}

/// A channel that has ended or been frozen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct EndedChannel {
    /// The channel.
    pub name: String,
    /// The last release that it serves, where it has ended.
    pub until: Option<RocmVersion>,
    /// Whether nothing new appears there.
    pub frozen: bool,
    /// The channel that goes on.
    pub continues_at: Option<String>,
    /// The documents.
    pub evidence: Vec<Evidence>,
}

/// The roadmap, with GPUs gained and lost on a platform.
pub fn roadmap(registry: &Registry, platform: Platform) -> Roadmap {
    let gpus = registry.gpu_changes(platform);
    let mut releases: Vec<RoadmapRelease> = registry
        .releases()
        .release
        .iter()
        .filter(|row| row.kind != ReleaseKind::NamedOnly)
        .map(|row| release(registry, &row.version, &gpus))
        .collect();
    releases.sort_by(|a, b| b.version.cmp(&a.version));
    let unreleased = registry.changes().change.iter().filter(|row| row.since.is_none());
    let announcements = registry.roadmap().entry.iter().map(|entry| Announcement {
        evidence: registry.evidence(&entry.source, "", &entry.confidence),
        entry: entry.clone(),
    });
    let channels = registry.channels().channel.iter();
    let ended = channels.filter(|channel| channel.until.is_some() || channel.frozen);
    Roadmap {
        date: registry.date().to_owned(),
        lines: registry.releases().line.clone(),
        releases,
        unreleased: unreleased.map(|row| change(registry, row)).collect(),
        announcements: announcements.collect(),
        ended: ended
            .map(|channel| EndedChannel {
                name: channel.name.clone(),
                until: channel.until.clone(),
                frozen: channel.frozen,
                continues_at: registry.continues_at(channel).map(|next| next.name.clone()),
                evidence: registry.evidence(&channel.source, &channel.notes, &None),
            })
            .collect(),
    }
}

fn release(registry: &Registry, version: &RocmVersion, gpus: &[GpuChange]) -> RoadmapRelease {
    let row = registry.release(version);
    let changes = registry.changes().change.iter();
    let own = changes.filter(|row| row.since.as_ref() == Some(version));
    let targets = gpus.iter().find(|change| change.release == *version);
    let mut drivers: Vec<String> =
        registry.drivers_for(version).iter().map(ToString::to_string).collect();
    drivers.dedup();
    RoadmapRelease {
        version: version.clone(),
        date: row.and_then(|row| row.date.clone()),
        line: row.map(|row| row.line.clone()).unwrap_or_default(),
        kind: row.map_or(ReleaseKind::NamedOnly, |row| row.kind),
        drivers,
        changes: own.map(|row| change(registry, row)).collect(),
        gained: targets.map(|change| change.gained.clone()).unwrap_or_default(),
        lost: targets.map(|change| change.lost.clone()).unwrap_or_default(),
        compared_with: targets.map(|change| change.before.clone()),
        evidence: row
            .map_or_else(Vec::new, |row| registry.evidence(&row.source, &row.notes, &None)),
    }
}

fn change(registry: &Registry, row: &ReleaseChange) -> RoadmapChange {
    RoadmapChange {
        kind: row.kind,
        subject: row.subject,
        from: row.from.clone(),
        to: row.to.clone(),
        when: row.when.clone(),
        notes: row.notes.clone(),
        evidence: registry.evidence(&row.source, "", &row.confidence),
    }
}
