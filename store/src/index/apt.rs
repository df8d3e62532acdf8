//! The client of apt repositories: signature first, then the lists that it vouches for.
//!
//! `InRelease` is checked against the keys that its sources entry names, at the time that is
//! given; only then is anything of it read. Package lists are found by the digests in it.

use std::path::{Path, PathBuf};

use futures::StreamExt as _;
use rocmenv_manifests::debian::Release;
use rocmenv_manifests::debian::release::ReleaseError;
use rocmenv_manifests::digest::Sha256;
use url::Url;

use super::apt_lists::{self, AptList};
use super::apt_sources::{AptSource, Keyring};
use crate::fetch::{FailureClass, FetchError, Fetcher, Get, shown};
use crate::report::{Progress, Reporter, Task, TaskKind};
use crate::sign::{self, Keys, KeysError, SignError};

/// What is wanted of a repository.
#[derive(Debug, Clone, Copy)]
pub struct AptFetch<'a> {
    /// Its entries.
    pub sources: &'a [AptSource],
    /// The architecture in Debian's word (`amd64`).
    pub architecture: &'a str,
    /// Where unpacked lists are kept, named by digest.
    pub folder: &'a Path,
    /// Where apt keeps the keys of entries that name none (`/etc/apt`).
    pub apt_folder: &'a Path,
    /// Now, in seconds since 1970 UTC.
    pub now: i64,
}

/// A repository cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AptError {
    /// The network, or a list that is not what the signed Release says.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// There is nothing signed.
    #[error("the repository {what} is not signed: it has no `InRelease`")]
    Unsigned {
        /// The suite's address.
        what: String,
    },
    /// It is signed by somebody else, or was changed.
    #[error("the signature of {what} cannot be trusted")]
    Signature {
        /// The suite's address.
        what: String,
        /// Why.
        #[source]
        source: SignError,
    },
    /// A file of keys cannot be read.
    #[error("cannot read the keys `{path}`")]
    Keyring {
        /// The file.
        path: PathBuf,
        /// The system's word.
        #[source]
        source: std::io::Error,
    },
    /// A place that should hold keys holds none.
    #[error("no keys for {what} in {place}")]
    NoKeys {
        /// The repository.
        what: String,
        /// Where they should be.
        place: String,
        /// Why.
        #[source]
        source: KeysError,
    },
    /// What is published is not the key that the user trusts.
    #[error("`{url}` has no key with the fingerprint {fingerprint}")]
    OtherKey {
        /// Where keys are published.
        url: String,
        /// The fingerprint that was said.
        fingerprint: String,
    },
    /// It is older than its makers allow.
    #[error("the release file of {what} was valid until {until}")]
    Expired {
        /// The suite's address.
        what: String,
        /// Its own word.
        until: String,
    },
    /// It cannot be read, although signed.
    #[error("the release file of {what} cannot be read")]
    Release {
        /// The suite's address.
        what: String,
        /// Why.
        #[source]
        source: ReleaseError,
    },
    /// It has no such component for this architecture.
    #[error("{what} has no component `{component}` for `{architecture}`")]
    NoComponent {
        /// The suite's address.
        what: String,
        /// The component.
        component: String,
        /// The architecture.
        architecture: String,
    },
}

impl AptError {
    /// Which kind of failure it is.
    pub fn class(&self) -> FailureClass {
        match self {
            Self::Fetch(error) => error.class(),
            Self::Unsigned { .. } | Self::Signature { .. } | Self::Expired { .. } => {
                FailureClass::Integrity
            }
            Self::NoKeys { .. } | Self::OtherKey { .. } => FailureClass::Integrity,
            Self::Keyring { .. } => FailureClass::Local,
            Self::Release { .. } | Self::NoComponent { .. } => FailureClass::Network,
        }
    }
}

