//! Known builds: which versions of a package exist for which ROCm, where, for which Pythons, and
//! for which targets they hold code.
//!
//! Open, but for three things: the tags of the general index are all there; `unknown` is proof of
//! nothing; a coverage list is complete for its index.

use std::str::FromStr;

use pep440_rs::{Version, VersionSpecifiers};

use crate::gfx::GfxTarget;
use crate::version::RocmVersion;

use super::super::loader::Registry;
use super::super::pattern::BuiltFor;
use super::super::rows::builds::{Build, Coverage, VllmWheels};
use super::super::rows::frameworks::FrameworkRow;
use super::super::rows::images::ImageRow;
use super::super::rows::support::Platform;
use super::super::verdict::{Judgement, Reason, Verdict};
use super::frameworks::{FrameworkQuestion, begins_with};

impl Registry {
    /// All known builds of a package, newest version first.
    pub fn builds_of(&self, package: &str) -> Vec<&Build> {
        let all = self.builds().build.iter().chain(&self.builds_general().build);
        let mut found: Vec<_> = all.filter(|build| build.package == package).collect();
        found.sort_by_cached_key(|build| std::cmp::Reverse(public_version(build)));
        found
    }

    /// Container images of a framework that may hold code for all of these GPUs, those of the
    /// release first.
    pub fn images_of(
        &self,
        framework: &str,
        rocm: &RocmVersion,
        gfx: &[GfxTarget],
    ) -> Vec<&ImageRow> {
        let may_serve = |row: &&ImageRow| {
            row.framework == framework
                && (row.gfx.is_empty() || gfx.iter().all(|own| row.gfx.contains(own)))
        };
        let mut rows: Vec<_> = self.images().image.iter().filter(may_serve).collect();
        rows.sort_by_key(|row| !row.is_of(rocm));
        rows
    }

    /// The known builds of a framework for a release: built for the same X.Y, newest first.
    pub fn builds_for(&self, framework: &FrameworkRow, rocm: &RocmVersion) -> Vec<&Build> {
        let mut found = self.builds_where(framework, rocm, |build| is_built_for(build, rocm));
        // a build of the very release before one of its series
        found.sort_by_cached_key(|build| {
            std::cmp::Reverse((public_version(build), build.rocm.to_string() == rocm.to_string()))
        });
        found
    }

    /// vLLM's own wheels for a release: same X.Y. They bring their own PyTorch.
    pub fn vllm_wheels_for(&self, rocm: &RocmVersion) -> Vec<&VllmWheels> {
        let series = rocm.series();
        let same = |row: &&VllmWheels| {
            let built = row.rocm.series();
            built.is_some_and(|(x, y)| (u64::from(x), u64::from(y)) == (series.major, series.minor))
        };
        self.builds().vllm.iter().filter(same).collect()
    }

    /// The builds that do not say what they were built for.
    pub fn unproven_builds(&self, framework: &FrameworkRow, rocm: &RocmVersion) -> Vec<&Build> {
        self.builds_where(framework, rocm, |build| build.rocm == BuiltFor::Unknown)
    }

    /// The packages of which a build of a framework is one, for a release.
    pub fn build_packages(&self, framework: &FrameworkRow, rocm: &RocmVersion) -> Vec<String> {
        let release = rocm.dotted();
        let family = self.bindings().family.iter().find(|row| {
            row.name == framework.name && row.rocm.iter().any(|own| own.contains(release.parts()))
        });
        if let Some(family) = family {
            return family.packages.first().cloned().into_iter().collect();
        }
        let mut packages = vec![framework.package.clone()];
        packages.extend(framework.aliases.iter().cloned());
        packages.dedup();
        packages
    }

    /// Whether a build holds code for a target; `None` where nobody listed what it holds.
    pub fn build_has_code(&self, build: &Build, gfx: GfxTarget) -> Option<Judgement> {
        let rows: Vec<&Coverage> = self.coverage_of(build);
        let first = rows.first()?;
        let held: Vec<GfxTarget> = rows.iter().flat_map(|row| row.gfx.iter().copied()).collect();
        let evidence = self.evidence(&first.source, &first.notes, &None);
        Some(if held.contains(&gfx) {
            Judgement::new(Verdict::Listed, Reason::Listed(first.notes.clone()), evidence)
        } else {
            let reason = Reason::NoCodeFor { asked: gfx, held };
            Judgement::new(Verdict::StatedNo, reason, evidence)
        })
    }

