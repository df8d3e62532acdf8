//! Files made by hand, and files that were damaged at random: every reader answers, none panics,
//! none asks for more memory than its limits.

use proptest::prelude::*;
use rocmenv_manifests::device_code::{Fault, FileKind, NativeFile};
use rocmenv_tests::native::{ElfBuilder, bundle, compressed, kernel_archive, section_of};

use super::{Early, read, read_reference};
use crate::index::archive_members;

fn facts(bytes: &[u8]) -> NativeFile {
    read("lib.so", &bytes.to_vec()).expect("a native file")
}

/// `2 x gfx90a gfx942`, one line a set of equal bundles.
fn said(file: &NativeFile) -> Vec<String> {
    let sets = file.code.iter().map(|set| {
        let targets: Vec<String> = set.targets.iter().map(ToString::to_string).collect();
        format!("{} x {}", set.bundles, targets.join(" "))
    });
    sets.collect()
}

#[test]
fn every_form_of_a_bundle_is_read_alike() {
    let targets = ["gfx90a:xnack-", "gfx1100", "gfx9-4-generic"];
    let plain = bundle(&targets);
    for form in [
        plain.clone(),
        compressed(&plain, 1, false),
        compressed(&plain, 2, true),
        compressed(&plain, 2, false),
        compressed(&plain, 3, true),
    ] {
        let code = section_of(&[form.clone(), form.clone(), form]);
        let file = facts(&ElfBuilder::new().code(code).build());
        assert_eq!(said(&file), ["3 x gfx90a:xnack- gfx1100 gfx9-4-generic"]);
        assert!(file.faults.is_empty(), "{:?}", file.faults);
    }
}

#[test]
fn bundles_that_differ_are_counted_apart() {
    let code = section_of(&[
        bundle(&["gfx942", "gfx1100"]),
        compressed(&bundle(&["gfx942"]), 3, true),
        bundle(&["gfx942", "gfx1100"]),
    ]);
    let file = facts(&ElfBuilder::new().code(code).build());
    assert_eq!(said(&file), ["2 x gfx942 gfx1100", "1 x gfx942"]);
    assert_eq!(file.code[1].compressed, 1);
}

#[test]
fn a_missing_bundle_is_told() {
    let file = facts(&ElfBuilder::new().without_code().build());
    assert_eq!(file.faults, [Fault::Missing]);
    // A split library registers code too, and says where it lies.
    let split =
        ElfBuilder::new().without_code().reference("lib/x.so", &["../.kpack/x_@GFXARCH@.kpack"]);
    let file = facts(&split.build());
    assert!(file.faults.is_empty());
    assert_eq!(file.reference.expect("a reference").kernel, "lib/x.so");
}

#[test]
fn damaged_bundles_are_told_with_their_place_and_the_others_are_read() {
    let good = bundle(&["gfx1100"]);
    let packed = compressed(&good, 3, true);
    let cases: [(&str, Vec<u8>); 6] = [
        ("it is cut off", good[..40].to_vec()),
        ("it is cut off: it is longer than its section", packed[..packed.len() - 8].to_vec()),
        ("it cannot be decompressed", {
            let mut broken = packed.clone();
            broken[32..40].fill(0xff);
            broken
        }),
        ("its version is not known", {
            let mut other = packed.clone();
            other[4] = 9;
            other
        }),
        ("an absurd number of code objects", {
            let mut absurd = good.clone();
            absurd[24..32].fill(0xff);
            absurd
        }),
        ("no bundle begins where one should", vec![0x11; 100]),
    ];
    for (problem, damaged) in cases {
        let code = section_of(&[good.clone(), damaged]);
        let file = facts(&ElfBuilder::new().code(code).build());
        assert_eq!(said(&file), ["1 x gfx1100"], "{problem}");
        let told = Fault::Damaged { at: 4096 + 4096, problem: problem.to_owned() };
        assert_eq!(file.faults, [told]);
    }
}

#[test]
fn code_of_no_bytes_is_no_code() {
    let mut bytes = bundle(&["gfx1100"]);
    // The second entry's size.
    let first = 32 + 24 + "host-x86_64-unknown-linux-gnu-".len();
    bytes[first + 8..first + 16].fill(0);
    assert_eq!(said(&facts(&ElfBuilder::new().code(bytes).build())), ["1 x "]);
}

