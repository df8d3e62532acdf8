//! How a project's ROCm stands to the releases: the policy of upgrades as far as it only tells.
//!
//! Patch releases come first; a project is told when its minor is more than six months behind;
//! releases are looked for every 90 days. The registry's day counts as a look, and so does
//! `outdated --online`, whose day is kept in the user's data folder.

use std::path::PathBuf;

use fs_err as fs;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Unit};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::releases::{Release, ReleaseKind};
use rocmenv_manifests::version::RocmVersion;
use rocmenv_store::fs::{DiskError, replace};
use serde::Serialize;

use super::files;
use crate::context::Context;
use crate::error::Error;

/// How one release stands to the others that the registry knows.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Standing {
    /// The release that is locked.
    pub rocm: RocmVersion,
    /// Its day, where known.
    pub date: Option<String>,
    /// The newest patch of the same minor, where there is one.
    pub patch: Option<Newer>,
    /// Production releases of later minors, oldest first: the roadmap from here.
    pub later: Vec<Newer>,
    /// Whole months between the first release of this minor and that of the newest, where both
    /// days are known.
    pub months_behind: Option<i32>,
    /// Where the release's line has ended: the line that goes on.
    pub line_continues_at: Option<String>,
}

/// A release to go to.
#[derive(Debug, Clone, Serialize)]
pub struct Newer {
    /// Its number.
    pub rocm: RocmVersion,
    /// Its day, where known.
    pub date: Option<String>,
    /// The line that it belongs to.
    pub line: String,
}

impl Standing {
    /// Of one release.
    pub fn of(registry: &Registry, rocm: &RocmVersion) -> Self {
        let production = |release: &&Release| release.kind == ReleaseKind::Production;
        let mut known: Vec<&Release> =
            registry.releases().release.iter().filter(production).collect();
        known.sort_by(|a, b| a.version.cmp(&b.version));
        let newer = |release: &Release| Newer {
            rocm: release.version.clone(),
            date: release.date.clone(),
            line: release.line.clone(),
        };
        let same = |release: &&&Release| release.version.series() == rocm.series();
        let patch = known.iter().filter(same).rfind(|release| release.version > *rocm);
        let is_later = |release: &&&Release| release.version > *rocm && !same(release);
        let own = known.iter().find(same).and_then(|release| day(release));
        let newest = known.last().filter(|release| release.version > *rocm);
        let first_of_newest = newest.and_then(|newest| {
            let series = newest.version.series();
            day(known.iter().find(|release| release.version.series() == series)?)
        });
        Self {
            date: registry.release(rocm).and_then(|release| release.date.clone()),
            patch: patch.map(|release| newer(release)),
            later: known.iter().filter(is_later).map(|release| newer(release)).collect(),
            months_behind: own.zip(first_of_newest).map(|(own, newest)| months(own, newest)),
            line_continues_at: registry.line_of(rocm).and_then(|line| line.continues_at.clone()),
            rocm: rocm.clone(),
        }
    }

    /// Whether the policy says that a project should be told.
    pub fn is_far_behind(&self) -> bool {
        self.months_behind.is_some_and(|months| months > MONTHS_BEHIND)
    }
}

fn day(release: &Release) -> Option<Date> {
    release.date.as_deref()?.parse().ok()
}

fn months(from: Date, to: Date) -> i32 {
    let span = from.until((Unit::Month, to)).map(|span| span.get_months());
    span.unwrap_or_default()
}

/// When releases were looked for, and when to look again.
#[derive(Debug, Clone, Serialize)]
pub struct Look {
    /// The day of the last look.
    pub last: Date,
    /// The day from which on a look is due.
    pub next: Date,
    /// Whether that day has come.
    pub due: bool,
}

/// The last look: the registry's own, or a later one of this user.
///
/// # Errors
/// The day that was kept cannot be read.
pub fn look(context: &Context, registry: &Registry) -> Result<Option<Look>, Error> {
    let kept = files::read_optional(&place(context)?)?;
    let kept = kept.and_then(|text| text.trim().parse::<Date>().ok());
    let collected = registry.date().parse::<Date>().ok();
    let Some(last) = kept.into_iter().chain(collected).max() else { return Ok(None) };
    let next = last.saturating_add(Span::new().days(LOOK_DAYS));
    Ok(Some(Look { last, next, due: today(context.now) >= next }))
}

/// Keeps that releases were looked for today.
///
/// # Errors
/// The day cannot be written.
pub fn looked(context: &Context) -> Result<(), Error> {
    let path = place(context)?;
    fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(DiskError::from)?;
    Ok(replace(&path, format!("{}\n", today(context.now)).as_bytes())?)
}

fn today(now: Timestamp) -> Date {
    now.to_zoned_datetime(TimeZone::UTC).date()
}

fn place(context: &Context) -> Result<PathBuf, Error> {
    Ok(context.data()?.join("releases-looked-for"))
}

/// A minor that is further behind than this is told.
const MONTHS_BEHIND: i32 = 6;

/// AMD's rhythm of releases: after a quarter there is news.
const LOOK_DAYS: i64 = 90;

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(rocm: &str) -> Standing {
        Standing::of(&Registry::embedded(), &rocm.parse().unwrap())
    }

    #[test]
    fn a_patch_and_the_later_minors_are_told_apart() {
        let old = standing("7.2.0");
        assert_eq!(old.patch.unwrap().rocm.to_string(), "7.2.4");
        let later: Vec<String> = old.later.iter().map(|one| one.rocm.to_string()).collect();
        assert_eq!(later, ["7.14.0", "7.14.1", "10.0.0", "10.1.0"]);
        // 2026-01-21 to 2026-10-05
        assert_eq!(old.months_behind, Some(8));
        assert_eq!(old.line_continues_at.as_deref(), Some("therock"));
    }

    #[test]
    fn the_newest_is_behind_nothing() {
        let newest = standing("10.1.0");
        assert!(newest.patch.is_none() && newest.later.is_empty() && !newest.is_far_behind());
        // 2026-07-15 to 2026-10-05
        assert_eq!(standing("7.14.0").months_behind, Some(2));
    }
}
