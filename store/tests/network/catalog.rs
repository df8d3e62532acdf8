//! The catalog: what it answers from the cache, what it asks for, how it goes on after damage.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr;

use rocmenv_manifests::catalog::{Answer, Catalog as _, Query};
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_manifests::plan::Artifact;
use rocmenv_store::cache::{CatalogError, CatalogOptions, DiskCatalog, Filled, Refresh};
use rocmenv_store::fetch::{FailureClass, FetchOptions, Fetcher, Logins};
use rocmenv_store::index::{IndexLocation, PageSource, parse_sources};
use rocmenv_store::report::Silent;
use rocmenv_tests::{
    AptRepository, Damage, DebBuilder, Fault, Index, IndexServer, SigningKey, Suite, WheelBuilder,
    World,
};

use crate::support::{asked, block, options, told, url};

struct Case {
    server: IndexServer,
    folder: tempfile::TempDir,
    now: i64,
    refresh: Refresh,
    offline: bool,
}

fn world() -> World {
    let index = Index::new("main")
        .wheel(WheelBuilder::new("demo", "1.0").requires("numpy >=1.26").extra("all", &["scipy"]))
        .wheel(WheelBuilder::new("demo", "2.0").damage(Damage::Truncated(300)))
        .sdist("demo", "2.0");
    World::new().index(index)
}

impl Case {
    fn new(world: World) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = IndexServer::start(world);
        Self { server, folder, now: NOW, refresh: Refresh::WhenOld, offline: false }
    }

    /// As a new run of the program has it.
    fn catalog(&self) -> DiskCatalog {
        let source = PageSource::simple(url(&self.server.url("main")), true, &mut Logins::new());
        self.catalog_of([IndexLocation::Python {
            name: IndexName::python(),
            sources: vec![source],
        }])
    }

    fn catalog_of(&self, indexes: impl IntoIterator<Item = IndexLocation>) -> DiskCatalog {
        let options = FetchOptions { offline: self.offline, ..options() };
        let fetcher = Fetcher::new(options, Logins::new());
        let options = CatalogOptions {
            cache: self.folder.path().join("cache"),
            downloads: self.folder.path().join("downloads"),
            apt_folder: self.folder.path().to_owned(),
            now: self.now,
            refresh: self.refresh.clone(),
        };
        DiskCatalog::new(fetcher.into(), options, indexes)
    }
}

fn package(name: &str) -> PackageName {
    PackageName::from_str(name).unwrap()
}

fn page(name: &str) -> Query {
    Query::PythonPage { index: IndexName::python(), package: package(name) }
}

fn metadata(name: &str, file: &str) -> Query {
    Query::PythonMetadata {
        index: IndexName::python(),
        package: package(name),
        file: file.to_owned(),
    }
}

fn fetch(
    catalog: &DiskCatalog,
    queries: impl IntoIterator<Item = Query>,
) -> Result<Filled, CatalogError> {
    block(catalog.fetch_missing(&queries.into_iter().collect::<BTreeSet<_>>(), &Silent))
}

/// How a page and the metadata of its files are answered, a line each.
fn answers(catalog: &DiskCatalog, name: &str) -> Vec<String> {
    let index = IndexName::python();
    let page = match catalog.python_page(&index, &package(name)) {
        Answer::Ready(page) => page,
        Answer::Absent => return vec!["absent".to_owned()],
        Answer::Failed(why) => return vec![why],
        Answer::NotFetched => return vec!["not fetched".to_owned()],
    };
    let line = |file: &rocmenv_manifests::catalog::PythonFile| {
        let said = match catalog.python_metadata(&index, &package(name), file) {
            Answer::Ready(metadata) => {
                let requires = metadata.requires_dist.iter().map(ToString::to_string);
                requires.collect::<Vec<_>>().join(", ")
            }
            Answer::Absent => "absent".to_owned(),
            Answer::Failed(why) => why,
            Answer::NotFetched => "not fetched".to_owned(),
        };
        format!("{}: {said}", file.name)
    };
    page.files.iter().map(line).collect()
}

const GOOD: &str = "demo-1.0-py3-none-any.whl";
const BAD: &str = "demo-2.0-py3-none-any.whl";

