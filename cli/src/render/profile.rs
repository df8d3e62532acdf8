//! A profile: the verdict, the shares, the longest kernels.

use std::fmt::Write as _;

use rocmenv_resolver::profile::{Kind, Sample, Verdict};
use serde_json::{Value, json};

use super::bytes;
use super::table;
use crate::ops::profile::ProfileOutcome;

/// How many kernels are listed.
const TOP: usize = 10;

/// Text for a person.
pub fn profile(outcome: &ProfileOutcome) -> String {
    let (report, analysis) = (&outcome.report, &outcome.analysis);
    let mut text = format!(
        "held back by: {} ({})\n{:.2} s under {} on {}\n",
        name_of(analysis.verdict),
        analysis.because,
        report.seconds,
        report.profiler,
        report.device
    );
    let busy = analysis.busy.map_or("not known".to_owned(), percent);
    let _ = writeln!(text, "device busy: {busy}");
    for (kind, share) in &analysis.shares {
        let _ = writeln!(text, "{}: {} of kernel time", kind_name(*kind), percent(*share));
    }
    let _ = writeln!(text, "waiting for input: {} of the run", percent(analysis.input_wait));
    let memory = report.peak_memory_bytes.map_or("not known".to_owned(), bytes);
    let _ = writeln!(text, "memory reserved at most: {memory}");
    let most = |read: fn(&Sample) -> Option<f64>, unit: &str| {
        let value =
            report.samples.iter().filter_map(read).fold(None, |most: Option<f64>, value| {
                Some(most.map_or(value, |most| most.max(value)))
            });
        value.map_or("not known".to_owned(), |value| format!("{value:.0} {unit}"))
    };
    let _ =
        writeln!(text, "temperature at most: {}", most(|sample| sample.temperature_celsius, "C"));
    let _ = writeln!(text, "power at most: {}", most(|sample| sample.power_watts, "W"));
    let all: f64 = report.kernels.iter().map(|kernel| kernel.seconds).sum();
    let rows: Vec<Vec<String>> = report
        .kernels
        .iter()
        .take(TOP)
        .map(|kernel| {
            vec![
                percent(if all > 0.0 { kernel.seconds / all } else { 0.0 }),
                format!("{:.2} ms", kernel.seconds * 1e3),
                kernel.calls.to_string(),
                kind_name(kernel.kind).to_owned(),
                short(&kernel.name),
            ]
        })
        .collect();
    let _ = write!(text, "\n{}", table(&["share", "time", "calls", "kind", "kernel"], &rows));
    text
}

/// Everything as data.
pub fn profile_json(outcome: &ProfileOutcome) -> Value {
    json!({ "analysis": outcome.analysis, "report": outcome.report })
}

/// A page that needs no network.
pub fn profile_html(outcome: &ProfileOutcome) -> String {
    let colours = ["#1565c0", "#ef6c00", "#6a1b9a", "#c62828"];
    let mut bar = String::new();
    for ((kind, share), colour) in outcome.analysis.shares.iter().zip(colours) {
        if *share > 0.0 {
            let _ = write!(
                bar,
                "<span style=\"background:{colour};width:{:.1}%\" title=\"{name}\">{name} {}</span>",
                100.0 * share,
                percent(*share),
                name = kind_name(*kind),
            );
        }
    }
    let text = profile(outcome).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>rocmenv profile</title>\n\
         <style>body{{font-family:sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}}\
         .bar{{display:flex;height:2rem;color:#fff;font-size:.8rem;line-height:2rem;overflow:hidden}}\
         .bar span{{overflow:hidden;white-space:nowrap;padding-left:.3rem;box-sizing:border-box}}\
         pre{{overflow-x:auto;background:#f5f5f5;padding:1rem}}</style></head>\n\
         <body><h1>Held back by: {}</h1>\n<p>{}</p>\n<div class=\"bar\">{bar}</div>\n<pre>{text}</pre>\
         </body></html>\n",
        name_of(outcome.analysis.verdict),
        outcome.analysis.because,
    )
}

fn name_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Input => "input",
        Verdict::Host => "the host: launches",
        Verdict::Communication => "communication",
        Verdict::Copies => "copies",
        Verdict::Memory => "memory bandwidth",
        Verdict::Compute => "compute",
        Verdict::NotKnown => "not known",
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Compute => "compute",
        Kind::Memory => "memory",
        Kind::Copy => "copies",
        Kind::Collective => "collectives",
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Names of templates fill lines; their beginnings tell them apart.
fn short(name: &str) -> String {
    const WIDTH: usize = 80;
    if name.chars().count() <= WIDTH {
        return name.to_owned();
    }
    name.chars().take(WIDTH - 3).chain("...".chars()).collect()
}
