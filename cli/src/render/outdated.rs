//! What is outdated, as text: a table for each target, the roadmap, what the channels said, and
//! when to look again.

use super::table;
use crate::ops::outdated::{Asked, News, Outdated, OutdatedTarget};
use crate::ops::standing::{Look, Newer, Standing};

/// For a person.
pub fn outdated(outdated: &Outdated) -> String {
    let several = outdated.targets.len() > 1;
    let mut lines = Vec::new();
    for one in &outdated.targets {
        if several {
            lines.push(format!("{}/{}:", one.target, one.env));
        }
        lines.extend(target(one));
    }
    if let Some(news) = &outdated.news {
        lines.extend(news_lines(news));
    }
    lines.extend(outdated.look.as_ref().map(|look| look_line(look, outdated.news.is_some())));
    lines.push(outdated.registry.clone());
    lines.join("\n")
}

fn target(one: &OutdatedTarget) -> Vec<String> {
    let mut lines = Vec::new();
    if one.rows.is_empty() {
        lines.push("every package is the newest that this target can have".to_owned());
    } else {
        let same = |version: &str, locked: &str| {
            if version == locked { "-".to_owned() } else { version.to_owned() }
        };
        let rows: Vec<Vec<String>> = one
            .rows
            .iter()
            .map(|row| {
                let beyond = row.beyond.as_deref().unwrap_or(&row.in_range);
                vec![
                    row.name.clone(),
                    row.locked.clone(),
                    same(&row.in_range, &row.locked),
                    same(beyond, &row.in_range),
                ]
            })
            .collect();
        lines.push(table(&["package", "locked", "in range", "beyond"], &rows));
    }
    if let Some(why) = &one.beyond_refused {
        lines.push(format!("beyond the ranges of rocm.toml nothing fits: {why}"));
    }
    lines.extend(one.rocm.iter().flat_map(standing));
    for ended in &one.ended {
        let until = ended.until.as_ref().map_or_else(String::new, |last| format!(" with {last}"));
        let next = match &ended.continues_at {
            Some(next) => format!("; it goes on at `{next}`"),
            None => String::new(),
        };
        lines.push(format!("channel `{}` has ended{until}{next}", ended.channel));
    }
    lines
}

/// How a release stands: patches first, then the roadmap.
pub(super) fn standing(standing: &Standing) -> Vec<String> {
    let mut lines = Vec::new();
    let dated = |one: &Newer| match &one.date {
        Some(date) => format!("{} ({date})", one.rocm),
        None => one.rocm.to_string(),
    };
    let rocm = &standing.rocm;
    if let Some(patch) = &standing.patch {
        lines.push(format!("ROCm {rocm}: patch {} is out", dated(patch)));
    }
    if !standing.later.is_empty() {
        let later: Vec<String> = standing.later.iter().map(dated).collect();
        lines.push(format!("ROCm {rocm}: on the roadmap {}: rocmenv upgrade", later.join(", ")));
    }
    if standing.is_far_behind() {
        lines.extend(behind(standing));
    }
    lines
}

/// That a minor is far behind.
pub(super) fn behind(standing: &Standing) -> Option<String> {
    let months = standing.months_behind?;
    Some(format!("ROCm {} is {months} months behind the newest: rocmenv upgrade", standing.rocm))
}

pub(super) fn look_line(look: &Look, asked: bool) -> String {
    if look.due && !asked {
        format!("releases were last looked for on {}: rocmenv outdated --online", look.last)
    } else {
        format!("releases were looked for on {}, the next look is due on {}", look.last, look.next)
    }
}

fn news_lines(news: &News) -> Vec<String> {
    let mut lines = Vec::new();
    for one in &news.unknown {
        lines.push(format!(
            "ROCm {} is on `{}` and not in this registry: look for a newer rocmenv",
            one.rocm, one.channel
        ));
    }
    lines.extend(news.channels.iter().filter_map(unanswered));
    let answered = news.channels.iter().filter(|asked| asked.failed.is_none()).count();
    lines.push(format!("{answered} of {} channels answered", news.channels.len()));
    lines
}

fn unanswered(asked: &Asked) -> Option<String> {
    let why = asked.failed.as_ref()?;
    let others = match asked.served_by.as_slice() {
        [] => String::new(),
        some => format!("; these serve the newest: {}", some.join(", ")),
    };
    Some(format!("`{}`: {why}{others}", asked.channel))
}
