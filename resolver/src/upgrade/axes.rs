//! The values that each part of a state can take on the way, and a point among them.
//!
//! Small on purpose: one release of ROCm a series (its newest patch), one driver a series, the
//! kernels that releases name for a distribution, and only Pythons that the end can have.

use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::registry::rows::gpus::GpuClass;
use rocmenv_manifests::registry::rows::releases::ReleaseKind;
use rocmenv_manifests::registry::{Kernel, KnownGpu, NamedKernel, Registry, System, Verdict};
use rocmenv_manifests::upgrade::{Driver, State};
use rocmenv_manifests::version::RocmVersion;

use super::goal::{Goal, UpgradeHost};

/// Indices into `Axes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Point {
    pub(super) system: u8,
    pub(super) kernel: u8,
    pub(super) driver: u8,
    pub(super) firmware: u8,
    /// `ASIDE` where no environment is in use.
    pub(super) rocm: u8,
    pub(super) python: u8,
}

/// No environment.
pub(super) const ASIDE: u8 = u8::MAX;

/// The values. The first of each list but the releases is where the host begins.
#[derive(Debug)]
pub(super) struct Axes {
    pub(super) systems: Vec<Option<OsRelease>>,
    pub(super) wsl: bool,
    /// The systems that follow each system in one step.
    pub(super) systems_after: Vec<Vec<u8>>,
    pub(super) kernels: Vec<Option<String>>,
    /// The kernels that are named for each system.
    pub(super) kernels_of: Vec<Vec<u8>>,
    /// The kernel that comes with each system.
    pub(super) kernel_with: Vec<u8>,
    pub(super) drivers: Vec<Option<Driver>>,
    pub(super) firmwares: Vec<Option<String>>,
    /// Oldest first.
    pub(super) releases: Vec<RocmVersion>,
    pub(super) pythons: Vec<Option<String>>,
    pub(super) start: Point,
}

impl Axes {
    /// The values that are of use between a host and any of `wanted` releases.
    pub(super) fn between(
        registry: &Registry,
        host: &UpgradeHost,
        gpus: &[KnownGpu],
        goal: &Goal,
        wanted: &[RocmVersion],
    ) -> Self {
        let state = &host.state;
        let releases = releases(registry, state.rocm.as_ref(), wanted);
        let mut axes = Self {
            systems: vec![state.os.clone()],
            wsl: host.wsl,
            systems_after: Vec::new(),
            kernels: vec![state.kernel.clone()],
            kernels_of: Vec::new(),
            kernel_with: Vec::new(),
            drivers: drivers(registry, host, gpus, goal),
            firmwares: firmwares(registry, state, gpus, &releases),
            start: Point { system: 0, kernel: 0, driver: 0, firmware: 0, rocm: ASIDE, python: 0 },
            releases,
            pythons: vec![state.python.clone()],
        };
        if let Some(own) = &state.rocm {
            axes.start.rocm = index(&axes.releases, own);
        }
        axes.add_systems(registry);
        axes.add_kernels(registry, gpus);
        axes
    }

    /// The system of a point.
    pub(super) fn system(&self, point: Point) -> Option<System> {
        let os = self.systems[usize::from(point.system)].clone()?;
        Some(System { os, wsl: self.wsl })
    }

    /// The kernel of a point.
    pub(super) fn kernel(&self, point: Point) -> Option<Kernel> {
        Kernel::parse(self.kernels[usize::from(point.kernel)].as_deref()?)
    }

    /// The driver of a point.
    pub(super) fn driver(&self, point: Point) -> Option<&Driver> {
        self.drivers[usize::from(point.driver)].as_ref()
    }

    /// The firmware of a point.
    pub(super) fn firmware(&self, point: Point) -> Option<&str> {
        self.firmwares[usize::from(point.firmware)].as_deref()
    }

    /// The release of a point; `None` where no environment is in use.
    pub(super) fn rocm(&self, point: Point) -> Option<&RocmVersion> {
        self.releases.get(usize::from(point.rocm))
    }

