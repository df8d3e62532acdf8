//! The gate `proof`: whether what is about to become the environment holds code for the target's
//! GPUs. It needs the objects, so that it is asked after they were brought and before anything
//! of the environment changes.

use rocmenv_manifests::generation::GateAnswer;
use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::proof::{Coverage, GpuVerdict, Hole, Verdict, coverage};
use rocmenv_store::proof::facts_of_each;

use super::objects::Brought;
use super::{GateError, SyncOptions};
use crate::ops::prove;

/// The gate's id.
pub(super) const ID: &str = "proof";

/// Asks the gate.
pub(super) fn ask(
    registry: &Registry,
    brought: &[Brought],
    gpus: &[GfxTarget],
    options: &SyncOptions,
) -> Result<GateAnswer, GateError> {
    let answer = |outcome: &str, detail| GateAnswer {
        gate: ID.to_owned(),
        outcome: outcome.to_owned(),
        detail,
    };
    if options.skip_gates.contains(ID) {
        return Ok(answer("skipped", None));
    }
    if gpus.is_empty() {
        return Ok(answer("passed", None));
    }
    let objects: Vec<_> = brought.iter().map(|one| &one.object).collect();
    let packages: Vec<_> = brought
        .iter()
        .zip(facts_of_each(&objects))
        .map(|(one, facts)| prove::package(&one.artifact, Some(facts)))
        .collect();
    let proved = coverage(registry, &packages, gpus);
    let lines = lines(&proved);
    match proved.worst() {
        Some(Verdict::NotCovered) if options.allow_uncovered => {
            Ok(answer("warned", Some(lines.join("\n"))))
        }
        Some(Verdict::NotCovered) => Err(GateError::Uncovered { lines }),
        _ if lines.is_empty() => Ok(answer("passed", None)),
        _ => Ok(answer("passed", Some(lines.join("\n")))),
    }
}

/// One line a GPU; none where no package holds device code, which says nothing of a GPU.
fn lines(proved: &Coverage) -> Vec<String> {
    let told = proved.gpus.iter().filter(|gpu| !gpu.packages.is_empty());
    told.map(line).collect()
}

fn line(gpu: &GpuVerdict) -> String {
    let worst = gpu.packages.iter().filter(|package| package.verdict == gpu.verdict);
    let count = gpu.packages.len();
    let packages = if count == 1 { "1 package".to_owned() } else { format!("{count} packages") };
    let head = format!("{} {}", gpu.gpu, gpu.verdict.text());
    if gpu.verdict <= Verdict::Generic {
        return format!("{head} in {packages} with device code (static)");
    }
    let why: Vec<String> = worst
        .map(|package| {
            let shown = package.holes.iter().take(SHOWN).map(|hole: &Hole| {
                let name = hole.file.rsplit('/').next().unwrap_or(&hole.file);
                format!("`{name}` {}", hole.why)
            });
            let shown: Vec<String> = shown.collect();
            let more = package.holes.len().saturating_sub(SHOWN);
            let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
            format!("{} {}: {}{rest}", package.package, package.version, shown.join(", "))
        })
        .collect();
    format!("{head} by {} (static)", why.join("; "))
}

const SHOWN: usize = 2;
