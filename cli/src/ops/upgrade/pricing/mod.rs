//! What the stages of a plan cost in bytes, as far as this machine knows: from the store, from
//! downloads, and from pages and metadata in the cache. Nobody is asked.
//!
//! A stage of the environment is locked with what the cache holds, which gives every file of it.
//! Where that lacks something, only the frameworks' own wheels are looked up. What a stage brings is
//! there for those after it. The search for the cheapest path knows nothing of all this.

mod driver;
mod files;
mod foresight;
mod frameworks;

use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::upgrade::{
    Amount, Answer, Cost, Counted, EnvironmentStep, Gap, HostStep, Stage, Step, TotalCost,
    UpgradePlan,
};
use rocmenv_manifests::version::RocmVersion;
use rocmenv_store::cache::Refresh;

use self::files::{Files, Sum};
use self::foresight::Foreseen;
use super::planning::{Subject, uses_rocm_of_host};
use crate::context::Context;
use crate::ops::lock::Inputs;
use crate::ops::stores::Stores;
use crate::ops::world::{World, WorldOptions, world};

/// What is measured with.
pub(super) struct Pricing<'p> {
    pub(super) context: &'p Context,
    pub(super) inputs: &'p Inputs,
    pub(super) subject: &'p Subject,
    /// The lock that the plan begins with.
    pub(super) lock: &'p Lock,
}

impl Pricing<'_> {
    /// Writes down what each stage and the whole costs.
    pub(super) fn of_plan(&self, plan: &mut UpgradePlan) {
        plan.cost = self.of_stages(&mut plan.stages, plan.cost);
        if let Answer::NoPath { nearest: Some(nearest), .. } = &mut plan.answer {
            nearest.cost = self.of_stages(&mut nearest.stages, nearest.cost);
        }
    }

    fn of_stages(&self, stages: &mut [Stage], total: TotalCost) -> TotalCost {
        // most calls have nothing to measure, and making the world reads configuration
        let world = stages.iter().any(makes_environment).then(|| self.world()).flatten();
        let stores = Stores::of(self.context, self.inputs.opened.root.folder()).ok();
        let mut files = world.as_ref().zip(stores.as_ref()).map(|(world, stores)| {
            Files::new(&world.catalog, stores, self.inputs.opened.root.folder())
        });
        let mut foreseen = Foreseen::new(self);
        for stage in &mut *stages {
            let (download, disk) = match (&stage.step, &world, &mut files) {
                (Step::Environment(step), Some(world), Some(files)) if step.rocm.is_some() => {
                    self.environment(world, files, &mut foreseen, stage, step)
                }
                (Step::Environment(step), ..) if step.rocm.is_some() => {
                    (Amount::Unknown(Gap::NotCached), Amount::Unknown(Gap::NotCached))
                }
                (Step::Host(HostStep::Driver { from, to }), ..) => {
                    let said = (stage.cost.download, stage.cost.disk);
                    driver::price(self.context, self.inputs, stage.to.os.as_ref(), (from, to))
                        .unwrap_or(said)
                }
                _ => (stage.cost.download, stage.cost.disk),
            };
            stage.cost = Cost { download, disk, ..stage.cost };
        }
        total.measured(stages.iter().map(|stage| &stage.cost))
    }

    /// Download and disk of a stage that makes a generation.
    fn environment(
        &self,
        world: &World,
        files: &mut Files<'_>,
        foreseen: &mut Foreseen<'_>,
        stage: &Stage,
        step: &EnvironmentStep,
    ) -> (Amount, Amount) {
        let own = frameworks::wheels(&world.catalog, &self.subject.as_target, step);
        // where no page of a build is here, a solve can only say so
        let may_solve = step.frameworks.is_empty() || !own.is_empty();
        let whole = foreseen.next(may_solve.then_some(world), stage, step);
        let (download, disk) = match &whole {
            Some(artifacts) => {
                let (download, disk) = files.add(artifacts);
                (download.amount(Gap::NoSizes), disk.amount(Gap::NotRead))
            }
            None if own.is_empty() => {
                (Amount::Unknown(Gap::NotCached), Amount::Unknown(Gap::NotCached))
            }
            None => {
                let (download, disk) = files.add(&own);
                (of_frameworks(download, Gap::NoSizes), of_frameworks(disk, Gap::NotRead))
            }
        };
        if self.moves_rocm_of_host(step) {
            return (download.of_part(Counted::Environment), disk.of_part(Counted::Environment));
        }
        (download, disk)
    }

    /// Whether the user has to give the host another ROCm for it.
    fn moves_rocm_of_host(&self, step: &EnvironmentStep) -> bool {
        let has = self.subject.as_target.host_rocm.as_ref().map(|rocm| rocm.value.series());
        let wanted = step.rocm.as_ref().map(RocmVersion::series);
        uses_rocm_of_host(&self.inputs.opened.project) && has != wanted
    }

    /// The world as the cache has it; `None` where the user's configuration cannot be used, which
    /// is told when something is to be fetched.
    fn world(&self) -> Option<World> {
        let Inputs { opened, registry, host } = self.inputs;
        let options = WorldOptions {
            root: &opened.root,
            project: &opened.project,
            registry,
            arch: host.arch.unwrap_or_default(),
            codename: host.os.codename.as_deref(),
            refresh: Refresh::Never,
        };
        world(self.context, &options).ok()
    }
}

fn makes_environment(stage: &Stage) -> bool {
    matches!(&stage.step, Step::Environment(step) if step.rocm.is_some())
}

/// What is known of the frameworks' own wheels says nothing of what they need.
fn of_frameworks(sum: Sum, gap: Gap) -> Amount {
    match sum.amount(gap) {
        Amount::Unknown(gap) => Amount::Unknown(gap),
        known => Amount::All(known.known()).of_part(Counted::Frameworks),
    }
}
