//! Repositories, keys, leftovers of upgrades.

use rocmenv_manifests::registry::Registry;

use super::Confidence::{Certain, Likely, Possible};
use super::{Finding, Rule, found, told};
use crate::diagnose::facts::{Facts, Signal};

pub(super) const RULES: &[Rule] = &[
    retired_path,
    key_expired,
    key_missing,
    distro_package,
    packages_mixed,
    leftover,
    installer_option,
    file_conflict,
    rpm_dependency,
    suite,
    two_releases,
    certificates,
];

/// The path after `amdgpu/`, where it is the number of a ROCm release that the driver's own
/// numbers (30.10 and later) replaced.
fn retired(line: &str) -> Option<&str> {
    let path = line.split("repo.radeon.com/amdgpu/").nth(1)?.split('/').next()?;
    path.starts_with('7').then_some(path).filter(|path| *path != "7.0")
}

fn retired_path(facts: &Facts, _: &Registry) -> Option<Finding> {
    if facts.said(Signal::RepoNoRelease).is_some() {
        let path = facts
            .all_said(Signal::RepoNoRelease)
            .find_map(|one| one.line.split("repo.radeon.com/amdgpu/").nth(1)?.split('/').next());
        return told(facts, &[Signal::RepoNoRelease], "D-repo-retired-path", Certain)
            .map(|finding| finding.with("path", path.unwrap_or("RELEASE")));
    }
    let (line, path) =
        facts.around.repositories.iter().find_map(|line| Some((line, retired(line)?)))?;
    Some(found("D-repo-retired-path", Certain).because(line.clone()).with("path", path))
}

fn key_expired(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::KeyExpired], "D-repo-key-expired", Certain)
}

fn key_missing(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::KeyMissing], "D-repo-key-missing", Certain)
}

fn distro_package(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::DistroCandidate], "D-distro-package-wins", Likely)
}

fn packages_mixed(facts: &Facts, _: &Registry) -> Option<Finding> {
    let installed = |starts: &[&str]| {
        let all = facts.around.system_packages.iter();
        all.clone().find(|(name, _)| starts.iter().any(|start| name.starts_with(start)))
    };
    // Debian's names, then Fedora's
    let own = installed(&["libamdhip64-", "libhsa-runtime64-"]);
    let (own, version) =
        own.or_else(|| installed(&["rocm-hip-devel", "rocm-runtime"]).filter(is_fedoras))?;
    let (amd, other) = installed(&["hip-runtime-amd", "hsa-rocr"])?;
    Some(
        found("D-rocm-packages-mixed", Certain)
            .because(format!("{own} {version} is the distribution's"))
            .because(format!("{amd} {other} is AMD's")),
    )
}

/// AMD's own packages have the number of the ROCm release in the version (`6.4.1.60401-83`).
fn is_fedoras((_, version): &(&String, &String)) -> bool {
    !version.split('-').next().unwrap_or_default().split('.').any(|part| part.len() > 4)
}

fn leftover(facts: &Facts, _: &Registry) -> Option<Finding> {
    if let Some(finding) = told(facts, &[Signal::CompilerGone], "D-upgrade-leftover", Likely) {
        return Some(finding);
    }
    let trees: Vec<_> = facts.host.driver.dkms.iter().filter(|tree| tree.has_source).collect();
    if trees.len() < 2 {
        return None;
    }
    let finding = found("D-upgrade-leftover", if trees.len() > 2 { Likely } else { Possible });
    // two versions that are both built for one kernel take each other's place
    let clash = trees.iter().enumerate().any(|(at, tree)| {
        let others = &trees[at + 1..];
        others.iter().any(|other| tree.kernels.iter().any(|kernel| other.kernels.contains(kernel)))
    });
    let finding = if clash { Finding { confidence: Likely, ..finding } } else { finding };
    Some(trees.iter().fold(finding, |finding, tree| {
        finding.because(format!("dkms has amdgpu {}", tree.version))
    }))
}

fn installer_option(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::InstallerOption], "D-installer-option", Likely)
}

fn file_conflict(facts: &Facts, _: &Registry) -> Option<Finding> {
    let owner = facts.all_said(Signal::FileConflict).find_map(|one| {
        one.line.split("owned by ").nth(1).map(|rest| rest.trim_end_matches(')').to_owned())
    });
    told(facts, &[Signal::FileConflict], "D-package-file-conflict", Certain)
        .map(|finding| finding.with("package", owner.unwrap_or_else(|| "OLD-PACKAGE".to_owned())))
}

fn certificates(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::Certificates], "D-tls-certificates", Certain)
}

fn rpm_dependency(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::RpmDependency], "D-rpm-dependency", Certain)
}

/// AMD's packages carry the release in their version (`6.4.43483.60401-83`); those without it in
/// their name belong to one release at a time.
fn two_releases(facts: &Facts, _: &Registry) -> Option<Finding> {
    let mut of: std::collections::BTreeMap<&str, Vec<String>> = std::collections::BTreeMap::new();
    for (name, version) in &facts.around.system_packages {
        let by_release = name.ends_with(|c: char| c.is_ascii_digit());
        let driver = name.starts_with("amdgpu") || name.contains("firmware");
        if let Some(release) = release_in(version).filter(|_| !by_release && !driver) {
            of.entry(release).or_default().push(format!("{name} {version}"));
        }
    }
    if of.len() < 2 {
        return None;
    }
    let finding = found("D-upgrade-leftover", Likely);
    Some(of.into_values().fold(finding, |finding, packages| {
        packages.into_iter().take(2).fold(finding, Finding::because)
    }))
}

/// `60401` of `6.4.43483.60401-83`: five digits, or seven and more since the driver's own numbers.
fn release_in(version: &str) -> Option<&str> {
    let upstream = version.split(['-', '~']).next()?;
    let last = upstream.rsplit('.').next()?;
    let digits = last.len() == 5 && last.bytes().all(|byte| byte.is_ascii_digit());
    (digits && upstream.matches('.').count() > 1).then_some(last)
}

fn suite(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::RepoSuite], "D-repo-suite", Certain)
}
