//! Firmware of the GPU and of the board: MES, MEC, missing files, PCIe atomics.

use rocmenv_manifests::registry::Registry;

use super::Confidence::{Certain, Likely, Possible};
use super::{Finding, Rule, first, found, told};
use crate::diagnose::facts::{Facts, Signal};

pub(super) const RULES: &[Rule] = &[missing, mes_bad, mec_old, atomics, atomics_vm, not_in_kfd];

fn missing(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::FirmwareFile], "D-firmware-missing", Certain)
        .or_else(|| told(facts, &[Signal::GpuInitFailed], "D-firmware-missing", Likely))
        .map(|finding| finding.shown_by(facts, &[Signal::GpuInitFailed]))
}

fn mes_bad(facts: &Facts, _: &Registry) -> Option<Finding> {
    if !facts.has_target(&["gfx1151"]) {
        return None;
    }
    let mes = facts.gpus().iter().find_map(|gpu| mes_number(&gpu.firmware));
    if let Some(mes) = mes {
        return (mes == 0x83)
            .then(|| found("D-mes-firmware-bad", Certain).because("MES firmware 0x83 on gfx1151"));
    }
    let package =
        facts.around.system_packages.iter().find(|(name, version)| {
            name.starts_with("linux-firmware") && version.contains("20251125")
        });
    if let Some((name, version)) = package {
        return Some(found("D-mes-firmware-bad", Likely).because(format!("{name} {version}")));
    }
    // kernel and firmware came together with this update of Fedora
    let kernel = facts.host.kernel.release.as_deref()?;
    let fault = first(facts, &[Signal::PageFault, Signal::GpuHang])?;
    kernel.starts_with("6.17.9").then(|| {
        found("D-mes-firmware-bad", Likely)
            .because(fault.line.clone())
            .because(format!("kernel {kernel}, which came with linux-firmware 20251125"))
    })
}

/// The MES version by any of its names in sysfs, debugfs and tools.
fn mes_number(firmware: &std::collections::BTreeMap<String, String>) -> Option<u32> {
    let entry = firmware.iter().find(|(name, _)| name.as_str() == "mes")?;
    let digits = entry.1.trim().trim_start_matches("0x");
    u32::from_str_radix(digits, 16).ok().map(|number| number & 0xfff)
}

/// `PCI rejects atomics 494<509`: two numbers are versions of firmware.
fn mec_old(facts: &Facts, _: &Registry) -> Option<Finding> {
    let (message, have, need) = facts.all_said(Signal::AtomicsRejected).find_map(|message| {
        let (have, need) = numbers(&message.line)?;
        Some((message, have, need))
    })?;
    Some(
        found("D-mec-firmware-old", Certain)
            .because(message.line.clone())
            .with("have", have)
            .with("need", need),
    )
}

fn numbers(line: &str) -> Option<(String, String)> {
    let rest = line.to_lowercase();
    let rest = rest.split("atomics").nth(1)?.trim().to_owned();
    let (have, need) = rest.split_once('<')?;
    let digits =
        |text: &str| -> String { text.trim().chars().take_while(char::is_ascii_digit).collect() };
    let (have, need) = (digits(have), digits(need));
    (!have.is_empty() && !need.is_empty()).then_some((have, need))
}

/// KFD says it, or the way has none and the card is one that KFD takes only with them (before
/// gfx9: `needs_pci_atomics`, kfd_device.c).
fn atomics(facts: &Facts, _: &Registry) -> Option<Finding> {
    if facts.around.virtual_machine == Some(true) {
        return None;
    }
    let mut said = facts.all_said(Signal::AtomicsRejected);
    let Some(message) = said.find(|message| numbers(&message.line).is_none()) else {
        let ways = super::pcie::broken_ways(facts);
        let needs =
            facts.main_targets().iter().any(|target| target.to_string().starts_with("gfx8"));
        let kfd_took_it = facts.gpus().iter().any(|gpu| gpu.kfd_node.is_some());
        if ways.is_empty() || !needs || kfd_took_it {
            return None;
        }
        let finding = found("D-pcie-atomics", Likely).with("device", "ADDRESS");
        return Some(ways.into_iter().fold(finding, Finding::because));
    };
    let device = message.line.split("device ").nth(1).and_then(|rest| rest.split(',').next());
    let finding = found("D-pcie-atomics", Certain).because(message.line.clone());
    Some(finding.with("device", device.unwrap_or("ADDRESS")))
}

fn atomics_vm(facts: &Facts, _: &Registry) -> Option<Finding> {
    let virtual_machine = facts.around.virtual_machine == Some(true);
    let rejected =
        facts.said(Signal::AtomicsRejected).is_some_and(|one| numbers(&one.line).is_none());
    let state = facts.said(Signal::PresentState).is_some();
    let sure = match (virtual_machine, rejected || state) {
        (true, true) => Certain,
        (false, _) if state => Possible,
        _ => return None,
    };
    Some(
        found("D-pcie-atomics-vm", sure)
            .shown_by(facts, &[Signal::PresentState, Signal::AtomicsRejected]),
    )
}

fn not_in_kfd(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::KfdUnsupported], "D-gpu-not-in-kfd", Certain)
}
