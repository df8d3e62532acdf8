//! How a `Fetcher` behaves, as plain values: whoever builds it has read the environment.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Everything that can be set of a `Fetcher`.
#[derive(Debug, Clone)]
pub struct FetchOptions {
    /// Reach out to nobody; say what would have been fetched.
    pub offline: bool,
    /// The proxies to go through.
    pub proxies: Proxies,
    /// PEM bundles that are trusted beside the system's certificate store (which honours
    /// `SSL_CERT_FILE` and `SSL_CERT_DIR` by itself).
    pub certificates: Vec<PathBuf>,
    /// How long a connection may take to be made.
    pub connect_timeout: Duration,
    /// How long a transfer may stand still.
    pub stall_timeout: Duration,
    /// How often a transfer that failed in passing is tried again.
    pub retries: u32,
    /// The pause before the first retry; it doubles from then on.
    pub first_pause: Duration,
    /// The longest pause, also where a server asks for a longer one.
    pub longest_pause: Duration,
    /// How many artifacts are downloaded side by side.
    pub downloads_at_once: usize,
    /// How many pages and pieces of metadata are asked for side by side.
    pub queries_at_once: usize,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            offline: false,
            proxies: Proxies::default(),
            certificates: Vec::new(),
            connect_timeout: Duration::from_secs(15),
            stall_timeout: Duration::from_secs(45),
            retries: 3,
            first_pause: Duration::from_millis(300),
            longest_pause: Duration::from_secs(45),
            downloads_at_once: 8,
            queries_at_once: 32,
        }
    }
}

/// The usual proxy variables, read by somebody else. Addresses may hold passwords, so their
/// debug text is only whether they are set.
#[derive(Clone, Default)]
pub struct Proxies {
    /// `HTTP_PROXY`.
    pub http: Option<String>,
    /// `HTTPS_PROXY`.
    pub https: Option<String>,
    /// `ALL_PROXY`.
    pub all: Option<String>,
    /// `NO_PROXY`.
    pub except: Option<String>,
}

impl fmt::Debug for Proxies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proxies")
            .field("http", &self.http.is_some())
            .field("https", &self.https.is_some())
            .field("all", &self.all.is_some())
            .field("except", &self.except)
            .finish()
    }
}
