//! `[policy]` of upgrades for one call: where the project stands, and when releases were last
//! looked for. The registry's own day counts as a look, and so does `outdated --online`, whose
//! day is kept in the user's data folder.

use std::path::PathBuf;

use fs_err as fs;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rocmenv_manifests::lock::{ArtifactKind, Lock};
use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_manifests::plan;
use rocmenv_manifests::project::Project;
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::upgrade::Standing;
use rocmenv_resolver::upgrade::{self, UpgradePolicy};
use rocmenv_store::fs::{DiskError, replace};

use super::{files, lock};
use crate::context::Context;
use crate::error::Error;

/// Where what is locked for one environment stands.
///
/// # Errors
/// The day of the last look cannot be read.
pub fn standing(
    context: &Context,
    registry: &Registry,
    project: &Project,
    locked: (&Lock, &TargetName, &EnvName),
) -> Result<Standing, Error> {
    let (lock, target, env) = locked;
    let rocm = lock::locked(lock, target, env).and_then(|one| one.rocm.clone());
    let channels = channels(registry, lock, target, env);
    let channels: Vec<&str> = channels.iter().map(String::as_str).collect();
    let policy = policy(context, project)?;
    Ok(upgrade::standing(registry, rocm.as_ref(), &channels, &policy))
}

/// The policy of a project, today.
///
/// # Errors
/// The day of the last look cannot be read.
pub fn policy(context: &Context, project: &Project) -> Result<UpgradePolicy, Error> {
    let kept = files::read_optional(&place(context)?)?;
    Ok(UpgradePolicy {
        patch_first: project.policy.patch_first,
        behind_months: project.policy.behind_months,
        check_days: project.policy.check_days,
        accept: project.policy.accept,
        unproven: project.policy.unproven,
        preview: project.rocm.preview,
        today: Some(today(context)),
        last_check: kept.and_then(|text| text.trim().parse().ok()),
    })
}

/// Keeps that releases were looked for today.
///
/// # Errors
/// The day cannot be written.
pub fn looked(context: &Context) -> Result<(), Error> {
    let path = place(context)?;
    fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(DiskError::from)?;
    Ok(replace(&path, format!("{}\n", today(context)).as_bytes())?)
}

/// The channels that a lock takes something from.
fn channels(registry: &Registry, lock: &Lock, target: &TargetName, env: &EnvName) -> Vec<String> {
    let own = lock::locked(lock, target, env).and_then(|one| one.channel.clone());
    let artifacts = plan::artifacts(lock, target, env, &[]);
    let wheels = artifacts.iter().filter(|one| one.kind == ArtifactKind::Wheel);
    let used: Vec<_> = wheels.map(|one| &one.index).collect();
    let indexes = registry.wheel_indexes().into_iter();
    let of_wheels = indexes.filter(|index| used.contains(&&index.name));
    let mut names: Vec<String> = of_wheels.map(|index| index.channel.name.clone()).collect();
    names.extend(own.filter(|name| registry.channel(name).is_some()));
    names.sort();
    names.dedup();
    names
}

fn today(context: &Context) -> Date {
    context.now.to_zoned_datetime(TimeZone::UTC).date()
}

fn place(context: &Context) -> Result<PathBuf, Error> {
    Ok(context.data()?.join("releases-looked-for"))
}
