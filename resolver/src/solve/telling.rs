//! The text of a refusal: one cause a line, each with who says it. Nothing here decides.

use std::fmt;

use rocmenv_manifests::name::IndexName;

use super::cause::Cause;
use super::exclusion::Exclusion;
use super::known_builds::KnownBuild;
use super::refusal::Refusal;
use super::stack::{Fact, Grade};
use super::told::MAX_LISTED;

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, cause) in self.causes.iter().enumerate() {
            write!(f, "{}{cause}", if at > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked { what, origin } => write!(f, "{origin} asks for {what}"),
            Self::NativeWindows { text, source } => {
                f.write_str(text)?;
                said_by(f, source.as_deref())
            }
            Self::Needs { who, versions, what, index } => {
                write!(f, "{who} {} needs {what}{}", short(versions), of_index(index.as_ref()))
            }
            Self::Unusable { what, versions, whys, index } => {
                let index = of_index(index.as_ref());
                write!(f, "{what} {}{index}: {}", short(versions), reasons(whys))?;
                match (whys.first(), versions.first()) {
                    (Some(Exclusion::SourceOnly), Some(version)) => write!(
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
            Self::NotFound { what, requirement, best: Some(best), index } => {
                let index = of_index(index.as_ref());
                write!(f, "no {what} is {requirement}; the newest is {best}{index}")
            }
            Self::KnownBuilds { what, builds, not_for, source } => {
                write!(f, "the known builds of {what} are for {}", listed(builds))?;
                match not_for.as_slice() {
                    [] => {}
                    [one] => write!(f, ", not for {one}")?,
                    all => write!(f, ", neither for {}", all.join(" nor for "))?,
                }
                said_by(f, source.as_deref())
            }
            Self::Graded { what, versions, grade, text, source } => {
                match text.as_str() {
                    "" => write!(f, "{what} {}: {grade}", short(versions))?,
                    text => write!(f, "{what} {}: {text}", short(versions))?,
                }
                said_by(f, source.as_deref())?;
                if *grade == Grade::Refused {
                    return Ok(());
                }
                write!(f, "; `[policy] accept` does not take what is \"{grade}\"")
            }
            Self::Host { fact, has, origin, who, versions, needs, text, source } => {
                if who.is_empty() {
                    write!(f, "the {fact} must be {needs}")?;
                } else {
                    write!(f, "{who} {} needs {needs}", short(versions))?;
                }
                if *fact == Fact::Driver {
                    said_by(f, source.as_deref())?;
                }
                write!(f, "; the {fact} of this target is {has}")?;
                origin.iter().try_for_each(|origin| write!(f, " ({origin})"))?;
                if text.is_empty() {
                    return Ok(());
                }
                write!(f, ": {text}")?;
                said_by(f, source.as_deref())
            }
            Self::Unreadable { query, why } => write!(f, "{query} could not be read: {why}"),
        }
    }
}

fn said_by(f: &mut fmt::Formatter<'_>, source: Option<&str>) -> fmt::Result {
    source.into_iter().try_for_each(|source| write!(f, " ({source})"))
}

fn of_index(index: Option<&IndexName>) -> String {
    index.map_or_else(String::new, |index| format!(" (index `{index}`)"))
}

/// Builds by series, the newest in full.
fn listed(builds: &[KnownBuild]) -> String {
    let one = |build: &KnownBuild| match build.tags.join(" ") {
        tags if tags.is_empty() => format!("ROCm {}", build.rocm),
        tags => format!("ROCm {} ({tags})", build.rocm),
    };
    let mut words: Vec<String> = builds.iter().take(MAX_LISTED).map(one).collect();
    let older = builds.len() - words.len();
    if older > 0 {
        words.push(format!("{older} older"));
    }
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// Reasons of one kind, their values side by side.
fn reasons(whys: &[Exclusion]) -> String {
    let Some((first, rest)) = whys.split_first() else { return String::new() };
    if rest.is_empty() {
        return first.to_string();
    }
    let values: Vec<String> = whys.iter().filter_map(value).collect();
    let listed = short_list(&values);
    match first {
        Exclusion::BuiltForOther(_) => format!("built for ROCm {listed}"),
        Exclusion::PythonTags(_) => format!("wheels for other Pythons only ({listed})"),
        Exclusion::Platform(_) => format!("wheels for other systems only ({listed})"),
        Exclusion::RequiresPython(_) => format!("need Python {listed}"),
        Exclusion::Libc { has, .. } => format!("need glibc {listed} (the target has {has})"),
        other => other.to_string(),
    }
}

fn value(why: &Exclusion) -> Option<String> {
    match why {
        Exclusion::BuiltForOther(rocm) => Some(rocm.to_string()),
        Exclusion::PythonTags(tags) | Exclusion::Platform(tags) => Some(tags.join(" ")),
        Exclusion::RequiresPython(specifiers) => Some(specifiers.clone()),
        Exclusion::Libc { needs, .. } => Some(needs.to_string()),
        _ => None,
    }
}

fn short_list(values: &[String]) -> String {
    let mut values: Vec<&str> = values.iter().map(String::as_str).collect();
    values.dedup();
    match values.split_at_checked(MOST_REASONS) {
        Some((some, more)) if !more.is_empty() => {
            format!("{} and {} more", some.join(", "), more.len())
        }
        _ => values.join(", "),
    }
}

/// A few versions in full, many as a range.
fn short(versions: &[String]) -> String {
    // One version may be there as several builds.
    let mut versions = versions.to_vec();
    versions.dedup();
    match versions.as_slice() {
        [best, .., worst] if versions.len() > MAX_LISTED => {
            format!("{worst} to {best} ({} versions)", versions.len())
        }
        _ => versions.join(", "),
    }
}

/// More reasons than this are counted.
const MOST_REASONS: usize = 8;
