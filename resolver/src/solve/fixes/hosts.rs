//! The changes of a host that a row of the registry offers: another driver, kernel or system.
//!
//! Only what a table names for a release that is asked for is tried, the nearest first; the first
//! of each kind that makes the question solvable is a fix. Forward goes before back, because that
//! is what hosts do.

use std::collections::BTreeSet;

use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::registry::query::{Kernel, KnownGpu, NamedKernel, System};
use rocmenv_manifests::registry::rows::support::OsSupport;
use rocmenv_manifests::registry::{Judgement, Registry, Verdict};
use rocmenv_manifests::version::{Dotted, DriverVersion, RocmVersion};

use super::Surroundings;
use super::moves::Move;
use crate::solve::from_registry::{gpus_of, system_of};
use crate::solve::member::Member;
use crate::solve::question::Question;
use crate::solve::stack::{Fact, Release};
use crate::target::{Target, TargetDriver};

/// What a host could become.
pub(super) struct HostMoves<'s> {
    question: &'s Question,
    core: &'s BTreeSet<Member>,
    registry: Option<&'s Registry>,
    system: Option<System>,
    gpus: Vec<KnownGpu>,
}

impl<'s> HostMoves<'s> {
    pub(super) fn of(
        question: &'s Question,
        core: &'s BTreeSet<Member>,
        surroundings: Option<&Surroundings<'s>>,
    ) -> Self {
        let registry = surroundings.map(|it| it.registry);
        let gpus = registry.map(|registry| gpus_of(registry, &question.target));
        let (system, gpus) = (system_of(&question.target), gpus.unwrap_or_default());
        Self { question, core, registry, system, gpus }
    }

    /// The releases that are asked for.
    fn releases(&self) -> impl Iterator<Item = &Release> {
        let wanted = self.question.wants.rocm.as_ref().map(|rocm| &rocm.value);
        self.question.stack.releases.iter().filter(move |release| {
            wanted.is_none_or(|wanted| wanted.matches(&release.version.dotted()))
        })
    }

    fn concerns(&self, facts: &[Fact]) -> bool {
        facts.iter().any(|fact| self.core.contains(&Member::Host(*fact)))
    }

    /// Drivers that AMD lists for a release that is asked for: the next newer one first, because
    /// going forward is what drivers do.
    pub(super) fn drivers(&self) -> Vec<Move> {
        let concerns =
            self.core.contains(&Member::Host(Fact::Driver)) || self.core.contains(&Member::Driver);
        let (Some(registry), true) = (self.registry, concerns) else { return Vec::new() };
        let Some(has) = self.question.target.driver.as_ref().map(|driver| &driver.value) else {
            return Vec::new();
        };
        let wsl = self.question.target.wsl;
        let mut found: Vec<TargetDriver> = Vec::new();
        for release in self.releases() {
            match has {
                TargetDriver::Amd(_) | TargetDriver::UnknownRelease { .. } => {
                    let told = registry.release_with_drivers(&release.version);
                    let listed = told.map(|told| registry.drivers_for(told)).unwrap_or_default();
                    let lowest = listed.into_iter().filter_map(|pattern| {
                        let parts: Vec<String> =
                            pattern.lowest().iter().map(u32::to_string).collect();
                        parts.join(".").parse().ok()
                    });
                    found.extend(lowest.map(TargetDriver::Amd));
                }
                TargetDriver::Adrenalin(_) => {
                    let listed = registry.windows_drivers_for(&release.version, wsl);
                    found.extend(
                        listed.into_iter().map(|row| TargetDriver::Adrenalin(row.driver.clone())),
                    );
                }
                TargetDriver::InTree => {}
            }
        }
        found.sort_by_key(|driver| number(driver).cloned());
        found.dedup();
        let own = number(has);
        let (older, newer): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|driver| own.is_some() && number(driver) <= own);
        let older = older.into_iter().rev().filter(|driver| number(driver) != own);
        newer.into_iter().chain(older).take(MOST_DRIVERS).map(Move::Driver).collect()
    }

    /// Kernels that a table names for the system, the GPU and a release that is asked for.
    pub(super) fn kernels(&self) -> Vec<Move> {
        let (Some(registry), Some(system)) = (self.registry, &self.system) else {
            return Vec::new();
        };
        let Some(has) = &self.question.target.kernel else { return Vec::new() };
        if !self.concerns(&[Fact::Kernel, Fact::Driver, Fact::Gpu]) {
            return Vec::new();
        }
        let mut named: Vec<NamedKernel> =
            self.gpus.iter().flat_map(|gpu| registry.kernel_floors(gpu, system)).collect();
        for release in self.releases() {
            let each = self.gpus.iter().map(Some).chain(self.gpus.is_empty().then_some(None));
            named.extend(each.flat_map(|gpu| registry.kernels_for(system, &release.version, gpu)));
        }
        let mut found: Vec<(Dotted, Option<String>)> =
            named.into_iter().map(|one| (one.kernel.version, one.kernel.flavour)).collect();
        found.retain(|(version, _)| !has.value.starts_with(version));
        let moves = nearest(found, |(version, _)| version.clone(), &has.value).into_iter();
        moves.map(|(to, flavour)| Move::Kernel { to, flavour }).collect()
    }

    /// Systems that a table lists for a release that is asked for: the same distribution's first.
    pub(super) fn systems(&self) -> Vec<Move> {
        let (Some(registry), Some(own)) = (self.registry, &self.system) else { return Vec::new() };
        if !self.concerns(&[Fact::Os, Fact::Gpu]) {
            return Vec::new();
        }
        let releases: Vec<Dotted> =
            self.releases().map(|release| release.version.dotted()).collect();
        let serves = |row: &&OsSupport| {
            let is_asked = |release: &Dotted| {
                row.releases.iter().any(|pattern| pattern.contains(release.parts()))
            };
            row.status.is_listed() && releases.iter().any(is_asked)
        };
        let rows = registry.os_support().row.iter().filter(serves);
        let mut found: Vec<OsRelease> = rows
            .filter(|row| row.os.is_wsl() == own.wsl)
            .filter_map(|row| row.os.0.strip_prefix("wsl-").unwrap_or(&row.os.0).parse().ok())
            .filter(|os: &OsRelease| os.family() == own.os.family() && *os != own.os)
            .collect();
        found.sort();
        found.dedup();
        let (same, others): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|os| os.distribution == own.os.distribution);
        let version = |os: &OsRelease| os.version.as_deref().and_then(Dotted::leading);
        let same = match version(&own.os) {
            Some(has) => nearest(same, |os| version(os).unwrap_or_else(|| has.clone()), &has),
            None => same,
        };
        let others = others.into_iter().rev();
        same.into_iter().take(MOST).chain(others.take(MOST)).map(Move::System).collect()
    }
}

