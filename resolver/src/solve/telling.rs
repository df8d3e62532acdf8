//! The text of a refusal: one cause a line, then what would do. Nothing here decides.

use std::fmt;

use super::exclusion::Exclusion;
use super::refusal::{Cause, MAX_LISTED, Refusal};

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, cause) in self.causes.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            write!(f, "{cause}")?;
        }
        self.fixes.iter().try_for_each(|fix| write!(f, "\nthis would do: {fix}"))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked { what, origin } => write!(f, "{origin} asks for {what}"),
            Self::Needs { who, versions, what } => {
                write!(f, "{who} {} needs {what}", short(versions))
            }
            Self::Unusable { what, versions, why } => {
                write!(f, "{what} {}: {why}", short(versions))?;
                match (why, versions.first()) {
                    (Exclusion::SourceOnly, Some(version)) => write!(
                        f,
                        "; `rocmenv run pip wheel --no-deps --wheel-dir wheels {what}=={version}` \
                         makes a wheel of it, and rocm.toml takes it with \
                         `{what} = {{ version = \"=={version}\", index = \"wheels\" }}` and \
                         `wheels = {{ url = \"wheels\", kind = \"find-links\" }}` in `[indexes]`"
                    ),
                    _ => Ok(()),
                }
            }
            Self::NotFound { what, best: None, .. } => write!(f, "there is no {what}"),
            Self::NotFound { what, requirement, best: Some(best) } => {
                write!(f, "no {what} is {requirement}; the newest is {best}")
            }
            Self::Host { fact, has, origin, who, needs } => {
                if who.is_empty() {
                    write!(f, "the {fact} must be {needs}")?;
                } else {
                    write!(f, "{who} needs {needs}")?;
                }
                write!(f, "; the {fact} of this target is {has}")?;
                origin.iter().try_for_each(|origin| write!(f, " ({origin})"))
            }
            Self::Unreadable { query, why } => write!(f, "{query} could not be read: {why}"),
        }
    }
}

/// A few versions in full, many as a range.
fn short(versions: &[String]) -> String {
    match versions {
        [best, .., worst] if versions.len() > MAX_LISTED => {
            format!("{worst} to {best} ({} versions)", versions.len())
        }
        _ => versions.join(", "),
    }
}