#[test]
fn what_a_library_needs_is_read() {
    let bytes = ElfBuilder::new()
        .soname("libx.so.1")
        .needs("libamdhip64.so.7")
        .needs("libc.so.6")
        .runpath("$ORIGIN/../lib:/opt/rocm/lib")
        .versions("libc.so.6", &["GLIBC_2.34", "GLIBC_2.17"])
        .versions("libstdc++.so.6", &["GLIBCXX_3.4.30"])
        .build();
    let linking = facts(&bytes).linking.expect("it was read");
    assert_eq!(linking.soname.as_deref(), Some("libx.so.1"));
    assert_eq!(linking.needs, ["libamdhip64.so.7", "libc.so.6"]);
    assert_eq!(linking.search, ["$ORIGIN/../lib", "/opt/rocm/lib"]);
    let versions: Vec<&str> = linking.versions.iter().map(|need| need.version.as_str()).collect();
    assert_eq!(versions, ["GLIBC_2.17", "GLIBC_2.34", "GLIBCXX_3.4.30"]);
}

#[test]
fn kernel_archives_say_what_they_hold() {
    let bytes = kernel_archive(&[("lib/x.so#0", &["gfx1201"]), ("lib/x.so#1", &["gfx1201"])]);
    let file = read("x.kpack", &bytes).expect("an archive");
    let archive = file.archive.expect("contents");
    assert_eq!(archive.kernels.len(), 2);
    assert_eq!(archive.kernels[0].1[0].to_string(), "gfx1201");
    let cut = bytes[..bytes.len() - 3].to_vec();
    let problem = "its contents are damaged".to_owned();
    assert_eq!(read("x.kpack", &cut).unwrap().faults, [Fault::Unreadable { problem }]);
}

#[test]
fn one_code_object_says_its_target_by_its_flags() {
    let mut header = b"\x7fELF\x02\x01\x01\x40\x02".to_vec();
    header.resize(64, 0);
    header[18..20].copy_from_slice(&224_u16.to_le_bytes());
    header[48..52].copy_from_slice(&(0x3f_u32 | 0x200 | 0x400).to_le_bytes());
    let file = facts(&header);
    assert_eq!(
        (file.kind, said(&file)),
        (FileKind::CodeObject, vec!["1 x gfx90a:xnack-".to_owned()])
    );
}

#[test]
fn enough_of_a_file_is_here_once_the_segment_of_its_code_is() {
    let code = section_of(&[bundle(&["gfx942"]), compressed(&bundle(&["gfx942"]), 3, true)]);
    let end = 4096 + code.len();
    let whole = ElfBuilder::new().code(code).section(".symtab", vec![7; 100_000]).build();
    let mut early = Early::default();
    for here in [64, 5_000, end - 1] {
        assert_eq!(early.look(&whole[..here].to_vec()), None, "{here}");
    }
    let here = whole[..end + 500].to_vec();
    let range = early.look(&here).expect("it is enough");
    assert_eq!(said(&Early::facts("x", &here, range)), said(&facts(&whole)));
}

/// Every reader on the same bytes.
fn all_readers(bytes: &[u8]) {
    let source = bytes.to_vec();
    let _ = read("x", &source);
    let _ = read_reference(bytes);
    let _ = archive_members(bytes);
    let mut early = Early::default();
    if let Some(range) = early.look(&source) {
        let _ = Early::facts("x", &source, range);
    }
}

fn samples() -> Vec<Vec<u8>> {
    let plain = bundle(&["gfx90a:xnack+", "gfx1100"]);
    let code =
        section_of(&[plain.clone(), compressed(&plain, 3, true), compressed(&plain, 1, false)]);
    vec![
        ElfBuilder::new()
            .code(code)
            .needs("libc.so.6")
            .runpath("$ORIGIN")
            .versions("libc.so.6", &["GLIBC_2.34"])
            .reference("x", &["y"])
            .build(),
        plain.clone(),
        compressed(&plain, 2, false),
        kernel_archive(&[("x#0", &["gfx1100"])]),
        rocmenv_tests::WheelBuilder::new("demo", "1.0").build().bytes,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_stops_a_reader(
        which in 0_usize..5,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in any::<Option<prop::sample::Index>>(),
    ) {
        let mut bytes = samples().swap_remove(which);
        for (at, byte) in changes {
            let length = bytes.len();
            bytes[at.index(length)] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        all_readers(&bytes);
    }

    #[test]
    fn no_number_in_a_header_stops_a_reader(which in 0_usize..5, at in 0_usize..256, number: u64) {
        let mut bytes = samples().swap_remove(which);
        if let Some(place) = bytes.get_mut(at..at + 8) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        all_readers(&bytes);
    }

    #[test]
    fn noise_stops_no_reader(
        head in prop::sample::select(vec![
            b"\x7fELF\x02\x01".as_slice(), b"MZ", b"KPAK\x01\0\0\0", b"CCOB", b"__CLANG_OFFLOAD_BUNDLE__", b"",
        ]),
        noise in proptest::collection::vec(any::<u8>(), 0..600),
    ) {
        all_readers(&[head, &noise].concat());
    }
}
