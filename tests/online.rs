//! The real package index and the distribution's real archive. Runs with `ROCMENV_ONLINE=1`,
//! which CI sets; without it every test says that it was skipped.

#[path = "online/building.rs"]
mod building;
#[path = "online/constraints.rs"]
mod constraints;
#[cfg(unix)]
#[path = "online/containers.rs"]
mod containers;
#[path = "online/distribution.rs"]
mod distribution;
#[path = "online/exports.rs"]
mod exports;
#[path = "online/measuring.rs"]
mod measuring;
#[path = "online/proof.rs"]
mod proof;
#[path = "online/upgrade.rs"]
mod upgrade;
#[path = "online/wheels.rs"]
mod wheels;

use rocmenv_tests::{Output, Sandbox};

/// A sandbox that reaches the real indexes, or nothing where the tests are offline.
fn sandbox(test: &str) -> Option<Sandbox> {
    if !rocmenv_tests::online(test) {
        return None;
    }
    let mut sandbox = Sandbox::online();
    // interpreters of this machine's own search path count, as they do for a user
    #[expect(clippy::disallowed_methods, reason = "the machine's own search path is the subject")]
    if let Some(path) = std::env::var_os("PATH") {
        sandbox.env("PATH", &path.to_string_lossy());
    }
    Some(sandbox)
}

fn rocmenv(sandbox: &Sandbox, words: &[&str]) -> Output {
    let limit = std::time::Duration::from_secs(400);
    sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).limit(limit).run()
}

/// A test that cannot run here says so, past the harness's capture.
fn skipped(test: &str, why: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "online test skipped: {test}: {why}");
}

/// The chosen packages of a lock, `name version` each.
fn chosen(lock: &str) -> Vec<String> {
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")));
        line.unwrap_or_default().trim_end_matches('"').to_owned()
    };
    let packages = lock.split("[[package]]").skip(1);
    packages.map(|one| format!("{} {}", value(one, "name"), value(one, "version"))).collect()
}

/// The fixed day on which the versions below were the newest.
const DAY: &str = "exclude-newer = \"2026-11-29\"\n";
