//! A measurement as a picture, and as a page with picture and table that needs no network.

use rocmenv_resolver::bench::{Bench, Row};

use super::chart::{self, Axes, Curve, Line, escaped};
use super::{bench, merged};
use crate::ops::bench::{BenchOutcome, Run};

/// How many earlier runs are drawn behind.
const HISTORY: usize = 5;

/// The picture: a curve an operation, earlier runs behind it, published peaks across. Where no
/// peak is published, this machine's own history is what there is to compare with.
pub fn bench_svg(outcome: &BenchOutcome) -> String {
    let Some(run) = outcome.runs.first() else { return String::new() };
    let what = run.measurement.bench;
    let mut curves = curves(&outcome.runs, false);
    for earlier in outcome.earlier.iter().rev().take(HISTORY) {
        curves.extend(self::curves(std::slice::from_ref(earlier), true));
    }
    let mut lines: Vec<Line> = Vec::new();
    for (operation, _, peak) in &outcome.peaks {
        let name = format!("{operation}: published peak ({})", peak.source);
        if !lines.iter().any(|line| line.name == name) {
            lines.push(Line { name, rate: peak.per_second });
        }
    }
    let device = run.measurement.software.device.as_deref().unwrap_or("a device that is not known");
    let title = format!("{} on {device}", what.name());
    let (size, rate) = match what {
        Bench::Matmul => ("edge of the matrices", "operations a second"),
        Bench::Collectives => ("bytes", "bytes a second (algorithm bandwidth)"),
        Bench::Memory | Bench::Serving => ("bytes", "bytes a second"),
    };
    chart::svg(&Axes { title: &title, size, rate }, &curves, &lines)
}

/// The page.
pub fn bench_html(outcome: &BenchOutcome) -> String {
    let Some(run) = outcome.runs.first() else { return String::new() };
    let name = run.measurement.bench.name();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <title>rocmenv bench {name}</title>\n\
         <style>body{{font-family:sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}}\
         pre{{overflow-x:auto;background:#f5f5f5;padding:1rem}}</style></head>\n\
         <body><h1>rocmenv bench {name}</h1>\n<p>Measured {}. A published peak is what a document \
         says, not what a machine reaches.</p>\n{}\n<pre>{}</pre></body></html>\n",
        escaped(&run.at),
        bench_svg(outcome),
        escaped(&bench(outcome)),
    )
}

#[expect(clippy::cast_precision_loss, reason = "sizes are drawn, not counted")]
fn curves(runs: &[Run], is_history: bool) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    let rows: Vec<Row> = merged(runs);
    for row in rows.iter().filter(|row| row.size > 0) {
        let point = (row.size as f64, row.per_second());
        if let Some(curve) = curves.iter_mut().find(|curve| curve.name == row.operation) {
            curve.points.push(point);
        } else {
            let name = row.operation.clone();
            curves.push(Curve { name, points: vec![point], is_history });
        }
    }
    curves
}
