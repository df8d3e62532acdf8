//! `cache dir|size|clean` and `gc`.

use serde_json::json;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::gc::{self, CollectOptions, Prepared};
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
    if context.settings.json {
        out.json(&render::storage_json(&measured))?;
    } else {
        out.data(&render::storage(&measured))?;
    }
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

/// `gc`: store by store, first what goes and what that frees, then the deed.
pub fn gc(context: &Context, out: &mut Output, options: &CollectOptions) -> Result<Exit, Error> {
    let stores = gc::stores(context)?;
    let is_one_of_many = stores.len() > 1;
    let mut documents = Vec::new();
    for store in stores {
        let prepared = gc::prepare(context, options, store)?;
        if context.settings.json {
            documents.push(render::collection_json(&prepared, context.settings.dry_run));
            if !context.settings.dry_run {
                prepared.execute()?;
            }
            continue;
        }
        if is_one_of_many {
            out.data(&format!("store {}", prepared.store.root().display()))?;
        }
        collect(context, out, prepared)?;
    }
    if context.settings.json {
        out.json(&render::collections_json(documents))?;
    }
    Ok(Exit::Done)
}

fn collect(context: &Context, out: &mut Output, prepared: Prepared) -> Result<(), Error> {
    let dry_run = context.settings.dry_run;
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
    Ok(())
}
