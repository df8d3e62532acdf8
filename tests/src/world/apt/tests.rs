use super::*;
use crate::archive::tests::decompress;
use crate::world::World;

fn suite() -> Suite {
    Suite::new("bookworm")
        .codename("bookworm")
        .signed_by(&SigningKey::new("archive"))
        .package(&DebBuilder::new("rocminfo", "5.2.3-2").depends("libhsa-runtime64-1"))
        .package(&DebBuilder::new("libhsa-runtime64-1", "5.2.3-3"))
}

fn site(suite: Suite) -> Site {
    World::new().apt(AptRepository::new("debian").suite(suite)).site()
}

fn content(site: &Site, path: &str) -> Vec<u8> {
    match &site.resources[path] {
        Resource::Content { variants, .. } => variants[0].1.to_vec(),
        Resource::Redirect { .. } => panic!("{path} is a redirect"),
    }
}

#[test]
fn a_suite_is_complete() {
    let site = site(suite());
    let paths: Vec<&str> = site.resources.keys().map(String::as_str).collect();
    let signed = content(&site, "/debian/dists/bookworm/InRelease");
    let packages = "/debian/dists/bookworm/main/binary-amd64/Packages.xz";
    let packages = decompress(Compression::Xz, &content(&site, packages));
    insta::assert_snapshot!(format!(
        "{}\n\n{}\n{}",
        paths.join("\n"),
        String::from_utf8(signed).unwrap(),
        String::from_utf8(packages).unwrap()
    ), @r"
    /debian/dists/bookworm/InRelease
    /debian/dists/bookworm/Release
    /debian/dists/bookworm/main/binary-amd64/Packages.gz
    /debian/dists/bookworm/main/binary-amd64/Packages.xz
    /debian/dists/bookworm/main/binary-amd64/by-hash/SHA256/107d56e769d8a9134c044f7d619df8c1398a1488df202ed339b53351dcc9cba1
    /debian/dists/bookworm/main/binary-amd64/by-hash/SHA256/8fbe56e67e6f3e922333eddde284c591b785a8a77709654b4961b667d0cb10a2
    /debian/pool/main/l/libhsa-runtime64-1/libhsa-runtime64-1_5.2.3-3_amd64.deb
    /debian/pool/main/r/rocminfo/rocminfo_5.2.3-2_amd64.deb

    -----BEGIN PGP SIGNED MESSAGE-----
    Hash: SHA256

    Origin: rocmenv tests
    Label: rocmenv tests
    Suite: bookworm
    Codename: bookworm
    Date: Mon, 01 Jan 2024 00:00:00 UTC
    Acquire-By-Hash: yes
    Architectures: amd64
    Components: main
    SHA256:
     94d5a72b10323eb1ceb2891abbd1f669db21855a7b210aaa74fad2fc167ceb8f 578 main/binary-amd64/Packages
     8fbe56e67e6f3e922333eddde284c591b785a8a77709654b4961b667d0cb10a2 388 main/binary-amd64/Packages.xz
     107d56e769d8a9134c044f7d619df8c1398a1488df202ed339b53351dcc9cba1 315 main/binary-amd64/Packages.gz

    -----BEGIN PGP SIGNATURE-----

    wnUEARYIAB0FAmWSAIAWIQS5U6vpIeFwl/WmthCU+6SQEv1YqAAKCRCU+6SQEv1Y
    qLBBAQD0jgrMW+JDDJ5kwbiLdkmBvcAGKH2bOqtdloaAE+lsDQEAlRQzjYmpVzR9
    q6ix6T8aS53hDCA+VHhuKQxIi63CTAs=
    =ixwu
    -----END PGP SIGNATURE-----

    Package: rocminfo
    Version: 5.2.3-2
    Architecture: amd64
    Depends: libhsa-runtime64-1
    Maintainer: Nobody <nobody@example.com>
    Description: a fixture
    Filename: pool/main/r/rocminfo/rocminfo_5.2.3-2_amd64.deb
    Size: 600
    SHA256: ba160e92d7b5e71a5bfb8ffca6599421867d3ddef27ba8979af8c48ecc460bd6

    Package: libhsa-runtime64-1
    Version: 5.2.3-3
    Architecture: amd64
    Maintainer: Nobody <nobody@example.com>
    Description: a fixture
    Filename: pool/main/l/libhsa-runtime64-1/libhsa-runtime64-1_5.2.3-3_amd64.deb
    Size: 584
    SHA256: f2fba94a28b70362638f67f639c54aebb66948f66cc602fcb3deed63529f7a65
    ");
}

/// What InRelease says of `Packages.gz`: hash and size.
fn listed(site: &Site) -> (String, usize) {
    let release = content(site, "/debian/dists/bookworm/InRelease");
    let release = String::from_utf8(release).unwrap();
    let line = release.lines().find(|line| line.ends_with("/Packages.gz")).unwrap();
    let mut words = line.split_whitespace();
    let hash = words.next().unwrap().to_owned();
    (hash, words.next().unwrap().parse().unwrap())
}

#[test]
fn faults_are_where_they_are_said_to_be() {
    let named = "/debian/dists/bookworm/main/binary-amd64/Packages.gz";
    let fits = |suite: Suite| {
        let site = site(suite);
        let (hash, _) = listed(&site);
        let by_hash = format!("/debian/dists/bookworm/main/binary-amd64/by-hash/SHA256/{hash}");
        (
            sha256(&content(&site, named)) == hash,
            site.resources
                .contains_key(&by_hash)
                .then(|| sha256(&content(&site, &by_hash)) == hash),
        )
    };
    assert_eq!(fits(suite()), (true, Some(true)));
    assert_eq!(fits(suite().without_by_hash()), (true, None));
    let moved_on = suite().fault(SuiteFault::MovedOn);
    assert_eq!(fits(moved_on), (false, Some(true)));
    let other = suite().fault(SuiteFault::OtherPackages);
    assert_eq!(fits(other), (false, Some(false)));
}

#[test]
fn packages_lie_or_vanish() {
    let site = site(
        Suite::new("sid")
            .package(&DebBuilder::new("a", "1"))
            .lying_hash()
            .package(&DebBuilder::new("b", "1"))
            .vanished(),
    );
    let stated = sha256(b"another file");
    let packages = "/debian/dists/sid/main/binary-amd64/Packages.gz";
    let packages = decompress(Compression::Gz, &content(&site, packages));
    assert!(String::from_utf8(packages).unwrap().contains(&stated));
    let pool = |name: &str| format!("/debian/pool/main/{name}/{name}/{name}_1_amd64.deb");
    assert!(site.resources.contains_key(&pool("a")));
    assert!(!site.resources.contains_key(&pool("b")));
    assert!(!site.resources.contains_key("/debian/dists/sid/InRelease"));
}

#[test]
fn amd_layouts() {
    let world = World::new()
        .apt(AptRepository::amd_classic("7.2.4").suite(Suite::new("noble")))
        .apt(AptRepository::amd_core("ubuntu2404").suite(Suite::new("stable")));
    assert_eq!(world.hosts(), ["repo.radeon.com", "stable.repo.amd.com"]);
    let site = world.site();
    for path in [
        "/repo.radeon.com/rocm/apt/7.2.4/dists/noble/Release",
        "/stable.repo.amd.com/rocm/core/packages/ubuntu2404/dists/stable/Release",
    ] {
        assert!(site.resources.contains_key(path), "{path}");
    }
}
