//! A forward proxy on loopback that remembers what went through it.
//!
//! It can stand for the whole internet: [`Proxy::to`] sends every address to one
//! server, which answers by host name. So a program's built-in addresses, such as
//! AMD's, are tested as they are.

use std::io::{self, Read, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use crate::server::IndexServer;

/// A running proxy; it stops when dropped.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Proxy {
    /// A proxy that connects where it is asked to, as long as that is on loopback.
    pub fn start() -> Self {
        Self::launch(None)
    }

    /// A proxy that connects to `server` whatever host is asked for. Addresses with https
    /// need a server that was started with [`IndexServer::start_tls`], those with http a plain one.
    pub fn to(server: &IndexServer) -> Self {
        Self::launch(Some(SocketAddr::from(([127, 0, 0, 1], server.port()))))
    }

    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The first line of every connection, without its `HTTP/1.1`: `CONNECT host:443` or `GET http://host/path`.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().expect("no holder panics").clone()
    }

    fn launch(target: Option<SocketAddr>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let stopping = Arc::new(AtomicBool::new(false));
        let (log, stop) = (Arc::clone(&seen), Arc::clone(&stopping));
        let thread = std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let log = Arc::clone(&log);
                // The tunnel ends with its two connections; nobody waits for it.
                std::thread::spawn(move || drop(tunnel(client, target, &log)));
            }
        });
        Self { address, seen, stopping, thread: Some(thread) }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(self.address)); // wakes the thread
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn tunnel(
    mut client: TcpStream,
    target: Option<SocketAddr>,
    log: &Mutex<Vec<String>>,
) -> io::Result<()> {
    let head = read_head(&mut client)?;
    let line = String::from_utf8_lossy(&head).lines().next().unwrap_or_default().to_owned();
    let asked = line.rsplit_once(' ').map_or(&*line, |(asked, _)| asked);
    log.lock().expect("no holder panics").push(asked.to_owned());
    let Some(address) = target.or_else(|| loopback_target(asked)) else {
        return client.write_all(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
    };
    let mut server = TcpStream::connect(address)?;
    if asked.starts_with("CONNECT ") {
        client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
    } else {
        // The absolute address in the first line is right for any server (RFC 9112, 3.2.2).
        server.write_all(&head)?;
    }
    let (mut from_server, mut to_client) = (server.try_clone()?, client.try_clone()?);
    let back = std::thread::spawn(move || {
        let _ = io::copy(&mut from_server, &mut to_client);
        to_client.shutdown(Shutdown::Write)
    });
    let _ = io::copy(&mut client, &mut server);
    let _ = server.shutdown(Shutdown::Write);
    back.join().expect("copying does not panic")
}

/// Up to and with the empty line; what follows stays in the socket.
fn read_head(client: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        client.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    Ok(head)
}

/// The address in `CONNECT host:port` or `GET http://host:port/path`, if it is on loopback.
fn loopback_target(asked: &str) -> Option<SocketAddr> {
    let (_, place) = asked.split_once(' ')?;
    let authority = place.strip_prefix("http://").unwrap_or(place);
    let authority = authority.split('/').next()?;
    let local = authority.starts_with("127.0.0.1:") || authority.starts_with("localhost:");
    authority.to_socket_addrs().ok().filter(|_| local)?.find(SocketAddr::is_ipv4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::client::ask;
    use crate::{Index, WheelBuilder, World};

    #[test]
    fn loopback_is_reached_and_nothing_else() {
        let server = IndexServer::start(World::new().file("/a", "content"));
        let proxy = Proxy::start();
        let there = ask(proxy.port(), &server.path("/a"), &[]);
        assert_eq!((there.status, there.text().as_str()), (200, "content"));
        let elsewhere = ask(proxy.port(), "http://repo.amd.com/a", &[]);
        assert_eq!(elsewhere.status, 502);
        assert_eq!(
            proxy.seen(),
            [format!("GET {}", server.path("/a")), "GET http://repo.amd.com/a".to_owned()]
        );
    }

    #[test]
    fn one_server_answers_for_every_host() {
        let world = World::new().index(
            Index::amd("amd")
                .at("https://stable.repo.amd.com/rocm/whl-next/")
                .wheel(WheelBuilder::new("a", "1")),
        );
        let server = IndexServer::start(world);
        let proxy = Proxy::to(&server);
        let page = ask(
            proxy.port(),
            "http://stable.repo.amd.com/rocm/whl-next/a/",
            &["Host: stable.repo.amd.com"],
        );
        assert_eq!(page.status, 200);
    }
}
