//! Where a package belongs, in text: `TARGET`, `TARGET/ENV`, `TARGET/ENV+GROUP`.

use std::fmt;
use std::str::FromStr;

use super::types::Membership;
use crate::name::{EnvName, NameError};

impl fmt::Display for Membership {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.target)?;
        if !self.env.is_default() || self.group.is_some() {
            write!(f, "/{}", self.env)?;
        }
        self.group.iter().try_for_each(|group| write!(f, "+{group}"))
    }
}

impl FromStr for Membership {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let (place, group) = match text.split_once('+') {
            Some((place, group)) => (place, Some(group.parse()?)),
            None => (text, None),
        };
        let (target, env) = match place.split_once('/') {
            Some((target, env)) => (target, env.parse()?),
            None => (place, EnvName::default_env()),
        };
        Ok(Self { target: target.parse()?, env, group })
    }
}
