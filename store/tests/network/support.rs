//! Fetchers that do not wait long, and a reporter that remembers.

use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rocmenv_store::fetch::{FetchOptions, Fetcher, FileRequest, Logins};
use rocmenv_store::report::{Notice, Reporter, Task, TaskId};
use rocmenv_tests::IndexServer;
use url::Url;

/// Runs a future to its end on a runtime of its own.
pub(crate) fn block<T>(future: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(future)
}

/// Short pauses, short patience.
pub(crate) fn options() -> FetchOptions {
    FetchOptions {
        connect_timeout: Duration::from_secs(5),
        stall_timeout: Duration::from_millis(300),
        retries: 3,
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(50),
        ..FetchOptions::default()
    }
}

pub(crate) fn fetcher() -> Fetcher {
    Fetcher::new(options(), Logins::new())
}

pub(crate) fn shared_fetcher() -> Arc<Fetcher> {
    Arc::new(fetcher())
}

pub(crate) fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// A request for a file of the server, of which nothing is promised.
pub(crate) fn request(server: &IndexServer, path: &str) -> FileRequest {
    let name = path.rsplit('/').next().unwrap().to_owned();
    FileRequest { url: url(&server.path(path)), name, sha256: None, size: None }
}

/// Bytes that do not repeat and do not compress.
pub(crate) fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    })
    .take(count)
    .collect()
}

/// What the server was asked, a line each.
pub(crate) fn asked(server: &IndexServer) -> Vec<String> {
    server.requests().iter().map(ToString::to_string).collect()
}

/// An error with all its causes, as a person would see it.
pub(crate) fn told(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str("\n  ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Remembers what it is told.
#[derive(Default)]
pub(crate) struct Recorder {
    events: Mutex<Vec<String>>,
    bytes: Mutex<u64>,
}

impl Recorder {
    pub(crate) fn events(&self) -> Vec<String> {
        self.events.lock().unwrap().clone()
    }

    pub(crate) fn bytes(&self) -> u64 {
        *self.bytes.lock().unwrap()
    }
}

impl Reporter for Recorder {
    fn started(&self, task: &Task) -> TaskId {
        let text = format!("started {:?} {} {:?}", task.kind, task.name, task.total);
        self.events.lock().unwrap().push(text);
        TaskId(1)
    }

    fn progressed(&self, _id: TaskId, amount: u64) {
        *self.bytes.lock().unwrap() += amount;
    }

    fn finished(&self, _id: TaskId) {
        self.events.lock().unwrap().push("finished".to_owned());
    }

    fn noticed(&self, notice: &Notice) {
        self.events.lock().unwrap().push(notice.to_string());
    }
}
