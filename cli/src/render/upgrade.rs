//! A plan, its stages, and what the user has to do, as text and JSON.

use rocmenv_manifests::upgrade::{
    Answer, Change, Expectation, Footing, Gain, Loss, NoPathReason, Stage, StayReason, Undo,
    UpgradePlan, Usability,
};

use super::upgrade_cost::{in_all, of_stage};
use crate::ops::upgrade::{HostCommands, Journal, Phase, Planned};

/// A plan for a person.
pub fn upgrade_plan(planned: &Planned) -> String {
    let plan = &planned.plan;
    let mut lines = vec![headline(plan)];
    for pair in &plan.refused_now {
        lines.push(format!(
            "! now: {} with {}: {} ({})",
            pair.left, pair.right, pair.verdict, pair.reason
        ));
    }
    for stage in &plan.stages {
        let commands = planned.commands.iter().find(|(number, _)| *number == stage.number);
        lines.push(String::new());
        lines.extend(stage_lines(stage));
        if let Some((_, commands)) = commands {
            lines.extend(command_lines(commands).into_iter().map(|line| format!("  {line}")));
        }
    }
    if let Answer::NoPath { nearest: Some(nearest), .. } = &plan.answer {
        lines.push(String::new());
        lines.push(format!(
            "the nearest that can be reached, in {} stages: {}",
            nearest.stages.len(),
            changes(&Change::between(&plan.from, &nearest.state))
        ));
    }
    if matches!(plan.answer, Answer::Path) {
        lines.push(String::new());
        lines.push(in_all(plan));
        lines.push("rocmenv upgrade --apply begins".to_owned());
    }
    lines.join("\n")
}

/// The answer in a line.
pub(super) fn headline(plan: &UpgradePlan) -> String {
    match &plan.answer {
        Answer::NothingToDo => "nothing to do: what is asked for is what is there".to_owned(),
        Answer::Stay { reason } => format!("stay: {}", stay(reason)),
        Answer::Path => {
            let (stages, reboots) = (plan.stages.len(), reboots(&plan.stages));
            format!(
                "{}: {stages} stage{}, {reboots} reboot{}",
                changes(&Change::between(&plan.from, &plan.to)),
                plural(stages),
                plural(reboots)
            )
        }
        Answer::NoPath { reason, .. } => format!("no way leads there: {}", no_path(reason)),
    }
}

fn stay(reason: &StayReason) -> String {
    match reason {
        StayReason::GpuDropped { gpu, wanted, verdict, reason, last, built, evidence } => {
            let date = last.date.as_ref().map_or_else(String::new, |date| format!(" of {date}"));
            let built: Vec<String> = built.iter().map(ToString::to_string).collect();
            let built = if built.is_empty() {
                String::new()
            } else {
                format!("; built and not listed for {}", built.join(", "))
            };
            let sources: Vec<&str> = evidence.iter().map(|one| one.key.as_str()).collect();
            format!(
                "{gpu} is {verdict} with ROCm {wanted} ({reason}); ROCm {}{date} is the newest that \
                 lists it{built} [{}]; `--accept-losses` goes all the same",
                last.version,
                sources.join(" ")
            )
        }
        StayReason::FrameworkMissing { framework, wanted } => {
            format!("nothing of {framework} is listed or built for ROCm {wanted}")
        }
    }
}

fn no_path(reason: &NoPathReason) -> String {
    match reason {
        NoPathReason::NoRelease { wanted, nearest, needs_preview } => {
            let near =
                nearest.as_ref().map_or_else(String::new, |near| format!("; nearest is {near}"));
            let preview =
                if *needs_preview { "; a preview would do (`preview = true`)" } else { "" };
            format!("no release of ROCm is `{wanted}`{near}{preview}")
        }
        NoPathReason::Refused(pairs) => {
            let one = |pair: &rocmenv_manifests::upgrade::RefusedPair| {
                format!("{} with {}: {} ({})", pair.left, pair.right, pair.verdict, pair.reason)
            };
            pairs.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        NoPathReason::FrameworkMissing { framework, wanted, release, known } => format!(
            "no build of {framework} `{wanted}` is known for ROCm {release}; known: {}",
            if known.is_empty() { "none".to_owned() } else { known.join(" ") }
        ),
        NoPathReason::NoOverlap => "no single changes that the windows allow lead there".to_owned(),
        NoPathReason::NotAccepted => {
            "some pair on the way is not known, and `[policy] accept` takes none".to_owned()
        }
    }
}

/// One stage: what changes, what it costs, brings and takes away, how it is verified and undone.
fn stage_lines(stage: &Stage) -> Vec<String> {
    let mut lines = vec![stage_title(stage)];
    let parts = stage_parts(stage).into_iter();
    lines.extend(parts.map(|(name, items)| format!("  {name:9} {}", items.join("; "))));
    lines
}

/// What a stage changes, and who does it.
pub(super) fn stage_title(stage: &Stage) -> String {
    let who = if stage.is_host() { "you" } else { "rocmenv" };
    format!("stage {} ({who}): {}", stage.number, changes(&stage.changes))
}

/// What is to be known of a stage, each part with its name; parts without anything are left out.
pub(super) fn stage_parts(stage: &Stage) -> Vec<(&'static str, Vec<String>)> {
    let mut parts = Vec::new();
    let mut add = |name: &'static str, items: Vec<String>| {
        if !items.is_empty() {
            parts.push((name, items));
        }
    };
    add("costs", of_stage(stage));
    add("gains", stage.gains.iter().map(gain).collect());
    add("loses", stage.losses.iter().map(loss).collect());
    add("moves", stage.moves.iter().map(|one| format!("{} -> {}", one.from, one.to)).collect());
    let unproven = stage.unproven.iter();
    add("unproven", unproven.map(|one| format!("{} with {}", one.left, one.right)).collect());
    add("footing", footing(stage));
    add("notes", stage.notes.iter().map(|note| note.text.clone()).collect());
    add("verified", stage.verification.iter().map(expectation).collect());
    add("undone", vec![undo(&stage.undo)]);
    parts
}

