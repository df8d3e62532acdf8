//! Which moves are tried, and in which order: single ones, then pairs, then as few of all as do.

use std::collections::BTreeSet;

use rocmenv_manifests::platform::{OsFamily, OsRelease};
use rocmenv_manifests::project::{Accept, ChannelChoice};

use super::hosts::HostMoves;
use super::moves::{Move, changed};
use super::{Fix, Surroundings};
use crate::check::{CheckHost, is_listed_under_wsl, wsl_systems};
use crate::solve::known_builds;
use crate::solve::member::Member;
use crate::solve::native_windows::stays_out_of_wsl;
use crate::solve::question::Question;
use crate::solve::solution::Solution;
use crate::solve::trials::{Trial, Trials};

/// The changes that do, the cheapest first, at most five.
pub(in crate::solve) fn search(
    question: &Question,
    core: &BTreeSet<Member>,
    surroundings: Option<&Surroundings<'_>>,
    trials: &mut Trials<'_>,
) -> Vec<Fix> {
    let mut searching = Searching { question, core, surroundings, trials };
    let singles = searching.singles();
    let hosts = HostMoves::of(question, core, surroundings);
    let drivers = hosts.drivers();
    let mut found: Vec<Fix> =
        singles.iter().filter_map(|one| searching.proved(std::slice::from_ref(one))).collect();
    for alternatives in [&drivers, &hosts.kernels(), &hosts.systems()] {
        found.extend(searching.first_of(alternatives, None));
    }
    let wsl = searching.under_wsl();
    found.extend(searching.first_of(&wsl, None));
    let beside = if found.is_empty() { searching.beside() } else { Vec::new() };
    found.extend(beside.iter().filter_map(|one| searching.proved(std::slice::from_ref(one))));
    if found.is_empty() && searching.trials.missing.is_empty() {
        found = searching.pairs(&singles, &beside, &drivers);
    }
    if found.is_empty() && searching.trials.missing.is_empty() {
        found.extend(searching.fewest(&[singles, beside].concat()));
    }
    found.sort_by_key(Fix::cost);
    found.dedup_by(|a, b| a.edits == b.edits);
    found.truncate(MOST);
    found
}

struct Searching<'s, 'a> {
    question: &'s Question,
    core: &'s BTreeSet<Member>,
    surroundings: Option<&'s Surroundings<'s>>,
    trials: &'s mut Trials<'a>,
}

impl Searching<'_, '_> {
    /// The moves that could help by themselves: only what is part of the core, or a policy.
    fn singles(&self) -> Vec<Move> {
        let question = self.question;
        let mut moves = Vec::new();
        if !question.unproven {
            moves.push(Move::Unproven);
        }
        match question.accept {
            Accept::Listed => {
                moves.extend([Move::Accept(Accept::Built), Move::Accept(Accept::Unknown)]);
            }
            Accept::Built => moves.push(Move::Accept(Accept::Unknown)),
            Accept::Unknown => {}
        }
        if !question.preview && question.stack.releases.iter().any(|release| release.preview) {
            moves.push(Move::Preview);
        }
        moves.extend(self.core.iter().filter_map(|member| self.loosened(*member)));
        moves.extend(self.core.iter().filter_map(|member| self.unbound(*member)));
        if self.core.contains(&Member::Rocm) {
            moves.extend(self.lines().into_iter().map(Move::Line));
        }
        if self.core.contains(&Member::Python) {
            moves.push(Move::Python);
        }
        moves.extend(self.channels().into_iter().map(Move::Channel));
        let wants = &question.wants;
        let wishes = wants.frameworks.len() + wants.packages.len() + wants.components.len();
        let droppable = self.core.iter().filter(|member| match member {
            Member::Framework(_) | Member::Component(_) | Member::Package(_) => wishes > 1,
            Member::Driver => true,
            Member::Rocm | Member::Python | Member::Host(_) => false,
        });
        moves.extend(droppable.map(|member| Move::Drop(*member)));
        let gpus = question.target.gpus.as_ref().map_or(0, Vec::len);
        if gpus > 1 && self.surroundings.is_some() {
            moves.extend((0..gpus).map(Move::DropGpu));
        }
        moves
    }

