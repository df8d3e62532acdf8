//! How a server can misbehave.

use std::time::Duration;

/// One way of answering wrongly. Each is something that real servers, proxies and
/// networks have done to package clients.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The right `Content-Length`, then only this many bytes, then the connection closes.
    Truncated(usize),
    /// The byte at this offset of the body has its bits flipped; the length is right.
    WrongByte(usize),
    /// A range request is answered 206 with another range than the asked one.
    WrongRange,
    /// A range request is answered 200 with the whole body.
    RangeIgnored,
    /// A status without body, such as 404 or 500.
    Status(u16),
    /// 503 with `Retry-After` in whole seconds.
    Unavailable {
        /// The header's value.
        retry_after: u64,
    },
    /// A redirect to itself.
    RedirectLoop,
    /// A redirect to another address.
    Redirect(String),
    /// This many bytes, then silence for a time, then the rest.
    Stall {
        /// Bytes before the silence.
        after: usize,
        /// How long the silence lasts.
        pause: Duration,
    },
    /// This many bytes, then the connection is reset (RST).
    Reset {
        /// Bytes before the reset.
        after: usize,
    },
    /// The `ETag` differs on every answer, and `If-Range` never matches.
    ChangingTag,
    /// The body is compressed with `Content-Encoding: gzip`, whatever the client accepts.
    Gzipped,
    /// The answer begins only after this time.
    Delay(Duration),
}

/// A fault bound to paths and perhaps to a number of answers.
#[derive(Debug, Clone)]
pub(crate) struct FaultRule {
    pub(crate) path: String,
    pub(crate) fault: Fault,
    pub(crate) times: Option<usize>,
}

impl FaultRule {
    pub(super) fn always(path: &str, fault: Fault) -> Self {
        Self { path: path.to_owned(), fault, times: None }
    }

    pub(super) fn first(times: usize, path: &str, fault: Fault) -> Self {
        Self { times: Some(times), ..Self::always(path, fault) }
    }
}
