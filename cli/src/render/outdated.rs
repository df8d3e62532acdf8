//! What is outdated, as text: a table for each target, the roadmap, what the channels said, and
//! when to look again.

use rocmenv_manifests::upgrade::{CheckDue, Continuation, ReleaseRef, Standing};

use super::table;
use crate::ops::outdated::{Asked, News, Outdated, OutdatedTarget};

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
    let check = outdated.targets.first().map(|one| &one.standing.check);
    lines.extend(check.filter(|_| outdated.news.is_none()).map(look));
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
    let standing = &one.standing;
    if let (Some(current), Some(patch)) = (&standing.current, &standing.patch) {
        lines.push(format!("ROCm {}: patch {} is out", current.version, dated(patch)));
    }
    if let (Some(current), false) = (&standing.current, one.roadmap.is_empty()) {
        let later: Vec<String> = one.roadmap.iter().map(dated).collect();
        let later = later.join(", ");
        lines.push(format!("ROCm {}: on the roadmap {later}: rocmenv upgrade", current.version));
    }
    lines.extend(behind(standing));
    lines.extend(standing.continuations.iter().map(continuation));
    lines
}

fn dated(one: &ReleaseRef) -> String {
    match &one.date {
        Some(date) => format!("{} ({date})", one.version),
        None => one.version.to_string(),
    }
}

/// That a minor is further behind than the policy allows.
pub(super) fn behind(standing: &Standing) -> Option<String> {
    let (behind, current) = (standing.behind?, standing.current.as_ref()?);
    let newest = standing.newest.as_ref().map_or_else(String::new, |one| one.version.to_string());
    Some(format!(
        "ROCm {} is {} days behind {newest}, more than {} months: rocmenv upgrade",
        current.version, behind.days, behind.limit_months
    ))
}

/// Where a channel that has ended or is frozen goes on.
pub(super) fn continuation(one: &Continuation) -> String {
    let until = one.until.as_ref().map_or_else(String::new, |last| format!(" with {last}"));
    let word = if one.until.is_none() && one.is_frozen { "is frozen" } else { "has ended" };
    let next = match (&one.continues_at, &one.url) {
        (Some(next), Some(url)) => format!("; it goes on at `{next}` ({url})"),
        (Some(next), None) => format!("; it goes on at `{next}`"),
        (None, _) => String::new(),
    };
    format!("channel `{}` {word}{until}{next}", one.channel)
}

/// When releases were looked for, and when to look again.
pub(super) fn look(check: &CheckDue) -> String {
    let due = check.due_on.as_deref().unwrap_or("a day not known");
    if check.is_due {
        format!("releases were last looked for on {}: rocmenv outdated --online", check.last)
    } else {
        format!("releases were looked for on {}, the next look is due on {due}", check.last)
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
