//! `target add`: this host becomes one more target.

use rocmenv_manifests::lock::Lock;
use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::project::ChannelChoice;
use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_resolver::target::{Target, fit, from_host};
use rocmenv_store::report::Reporter;

use super::{TargetEditError, describe};
use crate::context::Context;
use crate::error::Error;
use crate::ops::files;
use crate::ops::lock::{self, Inputs, LockOptions, LockOutcome};
use crate::settings::LockMode;

/// What came of it.
#[derive(Debug)]
pub struct AddOutcome {
    /// The target.
    pub name: TargetName,
    /// Whether the host fits it already, so that nothing was to be done.
    pub is_there: bool,
    /// What was added to rocm.toml.
    pub text: String,
    /// What of this host rocm.toml cannot say.
    pub unsaid: Vec<String>,
    /// Whether the host that the lock was made on is described now, too.
    pub described_other: bool,
    /// The lock.
    pub locked: Option<LockOutcome>,
}

/// Describes this host in rocm.toml and locks it. Nothing is written unless it can be solved.
///
/// # Errors
/// The name is taken, nothing fits this host, or a file cannot be written.
pub async fn add(
    context: &Context,
    name: Option<TargetName>,
    reporter: &dyn Reporter,
) -> Result<AddOutcome, Error> {
    let inputs = Inputs::read(context)?;
    let project = &inputs.opened.project;
    let text = files::read_optional(&inputs.opened.root.lock())?;
    let old = text.as_deref().map(Lock::parse).transpose()?;
    let host = from_host(TargetName::host(), &inputs.host, &inputs.registry);
    let fitting = old.as_ref().and_then(|lock| fitting(lock, &host));
    if let (None, Some(there)) = (&name, fitting.clone()) {
        return Ok(AddOutcome {
            name: there,
            is_there: true,
            text: String::new(),
            unsaid: Vec::new(),
            described_other: false,
            locked: None,
        });
    }
    let name = match name {
        Some(name) => name,
        None => describe::name_of(&host).ok_or(TargetEditError::NoName)?,
    };
    if project.targets.iter().any(|spec| spec.name == name) {
        return Err(TargetEditError::Exists(name).into());
    }
    let with_rocm = project.rocm.channel.value == ChannelChoice::Host;
    let (table, unsaid) = describe::of_host(&name, &host, with_rocm);
    // A lock for one host that nobody described: it gets a description, or it would be lost.
    let other = match &old {
        Some(lock) if project.targets.is_empty() && fitting.is_none() => other_host(lock)?,
        _ => None,
    };
    let added = other.iter().chain([&table]).fold(String::new(), |text, one| text + "\n" + one);
    let new = inputs.opened.with_text(inputs.opened.text.clone() + &added);
    let new = new.map_err(TargetEditError::WouldBreak)?;

    let mut only = context.clone();
    only.settings.is_env_asked = false;
    only.settings.target = Some(Sourced::new(name.clone(), Origin::Flag("target add".to_owned())));
    let inputs = Inputs { opened: new, ..inputs };
    let mut locked = lock::lock(&only, &inputs, &LockOptions::default(), reporter).await?;
    let writes = !context.settings.dry_run && context.settings.lock_mode == LockMode::Update;
    if other.is_some() {
        describe_other(&mut locked.lock, &inputs);
        if writes {
            files::replace(&inputs.opened.root.lock(), &locked.lock.to_text())?;
        }
    }
    if writes {
        files::replace(&inputs.opened.root.manifest(), &inputs.opened.text)?;
    }
    Ok(AddOutcome {
        name,
        is_there: false,
        text: added,
        unsaid,
        described_other: other.is_some(),
        locked: Some(locked),
    })
}

/// The first target every part of which this host fits.
fn fitting(lock: &Lock, host: &Target) -> Option<TargetName> {
    let fits = |name: &TargetName| {
        let mut parts = lock.targets.iter().filter(|part| part.name == *name);
        parts.all(|part| fit(&part.contract, host).is_empty())
    };
    lock.targets.iter().map(|part| &part.name).find(|name| fits(name)).cloned()
}

/// A description of the host that a lock without described targets was made on.
fn other_host(lock: &Lock) -> Result<Option<String>, TargetEditError> {
    let Some(part) = lock.targets.iter().find(|part| part.name == TargetName::host()) else {
        return Ok(None);
    };
    let table = describe::of_contract(&part.name, &part.contract);
    table.map(Some).ok_or(TargetEditError::NotDescribed)
}

/// The locked parts of that host stay; they are now for the description.
fn describe_other(lock: &mut Lock, inputs: &Inputs) {
    let project = &inputs.opened.project;
    let spec = project.targets.iter().find(|spec| spec.name == TargetName::host());
    for part in lock.targets.iter_mut().filter(|part| part.name == TargetName::host()) {
        part.inputs = project.inputs(&part.env, spec);
    }
}
