//! From the points of a path to stages that a person can carry out, verify and take back.

use rocmenv_manifests::registry::rows::drivers::Firmware;
use rocmenv_manifests::registry::{KnownGpu, NamedKernel, Registry};
use rocmenv_manifests::upgrade::{
    Amount, Change, Cost, Driver, EnvironmentStep, Expectation, Gap, HostStep, Part, Stage, State,
    Step, Undo, Usability,
};

use super::axes::{ASIDE, Axes, Point};
use super::effects::{Effects, effects_between};
use super::goal::UpgradeHost;
use super::graph::Ground;
use super::judge::{Mark, name};
use super::reboot::Place;

/// What stages are made of.
pub(super) struct Maker<'m> {
    pub(super) registry: &'m Registry,
    pub(super) host: &'m UpgradeHost,
    pub(super) gpus: &'m [KnownGpu],
    pub(super) ground: Ground<'m>,
    /// What is measured before a stage of the environment is kept.
    pub(super) benches: &'m [String],
}

impl Maker<'_> {
    /// The stages of a path, its first point being where the host is.
    pub(super) fn stages(&self, path: &[Place]) -> Vec<Stage> {
        let steps = path.windows(2).enumerate();
        steps.map(|(at, pair)| self.stage(at, pair[0], pair[1])).collect()
    }

    /// The whole state of a point.
    pub(super) fn state(&self, point: Point) -> State {
        let axes = self.axes();
        let frameworks = match self.ground.set(point) {
            Some(set) if point.rocm != ASIDE => set.frameworks.clone(),
            _ => Vec::new(),
        };
        State {
            os: axes.system(point).map(|system| system.os),
            kernel: axes.kernels[usize::from(point.kernel)].clone(),
            driver: axes.driver(point).cloned(),
            firmware: axes.firmware(point).map(str::to_owned),
            rocm: axes.rocm(point).cloned(),
            python: axes.python(point).map(str::to_owned),
            frameworks,
        }
    }

    fn stage(&self, at: usize, place: Place, next: Place) -> Stage {
        let reboots = u32::from(place.reboots_before(next));
        let (before, after) = (place.point, next.point);
        let (from, to) = (self.state(before), self.state(after));
        let step = self.step(before, after, &from, &to);
        let Effects { gains, losses, moves, notes } =
            effects_between(self.registry, self.host, &from, &to);
        let unlisted = self.ground.judge.unlisted(after).into_iter();
        let of_set = self.ground.set(after).into_iter().flat_map(|set| set.pairs.iter().cloned());
        Stage {
            number: u32::try_from(at + 1).unwrap_or(u32::MAX),
            changes: Change::between(&from, &to),
            footing: self.ground.mark(after).unwrap_or(Mark::NotKnown).footing(),
            environment: if after.rocm == ASIDE {
                Usability::DriverOnly
            } else {
                Usability::Installable
            },
            cost: unmeasured(reboots, &step),
            gains,
            losses,
            moves,
            unproven: unlisted.chain(of_set).map(super::judge::Judged::unproven).collect(),
            notes,
            verification: self.verification(&step, &to),
            undo: undo(&step, &from),
            step,
            from,
            to,
        }
    }

    fn step(&self, before: Point, after: Point, from: &State, to: &State) -> Step {
        if before.system != after.system
            && let (Some(from), Some(to_os)) = (from.os.clone(), to.os.clone())
        {
            let kernel = to.kernel.clone().filter(|_| before.kernel != after.kernel);
            return Step::Host(HostStep::System { from, to: to_os, kernel });
        }
        if before.kernel != after.kernel
            && let (Some(from), Some(to)) = (from.kernel.clone(), to.kernel.clone())
        {
            let named = NamedKernel::all(&to).into_iter().next();
            let flavour = named.and_then(|named| named.kernel.flavour);
            return Step::Host(HostStep::Kernel { from, to, flavour });
        }
        if before.driver != after.driver
            && let (Some(from), Some(to)) = (from.driver.clone(), to.driver.clone())
        {
            return Step::Host(HostStep::Driver { from, to });
        }
        if before.firmware != after.firmware
            && let Some(named) = to.firmware.clone()
        {
            let from = from.firmware.clone();
            let products = self.products();
            return Step::Host(HostStep::Firmware { from, to: named, products });
        }
        Step::Environment(EnvironmentStep {
            rocm: to.rocm.clone(),
            python: to.python.clone(),
            frameworks: to.frameworks.clone(),
        })
    }

    /// The host's products that any table names firmware for.
    fn products(&self) -> Vec<String> {
        let rows = &self.registry.drivers().firmware;
        let is_named =
            |product: &&String| rows.iter().any(|row: &Firmware| row.products.contains(product));
        self.gpus.iter().filter_map(|gpu| gpu.product.as_ref()).filter(is_named).cloned().collect()
    }

    fn verification(&self, step: &Step, to: &State) -> Vec<Expectation> {
        let probe = |part: Part, is: String| Expectation::Probe { part, is };
        let gpus = || Expectation::Gpus(self.gpus.iter().map(name).collect());
        match step {
            Step::Host(HostStep::System { to: os, kernel, .. }) => {
                let mut found = vec![probe(Part::System, os.to_string())];
                found.extend(kernel.as_deref().map(|kernel| probe(Part::Kernel, number(kernel))));
                found.extend(to.driver.as_ref().map(|own| probe(Part::Driver, own.to_string())));
                found.push(gpus());
                found
            }
            Step::Host(HostStep::Kernel { to: kernel, .. }) => {
                vec![probe(Part::Kernel, number(kernel)), gpus()]
            }
            Step::Host(HostStep::Driver { to: driver, .. }) => {
                vec![probe(Part::Driver, driver.to_string()), gpus()]
            }
            // what a probe read once it reads again
            Step::Host(HostStep::Firmware { from: Some(_), to: named, .. }) => {
                vec![probe(Part::Firmware, named.clone()), gpus()]
            }
            Step::Host(HostStep::Firmware { from: None, to: named, .. }) => {
                vec![Expectation::Confirm { part: Part::Firmware, is: named.clone() }, gpus()]
            }
            Step::Environment(environment) if environment.rocm.is_none() => Vec::new(),
            Step::Environment(environment) => {
                let imports = environment.frameworks.iter();
                let imports = imports.map(|own| Expectation::Import {
                    framework: own.name.clone(),
                    version: own.version.clone(),
                });
                let benches = Some(self.benches.to_vec()).filter(|benches| !benches.is_empty());
                let benches = benches.map(Expectation::Benches);
                imports.chain([Expectation::ProjectCommands]).chain(benches).collect()
            }
        }
    }

    fn axes(&self) -> &Axes {
        self.ground.axes
    }
}

