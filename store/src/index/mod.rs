//! What indexes list: pages of Python packages, metadata of wheels, package lists of apt
//! repositories.
//!
//! Clients here take plain values (`IndexLocation`); which indexes there are is decided
//! elsewhere. Nothing here keeps anything: see `cache` for that.

mod anchors;
mod apt;
mod apt_fields;
mod apt_lists;
mod apt_sources;
mod discover;
mod distribution;
mod extent;
mod file_url;
mod find_links;
mod location;
mod metadata;
mod page_html;
mod page_json;
mod pip_conf;
mod pip_default;
mod published_keys;
mod simple;
mod uv_conf;
mod zip_directory;
pub(crate) mod zip_tail;

pub(crate) use apt::identity as apt_identity;
pub use apt::{AptError, AptFetch, fetch_lists};
pub use apt_lists::AptList;
pub use apt_sources::{AptSource, Keyring, SourcesError, parse_sources};
pub use discover::{DiscoverError, PythonIndexes, Surroundings, discover};
pub use distribution::of_distribution;
pub use extent::Extent;
pub(crate) use find_links::folder_state;
pub use find_links::{FolderError, belongs_to, read_folder};
pub use location::{IndexLocation, PageSource};
pub use metadata::{MetadataError, WheelMetadata, WheelPlace, fetch_metadata};
pub use pip_default::{InterpreterPlace, pip_places};
pub use published_keys::{PublishedError, published_keys};
pub use simple::{Listing, Page, PageError, PageReply, fetch_page};
pub use zip_directory::{Member, archive_members};
