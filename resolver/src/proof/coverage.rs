//! Whether the code of an environment runs on a GPU, by what the files hold.
//!
//! A file is covered where a bundle of it has code for the GPU; that others lack it is said. A
//! package is covered where a file of it is, except that a file that the registry calls essential
//! decides alone: makers leave some GPUs out of side libraries that nothing else needs, but
//! without these nothing works. The environment is as good as its worst package.

use rocmenv_manifests::device_code::{FileKind, Isa, Library, NativeFile, Processor};
use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::device_code::{Feature, Without};
use serde::Serialize;

use super::archives::{Archives, Held};
use super::placed::Package;

/// What was proved for every GPU of a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// In the order that was asked in.
    pub gpus: Vec<GpuVerdict>,
}

/// What was proved for one GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GpuVerdict {
    /// Its target.
    pub gpu: GfxTarget,
    /// The worst of the packages'; not known where no package holds device code.
    pub verdict: Verdict,
    /// The packages that hold device code, sorted by name.
    pub packages: Vec<PackageVerdict>,
}

/// Whether code runs on a GPU, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Code for exactly this GPU.
    Native,
    /// Code for a family of LLVM's generic targets that the GPU belongs to.
    Generic,
    /// Nobody could tell.
    NotKnown,
    /// There is no code for it.
    NotCovered,
}

/// What was proved for one package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackageVerdict {
    /// The package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Its files that hold device code.
    pub files: usize,
    /// What lacks the GPU or could not be told, sorted by file.
    pub holes: Vec<Hole>,
}

/// A file that lacks a GPU, or of which nobody can tell.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Hole {
    /// The file, or the library whose kernel data it is.
    pub file: String,
    /// What is missing.
    pub why: Why,
    /// What there is instead.
    pub has: Vec<Isa>,
}

/// Why a file is no proof for a GPU.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// No code for it.
    #[error("has no code for it")]
    Lacks,
    /// Some source files of it have none.
    #[error("has no code for it in {0} of {1} bundles")]
    Partly(u32, u32),
    /// Its kernel archive is not there: the device wheel was left out.
    #[error("its kernel archive `{0}` is in no package")]
    NoArchive(String),
    /// Its kernel archive has none.
    #[error("its kernel archive `{0}` has no code of it")]
    EmptyArchive(String),
    /// Only for a mode that is not the default.
    #[error("its code runs in one mode only ({0})")]
    OneMode(String),
    /// Only a form that the driver translates.
    #[error("holds SPIR-V, which is translated when it runs")]
    Translated,
    /// It cannot be read.
    #[error("{0}")]
    Fault(String),
    /// No kernel data.
    #[error("has no kernels for it")]
    NoKernels,
    /// No tuning data, which costs time and not correctness.
    #[error("has no data for it: slower")]
    NoData,
    /// No data, and no document says what becomes of what uses it.
    #[error("has no data for it; what becomes of what uses it is not known")]
    Unsaid,
}

/// Judges every GPU.
pub fn coverage(registry: &Registry, packages: &[Package], gpus: &[GfxTarget]) -> Coverage {
    let archives = Archives::of(packages);
    let judged = gpus.iter().map(|&gpu| Judge { registry, archives: &archives, gpu }.all(packages));
    Coverage { gpus: judged.collect() }
}

impl Coverage {
    /// The worst verdict; none where no GPU was asked about.
    pub fn worst(&self) -> Option<Verdict> {
        self.gpus.iter().map(|gpu| gpu.verdict).max()
    }
}

impl Verdict {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Native => "covered natively",
            Self::Generic => "covered by a generic target",
            Self::NotKnown => "not known",
            Self::NotCovered => "not covered",
        }
    }
}

/// What is known beside the files while one GPU is judged.
struct Judge<'a> {
    registry: &'a Registry,
    archives: &'a Archives<'a>,
    gpu: GfxTarget,
}

