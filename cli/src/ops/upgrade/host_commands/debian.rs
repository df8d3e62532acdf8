//! Ubuntu and Debian: apt.

use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::registry::rows::channels::ChannelKind;
use rocmenv_manifests::upgrade::Driver;
use rocmenv_manifests::version::RocmVersion;

use super::{DriverFiles, HostCommands, REBOOT, Situation, is_amd, quoted};
use crate::ops::upgrade::driver_files::{KeptDriver, NotKept};
use crate::ops::upgrade::driver_packages::{codename, folder_of};

/// Another driver.
pub(super) fn driver(
    situation: &Situation<'_>,
    from: &Driver,
    to: &Driver,
    files: DriverFiles<'_>,
) -> HostCommands {
    let mut commands = HostCommands::default();
    if is_amd(from) {
        commands.install.push(REMOVE.to_owned());
    }
    match (to, files.new) {
        (Driver::Amd(_), Ok(kept)) => commands.install.push(install(kept)),
        (Driver::Amd(release), Err(why)) => {
            commands.install.extend(from_repository(situation, &release.to_string()));
            commands.notes.push(not_kept(why));
        }
        _ => commands.install.push("sudo rm -f /etc/apt/sources.list.d/amdgpu.list".to_owned()),
    }
    commands.install.push(REBOOT.to_owned());
    if is_amd(to) {
        commands.hold.push(format!("sudo apt-mark hold {PACKAGES}"));
        commands.back.extend([format!("sudo apt-mark unhold {PACKAGES}"), REMOVE.to_owned()]);
    }
    match (from, files.old) {
        (Driver::Amd(_), Some(kept)) => commands.back.push(install(kept)),
        (Driver::Amd(release), None) => {
            commands.back.extend(from_repository(situation, &release.to_string()));
            commands.notes.push(format!(
                "the packages of driver {release} are not kept: the way back needs AMD's repository"
            ));
        }
        (Driver::Module(module), _) => commands.notes.push(format!(
            "which release the module {module} is, is not known: keep its packages for the way back"
        )),
        _ => {}
    }
    commands.back.push(REBOOT.to_owned());
    commands
}

/// Another kernel of the distribution.
pub(super) fn kernel(os: Option<&OsRelease>, to: &str, flavour: Option<&str>) -> HostCommands {
    let is_ubuntu = os.is_some_and(|os| os.distribution == "ubuntu");
    let version = os.and_then(|os| os.version.clone()).unwrap_or_default();
    // 24.04.4 takes the packages of 24.04
    let version = version.split('.').take(2).collect::<Vec<_>>().join(".");
    let (package, note) = match (is_ubuntu, flavour) {
        (true, Some("hwe")) => (format!("linux-generic-hwe-{version}"), None),
        (true, Some("oem")) => (
            format!("linux-oem-{version}"),
            Some(format!(
                "OEM kernels have one package a series; `apt-cache search linux-oem-{version}` \
                 names the one of {to}"
            )),
        ),
        (true, _) => ("linux-generic".to_owned(), None),
        (false, _) => ("linux-image-amd64".to_owned(), None),
    };
    let headers = if is_ubuntu { "" } else { " linux-headers-amd64" };
    HostCommands {
        install: vec![
            "sudo apt-get update".to_owned(),
            format!("sudo apt-get install {package}{headers}"),
            REBOOT.to_owned(),
            format!("uname -r   # must begin with {to}"),
        ],
        hold: vec!["sudo apt-mark hold \"linux-image-$(uname -r)\"".to_owned()],
        back: vec![
            "boot the former kernel: GRUB > Advanced options".to_owned(),
            "sudo apt-mark unhold \"linux-image-$(uname -r)\"".to_owned(),
        ],
        notes: note.into_iter().collect(),
        ..HostCommands::default()
    }
}

/// Another ROCm on the host itself.
pub(super) fn rocm(
    situation: &Situation<'_>,
    from: Option<&RocmVersion>,
    to: &RocmVersion,
) -> HostCommands {
    let line = |rocm: &RocmVersion| situation.registry.line_of(rocm).map(|line| line.name.clone());
    let is_classic = line(to).as_deref() == Some("classic");
    let mut commands = HostCommands::default();
    if let Some(from) = from
        && line(from).as_deref() == Some("classic")
        && !is_classic
    {
        commands.install.push("sudo apt autoremove rocm-core".to_owned());
        commands
            .notes
            .push(format!("AMD's guide has ROCm {from} removed before {to} is installed"));
    }
    commands.install.extend(install_rocm(situation, to));
    if source_of(situation, to).is_none() {
        commands.notes.push(format!("no repository of ROCm {to} for this system is known"));
    }
    if let Some(from) = from {
        commands.back.push(format!("sudo apt remove {}", package(situation, to)));
        commands.back.extend(install_rocm(situation, from));
    }
    commands
}

