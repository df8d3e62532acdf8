//! Why amdgpu is not in the kernel, and what dkms did.

use rocmenv_manifests::registry::Registry;

use super::super::Confidence::{Certain, Likely, Possible, Symptom};
use super::super::{Finding, found, told};
use super::{holding, is_passed_on};
use crate::diagnose::facts::{Facts, Message, Signal};

/// Whether this is a machine on which amdgpu should be loaded and is not.
fn is_missing(facts: &Facts) -> bool {
    facts.is_driver_loaded() == Some(false)
        && !facts.is_wsl()
        && !facts.is_windows()
        && facts.host.has_gpu() != Some(false)
}

pub(in crate::diagnose::rules) fn not_loaded(facts: &Facts, _: &Registry) -> Option<Finding> {
    if !is_missing(facts) || facts.container().is_some() {
        return None;
    }
    Some(
        found("D-amdgpu-not-loaded", Symptom)
            .shown_by(facts, &[Signal::ModuleNotLoaded, Signal::SmiNoDriver])
            .because("an AMD GPU and no amdgpu module"),
    )
}

pub(in crate::diagnose::rules) fn secure_boot(facts: &Facts, _: &Registry) -> Option<Finding> {
    if let Some(finding) = told(facts, &[Signal::KeyRejected], "D-secure-boot", Certain) {
        return Some(finding);
    }
    let on = facts.around.secure_boot == Some(true);
    (on && is_missing(facts) && facts.has_dkms_driver()).then(|| {
        found("D-secure-boot", Likely)
            .because("Secure Boot is on")
            .because("the driver is a dkms module and is not loaded")
    })
}

pub(in crate::diagnose::rules) fn blacklisted(facts: &Facts, _: &Registry) -> Option<Finding> {
    let line = facts.around.command_line.as_deref().unwrap_or_default();
    let by_line = line.split_whitespace().any(|word| {
        let list =
            word.strip_prefix("modprobe.blacklist=").or(word.strip_prefix("module_blacklist="));
        list.is_some_and(|list| list.split(',').any(|name| name == "amdgpu"))
    });
    let mut places: Vec<String> = facts.around.blacklist.iter().cloned().collect();
    if by_line {
        places.push("the kernel command line".to_owned());
    }
    // where it is loaded all the same somebody loads it after boot, as cloud images do
    if places.is_empty() || facts.is_driver_loaded() == Some(true) {
        return None;
    }
    let sure = if is_missing(facts) { Certain } else { Likely };
    let finding = found("D-module-blacklisted", sure).with("where", places.join(", "));
    Some(
        places.iter().fold(finding, |finding, place| {
            finding.because(format!("amdgpu is forbidden by {place}"))
        }),
    )
}

pub(in crate::diagnose::rules) fn nomodeset(facts: &Facts, _: &Registry) -> Option<Finding> {
    let line = facts.around.command_line.as_deref()?;
    let word =
        line.split_whitespace().find(|word| matches!(*word, "nomodeset" | "amdgpu.modeset=0"))?;
    let sure = if facts.is_driver_loaded() == Some(true) { Possible } else { Likely };
    Some(found("D-nomodeset", sure).because(format!("{word} on the kernel command line")))
}

pub(in crate::diagnose::rules) fn not_built(facts: &Facts, registry: &Registry) -> Option<Finding> {
    let kernel = facts.host.kernel.release.as_deref();
    let trees = &facts.host.driver.dkms;
    let known_reason = !holding(facts, registry, "dkms-").is_empty()
        || facts.said(Signal::DkmsBuildFailed).is_some();
    if facts.container().is_some() || facts.is_driver_loaded() == Some(true) || known_reason {
        return None;
    }
    let built: Vec<&String> = trees.iter().flat_map(|tree| &tree.kernels).collect();
    let never = !trees.is_empty() && built.is_empty();
    let other = kernel.is_some_and(|kernel| !built.iter().any(|own| own.as_str() == kernel));
    if trees.is_empty() || !(never || other) {
        return None;
    }
    let mut finding = found("D-dkms-not-built", if is_missing(facts) { Certain } else { Likely });
    for tree in trees {
        let kernels =
            if tree.kernels.is_empty() { "no kernel".to_owned() } else { tree.kernels.join(", ") };
        finding = finding.because(format!("amdgpu {} is built for {kernels}", tree.version));
    }
    Some(match kernel {
        Some(kernel) => without_headers(facts, kernel)
            .into_iter()
            .fold(finding, Finding::because)
            .because(format!("the running kernel is {kernel}")),
        None => finding,
    })
}

