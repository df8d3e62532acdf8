//! Sets of version specifiers (`>=1.2,!=1.5.*`): parsing, and which versions of a set they take.
//!
//! `pep440_rs` parses each clause; the set is our own because it must hold `===text` where text
//! is no version, and because `pep440_rs` 0.7 matches some clauses otherwise than
//! pypa/packaging (see [`super::specifier_match`]). The order of the clauses is kept.

use std::fmt;
use std::str::FromStr;

use pep440_rs::{Operator, Version, VersionSpecifier};
use serde::{Deserialize, Serialize};

use super::specifier_match::matches;
use super::version::is_prerelease;

/// A set of clauses that all have to hold. The empty set takes every version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct VersionSpecifiers(Vec<Clause>);

/// One clause of a set.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Clause {
    /// An operator with a version.
    Version(VersionSpecifier),
    /// `===` with a text that is no PEP 440 version, in lower case: no version matches it.
    Text(String),
}

/// What is done with pre-releases where a set takes some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prereleases {
    /// PEP 440's rule: only if a clause names one, or if nothing else is there.
    #[default]
    IfNeeded,
    /// Like any other version.
    Allow,
    /// Never.
    Deny,
}

impl VersionSpecifiers {
    /// The set that takes every version.
    pub fn any() -> Self {
        Self::default()
    }

    /// The set of one version: `==version`.
    pub fn exactly(version: Version) -> Self {
        Self(vec![Clause::Version(VersionSpecifier::equals_version(version))])
    }

    /// The clauses, in the order written.
    pub fn clauses(&self) -> &[Clause] {
        &self.0
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every clause matches; pre-releases are like any other version here.
    pub fn contains(&self, version: &Version) -> bool {
        self.0.iter().all(|clause| match clause {
            Clause::Version(specifier) => matches(specifier, version),
            Clause::Text(_) => false,
        })
    }

    /// Whether a clause other than an exclusion names a pre-release, which lets them all in.
    pub fn names_prerelease(&self) -> bool {
        self.0.iter().any(|clause| match clause {
            Clause::Version(specifier) => {
                !matches!(specifier.operator(), Operator::NotEqual | Operator::NotEqualStar)
                    && specifier.any_prerelease()
            }
            Clause::Text(_) => false,
        })
    }

    /// Those of `versions` that the set takes, in the order given.
    pub fn filter<'v>(
        &self,
        versions: impl IntoIterator<Item = &'v Version>,
        prereleases: Prereleases,
    ) -> Vec<&'v Version> {
        let mut taken: Vec<&Version> =
            versions.into_iter().filter(|version| self.contains(version)).collect();
        let has_final = taken.iter().any(|version| !is_prerelease(version));
        let keeps_prereleases = match prereleases {
            Prereleases::Allow => true,
            Prereleases::Deny => false,
            Prereleases::IfNeeded => self.names_prerelease() || !has_final,
        };
        if !keeps_prereleases {
            taken.retain(|version| !is_prerelease(version));
        }
        taken
    }

    /// This set and `other` together.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        for clause in &other.0 {
            if !self.0.contains(clause) {
                self.0.push(clause.clone());
            }
        }
        self
    }
}

impl FromIterator<Clause> for VersionSpecifiers {
    fn from_iter<T: IntoIterator<Item = Clause>>(clauses: T) -> Self {
        Self(clauses.into_iter().collect())
    }
}

impl From<VersionSpecifier> for VersionSpecifiers {
    fn from(specifier: VersionSpecifier) -> Self {
        Self(vec![Clause::Version(specifier)])
    }
}

/// The text is no set of version specifiers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{clause}` is not a version specifier: {reason}")]
pub struct SpecifierError {
    clause: String,
    reason: String,
}

impl FromStr for VersionSpecifiers {
    type Err = SpecifierError;

    /// Reads clauses separated by commas; empty ones are skipped, as pypa/packaging does.
    fn from_str(text: &str) -> Result<Self, SpecifierError> {
        text.split(',').map(str::trim).filter(|clause| !clause.is_empty()).map(str::parse).collect()
    }
}

impl FromStr for Clause {
    type Err = SpecifierError;

    fn from_str(text: &str) -> Result<Self, SpecifierError> {
        match VersionSpecifier::from_str(text) {
            Ok(specifier) => Ok(Self::Version(specifier)),
            Err(error) => match text.strip_prefix("===").map(str::trim) {
                Some(rest) if !rest.is_empty() && !rest.contains(char::is_whitespace) => {
                    Ok(Self::Text(rest.to_lowercase()))
                }
                _ => Err(SpecifierError { clause: text.to_owned(), reason: first_line(&error) }),
            },
        }
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(specifier) => specifier.fmt(f),
            Self::Text(text) => write!(f, "==={text}"),
        }
    }
}

impl fmt::Display for VersionSpecifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, clause) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(",")?;
            }
            clause.fmt(f)?;
        }
        Ok(())
    }
}

impl TryFrom<String> for VersionSpecifiers {
    type Error = SpecifierError;

    fn try_from(text: String) -> Result<Self, SpecifierError> {
        text.parse()
    }
}

impl From<VersionSpecifiers> for String {
    fn from(specifiers: VersionSpecifiers) -> Self {
        specifiers.to_string()
    }
}

/// `pep440_rs` draws a picture under its message; an error line of ours is one line.
fn first_line(error: &impl fmt::Display) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_end_matches(':').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_written_as_it_was_read() {
        let set: VersionSpecifiers = " >= 1.2 , != 1.5.* ,, ===FooBar ".parse().unwrap();
        assert_eq!(set.to_string(), ">=1.2,!=1.5.*,===foobar");
        assert_eq!(serde_json::to_string(&set).unwrap(), "\">=1.2,!=1.5.*,===foobar\"");
        let both = set.clone().and(&">=1.2,<3".parse().unwrap());
        assert_eq!(both.to_string(), ">=1.2,!=1.5.*,===foobar,<3");
        assert!(VersionSpecifiers::any().contains(&"1.0".parse().unwrap()));
    }

    #[test]
    fn an_error_is_one_line_with_the_clause() {
        let error = ">=1.0,=>2".parse::<VersionSpecifiers>().unwrap_err();
        insta::assert_snapshot!(error, @r#"`=>2` is not a version specifier: no such comparison operator "=>", must be one of ~= == != <= >= < > ==="#);
    }
}
