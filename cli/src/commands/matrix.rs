//! `matrix`: a table of the registry, or a page.

use std::path::Path;

use jiff::tz::TimeZone;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::upgrade::roadmap;
use serde_json::json;

use super::page;
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops;
use crate::ops::matrix::{MatrixOptions, NoSuchPage, Topic};
use crate::render::{self, Output, RoadmapPage, table};

/// Prints it, with how to read it on standard error.
pub fn run(context: &Context, out: &mut Output, options: &MatrixOptions) -> Result<Exit, Error> {
    let registry = ops::registry::load(context)?;
    match (&options.html, options.topic) {
        (None, _) => print(context, out, &registry, options)?,
        (Some(file), None) => whole(context, out, &registry, file)?,
        (Some(file), Some(Topic::Roadmap)) => road(context, out, &registry, (file, options))?,
        (Some(_), Some(_)) => return Err(NoSuchPage.into()),
    }
    Ok(Exit::Done)
}

fn print(
    context: &Context,
    out: &mut Output,
    registry: &Registry,
    options: &MatrixOptions,
) -> Result<(), Error> {
    let matrix = ops::matrix::matrix(registry, options);
    if context.settings.json {
        return Ok(out.json(&json!({ "date": matrix.date, "tables": matrix.data }))?);
    }
    let header: Vec<&str> = matrix.header.iter().map(String::as_str).collect();
    out.data(&table(&header, &matrix.rows))?;
    for line in &matrix.legend {
        out.say(line);
    }
    out.say(&ops::registry::dated(registry, context.now));
    Ok(())
}

fn whole(
    context: &Context,
    out: &mut Output,
    registry: &Registry,
    file: &Path,
) -> Result<(), Error> {
    let matrix = ops::compatibility::compatibility(registry);
    page::write(context, out, file, &render::matrix_html(&matrix))?;
    if context.settings.json {
        out.json(&matrix)?;
    }
    Ok(())
}

fn road(
    context: &Context,
    out: &mut Output,
    registry: &Registry,
    (file, options): (&Path, &MatrixOptions),
) -> Result<(), Error> {
    let roadmap = roadmap(registry, options.platform);
    let journey = ops::journey::journey(context, registry, options.to.as_ref())?;
    let today = context.now.to_zoned_datetime(TimeZone::UTC).date();
    let text = render::roadmap_html(&RoadmapPage { roadmap: &roadmap, journey: &journey, today });
    page::write(context, out, file, &text)?;
    if context.settings.json {
        out.json(&json!({ "roadmap": roadmap, "plan": journey.plan }))?;
    }
    Ok(())
}
