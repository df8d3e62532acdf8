//! A program that stops after each of its calls of some kinds, until it is told to go on.

use std::path::Path;
use std::time::Duration;

use fs_err as fs;
use rocmenv_tests::{Output, Sandbox};
use rustix::process::{Pid, Signal, kill_process};

/// Runs `rocmenv` with these words; `at_stop` is called whenever it stands still after a call of
/// `calls`, with what strace says of the call. `log` is a file that is not on the disk under test.
pub(crate) fn stop_at_each(
    sandbox: &Sandbox,
    words: &[&str],
    calls: &str,
    log: &Path,
    mut at_stop: impl FnMut(&str),
) -> Output {
    let trace = format!("trace={calls}");
    let inject = format!("inject={calls}:signal=SIGSTOP");
    fs::write(log, "").expect("a log can be made");
    let run = sandbox.command("strace").args(["-f", "-qq", "-o"]).arg(log);
    let run = run.args(["-e", &trace, "-e", "signal=SIGSTOP", "-e", &inject]);
    let run = run.arg(env!("CARGO_BIN_EXE_rocmenv")).args(words);
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run.run());
        let mut seen = 0;
        while !running.is_finished() {
            let text = fs::read_to_string(log).expect("the log is there");
            let whole = text.rfind('\n').map_or(0, |end| end + 1);
            let new = &text[seen..whole];
            let stopped: Vec<i32> = new.lines().filter_map(stopped).collect();
            if stopped.is_empty() {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            }
            seen = whole;
            at_stop(new.lines().find(|line| line.contains('(')).unwrap_or_default());
            for process in stopped.into_iter().filter_map(Pid::from_raw) {
                // It may have ended meanwhile.
                let _ = kill_process(process, Signal::CONT);
            }
        }
        running.join().expect("the run does not panic")
    })
}

fn stopped(line: &str) -> Option<i32> {
    line.strip_suffix(" --- stopped by SIGSTOP ---")?.trim().parse().ok()
}
