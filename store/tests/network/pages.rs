//! Index pages in every layout that ROCm's wheels are served in.

use std::str::FromStr;

use rocmenv_manifests::name::PackageName;
use rocmenv_store::fetch::{FailureClass, Logins};
use rocmenv_store::index::{Page, PageReply, PageSource, fetch_page};
use rocmenv_store::report::Silent;
use rocmenv_tests::{Index, IndexServer, Layout, Sidecars, WheelBuilder, World};

use crate::support::{asked, block, fetcher, told, url};

fn ask(source: &PageSource, package: &str) -> Option<Page> {
    let package = PackageName::from_str(package).unwrap();
    match block(fetch_page(&fetcher(), source, &package, None, &Silent)).unwrap() {
        PageReply::Listed(listing) => listing.page,
        PageReply::Unchanged(_) => panic!("nothing was known"),
    }
}

fn simple(server: &IndexServer, name: &str) -> PageSource {
    PageSource::simple(url(&server.url(name)), true, &mut Logins::new())
}

/// A line a file, with the server's port left out.
fn lines(server: &IndexServer, page: &Page) -> Vec<String> {
    page.page
        .files
        .iter()
        .zip(&page.addresses)
        .map(|(file, address)| {
            let hash = file.sha256.map(|digest| digest.to_string()[..8].to_owned());
            format!(
                "{} {hash:?} {:?} {:?} {:?} {:?} {} {}",
                file.name,
                file.size,
                file.requires_python,
                file.yanked,
                file.uploaded,
                file.has_metadata,
                address.replace(&server.base(), "HOST"),
            )
        })
        .collect()
}

fn demo(index: Index) -> Index {
    index
        .wheel(WheelBuilder::new("demo", "1.0+rocm7.0").requires_python(">=3.9,<4"))
        .yanked("broken & \"gone\"")
        .sdist("demo", "1.0")
}

