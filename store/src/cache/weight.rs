//! What is known here of the size of a file that an environment is made of. Nobody is asked.

use std::path::PathBuf;

use rocmenv_manifests::catalog::{Answer, Catalog as _, PythonFile};
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::name::PackageName;
use rocmenv_manifests::plan::Artifact;
use url::Url;

use super::catalog::DiskCatalog;
use super::metadata;
use crate::fetch::{FileRequest, finished_place, remembered};
use crate::index::Extent;

/// What is known of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weight {
    /// Its digest, where it was promised or the file was fetched before.
    pub sha256: Option<Sha256>,
    /// Bytes to fetch; none where it lies on this machine.
    pub download: Option<u64>,
    /// Bytes of what it unpacks to. Of a Debian package, what it says of itself, in whole KiB.
    pub unpacked: Option<u64>,
}

impl DiskCatalog {
    /// What is known of a file of a lock, from pages and metadata of the cache, from downloads,
    /// and from folders of the user's own.
    pub fn weight(&self, artifact: &Artifact) -> Weight {
        let listed = self.listed_here(artifact);
        let address = || self.address_here(artifact);
        let sha256 = artifact.sha256.or_else(|| listed.as_ref()?.sha256).or_else(|| {
            let (url, name) = (address()?, artifact.file.clone());
            let request = FileRequest { url, name, sha256: None, size: None };
            remembered(&self.options.downloads, &request)
        });
        let here = sha256.and_then(|digest| self.finished(artifact, &digest)).or_else(|| {
            let own = address()?.to_file_path().ok()?;
            own.is_file().then_some(own)
        });
        if let Some(path) = here {
            let unpacked = match artifact.kind {
                ArtifactKind::Wheel => Extent::of_file(&path).map(|extent| extent.unpacked),
                _ => self.installed_size(artifact),
            };
            return Weight { sha256, download: Some(0), unpacked };
        }
        let extent = listed
            .as_ref()
            .and_then(|file| metadata::read_extent(&self.metadata_path(&artifact.index, file)));
        let size = artifact.size.or_else(|| listed.as_ref()?.size);
        Weight {
            sha256,
            download: size.or(extent.map(|extent| extent.archive)),
            unpacked: extent
                .map(|extent| extent.unpacked)
                .or_else(|| self.installed_size(artifact)),
        }
    }

    /// The row of a Python file on its page, as far as a page is here.
    fn listed_here(&self, artifact: &Artifact) -> Option<PythonFile> {
        let package: PackageName = artifact.name.parse().ok()?;
        let Answer::Ready(page) = self.python_page(&artifact.index, &package) else { return None };
        page.files.iter().find(|file| file.name == artifact.file).cloned()
    }

    fn address_here(&self, artifact: &Artifact) -> Option<Url> {
        let package: PackageName = artifact.name.parse().ok()?;
        self.python_address(&artifact.index, &package, &artifact.file)
    }

    /// Where a finished download lies. Its bytes are compared when it is used.
    fn finished(&self, artifact: &Artifact, digest: &Sha256) -> Option<PathBuf> {
        let name = artifact.file.rsplit('/').next()?;
        let place = finished_place(&self.options.downloads, name, digest).ok()?;
        place.is_file().then_some(place)
    }

    /// `Installed-Size` of a Debian package (Debian policy, section 5.6.20: KiB).
    fn installed_size(&self, artifact: &Artifact) -> Option<u64> {
        if artifact.kind != ArtifactKind::Deb {
            return None;
        }
        let Answer::Ready(index) = self.debs(&artifact.index) else { return None };
        let mut named = index.named(&artifact.name).filter_map(Result::ok);
        let package = named.find(|package| package.filename == artifact.file)?;
        package.installed_size?.checked_mul(1024)
    }
}
