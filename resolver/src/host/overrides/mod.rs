//! What the user says instead of what the machine says.
//!
//! An override is a key and a text. The short keys (`os`, `gpus`, `driver` ...) take the
//! words of `rocm.toml` and change all facts that hang together; every other fact is
//! reached by its path in the JSON form (`cpu.threads`, `devices.0.open`). What was given
//! is kept beside the facts with its origin, so that messages can say it.

mod change;
mod path;
mod text;

use rocmenv_manifests::project::{did_you_mean, nearest};
use rocmenv_manifests::sourced::Sourced;

use super::HostFacts;
use super::lookup::ProductLookup;

use change::Change;

/// Facts that were given, in the order in which they were said; the last word on a key wins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides(Vec<(String, Sourced<String>)>);

/// An override that cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OverrideError {
    /// The text has no `=`.
    #[error("`{text}` is not a fact (write `KEY=VALUE`, such as `driver=30.20.1`)")]
    NoValue {
        /// The text.
        text: String,
    },
    /// There is no such fact.
    #[error("unknown fact `{key}`{}", did_you_mean(.nearest.as_deref()))]
    UnknownKey {
        /// The key.
        key: String,
        /// The nearest key that exists.
        nearest: Option<String>,
    },
    /// The fact cannot have this value.
    #[error("`{value}` is not a value of `{key}`: {reason}")]
    InvalidValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// Why.
        reason: String,
    },
    /// The table of products has no such GPU.
    #[error("unknown GPU `{name}`{}", did_you_mean(.nearest.as_deref()))]
    UnknownProduct {
        /// The name.
        name: String,
        /// The nearest name in the table.
        nearest: Option<String>,
    },
}

impl Overrides {
    /// Adds a fact under a key.
    pub fn set(&mut self, key: impl Into<String>, value: Sourced<String>) {
        self.0.push((key.into(), value));
    }

    /// Adds a fact written as `KEY=VALUE`.
    pub fn set_text(&mut self, text: Sourced<String>) -> Result<(), OverrideError> {
        let Some((key, value)) = text.value.split_once('=') else {
            return Err(OverrideError::NoValue { text: text.value });
        };
        let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
        self.set(key, Sourced::new(value, text.origin));
        Ok(())
    }

    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The facts with what was given put in their places. System and WSL are applied first,
    /// since they decide what a driver version means.
    pub fn apply(
        &self,
        facts: &HostFacts,
        products: &dyn ProductLookup,
    ) -> Result<HostFacts, OverrideError> {
        let mut facts = facts.clone();
        let (first, rest): (Vec<_>, Vec<_>) =
            self.0.iter().partition(|(key, _)| key == "os" || key == "wsl");
        for (key, given) in first.into_iter().chain(rest) {
            match text::change(key, &given.value, &facts)? {
                Some(change) => change.apply(&mut facts, products)?,
                None => facts = path::set(&facts, key, &given.value)?,
            }
            facts.overrides.insert(key.clone(), given.clone());
        }
        Ok(facts)
    }
}

fn unknown_key<'a>(key: &str, known: impl IntoIterator<Item = &'a str>) -> OverrideError {
    let nearest = nearest(key, known).map(str::to_owned);
    OverrideError::UnknownKey { key: key.to_owned(), nearest }
}
