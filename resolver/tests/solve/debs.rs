//! The distribution's own ROCm: components, closures, alternatives, and what stays the host's.

use std::sync::Arc;

use rocmenv_manifests::debian::DebIndex;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::platform::Libc;
use rocmenv_manifests::project::ChannelChoice;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::solve::{Interpreter, Question, Stack};

use crate::world::{World, described, question, rounds, target};

/// A few packages as Debian writes them: name, version, and what follows.
fn archive(packages: &[(&str, &str, &str)]) -> World {
    let paragraph = |(name, version, more): &(&str, &str, &str)| {
        let digest = "0".repeat(64);
        format!(
            "Package: {name}\nVersion: {version}\nArchitecture: amd64\n{more}\
             Filename: pool/main/{name}_{version}.deb\nSize: 1\nSHA256: {digest}\n\n"
        )
    };
    let list: String = packages.iter().map(paragraph).collect();
    let mut world = World::default();
    world.debs.insert(IndexName::distribution(), Arc::new(DebIndex::new([list])));
    world
}

/// The shape of bookworm's packages, cut down.
fn bookworm() -> World {
    archive(&[
        (
            "libamdhip64-5",
            "5.2.3-8",
            "Depends: libamd-comgr2 (>= 5.0), libhsa-runtime64-1 (>= 5.2.0), libc6 (>= 2.34), libgcc-s1 (>= 4.2)\n",
        ),
        (
            "libamd-comgr2",
            "6.0+git20221117-2",
            "Depends: libc6 (>= 2.34), libllvm15, libz3-4 | libz3-old\n",
        ),
        ("libllvm15", "1:15.0.6-4+b1", "Depends: libc6 (>= 2.33), libtinfo6 (>= 6)\n"),
        (
            "libhsa-runtime64-1",
            "5.2.4-1",
            "Pre-Depends: dpkg (>= 1.17)\nDepends: libelf1 (>= 0.144), libc6 (>= 2.34)\n",
        ),
        ("libelf1", "0.188-2.1", "Depends: libc6 (>= 2.33), zlib1g (>= 1:1.1.4)\n"),
        ("libtinfo6", "6.4-4", "Depends: libc6 (>= 2.33)\n"),
        ("zlib1g", "1:1.2.13.dfsg-1", "Depends: libc6 (>= 2.14)\n"),
        ("zlib-next", "2.0-1", "Provides: zlib1g (= 1:1.2.14)\nBreaks: libelf1 (<< 0.189)\n"),
        ("libz3-4", "4.8.12-3.1", "Depends: libc6 (>= 2.34)\n"),
        (
            "rocminfo",
            "5.2.3-2",
            "Depends: libhsa-runtime64-1 (>= 5.2.0), pciutils, kmod, python3:any\n",
        ),
        ("rocm-smi", "5.2.3-2", "Depends: libc6 (>= 2.34), python3:any\n"),
        ("python3", "3.11.2-1+b1", "Depends: python3.11 (>= 3.11.2-1~)\n"),
        ("python3.11", "3.11.2-6+deb12u6", "Depends: libc6 (>= 2.34), mime-support\n"),
        ("media-types", "10.0.0", "Provides: mime-support\n"),
    ])
}

/// The same runtime as trixie builds it.
fn trixie() -> World {
    archive(&[
        (
            "libamdhip64-5",
            "5.7.1-6+deb13u1",
            "Depends: libhsa-runtime64-1 (>= 5.7), libc6 (>= 2.34)\n",
        ),
        ("libhsa-runtime64-1", "6.1.2-3", "Depends: libc6 (>= 2.38), libstdc++6 (>= 13)\n"),
    ])
}

fn components(names: &[&str]) -> Question {
    let registry = Registry::embedded();
    let mut question = question(&[]);
    question.target = target();
    question.target.os = Some(described("debian-12".parse().unwrap()));
    question.target.libc = Some(described(Libc::Glibc("2.36".parse().unwrap())));
    question.stack = Stack::of(&registry, &question.target, &ChannelChoice::Distro);
    question.wants.components = names.iter().map(|name| described(name.parse().unwrap())).collect();
    question
}

