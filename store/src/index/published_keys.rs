//! The keys that lie where a repository's key is published, told to a person who is asked whether
//! to trust one. That they lie there vouches for nothing.

use url::Url;

use super::apt::read;
use crate::fetch::{FetchError, Fetcher};
use crate::report::Reporter;
use crate::sign::{KeyName, Keys, KeysError};

/// The keys at an address, in the order of the file.
///
/// # Errors
/// Nothing can be fetched from there, or it holds no key.
pub async fn published_keys(
    url: &Url,
    fetcher: &Fetcher,
    reporter: &dyn Reporter,
) -> Result<Vec<KeyName>, PublishedError> {
    let bytes = read(fetcher, url, reporter).await?;
    let bytes = bytes.ok_or_else(|| PublishedError::NotThere(url.to_string()))?;
    let keys = Keys::parse(&bytes)
        .map_err(|source| PublishedError::NoKey { url: url.to_string(), source })?;
    Ok(keys.names())
}

/// No key can be shown.
#[derive(Debug, thiserror::Error)]
pub enum PublishedError {
    /// The server does not answer.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// There is nothing at the address.
    #[error("there is nothing at `{0}`")]
    NotThere(String),
    /// What lies there is no key.
    #[error("`{url}` holds no key")]
    NoKey {
        /// The address.
        url: String,
        /// Why not.
        source: KeysError,
    },
}
