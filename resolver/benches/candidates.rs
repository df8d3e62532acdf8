//! Solves 100,000 candidates and prints how long it took: 1,000 packages of 100 versions, and
//! 100 packages of 1,000. Everything is at hand; pages are parsed and the closure is solved.
//!
//! `cargo bench -p rocmenv-resolver --bench candidates`
#![expect(clippy::print_stdout, reason = "a benchmark tells its figures")]
#![expect(clippy::unwrap_used, reason = "the input is made here")]

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;

use rocmenv_manifests::catalog::{Answer, Catalog, PythonFile, PythonPage};
use rocmenv_manifests::debian::DebIndex;
use rocmenv_manifests::name::{IndexName, PackageName, TargetName};
use rocmenv_manifests::platform::{Arch, Libc, OsFamily};
use rocmenv_manifests::project::{Accelerator, Accept};
use rocmenv_manifests::python::{CoreMetadata, PyRequirement};
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_resolver::solve::{
    Interpreter, Outcome, Previous, Question, Stack, Want, Wants, solve,
};
use rocmenv_resolver::target::Target;

fn main() {
    for (packages, versions) in [(1000, 100), (100, 1000)] {
        let world = World::new(packages, versions);
        let question = question();
        let mut times: Vec<f64> = (0..RUNS)
            .map(|_| {
                let started = Instant::now();
                let outcome = solve(&question, &world);
                let taken = started.elapsed().as_secs_f64() * 1000.0;
                assert!(matches!(outcome, Outcome::Solved(solution)
                    if solution.wheels().len() == packages));
                taken
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let (median, worst) = (times[RUNS / 2], times[RUNS - 1]);
        println!("{packages} packages x {versions} versions: {median:.0} ms (worst {worst:.0} ms)");
    }
}

const RUNS: usize = 11;

/// Every package needs the next three, in versions that are not much older than its own.
struct World {
    pages: HashMap<PackageName, Arc<PythonPage>>,
    metadata: HashMap<String, Arc<CoreMetadata>>,
}

impl World {
    fn new(packages: usize, versions: usize) -> Self {
        let mut world = Self { pages: HashMap::new(), metadata: HashMap::new() };
        for package in 0..packages {
            let name: PackageName = format!("package-{package}").parse().unwrap();
            let files = (0..versions)
                .map(|version| world.file([packages, versions], package, version))
                .collect();
            world.pages.insert(name, Arc::new(PythonPage { files }));
        }
        world
    }

    fn file(
        &mut self,
        [packages, versions]: [usize; 2],
        package: usize,
        version: usize,
    ) -> PythonFile {
        let number = number_of(version);
        let name = format!("package_{package}-{number}-cp312-cp312-manylinux_2_28_x86_64.whl");
        let newest = version + 2 >= versions;
        let needs = (package + 1..(package + 4).min(packages)).map(|needed| {
            // The two newest versions of every hundredth package ask for what nothing else takes.
            if newest && package.is_multiple_of(100) {
                return format!("package-{needed}<0.0.1");
            }
            format!("package-{needed}>={}", number_of(version.saturating_sub(20)))
        });
        let requires_dist: Vec<PyRequirement> = needs.map(|line| line.parse().unwrap()).collect();
        let metadata = CoreMetadata {
            name: format!("package-{package}").parse().unwrap(),
            version: number.parse().unwrap(),
            requires_dist,
            requires_python: None,
            provides_extra: Vec::new(),
            summary: None,
        };
        self.metadata.insert(name.clone(), Arc::new(metadata));
        PythonFile {
            name,
            sha256: None,
            size: None,
            requires_python: Some(">=3.9".to_owned()),
            yanked: None,
            uploaded: None,
            has_metadata: true,
        }
    }
}

fn number_of(version: usize) -> String {
    format!("{}.{}.{}", version / 100, version / 10 % 10, version % 10)
}

impl Catalog for World {
    fn python_page(&self, _: &IndexName, package: &PackageName) -> Answer<Arc<PythonPage>> {
        self.pages.get(package).cloned().map_or(Answer::Absent, Answer::Ready)
    }

    fn python_metadata(
        &self,
        _: &IndexName,
        _: &PackageName,
        file: &PythonFile,
    ) -> Answer<Arc<CoreMetadata>> {
        self.metadata.get(&file.name).cloned().map_or(Answer::Absent, Answer::Ready)
    }

    fn debs(&self, _: &IndexName) -> Answer<Arc<DebIndex>> {
        Answer::Absent
    }
}

fn question() -> Question {
    let requirement: PyRequirement = "package-0".parse().unwrap();
    Question {
        target: Target {
            name: TargetName::host(),
            family: OsFamily::Linux,
            os: None,
            wsl: false,
            kernel: None,
            libc: Some(Sourced::new(Libc::Glibc("2.39".parse().unwrap()), Origin::Default)),
            arch: Sourced::new(Arch::X86_64, Origin::Default),
            gpus: None,
            driver: None,
            host_rocm: None,
            accelerator: Accelerator::Rocm,
        },
        wants: Wants {
            packages: vec![Want::of_requirement(&requirement, Origin::Default)],
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
