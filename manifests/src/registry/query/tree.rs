//! The kernel's own driver: kernel floors, the kernels of RDNA3.5 APUs, and which kind of driver
//! AMD wants. AMD's driver windows do not hold for it, so what no row judges is not known.

use crate::version::RocmVersion;

use super::super::loader::Registry;
use super::super::rows::kernels::DriverKind;
use super::super::rows::support::{ApuKernel, SupportStatus};
use super::super::verdict::{Judgement, Reason, Verdict};
use super::gpus::KnownGpu;
use super::kernel::Kernel;
use super::system::System;

impl Registry {
    /// The kernel's own driver with a release, on a GPU.
    pub fn in_tree_with_rocm(
        &self,
        kernel: Option<&Kernel>,
        gpu: Option<&KnownGpu>,
        system: Option<&System>,
        rocm: &RocmVersion,
    ) -> Judgement {
        let below = kernel
            .zip(gpu)
            .zip(system)
            .and_then(|((kernel, gpu), system)| self.below_floor(kernel, gpu, system, rocm));
        if let Some(judgement) = below {
            return judgement;
        }
        if let Some(judgement) =
            gpu.zip(system).and_then(|(gpu, system)| self.wanted_in_tree(gpu, system, rocm))
        {
            return judgement;
        }
        Judgement::new(Verdict::NotKnown, Reason::InTree, Vec::new())
    }

    /// What a release says of a kernel for an RDNA3.5 APU; `None` for other GPUs and kernels of
    /// which it says nothing.
    pub fn apu_kernel_with_rocm(
        &self,
        kernel: &Kernel,
        gpu: &KnownGpu,
        system: &System,
        rocm: &RocmVersion,
    ) -> Option<Judgement> {
        let release = rocm.dotted();
        let is_ubuntu = system.os.distribution == "ubuntu";
        let row = self.os_support().rdna35.iter().find(|row| {
            row.gfx.contains(&gpu.gfx)
                && row.releases.iter().any(|own| own.contains(release.parts()))
                && row.ubuntu.is_empty() != is_ubuntu
                && (if is_ubuntu { on_ubuntu(row, kernel, system) } else { elsewhere(row, kernel) })
        })?;
        let evidence = self.evidence(&row.source, &row.notes, &None);
        let (verdict, reason) = match row.status {
            SupportStatus::Supported => (Verdict::Listed, Reason::Listed(row.notes.clone())),
            SupportStatus::Unsupported => (Verdict::StatedNo, Reason::Status(row.status)),
            _ => (Verdict::NotKnown, Reason::Status(row.status)),
        };
        Some(Judgement::new(verdict, reason, evidence))
    }

    fn below_floor(
        &self,
        kernel: &Kernel,
        gpu: &KnownGpu,
        system: &System,
        rocm: &RocmVersion,
    ) -> Option<Judgement> {
        let release = rocm.dotted();
        let row = self.kernels().floor.iter().find(|row| {
            Some(row.class) == gpu.class
                && row.rocm.iter().any(|own| own.contains(release.parts()))
                && system.is(&row.os)
        })?;
        let evidence = self.evidence(&row.source, &row.notes, &None);
        (!kernel.is_at_least(&row.kernel)).then(|| {
            Judgement::new(Verdict::StatedNo, Reason::KernelBelow(row.kernel.clone()), evidence)
        })
    }

    fn wanted_in_tree(
        &self,
        gpu: &KnownGpu,
        system: &System,
        rocm: &RocmVersion,
    ) -> Option<Judgement> {
        let release = rocm.dotted();
        let row = self.kernels().driver_kind.iter().find(|row| {
            row.kind == DriverKind::InTree
                && Some(row.class) == gpu.class
                && row.rocm.iter().any(|own| own.contains(release.parts()))
                && system.is(&row.os)
        })?;
        let evidence = self.evidence(&row.source, &row.notes, &None);
        Some(Judgement::new(Verdict::Listed, Reason::Listed(row.notes.clone()), evidence))
    }
}

fn on_ubuntu(row: &ApuKernel, kernel: &Kernel, system: &System) -> bool {
    let version = system.os.version.as_deref().unwrap_or_default();
    row.ubuntu.iter().any(|named| {
        let flavour = match named.flavour.as_deref() {
            // Ubuntu's HWE kernels are called generic
            Some("hwe") => kernel.flavour.as_deref() != Some("oem"),
            Some(flavour) => kernel.flavour.as_deref() == Some(flavour),
            None => true,
        };
        version.starts_with(&named.version)
            && flavour
            && named.kernel.as_deref().is_none_or(|floor| kernel.is_at_least(floor))
    })
}

fn elsewhere(row: &ApuKernel, kernel: &Kernel) -> bool {
    row.kernel_from.as_deref().is_none_or(|floor| kernel.is_at_least(floor))
        && row.kernel_below.as_deref().is_none_or(|end| !kernel.is_at_least(end))
}
