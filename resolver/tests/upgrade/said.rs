//! Asks for a plan in a line of text and says it in a few lines, so that tests read as people do.

use std::fmt::Write as _;

use rocmenv_manifests::platform::{OsFamily, OsRelease};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::upgrade::{
    Answer, Driver, Footing, FrameworkVersion, Gain, HostStep, Loss, NoPathReason, Stage, State,
    StayReason, Step, UpgradePlan, Usability,
};
use rocmenv_resolver::check::Wish;
use rocmenv_resolver::upgrade::{Goal, UpgradeHost, UpgradePolicy, plan};

/// A host in text: `gpu=MI250; os=ubuntu-20.04.6; kernel=5.15; driver=5.7.1; rocm=5.7.1;
/// python=3.10; has=pytorch 2.0.1; wsl`.
pub(crate) fn host(registry: &Registry, text: &str) -> UpgradeHost {
    let mut host = UpgradeHost::default();
    let mut driver = None;
    for (key, value) in fields(text) {
        let text = value.to_owned();
        match key {
            "gpu" => host.gpus.push(registry.gpu_named(value).unwrap()),
            "wsl" => host.wsl = true,
            "os" => host.state.os = Some(value.parse::<OsRelease>().unwrap()),
            "kernel" => host.state.kernel = Some(text),
            "driver" => driver = Some(text),
            "firmware" => host.state.firmware = Some(text),
            "rocm" => host.state.rocm = Some(value.parse().unwrap()),
            "python" => host.state.python = Some(text),
            "has" => {
                let (name, version) = value.split_once(' ').unwrap();
                host.state.frameworks.push(FrameworkVersion {
                    name: name.to_owned(),
                    version: version.to_owned(),
                    build: None,
                    index: None,
                });
            }
            other => panic!("`{other}` describes no host"),
        }
    }
    let windows = host.state.os.as_ref().is_some_and(|os| os.family() == OsFamily::Windows);
    host.state.driver = driver.map(|text| driver_named(&text, windows || host.wsl));
    host
}

fn driver_named(text: &str, windows: bool) -> Driver {
    match text.parse() {
        _ if text == "in-tree" => Driver::InTree,
        Ok(version) if windows => Driver::Adrenalin(version),
        Ok(version) => Driver::Amd(version),
        Err(_) => Driver::Module(text.trim_start_matches("module ").to_owned()),
    }
}

fn fields(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let fields = text.split(';').map(str::trim).filter(|field| !field.is_empty());
    fields.map(|field| field.split_once('=').unwrap_or((field, "")))
}

/// A wish in text: `rocm=10.0; driver=31.50.0; python=3.12; losses; pytorch>=2.12`.
pub(crate) fn goal(text: &str, windows: bool) -> Goal {
    let mut goal = Goal::default();
    for field in text.split(';').map(str::trim).filter(|field| !field.is_empty()) {
        match field.split_once('=') {
            Some(("rocm", value)) => goal.rocm = Some(value.parse().unwrap()),
            Some(("driver", value)) => goal.driver = Some(driver_named(value, windows)),
            Some(("python", value)) => goal.python = Some(value.parse().unwrap()),
            None if field == "losses" => goal.accept_losses = true,
            _ => goal.frameworks.push(field.parse::<Wish>().unwrap()),
        }
    }
    goal
}

/// The plan for a host and a wish, with the policy that rocm.toml assumes.
pub(crate) fn planned(host_text: &str, goal_text: &str) -> UpgradePlan {
    let registry = Registry::embedded();
    let host = host(&registry, host_text);
    let goal = goal(goal_text, host.is_windows() || host.wsl);
    let policy = UpgradePolicy { today: "2026-11-30".parse().ok(), ..UpgradePolicy::default() };
    plan(&registry, &host, &goal, &policy).unwrap()
}

/// The plan in words.
pub(crate) fn said(host: &str, goal: &str) -> String {
    in_words(&planned(host, goal))
}

fn in_words(plan: &UpgradePlan) -> String {
    let mut text = match &plan.answer {
        Answer::NothingToDo => "nothing to do\n".to_owned(),
        Answer::Path => format!(
            "{} stages, {} reboots, {} of them on ground that nobody has spoken of\n",
            plan.cost.stages, plan.cost.reboots, plan.cost.unknown
        ),
        Answer::Stay { reason } => stay(reason),
        Answer::NoPath { reason, nearest } => {
            let mut text = no_path(reason);
            if let Some(nearest) = nearest {
                writeln!(text, "nearest: {}", state(&nearest.state)).unwrap();
                text.extend(nearest.stages.iter().map(stage));
            }
            text
        }
    };
    for pair in &plan.refused_now {
        writeln!(text, "now: {} with {}: {}", pair.left, pair.right, pair.reason).unwrap();
    }
    text.extend(plan.stages.iter().map(stage));
    text
}