    fn loosened(&self, member: Member) -> Option<Move> {
        let wants = &self.question.wants;
        let is_limited = match member {
            Member::Framework(at) => !wants.frameworks.get(at)?.requirement.value.is_any(),
            Member::Package(at) => !wants.packages.get(at)?.specifiers.is_empty(),
            _ => false,
        };
        is_limited.then_some(Move::Loosen(member))
    }

    /// A package of which there are builds for ROCm, bound to an index that is named for it.
    fn unbound(&self, member: Member) -> Option<Move> {
        let Member::Package(at) = member else { return None };
        let want = self.question.wants.packages.get(at)?;
        let is_served = self.question.stack.bindings.iter().any(|own| own.is_of(&want.name));
        (want.index.is_some() && is_served).then_some(Move::Unbind(member))
    }

    /// What is no part of the core and may stand in the way of what there is elsewhere: the core
    /// says that there is no build here of a wish with known builds, and nobody asked yet which
    /// Python and ROCm those are for.
    fn beside(&self) -> Vec<Move> {
        let Some(surroundings) = self.surroundings else { return Vec::new() };
        let wants = &self.question.wants;
        let is_built = |member: &Member| match member {
            Member::Framework(at) => {
                let rule = wants.frameworks.get(*at);
                let rule = rule.and_then(|it| self.question.stack.frameworks.get(&it.name));
                rule.is_some_and(|rule| known_builds::is_built(surroundings.registry, &rule.main))
            }
            Member::Package(at) => {
                let want = wants.packages.get(*at);
                want.is_some_and(|it| known_builds::is_built(surroundings.registry, &it.name))
            }
            _ => false,
        };
        let mut moves = Vec::new();
        if !self.core.iter().any(is_built) {
            return moves;
        }
        if wants.python.is_some() && !self.core.contains(&Member::Python) {
            moves.push(Move::Python);
        }
        if wants.rocm.is_some() && !self.core.contains(&Member::Rocm) {
            moves.extend(self.lines().into_iter().map(Move::Line));
        }
        moves
    }

    /// The lines of ROCm, those of the newest releases first.
    fn lines(&self) -> Vec<String> {
        let releases = &self.question.stack.releases;
        let mut releases: Vec<_> =
            releases.iter().filter(|one| self.question.preview || !one.preview).collect();
        releases.sort_by(|a, b| b.version.cmp(&a.version));
        let mut lines: Vec<String> = Vec::new();
        for release in releases {
            if !lines.contains(&release.line) {
                lines.push(release.line.clone());
            }
        }
        lines
    }

    /// Other channels. `auto` holds AMD's, TheRock's and the host's, so these are tried alone
    /// only where it does not do.
    fn channels(&self) -> Vec<ChannelChoice> {
        let Some(surroundings) = self.surroundings else { return Vec::new() };
        let concerns_rocm =
            self.question.wants.rocm.is_some() || !self.question.wants.frameworks.is_empty();
        match surroundings.channel {
            _ if !concerns_rocm => Vec::new(),
            ChannelChoice::Auto => vec![ChannelChoice::Distro],
            ChannelChoice::Distro => vec![ChannelChoice::Auto],
            _ => vec![ChannelChoice::Auto, ChannelChoice::Distro],
        }
    }

    /// Distributions under WSL2 that AMD lists the target's products for: what is Linux only runs
    /// there. Not where the Windows itself is what does not fit.
    fn under_wsl(&self) -> Vec<Move> {
        let is_wish = |member: &Member| {
            matches!(member, Member::Framework(_) | Member::Component(_) | Member::Package(_))
        };
        let target = &self.question.target;
        let Some(surroundings) = self.surroundings else { return Vec::new() };
        if target.family != OsFamily::Windows || !self.core.iter().any(is_wish) {
            return Vec::new();
        }
        let registry = surroundings.registry;
        let gpus = CheckHost::of_target(target, registry).gpus;
        let releases = &self.question.stack.releases;
        let is_open = |rocm| {
            let stays_out =
                |member: &Member| stays_out_of_wsl(self.question, registry, *member, rocm);
            !self.core.iter().any(stays_out)
        };
        let is_listed = |os: &OsRelease| {
            let mut versions = releases.iter().map(|release| &release.version);
            versions.any(|rocm| is_listed_under_wsl(registry, &gpus, os, rocm) && is_open(rocm))
        };
        wsl_systems(registry).into_iter().filter(is_listed).map(Move::Wsl).collect()
    }

