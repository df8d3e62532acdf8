//! The releases that a channel offers to a target, and what each asks of its host.

use rocmenv_manifests::project::ChannelChoice;
use rocmenv_manifests::registry::query::{Kernel, KnownGpu, Situation, System};
use rocmenv_manifests::registry::rows::releases::ReleaseKind;
use rocmenv_manifests::registry::{DriverPattern, Pattern};
use rocmenv_manifests::version::{Dotted, DriverVersion, RocmVersion};

use super::components::is_of_suite;
use super::packages::dotted;
use super::{StackRequest, archives, judgement, worst};
use crate::solve::stack::{Demand, Fact, Grade, Judgement, Release};
use crate::target::TargetDriver;

/// The releases, each judged.
pub(super) fn of(request: &StackRequest<'_>) -> Vec<Release> {
    let versions = versions(request);
    let release = |(version, channel): (RocmVersion, String)| {
        let registry = request.registry;
        let line = registry.line_of(&version).map_or_else(String::new, |line| line.name.clone());
        let known = registry.release(&version);
        let is_preview = known.is_some_and(|release| release.kind == ReleaseKind::Preview);
        Release {
            line,
            preview: is_preview || version.is_prerelease(),
            channel,
            demands: demands(request, &version),
            driver_window: listed_window(request, &version),
            adrenalin_floor: adrenalin_floor(request, &version),
            version,
        }
    };
    versions.into_iter().map(release).collect()
}

/// The releases of the channel that was asked for.
fn versions(request: &StackRequest<'_>) -> Vec<(RocmVersion, String)> {
    let host = request.target.host_rocm.as_ref().map(|rocm| rocm.value.clone());
    let host = host.map(|rocm| (rocm, "host".to_owned()));
    let registry = request.registry;
    let known = registry.releases().release.iter();
    let known = known.filter(|release| release.kind != ReleaseKind::NamedOnly);
    let line_is = |version: &RocmVersion, lines: &[&str]| {
        registry.line_of(version).is_some_and(|line| lines.contains(&line.name.as_str()))
    };
    let of_lines = |lines: &[&str], channel: &str| {
        let versions = known.clone().map(|release| release.version.clone());
        let versions = versions.filter(|version| line_is(version, lines));
        versions.map(|version| (version, channel.to_owned())).collect::<Vec<_>>()
    };
    match request.channel {
        ChannelChoice::Host => host.into_iter().collect(),
        ChannelChoice::Amd => of_lines(&["classic"], "amd"),
        ChannelChoice::TheRock => of_lines(&["preview", "therock"], "therock"),
        ChannelChoice::Distro => distribution(request),
        ChannelChoice::Named(name) => {
            let channel = registry.channel(name.as_str());
            let serves = |version: &RocmVersion| {
                channel.is_some_and(|channel| {
                    channel.rocm.iter().any(|own| own.contains(version.dotted().parts()))
                        && archives::is_there(request, channel, version)
                })
            };
            let versions = known.map(|release| release.version.clone());
            versions.filter(serves).map(|version| (version, name.to_string())).collect()
        }
        ChannelChoice::Auto => {
            let mut all = of_lines(&["classic"], "amd");
            all.extend(of_lines(&["preview", "therock"], "therock"));
            // What the host already has costs nothing and comes first.
            if let Some((rocm, channel)) = host {
                all.retain(|(version, _)| *version != rocm);
                all.push((rocm, channel));
            }
            all
        }
    }
}

/// The releases of which the distribution has the runtime.
fn distribution(request: &StackRequest<'_>) -> Vec<(RocmVersion, String)> {
    let rows = request.registry.components().provides.iter();
    let rows = rows.filter(|row| row.channel == "distribution" && row.component == "runtime");
    let rows = rows.filter(|row| is_of_suite(row, request.target));
    let versions = rows.filter_map(|row| row.rocm.as_deref()?.parse().ok());
    versions.map(|version| (version, "distribution".to_owned())).collect()
}

