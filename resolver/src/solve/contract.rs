//! What a host must be for a solution to run there: predicates, not the values of this target.

use rocmenv_manifests::debian::relation::DebOperator;
use rocmenv_manifests::lock::{Contract, ContractItem, Predicate};
use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::python::WheelName;
use rocmenv_manifests::version::Dotted;

use super::question::Question;
use super::solution::Solution;
use super::stack::Release;
use super::wheel_text::glibc_of;
use crate::target::{Target, TargetDriver};

/// The contract of a solution for a target.
pub(super) fn of(solution: &Solution, question: &Question) -> Contract {
    let target = &question.target;
    let hard = |predicate| ContractItem { predicate, hard: true };
    let soft = |predicate| ContractItem { predicate, hard: false };
    let mut items =
        vec![hard(Predicate::OsFamily(target.family)), hard(Predicate::Arch(target.arch.value))];
    items.extend(glibc_floor(solution, target).map(|floor| hard(Predicate::GlibcAtLeast(floor))));
    let python = solution.needed_python(question);
    items.extend(python.map(|python| hard(Predicate::Python(python.dotted()))));
    if let Some(os) = target.os.as_ref().filter(|_| !solution.debs().is_empty()) {
        items.push(soft(Predicate::Distribution(os.value.to_string())));
    }
    if let Some(release) = &solution.rocm {
        items.extend(driver(release, target).map(soft));
        items.extend(kernel(target).map(soft));
        // No GPU at all is a fact too; where nobody said, nothing is promised.
        items.extend(target.gpus.as_ref().map(|_| soft(gpus(target))));
        if release.channel == "host" {
            let series = release.version.dotted();
            let series = Dotted::new(series.part(0), series.part(1));
            items.push(soft(Predicate::HostRocm(series)));
        }
    }
    Contract { items }
}

/// The GPUs that the set was chosen for; chosen without one, it holds code for none.
fn gpus(target: &Target) -> Predicate {
    match target.gfx_targets() {
        none if none.is_empty() => Predicate::NoGpu,
        some => Predicate::GfxWithin(some),
    }
}

/// The newest C library that a chosen file asks for.
fn glibc_floor(solution: &Solution, target: &Target) -> Option<Dotted> {
    if target.family != OsFamily::Linux {
        return None;
    }
    let wheels = solution.wheels().into_iter().filter_map(|wheel| {
        let name: WheelName = wheel.file.name.parse().ok()?;
        // Of several tags of one file the oldest is enough.
        name.tags().filter_map(|[_, _, platform]| glibc_of(platform)).min()
    });
    let debs = solution.debs().into_iter().flat_map(|deb| {
        let dependencies = deb.package.pre_depends.iter().chain(&deb.package.depends);
        let relations = dependencies.flat_map(|dependency| &dependency.alternatives);
        relations.filter(|relation| relation.name == "libc6").filter_map(|relation| {
            let (operator, version) = relation.version.as_ref()?;
            let is_floor = matches!(operator, DebOperator::LaterOrEqual | DebOperator::Later);
            is_floor.then(|| Dotted::leading(version.upstream())).flatten()
        })
    });
    wheels.chain(debs.collect::<Vec<_>>()).max()
}

/// The kernel's own driver comes with the kernel, so an older kernel is an older driver. As with
/// AMD's driver where no table has a window, what the target has is the floor.
fn kernel(target: &Target) -> Option<Predicate> {
    let TargetDriver::InTree = &target.driver.as_ref()?.value else { return None };
    let kernel = &target.kernel.as_ref()?.value;
    Some(Predicate::KernelAtLeast(Dotted::new(kernel.part(0), kernel.part(1))))
}

/// The window of the driver. Where no table has one, what the target has is the floor.
fn driver(release: &Release, target: &Target) -> Option<Predicate> {
    let own = match &target.driver.as_ref()?.value {
        TargetDriver::Amd(own) => own,
        TargetDriver::Adrenalin(own) => {
            let floor = release.adrenalin_floor.as_ref().filter(|floor| *floor <= own);
            return Some(Predicate::AdrenalinAtLeast(floor.unwrap_or(own).clone()));
        }
        TargetDriver::InTree | TargetDriver::UnknownRelease { .. } => return None,
    };
    let (from, to) = match &release.driver_window {
        Some((from, to)) if from <= own => (from.clone(), Some(to.clone()).filter(|to| to >= own)),
        _ => (own.clone(), None),
    };
    Some(Predicate::DriverWithin { from, to })
}
