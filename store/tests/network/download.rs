//! Downloads from servers with every fault that is known of real ones.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rocmenv_manifests::digest::Sha256;
use rocmenv_store::fetch::{
    Downloaded, FailureClass, FetchError, FetchOptions, Fetcher, FileRequest, Logins, find_download,
};
use rocmenv_store::report::Silent;
use rocmenv_tests::{Fault, IndexServer, World};

use crate::support::{
    Recorder, asked, block, fetcher, noise, options, request, shared_fetcher, told,
};

const FILE: &str = "/files/big-1.0-py3-none-any.whl";

struct Case {
    server: IndexServer,
    content: Vec<u8>,
    folder: tempfile::TempDir,
}

impl Case {
    fn new(change: impl FnOnce(World) -> World) -> Self {
        let content = noise(400_000);
        let world = change(World::new().file(FILE, content.clone()));
        Self { server: IndexServer::start(world), content, folder: tempfile::tempdir().unwrap() }
    }

    /// The file with its right hash and size.
    fn promised(&self) -> FileRequest {
        FileRequest {
            sha256: Some(Sha256::of(&self.content)),
            size: Some(self.content.len() as u64),
            ..request(&self.server, FILE)
        }
    }

    fn download(&self, request: &FileRequest) -> Result<Downloaded, FetchError> {
        block(fetcher().download(request, self.folder.path(), &Silent))
    }

    fn is_right(&self, downloaded: &Downloaded) {
        assert_eq!(fs_err::read(&downloaded.path).unwrap(), self.content);
        assert_eq!(downloaded.sha256, Sha256::of(&self.content));
        assert_eq!(downloaded.size, self.content.len() as u64);
    }

    fn ranges(&self) -> Vec<Option<String>> {
        self.server.requests().into_iter().map(|request| request.range).collect()
    }
}

/// Files under a folder that are finished downloads.
fn finished(folder: &Path) -> usize {
    let mut count = 0;
    for entry in fs_err::read_dir(folder).unwrap().flatten() {
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        count += if hidden { 0 } else { fs_err::read_dir(entry.path()).unwrap().count() };
    }
    count
}

#[test]
fn a_file_comes_once_and_is_told_of() {
    let case = Case::new(|world| world);
    let recorder = Recorder::default();
    let request = case.promised();
    let fetched = block(fetcher().download(&request, case.folder.path(), &recorder)).unwrap();
    case.is_right(&fetched);
    assert_eq!(fetched.bytes_fetched, 400_000);
    assert_eq!(recorder.bytes(), 400_000);
    assert_eq!(
        recorder.events(),
        ["started Download big-1.0-py3-none-any.whl Some(400000)", "finished"]
    );
    let again = case.download(&request).unwrap();
    assert_eq!((&again.path, again.bytes_fetched), (&fetched.path, 0));
    assert_eq!(case.server.requests().len(), 1);
    let find = |sha256| block(find_download(case.folder.path(), &request.name, &sha256)).unwrap();
    assert_eq!(find(fetched.sha256), Some(again));
    assert_eq!(find(Sha256::of(b"other")), None);
}

#[test]
fn a_body_that_ends_too_early_goes_on_where_it_ended() {
    for fault in [Fault::Truncated(150_000), Fault::Reset { after: 150_000 }] {
        let case = Case::new(|world| world.fault_first(1, FILE, fault));
        case.is_right(&case.download(&case.promised()).unwrap());
        let ranges = case.ranges();
        assert_eq!(ranges.len(), 2);
        assert!(ranges[1].as_ref().is_some_and(|range| range.starts_with("bytes=")), "{ranges:?}");
    }
}

#[test]
fn a_stalled_body_is_given_up_and_goes_on() {
    let fault = Fault::Stall { after: 150_000, pause: Duration::from_secs(20) };
    let case = Case::new(|world| world.fault_first(1, FILE, fault));
    case.is_right(&case.download(&case.promised()).unwrap());
    assert_eq!(case.ranges(), [None, Some("bytes=150000-".to_owned())]);
}

