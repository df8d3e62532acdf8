//! Against the real indexes, which this machine's own configuration names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use rocmenv_manifests::catalog::{Answer, Catalog as _, Query};
use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_store::cache::{CatalogOptions, DiskCatalog, Refresh};
use rocmenv_store::fetch::{FetchOptions, Fetcher, Logins};
use rocmenv_store::index::{
    IndexLocation, InterpreterPlace, PageSource, PythonIndexes, Surroundings, discover,
    of_distribution, parse_sources, pip_places,
};
use rocmenv_store::report::Silent;
use rocmenv_tests::online;

use crate::support::{block, told};

fn python_indexes() -> PythonIndexes {
    let variables: BTreeMap<String, String> = std::env::vars().collect();
    let home = variables.get("HOME").map(PathBuf::from);
    discover(&Surroundings {
        project: None,
        folder: Path::new("/"),
        home: home.as_deref(),
        variables: &variables,
        pips: &pips(),
        read: &|path| fs_err::read(path).ok(),
    })
    .unwrap()
}

/// The pips of `python3` and of the distribution.
fn pips() -> Vec<PathBuf> {
    let script = "import sys; print(sys.base_prefix); print('%d.%d' % sys.version_info[:2])";
    let output = std::process::Command::new("python3").args(["-c", script]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let (prefix, series) = said.trim().split_once('\n').unwrap();
    let list = |folder: &Path| {
        let entries = fs_err::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    };
    pip_places(&[InterpreterPlace { prefix: Path::new(prefix), series }], &list)
}

fn now() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(now.as_secs()).unwrap()
}

fn catalog(folder: &Path, location: IndexLocation, certificates: Vec<PathBuf>) -> DiskCatalog {
    let fetcher =
        Fetcher::new(FetchOptions { certificates, ..FetchOptions::default() }, Logins::new());
    let options = CatalogOptions {
        cache: folder.join("cache"),
        downloads: folder.join("downloads"),
        apt_folder: "/etc/apt".into(),
        now: now(),
        refresh: Refresh::WhenOld,
    };
    DiskCatalog::new(fetcher.into(), options, [location])
}

fn fetch(catalog: &DiskCatalog, query: Query) -> u64 {
    let filled = block(catalog.fetch_missing(&BTreeSet::from([query]), &Silent));
    filled.unwrap_or_else(|error| panic!("{}", told(&error))).metadata_bytes
}

#[test]
fn the_general_index_gives_pages_and_metadata_by_range() {
    if !online("the_general_index_gives_pages_and_metadata_by_range") {
        return;
    }
    let indexes = python_indexes();
    let index = indexes.index.expect("pip has a default");
    let source = PageSource::simple(index.value, false, &mut Logins::new());
    let name = IndexName::python();
    let location = IndexLocation::Python { name: name.clone(), sources: vec![source] };
    let folder = tempfile::tempdir().unwrap();
    let certificates = indexes.certificates.into_iter().map(|path| path.value).collect();
    let catalog = catalog(folder.path(), location, certificates);

    let numpy = PackageName::from_str("numpy").unwrap();
    fetch(&catalog, Query::PythonPage { index: name.clone(), package: numpy.clone() });
    let Answer::Ready(page) = catalog.python_page(&name, &numpy) else { panic!("no numpy") };
    assert!(page.files.len() > 1_000);
    assert!(page.files.iter().all(|file| file.sha256.is_some()));

    let plugin = PackageName::from_str("jax-rocm10-plugin").unwrap();
    fetch(&catalog, Query::PythonPage { index: name.clone(), package: plugin.clone() });
    let Answer::Ready(page) = catalog.python_page(&name, &plugin) else { panic!("no plugin") };
    let wheel = page
        .files
        .iter()
        .find(|file| file.name.starts_with("jax_rocm10_plugin-0.12.0-cp312"))
        .expect("0.12.0 for 3.12");
    let query = Query::PythonMetadata {
        index: name.clone(),
        package: plugin.clone(),
        file: wheel.name.clone(),
    };
    let bytes = fetch(&catalog, query);
    let Answer::Ready(metadata) = catalog.python_metadata(&name, &plugin, wheel) else {
        panic!("no metadata")
    };
    assert_eq!(metadata.name, plugin);
    let size = wheel.size.expect("the index gives sizes");
    eprintln!("metadata of {}: {bytes} of {size} bytes", wheel.name);
    assert!(bytes < 200_000 && bytes < size);
}

#[test]
fn the_distribution_s_archive_is_verified_by_the_host_s_own_sources() {
    if !online("the_distribution_s_archive_is_verified_by_the_host_s_own_sources") {
        return;
    }
    let path = "/etc/apt/sources.list.d/debian.sources";
    let text = fs_err::read_to_string(path).unwrap();
    let sources = parse_sources(&text, path, &mut Logins::new()).unwrap();
    let release = fs_err::read_to_string("/etc/os-release").unwrap();
    let codename = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    let sources = of_distribution(&sources, codename.expect("the release has a codename"));
    assert!(!sources.is_empty(), "this host is not of the suite that this test is for");
    let name = IndexName::distribution();
    let location =
        IndexLocation::Apt { name: name.clone(), sources, architecture: "amd64".to_owned() };
    let folder = tempfile::tempdir().unwrap();
    let catalog = catalog(folder.path(), location, Vec::new());
    fetch(&catalog, Query::Debs { repository: name.clone() });
    let Answer::Ready(debs) = catalog.debs(&name) else { panic!("it was fetched") };
    let hip = debs.named("libamdhip64-5").next().unwrap().unwrap();
    eprintln!("{debs:?}, libamdhip64-5 {}", hip.version);
    let address = catalog.deb_address(&name, &hip.filename).unwrap();
    assert!(address.path().ends_with(&hip.filename));
}
