//! One framework with one release: which build would be chosen, and what speaks for and against.
//!
//! Better verdicts come first, then newer versions; a local part never orders builds.

use std::str::FromStr;

use pep440_rs::{Version, VersionSpecifiers};
use rocmenv_manifests::registry::pattern::numbers;
use rocmenv_manifests::registry::rows::builds::Build;
use rocmenv_manifests::registry::rows::frameworks::FrameworkRow;
use rocmenv_manifests::registry::{FrameworkQuestion, Judgement, Reason, Registry, Verdict};
use rocmenv_manifests::version::{Op, Requirement, RocmVersion};

use super::answer::{ChosenBuild, FrameworkAnswer, Item, KnownBuild, Pair, Refusal};
use super::evaluate::Asked;
use super::pairs::{each_gpu, known_bad, name};

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

struct Chooser<'c> {
    registry: &'c Registry,
    asked: &'c Asked,
    framework: &'c FrameworkRow,
    wanted: &'c Requirement,
    rocm: &'c RocmVersion,
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
            needs_host_rocm: build.bundles_rocm == Some(false) && is_classic,
            companions: pair.map_or_else(Vec::new, |pair| {
                let named = [("torchvision", &pair.torchvision), ("torchaudio", &pair.torchaudio)];
                named.map(|(name, series)| (name.to_owned(), series.clone())).to_vec()
            }),
        });
        let needs = version.as_ref().and_then(|version| self.needs(version));
        let package = version.map(|version| (build.package.clone(), version));
        Found { answer, pairs, refusal: None, package, needs }
    }

    /// No build will do: what AMD lists, and whether any build is known at all.
    fn none(&self, known: &[&Build]) -> Found {
        let exact = exact_version(self.wanted);
        let newest = || {
            let listed = self.listed();
            listed.iter().find_map(|listed| {
                let version = Version::from_str(listed).ok()?;
                satisfies(self.wanted, &version).then_some(version)
            })
        };
        let version = exact.or_else(newest);
        let pairs = version.as_ref().map_or_else(Vec::new, |version| self.listed_pairs(version));
        let answer = self.answer(version.as_ref(), known);
        let is_listed = pairs.iter().any(|pair| pair.judgement.verdict == Verdict::Listed);
        // where AMD lists it and no build of the series was found anywhere, it may still exist
        let refused = !(is_listed && known.is_empty()) && refusing(&pairs) == 0;
        let refusal = refused.then(|| self.no_build(&answer, known));
        let needs = version.as_ref().and_then(|version| self.needs(version));
        Found { answer, pairs, refusal, package: None, needs }
    }

    fn no_build(&self, answer: &FrameworkAnswer, known: &[&Build]) -> Refusal {
        let platform = self.asked.host.platform();
        let elsewhere = platform.is_some_and(|platform| {
            !known.is_empty() && !known.iter().any(|build| build.runs_on(platform))
        });
        let framework = self.framework.name.clone();
        let release = self.rocm.clone();
        if elsewhere {
            let mut platforms: Vec<String> =
                known.iter().flat_map(|build| build.platforms.iter().cloned()).collect();
            platforms.sort();
            platforms.dedup();
            return Refusal::OtherPlatform { framework, release, platforms };
        }
        if let Some(refusal) = self.other_python(known) {
            return refusal;
        }
        Refusal::NoBuild {
            framework,
            wanted: self.wanted.to_string(),
            release,
            listed: answer.listed.clone(),
            known: answer.known.clone(),
        }
    }

    /// The refusal where it is only the Python that keeps known builds from being chosen.
    fn other_python(&self, known: &[&Build]) -> Option<Refusal> {
        let python = self.asked.host.python.clone()?;
        let platform = self.asked.host.platform();
        let asked_for = known.iter().filter(|build| {
            platform.is_none_or(|platform| build.runs_on(platform))
                && build.public_version().is_some_and(|version| satisfies(self.wanted, &version))
        });
        let mut tags: Vec<String> = asked_for.flat_map(|build| build.pythons.clone()).collect();
        tags.sort_by_key(|tag| tag.get(2..).and_then(|number| number.parse::<u32>().ok()));
        tags.dedup();
        (!tags.is_empty()).then(|| Refusal::OtherPython {
            framework: self.framework.name.clone(),
            release: self.rocm.clone(),
            python,
            tags,
        })
    }

    fn answer(&self, version: Option<&Version>, known: &[&Build]) -> FrameworkAnswer {
        let rows =
            self.registry.listed_for(&self.framework.name, self.rocm, self.asked.host.platform());
        let of_version = rows.iter().filter(|row| {
            version.is_some_and(|version| {
                row.versions.iter().any(|listed| begins_with(version, listed))
            })
        });
        let mut pythons: Vec<String> =
            of_version.flat_map(|row| row.pythons.iter().cloned()).collect();
        pythons.sort_by_key(|python| std::cmp::Reverse(numbers(python)));
        pythons.dedup();
        FrameworkAnswer {
            name: self.framework.name.clone(),
            wanted: self.wanted.to_string(),
            build: None,
            listed: self.listed(),
            listed_pythons: pythons,
            known: known.iter().map(|build| self.known(build)).collect(),
        }
    }

    fn listed(&self) -> Vec<String> {
        let platform = self.asked.host.platform();
        self.registry.listed_versions(&self.framework.name, self.rocm, platform)
    }

    fn needs(&self, version: &Version) -> Option<String> {
        let platform = self.asked.host.platform();
        let rows = self.registry.listed_for(&self.framework.name, self.rocm, platform);
        let of_version = rows
            .into_iter()
            .find(|row| row.versions.iter().any(|listed| begins_with(version, listed)));
        of_version.and_then(|row| row.requires.clone())
    }

    fn known(&self, build: &Build) -> KnownBuild {
        let index = self.registry.index_of_build(build);
        KnownBuild {
            package: build.package.clone(),
            version: build.version.clone(),
            built_for: build.rocm.to_string(),
            url: index.as_ref().and_then(|index| index.url.clone()),
            index: index.map(|index| index.name),
            platforms: build.platforms.clone(),
            python_tags: build.pythons.clone(),
            requires_python: build.requires_python.clone(),
        }
    }
}

/// Whether a version is asked for. ROCm builds of TensorFlow carry the ROCm version as a fourth
/// part, which nobody means when asking for `2.14.0`.
pub(super) fn satisfies(wanted: &Requirement, version: &Version) -> bool {
    if wanted.is_any() {
        return true;
    }
    let Ok(specifiers) = VersionSpecifiers::from_str(&wanted.to_pep440()) else { return false };
    let three = version.release().iter().take(3).copied();
    specifiers.contains(version) || specifiers.contains(&Version::new(three))
}

/// The single version that a requirement names, if it names one.
fn exact_version(wanted: &Requirement) -> Option<Version> {
    match wanted.clauses() {
        [clause] if matches!(clause.op, Op::Bare | Op::Equal) && !clause.wildcard => {
            Version::from_str(&clause.version).ok()
        }
        _ => None,
    }
}

fn begins_with(version: &Version, listed: &str) -> bool {
    numbers(listed).is_some_and(|listed| {
        let own = version.release();
        listed
            .iter()
            .enumerate()
            .all(|(at, part)| own.get(at).copied().unwrap_or(0) == u64::from(*part))
    })
}
