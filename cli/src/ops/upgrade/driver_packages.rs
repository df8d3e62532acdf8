//! AMD's repository of a driver: where it is, who vouches for it, and which packages a driver is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rocmenv_manifests::debian::DebIndex;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::platform::{Arch, OsRelease};
use rocmenv_manifests::upgrade::Driver;
use rocmenv_manifests::version::DriverVersion;
use rocmenv_store::cache::Refresh;
use rocmenv_store::fetch::Logins;
use rocmenv_store::index::{AptSource, IndexLocation, Keyring, parse_sources};
use url::Url;

use super::UpgradeError;
use super::driver_files::NotKept;
use crate::context::Context;
use crate::error::Error;
use crate::ops::files;
use crate::ops::lock::Inputs;
use crate::ops::world::{World, WorldOptions, host_source_files, world_with};

/// The release of a driver and the repository that serves it for a distribution.
///
/// # Errors
/// A file of apt sources cannot be read.
pub(super) fn source_of<'d>(
    context: &Context,
    inputs: &Inputs,
    system: Option<&OsRelease>,
    driver: &'d Driver,
) -> Result<Result<(&'d DriverVersion, AptSource), NotKept>, Error> {
    let Driver::Amd(release) = driver else { return Ok(Err(NotKept::NoRepository)) };
    let Some(codename) = system.and_then(codename) else {
        let has_deb =
            system.is_none_or(|os| matches!(os.distribution.as_str(), "ubuntu" | "debian"));
        return Ok(Err(if has_deb { NotKept::NoRepository } else { NotKept::Rpm }));
    };
    let folder = folder_of(&release.to_string());
    let Some(address) = inputs.registry.address(CHANNEL, &[("driver", &folder)]) else {
        return Ok(Err(NotKept::NoRepository));
    };
    let Ok(url) = Url::parse(&format!("{address}/")) else { return Ok(Err(NotKept::NoRepository)) };
    let keyring = match trusted_fingerprint(inputs, &folder) {
        Some(keyring) => Some(keyring),
        None => trusted_key(context, inputs, &url)?,
    };
    let Some(keyring) = keyring else { return Ok(Err(NotKept::NoKey)) };
    let source = AptSource {
        url,
        suites: vec![codename.to_owned()],
        components: vec!["main".to_owned()],
        architectures: Vec::new(),
        keyring,
        trusted: false,
        check_valid_until: true,
    };
    Ok(Ok((release, source)))
}

/// The world with that repository, and the name that it has there.
///
/// # Errors
/// The user's configuration of indexes cannot be used.
pub(super) fn repository(
    context: &Context,
    inputs: &Inputs,
    source: AptSource,
    refresh: Refresh,
) -> Result<(World, IndexName), Error> {
    let name: IndexName = REPOSITORY.parse().map_err(|_| UpgradeError::NoTarget)?;
    let architecture = inputs.host.arch.unwrap_or(Arch::X86_64).debian().to_owned();
    let location = IndexLocation::Apt { name: name.clone(), sources: vec![source], architecture };
    let options = WorldOptions {
        root: &inputs.opened.root,
        project: &inputs.opened.project,
        registry: &inputs.registry,
        arch: inputs.host.arch.unwrap_or_default(),
        codename: None,
        refresh,
    };
    Ok((world_with(context, &options, location)?, name))
}

/// A package of the driver's repository.
pub(super) struct Wanted {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) file: String,
    pub(super) sha256: Sha256,
    pub(super) size: u64,
    /// KiB installed, as the package says.
    pub(super) installed_size: Option<u64>,
}

impl Wanted {
    /// Its file without the folders of the repository.
    pub(super) fn file_name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or_default()
    }

    /// Where it is kept below the folder of drivers.
    pub(super) fn place(&self, drivers: &Path) -> PathBuf {
        drivers.join(self.sha256.to_string()).join(self.file_name())
    }
}

