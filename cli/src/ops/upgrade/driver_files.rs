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
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::upgrade::Driver;
use rocmenv_store::cache::Refresh;
use rocmenv_store::fetch::FileRequest;
use rocmenv_store::fs::DiskError;
use rocmenv_store::index::AptSource;
use rocmenv_store::layout::StoreLayout;
use rocmenv_store::report::Reporter;
use serde::{Deserialize, Serialize};

use super::UpgradeError;
use super::driver_packages::{closure, repository, source_of};
use crate::context::Context;
use crate::error::Error;
use crate::ops::files;
use crate::ops::lock::Inputs;

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
    let (release, source) = match source_of(context, inputs, system, driver)? {
        Ok(found) => found,
        Err(not_kept) => return Ok(Err(not_kept)),
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
    let (world, repository) = repository(context, inputs, source, Refresh::WhenOld)?;
    let query = Query::Debs { repository: repository.clone() };
    world.catalog.fetch_missing(&BTreeSet::from([query]), reporter).await?;
    let Answer::Ready(index) = world.catalog.debs(&repository) else {
        return Err(UpgradeError::NoDriverPackage.into());
    };
    let packages = closure(&index);
    if packages.is_empty() {
        return Err(UpgradeError::NoDriverPackage.into());
    }
    let folder = drivers_folder(context)?;
    let mut kept = Vec::new();
    for package in packages {
        let name = package.file_name().to_owned();
        let place = package.place(&folder);
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
pub(super) fn drivers_folder(context: &Context) -> Result<PathBuf, Error> {
    Ok(StoreLayout::new(&context.data()?).drivers())
}