#[test]
fn what_is_missing_is_fetched_and_then_answered_without_network() {
    let case = Case::new(world());
    let catalog = case.catalog();
    assert_eq!(answers(&catalog, "demo"), ["not fetched"]);
    assert_eq!(answers(&catalog, "nothing"), ["not fetched"]);
    fetch(&catalog, [page("demo"), page("nothing")]).unwrap();
    assert_eq!(answers(&catalog, "nothing"), ["absent"]);
    let filled = fetch(&catalog, [metadata("demo", GOOD), metadata("demo", BAD)]).unwrap();
    assert_eq!(filled.queries, 2);
    assert!(filled.metadata_bytes > 0);
    let expected = [
        "demo-1.0-py3-none-any.whl: numpy>=1.26, scipy ; extra == \"all\"",
        "demo-2.0-py3-none-any.whl: `demo-2.0-py3-none-any.whl` is no wheel: it has no end of a \
         zip archive",
        "demo-2.0.tar.gz: not fetched",
    ];
    assert_eq!(answers(&catalog, "demo"), expected);
    let address = catalog.python_address(&IndexName::python(), &package("demo"), GOOD).unwrap();
    assert!(address.as_str().starts_with(&case.server.base()));

    case.server.forget_requests();
    let warm = case.catalog();
    assert_eq!(answers(&warm, "demo")[0], expected[0]);
    assert_eq!(answers(&warm, "nothing"), ["absent"]);
    assert!(case.server.requests().is_empty());
}

#[test]
fn an_old_page_is_asked_for_again_and_may_be_the_same() {
    let mut case = Case::new(world().validators());
    fetch(&case.catalog(), [page("demo")]).unwrap();
    case.server.forget_requests();
    case.now += 601;
    let catalog = case.catalog();
    assert_eq!(answers(&catalog, "demo"), ["not fetched"]);
    fetch(&catalog, [page("demo")]).unwrap();
    assert_eq!(asked(&case.server), ["GET /main/simple/demo/ -> 304"]);
    assert_eq!(answers(&catalog, "demo").len(), 3);
    assert_eq!(answers(&case.catalog(), "demo").len(), 3);
}

#[test]
fn a_refresh_asks_again_once() {
    let mut case = Case::new(world());
    fetch(&case.catalog(), [page("demo")]).unwrap();
    case.now += 1;
    case.refresh = Refresh::Packages([package("demo")].into());
    let catalog = case.catalog();
    assert_eq!(answers(&catalog, "demo"), ["not fetched"]);
    fetch(&catalog, [page("demo")]).unwrap();
    assert_eq!(answers(&catalog, "demo").len(), 3);
    case.refresh = Refresh::Packages([package("other")].into());
    assert_eq!(answers(&case.catalog(), "demo").len(), 3);
}

#[test]
fn offline_takes_what_there_is_and_names_what_there_is_not() {
    let mut case = Case::new(world());
    fetch(&case.catalog(), [page("demo")]).unwrap();
    case.now += 1_000_000;
    case.offline = true;
    case.refresh = Refresh::Never;
    let catalog = case.catalog();
    assert_eq!(answers(&catalog, "demo").len(), 3);
    let error = fetch(&catalog, [page("other"), metadata("demo", GOOD)]).unwrap_err();
    assert_eq!(error.class(), FailureClass::Network);
    let said = told(&error).replace(&case.server.base(), "HOST");
    insta::assert_snapshot!(said, @r"
    cannot get `other` on index `python`
      offline: `HOST/main/simple/other/` is not in the cache
    ");
}

#[test]
fn damage_in_the_cache_is_fetched_again() {
    let case = Case::new(world());
    let catalog = case.catalog();
    fetch(&catalog, [page("demo")]).unwrap();
    fetch(&catalog, [metadata("demo", GOOD)]).unwrap();
    let mut damaged = 0;
    spoil(&case.folder.path().join("cache"), &mut damaged);
    // The page, the metadata, and what the wheel weighs.
    assert_eq!(damaged, 3);
    let catalog = case.catalog();
    assert_eq!(answers(&catalog, "demo"), ["not fetched"]);
    fetch(&catalog, [page("demo")]).unwrap();
    fetch(&catalog, [metadata("demo", GOOD)]).unwrap();
    assert!(answers(&catalog, "demo")[0].contains("numpy"));
}

fn spoil(folder: &Path, count: &mut usize) {
    for entry in fs_err::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            spoil(&entry.path(), count);
        } else {
            let mut bytes = fs_err::read(entry.path()).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0xff;
            fs_err::write(entry.path(), bytes).unwrap();
            *count += 1;
        }
    }
}