/// Brings the lists of a repository, all suites and components, in the order of its entries.
/// Lists that are kept already are not fetched again.
///
/// # Errors
/// Any suite that cannot be fetched and trusted.
pub async fn fetch_lists(
    fetcher: &Fetcher,
    wanted: AptFetch<'_>,
    reporter: &dyn Reporter,
) -> Result<Vec<AptList>, AptError> {
    let suites: Vec<_> = wanted
        .sources
        .iter()
        .filter(|source| {
            source.architectures.is_empty()
                || source.architectures.iter().any(|a| a == wanted.architecture)
        })
        .flat_map(|source| source.suites.iter().map(move |suite| (source, suite)))
        .map(|(source, name)| Suite::new(source, name, wanted))
        .collect();
    let task = Task {
        kind: TaskKind::Query,
        name: "package lists".to_owned(),
        total: Some(suites.len() as u64),
    };
    let progress = Progress::start(reporter, &task);
    let mut lists = Vec::new();
    let mut coming = futures::stream::iter(&suites)
        .map(|suite| suite.fetch(fetcher, reporter))
        .buffered(SUITES_AT_ONCE);
    while let Some(suite) = coming.next().await {
        lists.extend(suite?);
        progress.advance(1);
    }
    Ok(lists)
}

/// One suite of one entry.
struct Suite<'a> {
    source: &'a AptSource,
    name: &'a str,
    /// The folder of its Release file.
    folder: Url,
    wanted: AptFetch<'a>,
}

impl<'a> Suite<'a> {
    fn new(source: &'a AptSource, name: &'a str, wanted: AptFetch<'a>) -> Self {
        let below = if name.ends_with('/') { name.to_owned() } else { format!("dists/{name}/") };
        let folder = source.url.join(&below).unwrap_or_else(|_| source.url.clone());
        Self { source, name, folder, wanted }
    }

    async fn fetch(
        &self,
        fetcher: &Fetcher,
        reporter: &dyn Reporter,
    ) -> Result<Vec<AptList>, AptError> {
        let text = self.release_text(fetcher, reporter).await?;
        let release: Release =
            text.parse().map_err(|source| AptError::Release { what: self.shown(), source })?;
        let valid_until = self.check_time(&release)?;
        let flat = [String::new()];
        let components =
            if self.name.ends_with('/') { &flat[..] } else { &self.source.components[..] };
        let mut lists = Vec::new();
        for component in components {
            let path = if component.is_empty() {
                "Packages".to_owned()
            } else {
                format!("{component}/binary-{}/Packages", self.wanted.architecture)
            };
            let list = apt_lists::Wanted {
                root: &self.source.url,
                folder: &self.folder,
                release: &release,
                path: &path,
                kept_in: self.wanted.folder,
                valid_until,
            };
            lists.push(list.bring(fetcher, reporter).await?.ok_or_else(|| {
                AptError::NoComponent {
                    what: self.shown(),
                    component: component.clone(),
                    architecture: self.wanted.architecture.to_owned(),
                }
            })?);
        }
        Ok(lists)
    }

    /// The Release, once its signature was checked.
    async fn release_text(
        &self,
        fetcher: &Fetcher,
        reporter: &dyn Reporter,
    ) -> Result<String, AptError> {
        let name = if self.source.trusted { "Release" } else { "InRelease" };
        let address = self.folder.join(name).unwrap_or_else(|_| self.folder.clone());
        let found = read(fetcher, &address, reporter).await?;
        let bytes = found.ok_or_else(|| AptError::Unsigned { what: self.shown() })?;
        let text = String::from_utf8_lossy(&bytes);
        if self.source.trusted {
            return Ok(text.into_owned());
        }
        let keys = self.keys(fetcher, reporter).await?;
        sign::verify(&text, &keys, self.wanted.now)
            .map(|signed| signed.text)
            .map_err(|source| AptError::Signature { what: self.shown(), source })
    }

    /// The keys that were published, of those only the ones that the user trusts: whoever can
    /// change what lies there can make the repository unusable and nothing else.
    async fn published_keys(
        &self,
        url: &Url,
        fingerprints: &[String],
        fetcher: &Fetcher,
        reporter: &dyn Reporter,
    ) -> Result<Keys, AptError> {
        let none =
            || AptError::OtherKey { url: url.to_string(), fingerprint: fingerprints.join(", ") };
        let bytes = read(fetcher, url, reporter).await?.ok_or_else(none)?;
        let mut keys = self.parse_keys(&bytes, format!("`{url}`"))?;
        keys.only(fingerprints);
        if keys.is_empty() { Err(none()) } else { Ok(keys) }
    }

