//! The planner: the cheapest stages from where a host is to what is wished for, or why to stay, or
//! why there is no way and how far one gets.

use std::cmp::Reverse;

use rocmenv_manifests::project::Accept;
use rocmenv_manifests::registry::{KnownGpu, Registry};
use rocmenv_manifests::upgrade::{
    Answer, Nearest, NoPathReason, RefusedPair, StayReason, TotalCost, UpgradePlan,
};
use rocmenv_manifests::version::RocmVersion;

use super::axes::{ASIDE, Axes, Point};
use super::goal::{Goal, UpgradeHost, UpgradePolicy};
use super::graph::{Graph, Ground};
use super::installable::{Installable, Search};
use super::judge::{Judge, Judged, Mark};
use super::reboot::Place;
use super::sets::{Chooser, Set};
use super::stages::Maker;
use super::standing::standing;
use super::targets::{counted, dropped, wanted};
use super::weight::Weight;
use crate::check::CheckError;

/// Plans an upgrade.
///
/// # Errors
/// A framework that the registry does not know is asked for.
pub fn plan(
    registry: &Registry,
    host: &UpgradeHost,
    goal: &Goal,
    policy: &UpgradePolicy,
) -> Result<UpgradePlan, CheckError> {
    let gpus = counted(registry, host);
    let chooser = Chooser::new(registry, host, &gpus, goal, policy)?;
    let mut plan = UpgradePlan {
        registry_date: registry.date().to_owned(),
        from: host.state.clone(),
        to: host.state.clone(),
        answer: Answer::NothingToDo,
        stages: Vec::new(),
        cost: TotalCost::default(),
        refused_now: Vec::new(),
        standing: standing(registry, host.state.rocm.as_ref(), &[], policy),
    };
    let releases = match wanted(registry, host, goal, policy) {
        Ok(releases) => releases,
        Err(reason) => {
            plan.answer = Answer::NoPath { reason, nearest: None };
            return Ok(plan);
        }
    };
    let (releases, held) = without_dropped(registry, host, goal, &gpus, releases);
    if let (true, Some(reason)) = (releases.is_empty(), held.first()) {
        plan.answer = Answer::Stay { reason: reason.clone() };
        return Ok(plan);
    }
    let question = Question { registry, host, goal, policy, gpus: &gpus, chooser: &chooser };
    question.answer(&releases, &held, &mut plan);
    Ok(plan)
}

/// The wanted releases that keep the host's GPUs, and why the others do not, newest first.
fn without_dropped(
    registry: &Registry,
    host: &UpgradeHost,
    goal: &Goal,
    gpus: &[KnownGpu],
    releases: Vec<RocmVersion>,
) -> (Vec<RocmVersion>, Vec<StayReason>) {
    let mut held = Vec::new();
    let mut kept = Vec::new();
    for release in releases.into_iter().rev() {
        let is_own = host.state.rocm.as_ref() == Some(&release);
        match dropped(registry, host, gpus, &release) {
            Some(reason) if !goal.accept_losses && !is_own => held.push(reason),
            _ => kept.push(release),
        }
    }
    kept.reverse();
    (kept, held)
}

struct Question<'q> {
    registry: &'q Registry,
    host: &'q UpgradeHost,
    goal: &'q Goal,
    policy: &'q UpgradePolicy,
    gpus: &'q [KnownGpu],
    chooser: &'q Chooser<'q>,
}

