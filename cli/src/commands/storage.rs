//! `cache dir`, `cache size` and `gc`.

use serde_json::json;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::storage::{self, GcOptions};
use crate::render::{Output, bytes};

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

/// `gc`.
pub fn gc(context: &Context, out: &mut Output, options: &GcOptions) -> Result<Exit, Error> {
    let outcome = storage::collect(context, options)?;
    let plan = &outcome.plan;
    if context.settings.json {
        let waiting: Vec<_> = plan
            .waiting
            .iter()
            .map(|(path, seconds)| json!({ "path": path, "seconds": seconds }))
            .collect();
        out.json(&json!({
            "done": !context.settings.dry_run,
            "generations": outcome.generations,
            "roots": plan.roots,
            "waiting": waiting,
            "folders": plan.folders,
            "files": plan.files,
            "freed-bytes": plan.freed.bytes,
            "freed-files": plan.freed.files,
        }))?;
        return Ok(Exit::Done);
    }
    let verb = if context.settings.dry_run { "would free" } else { "freed" };
    for number in &outcome.generations {
        out.say(&format!("generation {number} is old"));
    }
    for (path, seconds) in &plan.waiting {
        out.say(&format!(
            "`{}` is gone and still counts for {} days: rocmenv gc --forget {}",
            path.display(),
            seconds.div_ceil(SECONDS_A_DAY),
            path.display()
        ));
    }
    for folder in &plan.folders {
        out.detail(&folder.display().to_string());
    }
    out.data(&format!(
        "{verb} {} in {} files ({} objects)",
        bytes(plan.freed.bytes),
        plan.freed.files,
        plan.folders.len()
    ))?;
    Ok(Exit::Done)
}

const SECONDS_A_DAY: u64 = 86_400;
