//! Every cell of the documents' tables, asked as a user would ask `check`.

use rocmenv_manifests::registry::Verdict;
use rocmenv_resolver::check::check;

use super::said::{REGISTRY, ask, question};

const DRIVERS: &str = include_str!("../../../manifests/tests/data/facts/driver-rocm.csv");
const PRODUCTS: &str = include_str!("../../../manifests/tests/data/facts/product-os-10.0.0.csv");
const FRAMEWORKS: &str = include_str!("../../../manifests/tests/data/facts/framework-rocm.csv");

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split('|').collect())
}

#[test]
fn the_driver_matrix() {
    let mut asked = 0;
    for row in rows(DRIVERS) {
        let [driver, release, status, scope] = row[..] else { panic!("{row:?}") };
        if release == "any" {
            continue;
        }
        let number = driver.replace(".x", ".0");
        let number = number.split('-').next().unwrap();
        let gpu = scope.split(' ').next().filter(|word| word.starts_with("MI"));
        let gpu = gpu.map_or_else(String::new, |gpu| format!("; gpu={gpu}"));
        let wish = format!("rocm=={}", release.trim_end_matches(".x"));
        let answer = ask(&[&wish], &format!("driver={number}{gpu}"));
        let answer = answer.unwrap_or_else(|error| panic!("{wish}: {error}"));
        asked += 1;
        let cell = format!("driver {number} x {wish}{gpu}");
        assert_eq!(answer.fits(), status != "not listed", "{cell}");
        let judged = &answer.pairs[0].judgement;
        match status {
            "supported" => assert_eq!(judged.verdict, Verdict::Listed, "{cell}"),
            "conflict" => assert!(judged.is_contradicted(), "{cell}"),
            "unknown" => assert_eq!(judged.verdict, Verdict::NotKnown, "{cell}"),
            _ => assert_eq!(judged.verdict, Verdict::StatedNo, "{cell}"),
        }
    }
    assert!(asked > 120, "{asked}");
}

#[test]
fn the_table_of_products_and_systems() {
    let id = |name: &str| match name {
        "Ubuntu" => "ubuntu",
        "Debian" => "debian",
        "RHEL" => "rhel",
        "Oracle Linux" => "ol",
        "Rocky Linux" => "rocky",
        "SLES" => "sles",
        other => panic!("{other}"),
    };
    let linux = |row: &[&str]| -> Vec<String> {
        let named = row[2].split("; ").map(|text| text.split(" (").next().unwrap());
        let os = named.map(|text| text.rsplit_once(' ').unwrap());
        os.map(|(name, version)| format!("os={}-{version}", id(name))).collect()
    };
    let systems = |row: &[&str]| -> Vec<String> {
        let windows = (!row[3].is_empty()).then(|| "os=windows-11-25H2".to_owned());
        let wsl = row[4].split(", ").filter(|text| !text.is_empty());
        let wsl = wsl.map(|text| format!("wsl=ubuntu-{}", text.trim_start_matches("Ubuntu ")));
        linux(row).into_iter().chain(windows).chain(wsl).collect()
    };
    let all: Vec<_> = rows(PRODUCTS).collect();
    let columns: std::collections::BTreeSet<_> = all.iter().flat_map(|row| systems(row)).collect();
    for row in &all {
        let listed = systems(row);
        for column in &columns {
            let host = format!("gpu={}; {column}", row[0]);
            let answer = ask(&["rocm==10.0.0"], &host).unwrap();
            assert_eq!(answer.fits(), listed.contains(column), "{host}: {:?}", answer.refusals);
        }
    }
    assert_eq!(all.len(), 84);
}

#[test]
fn the_tables_of_frameworks() {
    let mut asked = 0;
    for row in rows(FRAMEWORKS) {
        let [release, framework, version, pythons, os, gfx, _] = row[..] else { panic!("{row:?}") };
        if framework == "llama.cpp" {
            continue;
        }
        let rocm = format!("rocm=={}", release.replace(".x", ".1"));
        let name = framework.to_lowercase().replace(' ', "-");
        let wish = format!("{name}=={version}");
        let system = match os {
            "windows" => "os=windows-11-25H2",
            "wsl" => "wsl=ubuntu-24.04",
            _ => "os=ubuntu-24.04",
        };
        let gpu = match gfx {
            "radeon ryzen" => "; gpu=gfx1201",
            "not gfx950" => "; gpu=gfx942",
            _ => "",
        };
        let python = pythons.split(' ').next().filter(|python| !python.is_empty());
        let python = python.map_or_else(String::new, |python| format!("; python={python}"));
        let host = format!("{system}{gpu}{python}");
        let mut question = question(&[&rocm, &wish], &host);
        question.preview = true;
        let answer = check(&REGISTRY, &question).unwrap();
        asked += 1;
        let listed = answer.pairs.iter().any(|pair| {
            pair.left.to_string().starts_with(&answer.frameworks[0].name)
                && pair.judgement.verdict == Verdict::Listed
        });
        assert!(listed, "{rocm} {wish} {host}: {:?}", answer.pairs);
        let about_it = answer.refusals.iter().filter(|refusal| {
            !refusal.to_string().starts_with("ubuntu")
                && !refusal.to_string().contains(" on ubuntu")
        });
        assert_eq!(about_it.count(), 0, "{rocm} {wish} {host}: {:?}", answer.refusals);
    }
    assert!(asked > 250, "{asked}");
}
