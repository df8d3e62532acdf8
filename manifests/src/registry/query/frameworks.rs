//! Frameworks x release x Python x GPU, as AMD lists them.
//!
//! Closed: PyTorch, TensorFlow, JAX and ONNX Runtime for the releases that `frameworks.toml` says
//! (6.0 to 7.2); a version that is absent there and was never built is refused. Open: all else.

use pep440_rs::Version;

use crate::version::RocmVersion;

use super::super::loader::Registry;
use super::super::rows::frameworks::{FrameworkRow, ListedFramework, TorchPair};
use super::super::rows::gpus::GpuScope;
use super::super::rows::support::Platform;
use super::super::verdict::{Evidence, Judgement, Reason, Verdict};
use super::gpus::{Covers, KnownGpu};

/// One cell of the framework table. What is `None` is not described and not checked.
#[derive(Debug, Clone, Copy)]
pub struct FrameworkQuestion<'q> {
    /// The framework's name in the registry.
    pub framework: &'q str,
    /// Its version; a local part does not count.
    pub version: &'q Version,
    /// The release.
    pub rocm: &'q RocmVersion,
    /// The platform.
    pub platform: Option<Platform>,
    /// The Python series (`3.12`).
    pub python: Option<&'q str>,
    /// The GPU.
    pub gpu: Option<&'q KnownGpu>,
}

impl Registry {
    /// A Python with the wheels of a release itself; `None` where no document prints their range.
    pub fn python_with_wheels(&self, python: &str, rocm: &RocmVersion) -> Option<Judgement> {
        let release = rocm.dotted();
        let row = self.frameworks().listed.iter().find(|row| {
            row.framework == WHEELS
                && !row.pythons.is_empty()
                && row.rocm.iter().any(|own| own.contains(release.parts()))
        })?;
        let evidence = self.evidence(&row.source, &row.notes, &row.confidence);
        if row.pythons.iter().any(|own| own == python) {
            return Some(Judgement::new(Verdict::Listed, Reason::Listed(String::new()), evidence));
        }
        let list = format!("the Pythons of the wheels of ROCm {rocm}");
        let instead = row.pythons.clone();
        let reason = Reason::NotInList { list, instead };
        Some(Judgement::new(Verdict::StatedNo, reason, evidence))
    }

