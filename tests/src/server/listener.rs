//! Accepts connections, plain or TLS, which can be told to end with a reset.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::{io, net};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Hands out connections whose handshake, if they have one, is done.
pub(super) struct Loopback {
    ready: mpsc::Receiver<Socket>,
}

/// One connection's reset mark: set it, break the body off, and the client sees RST.
#[derive(Debug, Clone, Default)]
pub(super) struct Peer {
    pub(super) reset: Arc<AtomicBool>,
}

impl Loopback {
    /// Must be called inside the runtime.
    pub(super) fn new(socket: net::TcpListener, tls: Option<Arc<rustls::ServerConfig>>) -> Self {
        let listener = TcpListener::from_std(socket).expect("the socket is non-blocking");
        let acceptor = tls.map(TlsAcceptor::from);
        let (sender, ready) = mpsc::channel(16);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let sender = sender.clone();
                let acceptor = acceptor.clone();
                // A task each: a client that never shakes hands must not hold up the others.
                tokio::spawn(async move {
                    if let Some(socket) = Socket::open(stream, acceptor).await {
                        let _ = sender.send(socket).await;
                    }
                });
            }
        });
        Self { ready }
    }
}

impl Listener for Loopback {
    type Io = Socket;
    type Addr = Peer;

    async fn accept(&mut self) -> (Socket, Peer) {
        match self.ready.recv().await {
            Some(socket) => {
                let peer = socket.peer.clone();
                (socket, peer)
            }
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Peer> {
        Ok(Peer::default())
    }
}

impl Connected<IncomingStream<'_, Loopback>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Loopback>) -> Self {
        stream.remote_addr().clone()
    }
}

pub(super) struct Socket {
    stream: Stream,
    peer: Peer,
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Socket {
    async fn open(stream: TcpStream, acceptor: Option<TlsAcceptor>) -> Option<Self> {
        let stream = match acceptor {
            None => Stream::Plain(stream),
            Some(acceptor) => Stream::Tls(Box::new(acceptor.accept(stream).await.ok()?)),
        };
        Some(Self { stream, peer: Peer::default() })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if self.peer.reset.load(Ordering::Relaxed) {
            let tcp = match &self.stream {
                Stream::Plain(stream) => stream,
                Stream::Tls(stream) => stream.get_ref().0,
            };
            let _ = tcp.set_zero_linger(); // closing now sends RST
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.peer.reset.load(Ordering::Relaxed) {
            return Poll::Ready(Ok(())); // an orderly end would come before the reset
        }
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