#[test]
fn what_came_is_kept_for_the_next_run() {
    let case = Case::new(|world| {
        world.fault(FILE, Fault::Stall { after: 150_000, pause: Duration::from_secs(20) })
    });
    let no_retries = Fetcher::new(FetchOptions { retries: 0, ..options() }, Logins::new());
    let error =
        block(no_retries.download(&case.promised(), case.folder.path(), &Silent)).unwrap_err();
    assert_eq!(error.class(), FailureClass::Network);
    let Case { mut server, content, folder } = case;
    server.replace(World::new().file(FILE, content.clone()));
    let case = Case { server, content, folder };
    let fetched = case.download(&case.promised()).unwrap();
    case.is_right(&fetched);
    assert_eq!(fetched.bytes_fetched, 250_000);
}

#[test]
fn another_range_than_asked_for_starts_over() {
    let case = Case::new(|world| {
        world.fault_first(1, FILE, Fault::Truncated(150_000)).fault_first(
            1,
            FILE,
            Fault::WrongRange,
        )
    });
    case.is_right(&case.download(&case.promised()).unwrap());
    let ranges = case.ranges();
    assert!(ranges[0].is_none() && ranges[1].is_some() && ranges[2].is_none(), "{ranges:?}");
}

#[test]
fn a_whole_in_place_of_a_part_is_taken_as_the_whole() {
    let case = Case::new(|world| {
        world.fault_first(1, FILE, Fault::Truncated(150_000)).fault(FILE, Fault::RangeIgnored)
    });
    case.is_right(&case.download(&case.promised()).unwrap());
    assert_eq!(case.server.requests()[1].status, 200);
}

#[test]
fn a_changing_file_is_never_joined() {
    let case = Case::new(|world| {
        world
            .validators()
            .fault_first(1, FILE, Fault::Truncated(150_000))
            .fault(FILE, Fault::ChangingTag)
    });
    let fetched = case.download(&request(&case.server, FILE)).unwrap();
    case.is_right(&fetched);
}

#[test]
fn without_hash_only_a_strong_validator_resumes() {
    let plain = Case::new(|world| world.fault_first(1, FILE, Fault::Truncated(150_000)));
    plain.is_right(&plain.download(&request(&plain.server, FILE)).unwrap());
    assert_eq!(plain.ranges(), [None, None]);

    let tagged =
        Case::new(|world| world.validators().fault_first(1, FILE, Fault::Truncated(150_000)));
    let fetched = tagged.download(&request(&tagged.server, FILE)).unwrap();
    tagged.is_right(&fetched);
    let resumed = tagged.ranges()[1].clone().unwrap();
    assert!(resumed.starts_with("bytes=") && resumed != "bytes=0-", "{resumed}");

    // And what came is known again next time, for one byte.
    let again = tagged.download(&request(&tagged.server, FILE)).unwrap();
    assert_eq!((again.path, again.bytes_fetched), (fetched.path, 0));
    assert_eq!(tagged.ranges().last().unwrap().as_deref(), Some("bytes=0-0"));
}

#[test]
fn a_wrong_byte_is_an_integrity_error_with_both_hashes() {
    let case = Case::new(|world| world.fault(FILE, Fault::WrongByte(200_000)));
    let error = case.download(&case.promised()).unwrap_err();
    assert_eq!(error.class(), FailureClass::Integrity);
    let FetchError::HashMismatch { expected, found, .. } = &error else { panic!("{error}") };
    assert_eq!(*expected, Sha256::of(&case.content));
    assert_eq!(
        error.to_string(),
        format!("`big-1.0-py3-none-any.whl` has sha256 {found}, expected {expected}")
    );
    assert_eq!(finished(case.folder.path()), 0);
    assert_eq!(case.server.requests().len(), 1);
}

