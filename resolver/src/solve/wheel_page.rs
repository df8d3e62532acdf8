//! One page of a simple index as the solver sees it: versions, best wheels, and what is wrong.
//!
//! A page can list thousands of files, so a file costs a split and two look-ups: versions and
//! tags are read once per distinct text. The order of the page's files decides nothing.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use rocmenv_manifests::catalog::{PythonFile, PythonPage};
use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_manifests::platform::{Libc, OsFamily};
use rocmenv_manifests::python::wheel_name::parse_sdist;
use rocmenv_manifests::python::{PythonAbi, TagPlatform, Tags, Version, VersionSpecifiers};
use rocmenv_manifests::version::Dotted;

use super::exclusion::Exclusion;
use super::question::{Interpreter, Question};
use crate::target::Target;

/// One version of a package on one index.
#[derive(Debug, Clone)]
pub(super) struct WheelVersion {
    pub(super) package: PackageName,
    pub(super) version: Version,
    pub(super) index: IndexName,
    /// The best wheel of each interpreter of the question, as a position in the page.
    pub(super) wheels: Vec<Option<usize>>,
    /// Why the publisher took it back, if every usable wheel was.
    pub(super) yanked: Option<String>,
    /// What is wrong where no interpreter has a wheel.
    pub(super) fault: Option<Exclusion>,
    pub(super) page: Arc<PythonPage>,
}

impl WheelVersion {
    /// The wheel for one interpreter.
    pub(super) fn file(&self, interpreter: usize) -> Option<&PythonFile> {
        self.page.files.get((*self.wheels.get(interpreter)?)?)
    }

    /// Whether it is a source archive, which only a rule lets in.
    pub(super) fn is_source(&self) -> bool {
        let file = self.interpreters().next().and_then(|python| self.file(python));
        file.is_some_and(|file| !is_wheel(&file.name))
    }

    /// The interpreters that have a wheel, as positions in the question.
    pub(super) fn interpreters(&self) -> impl Iterator<Item = usize> + '_ {
        self.wheels.iter().enumerate().filter_map(|(at, wheel)| wheel.map(|_| at))
    }
}

/// Reads pages for one question.
#[derive(Debug)]
pub(super) struct PageReader {
    interpreters: Vec<Taker>,
    libc: Option<Dotted>,
    /// The tags of the best interpreter, were the C library new enough for anything.
    any_libc: Tags,
    /// Packages whose source archives are taken as they are.
    metas: BTreeSet<PackageName>,
    exclude_newer: Option<i64>,
}

impl PageReader {
    pub(super) fn new(question: &Question) -> Self {
        let taker = |python: &Interpreter| Taker::new(python, &question.target);
        let newest = question.interpreters.first().map_or(MIN_PYTHON, |python| python.minor);
        let any_libc = match tag_platform(&question.target) {
            TagPlatform::Manylinux { arch, .. } => {
                TagPlatform::Manylinux { minor: ANY_GLIBC, arch }
            }
            other => other,
        };
        let libc = question.target.libc.as_ref().map(|libc| match &libc.value {
            Libc::Glibc(version) | Libc::Musl(version) => version.clone(),
        });
        Self {
            interpreters: question.interpreters.iter().map(taker).collect(),
            libc,
            any_libc: Tags::new(PythonAbi::cpython(newest), any_libc),
            metas: question.stack.metas.keys().cloned().collect(),
            exclude_newer: question.exclude_newer,
        }
    }

    /// The versions of a page, in no particular order.
    pub(super) fn read(
        &self,
        package: &PackageName,
        index: &IndexName,
        page: &Arc<PythonPage>,
    ) -> Vec<WheelVersion> {
        let mut seen = Seen::default();
        let mut groups: BTreeMap<Version, Vec<Entry<'_>>> = BTreeMap::new();
        for (at, file) in page.files.iter().enumerate() {
            if self.is_too_new(file) {
                continue;
            }
            let Some((version, entry)) = self.entry(at, file, &mut seen) else { continue };
            groups.entry(version).or_default().push(entry);
        }
        let version = |(version, entries): (Version, Vec<Entry<'_>>)| {
            let mut wheels: Vec<Option<usize>> = (0..self.interpreters.len())
                .map(|interpreter| best(&entries, interpreter, page))
                .collect();
            if self.metas.contains(package) {
                let source = entries.iter().find(|entry| entry.wheel.is_none()).map(|it| it.at);
                for wheel in &mut wheels {
                    *wheel = wheel.or(source);
                }
            }
            let is_usable = wheels.iter().any(Option::is_some);
            WheelVersion {
                package: package.clone(),
                version,
                index: index.clone(),
                yanked: yanked(&wheels, page),
                fault: (!is_usable).then(|| self.fault(&entries, page)),
                wheels,
                page: Arc::clone(page),
            }
        };
        groups.into_iter().map(version).collect()
    }

