//! The host's place and the planned stages in words.

use std::fmt::Write as _;

use rocmenv_manifests::upgrade::{Answer, Stage, State};

use super::escaped;
use crate::ops::journey::Journey;
use crate::render::upgrade::{headline, stage_parts, stage_title};
use crate::render::upgrade_cost::in_all;

/// The section.
pub(super) fn section(journey: &Journey) -> String {
    let plan = &journey.plan;
    let refused: Vec<String> = plan
        .refused_now
        .iter()
        .map(|pair| {
            let text =
                format!("{} with {}: {} ({})", pair.left, pair.right, pair.verdict, pair.reason);
            format!("<p class=\"loss\">now: {}</p>\n", escaped(&text))
        })
        .collect();
    let refused = refused.concat();
    let stages: String = plan.stages.iter().map(stage).collect();
    let standing = standing(journey);
    let cost = match plan.answer {
        Answer::Path => format!("<p id=\"cost\">{}</p>\n", escaped(&in_all(plan))),
        _ => String::new(),
    };
    format!(
        "<h2>Where it stands, and the way that is planned</h2>\n{}<p id=\"answer\"><b>{}</b></p>\n\
         {refused}{standing}<ol class=\"stages\">\n{stages}</ol>\n{cost}",
        place(journey),
        escaped(&headline(plan)),
    )
}

fn place(journey: &Journey) -> String {
    let (from, to) = (&journey.plan.from, &journey.plan.to);
    let has_end = !journey.plan.stages.is_empty();
    let mut rows = String::new();
    let parts = |state: &State| {
        let shown = |text: Option<String>| text.unwrap_or_else(|| "not known".to_owned());
        let frameworks: Vec<String> = state
            .frameworks
            .iter()
            .map(|framework| format!("{} {}", framework.name, framework.version))
            .collect();
        [
            ("system", shown(state.os.as_ref().map(ToString::to_string))),
            ("kernel", shown(state.kernel.clone())),
            ("driver", shown(state.driver.as_ref().map(ToString::to_string))),
            ("ROCm", state.rocm.as_ref().map_or("no environment".to_owned(), ToString::to_string)),
            ("Python", state.python.clone().unwrap_or_else(|| "none".to_owned())),
            (
                "frameworks",
                if frameworks.is_empty() { "none".to_owned() } else { frameworks.join(", ") },
            ),
        ]
    };
    for ((name, now), (_, then)) in parts(from).into_iter().zip(parts(to)) {
        let then = if !has_end {
            String::new()
        } else if then == now {
            "<td class=\"soft\">the same</td>".to_owned()
        } else {
            format!("<td><b>{}</b></td>", escaped(&then))
        };
        let _ = writeln!(rows, "<tr><th>{name}</th><td>{}</td>{then}</tr>", escaped(&now));
    }
    let gpus =
        if journey.gpus.is_empty() { "none known".to_owned() } else { journey.gpus.join(", ") };
    let end = if has_end { "<th>at the end</th>" } else { "" };
    format!(
        "<table id=\"place\">\n<tr><th>{}</th><th>now</th>{end}</tr>\n<tr><th>GPU</th><td>{}</td>{}\
         </tr>\n{rows}</table>\n",
        escaped(&journey.whose),
        escaped(&gpus),
        if has_end { "<td class=\"soft\">the same</td>" } else { "" },
    )
}

fn standing(journey: &Journey) -> String {
    let standing = &journey.plan.standing;
    let mut items = Vec::new();
    let named = |one: &rocmenv_manifests::upgrade::ReleaseRef| {
        let day = one.date.as_deref().map_or_else(String::new, |date| format!(" ({date})"));
        format!("{}{day}", one.version)
    };
    items.extend(standing.patch.as_ref().map(|one| format!("newest patch: {}", named(one))));
    items.extend(standing.newest.as_ref().map(|one| format!("newest release: {}", named(one))));
    items.extend(standing.behind.map(|behind| {
        format!("behind by {} days; the policy allows {} months", behind.days, behind.limit_months)
    }));
    for channel in &standing.continuations {
        let next = channel.continues_at.as_deref().unwrap_or("nowhere that is known");
        items.push(format!(
            "channel {} has ended or is frozen; it goes on at {next}",
            channel.channel
        ));
    }
    let items = items
        .iter()
        .map(|item| format!("<li>{}</li>\n", escaped(item)))
        .collect::<Vec<_>>()
        .concat();
    if items.is_empty() { items } else { format!("<ul>\n{items}</ul>\n") }
}

fn stage(stage: &Stage) -> String {
    let parts: Vec<String> = stage_parts(stage)
        .into_iter()
        .map(|(name, items)| {
            let items: Vec<String> = items.iter().map(|item| escaped(item)).collect();
            format!("<dt>{name}</dt><dd>{}</dd>\n", items.join("<br>"))
        })
        .collect();
    let parts = parts.concat();
    let who = if stage.is_host() { "host" } else { "environment" };
    format!(
        "<li class=\"{who}\" id=\"stage-{}\"><b>{}</b>\n<dl>\n{parts}</dl></li>\n",
        stage.number,
        escaped(&stage_title(stage))
    )
}
