//! `shims install|list|remove|update-shell`.

use std::path::Path;

use rocmenv_shims::install::Outcome;
use rocmenv_store::user_path::UserPathChange;

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

/// `shims update-shell`.
pub fn update_shell(context: &Context, out: &mut Output, undo: bool) -> Result<Exit, Error> {
    if !cfg!(windows) {
        return print_line(context, out, undo);
    }
    let outcome = shims::update_shell(context, undo)?;
    let folder = outcome.folder.display();
    let (done, already) = if undo {
        (format!("took `{folder}` off PATH"), format!("`{folder}` is not on PATH"))
    } else {
        (format!("put `{folder}` first on PATH"), format!("`{folder}` is first on PATH"))
    };
    if context.settings.json {
        let change = match outcome.change {
            None => "planned",
            Some(UserPathChange::Unchanged) => "unchanged",
            Some(UserPathChange::Told) => "told",
            Some(UserPathChange::NotTold) => "not-told",
        };
        out.json(&serde_json::json!({ "folder": outcome.folder, "change": change }))?;
        return Ok(Exit::Done);
    }
    match outcome.change {
        None => out.say(&format!("would have {done}")),
        Some(UserPathChange::Unchanged) => out.say(&already),
        Some(UserPathChange::Told) => out.say(&format!("{done}; a new terminal has it")),
        Some(UserPathChange::NotTold) => {
            out.say(&format!("{done}; programs that run could not be told: sign out and in again"));
        }
    }
    Ok(Exit::Done)
}

/// Which file a shell reads, and in what order, is its user's own affair.
fn print_line(context: &Context, out: &mut Output, undo: bool) -> Result<Exit, Error> {
    let folder = context.shims()?;
    let line = export(&folder);
    if context.settings.json {
        out.json(&serde_json::json!({ "folder": folder, "line": line, "change": "none" }))?;
        return Ok(Exit::Done);
    }
    out.say(if undo {
        "nothing was changed; take this line out of the file that your shell reads:"
    } else {
        "nothing was changed; put this line into the file that your shell reads (~/.bashrc, ~/.zshrc):"
    });
    out.data(&line)?;
    Ok(Exit::Done)
}

/// How a folder comes first on PATH: in this shell, or on Windows for every program that this user
/// starts from then on.
fn on_path(folder: &Path) -> String {
    if cfg!(windows) { "rocmenv shims update-shell".to_owned() } else { export(folder) }
}

fn export(folder: &Path) -> String {
    format!("export PATH=\"{}:$PATH\"", folder.display())
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
        let would = if context.settings.dry_run { "would have " } else { "" };
        let line = format!("{would}{} {name}", word(*happened));
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
