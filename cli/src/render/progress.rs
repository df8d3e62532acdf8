//! The consumers of the store's events: progress bars on a terminal, plain lines elsewhere.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use rocmenv_store::report::{Notice, Reporter, Silent, Task, TaskId, TaskKind};

use crate::settings::{Settings, Verbosity};

/// The reporter that the call asks for.
pub fn reporter(settings: &Settings) -> Arc<dyn Reporter> {
    match settings.look.verbosity {
        Verbosity::Quiet => Arc::new(Silent),
        _ if settings.look.progress => Arc::new(Bars::default()),
        Verbosity::Normal => Arc::new(Lines { every_task: false }),
        Verbosity::Verbose => Arc::new(Lines { every_task: true }),
    }
}

/// Bars for bytes and files, gone when their work is done.
#[derive(Default)]
struct Bars {
    screen: MultiProgress,
    running: Mutex<Running>,
}

#[derive(Default)]
struct Running {
    next: u64,
    bars: HashMap<u64, ProgressBar>,
}

impl Bars {
    fn running(&self) -> std::sync::MutexGuard<'_, Running> {
        // A panic elsewhere leaves the table whole: every change of it is one insert or remove.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reporter for Bars {
    fn started(&self, task: &Task) -> TaskId {
        let bar = self.screen.add(bar(task));
        let mut running = self.running();
        running.next += 1;
        let id = running.next;
        running.bars.insert(id, bar);
        TaskId(id)
    }

    fn progressed(&self, id: TaskId, amount: u64) {
        if let Some(bar) = self.running().bars.get(&id.0) {
            bar.inc(amount);
        }
    }

    fn finished(&self, id: TaskId) {
        if let Some(bar) = self.running().bars.remove(&id.0) {
            bar.finish_and_clear();
            self.screen.remove(&bar);
        }
    }

    fn noticed(&self, notice: &Notice) {
        // Only fails where standard error is gone, and then nobody reads.
        let _ = self.screen.println(format!("note: {notice}"));
    }
}

/// One line a notice; with `-v` one line a task, too.
struct Lines {
    every_task: bool,
}

impl Reporter for Lines {
    fn started(&self, task: &Task) -> TaskId {
        if self.every_task {
            let _ = writeln!(io::stderr(), "{} {}", verb(task.kind), task.name);
        }
        TaskId(0)
    }

    fn progressed(&self, _id: TaskId, _amount: u64) {}

    fn finished(&self, _id: TaskId) {}

    fn noticed(&self, notice: &Notice) {
        let _ = writeln!(io::stderr(), "note: {notice}");
    }
}

fn bar(task: &Task) -> ProgressBar {
    let counts_bytes = matches!(task.kind, TaskKind::Download | TaskKind::Unpack);
    let (bar, template) = match (task.total, counts_bytes) {
        (Some(total), true) => (ProgressBar::new(total), BYTES),
        (Some(total), false) => (ProgressBar::new(total), COUNT),
        (None, true) => (ProgressBar::new_spinner(), BYTES_OPEN),
        (None, false) => (ProgressBar::new_spinner(), COUNT_OPEN),
    };
    let style = ProgressStyle::with_template(template);
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(format!("{} {}", verb(task.kind), task.name));
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

fn verb(kind: TaskKind) -> &'static str {
    match kind {
        TaskKind::Query => "asking",
        TaskKind::Download => "fetching",
        TaskKind::Unpack => "unpacking",
        TaskKind::Compile => "compiling",
        TaskKind::Link => "linking",
        TaskKind::Remove => "removing",
    }
}

const BYTES: &str = "{bar:20.cyan/dim} {bytes:>10}/{total_bytes:<10} {msg}";
const COUNT: &str = "{bar:20.cyan/dim} {pos:>10}/{len:<10} {msg}";
const BYTES_OPEN: &str = "{spinner} {bytes:>10} {msg}";
const COUNT_OPEN: &str = "{spinner} {pos:>10} {msg}";
