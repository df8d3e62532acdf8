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

use super::question::{Interpreter, Question};
use super::wheel_text::{WheelText, is_wheel};
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
    /// Its files, as positions in the page, where no interpreter has a wheel.
    pub(super) unusable: Vec<usize>,
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

    /// Whether no interpreter has a wheel.
    pub(super) fn is_unusable(&self) -> bool {
        self.wheels.iter().all(Option::is_none)
    }

    /// The interpreters that have a wheel, as positions in the question.
    pub(super) fn interpreters(&self) -> impl Iterator<Item = usize> + '_ {
        self.wheels.iter().enumerate().filter_map(|(at, wheel)| wheel.map(|_| at))
    }
}

/// Reads pages for one question.
#[derive(Debug)]
pub(super) struct PageReader {
    pub(super) interpreters: Vec<Taker>,
    pub(super) libc: Option<Dotted>,
    /// The tags of the best interpreter, were the C library new enough for anything.
    pub(super) any_libc: Tags,
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
        for (at, file) in page.files.iter().enumerate() {
            if !self.is_too_new(file) {
                self.sort_in(at, file, &mut seen);
            }
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
                unusable: if is_usable {
                    Vec::new()
                } else {
                    entries.iter().map(|entry| entry.at).collect()
                },
                wheels,
                page: Arc::clone(page),
            }
        };
        seen.versions.into_iter().map(version).collect()
    }

    fn is_too_new(&self, file: &PythonFile) -> bool {
        matches!((self.exclude_newer, file.uploaded), (Some(limit), Some(at)) if at > limit)
    }

    /// Puts a file among those of its version. One whose name says none is no candidate.
    fn sort_in<'p>(&self, at: usize, file: &'p PythonFile, seen: &mut Seen<'p>) {
        let takes = file.requires_python.as_deref().map(|text| {
            let taken = || self.interpreters_taken(text).into();
            Arc::clone(seen.pythons.entry(text).or_insert_with(taken))
        });
        let Some(name) = WheelText::of(&file.name) else {
            if let Some((_, version)) = parse_sdist(&file.name) {
                seen.of_version(version).push(Entry { at, takes, wheel: None });
            }
            return;
        };
        let ranks = seen.ranks.entry(name.tags).or_insert_with(|| {
            self.interpreters.iter().map(|taker| name.rank(&taker.tags)).collect()
        });
        let wheel = Some((name, Arc::clone(ranks)));
        if let Some(entries) = seen.of_text(name.version) {
            entries.push(Entry { at, takes, wheel });
        }
    }

    fn interpreters_taken(&self, requires_python: &str) -> Vec<bool> {
        // A text that cannot be read excludes nothing, as pip has it.
        let Ok(specifiers) = requires_python.parse::<VersionSpecifiers>() else {
            return vec![true; self.interpreters.len()];
        };
        self.interpreters.iter().map(|taker| specifiers.contains(&taker.python.floor)).collect()
    }
}

/// An interpreter of the question, with what it takes.
#[derive(Debug)]
pub(super) struct Taker {
    python: Interpreter,
    pub(super) tags: Tags,
    /// Its own interpreter tag (`cp312`).
    pub(super) interpreter: String,
    /// Its own ABI tag.
    pub(super) abi: String,
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
    /// The files of each version.
    versions: Vec<(Version, Vec<Entry<'p>>)>,
    /// Where a version is among them; two texts may say one version.
    places: BTreeMap<Version, usize>,
    texts: Texts<'p, Option<usize>>,
    ranks: Texts<'p, Arc<[Option<u32>]>>,
    pythons: Texts<'p, Arc<[bool]>>,
}

/// Values by text of a page. Pages are long and their texts nobody's secret: a quick hash does.
type Texts<'p, T> = HashMap<&'p str, T, foldhash::fast::RandomState>;

impl<'p> Seen<'p> {
    /// The files of the version that a text says, if it says one.
    fn of_text(&mut self, text: &'p str) -> Option<&mut Vec<Entry<'p>>> {
        let place = if let Some(&place) = self.texts.get(text) {
            place
        } else {
            let place = text.parse().ok().map(|version| self.place(version));
            self.texts.insert(text, place);
            place
        };
        Some(&mut self.versions[place?].1)
    }

    fn of_version(&mut self, version: Version) -> &mut Vec<Entry<'p>> {
        let place = self.place(version);
        &mut self.versions[place].1
    }

    fn place(&mut self, version: Version) -> usize {
        let next = self.versions.len();
        let place = *self.places.entry(version.clone()).or_insert(next);
        if place == next {
            self.versions.push((version, Vec::new()));
        }
        place
    }
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

/// Newer than any glibc that a wheel asks for.
const ANY_GLIBC: u16 = 99;
