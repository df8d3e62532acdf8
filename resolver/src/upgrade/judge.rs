//! What the registry says of a point: each pair of its parts, judged once and remembered.

use std::cell::RefCell;
use std::collections::HashMap;

use rocmenv_manifests::registry::rows::kernels::DriverKind;
use rocmenv_manifests::registry::{Judgement, KnownGpu, Reason, Registry, Situation, Verdict};
use rocmenv_manifests::upgrade::{Driver, Footing, RefusedPair, Unproven};

use super::axes::{Axes, Point};

/// How far documents carry something; better ones are smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    Listed,
    Built,
    NotKnown,
    Refused,
}

impl Mark {
    pub(super) fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Listed => Self::Listed,
            Verdict::BuiltNotListed => Self::Built,
            Verdict::NotKnown => Self::NotKnown,
            Verdict::StatedNo | Verdict::KnownBad => Self::Refused,
        }
    }

    pub(super) fn footing(self) -> Footing {
        match self {
            Self::Listed => Footing::Listed,
            Self::Built => Footing::Built,
            Self::NotKnown | Self::Refused => Footing::NotKnown,
        }
    }
}

/// A pair with its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) left: String,
    pub(super) right: String,
    pub(super) judgement: Judgement,
    /// A warning about a combination: said, and no reason to go elsewhere.
    pub(super) is_warning: bool,
}

impl Judged {
    fn new(left: String, right: String, judgement: Judgement) -> Self {
        Self { left, right, judgement, is_warning: false }
    }

    fn mark(&self) -> Mark {
        // AMD's windows do not speak of the in-tree driver, which is no gap in them
        let is_outside = self.judgement.reason == Reason::InTree;
        match Mark::of(self.judgement.verdict) {
            Mark::NotKnown if self.is_warning || is_outside => Mark::Listed,
            mark => mark,
        }
    }

    pub(super) fn refused(self) -> RefusedPair {
        RefusedPair {
            left: self.left,
            right: self.right,
            verdict: self.judgement.verdict,
            reason: self.judgement.reason,
            evidence: self.judgement.evidence,
        }
    }

    pub(super) fn unproven(self) -> Unproven {
        Unproven {
            left: self.left,
            right: self.right,
            verdict: self.judgement.verdict,
            reason: self.judgement.reason,
            evidence: self.judgement.evidence,
        }
    }
}

/// The pairs that are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    DriverSystem,
    DriverRocm,
    SystemRocm,
    GpuRocm,
    KernelRocm,
    FirmwareRocm,
    KnownBad,
}

const KINDS: [Kind; 7] = [
    Kind::DriverSystem,
    Kind::DriverRocm,
    Kind::SystemRocm,
    Kind::GpuRocm,
    Kind::KernelRocm,
    Kind::FirmwareRocm,
    Kind::KnownBad,
];

/// Judges points.
#[derive(Debug)]
pub(super) struct Judge<'r> {
    registry: &'r Registry,
    axes: &'r Axes,
    gpus: &'r [KnownGpu],
    memory: RefCell<HashMap<(Kind, [u8; 4]), Mark>>,
}

impl<'r> Judge<'r> {
    pub(super) fn new(registry: &'r Registry, axes: &'r Axes, gpus: &'r [KnownGpu]) -> Self {
        Self { registry, axes, gpus, memory: RefCell::default() }
    }

    /// The worst of all pairs of a point, frameworks apart.
    pub(super) fn mark(&self, point: Point) -> Mark {
        let mut worst = Mark::Listed;
        for kind in KINDS {
            worst = worst.max(self.mark_of(kind, point));
            if worst == Mark::Refused {
                break;
            }
        }
        worst
    }

    /// Whether the change from one point to another may be passed: a new system runs on the kernel
    /// before until the reboot, with the driver that is there.
    pub(super) fn may_pass(&self, from: Point, to: Point) -> bool {
        let between = Point { kernel: from.kernel, ..to };
        let is_refused = |point| self.mark_of(Kind::KnownBad, point) == Mark::Refused;
        // a host that is broken already is no worse on the way out
        from.system == to.system || !is_refused(between) || is_refused(from)
    }

