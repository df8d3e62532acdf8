//! The changes that can be tried, what each makes of a question, and the edit that it comes to.
//!
//! A move lets something go; the solution of what is left says to what it should be set.

use std::collections::BTreeSet;

use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::project::{Accept, ChannelChoice};
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_manifests::version::{Dotted, Requirement};

use super::{Edit, Surroundings, Wish, hosts};
use crate::check::{CheckHost, is_listed_under_wsl};
use crate::solve::from_registry::StackRequest;
use crate::solve::member::{self, Member};
use crate::solve::question::Question;
use crate::solve::releases::host_value;
use crate::solve::solution::Solution;
use crate::solve::stack::{Fact, Stack};
use crate::target::{Target, TargetDriver};

/// One thing that is let go or set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Move {
    Unproven,
    Accept(Accept),
    Preview,
    /// Any release of this line.
    Line(String),
    Python,
    /// Any version.
    Loosen(Member),
    /// From the indexes that the registry binds it to.
    Unbind(Member),
    Drop(Member),
    Driver(TargetDriver),
    /// A kernel, with the family that the table names.
    Kernel {
        to: Dotted,
        flavour: Option<String>,
    },
    /// Another release of the system, or another system.
    System(OsRelease),
    Channel(ChannelChoice),
    DropGpu(usize),
    /// This distribution under WSL2 on the same Windows.
    Wsl(OsRelease),
}

/// The question after some moves; `None` where one of them cannot be made.
pub(super) fn changed(
    question: &Question,
    surroundings: Option<&Surroundings<'_>>,
    moves: &[Move],
) -> Option<Question> {
    let mut changed = question.clone();
    let mut channel = surroundings.map(|it| it.channel.clone());
    let mut dropped: BTreeSet<Member> = BTreeSet::new();
    for one in moves {
        match one {
            Move::Unproven => changed.unproven = true,
            Move::Accept(accept) => changed.accept = *accept,
            Move::Preview => changed.preview = true,
            Move::Python => member::free_python(&mut changed),
            Move::Line(_) => changed.wants.rocm = member::any_line(),
            Move::Loosen(member) => loosen(&mut changed, *member),
            Move::Unbind(member) => unbind(&mut changed, *member),
            Move::Drop(member) => {
                dropped.insert(*member);
            }
            Move::Driver(driver) => {
                let origin = Origin::Default;
                changed.target.driver = Some(Sourced::new(driver.clone(), origin));
            }
            Move::Kernel { to, .. } => {
                changed.target.kernel = Some(Sourced::new(to.clone(), Origin::Default));
            }
            // What a new system brings is its own: nobody said which kernel.
            Move::System(to) => {
                changed.target.os = Some(Sourced::new(to.clone(), Origin::Default));
                changed.target.kernel = None;
            }
            Move::Channel(to) => channel = Some(to.clone()),
            Move::Wsl(os) => under_wsl(&mut changed.target, os),
            Move::DropGpu(at) => {
                changed.target.gpus.as_mut().filter(|gpus| *at < gpus.len())?.remove(*at);
            }
        }
    }
    let is_of_host = moves.iter().any(Move::is_of_host);
    match (surroundings, channel) {
        (Some(surroundings), Some(channel)) if is_of_host || moves.contains(&Move::Python) => {
            restack(&mut changed, surroundings, &channel);
        }
        _ if is_of_host => return None,
        _ => {}
    }
    for one in moves {
        match one {
            Move::Line(line) => changed.stack.releases.retain(|release| release.line == *line),
            // Only where AMD lists the very products there.
            Move::Wsl(os) => {
                let registry = surroundings?.registry;
                let gpus = CheckHost::of_target(&changed.target, registry).gpus;
                changed
                    .stack
                    .releases
                    .retain(|release| is_listed_under_wsl(registry, &gpus, os, &release.version));
            }
            _ => {}
        }
    }
    drop_all(&mut changed, &dropped);
    Some(changed)
}

/// The same machine, entered through a distribution under WSL2.
fn under_wsl(target: &mut Target, os: &OsRelease) {
    target.family = os.family();
    target.os = Some(Sourced::new(os.clone(), Origin::Default));
    target.wsl = true;
    target.kernel = None;
    target.libc = None;
}

/// Numbers of members are places in the unchanged question, so all go at once.
fn drop_all(question: &mut Question, dropped: &BTreeSet<Member>) {
    let wants = &mut question.wants;
    let keeps = |member: Member| !dropped.contains(&member);
    member::retain(&mut wants.frameworks, |at| keeps(Member::Framework(at)));
    member::retain(&mut wants.components, |at| keeps(Member::Component(at)));
    member::retain(&mut wants.packages, |at| keeps(Member::Package(at)));
    if dropped.contains(&Member::Driver) {
        wants.driver = None;
    }
}

fn loosen(question: &mut Question, member: Member) {
    match member {
        Member::Framework(at) => {
            if let Some(framework) = question.wants.frameworks.get_mut(at) {
                framework.requirement.value = Requirement::any();
            }
        }
        Member::Package(at) => {
            if let (Some(want), Ok(any)) = (question.wants.packages.get_mut(at), "".parse()) {
                want.specifiers = any;
            }
        }
        _ => {}
    }
}

fn unbind(question: &mut Question, member: Member) {
    if let Member::Package(at) = member
        && let Some(want) = question.wants.packages.get_mut(at)
    {
        want.index = None;
    }
}