fn stay(reason: &StayReason) -> String {
    match reason {
        StayReason::GpuDropped { gpu, wanted, verdict, reason, last, evidence, built } => {
            let date = last.date.as_deref().unwrap_or("no date");
            let built: Vec<String> = built.iter().map(ToString::to_string).collect();
            let mut text = format!(
                "stay: {gpu} with ROCm {wanted}: {verdict}, {reason}\n  last listed by {} of {date}; built for {}\n",
                last.version,
                built.join(" ")
            );
            for one in evidence.iter().filter(|one| one.key == "il-624") {
                writeln!(text, "  {} [{}, {}]", one.said, one.key, one.date).unwrap();
            }
            text
        }
        StayReason::FrameworkMissing { framework, wanted } => {
            format!("stay: no {framework} for ROCm {wanted}\n")
        }
    }
}

fn no_path(reason: &NoPathReason) -> String {
    match reason {
        NoPathReason::NoRelease { wanted, nearest, needs_preview } => {
            format!(
                "no path: no release is `{wanted}` (nearest {nearest:?}, preview {needs_preview})\n"
            )
        }
        NoPathReason::Refused(pairs) => {
            let mut text = "no path:\n".to_owned();
            for pair in pairs {
                writeln!(text, "  {} with {}: {}", pair.left, pair.right, pair.reason).unwrap();
            }
            text
        }
        NoPathReason::FrameworkMissing { framework, wanted, release, known } => {
            format!(
                "no path: no {framework} {wanted} for ROCm {release}, known {}\n",
                known.join(" ")
            )
        }
        NoPathReason::NoOverlap => "no path: no overlap\n".to_owned(),
        NoPathReason::NotAccepted => "no path that the policy accepts\n".to_owned(),
    }
}

fn state(state: &State) -> String {
    let shown = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    format!(
        "{} kernel {} driver {} rocm {}",
        shown(state.os.as_ref().map(ToString::to_string)),
        shown(state.kernel.clone()),
        shown(state.driver.as_ref().map(ToString::to_string)),
        shown(state.rocm.as_ref().map(ToString::to_string)),
    )
}

fn stage(stage: &Stage) -> String {
    let what = match &stage.step {
        Step::Host(HostStep::System { from, to, kernel }) => {
            format!("system {from} -> {to} (kernel {})", kernel.as_deref().unwrap_or("-"))
        }
        Step::Host(HostStep::Kernel { from, to, .. }) => format!("kernel {from} -> {to}"),
        Step::Host(HostStep::Driver { from, to }) => format!("driver {from} -> {to}"),
        Step::Host(HostStep::Firmware { to, .. }) => format!("firmware -> {to}"),
        Step::Environment(step) => {
            let frameworks: Vec<String> = step
                .frameworks
                .iter()
                .map(|own| {
                    own.build.clone().unwrap_or_else(|| format!("{} {}", own.name, own.version))
                })
                .collect();
            let rocm = step.rocm.as_ref().map_or("none".to_owned(), ToString::to_string);
            let python = step.python.as_ref().map(|python| format!(", Python {python}"));
            format!(
                "environment ROCm {rocm}{}: {}",
                python.unwrap_or_default(),
                frameworks.join(", ")
            )
        }
    };
    let mut text = format!("{}. {what}\n", stage.number);
    if stage.environment == Usability::DriverOnly {
        text.push_str("   driver only\n");
    }
    if stage.footing != Footing::Listed {
        for pair in &stage.unproven {
            writeln!(text, "   {}: {} with {}", pair.verdict, pair.left, pair.right).unwrap();
        }
    }
    for gain in &stage.gains {
        let written = match gain {
            Gain::Gpu { gpu, was, .. } => writeln!(text, "   + {gpu} (was {was})"),
            Gain::Framework { name, version } => writeln!(text, "   + {name} {version} listed"),
            Gain::Component { name, .. } => writeln!(text, "   + {name}"),
            Gain::Releases(series) => writeln!(text, "   + serves {}", series.join(" ")),
        };
        written.unwrap();
    }
    for loss in &stage.losses {
        let written = match loss {
            Loss::Gpu { gpu, now, last, .. } => writeln!(text, "   - {gpu} ({now}, last {last})"),
            Loss::Framework { name, now, .. } => writeln!(text, "   - {name} ({now})"),
            Loss::Component { name, .. } => writeln!(text, "   - {name}"),
            Loss::Releases(series) => writeln!(text, "   - serves {}", series.join(" ")),
        };
        written.unwrap();
    }
    for moved in &stage.moves {
        writeln!(text, "   {} => {}", moved.from, moved.to).unwrap();
    }
    text
}
