//! Relations between packages (Debian policy 7.1): `libc6 (>= 2.36) | libc6.1, python3:any`.
//!
//! It says what satisfies a relation; which package is chosen is the solver's decision. Build
//! profiles (`<!nocheck>`) do not concern binary packages and are skipped.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::version::DebVersion;

/// One clause of Depends: any of its alternatives is enough; the first is preferred.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Dependency {
    /// At least one.
    pub alternatives: Vec<Relation>,
}

/// A package, perhaps of some versions, on some architectures.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Relation {
    /// A package, or a name that packages provide.
    pub name: String,
    /// `any`, `native` or an architecture, behind a colon.
    pub qualifier: Option<String>,
    /// The versions that it asks for.
    pub version: Option<(DebOperator, DebVersion)>,
    /// The architectures that it is for, or with `!` is not for; all where empty.
    pub architectures: Vec<String>,
}

/// How a version is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DebOperator {
    /// `<<`
    Earlier,
    /// `<=`
    EarlierOrEqual,
    /// `=`
    Equal,
    /// `>=`
    LaterOrEqual,
    /// `>>`
    Later,
}

/// A name that a package provides, with a version or without.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Provided {
    /// The name.
    pub name: String,
    /// The version that it is provided in.
    pub version: Option<DebVersion>,
}

impl Relation {
    /// Whether package `name` in `version` satisfies it.
    pub fn is_satisfied_by(&self, name: &str, version: &DebVersion) -> bool {
        self.name == name && self.takes(version)
    }

    /// Whether a provided name satisfies it: one without a version satisfies no relation that
    /// asks for one (policy 7.5).
    pub fn is_satisfied_by_provided(&self, provided: &Provided) -> bool {
        let fits = match &provided.version {
            Some(version) => self.takes(version),
            None => self.version.is_none(),
        };
        self.name == provided.name && fits
    }

    /// Whether its versions include `version`.
    pub fn takes(&self, version: &DebVersion) -> bool {
        self.version.as_ref().is_none_or(|(operator, wanted)| match operator {
            DebOperator::Earlier => version < wanted,
            DebOperator::EarlierOrEqual => version <= wanted,
            DebOperator::Equal => version == wanted,
            DebOperator::LaterOrEqual => version >= wanted,
            DebOperator::Later => version > wanted,
        })
    }

    /// Whether it counts on Debian architecture `arch` (`amd64`).
    pub fn is_for(&self, arch: &str) -> bool {
        let matches = |pattern: &str| {
            pattern == arch
                || matches!(pattern, "any" | "linux-any")
                || ["any-", "linux-"].iter().any(|it| pattern.strip_prefix(it) == Some(arch))
        };
        let excludes = self.architectures.iter().any(|pattern| pattern.starts_with('!'));
        let named = self.architectures.iter().any(|it| matches(it.trim_start_matches('!')));
        self.architectures.is_empty() || named != excludes
    }
}

/// A text that is no relation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a relation between packages: {reason}")]
pub struct RelationError {
    text: String,
    reason: &'static str,
}

/// Reads a field such as Depends; empty clauses are skipped, as dpkg does.
pub fn parse_dependencies(field: &str) -> Result<Vec<Dependency>, RelationError> {
    clauses(field)
        .map(|clause| {
            let alternatives = clause.split('|').map(str::parse).collect::<Result<_, _>>()?;
            Ok(Dependency { alternatives })
        })
        .collect()
}

/// Reads a field without alternatives, such as Conflicts and Breaks.
pub fn parse_relations(field: &str) -> Result<Vec<Relation>, RelationError> {
    clauses(field).map(str::parse).collect()
}

/// Reads a Provides field: names with at most an exact version.
pub fn parse_provides(field: &str) -> Result<Vec<Provided>, RelationError> {
    clauses(field)
        .map(|clause| {
            let Relation { name, version, .. } = clause.parse()?;
            match version {
                None => Ok(Provided { name, version: None }),
                Some((DebOperator::Equal, version)) => {
                    Ok(Provided { name, version: Some(version) })
                }
                Some(_) => Err(error(clause, "a name is provided in one version, with `=`")),
            }
        })
        .collect()
}

fn clauses(field: &str) -> impl Iterator<Item = &str> {
    field.split(',').map(str::trim).filter(|clause| !clause.is_empty())
}

impl FromStr for Relation {
    type Err = RelationError;

