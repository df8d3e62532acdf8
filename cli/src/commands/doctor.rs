//! `doctor`: findings, one symptom, the requirements, a capture, a mend.

use rocmenv_manifests::registry::rows::faults::Scope;
use rocmenv_resolver::diagnose::Diagnosis;

use super::{storage, sync};
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::doctor::{Case, DoctorOptions, Fix, Task, fix_of};
use crate::ops::gc::CollectOptions;
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

fn fix(context: &Context, out: &mut Output, code: &str) -> Result<Exit, Error> {
    let registry = registry::load(context)?;
    let fix = fix_of(code, &registry)?;
    let word = if context.settings.dry_run { "would run" } else { "runs" };
    let verb = match fix {
        Fix::Collect => "gc",
        Fix::CleanCache => "cache clean",
        Fix::Sync => "sync",
    };
    out.say(&format!("{code}: {word} `rocmenv {verb}`"));
    match fix {
        Fix::Collect => storage::gc(context, out, &CollectOptions::default()),
        Fix::CleanCache => storage::clean(context, out),
        Fix::Sync => sync::run(context, out, &SyncOptions::default()),
    }
}
