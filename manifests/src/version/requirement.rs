//! The one grammar for requirements, in rocm.toml and on the command line.
//!
//! Bare `X.Y` means `X.Y.*`, and so do `=` and `==` with two parts; a bare `X.Y.Z` is that
//! release. `^`, `~`, `>=`, `<` and `!=` mean what cargo means by them; `>` and `<=` compare the
//! numbers as written, as PEP 440 does (`>7.2` takes 7.2.4); `~=` is PEP 440's. Clauses are joined
//! with commas. `*` asks for anything.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Dotted;

/// What a user asks of a version, kept as written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Requirement {
    text: String,
    clauses: Vec<Clause>,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Clause {
    /// How to compare.
    pub op: Op,
    /// The version as written, without a trailing `.*`.
    pub version: String,
    /// Whether a `.*` was written behind it.
    pub wildcard: bool,
}

/// A comparison operator of the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// No operator: the series, or the release.
    Bare,
    /// `^`: up to the next change of the leftmost number that is not zero.
    Caret,
    /// `~`: up to the next change of the second number.
    Tilde,
    /// `~=` of PEP 440: the last written part may grow.
    Compatible,
    /// `=` or `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `>=`.
    AtLeast,
    /// `>`.
    Above,
    /// `<=`.
    AtMost,
    /// `<`.
    Below,
}

impl Requirement {
    /// Anything.
    pub fn any() -> Self {
        Self { text: "*".to_owned(), clauses: Vec::new() }
    }

    /// The clauses, all of which must hold; none means anything.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Whether nothing is asked.
    pub fn is_any(&self) -> bool {
        self.clauses.is_empty()
    }

    /// Whether a version of numbers (a ROCm release, a driver) satisfies every clause.
    pub fn matches(&self, version: &Dotted) -> bool {
        self.clauses.iter().all(|clause| clause.matches(version))
    }

    /// Whether the user named a lower and an upper side, so that a range may cross lines.
    pub fn names_both_sides(&self) -> bool {
        let has = |ops: &[Op]| self.clauses.iter().any(|clause| ops.contains(&clause.op));
        has(&[Op::AtLeast, Op::Above]) && has(&[Op::AtMost, Op::Below])
    }

    /// The same as PEP 440 specifiers, in text (`^2.12` is `>=2.12,<3`).
    pub fn to_pep440(&self) -> String {
        let parts: Vec<String> = self.clauses.iter().map(Clause::to_pep440).collect();
        parts.join(",")
    }
}

impl Clause {
    fn matches(&self, version: &Dotted) -> bool {
        let Ok(bound) = self.version.parse::<Dotted>() else { return false };
        match self.op {
            Op::Bare | Op::Equal if self.is_series(&bound) => version.starts_with(&bound),
            Op::Bare | Op::Equal => *version == bound,
            Op::NotEqual if self.is_series(&bound) => !version.starts_with(&bound),
            Op::NotEqual => *version != bound,
            Op::AtLeast => *version >= bound,
            Op::Above => *version > bound,
            Op::AtMost => *version <= bound,
            Op::Below => *version < bound,
            Op::Caret | Op::Tilde | Op::Compatible => {
                *version >= bound && version < &self.ceiling(&bound)
            }
        }
    }

    fn to_pep440(&self) -> String {
        let text = &self.version;
        let numbers = Dotted::leading(text).unwrap_or_else(|| Dotted::new(0, 0));
        match self.op {
            Op::Bare | Op::Equal if self.is_series(&numbers) => format!("=={text}.*"),
            Op::Bare | Op::Equal => format!("=={text}"),
            Op::NotEqual if self.is_series(&numbers) => format!("!={text}.*"),
            Op::NotEqual => format!("!={text}"),
            Op::AtLeast => format!(">={text}"),
            Op::Above => format!(">{text}"),
            Op::AtMost => format!("<={text}"),
            Op::Below => format!("<{text}"),
            Op::Compatible => format!("~={text}"),
            Op::Caret | Op::Tilde => format!(">={text},<{}", self.ceiling(&numbers)),
        }
    }

    fn is_series(&self, bound: &Dotted) -> bool {
        let plain = self.version.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        self.wildcard || (plain && bound.parts().len() <= 2)
    }

