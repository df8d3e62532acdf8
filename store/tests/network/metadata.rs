//! Metadata of wheels for few bytes, from servers of every kind.

use rocmenv_manifests::catalog::PythonFile;
use rocmenv_manifests::digest::Sha256;
use rocmenv_store::fetch::FailureClass;
use rocmenv_store::index::{
    Extent, MetadataError, WheelMetadata, WheelPlace, archive_members, fetch_metadata,
};
use rocmenv_store::report::Silent;
use rocmenv_tests::{Damage, Fault, IndexServer, Wheel, WheelBuilder, World};

use crate::support::{asked, block, fetcher, noise, told, url};

struct Case {
    server: IndexServer,
    wheel: Wheel,
    folder: tempfile::TempDir,
}

fn large() -> WheelBuilder {
    WheelBuilder::new("demo", "1.0").requires("numpy >=1.26").file("demo/big.bin", noise(500_000))
}

impl Case {
    fn new(wheel: &WheelBuilder, change: impl FnOnce(World, &str) -> World) -> Self {
        let wheel = wheel.build();
        let path = format!("/files/{}", wheel.filename);
        let world = World::new().file(&path, wheel.bytes.clone());
        let server = IndexServer::start(change(world, &path));
        Self { server, wheel, folder: tempfile::tempdir().unwrap() }
    }

    fn read(&self, has_metadata: bool) -> Result<WheelMetadata, MetadataError> {
        let address = url(&self.server.path(&format!("/files/{}", self.wheel.filename)));
        let file = PythonFile {
            name: self.wheel.filename.clone(),
            sha256: None,
            size: None,
            requires_python: None,
            yanked: None,
            uploaded: None,
            has_metadata,
        };
        let wheel = WheelPlace { address: &address, file: &file, downloads: self.folder.path() };
        block(fetch_metadata(&fetcher(), wheel, &Silent))
    }
}

#[test]
fn one_part_is_enough_for_most_wheels() {
    let case = Case::new(&large(), |world, _| world);
    let found = case.read(false).unwrap();
    assert_eq!(found.text, case.wheel.metadata);
    assert_eq!(found.bytes_fetched, 32 * 1024);
    assert_eq!(found.sha256, None);
    assert_eq!(asked(&case.server), ["GET /files/demo-1.0-py3-none-any.whl [bytes=-32768] -> 206"]);
}

#[test]
fn a_large_directory_and_a_far_entry_are_read_in_parts() {
    let mut wheel = WheelBuilder::new("demo", "1.0");
    for at in 0..2_000 {
        wheel = wheel.file(&format!("demo/a_rather_long_name_of_a_module_{at}.py"), "x = 1\n");
    }
    let case = Case::new(&wheel, |world, _| world);
    let found = case.read(false).unwrap();
    assert_eq!(found.text, case.wheel.metadata);
    assert!(found.bytes_fetched < case.wheel.bytes.len() as u64);
    let members = archive_members(&case.wheel.bytes).unwrap();
    let unpacked = members.iter().map(|member| member.unpacked).sum();
    let extent = Extent { archive: case.wheel.bytes.len() as u64, unpacked };
    assert_eq!(found.extent, Some(extent));
    let path = case.folder.path().join("demo.whl");
    fs_err::write(&path, &case.wheel.bytes).unwrap();
    assert_eq!(Extent::of_file(&path), Some(extent), "the same of a file");
    assert!(case.server.requests().iter().all(|request| request.status == 206));
    assert!(case.server.requests().len() > 1, "{:?}", asked(&case.server));
}

#[test]
fn a_small_wheel_is_one_part() {
    let case = Case::new(&WheelBuilder::new("demo", "1.0"), |world, _| world);
    let found = case.read(false).unwrap();
    assert_eq!(found.text, case.wheel.metadata);
    assert_eq!(found.bytes_fetched, case.wheel.bytes.len() as u64);
}

#[test]
fn a_file_beside_the_wheel_is_taken_where_it_was_promised() {
    let text = "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n";
    let case = Case::new(&large(), |world, path| world.file(&format!("{path}.metadata"), text));
    let found = case.read(true).unwrap();
    assert_eq!((found.text.as_str(), found.bytes_fetched), (text, text.len() as u64));
    assert_eq!(case.read(false).unwrap().text, case.wheel.metadata);
}

#[test]
fn a_promise_that_is_not_kept_costs_one_question() {
    let case = Case::new(&large(), |world, _| world);
    assert_eq!(case.read(true).unwrap().text, case.wheel.metadata);
    assert_eq!(
        asked(&case.server),
        [
            "GET /files/demo-1.0-py3-none-any.whl.metadata -> 404",
            "GET /files/demo-1.0-py3-none-any.whl [bytes=-32768] -> 206"
        ]
    );
}

#[test]
fn where_no_parts_are_served_the_wheel_is_fetched_and_kept() {
    let case = Case::new(&large(), |world, path| world.fault(path, Fault::RangeIgnored));
    let found = case.read(false).unwrap();
    assert_eq!(found.text, case.wheel.metadata);
    assert_eq!(found.bytes_fetched, case.wheel.bytes.len() as u64);
    let sha256 = Sha256::of(&case.wheel.bytes);
    assert_eq!(found.sha256, Some(sha256));
    let kept = case.folder.path().join(sha256.to_string()).join(&case.wheel.filename);
    assert_eq!(fs_err::read(kept).unwrap(), case.wheel.bytes);
}

#[test]
fn a_server_that_answers_with_another_part_is_not_believed() {
    let case = Case::new(&large(), |world, path| world.fault_first(1, path, Fault::WrongRange));
    assert_eq!(case.read(false).unwrap().text, case.wheel.metadata);
}

#[test]
fn a_wheel_of_the_user_s_own_is_read_where_it_lies() {
    let folder = tempfile::tempdir().unwrap();
    let wheel = large().build();
    let path = folder.path().join(&wheel.filename);
    fs_err::write(&path, &wheel.bytes).unwrap();
    let address = url::Url::from_file_path(&path).unwrap();
    let file = PythonFile {
        name: wheel.filename.clone(),
        sha256: None,
        size: None,
        requires_python: None,
        yanked: None,
        uploaded: None,
        has_metadata: false,
    };
    let place = WheelPlace { address: &address, file: &file, downloads: folder.path() };
    let found = block(fetch_metadata(&fetcher(), place, &Silent)).unwrap();
    assert_eq!((found.text, found.bytes_fetched), (wheel.metadata, 0));
}

#[test]
fn a_damaged_wheel_is_named_with_its_damage() {
    let said = |damage: Damage| {
        let case = Case::new(&large().damage(damage), |world, _| world);
        let error = case.read(false).unwrap_err();
        assert_eq!(error.class(), FailureClass::Integrity);
        told(&error)
    };
    assert_eq!(
        said(Damage::Truncated(450_000)),
        "`demo-1.0-py3-none-any.whl` is no wheel: it has no end of a zip archive"
    );
}
