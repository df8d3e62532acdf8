//! Public reports asked of `check`: and what came of each.

use rocmenv_tests::{Output, Sandbox};
use serde::Deserialize;

/// A report with what was asked and what is right.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) kind: String,
    pub(crate) what: String,
    pub(crate) ask: Vec<String>,
    pub(crate) answer: String,
    #[serde(default)]
    pub(crate) says: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
    pub(crate) outcome: String,
}

impl Case {
    /// Asks `check`.
    pub(crate) fn asked(&self, sandbox: &Sandbox) -> Output {
        sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).arg("check").args(&self.ask).run()
    }

    /// What came of it; a no is an exit that `is_no` takes. That nothing is known of a case is
    /// neither right nor wrong.
    pub(crate) fn outcome(&self, output: &Output, is_no: impl Fn(i32) -> bool) -> &'static str {
        let text = format!("{}{}", output.stdout, output.stderr);
        let is_yes = output.code == 0;
        let fits = if self.answer == "yes" { is_yes } else { is_no(output.code) };
        let says = self.says.iter().all(|word| text.contains(word));
        let never = self.never.iter().any(|word| text.contains(word));
        let first = output.stdout.lines().next().unwrap_or_default();
        match () {
            () if fits && says && !never => "right",
            () if is_yes && first.ends_with("not known") => "not-known",
            () => "wrong",
        }
    }
}
