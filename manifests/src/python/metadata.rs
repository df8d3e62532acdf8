//! Core metadata: the METADATA file of a wheel, of every version since 1.0.
//!
//! Only what resolving needs is kept. The file is a list of mail headers and a body; unknown
//! fields are skipped. Requirements with known mistakes are repaired (see [`super::lenient`]);
//! one that cannot be read at all is an error, because to drop it would be to guess.

use pep440_rs::Version;
use pep508_rs::{ExtraName, PackageName};
use serde::{Deserialize, Serialize};

use super::built_for::BuiltFor;
use super::lenient::{Repair, parse_specifiers};
use super::name::{extra_name, package_name};
use super::requirement::{PyRequirement, RequirementError};
use super::specifier::{SpecifierError, VersionSpecifiers};

/// What a wheel says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreMetadata {
    /// The project.
    pub name: PackageName,
    /// The version.
    pub version: Version,
    /// What it needs, with and without extras, in the order of the file.
    pub requires_dist: Vec<PyRequirement>,
    /// The Pythons that it is for.
    pub requires_python: Option<VersionSpecifiers>,
    /// The extras that it offers.
    pub provides_extra: Vec<ExtraName>,
    /// One line about it.
    pub summary: Option<String>,
}

/// Metadata together with the repairs that reading it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadMetadata {
    /// The metadata.
    pub metadata: CoreMetadata,
    /// The mistakes found, in the order of the file.
    pub repairs: Vec<Repair>,
}

/// A METADATA file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// Name or Version is not there.
    #[error("the metadata has no `{0}`")]
    Missing(&'static str),
    /// Name or Version is not one.
    #[error("the metadata has a `{field}` that is none: `{value}`")]
    Field {
        /// The field.
        field: &'static str,
        /// Its value.
        value: String,
    },
    /// A Requires-Dist that cannot be read.
    #[error("the metadata has a `Requires-Dist` that cannot be read")]
    RequiresDist(#[source] RequirementError),
    /// A Requires-Python that cannot be read.
    #[error("the metadata has a `Requires-Python` that cannot be read")]
    RequiresPython(#[source] SpecifierError),
}

impl CoreMetadata {
    /// Reads a METADATA file, repairing known mistakes.
    pub fn parse(text: &str) -> Result<ReadMetadata, MetadataError> {
        let mut name = None;
        let mut version = None;
        let mut requires_dist = Vec::new();
        let mut requires_python = None;
        let mut provides_extra = Vec::new();
        let mut summary = None;
        let mut repairs = Vec::new();
        for Header { field, value } in headers(text) {
            match field.to_ascii_lowercase().as_str() {
                "name" if name.is_none() => name = Some(value),
                "version" if version.is_none() => version = Some(value),
                "summary" if summary.is_none() => summary = stated(value),
                "requires-dist" => {
                    let requirement = PyRequirement::parse_lenient(&value, &mut repairs);
                    requires_dist.push(requirement.map_err(MetadataError::RequiresDist)?);
                }
                "requires-python" if requires_python.is_none() => {
                    if let Some(value) = stated(value) {
                        let specifiers = parse_specifiers(&value, &mut repairs);
                        requires_python = Some(specifiers.map_err(MetadataError::RequiresPython)?);
                    }
                }
                // An extra whose name cannot be asked for is not offered.
                "provides-extra" => provides_extra.extend(extra_name(&value)),
                _ => {}
            }
        }
        let metadata = Self {
            name: required("Name", name, |text| package_name(text).ok())?,
            version: required("Version", version, |text| text.parse().ok())?,
            requires_dist,
            requires_python,
            provides_extra,
            summary,
        };
        Ok(ReadMetadata { metadata, repairs })
    }

    /// The ROCm that the summary says it was built for.
    pub fn built_for(&self) -> BuiltFor {
        self.summary.as_deref().map_or(BuiltFor::Silent, BuiltFor::of_summary)
    }
}

struct Header<'t> {
    field: &'t str,
    value: String,
}

/// The headers up to the first empty line; a line that begins with a space goes on.
fn headers(text: &str) -> Vec<Header<'_>> {
    let mut headers: Vec<Header<'_>> = Vec::new();
    let text = text.trim_start_matches('\u{feff}');
    for line in text.lines().take_while(|line| !line.trim_end_matches('\r').is_empty()) {
        if line.starts_with([' ', '\t']) {
            if let Some(header) = headers.last_mut() {
                header.value.push('\n');
                header.value.push_str(line.trim());
            }
        } else if let Some((field, value)) = line.split_once(':') {
            headers.push(Header { field: field.trim(), value: value.trim().to_owned() });
        }
    }
    headers
}