/// The reboots; of bytes only what needs no look at this machine: the registry knows none.
fn unmeasured(reboots: u32, step: &Step) -> Cost {
    let both = |amount: Amount| Cost { reboots, download: amount, disk: amount };
    match step {
        // no generation is made
        Step::Environment(environment) if environment.rocm.is_none() => both(Amount::NOTHING),
        Step::Environment(_) => both(Amount::Unknown(Gap::NotAsked)),
        Step::Host(HostStep::System { .. } | HostStep::Kernel { .. }) => {
            both(Amount::Unknown(Gap::Distribution))
        }
        Step::Host(HostStep::Firmware { .. }) => both(Amount::Unknown(Gap::Maker)),
        Step::Host(HostStep::Driver { to, .. }) => both(match to {
            // the kernel has it
            Driver::InTree => Amount::NOTHING,
            Driver::Adrenalin(_) => Amount::Unknown(Gap::Installer),
            Driver::Amd(_) | Driver::Module(_) => Amount::Unknown(Gap::NoDriverList),
        }),
    }
}

fn undo(step: &Step, from: &State) -> Undo {
    match step {
        Step::Environment(_) => Undo::Generation,
        Step::Host(HostStep::Driver { from, .. }) => Undo::Driver(Driver::clone(from)),
        Step::Host(HostStep::Kernel { from, .. }) => Undo::Kernel(from.clone()),
        Step::Host(HostStep::System { from, .. }) => {
            Undo::Backup { part: Part::System, to: Some(from.to_string()) }
        }
        Step::Host(HostStep::Firmware { .. }) => {
            Undo::Backup { part: Part::Firmware, to: from.firmware.clone() }
        }
    }
}

/// A kernel without its family, as a probe may begin.
fn number(kernel: &str) -> String {
    let is_family = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic());
    match kernel.rsplit_once('-') {
        Some((number, family)) if is_family(family) => number.to_owned(),
        _ => kernel.to_owned(),
    }
}