    /// The Python of a point.
    pub(super) fn python(&self, point: Point) -> Option<&str> {
        self.pythons[usize::from(point.python)].as_deref()
    }

    /// Every point with an environment, reachable or not.
    pub(super) fn all(&self) -> Vec<Point> {
        let count = |len: usize| (0..len).map_while(|at| u8::try_from(at).ok());
        let mut found = Vec::new();
        for system in count(self.systems.len()) {
            let own = &self.kernels_of[usize::from(system)];
            let with = self.kernel_with[usize::from(system)];
            let kernels =
                own.iter().copied().chain([with].into_iter().filter(|at| !own.contains(at)));
            for kernel in kernels {
                for driver in count(self.drivers.len()) {
                    for firmware in count(self.firmwares.len()) {
                        for rocm in count(self.releases.len()) {
                            for python in count(self.pythons.len()) {
                                let point =
                                    Point { system, kernel, driver, firmware, rocm, python };
                                found.push(point);
                            }
                        }
                    }
                }
            }
        }
        found
    }

    /// The kernel of a system that one comes to from another: that of the new release, or the one in
    /// use where only the point release of Ubuntu is another.
    pub(super) fn kernel_after(&self, from: Point, system: u8) -> u8 {
        let release = |at: u8| {
            let os = self.systems[usize::from(at)].as_ref()?;
            let version = os.version.as_deref()?;
            let parts: Vec<&str> = version.split('.').take(2).collect();
            (os.distribution == "ubuntu").then(|| parts.join("."))
        };
        match (release(from.system), release(system)) {
            (Some(before), Some(after)) if before == after => from.kernel,
            _ => self.kernel_with[usize::from(system)],
        }
    }

    fn add_systems(&mut self, registry: &Registry) {
        let mut at = 0;
        while at < self.systems.len() {
            let after = match &self.systems[at] {
                Some(os) if !self.wsl => registry.systems_after(os),
                _ => Vec::new(),
            };
            let places = after.into_iter().map(|os| place(&mut self.systems, Some(os))).collect();
            self.systems_after.push(places);
            at += 1;
        }
    }

    fn add_kernels(&mut self, registry: &Registry, gpus: &[KnownGpu]) {
        for at in 0..self.systems.len() {
            let named = match (&self.kernels[0], &self.systems[at]) {
                (Some(_), Some(os)) => {
                    let system = System { os: os.clone(), wsl: self.wsl };
                    self.named_kernels(registry, &system, gpus)
                }
                _ => Vec::new(),
            };
            let own = self.kernels[0].as_deref().and_then(Kernel::parse);
            let is_own = |named: &NamedKernel| {
                at == 0 && own.as_ref().is_some_and(|kernel| named.is_met_by(kernel))
            };
            let base = named.iter().find(|named| named.kernel.flavour.as_deref() == Some("ga"));
            let base =
                base.or_else(|| named.iter().min_by_key(|named| named.kernel.version.clone()));
            let base = base.map(|named| named.kernel.to_string());
            let with = if at == 0 { 0 } else { place(&mut self.kernels, base) };
            self.kernel_with.push(with);
            let others = named.iter().filter(|named| !is_own(named));
            let mut places: Vec<u8> = others
                .map(|named| place(&mut self.kernels, Some(named.kernel.to_string())))
                .collect();
            if at == 0 {
                places.push(0);
            }
            places.sort_unstable();
            places.dedup();
            self.kernels_of.push(places);
        }
    }

    /// The kernels that any release of the way names for a system, and floors under them.
    fn named_kernels(
        &self,
        registry: &Registry,
        system: &System,
        gpus: &[KnownGpu],
    ) -> Vec<NamedKernel> {
        let mut found: Vec<NamedKernel> = Vec::new();
        let mut add = |named: NamedKernel| {
            if !found.iter().any(|known| known.kernel == named.kernel) {
                found.push(named);
            }
        };
        let each: Vec<Option<&KnownGpu>> =
            if gpus.is_empty() { vec![None] } else { gpus.iter().map(Some).collect() };
        for release in &self.releases {
            for gpu in &each {
                registry.kernels_for(system, release, *gpu).into_iter().for_each(&mut add);
            }
        }
        for gpu in gpus {
            registry.kernel_floors(gpu, system).into_iter().for_each(&mut add);
        }
        found
    }
}