/// `UNKNOWN` is what old setuptools wrote for nothing.
fn stated(value: String) -> Option<String> {
    (!value.is_empty() && value != "UNKNOWN").then_some(value)
}

fn required<T>(
    field: &'static str,
    value: Option<String>,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<T, MetadataError> {
    let value = value.ok_or(MetadataError::Missing(field))?;
    read(&value).ok_or(MetadataError::Field { field, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_body() {
        let text = "Metadata-Version: 2.1\r\nName: Jax_ROCm7-plugin\r\nVersion: 0.10.0\r\n\
            Summary: JAX Plugin for AMD GPUs (ROCm:7.2.0 (legacy build))\r\n\
            License: one\r\n        two: three\r\n\
            Requires-Python: >=3.6.*\r\n\
            Requires-Dist: jax-rocm7-pjrt==0.10.0\r\n\
            requires-dist: amd-rccl ; extra == 'with_rocm'\r\n\
            Requires-Dist: old (>=1.0<2.0)\r\n\
            Provides-Extra: with_rocm\r\n\r\nName: not this\r\n";
        let read = CoreMetadata::parse(text).unwrap();
        assert_eq!(read.metadata.built_for(), BuiltFor::Release("7.2.0".to_owned()));
        insta::assert_snapshot!(serde_json::to_string_pretty(&read.metadata).unwrap(), @r#"
        {
          "name": "jax-rocm7-plugin",
          "version": "0.10.0",
          "requires_dist": [
            "jax-rocm7-pjrt==0.10.0",
            "amd-rccl ; extra == \"with-rocm\"",
            "old>=1.0,<2.0"
          ],
          "requires_python": ">=3.6",
          "provides_extra": [
            "with-rocm"
          ],
          "summary": "JAX Plugin for AMD GPUs (ROCm:7.2.0 (legacy build))"
        }
        "#);
        insta::assert_debug_snapshot!(read.repairs, @r#"
        [
            Repair {
                mistake: OrderedPrefix,
                from: ">=3.6.*",
                to: ">=3.6",
            },
            Repair {
                mistake: MissingComma,
                from: ">=1.0<2.0",
                to: ">=1.0,<2.0",
            },
        ]
        "#);
    }

    #[test]
    fn what_is_missing_or_unreadable_is_named() {
        let fails = |text: &str| {
            let error = CoreMetadata::parse(text).unwrap_err();
            let mut lines = vec![error.to_string()];
            let mut cause = std::error::Error::source(&error);
            while let Some(error) = cause {
                lines.push(format!("  {error}"));
                cause = error.source();
            }
            lines.join("\n")
        };
        let texts = [
            "Version: 1\n",
            "Name: a\n",
            "Name: a\nVersion: one\n",
            "Name: a\nVersion: 1\nRequires-Dist: b >>1\n",
            "Name: a\nVersion: 1\nRequires-Dist: b ; os_name ~ 'x'\n",
            "Name: a\nVersion: 1\nRequires-Python: three\n",
        ];
        insta::assert_snapshot!(texts.map(fails).join("\n"), @r#"
        the metadata has no `Name`
        the metadata has no `Version`
        the metadata has a `Version` that is none: `one`
        the metadata has a `Requires-Dist` that cannot be read
          `b >>1` is not a requirement
          `>>1` is not a version specifier: no such comparison operator ">>", must be one of ~= == != <= >= < > ===
        the metadata has a `Requires-Dist` that cannot be read
          `b ; os_name ~ 'x'` is not a requirement
          `os_name ~ 'x'` is not an environment marker: there is no operator `~`
        the metadata has a `Requires-Python` that cannot be read
          `three` is not a version specifier: unexpected end of version specifier, expected operator
        "#);
    }
}
