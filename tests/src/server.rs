//! A server on loopback that answers for a [`World`].
//!
//! It runs on a thread and runtime of its own, so that a test may be synchronous,
//! and it ends when it is dropped. It never listens on anything but 127.0.0.1.

mod answer;
mod body;
#[cfg(test)]
pub(crate) mod client;
#[cfg(test)]
mod fault_tests;
mod listener;
mod log;
mod negotiate;
mod tls;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;

use axum::Router;
use tokio::sync::oneshot;

use crate::world::{Site, World};
use answer::{Live, answer};
use listener::{Loopback, Peer};
pub use log::Request;
pub use tls::Validity;

/// A running server.
#[derive(Debug)]
pub struct IndexServer {
    address: SocketAddr,
    world: World,
    live: Arc<RwLock<Arc<Live>>>,
    log: Arc<log::Log>,
    authority: Option<String>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl IndexServer {
    /// Serves `world` over plain HTTP on a free port.
    pub fn start(world: World) -> Self {
        Self::launch(world, None)
    }

    /// Serves `world` over HTTPS, with a certificate for localhost, 127.0.0.1 and every
    /// other host of the world, signed by an authority made for this server alone.
    pub fn start_tls(world: World, validity: Validity) -> Self {
        let identity = tls::Identity::for_hosts(&world.hosts(), validity);
        Self::launch(world, Some(identity))
    }

    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// `http://127.0.0.1:PORT`, or with https.
    pub fn base(&self) -> String {
        let scheme = if self.authority.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// The address of the index called `name`, as the server itself serves it.
    pub fn url(&self, name: &str) -> String {
        let path = self
            .world
            .index_path(name)
            .unwrap_or_else(|| panic!("the world has no index `{name}`"));
        format!("{}{path}", self.base())
    }

    /// The address of a path.
    pub fn path(&self, path: &str) -> String {
        format!("{}{path}", self.base())
    }

    /// Sources (deb822, one paragraph a suite) for the apt repository called `name`, signed by `keyring`.
    pub fn apt_sources(&self, name: &str, keyring: &Path) -> String {
        let (path, suites) = self
            .world
            .repository(name)
            .unwrap_or_else(|| panic!("the world has no repository `{name}`"));
        let paragraphs: Vec<String> = suites
            .iter()
            .map(|(suite, component)| {
                format!(
                    "Types: deb\nURIs: {}{path}\nSuites: {suite}\nComponents: {component}\n\
                     Signed-By: {}\n",
                    self.base(),
                    keyring.display()
                )
            })
            .collect();
        paragraphs.join("\n")
    }

    /// The certificate authority to trust, in PEM, where the server speaks TLS.
    pub fn authority_pem(&self) -> Option<&str> {
        self.authority.as_deref()
    }

    /// From now on serves another world on the same port; the log goes on, fault counts start anew.
    pub fn replace(&mut self, world: World) {
        let live = Arc::new(Live::new(world.site()));
        *self.live.write().expect("no holder panics") = live;
        self.world = world;
    }

    /// Every request answered so far, in the order of the answers.
    pub fn requests(&self) -> Vec<Request> {
        self.log.requests()
    }

    /// How many requests for paths that end with `path` were answered with content (200 or 206).
    pub fn downloads(&self, path: &str) -> usize {
        self.requests()
            .iter()
            .filter(|request| request.path.ends_with(path) && matches!(request.status, 200 | 206))
            .count()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        self.log.forget();
    }

    fn launch(world: World, identity: Option<tls::Identity>) -> Self {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        socket.set_nonblocking(true).expect("a socket can be set");
        let address = socket.local_addr().expect("a bound socket has an address");
        let live = Arc::new(RwLock::new(Arc::new(Live::new(world.site()))));
        let log = Arc::new(log::Log::default());
        let authority = identity.as_ref().map(|identity| identity.authority_pem.clone());
        let (stop, stopped) = oneshot::channel();
        let service = Service { live: Arc::clone(&live), log: Arc::clone(&log) };
        let thread =
            std::thread::spawn(move || run(socket, service, identity.map(|it| it.config), stopped));
        Self { address, world, live, log, authority, stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for IndexServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What the handler shares with the test.
#[derive(Debug, Clone)]
struct Service {
    live: Arc<RwLock<Arc<Live>>>,
    log: Arc<log::Log>,
}

impl Service {
    fn live(&self) -> Arc<Live> {
        Arc::clone(&self.live.read().expect("no holder panics"))
    }
}

impl Live {
    fn new(site: Site) -> Self {
        let used = site.faults.iter().map(|_| 0.into()).collect();
        Self { site, used }
    }
}

fn run(
    socket: std::net::TcpListener,
    service: Service,
    tls: Option<Arc<rustls::ServerConfig>>,
    stopped: oneshot::Receiver<()>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime starts");
    runtime.block_on(async move {
        let listener = Loopback::new(socket, tls);
        let router = Router::new()
            .fallback(answer)
            .with_state(service)
            .into_make_service_with_connect_info::<Peer>();
        tokio::select! {
            _ = axum::serve(listener, router) => {}
            _ = stopped => {}
        }
    });
    // Dropping the runtime drops connections that are stalled on purpose.
}

#[cfg(test)]
mod tests;