#[test]
fn bytes_of_another_file_are_thrown_away_once() {
    let case = Case::new(|world| world.fault_first(1, FILE, Fault::Truncated(150_000)));
    let no_retries = Fetcher::new(FetchOptions { retries: 0, ..options() }, Logins::new());
    let _ = block(no_retries.download(&case.promised(), case.folder.path(), &Silent));
    let partial = case.folder.path().join(".partial");
    let part = fs_err::read_dir(partial).unwrap().flatten().map(|entry| entry.path());
    let part = part.into_iter().find(|path| path.extension().unwrap() == "part").unwrap();
    let mut bytes = fs_err::read(&part).unwrap();
    assert!(!bytes.is_empty());
    bytes[0] ^= 1;
    fs_err::write(&part, bytes).unwrap();
    case.is_right(&case.download(&case.promised()).unwrap());
}

#[test]
fn a_lie_about_the_size_is_found_before_the_first_byte() {
    let case = Case::new(|world| world);
    let error = case.download(&FileRequest { size: Some(399_999), ..case.promised() }).unwrap_err();
    assert_eq!(error.class(), FailureClass::Integrity);
    assert_eq!(error.to_string(), "`big-1.0-py3-none-any.whl` has 400000 bytes, expected 399999");
    assert_eq!(finished(case.folder.path()), 0);
}

#[test]
fn a_file_that_is_packed_on_the_way_is_unpacked() {
    let case = Case::new(|world| world.fault(FILE, Fault::Gzipped));
    case.is_right(&case.download(&case.promised()).unwrap());
    case.is_right(&case.download(&request(&case.server, FILE)).unwrap());
}

#[test]
fn a_server_that_asks_for_time_gets_it() {
    let case = Case::new(|world| world.fault_first(2, FILE, Fault::Unavailable { retry_after: 0 }));
    let recorder = Recorder::default();
    let fetched =
        block(fetcher().download(&case.promised(), case.folder.path(), &recorder)).unwrap();
    case.is_right(&fetched);
    let told =
        format!("`{}` answered 503 Service Unavailable; trying again", case.server.path(FILE));
    assert_eq!(recorder.events()[..2], [told.clone(), told]);

    let case = Case::new(|world| world.fault_first(1, FILE, Fault::Unavailable { retry_after: 1 }));
    let patient = FetchOptions { longest_pause: Duration::from_secs(5), ..options() };
    let started = std::time::Instant::now();
    let patient = Fetcher::new(patient, Logins::new());
    block(patient.download(&case.promised(), case.folder.path(), &Silent)).unwrap();
    assert!(started.elapsed() >= Duration::from_secs(1));
}

#[test]
fn what_a_server_does_not_have_is_not_asked_for_again() {
    for status in [403, 404, 410, 501] {
        let case = Case::new(|world| world.fault(FILE, Fault::Status(status)));
        let error = case.download(&case.promised()).unwrap_err();
        assert_eq!(error.class(), FailureClass::Network);
        assert_eq!(case.server.requests().len(), 1, "{status}");
    }
    let case = Case::new(|world| world.fault(FILE, Fault::Status(500)));
    let error = case.download(&case.promised()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("`{}` answered 500 Internal Server Error", case.server.path(FILE))
    );
    assert_eq!(case.server.requests().len(), 4);
}

#[test]
fn a_redirect_loop_ends() {
    let case = Case::new(|world| world.fault(FILE, Fault::RedirectLoop));
    let error = case.download(&case.promised()).unwrap_err();
    assert_eq!(error.class(), FailureClass::Network);
    assert!(told(&error).ends_with("too many redirects"), "{}", told(&error));
    assert!(case.server.requests().len() <= 12);
}

#[test]
fn many_that_want_one_file_fetch_it_once() {
    let case = Case::new(|world| world.fault(FILE, Fault::Delay(Duration::from_millis(200))));
    let request = case.promised();
    block(async {
        let wanted = (0..6).map(|_| {
            // Each its own fetcher, as each process has.
            let (fetcher, request) = (shared_fetcher(), request.clone());
            let folder = case.folder.path().to_owned();
            tokio::spawn(async move { fetcher.download(&request, &folder, &Silent).await })
        });
        for one in wanted.collect::<Vec<_>>() {
            case.is_right(&one.await.unwrap().unwrap());
        }
    });
    assert_eq!(case.server.downloads(FILE), 1, "{:?}", asked(&case.server));
}

