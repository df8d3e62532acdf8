//! `why --not`: the proof that a version cannot be in the environment, or that it can.
//!
//! The version is asked for beside everything else, and what comes of it is the answer.

use std::collections::BTreeMap;

use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_manifests::version::Requirement;
use rocmenv_resolver::solve::{Edit, Fix, Moves, Question, Want, Wish};
use rocmenv_store::cache::Refresh;
use rocmenv_store::report::Reporter;

use super::solving::Solving;
use super::{Inputs, LockError, NotSolved, names, targets};
use crate::context::Context;
use crate::error::{Error, Exit, Failure};
use crate::ops::edit::place::Place;
use crate::ops::registry::stack_names;
use crate::ops::world::{WorldOptions, world};

/// What is asked away: a name and one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WishedAway {
    /// A package, a framework, `rocm` or `python`.
    pub name: String,
    /// The version.
    pub version: String,
}

/// The answer for one target.
#[derive(Debug)]
pub struct Impossible {
    /// The target.
    pub target: TargetName,
    /// Why it cannot be there; `None` where it can.
    pub proof: Option<NotSolved>,
}

impl std::str::FromStr for WishedAway {
    type Err = NotWish;

    fn from_str(text: &str) -> Result<Self, NotWish> {
        let parts = text.split_once("==").or_else(|| text.split_once('@'));
        let (name, version) = parts.unwrap_or_default();
        if name.trim().is_empty() || version.trim().is_empty() {
            return Err(NotWish(text.to_owned()));
        }
        Ok(Self { name: name.trim().to_owned(), version: version.trim().to_owned() })
    }
}

/// Asks for the version on every target, or on that of the call.
///
/// # Errors
/// The project cannot be solved for other reasons: an index cannot be reached, for instance.
pub async fn why_not(
    context: &Context,
    inputs: &Inputs,
    away: &WishedAway,
    reporter: &dyn Reporter,
) -> Result<Vec<Impossible>, Error> {
    let Inputs { opened, registry, host } = inputs;
    names::check(&opened.project, registry)?;
    let only = context.settings.target.as_ref().map(|target| &target.value);
    let targets = targets(&opened.project, registry, host, only)?;
    let world = world(
        context,
        &WorldOptions {
            root: &opened.root,
            project: &opened.project,
            registry,
            arch: targets.first().map_or_else(Default::default, |one| one.target.arch.value),
            codename: host.os.codename.as_deref(),
            refresh: Refresh::WhenOld,
        },
    )?;
    let env = &context.settings.env;
    let place = stack_names(registry).place(&away.name);
    let Some(wishes) = opened.project.environments.get(env) else { return Ok(Vec::new()) };
    let mut answers = Vec::new();
    for one in &targets {
        let moves = &Moves::Everything;
        let pins = &BTreeMap::new();
        let solving =
            Solving { inputs, one, env, wishes, old: None, moves, pins, world: &world, context };
        let ask = |question: &mut Question| ask_for(question, place.as_ref(), away);
        let proof = solving.proof_against(ask, reporter).await?;
        let proof = proof.map(|mut proof| {
            proof.refusal.fixes.retain(|fix| !takes_back(fix, &away.name));
            proof
        });
        answers.push(Impossible { target: one.target.name.clone(), proof });
    }
    Ok(answers)
}

/// Asks for the version beside everything else.
fn ask_for(
    question: &mut Question,
    place: Option<&Place>,
    away: &WishedAway,
) -> Result<(), LockError> {
    let unread = || LockError::NotWish(NotWish(format!("{}@{}", away.name, away.version)));
    let exact: Requirement = format!("=={}", away.version).parse().map_err(|_| unread())?;
    let both = |old: Option<&Requirement>| match old {
        Some(old) if !old.is_any() => format!("{old},{exact}").parse().map_err(|_| unread()),
        _ => Ok(exact.clone()),
    };
    let origin = Origin::Flag("--not".to_owned());
    let wants = &mut question.wants;
    match place {
        Some(Place::Stack(key)) if key == "rocm" => {
            let old = wants.rocm.as_ref().map(|rocm| &rocm.value);
            wants.rocm = Some(Sourced::new(both(old)?, origin));
        }
        Some(Place::Stack(key)) if key == "python" => {
            let old = wants.python.as_ref().map(|python| &python.value);
            wants.python = Some(Sourced::new(both(old)?, origin));
        }
        Some(Place::Stack(key)) if key == "driver" => {
            wants.driver = Some(Sourced::new(exact, origin));
        }
        Some(Place::Stack(key)) => {
            let known = wants.frameworks.iter_mut().find(|one| one.name == *key);
            match known {
                Some(known) => {
                    let both = both(Some(&known.requirement.value))?;
                    known.requirement = Sourced::new(both, origin);
                }
                None => wants.frameworks.push(rocmenv_manifests::project::Framework {
                    name: key.clone(),
                    requirement: Sourced::new(exact, origin),
                }),
            }
        }
        _ => {
            let text = format!("{}=={}", away.name, away.version);
            let requirement = text.parse().map_err(|_| unread())?;
            wants.packages.push(Want::of_requirement(&requirement, origin));
        }
    }
    Ok(())
}

/// Whether a fix only takes the question back.
fn takes_back(fix: &Fix, name: &str) -> bool {
    let is_it = |what: &Wish| what.to_string() == name.to_lowercase().replace(['_', '.'], "-");
    fix.edits.iter().any(|edit| match edit {
        Edit::Version { what, .. } | Edit::Drop(what) => is_it(what),
        Edit::Rocm(_) => name == "rocm",
        Edit::Python(_) => name == "python",
        _ => false,
    })
}

/// What was asked away is no version of anything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no package with one version")]
pub struct NotWish(pub String);

impl Failure for NotWish {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn code(&self) -> Option<&'static str> {
        Some("request-invalid")
    }

    fn help(&self) -> Option<String> {
        Some("rocmenv why --not torch@2.9.1".to_owned())
    }
}
