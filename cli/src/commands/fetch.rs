//! `fetch`: what went into the bundle.

use serde_json::json;

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::fetch::{self, FetchOptions, FetchOutcome};
use crate::ops::lock::Inputs;
use crate::render::{Output, bytes};
use crate::runtime;

/// `fetch`.
pub fn run(context: &Context, out: &mut Output, options: &FetchOptions) -> Result<Exit, Error> {
    let inputs = Inputs::read(context)?;
    let reporter = context.reporter.as_ref();
    let outcome = runtime::block_on(fetch::fetch(context, &inputs, options, reporter))??;
    for (target, why) in &outcome.without_interpreter {
        out.warn(&format!("target `{target}`: no interpreter is in the bundle: {why}"));
    }
    if let [first, rest @ ..] = outcome.without_row.as_slice() {
        out.warn(&format!(
            "no index could be asked of `{first}` and {} more: `sync --from` has them, `lock --from` \
             does not",
            rest.len()
        ));
    }
    if context.settings.json {
        out.json(&as_json(&outcome))?;
        return Ok(Exit::Done);
    }
    let parts: Vec<String> = outcome
        .parts
        .iter()
        .map(
            |(target, env)| {
                if env.is_default() { target.to_string() } else { format!("{target}/{env}") }
            },
        )
        .collect();
    let here: Vec<u64> = outcome.bundle.here().map(|file| file.size).collect();
    let elsewhere = outcome.bundle.files.len() - here.len();
    let earlier = if elsewhere > 0 {
        format!("; {elsewhere} more lie in the earlier bundle")
    } else {
        String::new()
    };
    let said = format!("{} files, {}{earlier}", here.len(), bytes(here.iter().sum()));
    if context.settings.dry_run {
        let unknown = match outcome.unknown {
            0 => String::new(),
            count => format!("; of {count} of them the size or hash is not known yet"),
        };
        out.say(&format!("would fetch for {}: {said}{unknown}", parts.join(", ")));
        out.say("nothing was written (`--dry-run`)");
        return Ok(Exit::Done);
    }
    out.say(&format!("`{}` holds for {}: {said}", outcome.to.display(), parts.join(", ")));
    out.say(&format!(
        "next, where rocm.toml and rocm.lock are: rocmenv sync --offline --from {}",
        outcome.to.file_name().unwrap_or_default().display()
    ));
    Ok(Exit::Done)
}

fn as_json(outcome: &FetchOutcome) -> serde_json::Value {
    let parts = outcome.parts.iter().map(|(target, env)| json!({ "target": target, "env": env }));
    json!({
        "to": outcome.to,
        "parts": parts.collect::<Vec<_>>(),
        "files": outcome.bundle.files,
        "bytes": outcome.bundle.here().map(|file| file.size).sum::<u64>(),
        "unknown": outcome.unknown,
    })
}
