use std::fmt::Write as _;
use std::io::{Cursor, Read as _};

use insta::assert_snapshot;

use super::*;

fn full() -> WheelBuilder {
    WheelBuilder::new("Demo.Package", "1.0+rocm10.0")
        .tag("cp312.cp313-abi3-manylinux_2_28_x86_64")
        .requires("idna>=3")
        .extra("gpu", &["device==1 ; sys_platform == 'linux'", "other"])
        .requires_python(">=3.12")
        .summary("A demo")
        .console_script("demo", "demo_package:main")
        .data_file("scripts", "tool", "#!python\n")
}

/// Every entry with its mode, the text of dist-info files under it.
fn listing(wheel: &Wheel) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(&wheel.bytes)).unwrap();
    let mut text = String::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let name = entry.name().unwrap().into_owned();
        let _ = writeln!(text, "{:o} {name}", entry.unix_mode().unwrap());
        if name.contains(".dist-info/") {
            let mut content = String::new();
            entry.read_to_string(&mut content).unwrap();
            for line in content.lines() {
                let _ = writeln!(text, "  | {line}");
            }
        }
    }
    text
}

#[test]
fn a_wheel_is_complete() {
    let wheel = full().build();
    assert_snapshot!(
        format!("{}\n{}", wheel.filename, listing(&wheel)),
        @r#"
        demo_package-1.0+rocm10.0-cp312.cp313-abi3-manylinux_2_28_x86_64.whl
        100644 demo_package/__init__.py
        100755 demo_package-1.0+rocm10.0.data/scripts/tool
        100644 demo_package-1.0+rocm10.0.dist-info/METADATA
          | Metadata-Version: 2.1
          | Name: Demo.Package
          | Version: 1.0+rocm10.0
          | Summary: A demo
          | Requires-Python: >=3.12
          | Requires-Dist: idna>=3
          | Requires-Dist: device==1 ; (sys_platform == 'linux') and extra == "gpu"
          | Requires-Dist: other ; extra == "gpu"
          | Provides-Extra: gpu
        100644 demo_package-1.0+rocm10.0.dist-info/WHEEL
          | Wheel-Version: 1.0
          | Generator: rocmenv-tests
          | Root-Is-Purelib: false
          | Tag: cp312-abi3-manylinux_2_28_x86_64
          | Tag: cp313-abi3-manylinux_2_28_x86_64
        100644 demo_package-1.0+rocm10.0.dist-info/entry_points.txt
          | [console_scripts]
          | demo = demo_package:main
          | 
        100644 demo_package-1.0+rocm10.0.dist-info/RECORD
          | demo_package/__init__.py,sha256=xZkY0GjNvEtbGCJSKeFyzg8GEvvQ3uEMLnY7wd_JMXI,29
          | demo_package-1.0+rocm10.0.data/scripts/tool,sha256=NKJyCC0fONcaYytG9mysca37TZf8wBDISvRNAW-78pQ,9
          | demo_package-1.0+rocm10.0.dist-info/METADATA,sha256=_Dcgp9S92b4LckNaUuz2iGbNmFh-tMX5oFbpDlRKaoI,256
          | demo_package-1.0+rocm10.0.dist-info/WHEEL,sha256=OsaBBJA-ghV459FHq3-hw5kWgFJNNNk3MHhL-lTCZD4,143
          | demo_package-1.0+rocm10.0.dist-info/entry_points.txt,sha256=fMSyzs4zRaDnYuoeFqyx0jlCPfNBlIDeM3FcAYskxYg,44
          | demo_package-1.0+rocm10.0.dist-info/RECORD,,
        "#
    );
}

#[test]
fn same_calls_same_bytes() {
    assert_eq!(full().build().bytes, full().build().bytes);
}

#[test]
fn damage_shows() {
    let plain = WheelBuilder::new("demo", "1");
    let good = listing(&plain.build());
    for damage in [
        Damage::Named("../evil.py".into()),
        Damage::Named("/etc/evil".into()),
        Damage::CaseClash,
        Damage::Symlink { path: "demo/link".into(), target: "/etc/passwd".into() },
        Damage::Bomb(1 << 20),
        Damage::RecordHash,
        Damage::RecordSize,
        Damage::RecordMissing,
        Damage::RecordExtra,
        Damage::NoRecord,
    ] {
        let bad = plain.clone().damage(damage.clone()).build();
        assert_ne!(listing(&bad), good, "{damage:?} changed nothing");
    }
}

#[test]
fn duplicate_names_are_both_there() {
    let wheel = WheelBuilder::new("demo", "1").damage(Damage::DuplicateName).build();
    let name = b"demo/__init__.py";
    let count = wheel.bytes.windows(name.len()).filter(|window| window == name).count();
    assert_eq!(count, 4, "two local headers and two directory entries");
}

#[test]
fn a_bomb_is_small() {
    let wheel = WheelBuilder::new("demo", "1").damage(Damage::Bomb(8 << 20)).build();
    assert!(wheel.bytes.len() < (8 << 20) / 500);
}

#[test]
fn a_truncated_wheel_does_not_open() {
    let wheel = WheelBuilder::new("demo", "1").damage(Damage::Truncated(100)).build();
    assert_eq!(wheel.bytes.len(), 100);
    assert!(zip::ZipArchive::new(Cursor::new(&wheel.bytes)).is_err());
}

#[test]
fn an_understated_size_is_stated() {
    let wheel = WheelBuilder::new("demo", "1").damage(Damage::UnderstatedSize(4096)).build();
    let mut archive = zip::ZipArchive::new(Cursor::new(&wheel.bytes)).unwrap();
    assert_eq!(archive.by_name("bomb.bin").unwrap().size(), 1);
}