    fn is_too_new(&self, file: &PythonFile) -> bool {
        matches!((self.exclude_newer, file.uploaded), (Some(limit), Some(at)) if at > limit)
    }

    fn entry<'p>(
        &self,
        at: usize,
        file: &'p PythonFile,
        seen: &mut Seen<'p>,
    ) -> Option<(Version, Entry<'p>)> {
        let takes = match file.requires_python.as_deref() {
            None => None,
            Some(text) => Some(Arc::clone(
                seen.pythons.entry(text).or_insert_with(|| self.interpreters_taken(text).into()),
            )),
        };
        let Some(name) = WheelText::of(&file.name) else {
            let (_, version) = parse_sdist(&file.name)?;
            return Some((version, Entry { at, takes, wheel: None }));
        };
        let version =
            seen.versions.entry(name.version).or_insert_with(|| name.version.parse().ok());
        let version = version.clone()?;
        let ranks = seen.ranks.entry(name.tags).or_insert_with(|| {
            self.interpreters.iter().map(|taker| name.rank(&taker.tags)).collect()
        });
        Some((version, Entry { at, takes, wheel: Some((name, Arc::clone(ranks))) }))
    }

    fn interpreters_taken(&self, requires_python: &str) -> Vec<bool> {
        // A text that cannot be read excludes nothing, as pip has it.
        let Ok(specifiers) = requires_python.parse::<VersionSpecifiers>() else {
            return vec![true; self.interpreters.len()];
        };
        self.interpreters.iter().map(|taker| specifiers.contains(&taker.python.floor)).collect()
    }

    /// Why no interpreter has a wheel of a version.
    fn fault(&self, entries: &[Entry<'_>], page: &PythonPage) -> Exclusion {
        let wheels: Vec<&Entry<'_>> =
            entries.iter().filter(|entry| entry.wheel.is_some()).collect();
        if wheels.is_empty() {
            return Exclusion::SourceOnly;
        }
        let fits_but_python = wheels.iter().find(|entry| entry.ranks().any(|rank| rank.is_some()));
        if let Some(entry) = fits_but_python {
            let text = page.files[entry.at].requires_python.clone().unwrap_or_default();
            return Exclusion::RequiresPython(text);
        }
        let names =
            || wheels.iter().filter_map(|entry| entry.wheel.as_ref().map(|(name, _)| *name));
        let newer_libc = names().filter(|name| name.rank(&self.any_libc).is_some());
        let needs = newer_libc.flat_map(WheelText::platforms).filter_map(glibc_of).min();
        if let (Some(needs), Some(has)) = (needs, &self.libc) {
            return Exclusion::Libc { needs, has: has.clone() };
        }
        let served: BTreeSet<String> = names()
            .filter(|name| name.platforms().any(|platform| self.serves(platform)))
            .flat_map(WheelText::interpreters)
            .map(str::to_owned)
            .collect();
        if !served.is_empty() {
            return Exclusion::PythonTags(served.into_iter().collect());
        }
        let platforms: BTreeSet<&str> = names().flat_map(WheelText::platforms).collect();
        Exclusion::Platform(platforms.into_iter().map(str::to_owned).collect())
    }

    /// Whether the target takes a platform tag at all.
    fn serves(&self, platform: &str) -> bool {
        platform == "any"
            || self
                .interpreters
                .iter()
                .any(|taker| taker.tags.rank(&taker.interpreter, &taker.abi, platform).is_some())
    }
}

/// An interpreter of the question, with what it takes.
#[derive(Debug)]
struct Taker {
    python: Interpreter,
    tags: Tags,
    /// Its own interpreter tag (`cp312`).
    interpreter: String,
    /// Its own ABI tag.
    abi: String,
}

impl Taker {
    fn new(python: &Interpreter, target: &Target) -> Self {
        let own = PythonAbi::cpython(python.minor);
        Self {
            python: python.clone(),
            interpreter: own.interpreter(),
            abi: own.abi(),
            tags: Tags::new(own, tag_platform(target)),
        }
    }
}

/// What was read once for a whole page.
#[derive(Default)]
struct Seen<'p> {
    versions: HashMap<&'p str, Option<Version>>,
    ranks: HashMap<&'p str, Arc<[Option<u32>]>>,
    pythons: HashMap<&'p str, Arc<[bool]>>,
}

/// A file of one version.
struct Entry<'p> {
    at: usize,
    /// Which interpreters its `Requires-Python` takes; none means all.
    takes: Option<Arc<[bool]>>,
    /// Its name and its rank for each interpreter; `None` for a source archive.
    wheel: Option<(WheelText<'p>, Arc<[Option<u32>]>)>,
}