#[test]
fn the_first_failure_in_order_is_the_one_that_is_named() {
    let case =
        Case::new(world().fault("/demo/", Fault::Status(500)).fault("/z/", Fault::Status(500)));
    for _ in 0..3 {
        let error = fetch(&case.catalog(), [page("z"), page("demo"), page("x")]).unwrap_err();
        assert_eq!(error.class(), FailureClass::Network);
        assert_eq!(error.to_string(), "cannot get `demo` on index `python`");
    }
}

#[test]
fn an_unknown_index_is_named() {
    let case = Case::new(world());
    let catalog = case.catalog_of([]);
    assert_eq!(answers(&catalog, "demo"), ["no Python index is called `python`"]);
    let error = fetch(&catalog, [page("demo")]).unwrap_err();
    assert_eq!(error.class(), FailureClass::Local);
}

#[test]
fn further_sources_add_what_the_first_does_not_have() {
    let extra = Index::folder("links")
        .wheel(WheelBuilder::new("demo", "1.0"))
        .wheel(WheelBuilder::new("demo", "3.0"))
        .wheel(WheelBuilder::new("other", "3.0"));
    let case = Case::new(world().index(extra));
    let own = tempfile::tempdir().unwrap();
    let wheel = WheelBuilder::new("demo", "4.0").build();
    fs_err::write(own.path().join(&wheel.filename), &wheel.bytes).unwrap();
    let mut logins = Logins::new();
    let sources = vec![
        PageSource::simple(url(&case.server.url("main")), true, &mut logins),
        PageSource::links(url(&case.server.url("links")), &mut logins),
        PageSource::Folder { path: own.path().to_owned() },
    ];
    let catalog = case.catalog_of([IndexLocation::Python { name: IndexName::python(), sources }]);
    fetch(&catalog, [page("demo"), page("other")]).unwrap();
    let names: Vec<_> = answers(&catalog, "demo")
        .iter()
        .map(|line| line.split(':').next().unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        [GOOD, BAD, "demo-2.0.tar.gz", "demo-3.0-py3-none-any.whl", "demo-4.0-py3-none-any.whl"]
    );
    assert_eq!(case.server.downloads("/links/"), 1);
    fetch(&catalog, [metadata("demo", "demo-4.0-py3-none-any.whl")]).unwrap();
    assert_eq!(answers(&catalog, "demo")[4], "demo-4.0-py3-none-any.whl: ");
}

#[test]
fn a_repository_is_a_catalog_of_debs() {
    let key = SigningKey::new("debian");
    let repository = AptRepository::new("deb").suite(
        Suite::new("bookworm").signed_by(&key).package(&DebBuilder::new("rocminfo", "5.2.3-2")),
    );
    let mut case = Case::new(world().apt(repository));
    let keyring = key.write_keyring(case.folder.path());
    let text = case.server.apt_sources("deb", &keyring);
    let sources = parse_sources(&text, "x.sources", &mut Logins::new()).unwrap();
    let name = IndexName::distribution();
    let location =
        IndexLocation::Apt { name: name.clone(), sources, architecture: "amd64".to_owned() };
    let catalog = case.catalog_of([location.clone()]);
    assert!(matches!(catalog.debs(&name), Answer::NotFetched));
    fetch(&catalog, [Query::Debs { repository: name.clone() }]).unwrap();
    let Answer::Ready(debs) = catalog.debs(&name) else { panic!("it was fetched") };
    let rocminfo = debs.named("rocminfo").next().unwrap().unwrap();
    let address = catalog.deb_address(&name, &rocminfo.filename).unwrap();
    assert_eq!(address.as_str(), case.server.path(&format!("/deb/{}", rocminfo.filename)));

    case.server.forget_requests();
    let warm = case.catalog_of([location.clone()]);
    assert!(matches!(warm.debs(&name), Answer::Ready(_)));
    assert!(case.server.requests().is_empty());
    case.now += 601;
    assert!(matches!(case.catalog_of([location]).debs(&name), Answer::NotFetched));
}

