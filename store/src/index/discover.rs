//! Where the user's general Python index is, as pip and uv would find it.
//!
//! Pure: variables and files come in as values, so that a described machine works as well as
//! this one. Order: rocm.toml, `ROCMENV_INDEX_URL`, uv's variables, pip's variables, uv's files,
//! pip's files, and last the default of a pip at hand, read from that pip's own source: no
//! address of a general index stands in this program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rocmenv_manifests::sourced::{Origin, Sourced};
use url::Url;

use super::pip_conf::{self, PipFile};
use super::pip_default;
use super::uv_conf;
use crate::fetch::{Logins, split_login};

/// What is known of a machine's Python configuration.
pub struct Surroundings<'a> {
    /// The address in rocm.toml, where it says one.
    pub project: Option<Sourced<String>>,
    /// The folder of rocm.toml, where uv's files may lie too.
    pub folder: &'a Path,
    /// The user's home folder.
    pub home: Option<&'a Path>,
    /// The environment.
    pub variables: &'a BTreeMap<String, String>,
    /// Where pips are, best first: folders of site-packages, or pip's own wheel as ensurepip and
    /// the distribution carry it.
    pub pips: &'a [PathBuf],
    /// Reads a file; `None` where there is none.
    pub read: &'a dyn Fn(&Path) -> Option<Vec<u8>>,
}

impl Surroundings<'_> {
    /// A variable that is set to something.
    pub(super) fn variable(&self, name: &str) -> Option<Sourced<String>> {
        let value = self.variables.get(name).filter(|value| !value.trim().is_empty())?;
        Some(Sourced::new(value.clone(), Origin::Variable(name.to_owned())))
    }

    pub(super) fn text(&self, path: &Path) -> Option<String> {
        (self.read)(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The user's Python indexes, without their logins.
#[derive(Debug, Clone, Default)]
pub struct PythonIndexes {
    /// The general index; none where nothing on this machine names one.
    pub index: Option<Sourced<Url>>,
    /// Indexes that are asked beside it.
    pub extra: Vec<Sourced<Url>>,
    /// Pages or folders of links (a folder as a `file` address).
    pub find_links: Vec<Sourced<Url>>,
    /// Certificates that pip was told to trust.
    pub certificates: Vec<Sourced<PathBuf>>,
    /// The logins that stood in those addresses.
    pub logins: Logins,
}

/// An address that is none. It is not shown: it may hold a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{origin} does not say an address of an index")]
pub struct DiscoverError {
    /// Where it was said.
    pub origin: Origin,
}

/// Finds the user's Python indexes.
///
/// # Errors
/// An address that is none.
pub fn discover(around: &Surroundings<'_>) -> Result<PythonIndexes, DiscoverError> {
    let uv_files = uv_conf::read_all(around);
    let pip_files = pip_conf::read_all(around);
    let variable = |name| around.variable(name);
    let uv = |choose: fn(&uv_conf::UvFile) -> &[Sourced<String>]| {
        uv_files.iter().map(choose).find(|values| !values.is_empty()).map(<[_]>::to_vec)
    };
    let pip = |key: &str| pip_value(&pip_files, key);

    let mut found = PythonIndexes::default();
    let index = (around.project.clone())
        .or_else(|| variable("ROCMENV_INDEX_URL"))
        .or_else(|| variable("UV_DEFAULT_INDEX").map(|value| value.map(without_name)))
        .or_else(|| variable("UV_INDEX_URL"))
        .or_else(|| variable("PIP_INDEX_URL"))
        .or_else(|| uv(|file| &file.index).and_then(|values| values.into_iter().next()))
        .or_else(|| pip("index-url"))
        .or_else(|| pip_default::find(around));
    if let Some(index) = index {
        found.index = Some(found.address(index, around.folder)?);
    }
    let extra = (variable("ROCMENV_EXTRA_INDEX_URL").map(|said| words(&said)))
        .or_else(|| variable("UV_INDEX").map(|said| words(&said)))
        .or_else(|| variable("UV_EXTRA_INDEX_URL").map(|said| words(&said)))
        .or_else(|| variable("PIP_EXTRA_INDEX_URL").map(|said| words(&said)))
        .or_else(|| uv(|file| &file.extra))
        .or_else(|| pip("extra-index-url").map(|said| words(&said)));
    for extra in extra.unwrap_or_default() {
        let extra = found.address(extra.map(without_name), around.folder)?;
        found.extra.push(extra);
    }
    let links = (variable("ROCMENV_FIND_LINKS").map(|said| words(&said)))
        .or_else(|| variable("UV_FIND_LINKS").map(|said| words(&said)))
        .or_else(|| variable("PIP_FIND_LINKS").map(|said| words(&said)))
        .or_else(|| uv(|file| &file.find_links))
        .or_else(|| pip("find-links").map(|said| words(&said)));
    for links in links.unwrap_or_default() {
        let links = found.address(links, around.folder)?;
        found.find_links.push(links);
    }
    let certificate = variable("PIP_CERT").or_else(|| pip("cert"));
    found.certificates.extend(certificate.map(|path| path.map(PathBuf::from)));
    Ok(found)
}

impl PythonIndexes {
    /// An address or a folder, as an address without login.
    fn address(
        &mut self,
        said: Sourced<String>,
        folder: &Path,
    ) -> Result<Sourced<Url>, DiscoverError> {
        let text = said.value.trim();
        let address = match Url::parse(text) {
            // One letter is a drive of Windows.
            Ok(url) if url.scheme().len() > 1 && !url.cannot_be_a_base() => Some(url),
            _ if text.contains("://") => None,
            _ => Url::from_file_path(folder.join(text)).ok(),
        };
        let address = address.ok_or_else(|| DiscoverError { origin: said.origin.clone() })?;
        let (url, login) = split_login(address);
        if let Some(login) = login {
            self.logins.add(&url, login);
        }
        Ok(Sourced::new(url, said.origin))
    }
}

/// Several values that stand in one text, divided by spaces or commas.
fn words(said: &Sourced<String>) -> Vec<Sourced<String>> {
    said.value
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .map(|word| Sourced::new(word.to_owned(), said.origin.clone()))
        .collect()
}

/// uv's variables take `name=address` as well.
fn without_name(said: String) -> String {
    match said.split_once('=') {
        Some((name, url))
            if name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)) =>
        {
            url.to_owned()
        }
        _ => said,
    }
}

/// The last file that says it wins; in a file the section of `install` beats `global`.
fn pip_value(files: &[PipFile], key: &str) -> Option<Sourced<String>> {
    files.iter().rev().find_map(|file| file.value(key))
}
