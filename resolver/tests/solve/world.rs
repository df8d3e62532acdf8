//! A whole world of packages in memory: the catalog that tests solve over.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rocmenv_manifests::catalog::{Answer, Catalog, PythonFile, PythonPage, Query};
use rocmenv_manifests::debian::DebIndex;
use rocmenv_manifests::name::{IndexName, PackageName, TargetName};
use rocmenv_manifests::platform::{Arch, Libc, OsFamily};
use rocmenv_manifests::project::{Accelerator, Accept};
use rocmenv_manifests::python::{CoreMetadata, PyRequirement};
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_resolver::solve::{
    Diagnosis, Interpreter, Outcome, Previous, Question, Refusal, Solution, Stack, Want, Wants,
    solve,
};
use rocmenv_resolver::target::Target;

/// Pages and metadata. What `hides` has not been told of is answered with "not fetched yet".
#[derive(Default, Clone)]
pub(crate) struct World {
    pages: BTreeMap<(IndexName, PackageName), PythonPage>,
    metadata: BTreeMap<String, Arc<CoreMetadata>>,
    pub(crate) debs: BTreeMap<IndexName, Arc<DebIndex>>,
    /// What was fetched so far; `None` means everything.
    pub(crate) fetched: Option<RefCell<BTreeSet<Query>>>,
    /// The metadata that was read, in order.
    pub(crate) read: RefCell<Vec<String>>,
}

/// A wheel or source archive to put into a world.
#[derive(Default, Clone)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) requires: Vec<String>,
    pub(crate) requires_python: Option<String>,
    pub(crate) yanked: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) uploaded: Option<i64>,
}

impl World {
    pub(crate) fn file(&mut self, index: &str, package: &str, file: File) {
        let package: PackageName = package.parse().unwrap();
        let page = self.pages.entry((index.parse().unwrap(), package.clone())).or_default();
        let extras = file.requires.iter().flat_map(|line| line.split("extra == '").skip(1));
        let metadata = CoreMetadata {
            name: package,
            version: version_of(&file.name).parse().unwrap(),
            requires_dist: file.requires.iter().map(|line| line.parse().unwrap()).collect(),
            requires_python: file.requires_python.as_ref().map(|text| text.parse().unwrap()),
            provides_extra: extras.filter_map(|it| it.split('\'').next()?.parse().ok()).collect(),
            summary: file.summary,
        };
        self.metadata.insert(file.name.clone(), Arc::new(metadata));
        page.files.push(PythonFile {
            name: file.name,
            sha256: None,
            size: None,
            requires_python: file.requires_python,
            yanked: file.yanked,
            uploaded: file.uploaded,
            has_metadata: true,
        });
    }

    /// `name version requires...` of a pure wheel on the general index.
    pub(crate) fn wheel(&mut self, package: &str, version: &str, requires: &[&str]) {
        let name = format!("{}-{version}-py3-none-any.whl", package.replace('-', "_"));
        let requires = requires.iter().map(|&line| line.to_owned()).collect();
        self.file("python", package, File { name, requires, ..File::default() });
    }

    /// The same world with the files of every page in another order.
    pub(crate) fn shuffled(mut self, seed: u64) -> Self {
        for (at, page) in self.pages.values_mut().enumerate() {
            let len = page.files.len().max(1);
            page.files.rotate_left((usize::try_from(seed).unwrap() + at) % len);
            if (seed + at as u64).is_multiple_of(2) {
                page.files.reverse();
            }
        }
        self
    }

    /// The same world of which nothing was fetched yet.
    pub(crate) fn unfetched(mut self) -> Self {
        self.fetched = Some(RefCell::default());
        self
    }

    fn answer<T>(&self, query: &Query, value: Option<T>) -> Answer<T> {
        match (&self.fetched, value) {
            (Some(fetched), _) if !fetched.borrow().contains(query) => Answer::NotFetched,
            (_, Some(value)) => Answer::Ready(value),
            (_, None) => Answer::Absent,
        }
    }
}

fn version_of(file: &str) -> &str {
    match file.strip_suffix(".tar.gz") {
        Some(stem) => stem.rsplit('-').next().unwrap(),
        None => file.split('-').nth(1).unwrap(),
    }
}