#[test]
fn a_file_that_rotted_on_the_disk_is_fetched_again() {
    let case = Case::new(|world| world);
    let fetched = case.download(&case.promised()).unwrap();
    let mut bytes = case.content.clone();
    bytes[7] ^= 1;
    fs_err::write(&fetched.path, bytes).unwrap();
    case.is_right(&case.download(&case.promised()).unwrap());
    assert_eq!(case.server.requests().len(), 2);
}

#[test]
fn offline_names_what_it_would_fetch() {
    let case = Case::new(|world| world);
    let offline = Fetcher::new(FetchOptions { offline: true, ..options() }, Logins::new());
    let error = block(offline.download(&case.promised(), case.folder.path(), &Silent)).unwrap_err();
    assert_eq!(error.to_string(), "offline: `big-1.0-py3-none-any.whl` is not in the cache");
    assert_eq!(error.class(), FailureClass::Network);
    assert_eq!(case.server.requests().len(), 0);
    case.download(&case.promised()).unwrap();
    let offline = Fetcher::new(FetchOptions { offline: true, ..options() }, Logins::new());
    block(offline.download(&case.promised(), case.folder.path(), &Silent)).unwrap();
}

#[test]
fn a_name_that_leads_elsewhere_is_refused() {
    let case = Case::new(|world| world);
    let request = FileRequest { name: "../evil.whl".to_owned(), ..case.promised() };
    let error = case.download(&request).unwrap_err();
    assert_eq!(error.to_string(), "`../evil.whl` is no file name");
    assert_eq!(error.class(), FailureClass::Integrity);
}

/// Needs the right to mount; says so where it has none.
#[test]
fn a_full_disk_is_named_and_nothing_is_lost() {
    let case = Case::new(|world| world);
    let mount = |arguments: &[&str]| {
        std::process::Command::new("mount")
            .args(arguments)
            .output()
            .is_ok_and(|o| o.status.success())
    };
    let place = case.folder.path().to_str().unwrap();
    if !mount(&["-t", "tmpfs", "-o", "size=200k", "tmpfs", place]) {
        // past the harness's capture, so that it is seen
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"test skipped: no right to mount a small file system\n",
        );
        return;
    }
    let kept = case.folder.path().join("kept");
    fs_err::write(&kept, "what was there").unwrap();
    let error = case.download(&case.promised()).unwrap_err();
    let seen = (fs_err::read_to_string(&kept).unwrap(), finished_or_none(case.folder.path()));
    let unmounted = std::process::Command::new("umount").arg(place).status().unwrap();
    assert!(unmounted.success());
    assert!(matches!(error, FetchError::DiskFull { .. }), "{}", told(&error));
    assert_eq!(error.class(), FailureClass::Local);
    assert_eq!(seen, ("what was there".to_owned(), 0));
}

fn finished_or_none(folder: &Path) -> usize {
    fs_err::read_dir(folder)
        .unwrap()
        .flatten()
        .filter(|entry| entry.file_name().len() == 64)
        .count()
}

#[test]
fn fetchers_may_be_shared_between_threads() {
    fn check<T: Send + Sync>(_: &Arc<T>) {}
    check(&shared_fetcher());
}

#[test]
fn a_server_that_always_breaks_off_is_given_up() {
    let content = noise(4_000_000);
    let world = World::new().file(FILE, content).fault(FILE, Fault::Truncated(3_000_000));
    let server = IndexServer::start(world);
    let folder = tempfile::tempdir().unwrap();
    let error = block(fetcher().download(&request(&server, FILE), folder.path(), &Silent));
    assert_eq!(error.unwrap_err().class(), FailureClass::Network);
    assert_eq!(server.requests().len(), 4);
}
