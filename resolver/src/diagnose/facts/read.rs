//! Readings of the facts that several rules share. Each is a pure question.

use std::collections::BTreeSet;

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::registry::query::Kernel;
use rocmenv_manifests::version::Dotted;

use super::{Facts, Message, Signal, TorchBuild};
use crate::host::facts::{ContainerKind, DeviceNode, DeviceOpen, DriverFlavour, Gpu, GpuKind};

/// What came of opening `/dev/kfd`, by the node itself or else by what a runtime printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kfd {
    /// It opens.
    Opens,
    /// `EACCES`.
    Refused,
    /// There is none.
    Absent,
    /// `EINVAL`.
    Invalid,
    /// `ENOMEM`.
    NoGpu,
    /// `EPERM`.
    NotPermitted,
    /// Nobody knows.
    Unknown,
}

impl Facts {
    /// The first line with this signal.
    pub fn said(&self, signal: Signal) -> Option<&Message> {
        self.around.messages.iter().find(|message| message.signal == signal)
    }

    /// All lines with this signal.
    pub fn all_said(&self, signal: Signal) -> impl Iterator<Item = &Message> {
        self.around.messages.iter().filter(move |message| message.signal == signal)
    }

    /// Whether this is native Windows.
    pub fn is_windows(&self) -> bool {
        self.host.os.family == Some(OsFamily::Windows)
    }

    /// Whether this is WSL.
    pub fn is_wsl(&self) -> bool {
        self.host.wsl.is_some()
    }

    /// The container, where there is one.
    pub fn container(&self) -> Option<&ContainerKind> {
        let kind = &self.host.container.as_ref()?.kind;
        (*kind != ContainerKind::None).then_some(kind)
    }

    /// The node of `/dev/kfd`, where somebody looked.
    pub fn kfd_node(&self) -> Option<&DeviceNode> {
        self.host.devices.iter().find(|node| node.path == "/dev/kfd")
    }

    /// What came of opening `/dev/kfd`. The node's own answer wins; of texts, which may be of
    /// several runs, the plainest refusal.
    pub fn kfd(&self) -> Kfd {
        match self.kfd_node().map(|node| node.open) {
            Some(DeviceOpen::Ok) => return Kfd::Opens,
            Some(DeviceOpen::PermissionDenied) => return Kfd::Refused,
            Some(DeviceOpen::Absent | DeviceOpen::NoDevice) => return Kfd::Absent,
            Some(DeviceOpen::InvalidArgument) => return Kfd::Invalid,
            Some(DeviceOpen::OutOfMemory) => return Kfd::NoGpu,
            Some(DeviceOpen::NotPermitted) => return Kfd::NotPermitted,
            Some(DeviceOpen::Errno(_) | DeviceOpen::NotTried) | None => {}
        }
        let said = [
            (Signal::KfdInvalid, Kfd::Invalid),
            (Signal::KfdNoMemory, Kfd::NoGpu),
            (Signal::KfdNotPermitted, Kfd::NotPermitted),
            (Signal::KfdPermission, Kfd::Refused),
            (Signal::KfdAbsent, Kfd::Absent),
        ];
        let found = said.into_iter().find(|(signal, _)| self.said(*signal).is_some());
        found.map_or(Kfd::Unknown, |(_, kfd)| kfd)
    }

    /// Whether a group of the process is the one of a node. `None` where either is not known.
    pub fn is_in_group_of(&self, node: &DeviceNode) -> Option<bool> {
        if let (Some(process), Some(gid)) = (&self.host.process, node.gid) {
            return Some(process.uid == 0 || process.is_in_group(gid));
        }
        let (names, group) = (self.around.group_names.as_ref()?, node.group.as_ref()?);
        Some(names.contains(group))
    }

    /// The GPUs.
    pub fn gpus(&self) -> &[Gpu] {
        self.host.known_gpus()
    }

    /// Instruction sets: of the GPUs, else of what a runtime lists.
    pub fn targets(&self) -> BTreeSet<GfxTarget> {
        let own: BTreeSet<_> = self.gpus().iter().filter_map(|gpu| gpu.gfx).collect();
        if own.is_empty() {
            self.around.runtime_gpus.iter().filter_map(|gpu| gpu.gfx).collect()
        } else {
            own
        }
    }

    /// The targets that somebody computes on: those of cards where there are cards.
    pub fn main_targets(&self) -> BTreeSet<GfxTarget> {
        let of = |kind| -> BTreeSet<_> {
            let gpus = self.gpus().iter().filter(|gpu| self.kind_of(gpu) == kind);
            gpus.filter_map(|gpu| gpu.gfx).collect()
        };
        let cards = of(Some(GpuKind::Discrete));
        if cards.is_empty() { self.targets() } else { cards }
    }

    /// The GPUs' targets, if one of these is among them.
    pub fn has_target(&self, names: &[&str]) -> bool {
        self.targets().iter().any(|target| names.contains(&target.to_string().as_str()))
    }

    /// Whether a GPU is a card or part of the processor; the small display-only ones are known
    /// by their target.
    pub fn kind_of(&self, gpu: &Gpu) -> Option<GpuKind> {
        gpu.kind.or_else(|| gpu.gfx.and_then(kind_of_target))
    }

