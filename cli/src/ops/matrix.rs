//! `matrix`: the registry's tables, for eyes and for programs. Shows, never judges.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rocmenv_manifests::registry::rows::support::SupportStatus;
use rocmenv_manifests::registry::{Registry, ReleasePattern};
use rocmenv_manifests::version::{Requirement, RocmVersion, Series};
use serde_json::{Value, json};

pub use rocmenv_manifests::registry::rows::support::Platform;

use crate::error::{Exit, Failure};

/// What to show.
#[derive(Debug, Clone)]
pub struct MatrixOptions {
    /// Which table; without one the releases, or as a page everything.
    pub topic: Option<Topic>,
    /// Only rows that contain this text.
    pub only: Option<String>,
    /// For GPU support: on which system.
    pub platform: Platform,
    /// Every series of ROCm.
    pub all: bool,
    /// The file of a page.
    pub html: Option<PathBuf>,
    /// Where the planned way on the page of the roadmap leads.
    pub to: Option<Requirement>,
}

/// The tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// Releases.
    Rocm,
    /// gfx targets x releases.
    Gpu,
    /// Drivers x releases.
    Driver,
    /// Frameworks x releases.
    Framework,
    /// Releases with what each changes.
    Roadmap,
}

/// A table as it is shown.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// Titles of the columns.
    pub header: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// How to read it, one sentence a line.
    pub legend: Vec<String>,
    /// The day on which the registry was collected.
    pub date: String,
    /// The registry's rows behind it, with their sources.
    pub data: Value,
}

/// Makes the table.
pub fn matrix(registry: &Registry, options: &MatrixOptions) -> Matrix {
    let mut matrix = match options.topic.unwrap_or(Topic::Rocm) {
        Topic::Rocm => releases(registry),
        Topic::Gpu => gpus(registry, options),
        Topic::Driver => drivers(registry),
        Topic::Framework => frameworks(registry),
        Topic::Roadmap => super::roadmap::table(registry, options.platform),
    };
    if let Some(only) = &options.only {
        let only = only.to_lowercase();
        let holds = |cell: &String| cell.to_lowercase().contains(&only);
        matrix.rows.retain(|row| row.iter().any(holds));
    }
    matrix
}

fn releases(registry: &Registry) -> Matrix {
    let table = registry.releases();
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let rows = table.release.iter().map(|release| {
        vec![
            release.version.to_string(),
            release.line.clone(),
            word(&release.kind),
            text(&release.date),
            text(&release.hip),
            text(&release.llvm),
        ]
    });
    Matrix {
        header: titles(&["rocm", "line", "kind", "date", "hip", "llvm"]),
        rows: rows.collect(),
        legend: vec!["an empty cell was not found in any document that was read".to_owned()],
        date: registry.date().to_owned(),
        data: json!({ "releases": table.release, "lines": table.line }),
    }
}

fn gpus(registry: &Registry, options: &MatrixOptions) -> Matrix {
    let table = registry.gpu_support();
    let columns = series(registry, options.all);
    let rows = registry.gfx().target.iter().map(|target| {
        let products = registry.products().product.iter().filter(|row| row.gfx == target.name);
        let names: Vec<&str> =
            products.flat_map(|row| row.names.iter()).map(String::as_str).collect();
        let statuses = columns.iter().map(|series| {
            let said = table.row.iter().filter(|row| {
                row.os == options.platform
                    && row.gfx.contains(&target.name)
                    && speaks_of(&row.release, *series, registry)
            });
            let words: BTreeSet<&str> = said.map(|row| short(row.status)).collect();
            words.into_iter().collect::<Vec<_>>().join("/")
        });
        let mut row = vec![target.name.to_string()];
        row.extend(statuses);
        row.push(shortened(&names.join(", ")));
        row
    });
    let mut header = vec!["gfx".to_owned()];
    header.extend(columns.iter().map(ToString::to_string));
    header.push("products".to_owned());
    Matrix {
        header,
        rows: rows.collect(),
        legend: vec![
            "yes: listed; prev: preview; depr: deprecated; hip: runtime without libraries".to_owned(),
            "an empty cell was not read, which is not a no; support is per product: ask `rocmenv check --gpu`".to_owned(),
        ],
        date: registry.date().to_owned(),
        data: json!({ "gpu-support": table, "products": registry.products().product }),
    }
}

