//! The HTTP clients of a run: made when first needed, because reading the system's certificates
//! costs more than a whole run without network.

use std::sync::{Mutex, PoisonError};

use reqwest::redirect::{Attempt, Policy};
use reqwest::{Certificate, Client, ClientBuilder, NoProxy, Proxy, RequestBuilder};
use tokio::sync::Semaphore;
use url::Url;

use super::error::FetchError;
use super::login::Logins;
use super::options::{FetchOptions, Proxies};

/// Fetches pages and files. Shared by all tasks of a run.
pub struct Fetcher {
    pub(super) options: FetchOptions,
    pub(super) downloads: Semaphore,
    pub(super) queries: Semaphore,
    logins: Logins,
    clients: Mutex<Option<Clients>>,
}

#[derive(Clone)]
pub(super) struct Clients {
    /// For small answers: compressed on the way.
    pub(super) pages: Client,
    /// For files, whose bytes are kept as they are.
    pub(super) files: Client,
}

impl Fetcher {
    /// A fetcher that has not yet reached out to anybody.
    pub fn new(options: FetchOptions, logins: Logins) -> Self {
        Self {
            downloads: Semaphore::new(options.downloads_at_once.max(1)),
            queries: Semaphore::new(options.queries_at_once.max(1)),
            options,
            logins,
            clients: Mutex::new(None),
        }
    }

    /// Whether it may reach out at all.
    pub fn is_offline(&self) -> bool {
        self.options.offline
    }

    pub(super) fn clients(&self) -> Result<Clients, FetchError> {
        let mut made = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clients) = &*made {
            return Ok(clients.clone());
        }
        let clients = Clients::new(&self.options)?;
        *made = Some(clients.clone());
        Ok(clients)
    }

    /// A request with the login that is meant for its server. reqwest drops it by itself when a
    /// redirect leads to another server.
    pub(super) fn request(&self, client: &Client, url: &Url) -> RequestBuilder {
        let request = client.get(url.clone());
        match self.logins.for_url(url) {
            Some(login) => request.basic_auth(&login.username, Some(&login.password)),
            None => request,
        }
    }
}

impl Clients {
    fn new(options: &FetchOptions) -> Result<Self, FetchError> {
        // Fails only where a provider is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let certificates = certificates(options)?;
        let build = |builder: ClientBuilder| -> Result<Client, FetchError> {
            let builder = builder
                .user_agent(concat!("rocmenv/", env!("CARGO_PKG_VERSION")))
                .connect_timeout(options.connect_timeout)
                .read_timeout(options.stall_timeout)
                .redirect(Policy::custom(follow))
                .referer(false)
                .tls_certs_merge(certificates.iter().cloned());
            proxied(builder, &options.proxies)?
                .build()
                .map_err(|source| setup("the HTTP client", source))
        };
        Ok(Self {
            pages: build(Client::builder())?,
            // One connection a file: parallel files must not share one HTTP/2 window.
            files: build(Client::builder().no_gzip().http1_only())?,
        })
    }
}

/// At most ten redirects, no loop, and never from an encrypted address to a plain one.
fn follow(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let downgrade = attempt.previous().last().is_some_and(|from| from.scheme() == "https")
        && attempt.url().scheme() != "https";
    if downgrade {
        attempt.error("a redirect leads from an encrypted address to a plain one")
    } else if attempt.previous().len() > MAX_REDIRECTS {
        attempt.error("too many redirects")
    } else {
        attempt.follow()
    }
}

fn proxied(builder: ClientBuilder, proxies: &Proxies) -> Result<ClientBuilder, FetchError> {
    let except = proxies.except.as_deref().and_then(NoProxy::from_string);
    // The environment was read by whoever filled in the options; the library must not do it.
    let mut builder = builder.no_proxy();
    let choices: [(&Option<String>, Make); 3] = [
        (&proxies.http, |url| Proxy::http(url)),
        (&proxies.https, |url| Proxy::https(url)),
        (&proxies.all, |url| Proxy::all(url)),
    ];
    for (address, make) in choices {
        if let Some(address) = address.as_deref().filter(|address| !address.is_empty()) {
            let proxy = make(address).map_err(|e| setup("the proxy", e.without_url()))?;
            builder = builder.proxy(proxy.no_proxy(except.clone()));
        }
    }
    Ok(builder)
}

fn certificates(options: &FetchOptions) -> Result<Vec<Certificate>, FetchError> {
    let mut found = Vec::new();
    for path in &options.certificates {
        let what = || format!("the certificates of `{}`", path.display());
        let pem = fs_err::read(path).map_err(|source| setup(what(), source))?;
        found.extend(Certificate::from_pem_bundle(&pem).map_err(|source| setup(what(), source))?);
    }
    Ok(found)
}

fn setup(
    what: impl Into<String>,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> FetchError {
    FetchError::Setup { what: what.into(), source: source.into() }
}

type Make = fn(&str) -> reqwest::Result<Proxy>;

const MAX_REDIRECTS: usize = 10;