fn artifact(kind: ArtifactKind, index: IndexName, name: &str, file: &str) -> Artifact {
    Artifact {
        name: name.to_owned(),
        version: "1.0".to_owned(),
        index,
        kind,
        file: file.to_owned(),
        sha256: None,
        size: Some(7),
    }
}

#[test]
fn a_locked_file_is_found_with_and_without_a_cache() {
    let key = SigningKey::new("debian");
    let repository = AptRepository::new("deb")
        .suite(Suite::new("a").signed_by(&key).package(&DebBuilder::new("first", "1")))
        .suite(Suite::new("b").signed_by(&key).package(&DebBuilder::new("second", "1")));
    let case = Case::new(world().apt(repository));
    let text = case.server.apt_sources("deb", &key.write_keyring(case.folder.path()));
    let sources = parse_sources(&text, "x.sources", &mut Logins::new()).unwrap();
    let python = PageSource::simple(url(&case.server.url("main")), true, &mut Logins::new());
    let catalog = case.catalog_of([
        IndexLocation::Python { name: IndexName::python(), sources: vec![python] },
        IndexLocation::Apt {
            name: IndexName::distribution(),
            sources,
            architecture: "amd64".to_owned(),
        },
    ]);
    let locate = |artifact: &Artifact| block(catalog.locate(artifact, &Silent));
    let wheel = artifact(ArtifactKind::Wheel, IndexName::python(), "demo", GOOD);
    let found = locate(&wheel).unwrap();
    assert_eq!((found.name.as_str(), found.size), (GOOD, Some(7)));
    assert!(found.url.path().ends_with(GOOD));
    let asked_so_far = case.server.requests().len();
    locate(&wheel).unwrap();
    assert_eq!(case.server.requests().len(), asked_so_far);

    let pool = |name: &str| format!("pool/main/{}/{name}/{name}_1_amd64.deb", &name[..1]);
    let debs = IndexName::distribution();
    fetch(&catalog, [Query::Debs { repository: debs.clone() }]).unwrap();
    let Answer::Ready(index) = catalog.debs(&debs) else { panic!("it was fetched") };
    let path = index.named("second").next().unwrap().unwrap().filename;
    let found = locate(&artifact(ArtifactKind::Deb, debs.clone(), "second", &path)).unwrap();
    assert_eq!(found.url.as_str(), case.server.path(&format!("/deb/{path}")));
    assert_eq!(Some(found.name.as_str()), path.rsplit('/').next());

    let gone = artifact(ArtifactKind::Deb, debs, "third", &pool("third"));
    let error = locate(&gone).unwrap_err();
    assert_eq!(error.class(), FailureClass::Network);
    let gone =
        artifact(ArtifactKind::Wheel, IndexName::python(), "demo", "demo-9-py3-none-any.whl");
    let error = locate(&gone).unwrap_err();
    insta::assert_snapshot!(told(&error), @r"
    cannot get `demo` on index `python`
      `demo-9-py3-none-any.whl` is not listed by index `python` any more
    ");
}

#[test]
fn a_file_of_the_user_s_own_is_taken_as_it_is() {
    let mut case = Case::new(world());
    case.offline = true;
    let own = tempfile::tempdir().unwrap();
    let wheel = WheelBuilder::new("demo", "4.0").build();
    fs_err::write(own.path().join(&wheel.filename), &wheel.bytes).unwrap();
    let source = PageSource::Folder { path: own.path().to_owned() };
    let catalog = case
        .catalog_of([IndexLocation::Python { name: IndexName::python(), sources: vec![source] }]);
    let wanted = artifact(ArtifactKind::Wheel, IndexName::python(), "demo", &wheel.filename);
    let request = block(catalog.locate(&wanted, &Silent)).unwrap();
    let fetcher = Fetcher::new(FetchOptions { offline: true, ..options() }, Logins::new());
    let taken = block(fetcher.download(&request, case.folder.path(), &Silent)).unwrap();
    assert_eq!(fs_err::read(&taken.path).unwrap(), wheel.bytes);
    let wrong = rocmenv_manifests::digest::Sha256::of(b"other");
    let request = rocmenv_store::fetch::FileRequest { sha256: Some(wrong), ..request };
    let error = block(fetcher.download(&request, case.folder.path(), &Silent)).unwrap_err();
    assert_eq!(error.class(), FailureClass::Integrity);
}

/// 2026-01-01.
const NOW: i64 = 1_767_225_600;