    /// The first version that is too high.
    fn ceiling(&self, bound: &Dotted) -> Dotted {
        let parts = bound.parts();
        let keep = match self.op {
            Op::Caret => parts.iter().position(|&part| part != 0).unwrap_or(parts.len() - 1),
            Op::Compatible => parts.len().saturating_sub(2),
            _ => usize::from(parts.len() > 1),
        };
        let mut ceiling: Vec<String> = parts[..=keep].iter().map(u32::to_string).collect();
        ceiling[keep] = (parts[keep] + 1).to_string();
        ceiling.join(".").parse().unwrap_or_else(|_| bound.clone())
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// The text is no requirement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a version requirement ({})", example(text))]
pub struct RequirementError {
    text: String,
}

/// A word that other tools take has its own sign here.
fn example(text: &str) -> &'static str {
    match text.trim() {
        "latest" => "`*` asks for the newest that fits",
        _ => "such as `10.0`, `>=2.12` or `>=7.2,<10`",
    }
}

impl FromStr for Requirement {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, RequirementError> {
        let trimmed = text.trim();
        if trimmed == "*" {
            return Ok(Self::any());
        }
        let clauses: Option<Vec<Clause>> = trimmed.split(',').map(clause).collect();
        match clauses {
            Some(clauses) => Ok(Self { text: trimmed.to_owned(), clauses }),
            None => Err(RequirementError { text: text.to_owned() }),
        }
    }
}

impl TryFrom<String> for Requirement {
    type Error = RequirementError;

    fn try_from(text: String) -> Result<Self, RequirementError> {
        text.parse()
    }
}

impl From<Requirement> for String {
    fn from(requirement: Requirement) -> Self {
        requirement.text
    }
}

fn clause(text: &str) -> Option<Clause> {
    let text = text.trim();
    let (op, rest) = OPERATORS
        .iter()
        .find_map(|&(sign, op)| text.strip_prefix(sign).map(|rest| (op, rest)))
        .unwrap_or((Op::Bare, text));
    let rest = rest.trim();
    let (version, wildcard) = match rest.strip_suffix(".*") {
        Some(version) => (version, true),
        None => (rest, false),
    };
    let comparable = matches!(op, Op::Bare | Op::Equal | Op::NotEqual) || !wildcard;
    let starts = version.bytes().next().is_some_and(|b| b.is_ascii_digit());
    let plain = version.bytes().all(|b| b.is_ascii_alphanumeric() || b"._+-!".contains(&b));
    (comparable && starts && plain).then(|| Clause { op, version: version.to_owned(), wildcard })
}

/// Longest signs first, so that `>=` is not read as `>`.
const OPERATORS: [(&str, Op); 10] = [
    ("==", Op::Equal),
    ("!=", Op::NotEqual),
    (">=", Op::AtLeast),
    ("<=", Op::AtMost),
    ("~=", Op::Compatible),
    ("^", Op::Caret),
    ("~", Op::Tilde),
    (">", Op::Above),
    ("<", Op::Below),
    ("=", Op::Equal),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(requirement: &str, version: &str) -> bool {
        requirement.parse::<Requirement>().unwrap().matches(&version.parse().unwrap())
    }

    #[test]
    fn a_bare_series_is_a_series_and_a_bare_release_is_that_release() {
        assert!(matches("10.0", "10.0.3"));
        assert!(!matches("10.0", "10.1.0"));
        assert!(matches("7.2.4", "7.2.4"));
        assert!(!matches("7.2.4", "7.2.3"));
        assert!(matches("=7.1", "7.1.1"));
        assert!(!matches("7.1", "7.10.0"));
        assert!(matches("!=7.1", "7.10.0"));
    }

    #[test]
    fn caret_and_tilde_are_cargos() {
        assert!(matches("^7.2", "7.14.1"));
        assert!(!matches("^7.2", "10.0.0"));
        assert!(matches("^0.3", "0.3.9"));
        assert!(!matches("^0.3", "0.4.0"));
        assert!(matches("~7.2", "7.2.9"));
        assert!(!matches("~7.2", "7.3.0"));
        assert!(matches("~7", "7.14.0"));
        assert!(matches("~=30.10", "30.30.1"));
        assert!(matches(">=7.2,<10", "7.14.0"));
    }

    #[test]
    fn the_same_is_said_in_pep_440() {
        let pep440 = |text: &str| text.parse::<Requirement>().unwrap().to_pep440();
        assert_eq!(pep440("2.12"), "==2.12.*");
        assert_eq!(pep440("^2.12"), ">=2.12,<3");
        assert_eq!(pep440("~2.12.1"), ">=2.12.1,<2.13");
        assert_eq!(pep440(">=4.50,!=4.51.3"), ">=4.50,!=4.51.3");
        assert_eq!(pep440("2.12.0+rocm7.1"), "==2.12.0+rocm7.1");
        assert_eq!(pep440("*"), "");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", ">=", "newest", ">=7.*", "7.2,,8", "= =7"] {
            assert!(text.parse::<Requirement>().is_err(), "{text}");
        }
    }
}