fn debs(question: &Question, world: &World) -> String {
    match rounds(question, world).0 {
        Err(refusal) => format!("[{}]\n{refusal}", refusal.code),
        Ok(solution) => {
            let (locked, packages) = solution.to_lock(
                question,
                &"default".parse().unwrap(),
                rocmenv_manifests::digest::Sha256::of(b""),
            );
            let line = |it: &rocmenv_manifests::lock::LockedPackage| {
                format!("{} {} because {}", it.name, it.version, it.reason)
            };
            let mut lines: Vec<String> = packages.iter().map(line).collect();
            let items = locked.contract.items.iter();
            lines.extend(
                items.map(|it| {
                    format!("{} {}", if it.hard { "must" } else { "should" }, it.predicate)
                }),
            );
            lines.join("\n")
        }
    }
}

#[test]
fn runtime_and_smi_come_with_their_closure_and_without_the_hosts_own() {
    insta::assert_snapshot!(debs(&components(&["runtime", "smi"]), &bookworm()), @r"
    libamd-comgr2 6.0+git20221117-2 because libamdhip64-5
    libamdhip64-5 5.2.3-8 because rocm.toml:9 runtime
    libelf1 0.188-2.1 because libhsa-runtime64-1
    libhsa-runtime64-1 5.2.4-1 because libamdhip64-5, rocminfo
    libllvm15 1:15.0.6-4+b1 because libamd-comgr2
    libtinfo6 6.4-4 because libllvm15
    libz3-4 4.8.12-3.1 because libamd-comgr2
    media-types 10.0.0 because python3.11
    python3 3.11.2-1+b1 because rocm-smi, rocminfo
    python3.11 3.11.2-6+deb12u6 because python3
    rocm-smi 5.2.3-2 because rocm.toml:9 smi
    rocminfo 5.2.3-2 because rocm.toml:9 smi
    zlib1g 1:1.2.13.dfsg-1 because libelf1
    must os = linux
    must arch = x86_64
    must glibc >= 2.34
    should distribution = debian-12
    ");
}

#[test]
fn what_the_host_has_is_not_unpacked() {
    let mut question = components(&["runtime"]);
    let installed = [("libelf1", "0.188-2.1"), ("libllvm15", "1:14.0-1"), ("zlib1g", "1:1.2.13")];
    let installed = installed.map(|(name, version)| (name.to_owned(), version.to_owned()));
    question.host_packages = installed.into_iter().collect();
    insta::assert_snapshot!(debs(&question, &bookworm()), @r"
    libamd-comgr2 6.0+git20221117-2 because libamdhip64-5
    libamdhip64-5 5.2.3-8 because rocm.toml:9 runtime
    libhsa-runtime64-1 5.2.4-1 because libamdhip64-5
    libz3-4 4.8.12-3.1 because libamd-comgr2
    must os = linux
    must arch = x86_64
    must glibc >= 2.34
    should distribution = debian-12
    ");
}

#[test]
fn a_newer_suite_is_refused_for_its_c_library() {
    insta::assert_snapshot!(debs(&components(&["runtime"]), &trixie()), @r"
        [R-libc-too-old]
        rocm.toml:9 asks for runtime
        libamdhip64-5 5.7.1-6+deb13u1 needs libhsa-runtime64-1 >= 5.7 (index `distribution`)
        libhsa-runtime64-1 6.1.2-3 needs libc6 >= 2.38; the C library of this target is glibc 2.36 (rocm.toml:9)
        ");
}

#[test]
fn an_interpreter_of_the_distribution_brings_its_packages() {
    let mut question = components(&["runtime"]);
    question.interpreters = vec![Interpreter::series(11)];
    question.stack.interpreter_debs.insert(11, vec!["python3".to_owned()]);
    let text = debs(&question, &bookworm());
    assert!(text.contains("media-types 10.0.0 because python3.11"), "{text}");
    assert!(text.contains("python3 3.11.2-1+b1 because Python"), "{text}");
}

#[test]
fn a_component_that_nobody_has_is_named() {
    insta::assert_snapshot!(debs(&components(&["dnn"]), &bookworm()), @r"
    [R-not-found]
    rocm.toml:9 asks for dnn
    there is no dnn
    ");
}