fn drivers(registry: &Registry) -> Matrix {
    let table = registry.drivers();
    let rows = table.matrix.iter().map(|window| {
        let rocm: Vec<String> = window.rocm.iter().map(ToString::to_string).collect();
        vec![window.driver.to_string(), rocm.join(" "), window.source.to_string()]
    });
    Matrix {
        header: titles(&["driver", "rocm", "source"]),
        rows: rows.collect(),
        legend: vec![
            "AMD's own driver; the kernel's in-tree one is not part of AMD's matrix".to_owned(),
        ],
        date: registry.date().to_owned(),
        data: json!({ "drivers": table }),
    }
}

fn frameworks(registry: &Registry) -> Matrix {
    let table = registry.frameworks();
    let mut listed: Vec<_> = table.listed.iter().collect();
    listed.sort_by(|a, b| {
        let newest = |rocm: &[ReleasePattern]| rocm.iter().map(|r| r.lowest().to_vec()).max();
        (&a.framework, newest(&b.rocm)).cmp(&(&b.framework, newest(&a.rocm)))
    });
    let rows = listed.iter().map(|row| {
        let join = |words: Vec<String>| words.join(" ");
        vec![
            row.framework.clone(),
            join(row.rocm.iter().map(ToString::to_string).collect()),
            join(row.versions.clone()),
            join(row.pythons.clone()),
            join(row.os.iter().map(word).collect()),
            row.source.to_string(),
        ]
    });
    Matrix {
        header: titles(&["framework", "rocm", "versions", "python", "os", "source"]),
        rows: rows.collect(),
        legend: vec![
            "what AMD lists; wheels that are built and not listed: ask `rocmenv check`".to_owned(),
        ],
        date: registry.date().to_owned(),
        data: json!({ "frameworks": table }),
    }
}

/// The series of ROCm, newest first.
fn series(registry: &Registry, all: bool) -> Vec<Series> {
    let releases = registry.releases().release.iter();
    let series: BTreeSet<Series> = releases.map(|release| release.version.series()).collect();
    let shown = if all { series.len() } else { NEWEST };
    series.into_iter().rev().take(shown).collect()
}

fn speaks_of(pattern: &ReleasePattern, series: Series, registry: &Registry) -> bool {
    let releases = registry.releases().release.iter().map(|release| &release.version);
    let mut of_series = releases.filter(|version: &&RocmVersion| version.series() == series);
    of_series.any(|version| pattern.contains(version.dotted().parts()))
}

fn short(status: SupportStatus) -> &'static str {
    match status {
        SupportStatus::Supported => "yes",
        SupportStatus::Preview => "prev",
        SupportStatus::Deprecated => "depr",
        SupportStatus::RuntimeOnly => "hip",
        SupportStatus::Unsupported => "no",
        SupportStatus::Unstable => "unst",
        SupportStatus::Replaced => "repl",
        SupportStatus::Conflict => "conf",
    }
}

pub(super) fn titles(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|&title| title.to_owned()).collect()
}

/// The word by which an enum stands in the registry.
pub fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(PRODUCTS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A page of one table alone was asked for.
#[derive(Debug, thiserror::Error)]
#[error("there is a page of the whole matrix and one of the roadmap, none of one table")]
pub struct NoSuchPage;

impl Failure for NoSuchPage {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn help(&self) -> Option<String> {
        Some("rocmenv matrix --html matrix.html".to_owned())
    }
}

/// As many columns as a wide terminal has room for.
const NEWEST: usize = 12;
const PRODUCTS: usize = 60;