impl Question<'_> {
    fn answer(&self, releases: &[RocmVersion], held: &[StayReason], plan: &mut UpgradePlan) {
        let mut axes = Axes::between(self.registry, self.host, self.gpus, self.goal, releases);
        let search = Search {
            axes: &axes,
            host: self.host,
            goal: self.goal,
            chooser: self.chooser,
            wanted: releases,
            accept: self.policy.accept,
        };
        let mut installable = search.all();
        axes.pythons = std::mem::take(&mut installable.pythons);
        let judge = Judge::new(self.registry, &axes, self.gpus);
        let ground = Ground {
            axes: &axes,
            judge: &judge,
            sets: &installable.sets,
            accept: self.policy.accept,
            bytes: &|rocm, python| {
                // the generation that is there stays there
                let is_start = (rocm, python) == (axes.start.rocm, axes.start.python);
                if is_start { Some(0) } else { self.bytes(installable.sets.get(&(rocm, python))?) }
            },
        };
        let maker = Maker {
            registry: self.registry,
            host: self.host,
            gpus: self.gpus,
            ground,
            benches: &self.goal.benches,
        };
        plan.refused_now = refused(&judge, axes.start).map(Judged::refused).collect();
        let graph = Graph::explore(ground);
        let is_end = |point: Point| self.is_end(&axes, &installable, point);
        let ends = graph.reached().filter(|(place, _)| {
            is_end(place.point) && (place.point != axes.start || plan.refused_now.is_empty())
        });
        let best = ends.min_by_key(|(place, cost)| {
            (cost.driver_only, cost.unknown, Reverse(newness(place.point)), *cost, *place)
        });
        if let Some((end, cost)) = best {
            plan.answer = if end.point == axes.start {
                self.rest(&axes, held, &installable)
            } else {
                Answer::Path
            };
            plan.stages = maker.stages(&graph.path_to(end));
            plan.to = maker.state(end.point);
            plan.cost = cost.total();
            return;
        }
        let nearer = nearest(&axes, &graph, releases).map(|(place, cost)| {
            let stages = maker.stages(&graph.path_to(place));
            Box::new(Nearest { state: maker.state(place.point), stages, cost: cost.total() })
        });
        let reason = self.no_path(&axes, &judge, &installable, is_end);
        plan.answer = Answer::NoPath { reason, nearest: nearer };
    }

    /// Bytes of a set's builds, where all are known.
    fn bytes(&self, set: &Set) -> Option<u64> {
        let sizes = &self.goal.sizes;
        let own = set.frameworks.iter().map(|own| sizes.get(own.build.as_deref()?).copied());
        own.sum()
    }

    fn is_end(&self, axes: &Axes, installable: &Installable, point: Point) -> bool {
        let driver = self.goal.driver.as_ref();
        let has_driver = driver.is_none_or(|wanted| axes.driver(point) == Some(wanted));
        // a host without an environment, of which only another driver is asked
        let is_bare = point.rocm == ASIDE && axes.releases.is_empty();
        has_driver && (is_bare || installable.ends.contains(&(point.rocm, point.python)))
    }

    /// Why nothing is done: it is what was asked for, or something newer is not to be had.
    fn rest(&self, axes: &Axes, held: &[StayReason], installable: &Installable) -> Answer {
        if self.goal.rocm.is_some() || self.goal.driver.is_some() {
            return Answer::NothingToDo;
        }
        if let Some(reason) = held.first() {
            return Answer::Stay { reason: reason.clone() };
        }
        let own = axes.rocm(axes.start);
        match &installable.missing {
            Some((release, missing)) if Some(release) > own => Answer::Stay {
                reason: StayReason::FrameworkMissing {
                    framework: missing.framework.clone(),
                    wanted: release.clone(),
                },
            },
            _ => Answer::NothingToDo,
        }
    }

    fn no_path(
        &self,
        axes: &Axes,
        judge: &Judge<'_>,
        installable: &Installable,
        is_end: impl Fn(Point) -> bool,
    ) -> NoPathReason {
        if let (true, Some((release, missing))) =
            (installable.ends.is_empty(), &installable.missing)
        {
            if let Some((left, right, judgement)) = missing.pair.clone() {
                let (verdict, reason) = (judgement.verdict, judgement.reason);
                let evidence = judgement.evidence;
                return NoPathReason::Refused(vec![RefusedPair {
                    left,
                    right,
                    verdict,
                    reason,
                    evidence,
                }]);
            }
            return NoPathReason::FrameworkMissing {
                framework: missing.framework.clone(),
                wanted: missing.wanted.clone(),
                release: release.clone(),
                known: missing.known.clone(),
            };
        }
        let ends: Vec<Point> = axes.all().into_iter().filter(|point| is_end(*point)).collect();
        let marks = ends.iter().map(|point| judge.mark(*point));
        match marks.min() {
            Some(Mark::Refused) | None => {}
            Some(_) if self.policy.accept != Accept::Unknown => return NoPathReason::NotAccepted,
            Some(_) => return NoPathReason::NoOverlap,
        }
        // the end that needs the fewest other parts says why
        let moved = |point: &Point| {
            let start = axes.start;
            [
                point.system != start.system,
                point.kernel != start.kernel,
                point.driver != start.driver,
                point.firmware != start.firmware,
                point.python != start.python,
            ]
            .into_iter()
            .filter(|moved| *moved)
            .count()
        };
        let pairs = ends
            .iter()
            .map(|point| {
                let pairs: Vec<_> = refused(judge, *point).collect();
                (pairs, point)
            })
            .min_by_key(|(pairs, point)| (pairs.len(), moved(point), Reverse(point.rocm)));
        let pairs = pairs.map(|(pairs, _)| pairs).unwrap_or_default();
        NoPathReason::Refused(pairs.into_iter().map(Judged::refused).collect())
    }
}

/// The state that comes nearest to the wanted releases, where one is nearer than the start.
fn nearest(axes: &Axes, graph: &Graph, releases: &[RocmVersion]) -> Option<(Place, Weight)> {
    let places = releases.iter().filter_map(|release| {
        let at = axes.releases.iter().position(|known| known == release)?;
        u8::try_from(at).ok()
    });
    let places: Vec<u8> = places.collect();
    let away = |point: Point| {
        let from = places.iter().map(|place| place.abs_diff(point.rocm)).min();
        if point.rocm == ASIDE { u8::MAX } else { from.unwrap_or(u8::MAX) }
    };
    let start = away(axes.start);
    let nearer = graph.reached().filter(|(place, _)| away(place.point) < start);
    nearer.min_by_key(|(place, cost)| (away(place.point), *cost, *place))
}

/// The pairs of a point that are refused.
fn refused(judge: &Judge<'_>, point: Point) -> impl Iterator<Item = Judged> {
    judge.unlisted(point).into_iter().filter(|pair| pair.judgement.verdict.refuses())
}

/// The release of a point, newest last; no environment is the oldest.
fn newness(point: Point) -> u8 {
    point.rocm.wrapping_add(1)
}
