//! Interpreters, as a table and as JSON.

use rocmenv_manifests::project::PythonSource;
use rocmenv_resolver::host::facts::InterpreterOrigin;
use serde_json::{Value, json};

use super::table;
use crate::ops::python::{Chosen, Found, Provenance, PythonOutcome};

/// One line an interpreter.
pub fn pythons(outcome: &PythonOutcome) -> String {
    let row = |found: &Found| {
        let note = match (&outcome.wanted, &found.unfit) {
            (None, _) => String::new(),
            (Some(_), Some(reason)) => reason.to_string(),
            (Some(_), None) => "fits".to_owned(),
        };
        vec![found.version.clone(), from(found.from).to_owned(), found.place.clone(), note]
    };
    let rows: Vec<Vec<String>> = outcome.found.iter().map(row).collect();
    table(&["version", "from", "place", ""], &rows)
}

/// What a sync would take, and why.
pub fn python_choice(outcome: &PythonOutcome) -> Vec<String> {
    let (Some(wanted), Some(chosen)) = (&outcome.wanted, &outcome.chosen) else {
        return vec![
            "no series is wanted here: `rocmenv lock` chooses one, and `rocmenv python list 3.12` \
             asks for one"
                .to_owned(),
        ];
    };
    let wish = &wanted.wish;
    let who = match &wanted.target {
        Some(target) => format!("target `{target}` is locked for Python {}", wish.series),
        None => format!("Python {} was asked for", wish.series),
    };
    let said = source(wanted.source);
    vec![
        format!("{who}, at least {}; `[python] source` is `{said}`", wish.minimum),
        match chosen {
            Chosen::Kept(place) => {
                format!("chosen: `{place}`, because what is kept comes before all else")
            }
            Chosen::OfHost(place) => {
                let first = "the first of the host's that fits (search path, pyenv, distribution)";
                match wanted.source {
                    PythonSource::Auto => format!("chosen: `{place}`, {first}; none is kept"),
                    _ => format!("chosen: `{place}`, {first}"),
                }
            }
            Chosen::Packages(package) => {
                format!("chosen: package `{package}` of the distribution, as `rocm.lock` has it")
            }
            Chosen::Fetched(file) => {
                format!("chosen: none here; `{file}` would be fetched")
            }
            Chosen::Nothing(why) => format!("chosen: none; {why}"),
        },
    ]
}

/// The same for programs.
pub fn pythons_json(outcome: &PythonOutcome) -> Value {
    let found = outcome.found.iter().map(|found| {
        json!({
            "version": found.version,
            "from": from(found.from),
            "place": found.place,
            "unfit": found.unfit.as_ref().map(ToString::to_string),
        })
    });
    let wanted = outcome.wanted.as_ref().map(|wanted| {
        json!({
            "series": wanted.wish.series,
            "minimum": wanted.wish.minimum,
            "source": source(wanted.source),
            "target": wanted.target,
        })
    });
    let chosen = outcome.chosen.as_ref().map(|chosen| {
        let (kind, what) = match chosen {
            Chosen::Kept(place) => ("kept", place),
            Chosen::OfHost(place) => ("host", place),
            Chosen::Packages(package) => ("packages", package),
            Chosen::Fetched(file) => ("fetched", file),
            Chosen::Nothing(why) => ("nothing", why),
        };
        json!({ "kind": kind, "what": what })
    });
    json!({ "wanted": wanted, "found": found.collect::<Vec<_>>(), "chosen": chosen })
}

fn from(from: Provenance) -> &'static str {
    match from {
        Provenance::Managed => "managed",
        Provenance::Host(InterpreterOrigin::Path) => "host",
        Provenance::Host(InterpreterOrigin::Pyenv) => "pyenv",
        Provenance::Host(InterpreterOrigin::Distribution) => "distribution",
        Provenance::Host(InterpreterOrigin::Launcher) => "launcher",
        Provenance::Host(InterpreterOrigin::Given) => "given",
        Provenance::Packages => "packages",
    }
}

fn source(source: PythonSource) -> &'static str {
    match source {
        PythonSource::Auto => "auto",
        PythonSource::Host => "host",
        PythonSource::Managed => "managed",
        PythonSource::Distro => "distro",
    }
}
