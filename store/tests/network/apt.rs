//! Apt repositories: signed, unsigned, signed by others, changed, outdated.

use std::path::PathBuf;

use rocmenv_manifests::debian::DebIndex;
use rocmenv_store::fetch::{FailureClass, Logins};
use rocmenv_store::index::{
    AptError, AptFetch, AptList, AptSource, Keyring, fetch_lists, parse_sources,
};
use rocmenv_store::report::Silent;
use rocmenv_tests::{
    AptRepository, Compression, DebBuilder, IndexServer, SigningKey, Suite, SuiteFault, World,
};

use crate::support::{asked, block, fetcher, told};

struct Case {
    server: IndexServer,
    sources: Vec<AptSource>,
    folder: tempfile::TempDir,
}

impl Case {
    fn new(suites: impl IntoIterator<Item = Suite>) -> Self {
        let mut repository = AptRepository::new("rocm");
        for suite in suites {
            repository = repository.suite(suite);
        }
        let server = IndexServer::start(World::new().apt(repository));
        let folder = tempfile::tempdir().unwrap();
        let keyring = SigningKey::new("amd").write_keyring(folder.path());
        let text = server.apt_sources("rocm", &keyring);
        let sources = parse_sources(&text, "rocm.sources", &mut Logins::new()).unwrap();
        Self { server, sources, folder }
    }

    fn lists_folder(&self) -> PathBuf {
        let folder = self.folder.path().join("lists");
        fs_err::create_dir_all(&folder).unwrap();
        folder
    }

    fn fetch(&self) -> Result<Vec<AptList>, AptError> {
        let folder = self.lists_folder();
        let wanted = AptFetch {
            sources: &self.sources,
            architecture: "amd64",
            folder: &folder,
            apt_folder: self.folder.path(),
            now: NOW,
        };
        block(fetch_lists(&fetcher(), wanted, &Silent))
    }

    fn index(&self) -> DebIndex {
        let folder = self.lists_folder();
        let lists = self.fetch().unwrap();
        DebIndex::new(lists.iter().map(|list| fs_err::read_to_string(list.path(&folder)).unwrap()))
    }

    fn refused(&self) -> String {
        let error = self.fetch().unwrap_err();
        assert_eq!(error.class(), FailureClass::Integrity, "{}", told(&error));
        told(&error).replace(&self.server.base(), "HOST")
    }
}

fn suite(name: &str) -> Suite {
    Suite::new(name)
        .signed_by(&SigningKey::new("amd"))
        .package(&DebBuilder::new("rocminfo", "5.2.3-2").depends("libc6 (>= 2.34)"))
}

#[test]
fn a_signed_repository_gives_its_packages() {
    let case =
        Case::new([suite("noble"), suite("noble-updates").package(&DebBuilder::new("new", "1"))]);
    let index = case.index();
    assert_eq!(index.names(), ["new", "rocminfo"]);
    assert_eq!(index.named("rocminfo").count(), 2);
    let first = asked(&case.server);
    assert!(
        first[1].contains("/by-hash/SHA256/") || first[2].contains("/by-hash/SHA256/"),
        "{first:?}"
    );
    assert_eq!(first.len(), 4);
    // Lists that are named by a digest never change: the second time only signatures come.
    case.server.forget_requests();
    case.fetch().unwrap();
    let again = asked(&case.server);
    assert_eq!(again.len(), 2);
    assert!(again.iter().all(|line| line.contains("/InRelease")), "{again:?}");
}

/// As programs that start side by side do it, each with connections of its own.
#[test]
fn many_who_want_one_list_at_once_fetch_it_once() {
    let case = Case::new([suite("noble")]);
    let folder = case.lists_folder();
    let wanted = AptFetch {
        sources: &case.sources,
        architecture: "amd64",
        folder: &folder,
        apt_folder: case.folder.path(),
        now: NOW,
    };
    let fetchers: Vec<_> = (0..12).map(|_| fetcher()).collect();
    let all = fetchers.iter().map(|fetcher| fetch_lists(fetcher, wanted, &Silent));
    let all = block(futures::future::join_all(all));
    for lists in all {
        let lists = lists.unwrap_or_else(|error| panic!("{}", told(&error)));
        assert!(lists[0].path(&folder).exists());
    }
    let lists = asked(&case.server);
    assert_eq!(lists.iter().filter(|line| line.contains("/by-hash/")).count(), 1, "{lists:?}");
}

#[test]
fn each_packing_without_by_hash() {
    for compressions in [&[Compression::Gz][..], &[Compression::Xz]] {
        let case = Case::new([suite("noble").compressions(compressions).without_by_hash()]);
        assert_eq!(case.index().names(), ["rocminfo"]);
        assert!(!asked(&case.server).iter().any(|line| line.contains("by-hash")));
    }
}