impl Entry<'_> {
    fn ranks(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        self.wheel.iter().flat_map(|(_, ranks)| ranks.iter().copied())
    }

    fn rank(&self, interpreter: usize) -> Option<u32> {
        let takes = self.takes.as_ref().is_none_or(|takes| takes[interpreter]);
        self.wheel.as_ref().and_then(|(_, ranks)| ranks[interpreter]).filter(|_| takes)
    }
}

/// The best wheel for one interpreter: not taken back, by tag, then by build, then by name.
fn best(entries: &[Entry<'_>], interpreter: usize, page: &PythonPage) -> Option<usize> {
    let keyed = entries.iter().filter_map(|entry| {
        let (name, _) = entry.wheel.as_ref()?;
        let file = &page.files[entry.at];
        let rank = entry.rank(interpreter)?;
        let key = (file.yanked.is_some(), rank, Reverse(name.build_number()), &file.name);
        Some((key, entry.at))
    });
    keyed.min().map(|(_, at)| at)
}

fn yanked(wheels: &[Option<usize>], page: &PythonPage) -> Option<String> {
    let reasons: Option<Vec<&String>> =
        wheels.iter().flatten().map(|&at| page.files[at].yanked.as_ref()).collect();
    reasons?.first().map(|reason| (*reason).clone())
}

/// A wheel's file name, cut but not read.
#[derive(Clone, Copy)]
struct WheelText<'p> {
    version: &'p str,
    build: Option<&'p str>,
    tags: &'p str,
}

impl<'p> WheelText<'p> {
    fn of(file: &'p str) -> Option<Self> {
        let stem = file.strip_suffix(EXTENSION)?;
        let tags_at = stem.rmatch_indices('-').nth(2)?.0;
        let (rest, tags) = (&stem[..tags_at], &stem[tags_at + 1..]);
        let mut parts = rest.splitn(3, '-').skip(1);
        Some(Self { version: parts.next()?, build: parts.next(), tags })
    }

    fn parts(self) -> [&'p str; 3] {
        let mut parts = self.tags.splitn(3, '-');
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    }

    fn interpreters(self) -> impl Iterator<Item = &'p str> {
        self.parts()[0].split('.')
    }

    fn platforms(self) -> impl Iterator<Item = &'p str> {
        self.parts()[2].split('.')
    }

    fn rank(self, tags: &Tags) -> Option<u32> {
        let [interpreters, abis, platforms] = self.parts();
        let ranks = interpreters.split('.').flat_map(|interpreter| {
            abis.split('.').flat_map(move |abi| {
                platforms
                    .split('.')
                    .filter_map(move |platform| tags.rank(interpreter, abi, platform))
            })
        });
        ranks.min()
    }

    fn build_number(self) -> (u64, &'p str) {
        let build = self.build.unwrap_or_default();
        let end = build.find(|c: char| !c.is_ascii_digit()).unwrap_or(build.len());
        (build[..end].parse().unwrap_or(0), &build[end..])
    }
}

/// The C library that a platform tag asks for (PEP 600, and the three older names).
pub(super) fn glibc_of(platform: &str) -> Option<Dotted> {
    if let Some(rest) = platform.strip_prefix("manylinux_") {
        let mut parts = rest.splitn(3, '_');
        let (major, minor) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        return Some(Dotted::new(major, minor));
    }
    let minor = match platform.split_once('_')?.0 {
        "manylinux1" => 5,
        "manylinux2010" => 12,
        "manylinux2014" => 17,
        _ => return None,
    };
    Some(Dotted::new(2, minor))
}

/// Whether a file's name is a wheel's.
pub(super) fn is_wheel(file: &str) -> bool {
    file.strip_suffix(EXTENSION).is_some()
}

/// The platform tags of a target. A C library that was not described is not checked.
pub(super) fn tag_platform(target: &Target) -> TagPlatform {
    let arch = target.arch.value;
    let minor = |version: &Dotted| u16::try_from(version.part(1)).unwrap_or(u16::MAX);
    match (target.family, target.libc.as_ref().map(|libc| &libc.value)) {
        (OsFamily::Windows, _) => TagPlatform::Windows { arch },
        (OsFamily::Linux, Some(Libc::Glibc(version))) => {
            TagPlatform::Manylinux { minor: minor(version), arch }
        }
        (OsFamily::Linux, Some(Libc::Musl(version))) => {
            TagPlatform::Musllinux { minor: minor(version), arch }
        }
        (OsFamily::Linux, None) => TagPlatform::Manylinux { minor: ANY_GLIBC, arch },
    }
}

/// A series to speak of where a question has no interpreter at all.
const MIN_PYTHON: u16 = 10;

const EXTENSION: &str = ".whl";

/// Newer than any glibc that a wheel asks for.
const ANY_GLIBC: u16 = 99;
