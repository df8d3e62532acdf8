//! Which interpreter build or package an environment can be given: rows of the registry for
//! downloads, names for a distribution's archive. Pure: nothing is fetched here.

use std::fmt;

use pep440_rs::Version;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::plan::Artifact;
use rocmenv_manifests::platform::{Arch, Libc, OsFamily};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::channels::{Channel, ChannelKind};
use rocmenv_manifests::registry::rows::pythons::{PythonBuild, PythonTarget};
use rocmenv_manifests::version::Dotted;

use crate::host::interpreters::InterpreterWish;

/// What a build must run on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildPlace {
    /// Operating system.
    pub family: OsFamily,
    /// Processor.
    pub arch: Arch,
    /// C library; `None` is not known, and not checked.
    pub libc: Option<Libc>,
}

/// A build that can be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildChoice {
    /// The archive, always with its digest.
    pub artifact: Artifact,
    /// The path below the folder of all releases (`20261021/cpython-3.12.15%2B20261021-....tar.gz`).
    pub path: String,
    /// Where it is served, best first.
    pub addresses: Vec<String>,
}

/// The builds that fit, newest first. The registry names each by its digest, so that whoever has
/// one of them can say so without asking anybody.
///
/// # Errors
/// There is none, with the reason.
pub fn python_builds(
    registry: &Registry,
    wish: &InterpreterWish,
    place: &BuildPlace,
) -> Result<Vec<BuildChoice>, NoBuild> {
    let table = registry.pythons();
    let targets = table.target.iter();
    let target = targets
        .filter(|target| target.family == place.family && target.arch == place.arch)
        .find(|target| target.libc.is_none() || !matches!(place.libc, Some(Libc::Musl(_))))
        .ok_or_else(|| NoBuild::Place(place.clone()))?;
    check_libc(target, place)?;
    let channels = registry.channels().channel.iter();
    let channels: Vec<_> = channels.filter(|row| row.kind == ChannelKind::Python).collect();
    let of_series = |version: &Version| {
        let series: Vec<u64> = wish.series.parts().iter().copied().map(u64::from).collect();
        version.release().starts_with(&series)
    };
    let rows = table.build.iter().filter(|row| row.target == target.name);
    let mut rows: Vec<(Version, &PythonBuild)> = rows
        .filter_map(|row| Some((row.version.parse().ok()?, row)))
        .filter(|(version, _)| of_series(version))
        .collect();
    rows.sort_by(|(a, one), (b, other)| {
        let stripped = |row: &PythonBuild| row.flavor == STRIPPED;
        (b, stripped(other), &other.build).cmp(&(a, stripped(one), &one.build))
    });
    let newest = rows.first().map(|(version, _)| version.clone());
    let minimum = Version::new(wish.minimum.parts().iter().copied().map(u64::from));
    let choices: Vec<BuildChoice> = rows
        .into_iter()
        .filter(|(version, _)| *version >= minimum)
        .flat_map(|(_, row)| channels.iter().filter_map(|channel| choice(channel, target, row)))
        .collect();
    if choices.is_empty() {
        return Err(NoBuild::Series { wish: wish.clone(), newest });
    }
    Ok(choices)
}

/// The packages of a distribution's archive that bring the interpreter of a series; the solver
/// finds what they need. Debian and its family name them so ("Debian Python Policy", chapter 2);
/// `-venv` brings ensurepip.
pub fn distribution_packages(series: &Dotted) -> [String; 2] {
    [format!("python{series}"), format!("python{series}-venv")]
}

/// No build can be fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoBuild {
    /// Nobody builds for such a machine, as far as the registry knows.
    #[error("the registry knows no interpreter builds for {}", Described(.0))]
    Place(BuildPlace),
    /// The host's C library is too old.
    #[error("interpreter builds need glibc {needed}, and this host has {found}")]
    Libc {
        /// What they need.
        needed: Dotted,
        /// What there is.
        found: Libc,
    },
    /// No release of the series, or none that is new enough.
    #[error("the registry knows no build of Python {} ({} or newer){}", wish.series, wish.minimum, Newest(newest.as_ref()))]
    Series {
        /// What was wanted.
        wish: InterpreterWish,
        /// The newest of the series, too old or a preview.
        newest: Option<Version>,
    },
}

fn check_libc(target: &PythonTarget, place: &BuildPlace) -> Result<(), NoBuild> {
    match (&target.libc, &place.libc) {
        (Some(needed), Some(Libc::Glibc(found))) if found < needed => {
            let (needed, found) = (needed.clone(), Libc::Glibc(found.clone()));
            Err(NoBuild::Libc { needed, found })
        }
        _ => Ok(()),
    }
}

/// `None` for a channel without an address.
fn choice(channel: &Channel, target: &PythonTarget, row: &PythonBuild) -> Option<BuildChoice> {
    let filled = |template: &str| {
        template
            .replace("{build}", &row.build)
            .replace("{version}", &row.version)
            .replace("{target}", &target.triple)
            .replace("{flavor}", &row.flavor)
    };
    let url = channel.url.as_deref()?;
    let path = filled(&url[url.find("{build}")?..]);
    let file = path.rsplit('/').next()?.replace("%2B", "+");
    let artifact = Artifact {
        name: "python".to_owned(),
        version: row.version.clone(),
        index: channel.index.parse::<IndexName>().ok()?,
        kind: ArtifactKind::Python,
        file,
        sha256: Some(row.sha256),
        size: None,
    };
    let addresses = [Some(url), channel.mirror.as_deref()].into_iter().flatten();
    Some(BuildChoice { artifact, path, addresses: addresses.map(filled).collect() })
}