/// `amdgpu-dkms` and what it needs of the same repository; the rest comes from the distribution.
/// What is needed comes first; nothing where the repository lacks the package itself.
pub(super) fn closure(index: &DebIndex) -> Vec<Wanted> {
    let mut found: Vec<Wanted> = Vec::new();
    let mut open = vec![PACKAGE.to_owned()];
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let newest = index
            .named(&name)
            .filter_map(Result::ok)
            .max_by(|one, other| one.version.cmp(&other.version));
        let Some(package) = newest else { continue };
        let needs = package.depends.iter().chain(&package.pre_depends);
        open.extend(needs.flat_map(|needed| &needed.alternatives).map(|one| one.name.clone()));
        found.push(Wanted {
            name,
            version: package.version.to_string(),
            file: package.filename.clone(),
            sha256: package.sha256,
            size: package.size,
            installed_size: package.installed_size,
        });
    }
    found.reverse();
    found
}

/// The key that AMD publishes for drivers, where rocm.toml says its fingerprint under the name of
/// the channel or of the release's index.
fn trusted_fingerprint(inputs: &Inputs, folder: &str) -> Option<Keyring> {
    let trusted = &inputs.opened.project.trusted_keys;
    let names = [format!("{CHANNEL}-{folder}"), CHANNEL.to_owned()];
    let key = names.iter().find_map(|name| trusted.get(&name.parse::<IndexName>().ok()?))?;
    let url = Url::parse(inputs.registry.channel(CHANNEL)?.key.as_deref()?).ok()?;
    Some(Keyring::Published { url, fingerprints: vec![key.value.to_string()] })
}

/// The key that the user trusts for the host of `url`: of the host's apt sources, else of an
/// index of rocm.toml.
fn trusted_key(context: &Context, inputs: &Inputs, url: &Url) -> Result<Option<Keyring>, Error> {
    let host = url.host_str();
    let mut texts = Vec::new();
    if let Some(file) = &context.settings.folders.apt_sources {
        let file = context.cwd.join(file);
        texts.push((files::read(&file)?, file));
    } else {
        for file in host_source_files() {
            texts.extend(files::read_optional(&file)?.map(|text| (text, file)));
        }
    }
    for (text, file) in texts {
        let sources = parse_sources(&text, &file.display().to_string(), &mut Logins::new());
        let mut sources = sources.unwrap_or_default().into_iter();
        if let Some(source) = sources.find(|source| source.url.host_str() == host) {
            return Ok(Some(source.keyring));
        }
    }
    let of_host = |text: &str| Url::parse(text).is_ok_and(|url| url.host_str() == host);
    let mut own = inputs.opened.project.indexes.iter();
    let own = own.find_map(|spec| spec.signed_by.as_ref().filter(|_| of_host(&spec.url.value)));
    Ok(own.map(|file| Keyring::Files(vec![inputs.opened.root.folder().join(file)])))
}

/// AMD's folder of a driver's release: no `.0` at the end (`31.50`, `30.20.1`).
pub(super) fn folder_of(release: &str) -> String {
    let parts = release.split('.').count();
    match release.strip_suffix(".0") {
        Some(short) if parts == 3 => short.to_owned(),
        _ => release.to_owned(),
    }
}

/// The suite of AMD's repository for a distribution: Debian takes Ubuntu's packages (AMD's driver
/// documentation, Debian native installation).
pub(super) fn codename(os: &OsRelease) -> Option<&'static str> {
    match (os.distribution.as_str(), os.version.as_deref()?) {
        ("ubuntu", version) if version.starts_with("22.04") => Some("jammy"),
        ("ubuntu", version) if version.starts_with("24.04") => Some("noble"),
        ("debian", "12") => Some("jammy"),
        ("debian", "13") => Some("noble"),
        _ => None,
    }
}

const CHANNEL: &str = "amd-apt-driver";
const REPOSITORY: &str = "amd-driver";
const PACKAGE: &str = "amdgpu-dkms";
