//! Whether any version at all can satisfy a set of specifiers (`>=2,<1` cannot).
//!
//! Each clause takes or leaves whole stretches of the order, and a stretch begins or ends beside
//! the version that the clause names. So the versions beside the named ones are tried: if one
//! fits it is the proof, and where none fits there is none. The answer is for messages; the
//! solver itself only ever asks about versions that exist.

use pep440_rs::{Operator, Prerelease, PrereleaseKind, Version};

use super::specifier::{Clause, Prereleases, VersionSpecifiers};
use super::version::is_prerelease;

impl VersionSpecifiers {
    /// Whether some version fits, be it published or not.
    pub fn is_satisfiable(&self, prereleases: Prereleases) -> bool {
        let mut beside = vec![Version::new([0])];
        for clause in self.clauses() {
            match clause {
                Clause::Version(specifier) if *specifier.operator() == Operator::ExactEqual => {
                    beside.push(specifier.version().clone());
                }
                Clause::Version(specifier) => add_neighbours(specifier.version(), &mut beside),
                Clause::Text(_) => return false,
            }
        }
        let allowed =
            |version: &Version| prereleases != Prereleases::Deny || !is_prerelease(version);
        beside.iter().any(|version| allowed(version) && self.contains(version))
    }
}

/// The version itself and those beside it, at every level at which a clause may end.
fn add_neighbours(version: &Version, into: &mut Vec<Version>) {
    let public = version.clone().without_local();
    let plain = public.only_release().with_epoch(public.epoch());
    let release = plain.release();
    into.extend([version.clone(), public.clone()]);
    // Within the same release: one step of each part that may follow it.
    let pres = match public.pre() {
        None => vec![None, Some(first(PrereleaseKind::Alpha))],
        Some(pre) => pre_steps(pre),
    };
    for pre in pres {
        let posts = [None, Some(0), public.post(), step(public.post(), 1), step(public.post(), -1)];
        for post in posts {
            for dev in [None, Some(0), public.dev(), step(public.dev(), 1), step(public.dev(), -1)]
            {
                into.push(plain.clone().with_pre(pre).with_post(post).with_dev(dev));
            }
        }
    }
    // At each part of the release: one more, one less, and one part longer.
    for at in 0..release.len() {
        let with = |part: Option<u64>, tail: &[u64]| {
            let parts = release[..at].iter().copied().chain(part).chain(tail.iter().copied());
            Version::new(parts.collect::<Vec<_>>()).with_epoch(public.epoch())
        };
        add_release(with(release[at].checked_add(1), &[]), into);
        if let Some(less) = release[at].checked_sub(1) {
            add_release(with(Some(less), &[FAR]), into);
        }
    }
    let longer: Vec<u64> = release.iter().copied().chain([0, 1]).collect();
    add_release(Version::new(longer).with_epoch(public.epoch()), into);
    // Across epochs.
    add_release(Version::new([0]).with_epoch(public.epoch().saturating_add(1)), into);
    if let Some(epoch) = public.epoch().checked_sub(1) {
        add_release(Version::new([FAR]).with_epoch(epoch), into);
    }
}

fn add_release(version: Version, into: &mut Vec<Version>) {
    into.push(version.clone().with_dev(Some(0)));
    into.push(version);
}

fn pre_steps(pre: Prerelease) -> Vec<Option<Prerelease>> {
    let mut steps = vec![None, Some(pre)];
    for number in [step(Some(pre.number), 1), step(Some(pre.number), -1)].into_iter().flatten() {
        steps.push(Some(Prerelease { number, ..pre }));
    }
    for kind in [PrereleaseKind::Alpha, PrereleaseKind::Beta, PrereleaseKind::Rc] {
        steps.extend([Some(first(kind)), Some(Prerelease { kind, number: FAR })]);
    }
    steps
}

fn first(kind: PrereleaseKind) -> Prerelease {
    Prerelease { kind, number: 0 }
}

fn step(number: Option<u64>, by: i64) -> Option<u64> {
    number?.checked_add_signed(by)
}

/// Further than any number that a person writes.
const FAR: u64 = 999_999_999;
