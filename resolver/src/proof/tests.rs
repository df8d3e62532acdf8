//! Verdicts on packages described by hand.

use proptest::prelude::*;
use rocmenv_manifests::device_code::{
    Archive, ArchiveReference, BundleSet, Fault, FileKind, Isa, Library, Linking, NamedData,
    NamedTarget, NativeFile, ObjectFacts, VersionNeed,
};
use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::registry::Registry;

use super::{Package, Platform, Site, Supply, Verdict, coverage, linking, versions};

fn file(path: &str, sets: &[&[&str]]) -> NativeFile {
    let set = |targets: &&[&str]| BundleSet {
        targets: targets.iter().map(|target| target.parse().unwrap()).collect(),
        bundles: 1,
        compressed: 0,
    };
    NativeFile {
        code: sets.iter().map(set).collect(),
        linking: Some(Linking::default()),
        ..NativeFile::new(path, FileKind::Elf)
    }
}

fn package(name: &str, files: Vec<NativeFile>) -> Package {
    let libraries = files.iter().map(|file| file.path.clone()).collect();
    Package {
        name: name.to_owned(),
        version: "1".to_owned(),
        site: Site::Modules,
        facts: Some(ObjectFacts { files, data: Vec::new(), libraries }),
    }
}

/// `verdict: hole, hole` for one GPU.
fn said(packages: &[Package], gpu: &str) -> String {
    let proved = coverage(&Registry::embedded(), packages, &[gpu.parse().unwrap()]);
    let gpu = &proved.gpus[0];
    let holes = gpu.packages.iter().flat_map(|package| &package.holes);
    let holes: Vec<String> = holes.map(|hole| format!("{} {}", hole.file, hole.why)).collect();
    [gpu.verdict.text(), &holes.join(", ")].join(": ")
}

#[test]
fn the_four_verdicts() {
    let native = [package("a", vec![file("a.so", &[&["gfx1100", "gfx942"]])])];
    assert_eq!(said(&native, "gfx942"), "covered natively: ");
    assert_eq!(said(&native, "gfx1031"), "not covered: a.so has no code for it");
    let generic = [package("a", vec![file("a.so", &[&["gfx11-generic", "gfx942"]])])];
    assert_eq!(said(&generic, "gfx1151"), "covered by a generic target: ");
    assert_eq!(said(&[package("a", vec![file("a.so", &[])])], "gfx942"), "not known: ");
    let mut damaged = file("a.so", &[]);
    damaged.faults.push(Fault::Missing);
    assert_eq!(
        said(&[package("a", vec![damaged])], "gfx942"),
        "not known: a.so registers device code but holds none"
    );
    let unread = Package { facts: None, ..package("a", Vec::new()) };
    assert_eq!(said(&[unread], "gfx942"), "not known: a was not read");
}

#[test]
fn modes_are_no_matter_of_the_processor() {
    let only = |targets: &[&str]| [package("a", vec![file("a.so", &[targets])])];
    assert_eq!(said(&only(&["gfx90a:xnack-"]), "gfx90a"), "covered natively: ");
    assert_eq!(said(&only(&["gfx90a:xnack+", "gfx90a:xnack-"]), "gfx90a"), "covered natively: ");
    assert_eq!(
        said(&only(&["gfx90a:xnack+"]), "gfx90a"),
        "not known: a.so its code runs in one mode only (gfx90a:xnack+)"
    );
    assert_eq!(
        said(&only(&["gfx906:sramecc+:xnack-"]), "gfx906"),
        "not known: a.so its code runs in one mode only (gfx906:sramecc+:xnack-)"
    );
    let both = ["gfx906:sramecc+:xnack-", "gfx906:sramecc-:xnack-"];
    assert_eq!(said(&only(&both), "gfx906"), "covered natively: ");
}

#[test]
fn a_side_library_may_lack_a_gpu_but_not_one_that_all_depends_on() {
    let torch = |code: &[&str]| {
        package(
            "torch",
            vec![
                file("torch/lib/libtorch_hip.so", &[code]),
                file("torch/lib/side.so", &[&["gfx942"]]),
            ],
        )
    };
    assert_eq!(
        said(&[torch(&["gfx1100", "gfx942"])], "gfx1100"),
        "covered natively: torch/lib/side.so has no code for it"
    );
    assert_eq!(
        said(&[torch(&["gfx1100"])], "gfx942"),
        "not covered: torch/lib/libtorch_hip.so has no code for it"
    );
    // One package that lacks it is enough.
    let other = package("other", vec![file("o.so", &[&["gfx1100"]])]);
    assert_eq!(
        said(&[torch(&["gfx942"]), other], "gfx942"),
        "not covered: o.so has no code for it"
    );
}

