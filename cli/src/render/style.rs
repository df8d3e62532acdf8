//! Colours, decided once a call.

use std::fmt::Display;

use console::StyledObject;

use crate::settings::{Settings, Verbosity};

/// How much is said, and whether in colour.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Colours on standard output.
    pub stdout: bool,
    /// Colours on standard error.
    pub stderr: bool,
    /// How much is said.
    pub verbosity: Verbosity,
    /// Whether failures are also JSON on standard output.
    pub json: bool,
}

impl Style {
    /// As the call was told.
    pub fn of(settings: &Settings) -> Self {
        Self {
            stdout: settings.look.color_stdout,
            stderr: settings.look.color_stderr,
            verbosity: settings.look.verbosity,
            json: settings.json,
        }
    }

    /// Before anything is known.
    pub fn plain() -> Self {
        Self { stdout: false, stderr: false, verbosity: Verbosity::Normal, json: false }
    }

    /// `error:` as it stands on standard error.
    pub fn error<D: Display>(self, text: D) -> StyledObject<D> {
        console::style(text).red().bold().force_styling(self.stderr)
    }

    /// `warning:` as it stands on standard error.
    pub fn warning<D: Display>(self, text: D) -> StyledObject<D> {
        console::style(text).yellow().bold().force_styling(self.stderr)
    }

    /// `help:` as it stands on standard error.
    pub fn help<D: Display>(self, text: D) -> StyledObject<D> {
        console::style(text).cyan().bold().force_styling(self.stderr)
    }
}
