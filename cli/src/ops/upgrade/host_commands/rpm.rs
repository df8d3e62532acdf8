//! RHEL with its kin, and SLES: packages that rocmenv cannot keep.

use rocmenv_manifests::upgrade::Driver;

use super::{HostCommands, REBOOT, Situation, is_amd};
use crate::ops::upgrade::driver_packages::folder_of;

/// The package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Dnf,
    Zypper,
}

/// Another driver.
pub(super) fn driver(
    tool: Tool,
    situation: &Situation<'_>,
    from: &Driver,
    to: &Driver,
) -> HostCommands {
    let mut commands = HostCommands::default();
    if is_amd(from) {
        commands.install.push(tool.remove().to_owned());
    }
    match to {
        Driver::Amd(release) => {
            commands.install.extend(tool.install(situation, &release.to_string()));
        }
        _ => commands.install.push(tool.forget().to_owned()),
    }
    commands.install.push(REBOOT.to_owned());
    if is_amd(to) {
        commands.hold = tool.hold();
        commands.back.extend([tool.release().to_owned(), tool.remove().to_owned()]);
    }
    if let Driver::Amd(release) = from {
        commands.back.extend(tool.install(situation, &release.to_string()));
    }
    commands.back.push(REBOOT.to_owned());
    commands.notes.push(
        "rpm packages cannot be kept: this step and the way back need AMD's repository".to_owned(),
    );
    commands
}

/// Another kernel of the distribution.
pub(super) fn kernel(tool: Tool, to: &str) -> HostCommands {
    let (install, hold, release) = match tool {
        Tool::Dnf => (
            format!("sudo dnf install 'kernel-{to}*' 'kernel-devel-{to}*'"),
            "sudo dnf versionlock add kernel",
            "sudo dnf versionlock delete kernel",
        ),
        Tool::Zypper => (
            format!("sudo zypper install 'kernel-default>={to}' 'kernel-default-devel>={to}'"),
            "sudo zypper addlock kernel-default",
            "sudo zypper removelock kernel-default",
        ),
    };
    HostCommands {
        install: vec![install, REBOOT.to_owned(), format!("uname -r   # must begin with {to}")],
        hold: vec![hold.to_owned()],
        back: vec![
            "boot the former kernel: GRUB > Advanced options".to_owned(),
            release.to_owned(),
        ],
        ..HostCommands::default()
    }
}

impl Tool {
    fn install(self, situation: &Situation<'_>, release: &str) -> Vec<String> {
        let folder = folder_of(release);
        let os = situation.os;
        let version = os.and_then(|os| os.version.clone()).unwrap_or_default();
        let is_after_6 = folder.split('.').next().and_then(|n| n.parse::<u32>().ok()) > Some(6);
        match self {
            Self::Dnf => {
                // 10 has one folder for all its minors; until 6.4 the folder was called rhel
                let version = if version.starts_with("10") { "10" } else { &version };
                let system = if is_after_6 { "el" } else { "rhel" };
                vec![
                    format!(
                        "printf '%s\\n' '[amdgpu]' 'name=amdgpu' \
                         'baseurl=https://repo.radeon.com/amdgpu/{folder}/{system}/{version}/main/x86_64/' \
                         'enabled=1' 'priority=50' 'gpgcheck=1' \
                         'gpgkey=https://repo.radeon.com/rocm/rocm.gpg.key' | \
                         sudo tee /etc/yum.repos.d/amdgpu.repo"
                    ),
                    "sudo dnf clean all".to_owned(),
                    "sudo dnf install amdgpu-dkms".to_owned(),
                ]
            }
            Self::Zypper => vec![
                format!(
                    "printf '%s\\n' '[amdgpu]' 'name=amdgpu' \
                     'baseurl=https://repo.radeon.com/amdgpu/{folder}/sle/{version}/main/x86_64/' \
                     'enabled=1' 'gpgcheck=1' \
                     'gpgkey=https://repo.radeon.com/rocm/rocm.gpg.key' | \
                     sudo tee /etc/zypp/repos.d/amdgpu.repo"
                ),
                "sudo zypper refresh".to_owned(),
                "sudo zypper --gpg-auto-import-keys install amdgpu-dkms".to_owned(),
            ],
        }
    }

    fn remove(self) -> &'static str {
        match self {
            Self::Dnf => "sudo dnf remove amdgpu-dkms",
            Self::Zypper => "sudo zypper remove amdgpu-dkms amdgpu-core",
        }
    }

    fn forget(self) -> &'static str {
        match self {
            Self::Dnf => "sudo rm -f /etc/yum.repos.d/amdgpu.repo && sudo dnf clean all",
            Self::Zypper => "sudo zypper removerepo amdgpu",
        }
    }

    fn hold(self) -> Vec<String> {
        match self {
            Self::Dnf => vec![
                "sudo dnf install python3-dnf-plugin-versionlock".to_owned(),
                "sudo dnf versionlock add amdgpu-dkms amdgpu-dkms-firmware".to_owned(),
            ],
            Self::Zypper => vec!["sudo zypper addlock amdgpu-dkms amdgpu-dkms-firmware".to_owned()],
        }
    }

    fn release(self) -> &'static str {
        match self {
            Self::Dnf => "sudo dnf versionlock delete amdgpu-dkms amdgpu-dkms-firmware",
            Self::Zypper => "sudo zypper removelock amdgpu-dkms amdgpu-dkms-firmware",
        }
    }
}