    /// A known build of the framework that the question could mean.
    pub(super) fn build_of(&self, asked: &FrameworkQuestion<'_>) -> Option<&Build> {
        let framework = self.framework_named(asked.framework)?;
        let wanted = asked.version.release();
        let exact = |build: &Build| {
            public_version(build).is_some_and(|version| {
                let text: Vec<_> = wanted.iter().map(u64::to_string).collect();
                begins_with(&version, &text.join("."))
            })
        };
        self.builds_for(framework, asked.rocm).into_iter().find(|build| {
            exact(build)
                && asked.platform.is_none_or(|platform| runs_on(build, platform))
                && asked.python.is_none_or(|python| serves_python(build, python) != Some(false))
        })
    }

    fn builds_where(
        &self,
        framework: &FrameworkRow,
        rocm: &RocmVersion,
        wanted: impl Fn(&Build) -> bool,
    ) -> Vec<&Build> {
        let packages = self.build_packages(framework, rocm);
        let all = packages.iter().flat_map(|package| self.builds_of(package));
        all.filter(|build| wanted(build)).collect()
    }

    fn coverage_of(&self, build: &Build) -> Vec<&Coverage> {
        let version = public_version(build);
        let holds = |row: &&Coverage| {
            let since = row.since.as_deref().and_then(|since| Version::from_str(since).ok());
            let new_enough = match (since, &version) {
                (Some(since), Some(version)) => *version >= since,
                (Some(_), None) => false,
                (None, _) => true,
            };
            row.channel == build.channel
                && row.series == build.series
                && row.package == build.package
                && new_enough
        };
        self.builds().coverage.iter().filter(holds).collect()
    }
}

impl ImageRow {
    /// Whether a document says that this release is in it.
    pub fn is_of(&self, rocm: &RocmVersion) -> bool {
        self.rocm.iter().any(|pattern| pattern.contains(rocm.dotted().parts()))
    }
}

/// Whether the build was made for the X.Y of a release.
pub(super) fn is_built_for(build: &Build, rocm: &RocmVersion) -> bool {
    let series = rocm.series();
    build.rocm.series().is_some_and(|(major, minor)| {
        (u64::from(major), u64::from(minor)) == (series.major, series.minor)
    })
}

/// The build's version without its local part.
pub(super) fn public_version(build: &Build) -> Option<Version> {
    let public = build.version.split('+').next().unwrap_or_default();
    Version::from_str(public).ok()
}

impl Build {
    /// Its version without the local part, by which builds are ordered: a local part never
    /// orders them (`+rocm10.0` sorts below `+rocm7.0`).
    pub fn public_version(&self) -> Option<Version> {
        public_version(self)
    }

    /// Whether it was made for the X.Y of a release.
    pub fn is_built_for(&self, rocm: &RocmVersion) -> bool {
        is_built_for(self, rocm)
    }

    /// Whether it has a file for a platform.
    pub fn runs_on(&self, platform: Platform) -> bool {
        runs_on(self, platform)
    }

    /// Whether it has a file for a Python series; `None` where no file was seen and nothing
    /// speaks against it.
    pub fn serves_python(&self, python: &str) -> Option<bool> {
        serves_python(self, python)
    }
}

fn runs_on(build: &Build, platform: Platform) -> bool {
    let has = |text: &str| build.platforms.iter().any(|own| own.contains(text));
    let named = match platform {
        Platform::Windows => has("win"),
        Platform::Linux | Platform::Wsl => has("linux"),
    };
    named || has("any") || has("mixed")
}

fn serves_python(build: &Build, python: &str) -> Option<bool> {
    let allowed = build.requires_python.as_deref().and_then(|text| {
        let specifiers = VersionSpecifiers::from_str(text).ok()?;
        Some(specifiers.contains(&Version::from_str(python).ok()?))
    });
    // a file may be there that its own `Requires-Python` forbids
    if allowed == Some(false) {
        return Some(false);
    }
    let tag = format!("cp{}", python.replace('.', ""));
    if build.without.contains(&tag) {
        return Some(false);
    }
    if build.pythons.iter().any(|own| *own == tag || own == "py3" || own == "sdist") {
        return Some(true);
    }
    if build.abi3 && allowed == Some(true) {
        return Some(true);
    }
    // the general index lists every file; elsewhere a tag that was not seen may exist
    (build.channel == "python" && !build.pythons.is_empty()).then_some(false)
}
