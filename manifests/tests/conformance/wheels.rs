//! Wheel file names, the tags of targets, and the best wheel of several.

use rocmenv_manifests::platform::Arch;
use rocmenv_manifests::python::wheel_name::{choose, compatible, parse_sdist};
use rocmenv_manifests::python::{PackageName, PythonAbi, TagPlatform, Tags, WheelName};

use crate::table::{Failures, rows};

#[test]
fn file_names() {
    let table = rows(include_str!("../../../tests/data/suites/wheel-filenames.tsv"), 6);
    let mut failures = Failures::default();
    for row in &table {
        let wheel = row[1].parse::<WheelName>();
        let sdist = parse_sdist(&row[1]);
        match row[0].as_str() {
            "invalid-wheel" => failures.expect(row, wheel.is_err(), true),
            "invalid-sdist" => failures.expect(row, sdist.is_none(), true),
            // Left out by rule: a project's name is ASCII (PEP 508); these two are refused.
            _ if !row[2].is_ascii() => failures.expect(row, wheel.is_err(), true),
            "sdist" => {
                let (name, version) = sdist.unwrap();
                failures.expect(row, name.as_ref(), row[2].as_str());
                failures.expect(row, version.to_string(), row[3].clone());
            }
            _ => {
                let wheel = wheel.unwrap();
                let name: PackageName = row[2].parse().unwrap();
                failures.expect(row, &wheel.name, &name);
                failures.expect(row, wheel.version.to_string(), row[3].clone());
                let build = wheel.build.as_ref().map(ToString::to_string).unwrap_or_default();
                failures.expect(row, build, row[4].clone());
                let mut tags: Vec<String> = wheel.tags().map(|tag| tag.join("-")).collect();
                tags.sort();
                failures.expect(row, tags.join(","), row[5].clone());
            }
        }
    }
    assert_eq!(table.len(), 29);
    failures.none_of(table.len());
}

#[test]
fn tags_of_targets() {
    let table = rows(include_str!("../../../tests/data/suites/wheel-tags.tsv"), 3);
    let mut failures = Failures::default();
    let mut checked = 0;
    let targets: Vec<&String> = table.iter().map(|row| &row[0]).collect();
    let mut targets = targets;
    targets.dedup();
    for target in &targets {
        let want: Vec<String> = table
            .iter()
            .filter(|row| row[0] == **target)
            .flat_map(|row| {
                let pairs = row[1].split(',');
                pairs.flat_map(|pair| row[2].split(',').map(move |it| format!("{pair}-{it}")))
            })
            .collect();
        let tags = tags_of(target);
        checked += want.len();
        for (rank, tag) in want.iter().enumerate() {
            let parts: Vec<&str> = tag.split('-').collect();
            let got = tags.rank(parts[0], parts[1], parts[2]);
            failures.expect(&[(*target).clone(), tag.clone()], got, u32::try_from(rank).ok());
        }
        failures.expect(&[(*target).clone()], tags.iter().collect::<Vec<_>>(), want);
    }
    assert_eq!((targets.len(), checked), (36, 19_612));
    failures.none_of(checked);
}

#[test]
fn best_of_twelve() {
    let text = include_str!("../../../tests/data/suites/wheel-choice.tsv");
    let candidates = text.lines().find_map(|line| line.strip_prefix("#candidates\t")).unwrap();
    let wheels: Vec<WheelName> = candidates.split(',').map(|it| it.parse().unwrap()).collect();
    let table = rows(text, 3);
    let mut failures = Failures::default();
    for row in &table {
        let tags = tags_of(&row[0]);
        let best = choose(&tags, &wheels).map(ToString::to_string);
        failures.expect(row, best, Some(row[1].clone()));
        let all: Vec<&str> = compatible(&tags, &wheels).iter().map(|it| it.as_str()).collect();
        failures.expect(row, all.join(","), row[2].clone());
    }
    assert_eq!((table.len(), wheels.len()), (36, 12));
    failures.none_of(table.len());
}

/// `cp312-linux-x86_64-glibc2.28`, `cp312-win_amd64`, `cp312-musl1.2-x86_64`.
fn tags_of(target: &str) -> Tags {
    let (python, platform) = target.split_once('-').unwrap();
    let python = PythonAbi::cpython(python.strip_prefix("cp3").unwrap().parse().unwrap());
    let arch = Arch::X86_64;
    let minor = |text: &str| text.split_once('.').unwrap().1.parse().unwrap();
    let platform = match platform.split_once("-glibc").or_else(|| platform.split_once('-')) {
        Some(("linux-x86_64", libc)) => TagPlatform::Manylinux { minor: minor(libc), arch },
        Some((libc, "x86_64")) => TagPlatform::Musllinux { minor: minor(libc), arch },
        _ => TagPlatform::Windows { arch },
    };
    Tags::new(python, platform)
}
