//! rocm.lock: written, read back, damaged.

use insta::assert_snapshot;
use proptest::prelude::*;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::{
    ArtifactKind, Contract, ContractItem, Lock, LockedFile, LockedPackage, LockedPython,
    LockedTarget, Membership, Note, Predicate,
};
use rocmenv_manifests::platform::{Arch, OsFamily};

fn sample() -> Lock {
    let target = "cluster".parse().unwrap();
    let hard = |predicate| ContractItem { predicate, hard: true };
    let soft = |predicate| ContractItem { predicate, hard: false };
    Lock {
        targets: vec![LockedTarget {
            name: "cluster".parse().unwrap(),
            env: "default".parse().unwrap(),
            inputs: Sha256::of(b"inputs"),
            rocm: Some("10.1.0".parse().unwrap()),
            channel: Some("host".to_owned()),
            python: Some(LockedPython {
                series: "3.12".parse().unwrap(),
                floor: "3.12.0".parse().unwrap(),
            }),
            notes: vec![Note {
                code: "N001".to_owned(),
                text: "JAX 0.12.0 is built for ROCm 10.1 and not listed by AMD".to_owned(),
                source: Some("frameworks (ROCm/rocm-docs)".to_owned()),
            }],
            contract: Contract {
                items: vec![
                    hard(Predicate::OsFamily(OsFamily::Linux)),
                    hard(Predicate::Arch(Arch::X86_64)),
                    hard(Predicate::GlibcAtLeast("2.28".parse().unwrap())),
                    hard(Predicate::Python("3.12".parse().unwrap())),
                    soft(Predicate::Distribution("ubuntu-24.04".to_owned())),
                    soft(Predicate::KernelAtLeast("6.8".parse().unwrap())),
                    soft(Predicate::DriverWithin {
                        from: "30.10".parse().unwrap(),
                        to: Some("31.50".parse().unwrap()),
                    }),
                    soft(Predicate::GfxWithin(vec!["gfx942".parse().unwrap()])),
                    soft(Predicate::HostRocm("10.1".parse().unwrap())),
                ],
            },
        }],
        packages: vec![LockedPackage {
            name: "jax".to_owned(),
            version: "0.12.0".to_owned(),
            index: "python".parse().unwrap(),
            kind: ArtifactKind::Wheel,
            members: vec![Membership {
                target: "cluster".parse().unwrap(),
                env: "default".parse().unwrap(),
                group: None,
            }],
            files: vec![LockedFile {
                name: "jax-0.12.0-py3-none-any.whl".to_owned(),
                sha256: Some(Sha256::of(b"jax")),
                size: Some(3_466_931),
                targets: vec![target],
            }],
            requires: vec!["opt-einsum".to_owned(), "jaxlib".to_owned()],
            reason: "rocm.toml:7 jax".to_owned(),
        }],
    }
}

#[test]
fn a_lock_is_written_for_people_too() {
    assert_snapshot!(sample().to_text());
}

#[test]
fn what_was_written_is_read_back() {
    let text = sample().to_text();
    let read = Lock::parse(&text).unwrap();
    assert_eq!(read.to_text(), text);
}

#[test]
fn a_damaged_lock_is_named_with_its_place() {
    let text = sample().to_text();
    let cut = &text[..text.len() / 2];
    let said = [
        Lock::parse(&text.replace("version = 1\n", "version = 2\n")),
        Lock::parse(&text.replace("version = 1\n", "")),
        Lock::parse(&text.replace("kind = \"wheel\"", "kind = \"wheels\"")),
        Lock::parse(&text.replace("glibc >= 2.28", "glibc > 2.28")),
        Lock::parse(&text.replace("targets = [\"cluster\"]", "targets = [\"desk\"]")),
        Lock::parse(&text.replace("sha256 = \"", "sha256 = \"zz")),
        Lock::parse(cut),
        Lock::parse(&text[..text.find("\n[[package]]").unwrap()]),
        Lock::parse("not a lock"),
    ]
    .map(|result| result.unwrap_err().to_string());
    assert_snapshot!(said.join("\n"));
}

proptest! {
    /// The order in which a lock was put together does not reach its bytes.
    #[test]
    fn bytes_do_not_depend_on_order(seed in any::<u64>()) {
        let mut lock = sample();
        for number in 0..8_u64 {
            let mut package = lock.packages[0].clone();
            package.name = format!("package-{number}");
            lock.packages.push(package);
        }
        let sorted = lock.to_text();
        lock.packages.sort_by_key(|package| {
            Sha256::of(format!("{seed}{}", package.name).as_bytes())
        });
        prop_assert_eq!(lock.to_text(), sorted);
    }

    /// No cut makes the reader panic or accept half a package.
    #[test]
    fn no_truncation_panics(at in 0_usize..1_200) {
        let text = sample().to_text();
        let _ = Lock::parse(&text[..at.min(text.len())]);
    }
}