#[test]
fn some_bundles_may_lack_a_gpu() {
    let mixed = [package("a", vec![file("a.so", &[&["gfx942", "gfx1100"], &["gfx942"]])])];
    assert_eq!(
        said(&mixed, "gfx1100"),
        "covered natively: a.so has no code for it in 1 of 2 bundles"
    );
}

/// A device wheel that was left out (ROCm/TheRock#7839): the library alone is no proof.
#[test]
fn the_rock_7839_code_of_a_split_library_lies_in_device_wheels() {
    let mut split = file("torch/lib/libtorch_hip.so", &[]);
    split.reference = Some(ArchiveReference {
        kernel: "lib/libtorch_hip.so".to_owned(),
        paths: vec!["../.kpack/torch_@GFXARCH@.kpack".to_owned()],
    });
    let torch = package("torch", vec![split]);
    let device = |gpu: &str, kernel: &str| {
        let mut archive =
            NativeFile::new(&format!("torch/.kpack/torch_{gpu}.kpack"), FileKind::Kpack);
        let targets: Vec<Isa> = vec![gpu.parse().unwrap()];
        archive.archive = Some(Archive { kernels: vec![(kernel.to_owned(), targets)] });
        package("device", vec![archive])
    };
    assert_eq!(
        said(std::slice::from_ref(&torch), "gfx1201"),
        "not covered: torch/lib/libtorch_hip.so its kernel archive \
         `modules/torch/.kpack/torch_gfx1201.kpack` is in no package"
    );
    let with = |device: Package| [torch.clone(), device];
    assert_eq!(
        said(&with(device("gfx1201", "lib/libtorch_hip.so#0")), "gfx1201"),
        "covered natively: "
    );
    assert!(
        said(&with(device("gfx942", "lib/libtorch_hip.so#0")), "gfx1201").starts_with("not cov")
    );
    assert_eq!(
        said(&with(device("gfx1201", "lib/other.so#0")), "gfx1201"),
        "not covered: torch/lib/libtorch_hip.so its kernel archive \
         `modules/torch/.kpack/torch_gfx1201.kpack` has no code of it"
    );
}

/// rocBLAS without kernels for a GPU ends the process (ROCm/ROCm#4625); other libraries go on.
#[test]
fn rocm_4625_kernel_data_of_rocblas_is_needed_and_tuning_is_not() {
    let with = |library: Library, names: &[&str]| {
        let mut one = package("libs", vec![file("lib/librocblas.so", &[&["gfx906", "gfx942"]])]);
        let target = |name: &&str| NamedTarget { name: (*name).to_owned(), xnack: None };
        let targets = names.iter().map(target).collect();
        one.facts.as_mut().unwrap().data.push(NamedData { library, targets, files: 1 });
        [one]
    };
    assert_eq!(
        said(&with(Library::RocBlas, &["gfx942"]), "gfx906"),
        "not covered: rocBLAS has no kernels for it"
    );
    assert_eq!(
        said(&with(Library::MiOpen, &["gfx942"]), "gfx906"),
        "covered natively: MIOpen has no data for it: slower"
    );
}

#[test]
fn libraries_are_found_where_the_loader_finds_them() {
    let mut torch = file("torch/lib/libtorch.so", &[]);
    torch.linking = Some(Linking {
        soname: None,
        needs: ["liba.so.1", "libb.so.1", "libc.so.6", "libgone.so.3"].map(str::to_owned).to_vec(),
        search: ["$ORIGIN", "$ORIGIN/../../sdk/lib", "$ORIGIN/nowhere"].map(str::to_owned).to_vec(),
        versions: Vec::new(),
    });
    let sdk = file("sdk/lib/liba.so.1", &[]);
    let far = file("far/libb.so.1", &[]);
    let packages =
        [package("torch", vec![torch]), package("sdk", vec![sdk]), package("far", vec![far])];
    let found = linking(&packages, OsFamily::Linux, None);
    let supply =
        |name: &str| found.libraries.iter().find(|one| one.name == name).unwrap().supply.clone();
    assert_eq!(supply("liba.so.1"), Supply::Environment("modules/sdk/lib/liba.so.1".into()));
    assert_eq!(supply("libb.so.1"), Supply::EnvironmentElsewhere("modules/far/libb.so.1".into()));
    assert_eq!(
        (supply("libc.so.6"), supply("libgone.so.3")),
        (Supply::NotChecked, Supply::NotChecked)
    );
    let dead: Vec<&str> = found.dead_folders.iter().map(|one| one.folder.as_str()).collect();
    assert_eq!(dead, ["$ORIGIN/nowhere"]);
}

