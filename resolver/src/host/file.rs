//! The host file: facts as JSON text, written by one machine and read by another.

use serde::Deserialize;

use super::HostFacts;
use super::facts::SCHEMA;

/// A host file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HostFileError {
    /// Not JSON, or a value of the wrong kind; the cause says line and column.
    #[error("not a host file")]
    Parse(#[source] serde_json::Error),
    /// JSON of something else.
    #[error("not a host file: the field `schema` is missing")]
    NoSchema,
    /// Written by a later version of this program.
    #[error("the host file has schema {found}, this version reads up to {SCHEMA}")]
    Newer {
        /// The schema that it says.
        found: u32,
    },
}

/// The text of a host file: indented, in a fixed order of fields, with a newline at the end.
pub fn write_host_file(facts: &HostFacts) -> Result<String, HostFileError> {
    let mut text = serde_json::to_string_pretty(facts).map_err(HostFileError::Parse)?;
    text.push('\n');
    Ok(text)
}

/// The facts in the text of a host file. Fields that this version does not know are
/// ignored; what is not said is not known.
pub fn read_host_file(text: &str) -> Result<HostFacts, HostFileError> {
    let head: Head = serde_json::from_str(text).map_err(HostFileError::Parse)?;
    match head.schema {
        None => Err(HostFileError::NoSchema),
        Some(found) if found > SCHEMA => Err(HostFileError::Newer { found }),
        Some(_) => serde_json::from_str(text).map_err(HostFileError::Parse),
    }
}

/// Read first: a later schema may have fields that this version cannot read.
#[derive(Deserialize)]
struct Head {
    schema: Option<u32>,
}
