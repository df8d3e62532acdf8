//! What `prove` found as text: a verdict a GPU, what lacks it, what files need, how far it went.

use rocmenv_manifests::device_code::Isa;
use rocmenv_resolver::proof::{Hole, Supply};

use super::{bytes, table};
use crate::ops::prove::{ProveOutcome, Reached, Subject};

/// The tables.
pub fn prove(outcome: &ProveOutcome) -> String {
    let mut parts = Vec::new();
    if outcome.coverage.gpus.is_empty() {
        parts.push(targets(outcome));
    } else {
        parts.push(verdicts(outcome));
        parts.extend(holes(outcome));
    }
    parts.extend(libraries(outcome));
    parts.extend(too_new(outcome));
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// What is said beside the tables: how far it went and how much was read for it.
pub fn prove_notes(outcome: &ProveOutcome) -> Vec<String> {
    let mut lines = Vec::new();
    for read in &outcome.reads {
        lines.push(format!(
            "read {} of {} of `{}`",
            bytes(read.fetched),
            bytes(read.size),
            read.file
        ));
        let unread = read.unread.iter().map(|(path, why)| format!("not read: `{path}`: {why}"));
        lines.extend(unread);
    }
    if outcome.linked.unread > 0 {
        let count = outcome.linked.unread;
        lines.push(format!(
            "what {count} {} to load was not read (`--whole` reads it)",
            if count == 1 { "file needs" } else { "files need" }
        ));
    }
    for folder in &outcome.linked.dead_folders {
        lines.push(format!(
            "RUNPATH `{}` leads nowhere ({}, `{}`)",
            folder.folder,
            files(folder.files),
            folder.file
        ));
    }
    if outcome.coverage.gpus.is_empty() {
        lines.push("no GPU was asked about: name one with `--gpu`".to_owned());
    }
    let subject = match &outcome.subject {
        Subject::Environment(target, number) => format!("generation {number} of `{target}`"),
        Subject::Lock(target) => format!("the lock for `{target}`"),
        Subject::Wheels => "wheels".to_owned(),
    };
    lines.push(format!("level: static ({subject}): files were read, nothing was loaded or ran"));
    if let Some(verified) = outcome.verified.as_ref().filter(|verified| verified.passed) {
        lines.push(format!("level: loaded, by `rocmenv verify` at {}", verified.at));
    }
    lines.extend(ran(outcome));
    lines
}

/// On which GPUs a kernel ran, and what would bring that for the others: nothing where no GPU was
/// asked about, and nothing can run before there is an environment.
fn ran(outcome: &ProveOutcome) -> Vec<String> {
    let Subject::Environment(..) = outcome.subject else { return Vec::new() };
    let line = |one: &Reached| {
        let at = one.at.as_ref()?;
        Some(format!("level: ran on {}, by `rocmenv verify` at {at}", one.gpu))
    };
    let mut lines: Vec<String> = outcome.reached.iter().filter_map(line).collect();
    let others = outcome.reached.iter().filter(|one| one.at.is_none());
    let others: Vec<String> = others.map(|one| one.gpu.to_string()).collect();
    if !others.is_empty() {
        lines.push(format!(
            "level ran: no kernel of this environment was seen to run on {}; `rocmenv verify` on a \
             host that has one runs the first of each framework",
            others.join(" or ")
        ));
    }
    lines
}

/// Without a GPU: what there is.
fn targets(outcome: &ProveOutcome) -> String {
    let rows: Vec<Vec<String>> = outcome
        .packages
        .iter()
        .flat_map(|package| package.files.iter().map(move |file| (package, file)))
        .map(|(package, file)| {
            let faults = file.faults.iter().map(ToString::to_string);
            let archives = file.archives.iter().map(|path| format!("in `{path}`"));
            let mut words = vec![list(&file.targets)];
            words.extend(archives.chain(faults));
            words.retain(|word| !word.is_empty());
            vec![package.name.clone(), file.path.clone(), words.join("; ")]
        })
        .collect();
    if rows.is_empty() { String::new() } else { table(&["package", "file", "code for"], &rows) }
}

fn verdicts(outcome: &ProveOutcome) -> String {
    let mut rows = Vec::new();
    for gpu in &outcome.coverage.gpus {
        rows.push(vec![gpu.gpu.to_string(), gpu.verdict.text().to_owned(), String::new()]);
        for package in &gpu.packages {
            let name = format!("  {} {}", package.package, package.version);
            let count = files(package.files);
            rows.push(vec![name, package.verdict.text().to_owned(), count]);
        }
    }
    table(&["gpu", "verdict", "with device code"], &rows)
}

fn holes(outcome: &ProveOutcome) -> Option<String> {
    let of_gpu = |gpu: &rocmenv_resolver::proof::GpuVerdict| {
        let name = gpu.gpu.to_string();
        let holes: Vec<Hole> =
            gpu.packages.iter().flat_map(|package| package.holes.iter().cloned()).collect();
        holes
            .into_iter()
            .map(move |hole| vec![name.clone(), hole.file, hole.why.to_string(), list(&hole.has)])
    };
    let rows: Vec<Vec<String>> = outcome.coverage.gpus.iter().flat_map(of_gpu).collect();
    (!rows.is_empty()).then(|| table(&["gpu", "file", "", "it has"], &rows))
}

/// Only what a person should look at: what is missing or comes from elsewhere.
fn libraries(outcome: &ProveOutcome) -> Option<String> {
    let rows: Vec<Vec<String>> = outcome
        .linked
        .libraries
        .iter()
        .filter_map(|library| {
            let words = match &library.supply {
                Supply::Missing => "MISSING".to_owned(),
                Supply::HostRocm(at) => format!("outside of the environment: {at}"),
                _ => return None,
            };
            Some(vec![
                library.name.clone(),
                words,
                format!("{}, `{}`", files(library.files), library.needed_by),
            ])
        })
        .collect();
    (!rows.is_empty()).then(|| table(&["library", "supplied by", "needed by"], &rows))
}

fn too_new(outcome: &ProveOutcome) -> Option<String> {
    let rows: Vec<Vec<String>> = outcome
        .too_new
        .iter()
        .map(|one| vec![one.file.clone(), one.version.clone(), one.library.clone()])
        .collect();
    (!rows.is_empty()).then(|| table(&["file", "needs", "which is newer than the target's"], &rows))
}

fn list(targets: &[Isa]) -> String {
    let names: Vec<String> = targets.iter().map(Isa::to_string).collect();
    names.join(" ")
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