    /// All pairs of a point that are not listed, with reasons.
    pub(super) fn unlisted(&self, point: Point) -> Vec<Judged> {
        let all = KINDS.into_iter().flat_map(|kind| self.pairs(kind, point));
        let mut found: Vec<Judged> = Vec::new();
        for pair in all.filter(|pair| pair.judgement.verdict != Verdict::Listed) {
            if !found.contains(&pair) {
                found.push(pair);
            }
        }
        found
    }

    fn mark_of(&self, kind: Kind, point: Point) -> Mark {
        let Point { system, kernel, driver, firmware, rocm, .. } = point;
        let parts = match kind {
            Kind::DriverSystem => [driver, system, 0, 0],
            // the in-tree driver is the kernel's
            Kind::DriverRocm | Kind::KnownBad => [driver, rocm, system, kernel],
            Kind::SystemRocm | Kind::GpuRocm => [system, rocm, 0, 0],
            Kind::KernelRocm => [system, kernel, rocm, 0],
            Kind::FirmwareRocm => [firmware, rocm, 0, 0],
        };
        if let Some(mark) = self.memory.borrow().get(&(kind, parts)) {
            return *mark;
        }
        let pairs = self.pairs(kind, point);
        let mark = pairs.iter().map(Judged::mark).max().unwrap_or(Mark::Listed);
        self.memory.borrow_mut().insert((kind, parts), mark);
        mark
    }

    fn pairs(&self, kind: Kind, point: Point) -> Vec<Judged> {
        match kind {
            Kind::DriverSystem => self.driver_on_system(point),
            Kind::DriverRocm => self.driver_with_rocm(point),
            Kind::SystemRocm => self.system_with_rocm(point),
            Kind::GpuRocm => self.gpus_with_rocm(point),
            Kind::KernelRocm => self.kernel_with_rocm(point),
            Kind::FirmwareRocm => self.firmware_with_rocm(point),
            Kind::KnownBad => self.known_bad(point),
        }
    }

    fn driver_on_system(&self, point: Point) -> Vec<Judged> {
        let (Some(Driver::Amd(driver)), Some(system)) =
            (self.axes.driver(point), self.axes.system(point))
        else {
            return Vec::new();
        };
        let judgement = self.registry.driver_on_system(driver, &system);
        vec![Judged::new(format!("driver {driver}"), system.to_string(), judgement)]
    }

    fn driver_with_rocm(&self, point: Point) -> Vec<Judged> {
        let (Some(driver), Some(rocm)) = (self.axes.driver(point), self.axes.rocm(point)) else {
            return Vec::new();
        };
        let (kernel, system) = (self.axes.kernel(point), self.axes.system(point));
        let judge = |gpu: Option<&KnownGpu>| match driver {
            Driver::Amd(release) => self.registry.driver_with_rocm(release, rocm, gpu),
            Driver::Module(module) => match module.parse() {
                Ok(number) => self.registry.module_with_rocm(&number, None, rocm, gpu),
                Err(_) => self.registry.in_tree_with_rocm(None, None, None, rocm),
            },
            Driver::InTree => {
                self.registry.in_tree_with_rocm(kernel.as_ref(), gpu, system.as_ref(), rocm)
            }
            Driver::Adrenalin(version) => {
                self.registry.windows_driver_with_rocm(version, rocm, self.axes.wsl)
            }
        };
        let of = |gpu| Judged::new(format!("driver {driver}"), format!("ROCm {rocm}"), judge(gpu));
        self.each_gpu().into_iter().map(of).collect()
    }

    fn system_with_rocm(&self, point: Point) -> Vec<Judged> {
        let (Some(system), Some(rocm)) = (self.axes.system(point), self.axes.rocm(point)) else {
            return Vec::new();
        };
        let judge = |gpu| self.registry.system_with_rocm(&system, rocm, gpu);
        let of = |gpu| Judged::new(system.to_string(), format!("ROCm {rocm}"), judge(gpu));
        self.each_gpu().into_iter().map(of).collect()
    }