/// What rpm lists of headers, where the ones of the running kernel are not among them.
fn without_headers(facts: &Facts, kernel: &str) -> Option<String> {
    let packages = &facts.around.system_packages;
    let mut headers = packages.keys().filter(|name| {
        ["kernel-devel-", "kernel-default-devel-"].iter().any(|start| name.starts_with(start))
    });
    let by_rpm = packages.get("amdgpu-dkms").is_some_and(|version| version.contains(".el"));
    let fits = |name: &&String| name.ends_with(kernel);
    let any = headers.clone().next().is_some();
    ((any || by_rpm) && headers.find(fits).is_none())
        .then(|| format!("rpm lists no kernel-devel for {kernel}"))
}

/// `exit status 10` of the package is the dkms build that failed.
fn is_build_of_package(message: &Message) -> bool {
    message.line.contains("exit status 10") || message.line.contains("exit code 10")
}

pub(in crate::diagnose::rules) fn build_failed(
    facts: &Facts,
    registry: &Registry,
) -> Option<Finding> {
    let rows = holding(facts, registry, "dkms-");
    let by_package = facts.all_said(Signal::DpkgDriver).find(|one| is_build_of_package(one));
    let said = facts.said(Signal::DkmsBuildFailed).is_some() || by_package.is_some();
    // a combination that does not build and that runs all the same was mended by somebody
    if !said
        && (rows.is_empty()
            || facts.is_driver_loaded() == Some(true) && facts.host.overrides.is_empty())
    {
        return None;
    }
    let sure = if said { Certain } else { Likely };
    let mut finding =
        found("D-dkms-build-failed", sure).shown_by(facts, &[Signal::DkmsBuildFailed]);
    if let Some(message) = by_package {
        finding = finding.because(message.line.clone());
    }
    for row in &rows {
        finding = finding.because(format!("{} (known)", row.what));
        if let Some(instead) = &row.instead {
            finding = finding.because(format!("what does: {instead}"));
        }
    }
    Some(match &facts.host.kernel.release {
        Some(kernel) => finding.because(format!("kernel {kernel}")),
        None => finding,
    })
}

pub(in crate::diagnose::rules) fn stale_tree(facts: &Facts, _: &Registry) -> Option<Finding> {
    let stale = facts.host.driver.dkms.iter().find(|tree| !tree.has_source);
    if stale.is_none() && facts.said(Signal::DkmsNoConf).is_none() {
        return None;
    }
    let by_line = facts.all_said(Signal::DkmsNoConf).find_map(|one| {
        one.line.split("/var/lib/dkms/amdgpu/").nth(1)?.split('/').next().map(str::to_owned)
    });
    let tree = stale.map(|tree| tree.version.clone()).or(by_line);
    let mut finding = found("D-dkms-stale-tree", Certain).shown_by(facts, &[Signal::DkmsNoConf]);
    if let Some(tree) = stale {
        finding = finding.because(format!("/var/lib/dkms/amdgpu/{} has no source", tree.version));
    }
    Some(finding.with("tree", tree.unwrap_or_else(|| "OLD".to_owned())))
}

pub(in crate::diagnose::rules) fn half_configured(facts: &Facts, _: &Registry) -> Option<Finding> {
    let line = facts.all_said(Signal::DpkgDriver).find(|one| !is_build_of_package(one))?;
    Some(found("D-dkms-half-configured", Certain).because(line.line.clone()))
}

pub(in crate::diagnose::rules) fn other_kernel(facts: &Facts, _: &Registry) -> Option<Finding> {
    let finding = told(facts, &[Signal::UnknownSymbol], "D-module-other-kernel", Certain)?;
    Some(match &facts.host.kernel.release {
        Some(kernel) => finding.because(format!("the running kernel is {kernel}")),
        None => finding,
    })
}

pub(in crate::diagnose::rules) fn reboot_pending(facts: &Facts, _: &Registry) -> Option<Finding> {
    let driver = &facts.host.driver;
    let running = driver.module_version.as_deref()?;
    let installed = driver.package.as_ref()?.module_version.as_deref()?;
    (running != installed && facts.container().is_none()).then(|| {
        found("D-reboot-pending", Certain)
            .because(format!("module {running} runs, package {installed} is installed"))
    })
}

pub(in crate::diagnose::rules) fn passed_on(facts: &Facts, _: &Registry) -> Option<Finding> {
    is_passed_on(facts).then(|| {
        let line = facts.around.command_line.as_deref().unwrap_or_default();
        let place =
            if line.contains("vfio-pci.ids=") { "the kernel command line" } else { "modprobe.d" };
        found("D-vfio", Certain).because("vfio-pci is the driver in use").with("where", place)
    })
}
