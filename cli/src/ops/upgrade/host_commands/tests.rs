//! The commands for each kind of system, whole.

use super::*;
use crate::ops::upgrade::driver_files::KeptFile;

fn driver(os: &str, from: Driver, to: Driver) -> String {
    let registry = Registry::embedded();
    let os: OsRelease = os.parse().unwrap();
    let state =
        State { os: Some(os.clone()), rocm: Some("10.0.0".parse().unwrap()), ..State::default() };
    let situation = Situation { os: Some(&os), to: &state, registry: &registry };
    let none = NotKept::NoKey;
    let files = DriverFiles { new: Err(&none), old: None };
    shown(&of_step(&HostStep::Driver { from, to }, &situation, files))
}

fn shown(commands: &HostCommands) -> String {
    let part = |title: &str, lines: &[String]| {
        lines.iter().map(|line| format!("{title}: {line}\n")).collect::<String>()
    };
    part("do", &commands.install)
        + &part("hold", &commands.hold)
        + &part("back", &commands.back)
        + &part("kernel", &commands.kernels)
        + &part("note", &commands.notes)
}

fn amd(release: &str) -> Driver {
    Driver::Amd(release.parse().unwrap())
}

#[test]
fn rhel_and_sles_install_from_amds_repository_and_say_that_nothing_is_kept() {
    insta::assert_snapshot!(driver("rhel-9.6", amd("6.4.0"), amd("31.50.0")), @"");
    insta::assert_snapshot!(driver("sles-15.7", Driver::InTree, amd("30.20.1")), @"");
}

#[test]
fn debian_takes_the_packages_of_ubuntu_and_the_way_back_to_the_kernels_own_driver_is_short() {
    insta::assert_snapshot!(driver("debian-12", Driver::InTree, amd("30.30.0")), @"");
    insta::assert_snapshot!(driver("ubuntu-24.04", amd("30.30.0"), Driver::InTree), @"");
}

#[test]
fn windows_runs_the_installer_that_the_user_handed_over() {
    let registry = Registry::embedded();
    let os: OsRelease = "windows-11-25H2".parse().unwrap();
    let state = State { os: Some(os.clone()), ..State::default() };
    let situation = Situation { os: Some(&os), to: &state, registry: &registry };
    let file = KeptFile {
        package: "adrenalin.exe".to_owned(),
        version: "26.8.1".to_owned(),
        sha256: rocmenv_manifests::digest::Sha256::of(b""),
        path: r"C:\data\it's\adrenalin.exe".into(),
    };
    let kept = KeptDriver { driver: "Adrenalin 26.8.1".to_owned(), files: vec![file] };
    let from = Driver::Adrenalin("26.2.2".parse().unwrap());
    let step = HostStep::Driver { from, to: Driver::Adrenalin("26.8.1".parse().unwrap()) };
    let files = DriverFiles { new: Ok(&kept), old: None };
    insta::assert_snapshot!(shown(&of_step(&step, &situation, files)), @"");
}