fn demands(request: &StackRequest<'_>, rocm: &RocmVersion) -> Vec<Demand> {
    let gpus = request.gpus();
    let system = request.system();
    let kernel = request.target.kernel.as_ref();
    let kernel = kernel.and_then(|kernel| Kernel::parse(&kernel.value.to_string()));
    let mut demands = Vec::new();
    demands.extend(driver(request, rocm, &gpus, system.as_ref(), kernel.as_ref()));
    if let Some(system) = &system {
        demands.extend(gpu_on_system(request, rocm, &gpus, system));
        demands.extend(os(request, rocm, &gpus, system));
        if let Some(kernel) = &kernel {
            let said = gpus
                .iter()
                .filter_map(|gpu| request.registry.apu_kernel_with_rocm(kernel, gpu, system, rocm));
            let about = format!("kernel {} with ROCm {rocm}", kernel.version);
            let judged = worst(said.map(|said| judgement(&said, &about)));
            demands
                .extend(judged.map(|judgement| demand(Fact::Kernel, "a newer kernel", judgement)));
        }
    }
    demands.extend(known_bad(request, rocm, system.as_ref(), kernel.as_ref()));
    demands
}

fn demand(fact: Fact, needs: &str, judgement: Judgement) -> Demand {
    Demand { fact, needs: needs.to_owned(), judgement }
}

fn driver(
    request: &StackRequest<'_>,
    rocm: &RocmVersion,
    gpus: &[KnownGpu],
    system: Option<&System>,
    kernel: Option<&Kernel>,
) -> Option<Demand> {
    let registry = request.registry;
    let driver = &request.target.driver.as_ref()?.value;
    let each = || gpus.iter().map(Some).chain(gpus.is_empty().then_some(None));
    let (name, said): (String, Vec<_>) = match driver {
        TargetDriver::Amd(version) => {
            let said = each().map(|gpu| registry.driver_with_rocm(version, rocm, gpu)).collect();
            (format!("driver {version}"), said)
        }
        TargetDriver::UnknownRelease { module } => {
            let version = Dotted::leading(module)?;
            let said = each().map(|gpu| registry.module_with_rocm(&version, None, rocm, gpu));
            (format!("driver module {module}"), said.collect())
        }
        TargetDriver::InTree => {
            let said = each().map(|gpu| registry.in_tree_with_rocm(kernel, gpu, system, rocm));
            ("the kernel's own driver".to_owned(), said.collect())
        }
        TargetDriver::Adrenalin(version) => {
            let said = registry.windows_driver_with_rocm(version, rocm, request.target.wsl);
            (format!("driver {version}"), vec![said])
        }
    };
    let about = format!("{name} with ROCm {rocm}");
    let judged = worst(said.iter().map(|said| judgement(said, &about)))?;
    if let (Grade::Unknown, TargetDriver::Amd(version)) = (judged.grade, driver)
        && let Some(too_old) = outgrown(request, rocm, version, gpus)
    {
        return Some(too_old);
    }
    Some(demand(Fact::Driver, &driver_window(request, rocm), judged))
}

/// A driver that is too old for an earlier release of the line is too old for a later one too:
/// AMD's windows only ever move forward.
fn outgrown(
    request: &StackRequest<'_>,
    rocm: &RocmVersion,
    driver: &DriverVersion,
    gpus: &[KnownGpu],
) -> Option<Demand> {
    let registry = request.registry;
    let newest = registry.release_with_drivers(rocm).filter(|newest| *newest != rocm)?;
    let oldest = registry.drivers_for(newest).first().map(|pattern| pattern.lowest().to_vec())?;
    let said = registry.driver_with_rocm(driver, newest, gpus.first());
    let judged = judgement(&said, &format!("driver {driver} with ROCm {newest}"));
    let is_older = driver.parts() < oldest.as_slice();
    let oldest: Vec<String> = oldest.iter().map(u32::to_string).collect();
    let needs = format!("driver {} or newer, as ROCm {newest} did", oldest.join("."));
    (is_older && judged.grade == Grade::Refused).then(|| demand(Fact::Driver, &needs, judged))
}