    /// The framework that a user names, by name, alias or title.
    pub fn framework_named(&self, text: &str) -> Option<&FrameworkRow> {
        let rows = || self.frameworks().framework.iter();
        rows().find(|row| row.name == text).or_else(|| {
            rows().find(|row| {
                row.title.eq_ignore_ascii_case(text)
                    || row.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(text))
            })
        })
    }

    /// The verdict on one cell.
    pub fn framework_with_rocm(&self, asked: &FrameworkQuestion<'_>) -> Judgement {
        let refused = match asked.platform {
            Some(Platform::Windows) => self.not_on_native_windows(asked.framework, asked.rocm),
            Some(Platform::Wsl) => self.not_under_wsl(asked.framework, asked.rocm),
            _ => None,
        };
        if let Some(refused) = refused {
            return refused;
        }
        let rows = self.listed_for(asked.framework, asked.rocm, asked.platform);
        if let Some(row) = rows.iter().find(|row| speaks_of_python_alone(row))
            && let Some(only) = self.narrower(row, asked)
        {
            let evidence = self.documents(&[*row]);
            return Judgement::new(Verdict::StatedNo, Reason::OnlyFor(only), evidence);
        }
        let of_version: Vec<_> =
            rows.iter().copied().filter(|row| has_version(row, asked.version)).collect();
        let (good, other): (Vec<_>, Vec<_>) =
            of_version.iter().copied().partition(|row| self.narrower(row, asked).is_none());
        if let Some(row) = good.first() {
            let against = self.conflicting(row, &rows);
            let reason = Reason::Listed(row.notes.clone());
            return Judgement::new(Verdict::Listed, reason, self.documents(&good))
                .contradicted_by(against);
        }
        let listed = versions(&rows);
        if let Some(build) = self.build_of(asked) {
            let name = format!("{} {}", build.package, build.version);
            let mut evidence = self.evidence(&build.source, &build.notes, &None);
            evidence.extend(self.documents(if other.is_empty() { &rows } else { &other }));
            let reason = Reason::Built { build: name, listed };
            return Judgement::new(Verdict::BuiltNotListed, reason, evidence);
        }
        if let Some(row) = other.first() {
            let only = self.narrower(row, asked).unwrap_or_default();
            let verdict = if self.is_closed(asked.framework, asked.rocm) {
                Verdict::StatedNo
            } else {
                Verdict::NotKnown
            };
            return Judgement::new(verdict, Reason::OnlyFor(only), self.documents(&other));
        }
        if self.is_closed(asked.framework, asked.rocm) && asked.platform != Some(Platform::Windows)
        {
            let list = format!("AMD's matrix for ROCm {}", asked.rocm);
            let reason = Reason::NotInList { list, instead: listed };
            return Judgement::new(Verdict::StatedNo, reason, self.documents(&rows));
        }
        let what = format!("{} {} with ROCm {}", asked.framework, asked.version, asked.rocm);
        Judgement::new(Verdict::NotKnown, Reason::NothingRead(what), self.documents(&rows))
    }

    /// The versions of a framework that AMD lists for a release, newest first.
    pub fn listed_versions(
        &self,
        framework: &str,
        rocm: &RocmVersion,
        platform: Option<Platform>,
    ) -> Vec<String> {
        versions(&self.listed_for(framework, rocm, platform))
    }

    /// The rows of a framework for a release.
    pub fn listed_for(
        &self,
        framework: &str,
        rocm: &RocmVersion,
        platform: Option<Platform>,
    ) -> Vec<&ListedFramework> {
        let release = rocm.dotted();
        let rows = self.frameworks().listed.iter();
        rows.filter(|row| row.framework == framework)
            .filter(|row| row.rocm.iter().any(|own| own.contains(release.parts())))
            .filter(|row| platform.is_none_or(|platform| row.os.contains(&platform)))
            .collect()
    }

    /// Whether AMD's list of a framework was read whole for a release.
    pub fn is_closed(&self, framework: &str, rocm: &RocmVersion) -> bool {
        let mut closed = self.frameworks().closed.iter();
        closed.any(|row| row.framework == framework && row.rocm.contains(rocm))
    }

    /// The torchvision, torchaudio and apex series of a torch version.
    pub fn torch_pair(&self, torch: &Version) -> Option<&TorchPair> {
        self.frameworks().pair.iter().find(|row| begins_with(torch, &row.torch))
    }

    /// What a row is limited to, where that leaves the question out.
    fn narrower(
        &self,
        row: &ListedFramework,
        asked: &FrameworkQuestion<'_>,
    ) -> Option<Vec<String>> {
        let outside = asked.python.is_some_and(|python| {
            !row.pythons.is_empty() && !row.pythons.iter().any(|own| own == python)
        });
        if outside {
            return Some(row.pythons.iter().map(|python| format!("Python {python}")).collect());
        }
        let outside = asked.gpu.is_some_and(|gpu| self.covers(&row.gpus, gpu) == Covers::No);
        outside.then(|| {
            let scope = &row.gpus;
            let classes = scope.class.iter().map(|class| format!("{class:?}"));
            let not = scope.not_gfx.iter().map(|gfx| format!("all but {gfx}"));
            classes.chain(scope.gfx.iter().map(ToString::to_string)).chain(not).collect()
        })
    }

    fn documents(&self, rows: &[&ListedFramework]) -> Vec<Evidence> {
        let mut all: Vec<Evidence> = Vec::new();
        for row in rows {
            for one in self.evidence(&row.source, &row.notes, &row.confidence) {
                if !all.contains(&one) {
                    all.push(one);
                }
            }
        }
        all
    }

    /// Rows marked `conflict` that list another version in the place of this one.
    fn conflicting(&self, row: &ListedFramework, rows: &[&ListedFramework]) -> Vec<Evidence> {
        let conflict = |row: &ListedFramework| row.confidence.as_deref() == Some("conflict");
        if !conflict(row) {
            return Vec::new();
        }
        let others: Vec<_> = rows
            .iter()
            .copied()
            .filter(|other| conflict(other) && other.versions != row.versions)
            .collect();
        if others.is_empty() { self.documents(&[row]) } else { self.documents(&others) }
    }
}

/// Whether `version` begins with the numbers of `listed` (`2.1.2` with `2.1`, `2.14.0.600` with
/// `2.14.0`).
pub(super) fn begins_with(version: &Version, listed: &str) -> bool {
    let Some(listed) = super::super::pattern::numbers(listed) else {
        return version.to_string() == listed;
    };
    let own = version.release();
    listed
        .iter()
        .enumerate()
        .all(|(at, part)| own.get(at).copied().unwrap_or(0) == u64::from(*part))
}

/// A row without versions, GPUs or doubt: the Pythons of every version of that platform's wheels.
fn speaks_of_python_alone(row: &ListedFramework) -> bool {
    row.versions.is_empty()
        && row.gpus == GpuScope::default()
        && row.confidence.is_none()
        && row.os == [Platform::Windows]
}

fn has_version(row: &ListedFramework, version: &Version) -> bool {
    row.versions.iter().any(|listed| begins_with(version, listed))
}

fn versions(rows: &[&ListedFramework]) -> Vec<String> {
    let mut all: Vec<String> = rows.iter().flat_map(|row| row.versions.iter().cloned()).collect();
    all.sort_by_key(|version| std::cmp::Reverse(super::super::pattern::numbers(version)));
    all.dedup();
    all
}

/// The name under which documents print the Python range of a release's own wheels.
const WHEELS: &str = "rocm-wheels";