    async fn keys(&self, fetcher: &Fetcher, reporter: &dyn Reporter) -> Result<Keys, AptError> {
        let files = match &self.source.keyring {
            Keyring::Published { url, fingerprints } => {
                return self.published_keys(url, fingerprints, fetcher, reporter).await;
            }
            Keyring::Inline(keys) => {
                let place = "its sources entry".to_owned();
                return self.parse_keys(keys.as_bytes(), place);
            }
            Keyring::Files(files) => files.clone(),
            Keyring::Apt | Keyring::Fingerprints(_) => own_keyrings(self.wanted.apt_folder),
        };
        let mut keys = Keys::default();
        for path in &files {
            let bytes = fs_err::read(path)
                .map_err(|source| AptError::Keyring { path: path.clone(), source })?;
            keys.extend(self.parse_keys(&bytes, format!("`{}`", path.display()))?);
        }
        if let Keyring::Fingerprints(fingerprints) = &self.source.keyring {
            keys.only(fingerprints);
        }
        if keys.is_empty() {
            let place = format!("`{}`", self.wanted.apt_folder.display());
            return Err(AptError::NoKeys { what: self.shown(), place, source: KeysError });
        }
        Ok(keys)
    }

    fn parse_keys(&self, keyring: &[u8], place: String) -> Result<Keys, AptError> {
        Keys::parse(keyring).map_err(|source| AptError::NoKeys {
            what: self.shown(),
            place,
            source,
        })
    }

    /// The time until which the Release may be used, if it says one that lies ahead.
    fn check_time(&self, release: &Release) -> Result<Option<i64>, AptError> {
        let Some(until) = release.valid_until.as_deref().filter(|_| self.source.check_valid_until)
        else {
            return Ok(None);
        };
        let parsed = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(until);
        match parsed.map(jiff::Timestamp::as_second) {
            Ok(second) if second > self.wanted.now => Ok(Some(second)),
            // A time that cannot be read is as good as none that lies ahead.
            _ => Err(AptError::Expired { what: self.shown(), until: until.to_owned() }),
        }
    }

    fn shown(&self) -> String {
        shown(&self.folder)
    }
}

/// A small file of a repository; `None` where it is not there.
pub(super) async fn read(
    fetcher: &Fetcher,
    address: &Url,
    reporter: &dyn Reporter,
) -> Result<Option<Vec<u8>>, FetchError> {
    if let Ok(path) = address.to_file_path() {
        return match fs_err::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FetchError::disk(path, error)),
        };
    }
    let question = Get { expected: &[403, 404], ..Get::new(address) };
    let reply = fetcher.get(&question, reporter).await?;
    Ok((reply.status == 200).then(|| reply.body.to_vec()))
}

/// apt's own keyrings, in the order of their names.
fn own_keyrings(apt_folder: &Path) -> Vec<PathBuf> {
    let folder = fs_err::read_dir(apt_folder.join("trusted.gpg.d"));
    let mut files: Vec<_> = folder
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "gpg" || end == "asc"))
        .collect();
    files.sort();
    files.extend(Some(apt_folder.join("trusted.gpg")).filter(|path| path.exists()));
    files
}

/// The digest that stands for a repository in the cache.
pub(crate) fn identity(sources: &[AptSource], architecture: &str) -> Sha256 {
    let mut text = architecture.to_owned();
    for source in sources {
        let (suites, components) = (source.suites.join(" "), source.components.join(" "));
        // Another keyring is another promise.
        text.extend(["\n", source.url.as_str(), " ", &suites, " / ", &components, " "]);
        let keyring = format!("{:?}", source.keyring);
        text.push_str(&keyring);
    }
    Sha256::of(text.as_bytes())
}

const SUITES_AT_ONCE: usize = 4;