#[test]
fn json_and_html_say_the_same_as_far_as_html_can() {
    let json = IndexServer::start(World::new().index(demo(Index::new("main"))));
    let html =
        IndexServer::start(World::new().index(demo(Index::new("main")).layout(Layout::Html)));
    let of_json = ask(&simple(&json, "main"), "Demo").unwrap();
    let of_html = ask(&simple(&html, "main"), "demo").unwrap();
    insta::assert_debug_snapshot!(lines(&json, &of_json), @r#"
    [
        "demo-1.0+rocm7.0-py3-none-any.whl Some(\"309730da\") Some(949) Some(\">=3.9,<4\") Some(\"broken & \\\"gone\\\"\") Some(1704067200) false HOST/main/files/demo-1.0%2Brocm7.0-py3-none-any.whl",
        "demo-1.0.tar.gz Some(\"7e4fc4f7\") Some(18) None None Some(1704067200) false HOST/main/files/demo-1.0.tar.gz",
    ]
    "#);
    insta::assert_debug_snapshot!(lines(&html, &of_html), @r#"
    [
        "demo-1.0+rocm7.0-py3-none-any.whl Some(\"309730da\") None Some(\">=3.9,<4\") Some(\"broken & \\\"gone\\\"\") None false HOST/main/files/demo-1.0%2Brocm7.0-py3-none-any.whl",
        "demo-1.0.tar.gz Some(\"7e4fc4f7\") None None None None false HOST/main/files/demo-1.0.tar.gz",
    ]
    "#);
    assert_eq!(asked(&json), ["GET /main/simple/demo/ -> 200"]);
}

#[test]
fn links_are_resolved_where_a_redirect_led() {
    let index = Index::amd("amd")
        .at("https://stable.repo.amd.com/rocm/whl-next/")
        .owned_by("torch", "https://stable.repo.amd.com/rocm/pytorch/whl-next/")
        .wheel(WheelBuilder::new("torch", "2.12.0+rocm10.0.0").tag("cp312-cp312-linux_x86_64"));
    let server = IndexServer::start(World::new().index(index));
    let page = ask(&simple(&server, "amd"), "torch").unwrap();
    insta::assert_debug_snapshot!(lines(&server, &page), @r#"
    [
        "torch-2.12.0+rocm10.0.0-cp312-cp312-linux_x86_64.whl None None None None None false HOST/stable.repo.amd.com/rocm/pytorch/whl-next/torch-2.12.0%2Brocm10.0.0-cp312-cp312-linux_x86_64.whl",
    ]
    "#);
    insta::assert_debug_snapshot!(asked(&server), @r#"
    [
        "GET /stable.repo.amd.com/rocm/whl-next/torch/ -> 301",
        "GET /stable.repo.amd.com/rocm/pytorch/whl-next/torch/ -> 200",
    ]
    "#);
}

#[test]
fn a_package_that_is_not_there_is_absent_by_the_index_s_own_word() {
    let index = |status| Index::new("main").missing_status(status).empty_project("empty");
    let server = IndexServer::start(World::new().index(index(403)));
    assert_eq!(ask(&simple(&server, "main"), "nothing"), None);
    assert_eq!(ask(&simple(&server, "main"), "empty"), Some(Page::default()));
    let strict = PageSource::simple(url(&server.url("main")), false, &mut Logins::new());
    let package = PackageName::from_str("nothing").unwrap();
    let error = block(fetch_page(&fetcher(), &strict, &package, None, &Silent)).unwrap_err();
    assert!(error.to_string().ends_with("answered 403 Forbidden"), "{error}");
    assert_eq!(error.class(), FailureClass::Network);
    let server = IndexServer::start(World::new().index(index(404)));
    assert_eq!(ask(&simple(&server, "main"), "nothing"), None);
}

#[test]
fn metadata_beside_files_is_noticed() {
    let index = Index::pytorch("pt").sidecars(Sidecars::Advertised);
    let server = IndexServer::start(World::new().index(demo(index)));
    let page = ask(&simple(&server, "pt"), "demo").unwrap();
    let offered: Vec<_> =
        page.page.files.iter().map(|file| (file.name.as_str(), file.has_metadata)).collect();
    assert_eq!(offered, [("demo-1.0+rocm7.0-py3-none-any.whl", true), ("demo-1.0.tar.gz", false)]);
}

#[test]
fn a_page_of_links_serves_all_packages() {
    let folder = Index::folder("links")
        .wheel(WheelBuilder::new("demo", "1.0+rocm7.0"))
        .wheel(WheelBuilder::new("other", "2.0"));
    let server = IndexServer::start(World::new().index(folder));
    let source = PageSource::links(url(&server.url("links")), &mut Logins::new());
    let page = ask(&source, "demo").unwrap();
    insta::assert_debug_snapshot!(lines(&server, &page), @r#"
    [
        "demo-1.0+rocm7.0-py3-none-any.whl None None None None None false HOST/links/demo-1.0%2Brocm7.0-py3-none-any.whl",
        "other-2.0-py3-none-any.whl None None None None None false HOST/links/other-2.0-py3-none-any.whl",
    ]
    "#);
}

#[test]
fn a_folder_of_the_user_s_own_is_listed_with_hashes() {
    let folder = tempfile::tempdir().unwrap();
    for wheel in [WheelBuilder::new("demo", "1.0"), WheelBuilder::new("other", "1.0")] {
        let wheel = wheel.build();
        fs_err::write(folder.path().join(&wheel.filename), &wheel.bytes).unwrap();
    }
    fs_err::create_dir(folder.path().join("demo-2.0.zip")).unwrap();
    let source = PageSource::Folder { path: folder.path().to_owned() };
    let page = ask(&source, "demo").unwrap();
    assert_eq!(page.page.files.len(), 1);
    let file = &page.page.files[0];
    let bytes = fs_err::read(folder.path().join(&file.name)).unwrap();
    assert_eq!(file.sha256, Some(rocmenv_manifests::digest::Sha256::of(&bytes)));
    assert!(page.addresses[0].starts_with("file:///"));

    let gone = PageSource::Folder { path: folder.path().join("gone") };
    let package = PackageName::from_str("demo").unwrap();
    let error = block(fetch_page(&fetcher(), &gone, &package, None, &Silent)).unwrap_err();
    assert!(error.to_string().starts_with("cannot read the folder of packages"), "{error}");
}

#[test]
fn an_answer_that_is_no_page_is_named() {
    let page = r#"{"files": [{"filename": 1}]}"#;
    let server = IndexServer::start(World::new().file("/main/simple/demo/", page));
    let source = PageSource::simple(url(&server.path("/main/simple")), true, &mut Logins::new());
    let package = PackageName::from_str("demo").unwrap();
    let error = block(fetch_page(&fetcher(), &source, &package, None, &Silent)).unwrap_err();
    let said = told(&error).replace(&server.base(), "HOST");
    insta::assert_snapshot!(said, @r"
    `HOST/main/simple/demo/` is no index page
      invalid type: integer `1`, expected a string at line 1 column 25
    ");
}

#[test]
fn a_later_format_is_not_guessed_at() {
    let page = r#"{"meta": {"api-version": "2.0"}, "files": []}"#;
    let server = IndexServer::start(World::new().file("/main/simple/demo/", page));
    let source = PageSource::simple(url(&server.path("/main/simple")), true, &mut Logins::new());
    let package = PackageName::from_str("demo").unwrap();
    let error = block(fetch_page(&fetcher(), &source, &package, None, &Silent)).unwrap_err();
    assert!(told(&error).contains("version `2.0` of the index's format is not known"));
}
