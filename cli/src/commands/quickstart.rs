//! `quickstart`: detect, make a project, lock, sync, verify; said step by step.

use std::path::{Path, PathBuf};

use rocmenv_manifests::sourced::{Origin, Sourced};
use rocmenv_resolver::host::HostFacts;
use serde_json::json;

use crate::commands::{lock, sync};
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::host::HostOptions;
use crate::ops::lock::{Inputs, LockOptions};
use crate::ops::quickstart::{Choice, choices, chosen_before};
use crate::ops::sync::{SyncOptions, SyncOutcome};
use crate::ops::trust::Trust;
use crate::ops::verify::{VerifyOptions, VerifyOutcome};
use crate::project_root::ProjectRoot;
use crate::render::{self, Output};
use crate::runtime;

/// Runs it in `folder`, which becomes a project unless it is one.
pub fn run(context: &Context, out: &mut Output, folder: Option<PathBuf>) -> Result<Exit, Error> {
    let folder = context.cwd.join(folder.unwrap_or_else(|| FOLDER.into()));
    let registry = ops::registry::load(context)?;
    let options = HostOptions { interpreters: true, ..HostOptions::default() };
    let facts = ops::host::facts(context, &registry, &options)?;
    out.say(&format!("1. host: {}", host(&facts)));
    let root = ProjectRoot::at(folder.clone());
    let is_own = root.manifest().exists();
    let all = if is_own {
        // A second call goes on with what the first one chose in the end.
        vec![chosen_before(choices(&facts), &ops::project::open(&at(context, &folder))?.project)]
    } else {
        choices(&facts)
    };
    let last = all.len() - 1;
    for (at, choice) in all.iter().enumerate() {
        let inner = inside(context, &folder, choice);
        if is_own {
            out.say(&format!("2. project: `{}` is there already", root.manifest().display()));
        } else {
            let mut init = choice.init.clone();
            init.folder = Some(folder.clone());
            let made = ops::init::init(&inner, &registry, &init)?;
            if context.settings.dry_run {
                out.data(&made.text)?;
                return Ok(Exit::Done);
            }
            out.say(&format!("2. project: made `{}`", root.manifest().display()));
        }
        match install(&inner, out) {
            Ok((synced, verified)) => return finish(&inner, out, choice, &synced, &verified),
            Err(error) if at < last && can_do_with_less(&error) => {
                out.warn(&format!("{}; taking a stack that needs less", error.chain().join(": ")));
                start_again(&root)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Exit::Unmet)
}

/// Lock, sync, verify.
fn install(context: &Context, out: &mut Output) -> Result<(SyncOutcome, VerifyOutcome), Error> {
    let inputs = Inputs::read(context)?;
    let reporter = context.reporter.as_ref();
    out.say("3. lock: choosing one compatible set");
    let options = LockOptions::default();
    let future = ops::lock::lock(context, &inputs, &options, reporter);
    let locked = runtime::block_on(future)??;
    lock::report(out, &locked, None);
    out.say("4. sync: making the environment");
    let options = SyncOptions { bytecode: true, ..SyncOptions::default() };
    let future = ops::sync::sync(context, &inputs, &options, reporter);
    let synced = runtime::block_on(future)??;
    sync::report(context, out, &synced);
    out.say("5. verify");
    // Commands of a project that was there before are not run unasked; a new one has none.
    let verified = ops::verify::verify(context, &VerifyOptions::default(), Trust::Refused)?;
    Ok((synced, verified))
}

fn finish(
    context: &Context,
    out: &mut Output,
    choice: &Choice,
    synced: &SyncOutcome,
    verified: &VerifyOutcome,
) -> Result<Exit, Error> {
    let folder = context.start();
    if context.settings.json {
        out.json(&json!({
            "project": folder,
            "target": synced.target,
            "generation": synced.generation,
            "verify": verified,
            "left-out": choice.left_out,
        }))?;
    } else {
        out.data(&render::verify(verified))?;
    }
    for left in &choice.left_out {
        out.say(&format!("left out: {left}"));
    }
    let target = choice.target.as_ref().map(|name| format!("--target {name} "));
    let has_python = synced.generation.as_ref().is_some_and(|made| made.python.is_some());
    out.say(&format!(
        "next: cd {} && {} {}run {}",
        folder.display(),
        own_name(context),
        target.unwrap_or_default(),
        if has_python { "python" } else { "rocminfo" }
    ));
    out.say("then: describe your own machines under [targets] in rocm.toml, or see `rocmenv init`");
    Ok(if verified.has_passed() { Exit::Done } else { Exit::Unmet })
}

/// The same call, as if it were made in the project.
fn at(context: &Context, folder: &Path) -> Context {
    let mut inner = context.clone();
    inner.settings.project = Some(folder.to_owned());
    inner
}

/// The same call, as if it were made in the project for the choice's target.
fn inside(context: &Context, folder: &Path, choice: &Choice) -> Context {
    let mut inner = at(context, folder);
    if let Some(target) = &choice.target {
        let origin = Origin::Default;
        inner.settings.target = Some(Sourced::new(target.clone(), origin));
    }
    inner
}

/// Whether another stack may do where this one failed: hosts that are not reached, or no solution.
fn can_do_with_less(error: &Error) -> bool {
    matches!(error.exit(), Exit::Network | Exit::Unmet | Exit::Host)
}

/// Takes away the rocm.toml that this very call made.
fn start_again(root: &ProjectRoot) -> Result<(), Error> {
    let path = root.manifest();
    fs_err::remove_file(&path)
        .map_err(|source| ops::files::FileError::Write { path, source: source.into() }.into())
}

fn host(facts: &HostFacts) -> String {
    let system = facts.os.release.as_ref().map_or("unknown system".to_owned(), ToString::to_string);
    let gpus: Vec<String> = facts
        .known_gpus()
        .iter()
        .map(|gpu| {
            let gfx = gpu.gfx.map(|gfx| gfx.to_string());
            gpu.product.clone().or(gfx).unwrap_or_else(|| "an AMD GPU".to_owned())
        })
        .collect();
    if gpus.is_empty() {
        format!("{system}, no AMD GPU: a described target is taken")
    } else {
        format!("{system}, {}", gpus.join(", "))
    }
}

/// How this program is called from another folder: a newcomer who built it has it on no PATH yet.
fn own_name(context: &Context) -> String {
    let path = context.environment.value(&crate::variables::PATH).unwrap_or_default();
    let name = format!("rocmenv{}", std::env::consts::EXE_SUFFIX);
    if std::env::split_paths(path).any(|folder| folder.join(&name).is_file()) {
        return "rocmenv".to_owned();
    }
    context.program.display().to_string()
}

const FOLDER: &str = "rocmenv-quickstart";
