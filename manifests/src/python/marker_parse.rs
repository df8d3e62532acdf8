//! Reads the marker grammar of the dependency specifiers specification (PEP 508) into a tree.
//!
//! It decides nothing about values. A comparison of two literals or of two variables is an
//! error: the specification gives it no meaning.

use super::marker::{Comparison, Node, Operator, Subject};
use super::marker_env::MarkerVariable;
use super::specifier::Clause;

/// The tree of `text`, or why there is none.
pub(super) fn parse(text: &str) -> Result<Node, String> {
    let mut parser = Parser { rest: text, depth: 0 };
    let node = parser.or()?;
    parser.skip_space();
    match parser.rest {
        "" => Ok(node),
        rest => Err(format!("`{rest}` is left over")),
    }
}

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
}

enum Side<'t> {
    Literal(&'t str),
    Subject(Subject),
}

impl<'t> Parser<'t> {
    fn or(&mut self) -> Result<Node, String> {
        let mut nodes = vec![self.and()?];
        while self.takes_word("or") {
            nodes.push(self.and()?);
        }
        Ok(join(nodes, Node::Or))
    }

    fn and(&mut self) -> Result<Node, String> {
        let mut nodes = vec![self.atom()?];
        while self.takes_word("and") {
            nodes.push(self.atom()?);
        }
        Ok(join(nodes, Node::And))
    }

    fn atom(&mut self) -> Result<Node, String> {
        self.skip_space();
        let Some(rest) = self.rest.strip_prefix('(') else { return self.comparison() };
        self.rest = rest;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("it is nested too deeply".to_owned());
        }
        let node = self.or()?;
        self.depth -= 1;
        self.skip_space();
        self.rest = self.rest.strip_prefix(')').ok_or("a `(` is never closed")?;
        Ok(node)
    }

    fn comparison(&mut self) -> Result<Node, String> {
        let left = self.side()?;
        let operator = self.operator()?;
        let right = self.side()?;
        let (subject, literal, literal_is_left) = match (left, right) {
            (Side::Subject(subject), Side::Literal(literal)) => (subject, literal, false),
            (Side::Literal(literal), Side::Subject(subject)) => (subject, literal, true),
            (Side::Literal(_), Side::Literal(_)) => return Err("two texts are compared".to_owned()),
            (Side::Subject(_), Side::Subject(_)) => {
                return Err("two variables are compared".to_owned());
            }
        };
        let literal = match subject {
            Subject::Extra => normal_name(literal),
            Subject::Variable(_) => literal.into(),
        };
        let clause = match subject {
            Subject::Variable(variable) if variable.is_version() && !literal_is_left => {
                format!("{operator}{literal}").parse::<Clause>().ok()
            }
            _ => None,
        };
        Ok(Node::Compare(Comparison { subject, operator, literal, literal_is_left, clause }))
    }

    fn side(&mut self) -> Result<Side<'t>, String> {
        self.skip_space();
        if let Some(quote) = self.rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let (literal, rest) =
                self.rest[1..].split_once(quote).ok_or("a quote is never closed")?;
            self.rest = rest;
            // The specification defines no escapes, so that a backslash has no agreed meaning.
            if literal.contains('\\') {
                return Err("a text must not contain a backslash".to_owned());
            }
            return Ok(Side::Literal(literal));
        }
        let word = self.word(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        match word {
            "" => Err("a comparison is not complete".to_owned()),
            "extra" => Ok(Side::Subject(Subject::Extra)),
            name => MarkerVariable::named(name)
                .map(|variable| Side::Subject(Subject::Variable(variable)))
                .ok_or_else(|| format!("there is no variable `{name}`")),
        }
    }

    fn operator(&mut self) -> Result<Operator, String> {
        self.skip_space();
        if self.takes_word("in") {
            return Ok(Operator::In);
        }
        if self.takes_word("not") {
            return if self.takes_word("in") {
                Ok(Operator::NotIn)
            } else {
                Err("`not` without `in`".to_owned())
            };
        }
        Ok(match self.word(|c| matches!(c, '<' | '>' | '=' | '!' | '~')) {
            "<" => Operator::Less,
            "<=" => Operator::LessOrEqual,
            "==" => Operator::Equal,
            "!=" => Operator::NotEqual,
            ">=" => Operator::GreaterOrEqual,
            ">" => Operator::Greater,
            "~=" => Operator::Compatible,
            "===" => Operator::Exact,
            "" => return Err("an operator is missing".to_owned()),
            other => return Err(format!("there is no operator `{other}`")),
        })
    }

    /// Takes `word` if it stands next and by itself.
    fn takes_word(&mut self, word: &str) -> bool {
        self.skip_space();
        let Some(rest) = self.rest.strip_prefix(word) else { return false };
        if rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return false;
        }
        self.rest = rest;
        true
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }
}

fn join(mut nodes: Vec<Node>, make: fn(Vec<Node>) -> Node) -> Node {
    match nodes.pop() {
        Some(only) if nodes.is_empty() => only,
        Some(last) => {
            nodes.push(last);
            make(nodes)
        }
        None => make(nodes),
    }
}

/// The normal form of a name (PEP 503), also of a text that is none.
fn normal_name(text: &str) -> Box<str> {
    let mut normal = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '-' | '_' | '.' if normal.ends_with('-') => {}
            '-' | '_' | '.' => normal.push('-'),
            other => normal.extend(other.to_lowercase()),
        }
    }
    normal.into()
}

/// Deeper than any written by hand, and far from the end of the stack.
const MAX_DEPTH: usize = 64;