#[test]
fn a_mirror_that_moved_on_still_has_what_was_signed() {
    let case = Case::new([suite("noble").fault(SuiteFault::MovedOn)]);
    assert_eq!(case.index().names(), ["rocminfo"]);
}

#[test]
fn an_unsigned_repository_is_refused_unless_the_user_said_so() {
    let unsigned = || Suite::new("noble").package(&DebBuilder::new("rocminfo", "1"));
    let mut case = Case::new([unsigned()]);
    insta::assert_snapshot!(case.refused(), @"the repository `HOST/rocm/dists/noble/` is not signed: it has no `InRelease`");
    case.sources[0].trusted = true;
    assert_eq!(case.index().names(), ["rocminfo"]);
}

#[test]
fn a_repository_signed_by_others_is_refused() {
    let case = Case::new([Suite::new("noble").signed_by(&SigningKey::new("mallory"))]);
    let said = case.refused().replace(&SigningKey::new("mallory").fingerprint(), "MALLORY");
    insta::assert_snapshot!(said, @r"
    the signature of `HOST/rocm/dists/noble/` cannot be trusted
      none of the expected keys signed it as it is (signed by MALLORY)
    ");
}

#[test]
fn a_repository_that_was_changed_after_signing_is_refused() {
    let case = Case::new([suite("noble").fault(SuiteFault::ChangedAfterSigning)]);
    let said = case.refused();
    assert!(
        said.starts_with("the signature of `HOST/rocm/dists/noble/` cannot be trusted"),
        "{said}"
    );
}

#[test]
fn lists_that_were_not_signed_are_refused() {
    let case = Case::new([suite("noble").fault(SuiteFault::OtherPackages)]);
    let said = case.refused();
    assert!(said.contains("expected"), "{said}");
}

#[test]
fn an_outdated_release_is_refused_unless_the_user_said_so() {
    let mut case = Case::new([suite("noble").valid_until("Mon, 01 Jan 2001 00:00:00 UTC")]);
    insta::assert_snapshot!(case.refused(), @"the release file of `HOST/rocm/dists/noble/` was valid until Mon, 01 Jan 2001 00:00:00 UTC");
    case.sources[0].check_valid_until = false;
    assert_eq!(case.index().names(), ["rocminfo"]);
    let case = Case::new([suite("noble").valid_until("Fri, 01 Jan 2100 00:00:00 UTC")]);
    assert_eq!(case.fetch().unwrap()[0].valid_until, Some(4_102_444_800));
}

#[test]
fn a_component_that_is_not_there_is_named() {
    let mut case = Case::new([suite("noble")]);
    case.sources[0].components.push("contrib".to_owned());
    let error = case.fetch().unwrap_err();
    insta::assert_snapshot!(told(&error).replace(&case.server.base(), "HOST"), @"`HOST/rocm/dists/noble/` has no component `contrib` for `amd64`");
}

#[test]
fn keys_come_from_where_the_entry_says_only() {
    let key = SigningKey::new("amd");
    let mut case = Case::new([suite("noble")]);
    let trusted = case.folder.path().join("trusted.gpg.d");
    fs_err::create_dir(&trusted).unwrap();
    fs_err::write(trusted.join("amd.gpg"), key.binary()).unwrap();
    fs_err::write(trusted.join("other.asc"), SigningKey::new("other").armored()).unwrap();
    for keyring in [
        Keyring::Apt,
        Keyring::Inline(key.armored()),
        Keyring::Files(vec![trusted.join("amd.gpg")]),
        Keyring::Fingerprints(vec![key.fingerprint()]),
    ] {
        case.sources[0].keyring = keyring;
        assert_eq!(case.index().names(), ["rocminfo"]);
    }
    for keyring in [
        Keyring::Files(vec![trusted.join("other.asc")]),
        Keyring::Fingerprints(vec![SigningKey::new("other").fingerprint()]),
        Keyring::Fingerprints(vec!["00".repeat(20)]),
        Keyring::Inline("-----BEGIN PGP PUBLIC KEY BLOCK-----".to_owned()),
    ] {
        case.sources[0].keyring = keyring;
        case.refused();
    }
    case.sources[0].keyring = Keyring::Files(vec!["/nowhere/amd.gpg".into()]);
    let error = case.fetch().unwrap_err();
    assert_eq!(error.to_string(), "cannot read the keys `/nowhere/amd.gpg`");
    assert_eq!(error.class(), FailureClass::Local);
}

/// 2026-01-01, after the fixtures' signatures.
const NOW: i64 = 1_767_225_600;
