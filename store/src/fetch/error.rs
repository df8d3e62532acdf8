//! Why bytes could not be had, and which exit code that means.

use std::io;
use std::path::PathBuf;

use rocmenv_manifests::digest::Sha256;
use url::Url;

/// What kind of failure it is; each has an exit code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureClass {
    /// The network or a server (exit 4).
    Network,
    /// What came is not what was promised, or not signed by whom it must be (exit 5).
    Integrity,
    /// This machine: its disk, its files, its configuration (exit 1).
    Local,
}

/// A transfer failed. No text of it holds a password or a query string.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// `--offline`, and it is not in the cache.
    #[error("offline: {what} is not in the cache")]
    Offline {
        /// What would have been fetched.
        what: String,
    },
    /// No answer, or half of one.
    #[error("failed to fetch {what}")]
    Network {
        /// The address.
        what: String,
        /// Why.
        #[source]
        source: reqwest::Error,
    },
    /// A server said no.
    #[error("{what} answered {status}")]
    Status {
        /// The address.
        what: String,
        /// The HTTP status with its usual name.
        status: reqwest::StatusCode,
    },
    /// The body ended before its end, or its parts do not belong together.
    #[error("{what} sent {problem}")]
    Broken {
        /// The address.
        what: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// An answer that is held in memory was too large.
    #[error("{what} is larger than {limit} bytes")]
    TooLarge {
        /// The address.
        what: String,
        /// The limit.
        limit: u64,
    },
    /// The size is not the promised one.
    #[error("`{name}` has {found} bytes, expected {expected}")]
    SizeMismatch {
        /// The file.
        name: String,
        /// Bytes that the lock or the index promises.
        expected: u64,
        /// Bytes that the server has.
        found: u64,
    },
    /// The hash is not the promised one.
    #[error("`{name}` has sha256 {found}, expected {expected}")]
    HashMismatch {
        /// The file.
        name: String,
        /// What the lock or the index promises.
        expected: Sha256,
        /// What came.
        found: Sha256,
    },
    /// A name that is no plain file name.
    #[error("`{name}` is no file name")]
    UnsafeName {
        /// The name.
        name: String,
    },
    /// The disk is full; what was there is still there.
    #[error("no space left on the disk for `{path}`")]
    DiskFull {
        /// The file that was written.
        path: PathBuf,
        /// The system's word.
        #[source]
        source: io::Error,
    },
    /// A file could not be read or written.
    #[error("cannot keep `{path}`")]
    Disk {
        /// The file.
        path: PathBuf,
        /// The system's word.
        #[source]
        source: io::Error,
    },
    /// The client could not be set up (a proxy's address, a certificate file).
    #[error("cannot set up {what}")]
    Setup {
        /// Which part.
        what: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl FetchError {
    /// Which kind of failure it is.
    pub fn class(&self) -> FailureClass {
        match self {
            Self::Offline { .. }
            | Self::Network { .. }
            | Self::Status { .. }
            | Self::Broken { .. }
            | Self::TooLarge { .. } => FailureClass::Network,
            Self::SizeMismatch { .. } | Self::HashMismatch { .. } | Self::UnsafeName { .. } => {
                FailureClass::Integrity
            }
            Self::DiskFull { .. } | Self::Disk { .. } | Self::Setup { .. } => FailureClass::Local,
        }
    }

    /// A failure of the disk, told apart by its kind.
    pub(crate) fn disk(path: impl Into<PathBuf>, source: io::Error) -> Self {
        let path = path.into();
        if matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
            Self::DiskFull { path, source }
        } else {
            Self::Disk { path, source }
        }
    }

    pub(super) fn network(url: &Url, source: reqwest::Error) -> Self {
        Self::Network { what: shown(url), source: source.without_url() }
    }
}

/// An address as it may be shown: without login, query (which may hold a signature) and
/// fragment, in backticks.
pub fn shown(url: &Url) -> String {
    let mut url = url.clone();
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    format!("`{url}`")
}

/// An error and its innermost cause in one line, for a note that only says that it is tried again.
pub(crate) fn brief(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    match causes.last() {
        Some(last) => {
            let last = last.to_string();
            // what the system adds for programmers
            let plain = last.split(" (os error").next().unwrap_or_default();
            format!("{error}: {}", plain.lines().next().unwrap_or_default())
        }
        None => error.to_string(),
    }
}

/// An error and its causes in one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        // Transparent errors repeat their cause.
        if !text.ends_with(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brief_word_is_the_error_and_its_last_cause() {
        let refused = FetchError::disk("x", io::Error::from_raw_os_error(2));
        assert_eq!(brief(&refused), "cannot keep `x`: No such file or directory");
        let offline = FetchError::Offline { what: "`x`".to_owned() };
        assert_eq!(brief(&offline), "offline: `x` is not in the cache");
    }
}
