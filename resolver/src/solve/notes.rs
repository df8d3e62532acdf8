//! What has to be said aloud once, and is kept in the lock: grades below "listed", what was not
//! described and therefore not checked, and indexes that say no dates.

use std::collections::BTreeSet;

use rocmenv_manifests::lock::Note;

use super::question::Question;
use super::solution::{ChosenFramework, Solution};
use super::stack::{Built, Fact, Grade, Judgement};

/// The notes of a solution, sorted.
pub(super) fn of(question: &Question, solution: &Solution) -> Vec<Note> {
    let mut notes = BTreeSet::new();
    if let Some(release) = &solution.rocm {
        let judgements = release.demands.iter().map(|demand| &demand.judgement);
        notes.extend(judgements.filter_map(judgement));
        notes.extend(unchecked(question));
    }
    notes.extend(solution.frameworks().filter_map(|framework| framework_note(solution, framework)));
    let unproven =
        solution.wheels().into_iter().filter(|wheel| wheel.built == Some(Built::Unknown));
    notes.extend(unproven.map(|wheel| Note {
        code: "N-unproven".to_owned(),
        text: format!("{} {} does not say which ROCm it is built for", wheel.name, wheel.version),
        source: None,
    }));
    notes.extend(undated(question, solution));
    notes.into_iter().collect()
}

/// Indexes that give no dates of their files: `exclude-newer` cannot leave anything of them out.
fn undated(question: &Question, solution: &Solution) -> Vec<Note> {
    if question.exclude_newer.is_none() {
        return Vec::new();
    }
    let wheels = solution.wheels().into_iter().filter(|wheel| wheel.file.uploaded.is_none());
    let indexes: BTreeSet<String> = wheels.map(|wheel| wheel.index.to_string()).collect();
    let note = |index: String| Note {
        code: "N-undated".to_owned(),
        text: format!(
            "index `{index}` does not say when its files came, so `exclude-newer` left none of them out"
        ),
        source: None,
    };
    indexes.into_iter().map(note).collect()
}

fn judgement(judgement: &Judgement) -> Option<Note> {
    let code = match judgement.grade {
        Grade::Built => "N-built-not-listed",
        Grade::Unknown => "N-not-known",
        Grade::Listed | Grade::Refused => return None,
    };
    let text = judgement.text.clone();
    (!text.is_empty()).then(|| Note {
        code: code.to_owned(),
        text,
        source: judgement.source.clone(),
    })
}

/// What is said of a framework, with what its wheels say of themselves.
fn framework_note(solution: &Solution, framework: &ChosenFramework) -> Option<Note> {
    let mut note = judgement(&framework.judgement)?;
    let built: BTreeSet<String> = solution
        .wheels()
        .into_iter()
        .filter(|wheel| wheel.name.as_ref().starts_with(framework.name.as_str()))
        .filter_map(|wheel| match &wheel.built {
            Some(Built::For(rocm)) => Some(format!("{}.{}", rocm.part(0), rocm.part(1))),
            _ => None,
        })
        .collect();
    if let Some(built) = built.first() {
        note.text = format!("{}; this wheel is built for {built}", note.text);
    }
    Some(note)
}

/// Facts that a ROCm release depends on and that the target does not say.
fn unchecked(question: &Question) -> Vec<Note> {
    let target = &question.target;
    let facts = [
        (Fact::Driver, target.driver.is_none()),
        (Fact::Os, target.os.is_none()),
        (Fact::Gpu, target.gpus.is_none()),
    ];
    let missing = facts.into_iter().filter(|(_, is_missing)| *is_missing);
    let note = |(fact, _): (Fact, bool)| Note {
        code: "N-not-checked".to_owned(),
        text: format!("the target does not say its {fact}; it was not checked"),
        source: None,
    };
    missing.map(note).collect()
}
