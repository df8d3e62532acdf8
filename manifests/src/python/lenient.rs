//! Repairs of version specifiers that old packages published and pip once accepted.
//!
//! Only metadata that is already on an index is repaired, never what a user writes, and only
//! where the strict reading failed. Each repair keeps what the author can only have meant; the
//! examples are from public packages (uv documents the same mistakes).

use super::requirement::RequirementFault;
use super::specifier::{Clause, VersionSpecifiers};

/// A repair that was made, with the text before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// What was wrong.
    pub mistake: Mistake,
    /// As published.
    pub from: String,
    /// As read.
    pub to: String,
}

/// The mistakes that are known how to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    /// `>=7.2.0<8.0.0`: no comma between two clauses (elasticsearch-dsl).
    MissingComma,
    /// `>='2.7'`: quotes around the version.
    Quotes,
    /// `!=~5.0`: read as `!=5.0.*` (jupyter-core's users).
    NotCompatible,
    /// `>=3.6.*`: a prefix with an order; the star is dropped (torch's users, many others).
    OrderedPrefix,
    /// `!=3.0*`: no dot before the star.
    MissingDot,
    /// `>dev`: a word in place of a version; read as `>0.0.0.dev0`.
    OnlyDev,
}

/// Reads `text`, repairing clause by clause; the repairs made are added to `repairs`.
pub fn parse_specifiers(
    text: &str,
    repairs: &mut Vec<Repair>,
) -> Result<VersionSpecifiers, super::specifier::SpecifierError> {
    text.parse().or_else(|error| {
        let mut made = Vec::new();
        let specifiers = repaired(text, &mut made).map_err(|_| error)?;
        repairs.append(&mut made);
        Ok(specifiers)
    })
}

/// The clauses of `text`, each repaired where it cannot be read as it is.
pub(super) fn repaired(
    text: &str,
    repairs: &mut Vec<Repair>,
) -> Result<VersionSpecifiers, RequirementFault> {
    let mut clauses = Vec::new();
    for written in text.split(',').map(str::trim).filter(|clause| !clause.is_empty()) {
        let parts = split_at_operators(written);
        if parts.len() > 1 {
            let to = parts.join(",");
            let from = written.to_owned();
            repairs.push(Repair { mistake: Mistake::MissingComma, from, to });
        }
        for part in parts {
            clauses.push(clause(part, repairs)?);
        }
    }
    Ok(clauses.into_iter().collect())
}

fn clause(written: &str, repairs: &mut Vec<Repair>) -> Result<Clause, RequirementFault> {
    let mut text = written.to_owned();
    for (mistake, repair) in REPAIRS {
        if let Ok(clause) = text.parse() {
            return Ok(clause);
        }
        let Some(to) = repair(&text) else { continue };
        repairs.push(Repair { mistake, from: text, to: to.clone() });
        text = to;
    }
    Ok(text.parse()?)
}

type Rule = (Mistake, fn(&str) -> Option<String>);

/// In this order: a later one sees the text that the earlier ones left.
const REPAIRS: [Rule; 5] = [
    (Mistake::Quotes, without_quotes),
    (Mistake::NotCompatible, not_compatible),
    (Mistake::MissingDot, with_dot),
    (Mistake::OrderedPrefix, without_star),
    (Mistake::OnlyDev, dev_version),
];

fn without_quotes(text: &str) -> Option<String> {
    let is_quote = |c: char| matches!(c, '"' | '\'');
    text.contains(is_quote).then(|| text.replace(is_quote, ""))
}

fn not_compatible(text: &str) -> Option<String> {
    let version = text.strip_prefix("!=~")?.trim();
    Some(format!("!={}.*", version.trim_end_matches(".*")))
}

fn with_dot(text: &str) -> Option<String> {
    let version = text.strip_suffix('*')?;
    version.ends_with(|c: char| c.is_ascii_digit()).then(|| format!("{version}.*"))
}

fn without_star(text: &str) -> Option<String> {
    let is_ordered = text.starts_with(['>', '<', '~']);
    text.strip_suffix(".*").filter(|_| is_ordered && !text.starts_with("<=")).map(str::to_owned)
}

fn dev_version(text: &str) -> Option<String> {
    let operator = text.strip_suffix("dev")?.trim_end();
    operator.ends_with(['>', '<', '=']).then(|| format!("{operator}0.0.0.dev0"))
}

/// `>=7.2.0<8.0.0` is two clauses: one begins where an operator follows something else.
fn split_at_operators(text: &str) -> Vec<&str> {
    let is_operator = |c: char| matches!(c, '<' | '>' | '=' | '!' | '~');
    let mut parts = Vec::new();
    let mut start = 0;
    let mut in_version = false;
    for (at, c) in text.char_indices() {
        if is_operator(c) && in_version {
            parts.push(text[start..at].trim());
            start = at;
            in_version = false;
        } else if !is_operator(c) && !c.is_whitespace() {
            in_version = true;
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_known_mistake_is_read_as_it_was_meant() {
        let read = |text: &str| {
            let mut repairs = Vec::new();
            let answer = parse_specifiers(text, &mut repairs);
            let mistakes: Vec<Mistake> = repairs.iter().map(|repair| repair.mistake).collect();
            match answer {
                Ok(specifiers) => format!("{text}  ->  {specifiers}  {mistakes:?}"),
                Err(error) => format!("{text}  ->  {error}"),
            }
        };
        let texts = [
            ">=7.2.0<8.0.0",
            ">= 2.7 !=3.0.* , !=3.1.*",
            ">='2.7'",
            "!=~5.0,>=4.12",
            ">=3.6.*",
            "<4.*",
            "~=3.6.*",
            "<=3.6.*",
            "!=3.0*,!=3.1*",
            ">=3.6*",
            ">dev",
            ">=1.0",
            ">=one",
        ];
        insta::assert_snapshot!(texts.map(read).join("\n"), @r"
        >=7.2.0<8.0.0  ->  >=7.2.0,<8.0.0  [MissingComma]
        >= 2.7 !=3.0.* , !=3.1.*  ->  >=2.7,!=3.0.*,!=3.1.*  [MissingComma]
        >='2.7'  ->  >=2.7  [Quotes]
        !=~5.0,>=4.12  ->  !=5.0.*,>=4.12  [NotCompatible]
        >=3.6.*  ->  >=3.6  [OrderedPrefix]
        <4.*  ->  <4  [OrderedPrefix]
        ~=3.6.*  ->  ~=3.6  [OrderedPrefix]
        <=3.6.*  ->  `<=3.6.*` is not a version specifier: operator <= cannot be used with a wildcard version specifier
        !=3.0*,!=3.1*  ->  !=3.0.*,!=3.1.*  [MissingDot, MissingDot]
        >=3.6*  ->  >=3.6  [MissingDot, OrderedPrefix]
        >dev  ->  >0.0.0.dev0  [OnlyDev]
        >=1.0  ->  >=1.0  []
        >=one  ->  `>=one` is not a version specifier: expected version to start with a number, but no leading ascii digits were found
        ");
    }
}
