//! `shims install|list|remove`.

use std::path::Path;

use rocmenv_shims::install::Outcome;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::shims::{self, ShimsOutcome};
use crate::render::Output;

/// `shims install`.
pub fn install(context: &Context, out: &mut Output, names: &[String]) -> Result<Exit, Error> {
    let outcome = shims::install(context, names)?;
    report(context, out, &outcome)?;
    if !outcome.on_path && !context.settings.json {
        out.say(&format!("put the folder first on PATH: {}", on_path(&outcome.folder)));
    }
    Ok(Exit::Done)
}

/// `shims list`.
pub fn list(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let (folder, names) = shims::list(context)?;
    if context.settings.json {
        out.json(&serde_json::json!({ "folder": folder, "names": names }))?;
    } else {
        out.data(&names.join("\n"))?;
        out.detail(&format!("in `{}`", folder.display()));
    }
    Ok(Exit::Done)
}

/// `shims remove`.
pub fn remove(context: &Context, out: &mut Output, names: &[String]) -> Result<Exit, Error> {
    let outcome = shims::remove(context, names)?;
    report(context, out, &outcome)?;
    Ok(Exit::Done)
}

/// The command that puts a folder first on PATH: in this shell, or on Windows, in PowerShell, for
/// every program that this user starts from then on.
fn on_path(folder: &Path) -> String {
    let folder = folder.display();
    if cfg!(windows) {
        return format!(
            "[Environment]::SetEnvironmentVariable('Path', '{folder};' + \
             [Environment]::GetEnvironmentVariable('Path', 'User'), 'User')"
        );
    }
    format!("export PATH=\"{folder}:$PATH\"")
}

fn report(context: &Context, out: &mut Output, outcome: &ShimsOutcome) -> Result<(), Error> {
    if context.settings.json {
        let names: Vec<_> = outcome
            .names
            .iter()
            .map(|(name, outcome)| serde_json::json!({ "name": name, "outcome": word(*outcome) }))
            .collect();
        out.json(&serde_json::json!({
            "folder": outcome.folder,
            "names": names,
            "on-path": outcome.on_path,
        }))?;
        return Ok(());
    }
    for (name, happened) in &outcome.names {
        let line = format!("{} {name}", word(*happened));
        match happened {
            Outcome::Foreign => out.warn(&format!(
                "`{}` is no shim of rocmenv and was left alone",
                outcome.folder.join(name).display()
            )),
            Outcome::Unchanged | Outcome::Absent => out.detail(&line),
            Outcome::Installed | Outcome::Removed => out.say(&line),
        }
    }
    Ok(())
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Installed => "installed",
        Outcome::Unchanged => "unchanged",
        Outcome::Foreign => "foreign",
        Outcome::Removed => "removed",
        Outcome::Absent => "absent",
    }
}