    /// Whether the machine computes on an APU: one is there, and no card.
    pub fn is_apu(&self) -> bool {
        let mut kinds = self.gpus().iter().filter_map(|gpu| self.kind_of(gpu));
        let any = kinds.clone().any(|kind| kind == GpuKind::Integrated);
        any && !kinds.any(|kind| kind == GpuKind::Discrete)
    }

    /// The kernel.
    pub fn kernel(&self) -> Option<Kernel> {
        Kernel::parse(self.host.kernel.release.as_deref()?)
    }

    /// Whether the kernel is at least `floor`; `None` where it is not known.
    pub fn kernel_at_least(&self, floor: &str) -> Option<bool> {
        Some(self.kernel()?.is_at_least(floor))
    }

    /// Whether amdgpu is in the kernel, by sysfs or by what it made.
    pub fn is_driver_loaded(&self) -> Option<bool> {
        let by_text = self.said(Signal::ModuleNotLoaded).map(|_| false);
        let by_log = self.said(Signal::KfdAdded).map(|_| true);
        let by_gpu = self
            .gpus()
            .iter()
            .any(|gpu| gpu.kernel_driver.as_deref() == Some("amdgpu") || gpu.kfd_node.is_some())
            .then_some(true);
        self.host.driver.loaded.or(by_gpu).or(by_text).or(by_log)
    }

    /// Whether AMD's own (dkms) driver is in use or installed.
    pub fn has_dkms_driver(&self) -> bool {
        let driver = &self.host.driver;
        driver.flavour == Some(DriverFlavour::Dkms)
            || driver.module_version.is_some()
            || (driver.flavour.is_none()
                && (driver.package.is_some() || driver.dkms.iter().any(|tree| tree.has_source)))
    }

    /// What torch was built for.
    pub fn torch(&self) -> TorchBuild {
        self.around.torch.build(self.around.packages.as_ref(), self.is_windows())
    }

    /// The version of a Python package.
    pub fn package(&self, name: &str) -> Option<&str> {
        self.around.packages.as_ref()?.get(name).map(String::as_str)
    }

    /// Whether the environment brings a ROCm of its own.
    pub fn has_bundled_rocm(&self) -> bool {
        matches!(self.torch(), TorchBuild::Rocm(_)) || self.package("rocm-sdk-core").is_some()
    }

    /// The ROCm release that programs of the environment use, and who says so.
    pub fn rocm(&self) -> Option<(Dotted, &'static str)> {
        if let TorchBuild::Rocm(Some(release)) = self.torch() {
            return Some((release, "torch"));
        }
        let package = self.package("rocm-sdk-core").or_else(|| self.package("rocm"));
        if let Some(release) = package.and_then(release_of_package) {
            return Some((release, "the ROCm packages of the environment"));
        }
        let host = self.host.rocm.first()?.version.as_deref()?;
        Some((Dotted::leading(host)?, "the host's ROCm"))
    }

    /// A watched variable.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.host.variable(name)
    }

    /// The distribution's family as remedies name it.
    pub fn platform_words(&self) -> Vec<&'static str> {
        if self.is_windows() {
            return vec!["any", "windows"];
        }
        let mut words = vec!["any", "linux"];
        if self.is_wsl() {
            words.extend(["wsl", "windows"]);
        }
        let os = &self.host.os;
        let own = os.release.as_ref().map(|release| release.distribution.clone());
        let names: Vec<String> = own.into_iter().chain(os.like.iter().cloned()).collect();
        let is = |known: &[&str]| names.iter().any(|name| known.contains(&name.as_str()));
        if is(&["debian", "ubuntu", "linuxmint", "pop", "proxmox"]) {
            words.push("debian");
        } else if is(&["fedora", "rhel", "centos", "rocky", "almalinux", "ol", "azurelinux"]) {
            words.push("fedora");
        } else if is(&["arch", "cachyos", "manjaro", "endeavouros"]) {
            words.push("arch");
        } else if is(&["sles", "suse", "opensuse", "opensuse-leap", "opensuse-tumbleweed"]) {
            words.push("suse");
        }
        words
    }
}

/// A GPU as messages name it.
pub fn gpu_label(gpu: &Gpu) -> String {
    match gpu.gfx {
        Some(gfx) if gpu.name() != gfx.to_string() => format!("{} ({gfx})", gpu.name()),
        _ => gpu.name(),
    }
}

/// Targets of which only one kind was ever made, for GPUs that no table names.
fn kind_of_target(gfx: GfxTarget) -> Option<GpuKind> {
    let name = gfx.to_string();
    let integrated = [
        "gfx902", "gfx909", "gfx90c", "gfx1033", "gfx1035", "gfx1036", "gfx1103", "gfx1150",
        "gfx1151", "gfx1152", "gfx1153",
    ];
    let cards = [
        "gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx950", "gfx1010", "gfx1011",
        "gfx1012", "gfx1030", "gfx1031", "gfx1032", "gfx1034", "gfx1100", "gfx1101", "gfx1102",
        "gfx1200", "gfx1201",
    ];
    if integrated.contains(&name.as_str()) {
        return Some(GpuKind::Integrated);
    }
    cards.contains(&name.as_str()).then_some(GpuKind::Discrete)
}

/// `7.12.0a20260211` is 7.12.0.
fn release_of_package(version: &str) -> Option<Dotted> {
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    version[..end].trim_end_matches('.').parse().ok()
}