impl Catalog for World {
    fn python_page(&self, index: &IndexName, package: &PackageName) -> Answer<Arc<PythonPage>> {
        let query = Query::PythonPage { index: index.clone(), package: package.clone() };
        let page = self.pages.get(&(index.clone(), package.clone()));
        self.answer(&query, page.cloned().map(Arc::new))
    }

    fn python_metadata(
        &self,
        index: &IndexName,
        package: &PackageName,
        file: &PythonFile,
    ) -> Answer<Arc<CoreMetadata>> {
        let query = Query::PythonMetadata {
            index: index.clone(),
            package: package.clone(),
            file: file.name.clone(),
        };
        self.read.borrow_mut().push(file.name.clone());
        self.answer(&query, self.metadata.get(&file.name).cloned())
    }

    fn debs(&self, repository: &IndexName) -> Answer<Arc<DebIndex>> {
        let query = Query::Debs { repository: repository.clone() };
        self.answer(&query, self.debs.get(repository).cloned())
    }
}

/// A Linux target with glibc 2.39 and nothing else described.
pub(crate) fn target() -> Target {
    Target {
        name: TargetName::host(),
        family: OsFamily::Linux,
        os: None,
        wsl: false,
        kernel: None,
        libc: Some(described(Libc::Glibc("2.39".parse().unwrap()))),
        arch: described(Arch::X86_64),
        gpus: None,
        driver: None,
        host_rocm: None,
        accelerator: Accelerator::Rocm,
    }
}

pub(crate) fn described<T>(value: T) -> Sourced<T> {
    Sourced::new(value, Origin::File { file: "rocm.toml".to_owned(), line: 9 })
}

/// A question of Python packages alone, for Python 3.12.
pub(crate) fn question(requirements: &[&str]) -> Question {
    let want = |(at, text): (usize, &&str)| {
        let requirement: PyRequirement = text.parse().unwrap();
        let line = at + 1;
        Want::of_requirement(&requirement, Origin::File { file: "rocm.toml".to_owned(), line })
    };
    Question {
        target: target(),
        wants: Wants {
            packages: requirements.iter().enumerate().map(want).collect(),
            ..Wants::default()
        },
        interpreters: vec![Interpreter::series(12)],
        stack: Stack::default(),
        accept: Accept::Unknown,
        unproven: false,
        preview: false,
        exclude_newer: None,
        overrides: BTreeMap::new(),
        previous: Previous::default(),
        host_packages: BTreeMap::new(),
    }
}

/// Solves to the end, fetching whatever is asked for; says how many rounds it took.
pub(crate) fn rounds(question: &Question, world: &World) -> (Result<Solution, Refusal>, usize) {
    for round in 1.. {
        match solve(question, world) {
            Outcome::Solved(solution) => return (Ok(*solution), round),
            Outcome::Refused(refusal) => return (Err(refusal), round),
            Outcome::Missing(missing) => {
                let fetched = world.fetched.as_ref().expect("nothing is missing in a whole world");
                fetched.borrow_mut().extend(missing);
            }
        }
    }
    unreachable!("every round fetches something")
}

/// `name==version` of every wheel, one a line; or the refusal.
pub(crate) fn answer(question: &Question, world: &World) -> String {
    match rounds(question, world).0 {
        Ok(solution) => pins(&solution),
        Err(refusal) => {
            let refusal = diagnosed(question, world, refusal);
            let fixes = refusal.fixes.iter().map(|fix| format!("\nthis would do: {fix}"));
            format!("[{}]\n{refusal}{}", refusal.code, fixes.collect::<String>())
        }
    }
}

/// The refusal with its core and fixes, fetching whatever is asked for.
pub(crate) fn diagnosed(question: &Question, world: &World, refusal: Refusal) -> Refusal {
    let mut diagnosis = Diagnosis::new(refusal, question, world, None);
    loop {
        let told = diagnosis.tell();
        if told.missing.is_empty() {
            return told.refusal;
        }
        let fetched = world.fetched.as_ref().expect("nothing is missing in a whole world");
        fetched.borrow_mut().extend(told.missing);
    }
}

pub(crate) fn pins(solution: &Solution) -> String {
    let wheels = solution.wheels();
    let lines = wheels.iter().map(|wheel| format!("{}=={}", wheel.name, wheel.version));
    lines.collect::<Vec<_>>().join("\n")
}
