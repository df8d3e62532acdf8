//! What can be wrong with rocm.toml, with the line and column where it is.

use std::fmt;

/// Where in a text something stands, both counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl Place {
    /// The place of a byte offset.
    pub fn of(text: &str, offset: usize) -> Self {
        let before = &text[..text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.bytes().filter(|&b| b == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// rocm.toml cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectError {
    /// The file's name as the user knows it.
    pub file: String,
    /// Where in it, if the error has one place.
    pub place: Option<Place>,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for ProjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(Place { line, column }) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for ProjectError {}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// No TOML, or a value of the wrong type.
    #[error("{0}")]
    Malformed(String),
    /// A key that does not exist there.
    #[error("unknown key `{key}`{}{}", in_table(.table), meant_text(.meant.as_ref()))]
    UnknownKey {
        /// The key.
        key: Box<str>,
        /// The table that it stands in, empty for the top.
        table: Box<str>,
        /// What the user may have meant.
        meant: Option<Meant>,
    },
    /// A table in `[requires]`, where only requirements stand.
    #[error(
        "`{key}` takes a requirement alone here, such as `{key} = \"*\"`; extras, markers and an \
         index go into `[python-packages]`, under the package's name"
    )]
    NoTable {
        /// The key.
        key: Box<str>,
    },
    /// A value that does not exist there.
    #[error("unknown {what} `{value}`{}", did_you_mean(.nearest.as_deref()))]
    UnknownValue {
        /// What it should be.
        what: &'static str,
        /// What was written.
        value: String,
        /// The nearest value that exists.
        nearest: Option<String>,
    },
    /// A value that does not parse as what it must be.
    #[error("{0}")]
    Invalid(String),
    /// A GPU with neither product nor gfx target.
    #[error("a GPU needs `product` or `gfx`")]
    EmptyGpu,
}

fn in_table(table: &str) -> String {
    if table.is_empty() { String::new() } else { format!(" in `[{table}]`") }
}

/// What a key may have meant that is not known where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meant {
    /// Another key of the same table.
    Key(String),
    /// The same key in another table; empty for the top.
    Table(String),
}

fn meant_text(meant: Option<&Meant>) -> String {
    match meant {
        None => String::new(),
        Some(Meant::Key(key)) => did_you_mean(Some(key)),
        Some(Meant::Table(table)) if table.is_empty() => {
            "; it stands at the top of the file, above all tables".to_owned()
        }
        Some(Meant::Table(table)) => format!("; it belongs to `[{table}]`"),
    }
}

/// The end of a message about an unknown name; empty where nothing is like it.
pub fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// The candidate most like `text`, if one is like it at all.
pub fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let score = |candidate: &str| strsim::jaro_winkler(text, candidate);
    candidates
        .into_iter()
        .map(|candidate| (score(candidate), candidate))
        .filter(|(likeness, _)| *likeness >= LIKE_ENOUGH)
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
        .map(|(_, candidate)| candidate)
}

/// Below this a suggestion confuses more than it helps (`torch` is no misspelt `tests`).
const LIKE_ENOUGH: f64 = 0.75;