impl Judge<'_> {
    fn all(&self, packages: &[Package]) -> GpuVerdict {
        let mut judged: Vec<PackageVerdict> =
            packages.iter().filter_map(|package| self.package(package)).collect();
        self.kernel_data(packages, &mut judged);
        judged.sort_by(|a, b| a.package.cmp(&b.package));
        let verdict = judged.iter().map(|one| one.verdict).max().unwrap_or(Verdict::NotKnown);
        GpuVerdict { gpu: self.gpu, verdict, packages: judged }
    }

    /// `None` for a package without device code. One that nobody could read is not known.
    fn package(&self, package: &Package) -> Option<PackageVerdict> {
        let whole = |verdict, files, holes| PackageVerdict {
            package: package.name.clone(),
            version: package.version.clone(),
            verdict,
            files,
            holes,
        };
        if package.facts.is_none() {
            let why = Why::Fault("was not read".to_owned());
            let hole = Hole { file: package.name.clone(), why, has: Vec::new() };
            return Some(whole(Verdict::NotKnown, 0, vec![hole]));
        }
        let (mut verdicts, mut holes, mut essential) = (Vec::new(), Vec::new(), None);
        // Archives are what other files refer to; a fault in one shows there.
        let files = package.files().iter().filter(|file| file.kind != FileKind::Kpack);
        for file in files.filter(|file| file.has_device_code()) {
            let (verdict, hole) = self.file(file, &package.place(&file.path));
            if verdict == Verdict::NotCovered && self.is_essential(&file.path) {
                essential = Some(verdict);
            }
            verdicts.push(verdict);
            holes.extend(hole);
        }
        if verdicts.is_empty() {
            return None;
        }
        let covered = verdicts.iter().filter(|one| **one <= Verdict::Generic).max();
        let unknown = verdicts.iter().find(|one| **one == Verdict::NotKnown);
        let verdict = essential.or(covered.copied()).or(unknown.copied());
        holes.sort();
        Some(whole(verdict.unwrap_or(Verdict::NotCovered), verdicts.len(), holes))
    }

    fn file(&self, file: &NativeFile, place: &str) -> (Verdict, Option<Hole>) {
        let hole = |why| Some(Hole { file: file.path.clone(), why, has: file.targets() });
        if let Some(reference) = &file.reference {
            return match self.archives.held(place, reference, self.gpu) {
                Held::Code(targets) => match self.of_targets(&targets) {
                    Ok(verdict) => (verdict, None),
                    Err(why) => (Verdict::NotKnown, hole(why)),
                },
                Held::Nothing { archive } => {
                    (Verdict::NotCovered, hole(Why::EmptyArchive(archive)))
                }
                Held::NoArchive { wanted } => (Verdict::NotCovered, hole(Why::NoArchive(wanted))),
            };
        }
        let with_code = || file.code.iter().filter(|set| !set.targets.is_empty());
        let total: u32 = with_code().map(|set| set.bundles).sum();
        let (mut lacking, mut best, mut doubt) = (0, None::<Verdict>, None);
        for set in with_code() {
            match self.of_targets(&set.targets) {
                Ok(Verdict::NotCovered) => lacking += set.bundles,
                // The weaker of two kinds of code is what the file is worth.
                Ok(verdict) => best = Some(best.map_or(verdict, |known| known.max(verdict))),
                Err(why) => doubt = Some(why),
            }
        }
        let fault = file.faults.first().map(|fault| Why::Fault(fault.to_string()));
        match (best, doubt.or(fault)) {
            (Some(verdict), None) if lacking == 0 => (verdict, None),
            (Some(verdict), None) => (verdict, hole(Why::Partly(lacking, total))),
            (Some(verdict), Some(why)) => (verdict, hole(why)),
            (None, Some(why)) => (Verdict::NotKnown, hole(why)),
            (None, None) => (Verdict::NotCovered, hole(Why::Lacks)),
        }
    }

    /// What a set of code objects is for a GPU, or why nobody can tell.
    fn of_targets(&self, targets: &[Isa]) -> Result<Verdict, Why> {
        let fitting: Vec<&Isa> = targets.iter().filter(|isa| isa.runs_on(self.gpu)).collect();
        let usable = fitting.iter().filter(|isa| self.runs_by_default(isa, &fitting));
        let verdict = |isa: &&&Isa| match isa.processor {
            Processor::Exact(_) => Verdict::Native,
            _ => Verdict::Generic,
        };
        if let Some(best) = usable.map(|isa| verdict(&isa)).min() {
            return Ok(best);
        }
        if let Some(isa) = fitting.first() {
            return Err(Why::OneMode(isa.to_string()));
        }
        let is_spirv = |isa: &Isa| isa.processor == Processor::Unknown(SPIRV.to_owned());
        if targets.iter().any(is_spirv) { Err(Why::Translated) } else { Ok(Verdict::NotCovered) }
    }

    /// A feature that nobody sets is as the registry says. Of one that may be either way, code for
    /// one setting needs its counterpart.
    fn runs_by_default(&self, isa: &Isa, all: &[&Isa]) -> bool {
        let runs = |feature: Feature| {
            let of = |isa: &Isa| match feature {
                Feature::Xnack => isa.features.xnack,
                Feature::Sramecc => isa.features.sramecc,
            };
            let Some(own) = of(isa) else { return true };
            match self.registry.default_mode(feature, self.gpu) {
                Some(default) => own == default,
                None => all.iter().any(|one| of(one) == Some(!own)),
            }
        };
        runs(Feature::Xnack) && runs(Feature::Sramecc)
    }

    /// Kernel data is looked for in all packages together: device wheels bring it for others.
    fn kernel_data(&self, packages: &[Package], judged: &mut Vec<PackageVerdict>) {
        let facts = || packages.iter().filter_map(|one| Some((one, one.facts.as_ref()?)));
        let mut libraries: Vec<Library> =
            facts().flat_map(|(_, facts)| facts.data.iter().map(|data| data.library)).collect();
        libraries.sort();
        libraries.dedup();
        for library in libraries {
            let of_library = |facts: &'_ rocmenv_manifests::device_code::ObjectFacts| {
                facts.data.iter().any(|data| {
                    data.library == library && data.targets.iter().any(|one| one.is_for(self.gpu))
                })
            };
            if facts().any(|(_, facts)| of_library(facts)) {
                continue;
            }
            let (verdict, why) = match self.registry.without_data(library) {
                Some(Without::Fails) => (Verdict::NotCovered, Why::NoKernels),
                Some(Without::Slower) => (Verdict::Native, Why::NoData),
                None => (Verdict::Native, Why::Unsaid),
            };
            let hole = Hole { file: library.name().to_owned(), why, has: Vec::new() };
            let keepers =
                facts().filter(|(_, facts)| facts.data.iter().any(|d| d.library == library));
            for (package, _) in keepers {
                match judged.iter_mut().find(|one| one.package == package.name) {
                    Some(known) => {
                        known.verdict = known.verdict.max(verdict);
                        known.holes.push(hole.clone());
                    }
                    None if verdict == Verdict::NotCovered => judged.push(PackageVerdict {
                        package: package.name.clone(),
                        version: package.version.clone(),
                        verdict,
                        files: 0,
                        holes: vec![hole.clone()],
                    }),
                    None => {}
                }
            }
        }
    }

    fn is_essential(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.registry.essential_file(name).is_some()
    }
}

/// AMD's name for code that is no machine's yet.
const SPIRV: &str = "amdgcnspirv";
