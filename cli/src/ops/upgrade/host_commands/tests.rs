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
        lines.iter().fold(String::new(), |text, line| text + title + ": " + line + "\n")
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
    insta::assert_snapshot!(driver("rhel-9.6", amd("6.4.0"), amd("31.50.0")), @r"
        do: sudo dnf remove amdgpu-dkms
        do: printf '%s\n' '[amdgpu]' 'name=amdgpu' 'baseurl=https://repo.radeon.com/amdgpu/31.50/el/9.6/main/x86_64/' 'enabled=1' 'priority=50' 'gpgcheck=1' 'gpgkey=https://repo.radeon.com/rocm/rocm.gpg.key' | sudo tee /etc/yum.repos.d/amdgpu.repo
        do: sudo dnf clean all
        do: sudo dnf install amdgpu-dkms
        do: sudo reboot
        hold: sudo dnf install python3-dnf-plugin-versionlock
        hold: sudo dnf versionlock add amdgpu-dkms amdgpu-dkms-firmware
        back: sudo dnf versionlock delete amdgpu-dkms amdgpu-dkms-firmware
        back: sudo dnf remove amdgpu-dkms
        back: printf '%s\n' '[amdgpu]' 'name=amdgpu' 'baseurl=https://repo.radeon.com/amdgpu/6.4/rhel/9.6/main/x86_64/' 'enabled=1' 'priority=50' 'gpgcheck=1' 'gpgkey=https://repo.radeon.com/rocm/rocm.gpg.key' | sudo tee /etc/yum.repos.d/amdgpu.repo
        back: sudo dnf clean all
        back: sudo dnf install amdgpu-dkms
        back: sudo reboot
        kernel: 5.14.0-570
        note: rpm packages cannot be kept: this step and the way back need AMD's repository
        ");
    insta::assert_snapshot!(driver("sles-15.7", Driver::InTree, amd("30.20.1")), @r"
        do: printf '%s\n' '[amdgpu]' 'name=amdgpu' 'baseurl=https://repo.radeon.com/amdgpu/30.20.1/sle/15.7/main/x86_64/' 'enabled=1' 'gpgcheck=1' 'gpgkey=https://repo.radeon.com/rocm/rocm.gpg.key' | sudo tee /etc/zypp/repos.d/amdgpu.repo
        do: sudo zypper refresh
        do: sudo zypper --gpg-auto-import-keys install amdgpu-dkms
        do: sudo reboot
        hold: sudo zypper addlock amdgpu-dkms amdgpu-dkms-firmware
        back: sudo zypper removelock amdgpu-dkms amdgpu-dkms-firmware
        back: sudo zypper remove amdgpu-dkms amdgpu-core
        back: sudo reboot
        kernel: 6.4.0-150700.51
        note: rpm packages cannot be kept: this step and the way back need AMD's repository
        ");
}

#[test]
fn debian_takes_the_packages_of_ubuntu_and_the_way_back_to_the_kernels_own_driver_is_short() {
    insta::assert_snapshot!(driver("debian-12", Driver::InTree, amd("30.30.0")), @r"
        do: sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
        do: echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/30.30/ubuntu jammy main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
        do: sudo apt update
        do: sudo apt install amdgpu-dkms
        do: sudo reboot
        hold: sudo apt-mark hold amdgpu-dkms amdgpu-dkms-firmware
        back: sudo apt-mark unhold amdgpu-dkms amdgpu-dkms-firmware
        back: sudo apt autoremove amdgpu-dkms
        back: sudo reboot
        kernel: 6.1.0
        note: the driver's packages are not kept (no key that you trust for repo.radeon.com is in your apt sources or rocm.toml): they come from AMD's repository
        ");
    insta::assert_snapshot!(driver("ubuntu-24.04", amd("30.30.0"), Driver::InTree), @r"
        do: sudo apt autoremove amdgpu-dkms
        do: sudo rm -f /etc/apt/sources.list.d/amdgpu.list
        do: sudo reboot
        back: sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
        back: echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/30.30/ubuntu noble main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
        back: sudo apt update
        back: sudo apt install amdgpu-dkms
        back: sudo reboot
        kernel: 6.17 HWE
        kernel: 6.17 OEM
        kernel: 6.8 GA
        note: the packages of driver 30.30.0 are not kept: the way back needs AMD's repository
        ");
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
    insta::assert_snapshot!(shown(&of_step(&step, &situation, files)), @r"
        do: Settings > Apps > AMD Software > Uninstall (or AMD's Cleanup Utility), then restart
        do: Start-Process -Wait 'C:\data\it''s\adrenalin.exe'
        do: Restart-Computer
        hold: Settings > Windows Update > Advanced options > Optional updates: take no display driver
        back: Settings > Apps > AMD Software > Uninstall (or AMD's Cleanup Utility), then restart
        back: run the installer of Adrenalin 26.2.2, then restart
        note: keep the installer of Adrenalin 26.2.2 for the way back
        ");
}
