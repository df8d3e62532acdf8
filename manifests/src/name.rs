//! Names that users give: targets, environments, groups, indexes and components.
//!
//! All share one grammar (lower-case letters, digits, `-`, `_` and `.`, beginning with a letter
//! or digit), because they become folder names and lock entries on every system.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

pub use pep508_rs::{ExtraName, PackageName};
use serde::{Deserialize, Serialize};

/// The text cannot be such a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` cannot name {kind}: use lower-case letters, digits, `-`, `_` and `.`")]
pub struct NameError {
    text: String,
    kind: &'static str,
}

macro_rules! name {
    ($type:ident, $kind:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $type(String);

        impl $type {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $type {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                if is_name(text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(NameError { text: text.to_owned(), kind: $kind })
                }
            }
        }

        impl TryFrom<String> for $type {
            type Error = NameError;

            fn try_from(text: String) -> Result<Self, NameError> {
                text.parse()
            }
        }

        impl From<$type> for String {
            fn from(name: $type) -> Self {
                name.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $type {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    };
}

name!(TargetName, "a target", "A host that the lock is made for (`[targets.NAME]`).");
name!(EnvName, "an environment", "One of several environments of a project (`[env.NAME]`).");
name!(GroupName, "a group", "A set of extra packages (`[groups.NAME]`).");
name!(IndexName, "an index", "A place that serves packages (`[indexes.NAME]` or the registry's).");
name!(ComponentName, "a component", "A part of ROCm that a user asks for (`runtime`, `hip-dev`).");
name!(ChannelName, "a channel", "A place that serves artifacts of a ROCm line.");

impl TargetName {
    /// The target made of the host itself when rocm.toml names none.
    pub fn host() -> Self {
        Self("host".to_owned())
    }
}

impl EnvName {
    /// The environment of a project that has only one.
    pub fn default_env() -> Self {
        Self("default".to_owned())
    }

    /// Whether this is the environment of a project that has only one.
    pub fn is_default(&self) -> bool {
        self.0 == "default"
    }
}

impl IndexName {
    /// The general Python package index, wherever the user's configuration says it is.
    pub fn python() -> Self {
        Self("python".to_owned())
    }

    /// The distribution's own archive, from the host's apt sources.
    pub fn distribution() -> Self {
        Self("distribution".to_owned())
    }
}

fn is_name(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b);
    text.len() <= MAX_LEN
        && text.bytes().all(allowed)
        && text.bytes().next().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        && !text.ends_with('.')
}

/// Short enough to be part of a path on Windows.
const MAX_LEN: usize = 64;
