//! `cache dir|size|clean` and `gc`.

use serde_json::json;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::gc::{self, CollectOptions};
use crate::ops::storage;
use crate::render::{self, Output, bytes};

/// `cache dir`.
pub fn dir(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let (data, cache) = (context.data()?, context.cache()?);
    if context.settings.json {
        out.json(&json!({ "cache": cache, "data": data }))?;
    } else {
        out.data(&cache.display().to_string())?;
    }
    Ok(Exit::Done)
}

/// `cache size`.
pub fn size(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let measured = storage::measure(context)?;
    let usage = measured.usage;
    if context.settings.json {
        out.json(&json!({
            "store": measured.store,
            "cache": measured.cache,
            "object-count": usage.object_count,
            "objects": usage.objects,
            "bytecode": usage.bytecode,
            "pythons": usage.pythons,
            "cache-bytes": usage.cache,
            "downloads": usage.downloads,
        }))?;
        return Ok(Exit::Done);
    }
    out.data(&format!(
        "store     {}\n  objects    {} ({})\n  bytecode   {}\n  pythons    {}\n\
         cache     {}\n  all        {}\n  downloads  {}",
        measured.store.display(),
        bytes(usage.objects),
        usage.object_count,
        bytes(usage.bytecode),
        bytes(usage.pythons),
        measured.cache.display(),
        bytes(usage.cache),
        bytes(usage.downloads),
    ))?;
    Ok(Exit::Done)
}

/// `cache clean`.
pub fn clean(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let (cache, freed) = storage::clean(context)?;
    let done = !context.settings.dry_run;
    if context.settings.json {
        out.json(&json!({
            "cache": cache,
            "done": done,
            "freed-bytes": freed.bytes,
            "freed-files": freed.files,
        }))?;
        return Ok(Exit::Done);
    }
    let verb = if done { "freed" } else { "would free" };
    out.data(&format!("{verb} {} in {} files", bytes(freed.bytes), freed.files))?;
    Ok(Exit::Done)
}

/// `gc`: first what goes and what that frees, then the deed.
pub fn gc(context: &Context, out: &mut Output, options: &CollectOptions) -> Result<Exit, Error> {
    let prepared = gc::prepare(context, options)?;
    let dry_run = context.settings.dry_run;
    if context.settings.json {
        let document = render::collection_json(&prepared, dry_run);
        if !dry_run {
            prepared.execute()?;
        }
        out.json(&document)?;
        return Ok(Exit::Done);
    }
    for line in render::collection_warnings(&prepared) {
        out.warn(&line);
    }
    out.data(&render::collection(&prepared, dry_run))?;
    for folder in &prepared.plan.folders {
        out.detail(&folder.display().to_string());
    }
    if !dry_run {
        // Also where nothing goes: the waiting for projects that are gone begins now.
        for generation in prepared.execute()? {
            out.warn(&format!(
                "`{}` is in use and goes with the next change of its environment",
                generation.display()
            ));
        }
    }
    Ok(Exit::Done)
}