/// Judges the stack anew for a changed host, channel or Python.
fn restack(question: &mut Question, surroundings: &Surroundings<'_>, channel: &ChannelChoice) {
    let series = match question.interpreters.as_slice() {
        [only] => Some(only.dotted().to_string()),
        _ => None,
    };
    let mut stack = Stack::of_request(&StackRequest {
        registry: surroundings.registry,
        target: &question.target,
        channel,
        python: series.as_deref(),
    });
    // What the project itself put in stays.
    let old = std::mem::take(&mut question.stack);
    stack.interpreter_debs = old.interpreter_debs;
    for (name, ways) in old.components {
        stack.components.entry(name).or_insert(ways);
    }
    question.stack = stack;
}

impl Move {
    /// Whether it cannot be made without judging the stack anew.
    fn is_of_host(&self) -> bool {
        match self {
            Self::Driver(_)
            | Self::Kernel { .. }
            | Self::System(_)
            | Self::Channel(_)
            | Self::DropGpu(_)
            | Self::Wsl(_) => true,
            Self::Unproven
            | Self::Accept(_)
            | Self::Preview
            | Self::Line(_)
            | Self::Python
            | Self::Loosen(_)
            | Self::Unbind(_)
            | Self::Drop(_) => false,
        }
    }

    /// What a person has to change, given what the moved question came to; `None` where that
    /// cannot be said, or where no document names what the host would become.
    pub(super) fn settled(
        &self,
        question: &Question,
        surroundings: Option<&Surroundings<'_>>,
        solution: &Solution,
    ) -> Option<Edit> {
        let rocm = || solution.rocm.as_ref().map(|release| &release.version);
        Some(match self {
            Self::Unproven => Edit::Unproven,
            Self::Accept(accept) => Edit::Accept(*accept),
            Self::Preview => Edit::Preview,
            Self::Line(_) => {
                let release = solution.rocm.as_ref()?.version.dotted();
                Edit::Rocm(Dotted::new(release.part(0), release.part(1)))
            }
            Self::Python => Edit::Python(solution.python.as_ref()?.dotted()),
            Self::Loosen(member) => Edit::Version {
                what: wish(question, *member)?,
                to: version(question, *member, solution)?,
            },
            Self::Unbind(member) => Edit::Unbind(wish(question, *member)?),
            Self::Drop(member) => Edit::Drop(wish(question, *member)?),
            Self::Driver(to) => {
                let (TargetDriver::Amd(to) | TargetDriver::Adrenalin(to)) = to else { return None };
                let has = question.target.driver.as_ref();
                let from = has.map(|_| host_value(&question.target, Fact::Driver));
                Edit::Driver { from, to: to.clone() }
            }
            Self::Kernel { to, flavour } => Edit::Kernel {
                from: host_value(&question.target, Fact::Kernel),
                to: to.clone(),
                flavour: flavour.clone(),
                source: hosts::kernel_source(surroundings?, &question.target, to, rocm()?)?,
            },
            Self::System(to) => Edit::System {
                from: host_value(&question.target, Fact::Os),
                to: to.clone(),
                source: hosts::system_source(surroundings?, &question.target, to, rocm()?)?,
                has_kernel: question.target.kernel.is_some(),
            },
            Self::Wsl(os) => Edit::Wsl(os.clone()),
            Self::Channel(to) => Edit::Channel(channel_text(to)),
            Self::DropGpu(at) => {
                let gpu = &question.target.gpus.as_ref()?.get(*at)?.value;
                let gfx = gpu.gfx.map(|gfx| gfx.to_string());
                Edit::DropGpu { at: *at, name: gpu.product.clone().or(gfx)? }
            }
        })
    }
}

fn wish(question: &Question, member: Member) -> Option<Wish> {
    let wants = &question.wants;
    Some(match member {
        Member::Driver => Wish::Driver,
        Member::Framework(at) => Wish::Framework(wants.frameworks.get(at)?.name.clone()),
        Member::Component(at) => Wish::Component(wants.components.get(at)?.value.clone()),
        Member::Package(at) => {
            let want = wants.packages.get(at)?;
            Wish::Package { name: want.name.clone(), group: want.group.clone() }
        }
        Member::Rocm | Member::Python | Member::Host(_) => return None,
    })
}

/// The version that a solution has of something, as a requirement: its series where the version
/// has one, so that patch releases stay welcome.
fn version(question: &Question, member: Member, solution: &Solution) -> Option<String> {
    let version = match member {
        Member::Framework(at) => {
            let name = &question.wants.frameworks.get(at)?.name;
            solution.frameworks().find(|one| one.name == *name)?.version.clone()
        }
        Member::Package(at) => {
            let name = &question.wants.packages.get(at)?.name;
            solution.wheels().into_iter().find(|one| one.name == *name)?.version.clone()
        }
        _ => return None,
    };
    let release = version.release();
    Some(match release {
        [major, minor, ..] if !version.any_prerelease() => format!("{major}.{minor}"),
        _ => format!("=={version}"),
    })
}

/// The word of rocm.toml for a channel.
pub(in crate::solve) fn channel_text(channel: &ChannelChoice) -> String {
    match channel {
        ChannelChoice::Auto => "auto".to_owned(),
        ChannelChoice::Amd => "amd".to_owned(),
        ChannelChoice::TheRock => "therock".to_owned(),
        ChannelChoice::Distro => "distro".to_owned(),
        ChannelChoice::Host => "host".to_owned(),
        ChannelChoice::Named(name) => name.to_string(),
    }
}
