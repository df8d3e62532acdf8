//! One framework with one release: which build would be chosen, and what speaks for and against.
//!
//! Better verdicts come first, then newer versions; a local part never orders builds.

use std::str::FromStr;

use pep440_rs::Version;
use rocmenv_manifests::registry::rows::builds::Build;
use rocmenv_manifests::registry::rows::frameworks::FrameworkRow;
use rocmenv_manifests::registry::{FrameworkQuestion, Judgement, Reason, Registry, Verdict};
use rocmenv_manifests::version::{Requirement, RocmVersion};

use super::answer::{ChosenBuild, FrameworkAnswer, Item, Pair};
use super::evaluate::Asked;
use super::pairs::{each_gpu, known_bad, name};
use super::refusal::Refusal;
use super::versions::{exact_version, is_series, satisfies};

/// What was found for a framework.
pub(super) struct Found {
    pub(super) answer: FrameworkAnswer,
    pub(super) pairs: Vec<Pair>,
    pub(super) refusal: Option<Refusal>,
    /// Package and version, for combinations.
    pub(super) package: Option<(String, Version)>,
    /// What another framework must be (`pytorch==2.13.0`).
    pub(super) needs: Option<String>,
}

/// Chooses for a framework; `wanted` is what the user and other frameworks ask of it.
pub(super) fn choose(
    registry: &Registry,
    asked: &Asked,
    framework: &FrameworkRow,
    wanted: &Requirement,
    rocm: &RocmVersion,
) -> Found {
    let chooser = Chooser { registry, asked, framework, wanted, rocm };
    let mut known = registry.builds_for(framework, rocm);
    let mut usable = known.clone();
    if asked.unproven {
        usable.extend(registry.unproven_builds(framework, rocm));
    }
    let candidates = usable.into_iter().filter(|build| chooser.is_candidate(build));
    let judged = candidates.map(|build| (build, chooser.pairs_of(build)));
    // the first of equals is the newest
    let best = judged.min_by_key(|(_, pairs)| (refusing(pairs), worst(pairs)));
    known.dedup();
    match best {
        Some((build, pairs)) => chooser.chosen(build, pairs, &known),
        None => chooser.none(&known),
    }
}

/// The worst verdict of pairs; warnings about combinations are said and do not count.
pub(super) fn worst(pairs: &[Pair]) -> Verdict {
    let counts = |pair: &&Pair| {
        !matches!(pair.left, Item::Combination(_)) || pair.judgement.verdict.refuses()
    };
    let verdicts = pairs.iter().filter(counts).map(|pair| pair.judgement.verdict);
    verdicts.max().unwrap_or(Verdict::Listed)
}

fn refusing(pairs: &[Pair]) -> usize {
    pairs.iter().filter(|pair| pair.judgement.verdict.refuses()).count()
}

/// One choice: a framework, what is asked of it, and a release.
pub(super) struct Chooser<'c> {
    pub(super) registry: &'c Registry,
    pub(super) asked: &'c Asked,
    pub(super) framework: &'c FrameworkRow,
    pub(super) wanted: &'c Requirement,
    pub(super) rocm: &'c RocmVersion,
}