fn install_rocm(situation: &Situation<'_>, rocm: &RocmVersion) -> Vec<String> {
    let source = source_of(situation, rocm).map(|source| {
        format!("echo '{source}' | sudo tee /etc/apt/sources.list.d/rocm.list && sudo apt update")
    });
    let install = format!("sudo apt install {}", package(situation, rocm));
    source.into_iter().chain([install]).collect()
}

/// The package that stands for a whole ROCm.
fn package(situation: &Situation<'_>, rocm: &RocmVersion) -> String {
    if situation.registry.line_of(rocm).is_some_and(|line| line.name == "classic") {
        "rocm".to_owned()
    } else {
        format!("amdrocm-core-sdk{}", rocm.series())
    }
}

/// The line of apt's sources for a release of ROCm.
fn source_of(situation: &Situation<'_>, rocm: &RocmVersion) -> Option<String> {
    let os = situation.os?;
    let codename = codename(os)?;
    let version = os.version.as_deref()?;
    let profile = format!("{}{}", os.distribution, version.replace('.', ""));
    let folder = folder_of(&rocm.to_string());
    let channels = situation.registry.channels_for(ChannelKind::Deb, rocm);
    channels.into_iter().find_map(|channel| {
        let values = [("version", folder.as_str()), ("profile", &profile), ("codename", codename)];
        let url = situation.registry.address(&channel.name, &values)?;
        let fits = channel.profiles.is_empty() || channel.profiles.contains(&profile);
        let suite = channel.suite.as_deref().unwrap_or("stable").replace("{codename}", codename);
        let components = match channel.components.as_slice() {
            [] => "main".to_owned(),
            some => some.join(" "),
        };
        fits.then(|| format!("deb [arch=amd64 signed-by={KEYRING}] {url} {suite} {components}"))
    })
}

/// The files are local: apt takes what they need besides from the distribution.
fn install(kept: &KeptDriver) -> String {
    let paths: Vec<String> = kept.files.iter().map(|file| quoted(&file.path)).collect();
    format!("sudo apt-get install --allow-downgrades {}", paths.join(" "))
}

fn from_repository(situation: &Situation<'_>, release: &str) -> Vec<String> {
    let folder = folder_of(release);
    let Some(codename) = situation.os.and_then(codename) else {
        return vec![format!("install amdgpu-dkms {release} as AMD's guide for this system says")];
    };
    vec![
        format!(
            "sudo mkdir --parents --mode=0755 /etc/apt/keyrings && \
             wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | \
             sudo tee {KEYRING} > /dev/null"
        ),
        format!(
            "echo 'deb [arch=amd64 signed-by={KEYRING}] \
             https://repo.radeon.com/amdgpu/{folder}/ubuntu {codename} main' | \
             sudo tee /etc/apt/sources.list.d/amdgpu.list"
        ),
        "sudo apt update".to_owned(),
        "sudo apt install amdgpu-dkms".to_owned(),
    ]
}

fn not_kept(why: &NotKept) -> String {
    let reason = match why {
        NotKept::NoKey => {
            "no key that you trust for repo.radeon.com is in your apt sources or rocm.toml"
                .to_owned()
        }
        NotKept::NoRepository => "AMD has no apt repository of it for this system".to_owned(),
        NotKept::Rpm => "packages of rpm distributions cannot be kept".to_owned(),
        NotKept::NotYet => {
            return "the driver's packages are kept when the step comes, where you trust a key for \
                    AMD's repository; then it installs from files"
                .to_owned();
        }
        NotKept::NoInstaller => "no installer was given".to_owned(),
        NotKept::Failed { why } => why.clone(),
    };
    format!("the driver's packages are not kept ({reason}): they come from AMD's repository")
}

const REMOVE: &str = "sudo apt autoremove amdgpu-dkms";
const PACKAGES: &str = "amdgpu-dkms amdgpu-dkms-firmware";
const KEYRING: &str = "/etc/apt/keyrings/rocm.gpg";
