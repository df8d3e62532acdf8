//! Driver packages as artifacts: fetched from AMD's signed repository with what they need of it,
//! verified, and kept in the store, so that a host step and the way back install from files.
//!
//! The key must be one that the user already trusts for AMD's repository: of an entry of the
//! host's apt sources, or of rocm.toml. None is taken on first use. Packages of rpm distributions
//! are not kept.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::catalog::{Answer, Catalog as _, Query};
use rocmenv_manifests::debian::DebIndex;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::platform::{Arch, OsRelease};
use rocmenv_manifests::upgrade::Driver;
use rocmenv_store::cache::Refresh;
use rocmenv_store::fetch::{FileRequest, Logins};
use rocmenv_store::fs::DiskError;
use rocmenv_store::index::{AptSource, IndexLocation, Keyring, parse_sources};
use rocmenv_store::layout::StoreLayout;
use rocmenv_store::report::Reporter;
use serde::{Deserialize, Serialize};
use url::Url;

use super::UpgradeError;
use crate::context::Context;
use crate::error::Error;
use crate::ops::files;
use crate::ops::lock::Inputs;
use crate::ops::world::{WorldOptions, host_source_files, world_with};

/// A driver whose files lie in the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct KeptDriver {
    /// Its release, as a state writes it.
    pub driver: String,
    /// Its files; what depends comes after what it needs.
    pub files: Vec<KeptFile>,
}

/// One file of a driver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct KeptFile {
    /// The package; of a Windows installer its file name.
    pub package: String,
    /// Its version.
    pub version: String,
    /// Its digest, which the signed list of the repository names.
    pub sha256: Sha256,
    /// Where it lies.
    pub path: PathBuf,
}

/// Why a driver's packages are not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "reason")]
pub enum NotKept {
    /// Its distribution has rpm packages.
    Rpm,
    /// AMD has no repository of it for this distribution.
    NoRepository,
    /// No key that the user trusts for AMD's repository is known.
    NoKey,
    /// It could not be fetched.
    Failed {
        /// In words.
        why: String,
    },
    /// The step has not come yet.
    NotYet,
    /// Windows: the user has to hand over the installer.
    NoInstaller,
}

/// Fetches a driver's packages and keeps them. What is there already is only verified.
///
/// # Errors
/// The store cannot be written.
pub(super) async fn keep(
    context: &Context,
    inputs: &Inputs,
    system: Option<&OsRelease>,
    driver: &Driver,
    reporter: &dyn Reporter,
) -> Result<Result<KeptDriver, NotKept>, Error> {
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
    match fetch(context, inputs, source, reporter).await {
        Ok(files) => Ok(Ok(KeptDriver { driver: release.to_string(), files })),
        Err(error) => Ok(Err(NotKept::Failed { why: error.chain().join(": ") })),
    }
}

async fn fetch(
    context: &Context,
    inputs: &Inputs,
    source: AptSource,
    reporter: &dyn Reporter,
) -> Result<Vec<KeptFile>, Error> {
    let repository: IndexName = REPOSITORY.parse().map_err(|_| UpgradeError::NoTarget)?;
    let architecture = inputs.host.arch.unwrap_or(Arch::X86_64).debian().to_owned();
    let location =
        IndexLocation::Apt { name: repository.clone(), sources: vec![source], architecture };
    let options = WorldOptions {
        root: &inputs.opened.root,
        project: &inputs.opened.project,
        registry: &inputs.registry,
        arch: inputs.host.arch.unwrap_or_default(),
        codename: None,
        refresh: Refresh::WhenOld,
    };
    let world = world_with(context, &options, location)?;
    let query = Query::Debs { repository: repository.clone() };
    world.catalog.fetch_missing(&BTreeSet::from([query]), reporter).await?;
    let Answer::Ready(index) = world.catalog.debs(&repository) else {
        return Err(UpgradeError::NoDriverPackage.into());
    };
    let folder = drivers_folder(context)?;
    let mut kept = Vec::new();
    for package in closure(&index)? {
        let name = package.file.rsplit('/').next().unwrap_or_default().to_owned();
        let place = folder.join(package.sha256.to_string()).join(&name);
        if !is_whole(&place, &package.sha256) {
            let url = world
                .catalog
                .deb_address(&repository, &package.file)
                .ok_or(UpgradeError::NoDriverPackage)?;
            let request =
                FileRequest { url, name, sha256: Some(package.sha256), size: Some(package.size) };
            let found = world.fetcher.download(&request, &world.downloads, reporter).await?;
            put(&found.path, &place)?;
        }
        kept.push(KeptFile {
            package: package.name,
            version: package.version,
            sha256: package.sha256,
            path: place,
        });
    }
    Ok(kept)
}

/// A package of the driver's repository.
struct Wanted {
    name: String,
    version: String,
    file: String,
    sha256: Sha256,
    size: u64,
}

/// `amdgpu-dkms` and what it needs of the same repository; the rest comes from the distribution.
/// What is needed comes first.
fn closure(index: &DebIndex) -> Result<Vec<Wanted>, Error> {
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
        });
    }
    if found.is_empty() {
        return Err(UpgradeError::NoDriverPackage.into());
    }
    found.reverse();
    Ok(found)
}

/// Keeps an installer of Windows that the user hands over.
///
/// # Errors
/// It cannot be read or kept.
pub(super) fn keep_installer(
    context: &Context,
    driver: &Driver,
    file: &Path,
) -> Result<KeptDriver, Error> {
    let path = context.cwd.join(file);
    let bytes =
        fs::read(&path).map_err(|source| files::FileError::Read { path: path.clone(), source })?;
    let sha256 = Sha256::of(&bytes);
    let name = path.file_name().unwrap_or_default();
    let place = drivers_folder(context)?.join(sha256.to_string()).join(name);
    if !is_whole(&place, &sha256) {
        put(&path, &place)?;
    }
    let release = match driver {
        Driver::Adrenalin(version) | Driver::Amd(version) => version.to_string(),
        other => other.to_string(),
    };
    let package = name.to_string_lossy().into_owned();
    let file = KeptFile { package, version: release.clone(), sha256, path: place };
    Ok(KeptDriver { driver: driver.to_string(), files: vec![file] })
}

/// Whether every file still is what was verified.
pub(super) fn is_intact(kept: &KeptDriver) -> bool {
    kept.files.iter().all(|file| is_whole(&file.path, &file.sha256))
}

fn is_whole(path: &Path, sha256: &Sha256) -> bool {
    fs::read(path).is_ok_and(|bytes| Sha256::of(&bytes) == *sha256)
}

fn put(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to.parent().unwrap_or(to)).map_err(DiskError::from)?;
    let beside = to.with_extension("part");
    fs::copy(from, &beside).map_err(DiskError::from)?;
    fs::rename(&beside, to).map_err(DiskError::from)?;
    Ok(())
}

/// `DATA/store/v1/drivers`.
fn drivers_folder(context: &Context) -> Result<PathBuf, Error> {
    Ok(StoreLayout::new(&context.data()?).drivers())
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
