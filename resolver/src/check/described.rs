//! A framework in words: what AMD lists, what is known to be built, and why nothing will do.

use pep440_rs::Version;
use rocmenv_manifests::registry::pattern::numbers;
use rocmenv_manifests::registry::rows::builds::{Build, VllmWheels};
use rocmenv_manifests::registry::rows::images::ImageRow;
use rocmenv_manifests::registry::rows::support::Platform;
use rocmenv_manifests::registry::{Judgement, Reason, Verdict};

use super::answer::{FrameworkAnswer, Item, KnownBuild, KnownImage, Pair};
use super::framework::Chooser;
use super::refusal::Refusal;
use super::versions::{begins_with, satisfies};

impl Chooser<'_> {
    /// Whether a build of what is asked for is known, whatever its Python.
    pub(super) fn is_built(&self, known: &[&Build]) -> bool {
        self.asked_for(known).next().is_some()
    }

    /// That no build was seen of a version that AMD lists, and which were.
    pub(super) fn unseen(&self, version: Option<&Version>, answer: &FrameworkAnswer) -> Pair {
        let name = &self.framework.name;
        let version = version.map_or_else(|| self.wanted.to_string(), Version::to_string);
        let series = self.rocm.series();
        let seen: Vec<_> = answer.known.iter().map(|build| build.version.as_str()).collect();
        let seen = if seen.is_empty() { "none was".to_owned() } else { seen.join(", ") };
        Pair {
            left: Item::Framework(format!("{name} {version}")),
            right: Item::Build(format!("its builds for ROCm {series}")),
            judgement: Judgement {
                verdict: Verdict::NotKnown,
                reason: Reason::NothingRead(format!("a build of it; seen: {seen}")),
                evidence: Vec::new(),
                contradicted_by: Vec::new(),
            },
        }
    }

    pub(super) fn no_build(&self, answer: &FrameworkAnswer, known: &[&Build]) -> Refusal {
        let platform = self.asked.host.platform();
        let elsewhere = platform.is_some_and(|platform| {
            !known.is_empty() && !known.iter().any(|build| build.runs_on(platform))
        });
        let framework = self.framework.name.clone();
        let release = self.rocm.clone();
        if platform == Some(Platform::Windows)
            && let Some(judgement) = self.registry.not_on_native_windows(&framework, &release)
        {
            let left = Item::Framework(format!("{framework} on native Windows"));
            return Refusal::Pair(Pair { left, right: Item::Rocm(release), judgement });
        }
        if let Some(refusal) = self.listed_elsewhere(answer, known) {
            return refusal;
        }
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

    /// The refusal where AMD's rows speak of other platforms alone, and no build of this one is
    /// known.
    fn listed_elsewhere(&self, answer: &FrameworkAnswer, known: &[&Build]) -> Option<Refusal> {
        let platform = self.asked.host.platform().filter(|_| answer.listed.is_empty())?;
        if known.iter().any(|build| build.runs_on(platform)) {
            return None;
        }
        let rows = self.registry.listed_for(&self.framework.name, self.rocm, None);
        let mut platforms: Vec<String> = rows
            .iter()
            .flat_map(|row| &row.os)
            .map(|platform| match platform {
                Platform::Linux => "Linux".to_owned(),
                Platform::Windows => "Windows".to_owned(),
                Platform::Wsl => "WSL2".to_owned(),
            })
            .collect();
        platforms.sort();
        platforms.dedup();
        (!platforms.is_empty()).then(|| Refusal::ListedElsewhere {
            framework: self.framework.name.clone(),
            release: self.rocm.clone(),
            platforms,
        })
    }

    /// The refusal where it is only the Python that keeps known builds from being chosen.
    fn other_python(&self, known: &[&Build]) -> Option<Refusal> {
        let python = self.asked.host.python.clone()?;
        let asked_for = self.asked_for(known);
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

    fn asked_for<'k>(&self, known: &'k [&'k Build]) -> impl Iterator<Item = &'k Build> {
        let platform = self.asked.host.platform();
        known.iter().copied().filter(move |build| {
            platform.is_none_or(|platform| build.runs_on(platform))
                && build.public_version().is_some_and(|version| satisfies(self.wanted, &version))
        })
    }

    pub(super) fn answer(&self, version: Option<&Version>, known: &[&Build]) -> FrameworkAnswer {
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
            packages: self.packages(),
            known: known.iter().map(|build| self.known(build)).chain(self.vllm_wheels()).collect(),
            images: Vec::new(),
        }
    }

    /// The container images of this very release; native Windows runs none.
    pub(super) fn images(&self) -> Vec<KnownImage> {
        if self.asked.host.platform() == Some(Platform::Windows) {
            return Vec::new();
        }
        let gfx: Vec<_> = self.asked.host.gpus.iter().map(|gpu| gpu.gfx).collect();
        let rows = self.registry.images_of(&self.framework.name, self.rocm, &gfx);
        let of_release = rows.into_iter().filter(|row| row.is_of(self.rocm));
        let known =
            |row: &ImageRow| KnownImage { name: row.name.clone(), source: row.source.to_string() };
        of_release.map(known).collect()
    }

    /// vLLM's own wheels, of which the registry knows variants and no single versions.
    fn vllm_wheels(&self) -> Vec<KnownBuild> {
        if self.framework.package != "vllm" {
            return Vec::new();
        }
        let url = self.registry.channel("vllm").and_then(|channel| channel.url.clone());
        let rows = self.registry.vllm_wheels_for(self.rocm);
        let known = |row: &VllmWheels| KnownBuild {
            package: format!("vllm ({})", row.variant),
            version: row.versions.clone(),
            built_for: row.rocm.to_string(),
            index: None,
            url: url.clone(),
            platforms: vec!["linux_x86_64".to_owned()],
            python_tags: row.pythons.clone(),
            requires_python: None,
        };
        rows.into_iter().map(known).collect()
    }

    pub(super) fn listed(&self) -> Vec<String> {
        let platform = self.asked.host.platform();
        self.registry.listed_versions(&self.framework.name, self.rocm, platform)
    }

    /// What the framework's name brings; packages with the ROCm major in their names follow it.
    pub(super) fn packages(&self) -> Vec<String> {
        let plain = self.framework.packages.iter().filter(|name| !name.contains('{'));
        let family = self.registry.family_packages(&self.framework.name, self.rocm);
        plain.chain(family).cloned().collect()
    }

    pub(super) fn needs(&self, version: &Version) -> Option<String> {
        let platform = self.asked.host.platform();
        let rows = self.registry.listed_for(&self.framework.name, self.rocm, platform);
        let of_version = rows
            .into_iter()
            .find(|row| row.versions.iter().any(|listed| begins_with(version, listed)));
        of_version.and_then(|row| row.requires.clone())
    }

    pub(super) fn known(&self, build: &Build) -> KnownBuild {
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