/// A place in words.
struct Described<'a>(&'a BuildPlace);

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let family = match self.0.family {
            OsFamily::Linux => "Linux",
            OsFamily::Windows => "Windows",
        };
        write!(f, "{family} on {}", self.0.arch)?;
        match &self.0.libc {
            Some(libc) => write!(f, " with {libc}"),
            None => Ok(()),
        }
    }
}

/// The newest build there is, in words.
struct Newest<'a>(Option<&'a Version>);

impl fmt::Display for Newest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |version| write!(f, "; the newest is {version}"))
    }
}

const STRIPPED: &str = "install_only_stripped";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_build_of_the_series_comes_first_with_both_its_addresses() {
        let choices = builds("3.12", &linux("2.36")).unwrap();
        let first = &choices[0];
        insta::assert_snapshot!(
            format!("{} {}\n{}", first.artifact.version, first.artifact.file, first.addresses.join("\n")),
            @"
        3.12.15 cpython-3.12.15+20261021-x86_64-unknown-linux-gnu-install_only_stripped.tar.gz
        https://github.com/astral-sh/python-build-standalone/releases/download/20261021/cpython-3.12.15%2B20261021-x86_64-unknown-linux-gnu-install_only_stripped.tar.gz
        https://releases.astral.sh/github/python-build-standalone/releases/download/20261021/cpython-3.12.15%2B20261021-x86_64-unknown-linux-gnu-install_only_stripped.tar.gz
        "
        );
        let versions = choices.iter().map(|choice| choice.artifact.version.parse::<Version>());
        assert!(versions.map(Result::unwrap).is_sorted_by(|a, b| a >= b));
        let windows = BuildPlace { family: OsFamily::Windows, arch: Arch::X86_64, libc: None };
        let file = builds("3.12", &windows).unwrap()[0].artifact.file.clone();
        assert!(file.contains("x86_64-pc-windows-msvc"), "{file}");
    }

    #[test]
    fn every_row_of_the_table_can_be_fetched_by_its_digest() {
        let registry = Registry::embedded();
        let table = registry.pythons();
        for target in &table.target {
            let channels = registry.channels().channel.iter();
            let channel = channels.clone().find(|row| row.kind == ChannelKind::Python).unwrap();
            for row in table.build.iter().filter(|row| row.target == target.name) {
                let choice = choice(channel, target, row).unwrap();
                assert_eq!(choice.artifact.sha256, Some(row.sha256));
                assert!(choice.addresses.iter().all(|url| url.ends_with(&choice.path)));
                assert!(!choice.path.contains('{'), "{}", choice.path);
                assert!(row.version.parse::<Version>().is_ok(), "{}", row.version);
            }
        }
        let known = |row: &PythonBuild| table.target.iter().any(|target| target.name == row.target);
        assert!(table.build.iter().all(known));
    }

    #[test]
    fn where_nothing_fits_the_reason_is_said() {
        let none = |series, place: BuildPlace| builds(series, &place).unwrap_err().to_string();
        insta::assert_snapshot!(none("3.7", linux("2.36")), @"the registry knows no build of Python 3.7 (3.7.0 or newer)");
        insta::assert_snapshot!(none("3.12", linux("2.12")), @"interpreter builds need glibc 2.17, and this host has glibc 2.12");
        let musl = Libc::Musl(Dotted::new(1, 2));
        let alpine = BuildPlace { libc: Some(musl), ..linux("2.36") };
        insta::assert_snapshot!(none("3.12", alpine), @"the registry knows no interpreter builds for Linux on x86_64 with musl 1.2");
        let arm = BuildPlace { arch: Arch::Aarch64, ..linux("2.36") };
        insta::assert_snapshot!(none("3.12", arm), @"the registry knows no interpreter builds for Linux on aarch64 with glibc 2.36");
        let minimum = "3.12.99".parse().unwrap();
        let wish = InterpreterWish { minimum, ..wish("3.12") };
        let error = python_builds(&Registry::embedded(), &wish, &linux("2.36")).unwrap_err();
        insta::assert_snapshot!(error, @"the registry knows no build of Python 3.12 (3.12.99 or newer); the newest is 3.12.15");
    }

    #[test]
    fn a_preview_is_no_release() {
        let choices = builds("3.15", &linux("2.36")).unwrap();
        let versions: Vec<_> = choices.iter().map(|one| one.artifact.version.as_str()).collect();
        assert_eq!(versions, ["3.15.1", "3.15.0"]);
    }

    fn builds(series: &str, place: &BuildPlace) -> Result<Vec<BuildChoice>, NoBuild> {
        python_builds(&Registry::embedded(), &wish(series), place)
    }

    fn wish(series: &str) -> InterpreterWish {
        let minimum = format!("{series}.0").parse().unwrap();
        InterpreterWish { series: series.parse().unwrap(), minimum }
    }

    fn linux(libc: &str) -> BuildPlace {
        let libc = Some(Libc::Glibc(libc.parse().unwrap()));
        BuildPlace { family: OsFamily::Linux, arch: Arch::X86_64, libc }
    }
}