    /// The first of several alternatives that does, with another move or alone.
    fn first_of(&mut self, alternatives: &[Move], with: Option<&Move>) -> Option<Fix> {
        for one in alternatives {
            let moves: Vec<Move> = with.into_iter().chain([one]).cloned().collect();
            if let Some(fix) = self.proved(&moves) {
                return Some(fix);
            }
            // What is nearer may still do when it was fetched.
            if !self.trials.missing.is_empty() {
                return None;
            }
        }
        None
    }

    fn pairs(&mut self, singles: &[Move], beside: &[Move], drivers: &[Move]) -> Vec<Fix> {
        let mut found = Vec::new();
        let mut tried = 0;
        for (at, one) in singles.iter().enumerate() {
            for other in singles[at + 1..].iter().chain(beside) {
                if tried >= MOST_PAIRS || excludes(one, other) {
                    continue;
                }
                tried += 1;
                found.extend(self.proved(&[one.clone(), other.clone()]));
            }
        }
        for one in singles.iter().filter(|one| matches!(one, Move::Line(_) | Move::Loosen(_))) {
            found.extend(self.first_of(drivers, Some(one)));
        }
        found
    }

    /// Everything loosened at once, and of that as little as does.
    fn fewest(&mut self, singles: &[Move]) -> Option<Fix> {
        let mut moves: Vec<Move> = Vec::new();
        for one in singles {
            let is_loose =
                matches!(one, Move::Loosen(_) | Move::Unbind(_) | Move::Line(_) | Move::Python);
            if is_loose && !moves.iter().any(|other| excludes(one, other)) {
                moves.push(one.clone());
            }
        }
        self.proved(&moves)?;
        for at in (0..moves.len()).rev() {
            let mut less = moves.clone();
            less.remove(at);
            if self.proved(&less).is_some() {
                moves = less;
            }
        }
        self.proved(&moves)
    }

    /// The fix that some moves come to, if they do.
    fn proved(&mut self, moves: &[Move]) -> Option<Fix> {
        let (question, surroundings) = (self.question, self.surroundings);
        let make = || changed(question, surroundings, moves);
        let Trial::Solved(solution) = self.trials.run(format!("with {moves:?}"), make) else {
            return None;
        };
        let edits: Option<Vec<_>> =
            moves.iter().map(|one| one.settled(question, surroundings, &solution)).collect();
        Some(Fix {
            edits: edits?,
            rocm: solution.rocm.as_ref().map(|release| release.version.clone()),
            chosen: chosen(question, &solution),
        })
    }
}

/// Moves of which only one can be made.
fn excludes(one: &Move, other: &Move) -> bool {
    match (one, other) {
        (Move::Line(_), Move::Line(_))
        | (Move::Accept(_), Move::Accept(_))
        | (Move::Channel(_), Move::Channel(_))
        | (Move::DropGpu(_), Move::DropGpu(_)) => true,
        (Move::Loosen(a), Move::Drop(b)) | (Move::Drop(a), Move::Loosen(b)) => a == b,
        _ => false,
    }
}

/// What was asked for, with the versions that it would have.
fn chosen(question: &Question, solution: &Solution) -> Vec<String> {
    let frameworks = solution.frameworks().map(|one| format!("{} {}", one.name, one.version));
    let asked = |name: &rocmenv_manifests::name::PackageName| {
        question.wants.packages.iter().any(|want| want.name == *name)
    };
    let wheels = solution.wheels().into_iter().filter(|wheel| asked(&wheel.name));
    frameworks.chain(wheels.map(|wheel| format!("{} {}", wheel.name, wheel.version))).collect()
}

/// More would be a list, not an answer.
const MOST: usize = 5;

/// Pairs are tried only where no single change does, and no more of them than this.
const MOST_PAIRS: usize = 60;