/// The newest patch of every series between where the host is and the newest wanted, and these.
fn releases(
    registry: &Registry,
    own: Option<&RocmVersion>,
    wanted: &[RocmVersion],
) -> Vec<RocmVersion> {
    let ends: Vec<&RocmVersion> = own.into_iter().chain(wanted).collect();
    let (Some(low), Some(high)) = (ends.iter().min(), ends.iter().max()) else {
        return Vec::new();
    };
    let production = registry.releases().release.iter();
    let production = production.filter(|row| row.kind == ReleaseKind::Production);
    let inside: Vec<&RocmVersion> = production
        .map(|row| &row.version)
        .filter(|version| *low <= version && version <= high)
        .collect();
    let is_newest = |version: &&&RocmVersion| {
        !inside.iter().any(|other| other.series() == version.series() && *other > **version)
    };
    let mut found: Vec<RocmVersion> =
        inside.iter().filter(is_newest).map(|version| (*version).clone()).collect();
    found.extend(ends.into_iter().cloned());
    found.sort();
    found.dedup();
    found
}

/// The driver in use, those that could follow it, and the wanted one.
fn drivers(
    registry: &Registry,
    host: &UpgradeHost,
    gpus: &[KnownGpu],
    goal: &Goal,
) -> Vec<Option<Driver>> {
    let own = &host.state.driver;
    let mut found = vec![own.clone()];
    if let Some(wanted) = &goal.driver {
        place(&mut found, Some(wanted.clone()));
    }
    match own {
        None | Some(Driver::InTree) => {}
        Some(Driver::Adrenalin(version)) => {
            let rows = registry.drivers().windows.iter().filter(|row| row.kind == "adrenalin");
            let mut newer: Vec<_> =
                rows.map(|row| &row.driver).filter(|driver| *driver > version).collect();
            newer.sort();
            for driver in newer {
                place(&mut found, Some(Driver::Adrenalin(driver.clone())));
            }
        }
        Some(Driver::Amd(_) | Driver::Module(_)) => {
            let newer = registry.driver_releases().into_iter().filter(|driver| match own {
                Some(Driver::Amd(own)) => driver > own,
                _ => true,
            });
            for driver in newer {
                place(&mut found, Some(Driver::Amd(driver)));
            }
            if gpus.iter().any(|gpu| gpu.class == Some(GpuClass::Ryzen)) {
                place(&mut found, Some(Driver::InTree));
            }
        }
    }
    found
}

/// The firmware in use, and what the releases of the way name for the host's products.
fn firmwares(
    registry: &Registry,
    state: &State,
    gpus: &[KnownGpu],
    releases: &[RocmVersion],
) -> Vec<Option<String>> {
    let mut found = vec![state.firmware.clone()];
    for release in releases {
        for product in gpus.iter().filter_map(|gpu| gpu.product.as_deref()) {
            let judged = registry.firmware_with_rocm(state.firmware.as_deref(), product, release);
            let is_missing = judged.is_some_and(|judged| judged.verdict != Verdict::Listed);
            let named = registry.firmware_for(product, release).filter(|_| is_missing);
            if let Some(first) = named.and_then(|(names, _)| names.into_iter().next()) {
                place(&mut found, Some(first));
            }
        }
    }
    found
}

/// The index of a value, which is put last where it is new.
fn place<T: PartialEq>(values: &mut Vec<T>, value: T) -> u8 {
    let at = values.iter().position(|known| *known == value).unwrap_or_else(|| {
        values.push(value);
        values.len() - 1
    });
    u8::try_from(at).unwrap_or(ASIDE - 1)
}

fn index<T: PartialEq>(values: &[T], value: &T) -> u8 {
    let at = values.iter().position(|known| known == value);
    at.and_then(|at| u8::try_from(at).ok()).unwrap_or(ASIDE)
}
