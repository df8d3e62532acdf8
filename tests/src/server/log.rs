//! The request log, for assertions such as "downloaded once".

use std::sync::Mutex;

/// One answered request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The method, such as `GET`.
    pub method: String,
    /// The decoded path; for another host than the server's own it begins with `/HOST`.
    pub path: String,
    /// The `Range` header, if there was one.
    pub range: Option<String>,
    /// The status that was answered.
    pub status: u16,
    /// The bytes of body that the answer held, before any fault cut it.
    pub bytes: usize,
    /// Whether an `Authorization` header came with it.
    pub authorized: bool,
}

/// `GET /main/simple/a/ -> 200`, with the range where there was one.
impl std::fmt::Display for Request {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.method, self.path)?;
        if let Some(range) = &self.range {
            write!(formatter, " [{range}]")?;
        }
        write!(formatter, " -> {}", self.status)
    }
}

#[derive(Debug, Default)]
pub(super) struct Log {
    requests: Mutex<Vec<Request>>,
}

impl Log {
    pub(super) fn add(&self, request: Request) {
        self.requests.lock().expect("no holder panics").push(request);
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no holder panics").clone()
    }

    pub(super) fn forget(&self) {
        self.requests.lock().expect("no holder panics").clear();
    }
}
