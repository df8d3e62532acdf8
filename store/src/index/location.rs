//! Where an index is and how it is laid out, as plain values without secrets.

use std::path::PathBuf;

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::name::{IndexName, PackageName};
use url::Url;

use super::apt_sources::AptSource;
use crate::fetch::{Logins, split_login};

/// One index, as a lock names it.
#[derive(Debug, Clone)]
pub enum IndexLocation {
    /// Python packages. Usually one source; a user's pip configuration may name several, whose
    /// files are then offered together, the first source winning where two have one file.
    Python {
        /// The index's name.
        name: IndexName,
        /// Its sources, best first.
        sources: Vec<PageSource>,
    },
    /// Debian packages.
    Apt {
        /// The repository's name.
        name: IndexName,
        /// The entries that make it up.
        sources: Vec<AptSource>,
        /// The architecture in Debian's word (`amd64`).
        architecture: String,
    },
    /// Archives of ROCm in one folder, which nobody lists: a lock knows their names.
    Files {
        /// The folder's name.
        name: IndexName,
        /// Its address, which ends in `/`.
        folder: Url,
    },
}

impl IndexLocation {
    /// Its name.
    pub fn name(&self) -> &IndexName {
        match self {
            Self::Python { name, .. } | Self::Apt { name, .. } | Self::Files { name, .. } => name,
        }
    }

    /// A folder of archives; a login in the address goes to `logins`.
    pub fn files(name: IndexName, address: Url, logins: &mut Logins) -> Self {
        let folder = ended(without_login(address, logins));
        Self::Files { name, folder }
    }
}

/// Something that lists Python files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageSource {
    /// A simple index (PEP 503 or PEP 691): a page a package.
    Simple {
        /// The address that package names are added to.
        url: Url,
        /// Whether `403` means that the package is not there. Indexes that lie in an object
        /// store without the right to list it (PyTorch's, AMD's) answer so.
        forbidden_is_absent: bool,
    },
    /// One page of links for all packages.
    Links {
        /// The page.
        url: Url,
    },
    /// A folder of the user's own files.
    Folder {
        /// The folder.
        path: PathBuf,
    },
}

impl PageSource {
    /// A simple index; a login in the address goes to `logins`.
    pub fn simple(address: Url, forbidden_is_absent: bool, logins: &mut Logins) -> Self {
        Self::Simple { url: ended(without_login(address, logins)), forbidden_is_absent }
    }

    /// A page of links; a login in the address goes to `logins`.
    pub fn links(address: Url, logins: &mut Logins) -> Self {
        Self::Links { url: without_login(address, logins) }
    }

    /// What its cached pages are kept under.
    pub(crate) fn identity(&self) -> Sha256 {
        match self {
            Self::Simple { url, .. } => Sha256::of(format!("simple {url}").as_bytes()),
            Self::Links { url } => Sha256::of(format!("links {url}").as_bytes()),
            Self::Folder { path } => Sha256::of(format!("folder {}", path.display()).as_bytes()),
        }
    }

    /// The page that is kept for a package: one for all packages where the source has only one.
    pub(crate) fn page_name(&self, package: &PackageName) -> String {
        match self {
            Self::Simple { .. } | Self::Folder { .. } => package.to_string(),
            // No package can have this name.
            Self::Links { .. } => "all_links".to_owned(),
        }
    }
}

/// The address of a folder, which names are added to.
fn ended(mut url: Url) -> Url {
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    url
}

fn without_login(address: Url, logins: &mut Logins) -> Url {
    let (url, login) = split_login(address);
    if let Some(login) = login {
        logins.add(&url, login);
    }
    url
}
