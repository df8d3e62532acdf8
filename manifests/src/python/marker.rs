//! Environment markers: the part of a requirement behind `;`, as a small tree.
//!
//! Our own because `pep508_rs` 0.9 panics on `os_name ~= '1.0'`, ignores comparisons that it
//! cannot order (and so lets the requirement apply), and compares strings by their letters where
//! pypa/packaging does not. Evaluation follows pypa/packaging: values are versions where both
//! sides are, else texts; `extra` is compared in its normal form. No allocation, no lock: a
//! closure is resolved with thousands of evaluations.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use pep508_rs::ExtraName;
use serde::{Deserialize, Serialize};

use super::marker_env::{MarkerEnv, MarkerVariable, Verdict};
use super::marker_parse::parse;
use super::specifier::{Clause, VersionSpecifiers};
use super::specifier_match::matches;

/// A marker; the default one always applies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Marker(Option<Arc<Node>>);

/// A tree of comparisons.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Node {
    Compare(Comparison),
    And(Vec<Node>),
    Or(Vec<Node>),
}

/// `subject operator literal`, or with the sides swapped.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Comparison {
    pub(super) subject: Subject,
    pub(super) operator: Operator,
    pub(super) literal: Box<str>,
    pub(super) literal_is_left: bool,
    /// The operator and the literal as a clause, where subject and literal are versions.
    pub(super) clause: Option<Clause>,
}

/// What a literal is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Subject {
    Variable(MarkerVariable),
    Extra,
}

/// A marker operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Operator {
    In,
    NotIn,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
    Compatible,
    Exact,
}

impl Marker {
    /// The marker that always applies.
    pub fn always() -> Self {
        Self::default()
    }

    /// Whether there is no marker.
    pub fn is_always(&self) -> bool {
        self.0.is_none()
    }

    /// Whether the marker applies, with `extras` asked for. What is unknown or undefined does
    /// not apply; who must not guess asks [`Self::verdict`].
    pub fn evaluate(&self, env: &MarkerEnv, extras: &[ExtraName]) -> bool {
        self.verdict(env, extras) == Verdict::True
    }

    /// The full answer. As pip does, each extra is tried by itself, and one that applies is
    /// enough; without any, `extra` is the empty text.
    pub fn verdict(&self, env: &MarkerEnv, extras: &[ExtraName]) -> Verdict {
        let Some(node) = &self.0 else { return Verdict::True };
        if extras.is_empty() || !node.any(&|comparison| comparison.subject == Subject::Extra) {
            return node.verdict(env, extras.first().map_or("", AsRef::as_ref));
        }
        let verdicts = extras.iter().map(|extra| node.verdict(env, extra.as_ref()));
        either(verdicts)
    }

    /// Whether the answer depends on a variable: a lock for a series of Pythons asks this of
    /// `python_full_version`.
    pub fn mentions(&self, variable: MarkerVariable) -> bool {
        let subject = Subject::Variable(variable);
        self.0.as_ref().is_some_and(|node| node.any(&|comparison| comparison.subject == subject))
    }

    /// Whether the answer depends on the extras asked for.
    pub fn mentions_extra(&self) -> bool {
        self.0
            .as_ref()
            .is_some_and(|node| node.any(&|comparison| comparison.subject == Subject::Extra))
    }
}

impl Node {
    fn verdict(&self, env: &MarkerEnv, extra: &str) -> Verdict {
        match self {
            Self::Compare(comparison) => comparison.verdict(env, extra),
            Self::Or(nodes) => either(nodes.iter().map(|node| node.verdict(env, extra))),
            Self::And(nodes) => all(nodes.iter().map(|node| node.verdict(env, extra))),
        }
    }

    fn any(&self, wanted: &impl Fn(&Comparison) -> bool) -> bool {
        match self {
            Self::Compare(comparison) => wanted(comparison),
            Self::And(nodes) | Self::Or(nodes) => nodes.iter().any(|node| node.any(wanted)),
        }
    }
}