/// What a release needs of the driver, in words.
fn driver_window(request: &StackRequest<'_>, rocm: &RocmVersion) -> String {
    if request
        .target
        .driver
        .as_ref()
        .is_some_and(|it| matches!(it.value, TargetDriver::Adrenalin(_)))
    {
        return adrenalin_floor(request, rocm)
            .map_or_else(|| "another driver".to_owned(), |it| format!("driver {it} or newer"));
    }
    let listed = request.registry.drivers_for(rocm);
    // `30.10.x` is written 30.10: a person reads the series.
    let text = |pattern: &DriverPattern| pattern.to_string().trim_end_matches(".x").to_owned();
    match (listed.first(), listed.last()) {
        (Some(oldest), Some(newest)) if oldest != newest => {
            format!("a driver from {} to {}", text(oldest), text(newest))
        }
        (Some(only), _) => format!("driver {}", text(only)),
        _ => "another driver".to_owned(),
    }
}

/// The oldest Adrenalin that a table lists for a release. Makers' drivers count on a line of
/// their own.
fn adrenalin_floor(request: &StackRequest<'_>, rocm: &RocmVersion) -> Option<Dotted> {
    let listed = request.registry.windows_drivers_for(rocm, request.target.wsl);
    let adrenalin = listed.into_iter().filter(|row| row.kind == "adrenalin");
    adrenalin.map(|row| row.driver.clone()).min()
}

/// The oldest and the newest of AMD's Linux drivers that a table lists for a release.
fn listed_window(request: &StackRequest<'_>, rocm: &RocmVersion) -> Option<(Dotted, Dotted)> {
    let listed = request.registry.drivers_for(rocm);
    let oldest = dotted(listed.first()?.lowest())?;
    let newest = match listed.last()? {
        // A series is open to its patch releases.
        Pattern::Series(parts) => dotted(&[parts.as_slice(), &[ANY_PATCH]].concat())?,
        Pattern::Exact(parts) | Pattern::Range(_, parts) => dotted(parts)?,
        Pattern::Any => return None,
    };
    Some((oldest, newest))
}

fn gpu_on_system(
    request: &StackRequest<'_>,
    rocm: &RocmVersion,
    gpus: &[KnownGpu],
    system: &System,
) -> Option<Demand> {
    let judged = gpus.iter().map(|gpu| {
        let name = gpu.product.clone().unwrap_or_else(|| gpu.gfx.to_string());
        let said = request.registry.gpu_on_system(gpu, system, rocm);
        judgement(&said, &format!("{name} on {system} with ROCm {rocm}"))
    });
    worst(judged).map(|judgement| demand(Fact::Gpu, "a GPU that is listed for it", judgement))
}

fn os(
    request: &StackRequest<'_>,
    rocm: &RocmVersion,
    gpus: &[KnownGpu],
    system: &System,
) -> Option<Demand> {
    let each = gpus.iter().map(Some).chain(gpus.is_empty().then_some(None));
    let about = format!("{system} with ROCm {rocm}");
    let said = each.map(|gpu| request.registry.system_with_rocm(system, rocm, gpu));
    let judged = worst(said.map(|said| judgement(&said, &about)));
    judged.map(|judgement| demand(Fact::Os, "a system that is listed for it", judgement))
}

/// Combinations that are known to fail; those that only warn are noted.
fn known_bad(
    request: &StackRequest<'_>,
    rocm: &RocmVersion,
    system: Option<&System>,
    kernel: Option<&Kernel>,
) -> Vec<Demand> {
    let gfx = request.target.gfx_targets();
    let driver = match request.target.driver.as_ref().map(|driver| &driver.value) {
        Some(TargetDriver::Amd(version)) => Some(version),
        _ => None,
    };
    let situation =
        Situation { gfx: &gfx, rocm: Some(rocm), driver, system, kernel, ..Situation::default() };
    let found = request.registry.known_bad_in(&situation);
    let bad = found.into_iter().filter(|(row, _)| !row.rocm.is_empty()).map(|(row, said)| {
        let met = row.gfx.iter().filter(|own| gfx.contains(own)).map(ToString::to_string);
        let met: Vec<String> = met.collect();
        let about = if met.is_empty() { row.id.clone() } else { met.join(", ") };
        let mut judged = judgement(&said, &about);
        // A warning does not make a release worse; it is only said.
        if judged.grade != Grade::Refused {
            judged.grade = Grade::Listed;
        }
        let needs = match met.as_slice() {
            [] => "another combination".to_owned(),
            _ => format!("a GPU other than {about}"),
        };
        demand(Fact::Gpu, &needs, judged)
    });
    bad.collect()
}

/// More patch releases than a driver series has.
const ANY_PATCH: u32 = 99;
