//! `doctor`: findings, one symptom, the requirements, a capture, a mend.

use rocmenv_manifests::registry::rows::faults::Scope;
use rocmenv_resolver::diagnose::Diagnosis;

use super::{edit, lock, storage, sync};
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::doctor::{Case, DoctorOptions, Fix, Task, fix_of};
use crate::ops::edit::AddOptions;
use crate::ops::gc::CollectOptions;
use crate::ops::lock::LockOptions;
use crate::ops::registry;
use crate::ops::sync::SyncOptions;
use crate::render::{self, Output};

/// `doctor`.
pub fn run(context: &Context, out: &mut Output, options: &DoctorOptions) -> Result<Exit, Error> {
    if let Task::Fix(code) = &options.task {
        return fix(context, out, code);
    }
    let case = Case::open(context, options)?;
    let json = context.settings.json;
    match &options.task {
        Task::Diagnose | Task::Fix(_) => {
            let (facts, diagnosis) = case.diagnose();
            if json {
                out.json(&render::diagnosis_json(&diagnosis))?;
            } else {
                let verbose = out.style().verbosity > crate::settings::Verbosity::Normal;
                out.data(&render::diagnosis(&facts, &diagnosis, verbose))?;
            }
            Ok(exit(&diagnosis))
        }
        Task::Symptom(symptom) => {
            let (walk, diagnosis) = case.walk(*symptom);
            if json {
                out.json(&render::walk_json(&walk, &diagnosis))?;
            } else {
                out.data(&render::walk(&walk, &diagnosis))?;
            }
            Ok(exit(&diagnosis))
        }
        Task::Requirements(wanted) => {
            let answer = case.requirements(wanted);
            if json {
                out.json(&answer)?;
            } else {
                out.data(&render::requirements(&answer))?;
            }
            Ok(if answer.is_refused() { Exit::Unmet } else { Exit::Done })
        }
        Task::Capture(file) => {
            let path = case.capture(context, file)?;
            let done = !context.settings.dry_run;
            if json {
                out.json(&serde_json::json!({ "capture": path, "done": done }))?;
            } else if done {
                out.say(&format!("wrote {}; look through it before you send it", path.display()));
            } else {
                out.say(&format!("would write {}", path.display()));
            }
            Ok(Exit::Done)
        }
    }
}

/// A host change that is needed outranks other errors: nothing else can be mended before it.
fn exit(diagnosis: &Diagnosis) -> Exit {
    let scopes: Vec<Scope> = diagnosis.errors().map(|finding| finding.scope).collect();
    if scopes.contains(&Scope::Host) {
        Exit::Host
    } else if scopes.is_empty() {
        Exit::Done
    } else {
        Exit::Unmet
    }
}

/// Runs the verbs of a mend, one after the other; one that fails ends it.
fn fix(context: &Context, out: &mut Output, code: &str) -> Result<Exit, Error> {
    let registry = registry::load(context)?;
    let fix = fix_of(code, &registry)?;
    let word = if context.settings.dry_run { "would run" } else { "runs" };
    let verbs: Vec<String> = fix.verbs().iter().map(|verb| format!("`rocmenv {verb}`")).collect();
    out.say(&format!("{code}: {word} {}", verbs.join(", ")));
    match fix {
        Fix::Collect => storage::gc(context, out, &CollectOptions::default()),
        Fix::CleanCache => storage::clean(context, out),
        Fix::Sync => sync::run(context, out, &SyncOptions::default()),
        Fix::Relock => relock(context, out),
        Fix::Add(wish) => {
            let requests = vec![wish.to_owned()];
            edit::add(context, out, &AddOptions { requests, ..AddOptions::default() })?;
            relock(context, out)
        }
    }
}

fn relock(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let exit = lock::run(context, out, &LockOptions::default())?;
    if exit != Exit::Done || context.settings.dry_run {
        return Ok(exit);
    }
    sync::run(context, out, &SyncOptions::default())
}
