//! Whether a host has become what a stage said. Made of a new probe, after the user's step.

use rocmenv_manifests::registry::{Kernel, NamedKernel, Registry};
use rocmenv_manifests::upgrade::{Expectation, HostStep, Part, Stage, State, Step};
use serde::Serialize;

/// Something that a host should be and is not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Unmet {
    /// Which part.
    pub part: Part,
    /// What the stage said.
    pub wanted: String,
    /// What the host has; `None` where a probe did not find it.
    pub found: Option<String>,
}

/// What a host does not meet of the things that a stage's probe must say. GPUs and the environment
/// are asked elsewhere. Firmware that no probe read is not met: the user has to say it. A kernel of the named family that is newer within its series
/// will do, and so will any number of a driver's series where only that is known of it.
pub fn unmet(registry: &Registry, stage: &Stage, probed: &State) -> Vec<Unmet> {
    let expected = stage.verification.iter().filter_map(|expectation| match expectation {
        Expectation::Probe { part, is } | Expectation::Confirm { part, is } => Some((part, is)),
        _ => None,
    });
    expected
        .filter_map(|(part, is)| {
            let found = match part {
                Part::System => probed.os.as_ref().map(ToString::to_string),
                Part::Kernel => probed.kernel.clone(),
                Part::Driver => probed.driver.as_ref().map(ToString::to_string),
                Part::Firmware => probed.firmware.clone(),
                _ => None,
            };
            let is_met = found.as_deref().is_some_and(|own| match part {
                Part::Kernel => is_kernel(stage, is, own),
                Part::Firmware => is_firmware(registry, stage, is, own),
                Part::System => begins_with(own, is) || begins_with(is, own),
                _ => own == is || is_series_of(registry, own, is),
            });
            (!is_met).then(|| Unmet { part: part.clone(), wanted: is.clone(), found })
        })
        .collect()
}

fn is_kernel(stage: &Stage, wanted: &str, own: &str) -> bool {
    let named = stage.to.kernel.as_deref().unwrap_or(wanted);
    let named = Kernel::parse(named).map(|kernel| NamedKernel { kernel, or_newer: false });
    named.zip(Kernel::parse(own)).is_some_and(|(named, own)| named.is_met_by(&own))
}

fn is_firmware(registry: &Registry, stage: &Stage, wanted: &str, own: &str) -> bool {
    let Step::Host(HostStep::Firmware { products, .. }) = &stage.step else { return own == wanted };
    products.iter().all(|product| registry.is_firmware_met(product, wanted, own))
}

/// A driver whose module maps to a series of releases is met by any of them.
fn is_series_of(registry: &Registry, own: &str, wanted: &str) -> bool {
    let rows = registry.drivers().number.iter().filter_map(|row| row.release.as_ref());
    let parts = |text: &str| -> Option<Vec<u32>> {
        text.split('.').map(|part| part.parse().ok()).collect()
    };
    let (Some(own), Some(wanted)) = (parts(own), parts(wanted)) else { return false };
    rows.filter(|series| series.lowest() == own.as_slice()).any(|series| series.contains(&wanted))
}

/// Whether a version begins with the parts of another (`ubuntu-24.04.4` with `ubuntu-24.04`).
fn begins_with(own: &str, wanted: &str) -> bool {
    own.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
