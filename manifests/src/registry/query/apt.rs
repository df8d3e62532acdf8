//! AMD's apt repositories for a system: where they are, which suite, and where their key is
//! published. Whose key is trusted is not the registry's to say.

use crate::name::IndexName;
use crate::platform::OsRelease;

use super::super::loader::Registry;
use super::super::rows::channels::{Channel, ChannelKind, Layout, Stability};
use super::channels::filled;

/// One repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AptRepository<'r> {
    /// Its channel.
    pub channel: &'r Channel,
    /// Its name in a lock.
    pub name: IndexName,
    /// Its address.
    pub url: String,
    /// Its suite for the system.
    pub suite: String,
    /// Where AMD publishes the key that signs it.
    pub key: Option<&'r str>,
}

impl Registry {
    /// The repositories of releases that have packages for a system, as far as documents say.
    /// Those of drivers are not among them.
    pub fn apt_repositories(&self, os: &OsRelease) -> Vec<AptRepository<'_>> {
        let channels = self.channels().channel.iter();
        let channels = channels.filter(|channel| {
            channel.kind == ChannelKind::Deb
                && channel.layout == Some(Layout::Apt)
                && channel.stability == Stability::Stable
        });
        channels.flat_map(|channel| self.repositories(channel, os)).collect()
    }

    fn repositories<'r>(&'r self, channel: &'r Channel, os: &OsRelease) -> Vec<AptRepository<'r>> {
        let codename = codename(os).filter(|name| channel.codenames.iter().any(|own| own == name));
        let profile = profile(os).filter(|name| channel.profiles.contains(name));
        if codename.is_none() && profile.is_none() {
            return Vec::new();
        }
        let releases = self.releases().release.iter().map(|row| row.version.dotted());
        let releases =
            releases.filter(|own| channel.rocm.iter().any(|row| row.contains(own.parts())));
        let mut found: Vec<AptRepository<'_>> = Vec::new();
        for release in releases {
            let full = release.to_string();
            let mut values = vec![("version", folder(&full))];
            values.extend(codename.map(|name| ("codename", name)));
            values.extend(profile.as_deref().map(|name| ("profile", name)));
            let one = || -> Option<AptRepository<'_>> {
                Some(AptRepository {
                    channel,
                    name: filled(&channel.index, &[("version", &full)])?.parse().ok()?,
                    url: filled(channel.url.as_deref()?, &values)?,
                    suite: filled(channel.suite.as_deref()?, &values)?,
                    key: channel.key.as_deref(),
                })
            };
            found.extend(one().filter(|one| found.iter().all(|known| known.name != one.name)));
        }
        found
    }
}

/// AMD's folder of a release has no `.0` at its end (`7.2`, `7.2.4`).
fn folder(release: &str) -> &str {
    match release.strip_suffix(".0") {
        Some(short) if release.split('.').count() == 3 => short,
        _ => release,
    }
}

/// The code name of an Ubuntu release that suites are called by.
fn codename(os: &OsRelease) -> Option<&'static str> {
    let is = |version: &str| os.version.as_deref().is_some_and(|own| own.starts_with(version));
    match os.distribution.as_str() {
        "ubuntu" if is("22.04") => Some("jammy"),
        "ubuntu" if is("24.04") => Some("noble"),
        _ => None,
    }
}

/// What AMD's folders call a system: `ubuntu2404`, `debian12`.
fn profile(os: &OsRelease) -> Option<String> {
    let mut parts = os.version.as_deref()?.split('.');
    let major = parts.next()?;
    let minor = if os.distribution == "ubuntu" { parts.next()? } else { "" };
    Some(format!("{}{major}{minor}", os.distribution))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_has_the_repositories_that_documents_name() {
        let registry = Registry::embedded();
        let of = |os: &str| -> Vec<String> {
            let found = registry.apt_repositories(&os.parse().unwrap());
            found.iter().map(|one| format!("{} {} {}", one.name, one.url, one.suite)).collect()
        };
        let noble = of("ubuntu-24.04.4");
        let classic = "https://repo.radeon.com/rocm/apt";
        let has = |row: String| assert!(noble.contains(&row), "{row} in {noble:#?}");
        has(format!("amd-apt-classic-7.2.4 {classic}/7.2.4 noble"));
        has(format!("amd-apt-classic-7.2.0 {classic}/7.2 noble"));
        let core = "https://stable.repo.amd.com/rocm/core/packages";
        has(format!("amd-apt-core {core}/ubuntu2404/ stable"));
        assert!(!noble.iter().any(|row| row.contains("amdgpu") || row.contains("nightly")));
        assert_eq!(of("debian-12"), [format!("amd-apt-core {core}/debian12/ stable")]);
        assert!(of("fedora-43").is_empty() && of("windows-11-25H2").is_empty());
    }
}
