//! A failure as text and as JSON: what failed, the causes under it, last the command to try.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Style;
use crate::error::Error;

/// For a person.
pub(super) fn text(error: &Error, style: Style) -> String {
    let chain = error.chain();
    let mut text = match error.code() {
        Some(code) => style.error(format!("error[{code}]:")).to_string(),
        None => style.error("error:".to_owned()).to_string(),
    };
    for (at, line) in chain.iter().enumerate() {
        let indented = line.trim_end().replace('\n', "\n    ");
        let _ = match at {
            0 => write!(text, " {}", line.trim_end()),
            _ => write!(text, "\n  caused by: {indented}"),
        };
    }
    if let Some(help) = error.help() {
        let _ = write!(text, "\n{} {}", style.help("help:"), help.replace('\n', "\n      "));
    }
    text
}

/// For a program.
pub(super) fn json(error: &Error) -> Value {
    let chain = error.chain();
    let mut value = json!({
        "error": {
            "code": error.code(),
            "message": chain.first(),
            "causes": chain.get(1..).unwrap_or_default(),
            "help": error.help(),
            "exit": error.exit().code(),
        }
    });
    if let Some(data) = error.data() {
        value["error"]["data"] = data;
    }
    value
}
