//! Tests that need the real package indexes.

use std::io::Write as _;

/// Whether tests may reach the real indexes: `ROCMENV_ONLINE=1`.
///
/// Where they may not, a line `online test skipped: NAME` goes to standard error past
/// the harness's capture, so that skipped tests can be seen and counted.
///
/// ```no_run
/// # use rocmenv_tests::online;
/// if !online("locks_the_jax_stack") {
///     return;
/// }
/// ```
pub fn online(test: &str) -> bool {
    let allowed = std::env::var_os("ROCMENV_ONLINE").is_some_and(|value| value == "1");
    if !allowed {
        let _ =
            writeln!(std::io::stderr(), "online test skipped: {test} (ROCMENV_ONLINE=1 runs it)");
    }
    allowed
}
