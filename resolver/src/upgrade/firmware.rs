//! Firmware of the GPUs that a probe can read, in the words of AMD's tables.
//!
//! The tables name the bundle that a machine's maker ships (`01.26.00.04`). Drivers that know it
//! show it as one number a GPU, `pldm_fw_version` in sysfs (Linux, drivers/gpu/drm/amd/amdgpu,
//! `amdgpu_ucode.c`), of which amd-smi prints each byte in hexadecimal as `PLDM_BUNDLE`. What has
//! no such number (IFWI and maintenance updates of MI200) cannot be read.

use crate::host::facts::{Gpu, HostFacts};

/// The bundle of a host's GPUs; `None` where some GPU does not show its own. Of several the oldest
/// counts: it is the one that has to move.
pub(super) fn of_facts(facts: &HostFacts) -> Option<String> {
    let bundles: Option<Vec<u32>> = facts.known_gpus().iter().map(bundle).collect();
    let oldest = bundles?.into_iter().min()?;
    let bytes = oldest.to_be_bytes().map(|byte| format!("{byte:02X}"));
    Some(bytes.join("."))
}

fn bundle(gpu: &Gpu) -> Option<u32> {
    let text = gpu.firmware.get("pldm")?;
    u32::from_str_radix(text.trim_start_matches("0x"), 16).ok().filter(|number| *number != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(versions: &[Option<&str>]) -> HostFacts {
        let gpus = versions.iter().map(|version| {
            let firmware = version.map(|text| ("pldm".to_owned(), text.to_owned()));
            Gpu { firmware: firmware.into_iter().collect(), ..Gpu::default() }
        });
        HostFacts { gpus: Some(gpus.collect()), ..HostFacts::default() }
    }

    #[test]
    fn the_oldest_bundle_of_all_gpus_counts_where_each_shows_one() {
        let of = |versions: &[Option<&str>]| of_facts(&host(versions));
        // amd-smi prints 01.25.03.12 of an MI300X with that number
        assert_eq!(of(&[Some("0x01250312")]).as_deref(), Some("01.25.03.12"));
        let two = [Some("0x01260004"), Some("0x01250605")];
        assert_eq!(of(&two).as_deref(), Some("01.25.06.05"));
        assert_eq!(of(&[Some("0x01260004"), None]), None);
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[Some("what")]), None);
    }
}
