//! The client of simple indexes and of pages of links.

use rocmenv_manifests::catalog::{PythonFile, PythonPage};
use rocmenv_manifests::name::PackageName;
use url::Url;

use super::location::PageSource;
use super::{find_links, page_html, page_json};
use crate::fetch::{FailureClass, FetchError, Fetcher, Get, Reply, Validators, shown};
use crate::report::Reporter;

/// The files of a page and where each is served.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The files, in the index's order.
    pub page: PythonPage,
    /// The address of each, at the same place: absolute, without login and fragment.
    pub addresses: Vec<String>,
}

impl Page {
    pub(crate) fn push(&mut self, file: PythonFile, address: String) {
        self.page.files.push(file);
        self.addresses.push(address);
    }

    /// Where a file is served.
    pub fn address(&self, file: &str) -> Option<&str> {
        let at = self.page.files.iter().position(|known| known.name == file)?;
        self.addresses.get(at).map(String::as_str)
    }
}

/// What a source says of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageReply {
    /// Its files.
    Listed(Listing),
    /// The same as before; it may be used for so many seconds more, where the source says.
    Unchanged(Option<u64>),
}

/// A page and how long it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The page, or `None` where the index does not know the package.
    pub page: Option<Page>,
    /// How to ask whether it still holds.
    pub validators: Validators,
    /// How many seconds it may be used without asking, where the source says.
    pub max_age: Option<u64>,
}

/// A page could not be had.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The network.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The answer is no index page.
    #[error("{what} is no index page")]
    Malformed {
        /// The address.
        what: String,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// The user's folder.
    #[error(transparent)]
    Folder(#[from] find_links::FolderError),
}

impl PageError {
    /// Which kind of failure it is.
    pub fn class(&self) -> FailureClass {
        match self {
            Self::Fetch(error) => error.class(),
            Self::Malformed { .. } => FailureClass::Network,
            Self::Folder(_) => FailureClass::Local,
        }
    }
}

/// Asks a source for a package's page; `known` is what an earlier answer said of itself.
///
/// # Errors
/// The network, or an answer that is no page. A package that the source does not have is no
/// error.
pub async fn fetch_page(
    fetcher: &Fetcher,
    source: &PageSource,
    package: &PackageName,
    known: Option<&Validators>,
    reporter: &dyn Reporter,
) -> Result<PageReply, PageError> {
    let (address, expected): (Url, &[u16]) = match source {
        PageSource::Folder { path } => {
            let page = Some(find_links::read_folder(path, package)?);
            let validators = Validators::default();
            return Ok(PageReply::Listed(Listing { page, validators, max_age: Some(0) }));
        }
        PageSource::Links { url } => (url.clone(), &[304]),
        PageSource::Simple { url, forbidden_is_absent } => {
            // A name of this grammar changes nothing else in an address.
            let address = url.join(&format!("{package}/")).unwrap_or_else(|_| url.clone());
            (address, if *forbidden_is_absent { &[304, 403, 404] } else { &[304, 404] })
        }
    };
    let question =
        Get { accept: Some(ACCEPTED), validators: known, expected, ..Get::new(&address) };
    let reply = fetcher.get(&question, reporter).await?;
    let (max_age, validators) = (reply.max_age, reply.validators.clone());
    let page = match reply.status {
        304 => return Ok(PageReply::Unchanged(max_age)),
        403 | 404 => None,
        _ => Some(parse(reply).await?),
    };
    Ok(PageReply::Listed(Listing { page, validators, max_age }))
}

/// Large pages take a while to read: not on the thread that moves the network.
async fn parse(reply: Reply) -> Result<Page, PageError> {
    let what = shown(&reply.url);
    let read = move || {
        if is_json(&reply) {
            page_json::parse(&reply.body, &reply.url)
        } else {
            Ok(page_html::parse(&String::from_utf8_lossy(&reply.body), &reply.url))
        }
    };
    let parsed = tokio::task::spawn_blocking(read).await.unwrap_or_else(|stopped| {
        use serde::de::Error as _;
        Err(serde_json::Error::custom(stopped))
    });
    parsed.map_err(|source| PageError::Malformed { what, source })
}

/// By its type; by its first letter where the server gives none that says anything.
fn is_json(reply: &Reply) -> bool {
    let kind = reply.content_type.split(';').next().unwrap_or_default().trim();
    if kind.ends_with("+json") || kind == "application/json" {
        return true;
    }
    let says_nothing = matches!(kind, "" | "text/plain" | "application/octet-stream");
    let first = reply.body.iter().find(|byte| !byte.is_ascii_whitespace());
    says_nothing && first == Some(&b'{')
}

const ACCEPTED: &str = "application/vnd.pypi.simple.v1+json, \
                        application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01";