/// The document that names a kernel for the system and a GPU of the target with a release.
pub(super) fn kernel_source(
    surroundings: &Surroundings<'_>,
    target: &Target,
    kernel: &Dotted,
    rocm: &RocmVersion,
) -> Option<String> {
    let (registry, system) = (surroundings.registry, system_of(target)?);
    let kernel = Kernel::from(kernel.clone());
    let gpus = gpus_of(registry, target);
    let each = gpus.iter().map(Some).chain(gpus.is_empty().then_some(None));
    let named = each.filter_map(|gpu| registry.kernel_with_rocm(&kernel, &system, rocm, gpu));
    let of_apu =
        gpus.iter().filter_map(|gpu| registry.apu_kernel_with_rocm(&kernel, gpu, &system, rocm));
    named.chain(of_apu).find_map(|said| document(&said))
}

/// The document that lists a system for a release.
pub(super) fn system_source(
    surroundings: &Surroundings<'_>,
    target: &Target,
    os: &OsRelease,
    rocm: &RocmVersion,
) -> Option<String> {
    let registry = surroundings.registry;
    let system = System { os: os.clone(), wsl: target.wsl };
    let gpus = gpus_of(registry, target);
    let mut each = gpus.iter().map(Some).chain(gpus.is_empty().then_some(None));
    each.find_map(|gpu| document(&registry.system_with_rocm(&system, rocm, gpu)))
}

fn document(said: &Judgement) -> Option<String> {
    let is_listed = said.verdict == Verdict::Listed;
    said.evidence.first().filter(|_| is_listed).map(ToString::to_string)
}

/// Newer ones from the nearest on, then older ones from the nearest on.
fn nearest<T: PartialEq>(all: Vec<T>, number: impl Fn(&T) -> Dotted, has: &Dotted) -> Vec<T> {
    let (mut newer, mut older): (Vec<T>, Vec<T>) =
        all.into_iter().partition(|one| number(one) > *has);
    newer.sort_by_key(&number);
    older.sort_by_key(|one| std::cmp::Reverse(number(one)));
    newer.dedup();
    older.dedup();
    newer.into_iter().take(MOST).chain(older.into_iter().take(MOST)).collect()
}

fn number(driver: &TargetDriver) -> Option<&DriverVersion> {
    match driver {
        TargetDriver::Amd(number) | TargetDriver::Adrenalin(number) => Some(number),
        TargetDriver::UnknownRelease { .. } | TargetDriver::InTree => None,
    }
}

/// Drivers further away than this are not tried.
const MOST_DRIVERS: usize = 12;

/// Kernels and systems further away than this, in either direction.
const MOST: usize = 4;
