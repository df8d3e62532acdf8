//! ROCm releases and the host's facts as candidates, and what a request for ROCm lets in.
//!
//! A range never crosses a line unless it names both sides; bare `*` means the newest line.

use std::cmp::Reverse;

use rocmenv_manifests::version::{Dotted, Op, Requirement};

use super::exclusion::Exclusion;
use super::question::Question;
use super::stack::{Demand, Fact, Grade, Release};
use super::thing::{Name, Need, Needs, Set, Thing};
use super::universe::GRADES;
use crate::target::{Target, TargetDriver, TargetGpu};

/// The releases of a question, newest first; their places are the ordinals of [`Name::Rocm`].
pub(super) fn sorted(question: &Question) -> Vec<&Release> {
    let mut releases: Vec<&Release> = question.stack.releases.iter().collect();
    releases.sort_by_key(|release| Reverse(&release.version));
    releases
}

/// The ordinals of the releases that the request for ROCm lets in.
pub(super) fn asked_for(question: &Question) -> Vec<u32> {
    let releases = sorted(question);
    let any = Requirement::any();
    let requirement = question.wants.rocm.as_ref().map_or(&any, |rocm| &rocm.value);
    let may = |release: &Release| question.preview || !release.preview;
    let matching: Vec<(u32, &Release)> = (0..)
        .zip(releases.iter().copied())
        .filter(|(_, release)| requirement.matches(&release.version.dotted()))
        .collect();
    let usable: Vec<&Release> =
        matching.iter().map(|(_, release)| *release).filter(|release| may(release)).collect();
    let line = if requirement.names_both_sides() { None } else { line_of(requirement, &usable) };
    let on_line = |release: &Release| line.is_none_or(|line| release.line == line);
    matching.into_iter().filter(|(_, release)| on_line(release)).map(|(at, _)| at).collect()
}

/// The line that an open request stays on: that of the oldest release it names, or the newest.
fn line_of<'r>(requirement: &Requirement, usable: &[&'r Release]) -> Option<&'r str> {
    let open = [Op::AtLeast, Op::Above, Op::Caret, Op::Compatible, Op::Tilde];
    let has_floor = requirement.clauses().iter().any(|clause| open.contains(&clause.op));
    let release = if has_floor { usable.last() } else { usable.first() };
    release.map(|release| release.line.as_str())
}

/// All releases as candidates.
pub(super) fn candidates(question: &Question) -> Vec<(Thing, Option<Exclusion>)> {
    let candidate = |release: &Release| {
        let excluded = (release.preview && !question.preview).then_some(Exclusion::Preview);
        (Thing::Small(release.version.to_string()), excluded)
    };
    sorted(question).into_iter().map(candidate).collect()
}

/// What a release needs: each demand of it on the host, and a grade no better than the worst.
pub(super) fn needs(release: &Release) -> Needs {
    let requires = release.demands.iter().map(demand).collect();
    let worst = release.demands.iter().map(|demand| demand.judgement.grade).max();
    Needs { requires, constrains: vec![(Name::Grade, at_worst(worst.unwrap_or(Grade::Listed)))] }
}

fn demand(demand: &Demand) -> Need {
    let fits = demand.judgement.grade != Grade::Refused;
    Need::new(Name::Host(demand.fact), Set::of(fits.then_some(0), demand.needs.clone()))
}

/// The grades of a whole that has a part of this grade.
pub(super) fn at_worst(grade: Grade) -> Set {
    let ordinals = (0..).zip(GRADES).filter(|(_, other)| *other >= grade).map(|(at, _)| at);
    Set::of(ordinals, grade.to_string())
}

/// What the user asks of the driver, compared with the target's.
pub(super) fn driver_want(question: &Question) -> Option<Need> {
    let requirement = &question.wants.driver.as_ref()?.value;
    let fits = match question.target.driver.as_ref().map(|driver| &driver.value) {
        Some(TargetDriver::Amd(version) | TargetDriver::Adrenalin(version)) => {
            requirement.matches(version)
        }
        Some(TargetDriver::InTree | TargetDriver::UnknownRelease { .. }) => requirement.is_any(),
        // Not described, so not checked.
        None => true,
    };
    Some(Need::new(Name::Host(Fact::Driver), Set::of(fits.then_some(0), requirement.to_string())))
}

/// A fact of the target in words.
pub(super) fn host_value(target: &Target, fact: Fact) -> String {
    let described = match fact {
        Fact::Driver => target.driver.as_ref().map(|driver| match &driver.value {
            TargetDriver::Amd(version) | TargetDriver::Adrenalin(version) => version.to_string(),
            TargetDriver::UnknownRelease { module } => format!("of an unknown release ({module})"),
            TargetDriver::InTree => "the kernel's own".to_owned(),
        }),
        Fact::Os => target.os.as_ref().map(|os| os.value.to_string()),
        Fact::Kernel => target.kernel.as_ref().map(|kernel| kernel.value.to_string()),
        Fact::Libc => target.libc.as_ref().map(|libc| libc.value.to_string()),
        Fact::HostRocm => target.host_rocm.as_ref().map(|rocm| rocm.value.to_string()),
        Fact::Gpu => target.gpus.as_ref().map(|gpus| {
            let name = |gpu: &TargetGpu| {
                let gfx = gpu.gfx.map(|gfx| gfx.to_string());
                gpu.product.clone().or(gfx).unwrap_or_default()
            };
            gpus.iter().map(|gpu| name(&gpu.value)).collect::<Vec<_>>().join(", ")
        }),
    };
    described.unwrap_or_else(|| "not described".to_owned())
}

/// Whether a release is of the series or release that a build was made for.
pub(super) fn is_built_for(release: &Release, built: &Dotted) -> bool {
    let version = release.version.dotted();
    match built.parts() {
        [major] => version.part(0) == *major,
        [major, minor, ..] => version.part(0) == *major && version.part(1) == *minor,
        [] => false,
    }
}
