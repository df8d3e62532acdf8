//! The two streams of a call.

use std::io::{self, Write};

use serde::Serialize;

use super::Style;
use crate::error::{Error, Exit, OutputError};
use crate::settings::Verbosity;

/// Where a command prints: data to standard output, talk to standard error.
pub struct Output {
    stdout: Box<dyn Write + Send>,
    stderr: Box<dyn Write + Send>,
    style: Style,
}

impl Output {
    /// Couples the streams with the call's style.
    pub fn new(stdout: Box<dyn Write + Send>, stderr: Box<dyn Write + Send>, style: Style) -> Self {
        Self { stdout, stderr, style }
    }

    /// The call's style, for those who build coloured data.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Data for a person or a program; a missing last line end is added.
    pub fn data(&mut self, text: &str) -> Result<(), OutputError> {
        self.stdout.write_all(text.as_bytes())?;
        if !text.ends_with('\n') && !text.is_empty() {
            self.stdout.write_all(b"\n")?;
        }
        Ok(self.stdout.flush()?)
    }

    /// One JSON document.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), OutputError> {
        let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
        self.data(&text)
    }

    /// What a person wants to know; not said with `-q`.
    pub fn say(&mut self, text: &str) {
        if self.style.verbosity >= Verbosity::Normal {
            self.talk(text);
        }
    }

    /// What only `-v` wants to know.
    pub fn detail(&mut self, text: &str) {
        if self.style.verbosity >= Verbosity::Verbose {
            self.talk(text);
        }
    }

    /// Something that is done all the same, but may be wrong; not said with `-q`.
    pub fn warn(&mut self, text: &str) {
        let mark = self.style.warning("warning:");
        let line = format!("{mark} {text}");
        self.say(&line);
    }

    /// The end of a call that failed. Gives back its exit code.
    pub fn failure(&mut self, error: &Error) -> Exit {
        let exit = error.exit();
        if exit == Exit::Done {
            return exit;
        }
        self.talk(&super::failure::text(error, self.style));
        if self.style.json {
            // Standard output may be what failed; there is nobody left to tell.
            let _ = self.json(&super::failure::json(error));
        }
        exit
    }

    /// Standard error gone is no reason to stop.
    fn talk(&mut self, text: &str) {
        let _ = writeln!(self.stderr, "{}", text.trim_end_matches('\n'));
    }
}