impl Chooser<'_> {
    fn is_candidate(&self, build: &Build) -> bool {
        let platform = self.asked.host.platform();
        let python = self.asked.host.python.as_deref();
        platform.is_none_or(|platform| build.runs_on(platform))
            && python.is_none_or(|python| build.serves_python(python) != Some(false))
            && build.public_version().is_some_and(|version| satisfies(self.wanted, &version))
    }

    fn pairs_of(&self, build: &Build) -> Vec<Pair> {
        let Some(version) = build.public_version() else { return Vec::new() };
        let mut pairs = self.listed_pairs(&version);
        for gpu in &self.asked.host.gpus {
            if let Some(judgement) = self.registry.build_has_code(build, gpu.gfx) {
                let left = Item::Build(format!("{} {}", build.package, build.version));
                pairs.push(Pair { left, right: Item::Gpu(name(gpu)), judgement });
            }
        }
        pairs.extend(self.python_unseen(build, &version));
        let packages = [(build.package.as_str(), &version)];
        let with = known_bad(self.registry, &self.asked.host, self.rocm, &packages);
        let without = known_bad(self.registry, &self.asked.host, self.rocm, &[]);
        pairs.extend(with.into_iter().filter(|pair| !without.contains(pair)));
        pairs
    }

    /// The Python asked for, where files of the build were seen for others only and AMD's list
    /// does not name it either.
    fn python_unseen(&self, build: &Build, version: &Version) -> Option<Pair> {
        let python = self.asked.host.python.as_ref()?;
        let named = self.answer(Some(version), &[]).listed_pythons.contains(python);
        if named || build.pythons.is_empty() || build.serves_python(python).is_some() {
            return None;
        }
        let seen = build.pythons.join(", ");
        Some(Pair {
            left: Item::Build(format!("{} {}", build.package, build.version)),
            right: Item::Python(python.clone()),
            judgement: Judgement {
                verdict: Verdict::NotKnown,
                reason: Reason::NothingRead(format!("a file for it; seen were {seen}")),
                evidence: Vec::new(),
                contradicted_by: Vec::new(),
            },
        })
    }

    /// The framework's version with the release, for each GPU.
    fn listed_pairs(&self, version: &Version) -> Vec<Pair> {
        let host = &self.asked.host;
        let mut pairs: Vec<Pair> = Vec::new();
        for gpu in each_gpu(host) {
            let judgement = self.registry.framework_with_rocm(&FrameworkQuestion {
                framework: &self.framework.name,
                version,
                rocm: self.rocm,
                platform: host.platform(),
                python: host.python.as_deref(),
                gpu,
            });
            let left = Item::Framework(format!("{} {version}", self.framework.name));
            let pair = Pair { left, right: Item::Rocm(self.rocm.clone()), judgement };
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        pairs
    }

    fn chosen(&self, build: &Build, pairs: Vec<Pair>, known: &[&Build]) -> Found {
        let version = build.public_version();
        let mut answer = self.answer(version.as_ref(), known);
        let mut extras = Vec::new();
        let mut device_wheels = Vec::new();
        for gpu in &self.asked.host.gpus {
            if let Some(wheels) = self.registry.device_wheels(&build.package, gpu.gfx, self.rocm) {
                extras.extend(wheels.extra);
                device_wheels.extend(wheels.packages);
            }
        }
        extras.dedup();
        device_wheels.dedup();
        let is_classic =
            self.registry.line_of(self.rocm).is_some_and(|line| line.name == "classic");
        let pair = version.as_ref().filter(|_| self.framework.name == "pytorch");
        let pair = pair.and_then(|version| self.registry.torch_pair(version));
        answer.build = Some(ChosenBuild {
            build: self.known(build),
            extras,
            device_wheels,
            needs_host_rocm: build.bundles_rocm == Some(false)
                && is_classic
                && !self.has_rocm_beside(build),
            companions: pair.map_or_else(Vec::new, |pair| {
                let named = [("torchvision", &pair.torchvision), ("torchaudio", &pair.torchaudio)];
                named.map(|(name, series)| (name.to_owned(), series.clone())).to_vec()
            }),
        });
        let needs = version.as_ref().and_then(|version| self.needs(version));
        let package = version.map(|version| (build.package.clone(), version));
        Found { answer, pairs, refusal: None, package, needs }
    }

    /// Whether ROCm's own wheels lie on the build's index, as they do on AMD's for Windows.
    fn has_rocm_beside(&self, build: &Build) -> bool {
        let core = self.registry.builds_of("rocm-sdk-core");
        core.iter().any(|core| core.channel == build.channel && core.series == build.series)
    }

    /// No build will do. The table of builds is open: a version that AMD lists and of which no
    /// build was seen is not known to be had, which is said and not refused.
    fn none(&self, known: &[&Build]) -> Found {
        let exact = exact_version(self.wanted);
        let newest = || {
            let listed = self.listed();
            listed.iter().find_map(|listed| {
                let version = Version::from_str(listed).ok()?;
                satisfies(self.wanted, &version).then_some(version)
            })
        };
        // AMD lists some versions by two numbers, so a series may be one of them.
        let version = match exact {
            Some(exact) if is_series(&exact) => newest().or(Some(exact)),
            exact => exact.or_else(newest),
        };
        let mut pairs =
            version.as_ref().map_or_else(Vec::new, |version| self.listed_pairs(version));
        let mut answer = self.answer(version.as_ref(), known);
        answer.images = self.images();
        let is_listed = pairs.iter().any(|pair| pair.judgement.verdict == Verdict::Listed);
        let refuses = refusing(&pairs) > 0;
        let refusal = if refuses {
            None
        } else if is_listed && !self.is_built(known) {
            pairs.push(self.unseen(version.as_ref(), &answer));
            None
        } else {
            Some(self.no_build(&answer, known))
        };
        let needs = version.as_ref().and_then(|version| self.needs(version));
        Found { answer, pairs, refusal, package: None, needs }
    }
}
