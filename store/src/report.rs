//! What long work says of itself while it runs: typed events for one `Reporter`.
//!
//! Nothing here prints. Progress bars, plain lines and machine-readable lines are consumers
//! that live elsewhere.

use std::fmt;

/// Receives the events of long work, from several tasks at once.
pub trait Reporter: Send + Sync {
    /// A piece of work begins. The id that is returned names it from then on.
    fn started(&self, task: &Task) -> TaskId;

    /// The work has come `amount` units further (not in all: since the last event).
    fn progressed(&self, id: TaskId, amount: u64);

    /// The work is over, well or not.
    fn finished(&self, id: TaskId);

    /// Something that a person may want to know while waiting.
    fn noticed(&self, notice: &Notice);
}

/// One piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What is done.
    pub kind: TaskKind,
    /// To what (a file name, a package, a repository).
    pub name: String,
    /// How many units there are, where that is known from the start.
    pub total: Option<u64>,
}

/// What is done, and so what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskKind {
    /// Fetching pages and metadata; counts queries.
    Query,
    /// Downloading an artifact; counts bytes.
    Download,
    /// Unpacking an artifact; counts bytes.
    Unpack,
    /// Compiling bytecode; counts files.
    Compile,
    /// Linking an environment; counts files.
    Link,
    /// Removing objects; counts objects.
    Remove,
}

/// Names one running task of one reporter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TaskId(pub u64);

/// Something worth saying while work goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// A transfer failed and is tried again after a pause.
    Retrying {
        /// What failed and its innermost cause, without secrets.
        why: String,
        /// How long until the next try, in milliseconds.
        pause_ms: u64,
    },
    /// A server does not serve parts of files, so that a whole one is fetched.
    NoRanges {
        /// The file.
        name: String,
    },
    /// Something kept in the cache was damaged and is fetched again.
    CacheDamaged {
        /// What it was.
        what: String,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Retrying { why, pause_ms } if *pause_ms >= 1_000 => {
                write!(f, "{why}; trying again in {} s", pause_ms.div_ceil(1_000))
            }
            Self::Retrying { why, .. } => write!(f, "{why}; trying again"),
            Self::NoRanges { name } => {
                write!(f, "the server of `{name}` serves no parts of files, fetching all of it")
            }
            Self::CacheDamaged { what } => {
                write!(f, "the cached copy of {what} is damaged, fetching it again")
            }
        }
    }
}

/// A running task that is finished when it goes out of scope, on every path.
pub struct Progress<'r> {
    reporter: &'r dyn Reporter,
    id: TaskId,
}

impl<'r> Progress<'r> {
    /// Begins a task.
    pub fn start(reporter: &'r dyn Reporter, task: &Task) -> Self {
        Self { id: reporter.started(task), reporter }
    }

    /// The task has come `amount` units further.
    pub fn advance(&self, amount: u64) {
        self.reporter.progressed(self.id, amount);
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.reporter.finished(self.id);
    }
}

/// A reporter that hears everything and says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn started(&self, _task: &Task) -> TaskId {
        TaskId(0)
    }

    fn progressed(&self, _id: TaskId, _amount: u64) {}

    fn finished(&self, _id: TaskId) {}

    fn noticed(&self, _notice: &Notice) {}
}