#[test]
fn dlls_are_found_whatever_their_case_and_only_on_windows() {
    let mut module = file("torch/lib/torch_hip.dll", &[]);
    module.kind = FileKind::Pe;
    let needs = ["C10_HIP.dll", "amdhip64_7.DLL", "KERNEL32.dll", "api-ms-win-crt-heap-l1-1-0.dll"];
    module.linking =
        Some(Linking { needs: needs.map(str::to_owned).to_vec(), ..Linking::default() });
    let beside = file("torch/lib/c10_hip.dll", &[]);
    let far = file("_rocm_sdk_core/bin/amdhip64_7.dll", &[]);
    let packages = [package("torch", vec![module, beside]), package("sdk", vec![far])];
    let found = linking(&packages, OsFamily::Windows, None);
    let supply =
        |name: &str| found.libraries.iter().find(|one| one.name == name).unwrap().supply.clone();
    assert_eq!(supply(needs[0]), Supply::Environment("modules/torch/lib/c10_hip.dll".into()));
    assert_eq!(
        supply(needs[1]),
        Supply::EnvironmentElsewhere("modules/_rocm_sdk_core/bin/amdhip64_7.dll".into())
    );
    assert_eq!(supply(needs[2]), Supply::NotChecked);
    assert_eq!(supply(needs[3]), Supply::Host("an API set of Windows".into()));
    // A module of Windows in an environment of Linux is loaded by nobody.
    assert!(linking(&packages, OsFamily::Linux, None).libraries.is_empty());
}

#[test]
fn symbol_versions_are_compared_as_numbers() {
    let mut needy = file("a.so", &[]);
    let need = |library: &str, version: &str| VersionNeed {
        library: library.to_owned(),
        version: version.to_owned(),
    };
    needy.linking.as_mut().unwrap().versions = vec![
        need("libc.so.6", "GLIBC_2.4"),
        need("libc.so.6", "GLIBC_2.38"),
        need("libc.so.6", "GLIBC_2.39"),
        need("libstdc++.so.6", "GLIBCXX_3.4.32"),
    ];
    let packages = [package("a", vec![needy])];
    let found = |glibc: &str, defined: Option<&str>| {
        let platform = Platform {
            glibc: glibc.parse().ok(),
            libstdcxx: defined.map(|one| [one.to_owned()].into()),
        };
        let found = versions(&packages, &platform);
        found.into_iter().map(|one| one.version).collect::<Vec<_>>()
    };
    assert_eq!(found("2.36", None), ["GLIBC_2.39"]);
    assert_eq!(found("2.39", Some("GLIBCXX_3.4.30")), ["GLIBCXX_3.4.32"]);
    assert!(found("2.39", Some("GLIBCXX_3.4.32")).is_empty() && found("", None).is_empty());
}

/// The verdict by a rule that works another way: ask each target of each bundle.
fn oracle(sets: &[Vec<String>], gpu: GfxTarget) -> Verdict {
    let generic = |name: &str| match name {
        "gfx11-generic" => gpu.major() == 11,
        "gfx9-4-generic" => ["gfx942", "gfx950"].contains(&gpu.to_string().as_str()),
        _ => false,
    };
    let of_set = |set: &Vec<String>| {
        if set.iter().any(|name| *name == gpu.to_string()) {
            Verdict::Native
        } else if set.iter().any(|name| generic(name)) {
            Verdict::Generic
        } else {
            Verdict::NotCovered
        }
    };
    let all: Vec<Verdict> = sets.iter().filter(|set| !set.is_empty()).map(of_set).collect();
    let covered = all.iter().filter(|one| **one != Verdict::NotCovered).max();
    match (all.is_empty(), covered) {
        (true, _) => Verdict::NotCovered,
        (false, covered) => covered.copied().unwrap_or(Verdict::NotCovered),
    }
}

proptest! {
    #[test]
    fn verdicts_agree_with_a_plain_look(
        sets in proptest::collection::vec(
            proptest::collection::vec(
                prop::sample::select(vec![
                    "gfx942", "gfx950", "gfx1100", "gfx1151", "gfx1201", "gfx11-generic", "gfx9-4-generic",
                ]).prop_map(str::to_owned),
                0..4,
            ),
            1..4,
        ),
        gpu in prop::sample::select(vec!["gfx942", "gfx950", "gfx1100", "gfx1151", "gfx1201"]),
    ) {
        let gpu: GfxTarget = gpu.parse().unwrap();
        let borrowed: Vec<Vec<&str>> =
            sets.iter().map(|set| set.iter().map(String::as_str).collect()).collect();
        let slices: Vec<&[&str]> = borrowed.iter().map(Vec::as_slice).collect();
        let packages = [package("a", vec![file("a.so", &slices)])];
        let verdict = coverage(&Registry::embedded(), &packages, &[gpu]).gpus[0].verdict;
        prop_assert_eq!(verdict, oracle(&sets, gpu));
    }
}
