//! Where everything is served, for one call: the registry's indexes, the project's own, and the
//! user's general ones, made into a catalog that a solve reads and a fetcher that fills it.

mod apt;
mod indexes;
mod lazy;
mod pips;
mod python;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use rocmenv_manifests::platform::Arch;
use rocmenv_manifests::project::Project;
use rocmenv_manifests::registry::Registry;
use rocmenv_store::cache::{CatalogOptions, DiskCatalog, Refresh};
use rocmenv_store::fetch::{FetchOptions, Fetcher, Logins, Proxies};
use rocmenv_store::index::{DiscoverError, IndexLocation, SourcesError};

pub use apt::{amd_repositories, host_source_files};

use super::files::FileError;
use crate::context::{Context, NoFolder};
use crate::error::{Exit, Failure};
use crate::project_root::ProjectRoot;
use crate::settings::Network;
use crate::variables::{self, Variable};

pub use lazy::LazyWorld;

/// Everything that is outside of this machine.
pub struct World {
    /// What the indexes say, as far as it was asked.
    pub catalog: DiskCatalog,
    /// Brings bytes.
    pub fetcher: Arc<Fetcher>,
    /// Where downloads are kept.
    pub downloads: PathBuf,
}

/// What the world is made for.
pub struct WorldOptions<'a> {
    /// The project's folder; addresses in rocm.toml may be relative to it.
    pub root: &'a ProjectRoot,
    /// The project, whose own indexes are added.
    pub project: &'a Project,
    /// The registry.
    pub registry: &'a Registry,
    /// The architecture whose packages an apt repository is asked for.
    pub arch: Arch,
    /// The code name of the host's distribution, by which its own apt sources are told from
    /// other vendors'.
    pub codename: Option<&'a str>,
    /// Which cached answers may be used.
    pub refresh: Refresh,
}

/// Makes the world. Nothing is asked of anybody yet.
///
/// # Errors
/// An address or a sources file of the user cannot be read, or there is no place for the cache.
pub fn world(context: &Context, options: &WorldOptions<'_>) -> Result<World, WorldError> {
    made(context, options, None)
}

/// As [`world`], with one more index.
///
/// # Errors
/// As [`world`].
pub fn world_with(
    context: &Context,
    options: &WorldOptions<'_>,
    index: IndexLocation,
) -> Result<World, WorldError> {
    made(context, options, Some(index))
}

fn made(
    context: &Context,
    options: &WorldOptions<'_>,
    more: Option<IndexLocation>,
) -> Result<World, WorldError> {
    let mut logins = logins(context);
    let general = python::general_index(context, options, &mut logins)?;
    let mut indexes = indexes::assemble(context, options, &general, &mut logins)?;
    indexes.extend(more);
    let fetch = FetchOptions {
        offline: context.settings.network == Network::Offline,
        proxies: proxies(context),
        certificates: general.certificates.clone(),
        ..FetchOptions::default()
    };
    let fetcher = Arc::new(Fetcher::new(fetch, logins));
    let cache = context.cache()?;
    let downloads = cache.join("downloads");
    let catalog = CatalogOptions {
        downloads: downloads.clone(),
        cache,
        apt_folder: PathBuf::from("/etc/apt"),
        now: context.now.as_second(),
        refresh: match context.settings.network {
            Network::Offline => Refresh::Never,
            Network::Allowed => options.refresh.clone(),
        },
    };
    let catalog = DiskCatalog::new(Arc::clone(&fetcher), catalog, indexes);
    Ok(World { catalog, fetcher, downloads })
}

/// The logins of the user's netrc file; those in addresses are added where addresses are read.
fn logins(context: &Context) -> Logins {
    let mut logins = Logins::new();
    let named = context.environment.value(&variables::NETRC).map(PathBuf::from);
    let file = named.or_else(|| Some(home(context)?.join(".netrc")));
    if let Some(text) = file.and_then(|file| fs_err::read_to_string(file).ok()) {
        logins.add_netrc(&text);
    }
    logins
}

fn home(context: &Context) -> Option<PathBuf> {
    let windows = || context.environment.value(&variables::USERPROFILE);
    context.environment.value(&variables::HOME).or_else(windows).map(PathBuf::from)
}

/// curl's convention: names in lower case count too.
fn proxies(context: &Context) -> Proxies {
    let text = |variable: &Variable| {
        let lower = variable.name.to_ascii_lowercase();
        let lower = || context.environment.all().get(OsStr::new(&lower))?.to_str();
        context.environment.text(variable).or_else(lower).map(str::to_owned)
    };
    Proxies {
        http: text(&variables::HTTP_PROXY),
        https: text(&variables::HTTPS_PROXY),
        all: text(&variables::ALL_PROXY),
        except: text(&variables::NO_PROXY),
    }
}

/// The user's configuration of indexes cannot be used.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum WorldError {
    /// No place for the cache.
    Folder(#[from] NoFolder),
    /// An address that is none.
    Discover(#[from] DiscoverError),
    /// An apt sources file.
    Sources(#[from] SourcesError),
    /// A file that was named and cannot be read.
    File(#[from] FileError),
    /// An index of rocm.toml.
    #[error("{origin}: index `{index}` has no usable address")]
    Address {
        /// Its name.
        index: String,
        /// Where it was said.
        origin: rocmenv_manifests::sourced::Origin,
    },
}

impl Failure for WorldError {
    fn exit(&self) -> Exit {
        match self {
            Self::Folder(inner) => inner.exit(),
            Self::File(inner) => inner.exit(),
            Self::Discover(_) | Self::Sources(_) | Self::Address { .. } => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Folder(inner) => inner.code(),
            Self::File(inner) => inner.code(),
            Self::Discover(_) | Self::Address { .. } => Some("index-address"),
            Self::Sources(_) => Some("apt-sources"),
        }
    }
}