fn footing(stage: &Stage) -> Vec<String> {
    let mut items = Vec::new();
    match stage.footing {
        Footing::Listed => {}
        Footing::Built => items.push("built, not listed".to_owned()),
        Footing::NotKnown => items.push("not known".to_owned()),
    }
    if stage.environment == Usability::DriverOnly {
        items.push("driver only: no environment is in use until a later stage".to_owned());
    }
    items
}

fn gain(gain: &Gain) -> String {
    match gain {
        Gain::Gpu { gpu, was, .. } => format!("{gpu} is listed (was {was})"),
        Gain::Framework { name, version } => format!("{name} {version}"),
        Gain::Component { name, .. } => name.clone(),
        Gain::Releases(series) => format!("driver serves ROCm {}", series.join(" ")),
    }
}

fn loss(loss: &Loss) -> String {
    match loss {
        Loss::Gpu { gpu, now, last, .. } => format!("{gpu} is {now} (last listed by {last})"),
        Loss::Framework { name, now, .. } => format!("{name} is {now}"),
        Loss::Component { name, instead, .. } => match instead {
            Some(instead) => format!("{name} (use {instead})"),
            None => name.clone(),
        },
        Loss::Releases(series) => {
            format!(
                "driver no longer serves ROCm {}: older generations need the former one",
                series.join(" ")
            )
        }
    }
}

fn expectation(expectation: &Expectation) -> String {
    match expectation {
        Expectation::Probe { part, is } => format!("{part} is {is}"),
        Expectation::Confirm { part, is } => format!("you say that {part} is {is}"),
        Expectation::Gpus(gpus) => format!("the driver shows {}", gpus.join(", ")),
        Expectation::Import { framework, .. } => format!("{framework} is imported"),
        Expectation::ProjectCommands => "the commands of [verify] succeed".to_owned(),
        Expectation::Benches(benches) => {
            format!("bench {} is not slower than before", benches.join(", "))
        }
    }
}

fn undo(undo: &Undo) -> String {
    match undo {
        Undo::Generation => "by the generation before, at once and offline".to_owned(),
        Undo::Driver(driver) => format!("by installing driver {driver} again"),
        Undo::Kernel(kernel) => format!("by booting kernel {kernel}, which stays installed"),
        Undo::Backup { part, .. } => format!("by a backup of the {part} only"),
    }
}

pub(super) fn changes(changes: &[Change]) -> String {
    let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "none".to_owned());
    let one =
        |change: &Change| format!("{} {} -> {}", change.part, side(&change.from), side(&change.to));
    changes.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn reboots(stages: &[Stage]) -> usize {
    stages.iter().map(|stage| stage.cost.reboots as usize).sum()
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

pub(super) fn command_lines(commands: &HostCommands) -> Vec<String> {
    let mut lines = Vec::new();
    for (title, items) in
        [("do", &commands.install), ("hold", &commands.hold), ("way back", &commands.back)]
    {
        if !items.is_empty() {
            lines.push(format!("{title}:"));
            lines.extend(items.iter().map(|item| format!("  {item}")));
        }
    }
    if !commands.kernels.is_empty() {
        lines.push(format!("kernels that AMD names: {}", commands.kernels.join("; ")));
    }
    lines.extend(commands.notes.iter().map(|note| format!("note: {note}")));
    lines
}

/// An upgrade that is under way.
pub fn journal(journal: &Journal) -> String {
    let mut lines = vec![under_way(journal)];
    if let Some(next) = journal.next() {
        lines.extend(stage_lines(next));
    }
    lines.join("\n")
}

/// The same in a line.
pub(super) fn under_way(journal: &Journal) -> String {
    let phase = match &journal.phase {
        Phase::Ready => "ready to go on".to_owned(),
        Phase::Changing { .. } => "stopped in the middle of a stage".to_owned(),
        Phase::Waiting => "waits for a step of yours".to_owned(),
        Phase::TakenBack { evidence } => {
            format!("the last stage was taken back (`{}`)", evidence.display())
        }
    };
    format!(
        "{} of {} stages done, {phase}: rocmenv upgrade --continue, or --abort",
        journal.done,
        journal.plan.stages.len()
    )
}

/// How the user undoes the steps of the host that were taken.
pub fn way_back(undone: &[HostCommands]) -> String {
    let mut lines = Vec::new();
    for commands in undone {
        lines.push(format!("{} was yours, and so is the way back:", commands.title));
        lines.extend(commands.back.iter().map(|item| format!("  {item}")));
        lines.extend(commands.notes.iter().map(|note| format!("note: {note}")));
    }
    lines.join("\n")
}
