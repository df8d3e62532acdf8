//! Reads the names of projects and extras into the normal form of PEP 503.
//!
//! The types are `pep508_rs`'s; these functions are to be used in place of its `from_str`, which
//! takes an empty text for a name (0.9).

use std::str::FromStr;

use pep508_rs::{ExtraName, PackageName};

/// The text is no name of a project or an extra.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a name: use letters, digits, `-`, `_` and `.`, and begin and end with a letter or digit"
)]
pub struct PyNameError(String);

/// The project that `text` names.
pub fn package_name(text: &str) -> Result<PackageName, PyNameError> {
    parse(text)
}

/// The extra that `text` names.
pub fn extra_name(text: &str) -> Result<ExtraName, PyNameError> {
    parse(text)
}

fn parse<T: FromStr>(text: &str) -> Result<T, PyNameError> {
    let name = if text.is_empty() { None } else { text.parse().ok() };
    name.ok_or_else(|| PyNameError(text.to_owned()))
}
