//! `registry`: what it is, what extends it, and `--add`.

use std::fmt::Write as _;
use std::path::Path;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::render::Output;

/// Shows the registry's date and overlays.
pub fn show(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let registry = ops::registry::load(context)?;
    let local: Vec<_> =
        registry.sources().source.iter().filter(|source| source.local.is_some()).collect();
    if context.settings.json {
        out.json(&serde_json::json!({
            "date": registry.date(),
            "sources": registry.sources().source.len(),
            "local": local,
            "folders": ops::registry::folders(context),
        }))?;
        return Ok(Exit::Done);
    }
    let mut text = format!(
        "{}\n{} sources, of which {} local\n",
        ops::registry::dated(&registry, context.now),
        registry.sources().source.len(),
        local.len()
    );
    for source in local {
        let file = source.local.as_deref().unwrap_or_default();
        let _ = writeln!(text, "  {} ({}), from {file}", source.key, source.site);
    }
    for folder in ops::registry::folders(context) {
        let _ = writeln!(text, "overlays are read from {}", folder.display());
    }
    out.data(&text)?;
    Ok(Exit::Done)
}

/// Prints versions for Renovate.
pub fn renovate(context: &Context, out: &mut Output, name: &str) -> Result<Exit, Error> {
    let registry = ops::registry::load(context)?;
    out.json(&ops::renovate::of(&registry, name)?)?;
    Ok(Exit::Done)
}

/// Adds an overlay.
pub fn add(context: &Context, out: &mut Output, file: &Path, user: bool) -> Result<Exit, Error> {
    let added = ops::registry::add(context, file, user)?;
    if context.settings.json {
        out.json(&serde_json::json!({ "file": added, "written": !context.settings.dry_run }))?;
    } else if context.settings.dry_run {
        out.say(&format!("would write `{}`", added.display()));
    } else {
        out.say(&format!("wrote `{}`", added.display()));
    }
    Ok(Exit::Done)
}