impl Comparison {
    fn verdict(&self, env: &MarkerEnv, extra: &str) -> Verdict {
        let variable = match self.subject {
            Subject::Extra => return self.compare_texts(extra),
            Subject::Variable(variable) => variable,
        };
        let Some(text) = env.text(variable) else { return Verdict::Unknown(variable) };
        match &self.clause {
            Some(Clause::Version(specifier)) => {
                env.version(variable).is_some_and(|version| matches(specifier, version)).into()
            }
            Some(Clause::Text(wanted)) => (text.to_lowercase() == *wanted).into(),
            None if self.literal_is_left && variable.is_version() => self.compare_left(text),
            None => self.compare_texts(text),
        }
    }

    /// `'3.12' <= python_version`: here the environment's side makes the specifier.
    fn compare_left(&self, text: &str) -> Verdict {
        let Ok(clause) = format!("{}{text}", self.operator).parse::<Clause>() else {
            return self.compare_texts(text);
        };
        let specifiers: VersionSpecifiers = [clause].into_iter().collect();
        self.literal.parse().is_ok_and(|literal| specifiers.contains(&literal)).into()
    }

    /// Texts have no order: `<=` and `>=` are equality, `<` and `>` never hold.
    fn compare_texts(&self, text: &str) -> Verdict {
        let literal = &*self.literal;
        let (left, right) = if self.literal_is_left { (literal, text) } else { (text, literal) };
        match self.operator {
            Operator::In => right.contains(left).into(),
            Operator::NotIn => (!right.contains(left)).into(),
            Operator::Equal | Operator::LessOrEqual | Operator::GreaterOrEqual => {
                (left == right).into()
            }
            Operator::NotEqual => (left != right).into(),
            Operator::Less | Operator::Greater => Verdict::False,
            Operator::Compatible | Operator::Exact => Verdict::Undefined,
        }
    }
}

impl From<bool> for Verdict {
    fn from(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

/// One that holds is enough, whatever the others are; undefined is worse than unknown.
fn either(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let mut answer = Verdict::False;
    for verdict in verdicts {
        match verdict {
            Verdict::True => return Verdict::True,
            Verdict::False => {}
            other => answer = worse(answer, other),
        }
    }
    answer
}

/// One that fails is enough, whatever the others are.
fn all(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let mut answer = Verdict::True;
    for verdict in verdicts {
        match verdict {
            Verdict::False => return Verdict::False,
            Verdict::True => {}
            other => answer = worse(answer, other),
        }
    }
    answer
}

fn worse(left: Verdict, right: Verdict) -> Verdict {
    match (left, right) {
        (Verdict::Undefined, _) | (_, Verdict::Undefined) => Verdict::Undefined,
        (Verdict::Unknown(_), _) => left,
        _ => right,
    }
}

/// The text is no marker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an environment marker: {reason}")]
pub struct MarkerError {
    pub(super) text: String,
    pub(super) reason: String,
}

impl FromStr for Marker {
    type Err = MarkerError;

    fn from_str(text: &str) -> Result<Self, MarkerError> {
        if text.trim().is_empty() {
            return Ok(Self::always());
        }
        parse(text)
            .map(|node| Self(Some(Arc::new(node))))
            .map_err(|reason| MarkerError { text: text.trim().to_owned(), reason })
    }
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |node| node.fmt(f))
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, word) = match self {
            Self::Compare(comparison) => return comparison.fmt(f),
            Self::And(nodes) => (nodes, " and "),
            Self::Or(nodes) => (nodes, " or "),
        };
        for (at, node) in nodes.iter().enumerate() {
            if at > 0 {
                f.write_str(word)?;
            }
            match node {
                Self::Compare(comparison) => comparison.fmt(f)?,
                nested => write!(f, "({nested})")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quote = if self.literal.contains('"') { '\'' } else { '"' };
        let Self { operator, literal, .. } = self;
        if self.literal_is_left {
            write!(f, "{quote}{literal}{quote} {operator} {}", self.subject)
        } else {
            write!(f, "{} {operator} {quote}{literal}{quote}", self.subject)
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(variable) => variable.fmt(f),
            Self::Extra => f.write_str("extra"),
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::In => "in",
            Self::NotIn => "not in",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
            Self::Compatible => "~=",
            Self::Exact => "===",
        })
    }
}

impl TryFrom<String> for Marker {
    type Error = MarkerError;

    fn try_from(text: String) -> Result<Self, MarkerError> {
        text.parse()
    }
}

impl From<Marker> for String {
    fn from(marker: Marker) -> Self {
        marker.to_string()
    }
}
