//! Stage `commands`: the commands of `[verify]`, one after the other, in the project's folder.

use rocmenv_store::report::Reporter;

use super::{Finding, Level, Result, Stage, Subject};
use crate::ops::child::{self, Ended};

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
        subject.project.verify.commands.iter().map(|text| one(subject, text)).collect()
    }
}

/// A command is handed to the system's shell, as a user would type it.
fn one(subject: &Subject<'_>, text: &str) -> Finding {
    let words = if cfg!(windows) { ["cmd", "/C", text] } else { ["sh", "-c", text] };
    match child::run(subject.context, subject.current, &words.map(Into::into)) {
        Ok(Ended { code: Some(0), .. }) => Finding::new(text, Result::Passed, ""),
        Ok(ended) => Finding::new(text, Result::Failed, ended.last_line()),
        Err(error) => Finding::new(text, Result::Failed, error.to_string()),
    }
}
