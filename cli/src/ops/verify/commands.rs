//! Stage `commands`: the commands of `[verify]`, one after the other, in the project's folder.

use std::ffi::OsString;

use rocmenv_store::report::Reporter;

use super::{Finding, Level, Result, Stage, Subject};
use crate::ops::child::{self, Ended};
use crate::ops::trust::Trust;

/// The stage.
pub(super) struct Commands;

impl Stage for Commands {
    fn id(&self) -> &'static str {
        "commands"
    }

    fn level(&self) -> Level {
        Level::Ran
    }

    fn look(&self, subject: &Subject<'_>, _: &dyn Reporter) -> Vec<Finding> {
        let one = |text: &String| match subject.trust {
            Trust::Allowed => Finding::timed(|| run(subject, text)),
            Trust::Refused => Finding::new(text, Result::Skipped, REFUSED),
            Trust::Undecided => Finding::new(text, Result::Failed, UNDECIDED),
        };
        subject.project.verify.commands.iter().map(one).collect()
    }
}

/// A command as it is handed to the system's shell, as a user would type it.
pub fn shell_words(text: &str) -> Vec<OsString> {
    let words = if cfg!(windows) { ["cmd", "/C", text] } else { ["sh", "-c", text] };
    words.map(Into::into).to_vec()
}

fn run(subject: &Subject<'_>, text: &str) -> Finding {
    let limit = subject.options.limit;
    match child::run_within(subject.context, subject.current, &shell_words(text), limit) {
        Ok(Ended { code: Some(0), .. }) => Finding::new(text, Result::Passed, ""),
        Ok(ended) => Finding::new(text, Result::Failed, ended.last_line()),
        Err(error) => Finding::new(text, Result::Failed, error.to_string()),
    }
}

const REFUSED: &str = "not run: it was not allowed (`rocmenv trust` allows it)";
const UNDECIDED: &str =
    "not run: nobody has allowed this rocm.toml to run it (`rocmenv trust` does)";
