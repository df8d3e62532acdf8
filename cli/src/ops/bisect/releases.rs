//! Which release of ROCm was the first that a command fails with. Each release that is tried is
//! locked and synced in a scratch place; the project's own lock and environment stay as they are.
//! What cannot be locked or fetched for this host is passed over and named, as `git bisect skip`
//! does it.

use std::ffi::OsString;

use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::releases::ReleaseKind;
use rocmenv_manifests::version::{Requirement, RocmVersion};
use serde::Serialize;

use super::scratch::Scratch;
use super::search::{Found, search};
use super::{BisectError, Said, Verdict, ran};
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::difference::Difference;
use crate::ops::files;
use crate::ops::lock::{self, Inputs};

/// Which releases are searched.
#[derive(Debug, Clone, Default)]
pub struct ReleaseEnds {
    /// One with which the command works; the one that is locked where none is named.
    pub good: Option<Requirement>,
    /// A later one with which it fails; the one that is locked where none is named.
    pub bad: Option<Requirement>,
}

/// One run.
#[derive(Debug, Clone, Serialize)]
pub struct ReleaseTrial {
    /// The release.
    pub release: RocmVersion,
    /// What came of it.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// What the search found.
#[derive(Debug, Serialize)]
pub struct ReleasesOutcome {
    /// The runs, in the order in which they were made.
    pub trials: Vec<ReleaseTrial>,
    /// The last release that is known to be good.
    pub good: RocmVersion,
    /// The first one that is known to be bad.
    pub bad: RocmVersion,
    /// Releases between them with which it could not be told.
    pub untold: Vec<RocmVersion>,
    /// What changes from the good to the bad one.
    pub difference: Difference,
}

/// Searches. `heard` hears of each run when it has ended.
///
/// # Errors
/// The ends are no two releases, do not say what they should, or the disk fails.
pub fn bisect_releases(
    context: &Context,
    ends: &ReleaseEnds,
    commands: &[Vec<OsString>],
    mut heard: impl FnMut(&ReleaseTrial),
) -> Result<ReleasesOutcome, Error> {
    let inputs = Inputs::read(context)?;
    let registry = crate::ops::registry::load(context)?;
    let mut scratch = Scratch::new(context, inputs)?;
    let releases = between(&scratch, &registry, ends)?;
    let at = |number: u32| releases.get(number as usize).cloned().ok_or(BisectError::Nothing);
    let mut trials = Vec::new();
    let mut sides = vec![None; releases.len()];
    let mut try_one = |number: u32| -> Result<Said, Error> {
        let release = at(number)?;
        let verdict = match scratch.make(&release) {
            Ok(made) => {
                sides[number as usize] = Some(made.side);
                ran(context, &made.current, commands)?
            }
            Err(error) if may_be_passed_over(&error) => {
                let detail = format!("cannot be made here: {}", first_line(&error));
                Verdict { said: Said::Unknown, detail }
            }
            Err(error) => return Err(error),
        };
        let trial = ReleaseTrial { release, verdict };
        heard(&trial);
        let said = trial.verdict.said;
        trials.push(trial);
        Ok(said)
    };
    let numbers: Vec<u32> = (0..).take(releases.len()).collect();
    let (good, bad) = (0, numbers.last().copied().unwrap_or_default());
    for (number, expected) in [(bad, Said::Bad), (good, Said::Good)] {
        let said = try_one(number)?;
        if said != expected {
            let what = format!("ROCm {}", at(number)?);
            return Err(BisectError::End { what, expected, said }.into());
        }
    }
    let found = search(&numbers, good, bad, &mut try_one)?;
    let Found { good, bad, untold } = found;
    let side = |number: u32| sides[number as usize].as_ref().ok_or(BisectError::Nothing);
    let difference = Difference::between(side(good)?, side(bad)?, &registry);
    let untold = untold.into_iter().map(at).collect::<Result<Vec<_>, _>>()?;
    Ok(ReleasesOutcome { trials, good: at(good)?, bad: at(bad)?, untold, difference })
}

/// The releases of the registry from one end to the other, oldest first.
fn between(
    scratch: &Scratch,
    registry: &Registry,
    ends: &ReleaseEnds,
) -> Result<Vec<RocmVersion>, Error> {
    let inputs = scratch.inputs();
    let has_previews = inputs.opened.project.rocm.preview;
    let is_searched = |kind: ReleaseKind| {
        kind == ReleaseKind::Production || (has_previews && kind == ReleaseKind::Preview)
    };
    let rows = registry.releases().release.iter().filter(|row| is_searched(row.kind));
    let mut all: Vec<RocmVersion> = rows.map(|row| row.version.clone()).collect();
    all.sort();
    all.dedup();
    let of_end = |end: &Option<Requirement>| -> Result<RocmVersion, Error> {
        let Some(wanted) = end else { return locked(scratch) };
        let mut newest = all.iter().rev().filter(|release| wanted.matches(&release.dotted()));
        Ok(newest.next().cloned().ok_or_else(|| BisectError::NoRelease(wanted.clone()))?)
    };
    let (good, bad) = (of_end(&ends.good)?, of_end(&ends.bad)?);
    if good >= bad {
        let (good, bad) = (format!("ROCm {good}"), format!("ROCm {bad}"));
        return Err(BisectError::Order { good, bad }.into());
    }
    all.retain(|release| good <= *release && *release <= bad);
    Ok(all)
}

/// The release that the project is locked for.
fn locked(scratch: &Scratch) -> Result<RocmVersion, Error> {
    let text = files::read_optional(&scratch.project().lock())?;
    let lock = text.as_deref().map(Lock::parse).transpose()?.unwrap_or_default();
    let (target, env) = scratch.place();
    let own = lock::locked(&lock, target, env).and_then(|locked| locked.rocm.clone());
    Ok(own.ok_or(BisectError::NotLocked)?)
}

/// What cannot be solved or fetched here is no fault of the command.
fn may_be_passed_over(error: &Error) -> bool {
    matches!(error.exit(), Exit::Unmet | Exit::Host | Exit::Network)
}

fn first_line(error: &Error) -> String {
    let chain = error.chain().join(": ");
    // A refusal says in its first line what, in its second why.
    let lines: Vec<&str> = chain.lines().take(2).map(str::trim).collect();
    lines.join(": ")
}
