//! Releases and lines.

use crate::version::{Requirement, RocmVersion};

use super::super::loader::Registry;
use super::super::rows::releases::{Line, Release, ReleaseKind};

impl Registry {
    /// The release, if the registry knows it.
    pub fn release(&self, version: &RocmVersion) -> Option<&Release> {
        self.releases().release.iter().find(|release| release.version == *version)
    }

    /// The line that a release belongs to, known or not.
    pub fn line_of(&self, version: &RocmVersion) -> Option<&Line> {
        let parts = version.dotted();
        let lines = &self.releases().line;
        let known = self.release(version).map(|release| release.line.as_str());
        lines.iter().find(|line| match known {
            Some(name) => line.name == name,
            None => line.versions.iter().any(|held| held.contains(parts.parts())),
        })
    }

    /// The releases that satisfy `wanted`, newest first. Previews count only with `preview` or
    /// where the requirement is written for that very release, those known by name alone only where
    /// no other one satisfies it.
    pub fn releases_matching(&self, wanted: &Requirement, preview: bool) -> Vec<&Release> {
        let usable = |release: &&Release| match release.kind {
            ReleaseKind::Production | ReleaseKind::Unlisted => true,
            ReleaseKind::Preview => preview,
            ReleaseKind::NamedOnly => false,
        };
        let all = self.releases().release.iter();
        let all = all.filter(|release| wanted.matches(&release.version.dotted()));
        let (mut found, others): (Vec<_>, Vec<_>) = all.partition(usable);
        if found.is_empty() {
            let by_name = |release: &&Release| release.kind == ReleaseKind::NamedOnly;
            found = others.into_iter().filter(by_name).collect();
        }
        found.sort_by(|a, b| b.version.cmp(&a.version));
        found
    }
}
