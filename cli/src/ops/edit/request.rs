//! A requirement as it is written on the command line: `transformers[torch]>=4.50; marker`.

use std::str::FromStr;

use rocmenv_manifests::name::ExtraName;
use rocmenv_manifests::version::Requirement;

use crate::error::{Exit, Failure};

/// A name with what is asked of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The name as written.
    pub name: String,
    /// The extras, in the order written.
    pub extras: Vec<ExtraName>,
    /// The versions.
    pub requirement: Requirement,
    /// The marker behind a semicolon.
    pub marker: Option<String>,
}

impl FromStr for Request {
    type Err = RequestError;

    fn from_str(text: &str) -> Result<Self, RequestError> {
        let fault = |why: String| RequestError { text: text.to_owned(), why };
        let (rest, marker) = match text.split_once(';') {
            Some((rest, marker)) => (rest, Some(marker.trim().to_owned())),
            None => (text, None),
        };
        let rest = rest.trim();
        let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        if name.is_empty() {
            return Err(fault("it begins with no name".to_owned()));
        }
        let (extras, rest) = extras(rest.trim_start()).map_err(fault)?;
        let rest = rest.trim();
        let requirement = match rest.strip_prefix('@').unwrap_or(rest) {
            "" => Requirement::any(),
            versions => versions.parse().map_err(|e| fault(format!("{e}")))?,
        };
        Ok(Self { name: name.to_owned(), extras, requirement, marker })
    }
}

/// The text is no requirement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` cannot be read: {why}")]
pub struct RequestError {
    text: String,
    why: String,
}

impl Failure for RequestError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn code(&self) -> Option<&'static str> {
        Some("request-invalid")
    }

    fn help(&self) -> Option<String> {
        Some("write it as in `rocmenv add \"transformers>=4.50\"`".to_owned())
    }
}

fn extras(rest: &str) -> Result<(Vec<ExtraName>, &str), String> {
    let Some(inner) = rest.strip_prefix('[') else { return Ok((Vec::new(), rest)) };
    let Some((inner, rest)) = inner.split_once(']') else {
        return Err("a bracket is not closed".to_owned());
    };
    let names = inner.split(',').map(str::trim).filter(|name| !name.is_empty());
    let extras = names
        .map(|name| name.parse().map_err(|_| format!("`{name}` cannot name an extra")))
        .collect::<Result<_, _>>()?;
    Ok((extras, rest))
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_name_extras_versions_marker() {
        let request: Request =
            "transformers[torch, hub] >=4.50,<5; python_version > '3.9'".parse().unwrap();
        assert_eq!(request.name, "transformers");
        assert_eq!(request.extras.len(), 2);
        assert_eq!(request.requirement.to_string(), ">=4.50,<5");
        assert_eq!(request.marker.as_deref(), Some("python_version > '3.9'"));
        assert!("jax".parse::<Request>().unwrap().requirement.is_any());
        assert_eq!("rocm@7.2".parse::<Request>().unwrap().requirement.to_string(), "7.2");
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let why = |text: &str| text.parse::<Request>().unwrap_err().to_string();
        assert_eq!(why(">=2"), "`>=2` cannot be read: it begins with no name");
        assert_eq!(why("a[b"), "`a[b` cannot be read: a bracket is not closed");
        assert!(why("jax newest").contains("not a version requirement"));
    }
}
