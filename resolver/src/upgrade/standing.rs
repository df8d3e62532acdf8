//! Where a project stands on the roadmap: the policy's questions that need no plan.

use jiff::civil::Date;
use jiff::{Span, Unit};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::releases::{Release, ReleaseKind};
use rocmenv_manifests::upgrade::{
    Behind, CheckDue, Continuation, RegistryAge, ReleaseRef, Standing,
};
use rocmenv_manifests::version::{RocmVersion, Series};

use super::goal::UpgradePolicy;

/// Where a project that uses `current` stands; `channels` are those that its environment uses.
pub fn standing(
    registry: &Registry,
    current: Option<&RocmVersion>,
    channels: &[&str],
    policy: &UpgradePolicy,
) -> Standing {
    let newest = production(registry).max_by(|a, b| a.version.cmp(&b.version));
    let newer = |release: &&Release| current.is_some_and(|current| release.version > *current);
    let patch = production(registry)
        .filter(|row| current.is_some_and(|current| row.version.series() == current.series()))
        .max_by(|a, b| a.version.cmp(&b.version))
        .filter(newer);
    let behind = current
        .zip(newest)
        .and_then(|(current, newest)| behind(registry, current.series(), newest, policy));
    Standing {
        current: current.map(|version| release_ref(registry, version)),
        patch: patch.map(|row| release_ref(registry, &row.version)),
        newest: newest.filter(newer).map(|row| release_ref(registry, &row.version)),
        behind,
        check: check_due(registry, policy),
        registry: registry_age(registry, policy),
        continuations: channels.iter().filter_map(|name| continuation(registry, name)).collect(),
    }
}

/// A release with its day.
pub(super) fn release_ref(registry: &Registry, version: &RocmVersion) -> ReleaseRef {
    let date = registry.release(version).and_then(|row| row.date.clone());
    ReleaseRef { version: version.clone(), date }
}

/// How far a series is behind the newest one; `None` where it is not further than allowed, or
/// where a day is not known.
fn behind(
    registry: &Registry,
    own: Series,
    newest: &Release,
    policy: &UpgradePolicy,
) -> Option<Behind> {
    let first = first_day(registry, own)?;
    let last = first_day(registry, newest.version.series())?;
    let limit = first.checked_add(Span::new().months(i64::from(policy.behind_months))).ok()?;
    let days = u32::try_from(first.until((Unit::Day, last)).ok()?.get_days()).ok()?;
    (last > limit).then_some(Behind { days, limit_months: policy.behind_months })
}

/// The day of the first release of a series.
fn first_day(registry: &Registry, series: Series) -> Option<Date> {
    let of_series = production(registry).filter(|row| row.version.series() == series);
    of_series.filter_map(|row| row.date.as_deref()?.parse().ok()).min()
}

/// The last look is the registry's own, or a later one of the user's.
fn check_due(registry: &Registry, policy: &UpgradePolicy) -> CheckDue {
    let collected = registry.date().parse::<Date>().ok();
    let last = collected.into_iter().chain(policy.last_check).max();
    let due =
        last.and_then(|last| last.checked_add(Span::new().days(i64::from(policy.check_days))).ok());
    CheckDue {
        last: last.map_or_else(|| registry.date().to_owned(), |last| last.to_string()),
        every_days: policy.check_days,
        due_on: due.map(|due| due.to_string()),
        is_due: due.zip(policy.today).is_some_and(|(due, today)| today >= due),
    }
}

fn registry_age(registry: &Registry, policy: &UpgradePolicy) -> RegistryAge {
    let collected = registry.date().parse::<Date>().ok();
    let days = collected.zip(policy.today).and_then(|(collected, today)| {
        u32::try_from(collected.until((Unit::Day, today)).ok()?.get_days()).ok()
    });
    RegistryAge {
        date: registry.date().to_owned(),
        days,
        is_old: days.is_some_and(|days| days > policy.check_days),
    }
}

/// Where a channel goes on, if it has ended or been frozen.
fn continuation(registry: &Registry, name: &str) -> Option<Continuation> {
    let channel = registry.channel(name)?;
    if channel.until.is_none() && !channel.frozen {
        return None;
    }
    let next = registry.continues_at(channel);
    Some(Continuation {
        channel: channel.name.clone(),
        until: channel.until.clone(),
        is_frozen: channel.frozen,
        continues_at: next.map(|next| next.name.clone()),
        url: next.and_then(|next| next.url.clone()),
    })
}

pub(super) fn production(registry: &Registry) -> impl Iterator<Item = &Release> {
    registry.releases().release.iter().filter(|row| row.kind == ReleaseKind::Production)
}
