//! `bench`: measure, import, compare, list.

use std::path::Path;

use rocmenv_resolver::bench::{Bench, Tolerance};

use crate::args::{BenchAction, MeasureArgs};
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::bench::{self, BenchOptions, BenchOutcome};
use crate::ops::files;
use crate::render::{self, Output};

/// Does one action.
pub fn run(context: &Context, out: &mut Output, action: &BenchAction) -> Result<Exit, Error> {
    match action {
        BenchAction::Memory(args) => measure(context, out, Bench::Memory, args),
        BenchAction::Collectives(args) => measure(context, out, Bench::Collectives, args),
        BenchAction::Matmul(args) => measure(context, out, Bench::Matmul, args),
        BenchAction::Import { file, operation, label } => {
            let outcome = bench::import(context, file, operation.as_deref(), label.clone())?;
            show(context, out, &outcome)
        }
        BenchAction::Compare { first, second, tolerance } => {
            compare(context, out, (first, second), *tolerance)
        }
        BenchAction::List => list(context, out),
    }
}

fn measure(
    context: &Context,
    out: &mut Output,
    bench: Bench,
    args: &MeasureArgs,
) -> Result<Exit, Error> {
    let options = BenchOptions {
        bench,
        runs: args.runs,
        arguments: args.arguments(),
        label: args.label.clone(),
    };
    let outcome = bench::measure(context, &options)?;
    let pictures =
        [(&args.svg, render::bench_svg(&outcome)), (&args.html, render::bench_html(&outcome))];
    for (file, text) in pictures {
        if let Some(file) = file {
            write(context, out, file, &text)?;
        }
    }
    show(context, out, &outcome)
}

fn write(context: &Context, out: &mut Output, file: &Path, text: &str) -> Result<(), Error> {
    files::replace(&context.cwd.join(file), text)?;
    out.say(&format!("wrote `{}`", file.display()));
    Ok(())
}

fn show(context: &Context, out: &mut Output, outcome: &BenchOutcome) -> Result<Exit, Error> {
    if context.settings.json {
        out.json(&render::bench_json(outcome))?;
    } else {
        out.data(&render::bench(outcome))?;
        for left in outcome.runs.iter().flat_map(|run| &run.measurement.left_out) {
            out.say(&format!("left out: {left}"));
        }
    }
    Ok(Exit::Done)
}

fn compare(
    context: &Context,
    out: &mut Output,
    sets: (&str, &str),
    percent: f64,
) -> Result<Exit, Error> {
    let tolerance = Tolerance { ratio: percent / 100.0, ..Tolerance::default() };
    let compared = bench::compare(context, sets.0, sets.1, tolerance)?;
    if context.settings.json {
        out.json(&render::comparison_json(&compared))?;
    } else {
        out.data(&render::comparison(&compared))?;
    }
    let is_slower = compared.iter().any(|(_, comparison)| comparison.is_slower());
    Ok(if is_slower { Exit::Unmet } else { Exit::Done })
}

fn list(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let runs = bench::read_all(context)?;
    if context.settings.json {
        out.json(&runs)?;
    } else {
        out.data(&render::bench_runs(&runs))?;
    }
    Ok(Exit::Done)
}
