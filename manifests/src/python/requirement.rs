//! One requirement of a Python package: `name[extras] specifiers ; marker` or `name @ url`.
//!
//! The grammar is that of the dependency specifiers specification (PEP 508). Our own because
//! `pep508_rs` refuses `===` with a free text and addresses such as `git+ssh://git@host:group/x`,
//! and panics on some markers (see [`super::marker`]). Which index a package is bound to, and
//! whether an address is allowed, is decided elsewhere.

use std::fmt;
use std::str::FromStr;

use pep508_rs::{ExtraName, PackageName};
use serde::{Deserialize, Serialize};

use super::lenient::{Repair, repaired};
use super::marker::{Marker, MarkerError};
use super::name::{PyNameError, extra_name, package_name};
use super::specifier::{SpecifierError, VersionSpecifiers};

/// A requirement as another package or a user states it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PyRequirement {
    /// The project, in its normal form.
    pub name: PackageName,
    /// Its extras, as written.
    pub extras: Vec<ExtraName>,
    /// Which versions; all where none is said.
    pub specifiers: VersionSpecifiers,
    /// A direct address, as written.
    pub url: Option<String>,
    /// Where it applies.
    pub marker: Marker,
}

impl PyRequirement {
    /// A requirement of any version of `name`.
    pub fn any(name: PackageName) -> Self {
        Self {
            name,
            extras: Vec::new(),
            specifiers: VersionSpecifiers::any(),
            url: None,
            marker: Marker::always(),
        }
    }

    /// Reads a requirement of published metadata, repairing the known mistakes of old packages;
    /// the repairs made are added to `repairs`.
    pub fn parse_lenient(text: &str, repairs: &mut Vec<Repair>) -> Result<Self, RequirementError> {
        text.parse().or_else(|error: RequirementError| {
            let mut made = Vec::new();
            let fix = |specifiers: &str| repaired(specifiers, &mut made);
            let requirement = parse(text, fix).map_err(|_| error)?;
            repairs.append(&mut made);
            Ok(requirement)
        })
    }
}

impl FromStr for PyRequirement {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, RequirementError> {
        parse(text, |specifiers| {
            if has_misplaced_comma(specifiers) {
                return Err(RequirementFault::Comma);
            }
            Ok(specifiers.parse()?)
        })
    }
}

/// A text that is no requirement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a requirement")]
pub struct RequirementError {
    /// The text as given.
    pub text: String,
    /// What is wrong with it.
    #[source]
    pub fault: RequirementFault,
}

/// What is wrong with a requirement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequirementFault {
    /// It does not begin with a name, or an extra is no name.
    #[error(transparent)]
    Name(#[from] PyNameError),
    /// `[` or `(` without its end.
    #[error("a `{0}` is never closed")]
    Open(char),
    /// `@` without an address.
    #[error("an address must follow `@`")]
    Address,
    /// A comma with nothing before it.
    #[error("a comma separates nothing")]
    Comma,
    /// Something after the requirement that is not a marker.
    #[error("`{0}` is left over; a marker follows `;`")]
    LeftOver(String),
    /// `;` without a marker.
    #[error("a marker must follow `;`")]
    NoMarker,
    /// A bad specifier.
    #[error(transparent)]
    Specifier(#[from] SpecifierError),
    /// A bad marker.
    #[error(transparent)]
    Marker(#[from] MarkerError),
}

fn parse(
    text: &str,
    specifiers: impl FnOnce(&str) -> Result<VersionSpecifiers, RequirementFault>,
) -> Result<PyRequirement, RequirementError> {
    parse_parts(text.trim(), specifiers)
        .map_err(|fault| RequirementError { text: text.trim().to_owned(), fault })
}

fn parse_parts(
    text: &str,
    specifiers: impl FnOnce(&str) -> Result<VersionSpecifiers, RequirementFault>,
) -> Result<PyRequirement, RequirementFault> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let mut requirement = PyRequirement::any(package_name(name)?);
    let mut rest = rest.trim_start();
    if let Some(inner) = rest.strip_prefix('[') {
        let (extras, after) = inner.split_once(']').ok_or(RequirementFault::Open('['))?;
        requirement.extras = parse_extras(extras)?;
        rest = after.trim_start();
    }
    if let Some(address) = rest.strip_prefix('@') {
        let address = address.trim_start();
        let end = address.find(char::is_whitespace).unwrap_or(address.len());
        let (url, after) = address.split_at(end);
        if url.is_empty() {
            return Err(RequirementFault::Address);
        }
        requirement.url = Some(url.to_owned());
        rest = after;
    } else {
        let (versions, after) = split_versions(rest)?;
        requirement.specifiers = specifiers(versions.trim())?;
        rest = after;
    }
    requirement.marker = parse_marker(rest.trim_start())?;
    Ok(requirement)
}

fn parse_extras(text: &str) -> Result<Vec<ExtraName>, RequirementFault> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    text.split(',').map(|extra| Ok(extra_name(extra.trim())?)).collect()
}

/// The specifiers, in brackets or not, and what follows them.
fn split_versions(rest: &str) -> Result<(&str, &str), RequirementFault> {
    match rest.strip_prefix('(') {
        Some(inner) => inner.split_once(')').ok_or(RequirementFault::Open('(')),
        None => Ok(rest.split_at(rest.find(';').unwrap_or(rest.len()))),
    }
}

fn parse_marker(rest: &str) -> Result<Marker, RequirementFault> {
    match rest.strip_prefix(';') {
        Some(marker) if marker.trim().is_empty() => Err(RequirementFault::NoMarker),
        Some(marker) => Ok(marker.parse()?),
        None if rest.is_empty() => Ok(Marker::always()),
        None => Err(RequirementFault::LeftOver(rest.to_owned())),
    }
}

/// Only one comma at the end separates nothing and is allowed.
fn has_misplaced_comma(specifiers: &str) -> bool {
    let clauses: Vec<&str> = specifiers.split(',').collect();
    let last = clauses.len() - 1;
    last > 0 && clauses[..last].iter().any(|clause| clause.trim().is_empty())
}

impl fmt::Display for PyRequirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if !self.extras.is_empty() {
            let extras: Vec<&str> = self.extras.iter().map(AsRef::as_ref).collect();
            write!(f, "[{}]", extras.join(","))?;
        }
        match &self.url {
            // The space before `;` ends the address.
            Some(url) => write!(f, " @ {url}")?,
            None => write!(f, "{}", self.specifiers)?,
        }
        if !self.marker.is_always() {
            write!(f, " ; {}", self.marker)?;
        }
        Ok(())
    }
}

impl TryFrom<String> for PyRequirement {
    type Error = RequirementError;

    fn try_from(text: String) -> Result<Self, RequirementError> {
        text.parse()
    }
}

impl From<PyRequirement> for String {
    fn from(requirement: PyRequirement) -> Self {
        requirement.to_string()
    }
}
