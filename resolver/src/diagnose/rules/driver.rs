//! The kernel and its amdgpu: loaded or why not, built or why not, known-bad combinations.

mod combinations;
mod faults;
mod loading;

use super::Rule;
use crate::diagnose::facts::Facts;

pub(super) const RULES: &[Rule] = &[
    loading::not_loaded,
    loading::secure_boot,
    loading::blacklisted,
    loading::nomodeset,
    loading::not_built,
    loading::build_failed,
    loading::stale_tree,
    loading::half_configured,
    loading::other_kernel,
    loading::reboot_pending,
    loading::passed_on,
    combinations::dkms_on_apu,
    combinations::window,
    combinations::vgpr,
    combinations::vgpr_old_kernel,
    combinations::apu_memory,
    combinations::known_bad,
    combinations::known_risk,
    faults::out_of_resources,
    faults::kernel_618,
    faults::page_fault,
    faults::hang,
    faults::segfault,
    faults::gfx1152,
];

pub(super) use combinations::{as_rocm, holding};

/// Whether the AMD GPUs are all reserved for guests.
pub(super) fn is_passed_on(facts: &Facts) -> bool {
    let drivers: Vec<_> =
        facts.gpus().iter().filter_map(|gpu| gpu.kernel_driver.as_deref()).collect();
    !drivers.is_empty() && drivers.iter().all(|driver| *driver == "vfio-pci")
}