    fn from_str(text: &str) -> Result<Self, RelationError> {
        let text = text.trim();
        let end = text.find(|c: char| c.is_whitespace() || "([<".contains(c)).unwrap_or(text.len());
        let (head, mut rest) = text.split_at(end);
        let (name, qualifier) = match head.split_once(':') {
            Some((name, qualifier)) => (name, Some(qualifier.to_owned())),
            None => (head, None),
        };
        if !is_package_name(name) {
            return Err(error(text, "it does not begin with a package name"));
        }
        let mut version = None;
        let mut architectures = Vec::new();
        while let Some(opening) = rest.trim_start().chars().next() {
            let inner = &rest.trim_start()[opening.len_utf8()..];
            let closing = match opening {
                '(' => ')',
                '[' => ']',
                '<' => '>',
                _ => return Err(error(text, "only `(`, `[` or `<` may follow the name")),
            };
            let (inner, after) =
                inner.split_once(closing).ok_or_else(|| error(text, "a bracket is not closed"))?;
            match opening {
                '(' => {
                    let read = parse_version(inner);
                    version = Some(read.ok_or_else(|| error(text, "the version is none"))?);
                }
                '[' => architectures = inner.split_whitespace().map(str::to_owned).collect(),
                _ => {}
            }
            rest = after;
        }
        Ok(Self { name: name.to_owned(), qualifier, version, architectures })
    }
}

fn parse_version(text: &str) -> Option<(DebOperator, DebVersion)> {
    let text = text.trim();
    let end = text.find(|c| !matches!(c, '<' | '=' | '>'))?;
    let (operator, version) = text.split_at(end);
    let operator = match operator {
        "<<" => DebOperator::Earlier,
        // The single signs are obsolete and mean "or equal" (policy 7.1).
        "<=" | "<" => DebOperator::EarlierOrEqual,
        "=" => DebOperator::Equal,
        ">=" | ">" => DebOperator::LaterOrEqual,
        ">>" => DebOperator::Later,
        _ => return None,
    };
    Some((operator, version.trim().parse().ok()?))
}

fn is_package_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-._".contains(&b))
}

fn error(text: &str, reason: &'static str) -> RelationError {
    RelationError { text: text.to_owned(), reason }
}

impl fmt::Display for Dependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alternatives: Vec<String> = self.alternatives.iter().map(Relation::to_string).collect();
        f.write_str(&alternatives.join(" | "))
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(qualifier) = &self.qualifier {
            write!(f, ":{qualifier}")?;
        }
        if let Some((operator, version)) = &self.version {
            write!(f, " ({operator} {version})")?;
        }
        if !self.architectures.is_empty() {
            write!(f, " [{}]", self.architectures.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Display for DebOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Earlier => "<<",
            Self::EarlierOrEqual => "<=",
            Self::Equal => "=",
            Self::LaterOrEqual => ">=",
            Self::Later => ">>",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_read_and_written_back() {
        let field = "libc6 (>= 2.36), libhsa-runtime64-1(>=5.2.3)|libhsa-any , \
            python3:any (>= 3~) [amd64 !i386] <!nocheck>, old (> 1), ,";
        let lines: Vec<String> =
            parse_dependencies(field).unwrap().iter().map(Dependency::to_string).collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        libc6 (>= 2.36)
        libhsa-runtime64-1 (>= 5.2.3) | libhsa-any
        python3:any (>= 3~) [amd64 !i386]
        old (>= 1)
        ");
    }

    #[test]
    fn a_provided_name_without_version_satisfies_no_version() {
        let provided = parse_provides("awk, libz.so (= 1:1.2.13)").unwrap();
        let satisfied = |relation: &str| {
            let relation: Relation = relation.parse().unwrap();
            provided.iter().any(|provided| relation.is_satisfied_by_provided(provided))
        };
        assert!(satisfied("awk"));
        assert!(!satisfied("awk (>= 1)"));
        assert!(satisfied("libz.so (>= 1:1.2)"));
        assert!(!satisfied("libz.so (<< 1:1.2)"));
        assert!(parse_provides("awk (>= 1)").is_err());
    }

    #[test]
    fn architectures_are_a_list_to_have_or_to_avoid() {
        let is_for = |relation: &str| relation.parse::<Relation>().unwrap().is_for("amd64");
        assert!(is_for("a") && is_for("a [amd64 arm64]") && is_for("a [linux-any]"));
        assert!(is_for("a [!i386 !armel]") && is_for("a [any-amd64]"));
        assert!(!is_for("a [i386]") && !is_for("a [!amd64]") && !is_for("a [!linux-any]"));
    }

    #[test]
    fn what_is_no_relation_is_refused() {
        let fails = |text: &str| text.parse::<Relation>().unwrap_err().to_string();
        let texts = ["", "(>= 1)", "a (>= 1", "a (~ 1)", "a b", "a (>= 1_:)"];
        insta::assert_snapshot!(texts.map(fails).join("\n"), @r"
        `` is not a relation between packages: it does not begin with a package name
        `(>= 1)` is not a relation between packages: it does not begin with a package name
        `a (>= 1` is not a relation between packages: a bracket is not closed
        `a (~ 1)` is not a relation between packages: the version is none
        `a b` is not a relation between packages: only `(`, `[` or `<` may follow the name
        `a (>= 1_:)` is not a relation between packages: the version is none
        ");
    }
}
