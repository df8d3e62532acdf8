//! What AMD's packages of a driver weigh, where the repository's list is in the cache.

use rocmenv_manifests::catalog::{Answer, Catalog as _};
use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::upgrade::{Amount, Counted, Driver};
use rocmenv_store::cache::Refresh;

use super::super::driver_files::drivers_folder;
use super::super::driver_packages::{Wanted, closure, repository, source_of};
use crate::context::Context;
use crate::ops::lock::Inputs;

/// Download and disk of a driver's packages; `None` where no list of them is here. What they need
/// of the distribution is in no list of AMD's, nor is what dkms builds.
pub(super) fn price(
    context: &Context,
    inputs: &Inputs,
    system: Option<&OsRelease>,
    (from, to): (&Driver, &Driver),
) -> Option<(Amount, Amount)> {
    let new = packages(context, inputs, system, to)?;
    // the former ones are kept for the way back, where their list is still served
    let old = packages(context, inputs, system, from).unwrap_or_default();
    let folder = drivers_folder(context).ok()?;
    let fetched = |package: &Wanted| {
        if package.place(&folder).is_file() { 0 } else { package.size }
    };
    let download: u64 = new.iter().chain(&old).map(fetched).sum();
    let installed = |package: &Wanted| package.installed_size?.checked_mul(1024);
    let installed: u64 = new.iter().filter_map(installed).sum();
    let part = |bytes: u64| Amount::All(bytes).of_part(Counted::DriverPackages);
    Some((part(download), part(installed.saturating_add(download))))
}

fn packages(
    context: &Context,
    inputs: &Inputs,
    system: Option<&OsRelease>,
    driver: &Driver,
) -> Option<Vec<Wanted>> {
    let (_, source) = source_of(context, inputs, system, driver).ok()?.ok()?;
    let (world, name) = repository(context, inputs, source, Refresh::Never).ok()?;
    let Answer::Ready(index) = world.catalog.debs(&name) else { return None };
    Some(closure(&index)).filter(|packages| !packages.is_empty())
}