    fn gpus_with_rocm(&self, point: Point) -> Vec<Judged> {
        let (Some(system), Some(rocm)) = (self.axes.system(point), self.axes.rocm(point)) else {
            return Vec::new();
        };
        let judge = |gpu: &KnownGpu| self.registry.gpu_on_system(gpu, &system, rocm);
        let of = |gpu: &KnownGpu| {
            Judged::new(format!("{} on {system}", name(gpu)), format!("ROCm {rocm}"), judge(gpu))
        };
        self.gpus.iter().map(of).collect()
    }

    fn kernel_with_rocm(&self, point: Point) -> Vec<Judged> {
        let (Some(system), Some(kernel), Some(rocm)) =
            (self.axes.system(point), self.axes.kernel(point), self.axes.rocm(point))
        else {
            return Vec::new();
        };
        let left = || format!("kernel {kernel}");
        let right = || format!("ROCm {rocm}");
        let mut found = Vec::new();
        for gpu in self.each_gpu() {
            let judged = self.registry.kernel_with_rocm(&kernel, &system, rocm, gpu);
            found.extend(judged.map(|judgement| Judged::new(left(), right(), judgement)));
            let of_apu =
                gpu.and_then(|gpu| self.registry.apu_kernel_with_rocm(&kernel, gpu, &system, rocm));
            found.extend(of_apu.map(|judgement| Judged::new(left(), right(), judgement)));
        }
        found
    }

    fn firmware_with_rocm(&self, point: Point) -> Vec<Judged> {
        let Some(rocm) = self.axes.rocm(point) else { return Vec::new() };
        let firmware = self.axes.firmware(point);
        let left = format!("firmware {}", firmware.unwrap_or("that nobody described"));
        let products = self.gpus.iter().filter_map(|gpu| gpu.product.as_deref());
        let judged = products
            .filter_map(|product| self.registry.firmware_with_rocm(firmware, product, rocm));
        judged.map(|judged| Judged::new(left.clone(), format!("ROCm {rocm}"), judged)).collect()
    }

    fn known_bad(&self, point: Point) -> Vec<Judged> {
        let gfx: Vec<_> = self.gpus.iter().map(|gpu| gpu.gfx).collect();
        let (system, kernel) = (self.axes.system(point), self.axes.kernel(point));
        let driver = self.axes.driver(point);
        let situation = Situation {
            gfx: &gfx,
            rocm: self.axes.rocm(point),
            driver: driver.and_then(|driver| match driver {
                Driver::Amd(release) => Some(release),
                _ => None,
            }),
            driver_kind: driver.and_then(|driver| match driver {
                Driver::Amd(_) | Driver::Module(_) => Some(DriverKind::Amd),
                Driver::InTree => Some(DriverKind::InTree),
                Driver::Adrenalin(_) => None,
            }),
            system: system.as_ref(),
            kernel: kernel.as_ref(),
            firmware: &[],
            packages: &[],
        };
        let right = self
            .axes
            .rocm(point)
            .map_or_else(|| "no ROCm".to_owned(), |rocm| format!("ROCm {rocm}"));
        let found = self.registry.known_bad_in(&situation).into_iter();
        found
            .map(|(row, judgement)| Judged {
                left: row.id.clone(),
                right: right.clone(),
                is_warning: !judgement.verdict.refuses(),
                judgement,
            })
            .collect()
    }

    fn each_gpu(&self) -> Vec<Option<&KnownGpu>> {
        if self.gpus.is_empty() { vec![None] } else { self.gpus.iter().map(Some).collect() }
    }
}

/// What a user calls a GPU.
pub(super) fn name(gpu: &KnownGpu) -> String {
    gpu.product.clone().unwrap_or_else(|| gpu.gfx.to_string())
}
