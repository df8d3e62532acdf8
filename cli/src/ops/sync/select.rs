//! Which of the lock's targets this host gets.

use rocmenv_manifests::lock::{Lock, LockedTarget};
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_resolver::target::{Mismatch, Target, fit};

use crate::error::{Exit, Failure};

/// A chosen target and what was passed over for it.
#[derive(Debug, Clone)]
pub struct Selected<'l> {
    /// Its part of the lock.
    pub locked: &'l LockedTarget,
    /// Soft predicates that this host fails; only where the target was asked for.
    pub passed_over: Vec<Mismatch>,
}

/// The target that was asked for, unless a hard predicate fails; else the first of the lock that
/// fits this host, in the order of rocm.toml.
///
/// # Errors
/// None fits, or none is there.
pub fn select<'l>(
    lock: &'l Lock,
    order: &[TargetName],
    env: &EnvName,
    asked: Option<&TargetName>,
    host: &Target,
) -> Result<Selected<'l>, SelectError> {
    let mut candidates: Vec<&LockedTarget> =
        lock.targets.iter().filter(|target| target.env == *env).collect();
    let place = |target: &LockedTarget| order.iter().position(|name| *name == target.name);
    candidates.sort_by_key(|target| place(target).unwrap_or(usize::MAX));
    if candidates.is_empty() {
        return Err(SelectError::NoEnvironment { env: env.clone() });
    }
    if let Some(name) = asked {
        let found = candidates.iter().find(|target| target.name == *name);
        let Some(locked) = found else {
            let known = candidates.iter().map(|target| target.name.clone()).collect();
            return Err(SelectError::NotLocked { name: name.clone(), known });
        };
        let (hard, soft): (Vec<_>, Vec<_>) =
            fit(&locked.contract, host).into_iter().partition(|mismatch| mismatch.hard);
        return if hard.is_empty() {
            Ok(Selected { locked, passed_over: soft })
        } else {
            Err(SelectError::NeverFits { name: name.clone(), mismatches: hard })
        };
    }
    let mut failed = Vec::new();
    for locked in candidates {
        let mismatches = fit(&locked.contract, host);
        if mismatches.is_empty() {
            return Ok(Selected { locked, passed_over: Vec::new() });
        }
        failed.push((locked.name.clone(), mismatches));
    }
    Err(SelectError::NoneFits { failed })
}

/// No target can be taken.
#[derive(Debug, thiserror::Error)]
pub enum SelectError {
    /// The lock has nothing for this environment.
    #[error("`rocm.lock` has no environment `{env}`")]
    NoEnvironment {
        /// The environment.
        env: EnvName,
    },
    /// The target that was asked for is not in the lock.
    #[error("`rocm.lock` has no target `{name}`")]
    NotLocked {
        /// The target.
        name: TargetName,
        /// Those that there are.
        known: Vec<TargetName>,
    },
    /// This host can never run the target that was asked for.
    #[error("target `{name}` cannot run here{}", listed(.mismatches))]
    NeverFits {
        /// The target.
        name: TargetName,
        /// The hard predicates that fail.
        mismatches: Vec<Mismatch>,
    },
    /// No target of the lock is this host.
    #[error("no target of `rocm.lock` is this host{}", all_listed(.failed))]
    NoneFits {
        /// Each with what fails.
        failed: Vec<(TargetName, Vec<Mismatch>)>,
    },
}

impl Failure for SelectError {
    fn exit(&self) -> Exit {
        match self {
            Self::NoEnvironment { .. } | Self::NotLocked { .. } => Exit::Stale,
            Self::NeverFits { .. } => Exit::Unmet,
            Self::NoneFits { .. } => Exit::Host,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoEnvironment { .. } => "environment-not-locked",
            Self::NotLocked { .. } => "target-not-locked",
            Self::NeverFits { .. } => "target-never-fits",
            Self::NoneFits { .. } => "host-does-not-fit",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::NoEnvironment { .. } => "rocmenv lock".to_owned(),
            Self::NotLocked { known, .. } => match known.first() {
                Some(first) => format!("--target {first}"),
                None => "rocmenv lock".to_owned(),
            },
            Self::NeverFits { .. } => "describe this host in `[targets]` and lock again".to_owned(),
            Self::NoneFits { failed } => match failed.first() {
                Some((name, _)) => format!(
                    "rocmenv target add (locks this host, too), or rocmenv sync --target {name}"
                ),
                None => "rocmenv lock".to_owned(),
            },
        })
    }
}

fn listed(mismatches: &[Mismatch]) -> String {
    lines("  ", mismatches)
}

fn all_listed(failed: &[(TargetName, Vec<Mismatch>)]) -> String {
    let mut text = String::new();
    for (name, mismatches) in failed {
        text.push_str("\n  ");
        text.push_str(name.as_str());
        text.push(':');
        text.push_str(&lines("    ", mismatches));
    }
    text
}

/// Each on a line of its own, behind the line that is there.
fn lines(indent: &str, mismatches: &[Mismatch]) -> String {
    let lines: Vec<String> =
        mismatches.iter().map(|mismatch| format!("\n{indent}{mismatch}")).collect();
    lines.concat()
}
