//! Bytes from the network: small answers in memory, artifacts onto the disk, verified.
//!
//! One `Fetcher` serves a whole run. It knows proxies, certificates, logins, retries and limits;
//! it knows nothing of indexes, packages or formats. No error, event or debug text of it holds
//! a password or a query string.

mod client;
mod download;
mod encoding;
mod error;
mod file_lock;
mod get;
mod login;
mod netrc;
mod options;
mod partial;
mod retry;
mod sink;

pub use client::Fetcher;
pub use download::{Downloaded, FileRequest, find_download};
pub(crate) use error::chain;
pub use error::{FailureClass, FetchError, shown};
pub use file_lock::FileLock;
pub use get::{Get, Part, Reply, Validators};
pub use login::{Login, Logins, split_login};
pub use options::{FetchOptions, Proxies};
pub(crate) use partial::{finished_place, remembered};
