//! The roadmap as a page: releases on a time line, the host's place, the way that is planned, then
//! what each release changes, ends and announcements with their documents.

mod facts;
mod journey;
mod path;
mod timeline;

use std::fmt::Write as _;

use std::collections::BTreeMap;

use rocmenv_manifests::registry::Evidence;
use rocmenv_resolver::upgrade::Roadmap;

use super::{Page, escaped};
use crate::ops::journey::Journey;

/// What the page is made of.
#[derive(Debug, Clone, Copy)]
pub struct RoadmapPage<'p> {
    /// The roadmap.
    pub roadmap: &'p Roadmap,
    /// Where the host stands and goes.
    pub journey: &'p Journey,
    /// Today.
    pub today: jiff::civil::Date,
}

/// The page.
pub fn roadmap_html(page: &RoadmapPage<'_>) -> String {
    let body = [
        head(page),
        timeline::picture(page),
        journey::section(page.journey),
        facts::ends(page.roadmap),
        facts::announcements(page.roadmap),
        facts::releases(page.roadmap),
        documents(page.roadmap),
    ]
    .concat();
    let page = Page {
        title: "ROCm roadmap",
        style: include_str!("../assets/roadmap.css"),
        body: &body,
        script: "",
    };
    page.html()
}

fn head(page: &RoadmapPage<'_>) -> String {
    let lines = page
        .roadmap
        .lines
        .iter()
        .map(|line| {
            format!(
                "<li><b>{}</b> ({}): {} <span class=\"soft\">{}</span></li>\n",
                escaped(&line.name),
                escaped(&line.stability),
                escaped(&line.packages),
                escaped(&line.notes)
            )
        })
        .collect::<Vec<_>>()
        .concat();
    format!(
        "<h1>ROCm roadmap</h1>\n<p class=\"soft\">What documents say, as of {}; drawn on {}. \
         Nothing here is measured.</p>\n<ul>\n{lines}</ul>\n",
        escaped(&page.roadmap.date),
        page.today
    )
}

/// The documents of a fact, each with the day on which it was read.
fn sources(evidence: &[Evidence]) -> String {
    let mut keys: Vec<&str> = Vec::new();
    let mut text = String::new();
    for one in evidence.iter().filter(|one| !one.key.is_empty()) {
        if keys.contains(&one.key.as_str()) {
            continue;
        }
        keys.push(&one.key);
        let _ = write!(
            text,
            "<a class=\"tag\" href=\"#doc-{key}\" title=\"{}\">{key}, {}</a> ",
            escaped(&one.to_string()),
            escaped(&one.date),
            key = escaped(&one.key),
        );
    }
    text
}

fn documents(roadmap: &Roadmap) -> String {
    let releases = roadmap.releases.iter().flat_map(|release| {
        let changes = release.changes.iter().flat_map(|change| &change.evidence);
        release.evidence.iter().chain(changes)
    });
    let changes = roadmap.unreleased.iter().flat_map(|change| &change.evidence);
    let said = roadmap.announcements.iter().flat_map(|one| &one.evidence);
    let ended = roadmap.ended.iter().flat_map(|one| &one.evidence);
    let all: BTreeMap<&str, &Evidence> = releases
        .chain(changes)
        .chain(said)
        .chain(ended)
        .map(|one| (one.key.as_str(), one))
        .collect();
    let rows = all
        .iter()
        .map(|(key, one)| {
            format!(
                "<tr id=\"doc-{key}\"><td><code>{key}</code></td><td>{}</td><td>{}</td>\
                 <td><code>{}</code></td></tr>\n",
                escaped(&one.to_string()),
                escaped(&one.date),
                escaped(one.commit.get(..12).unwrap_or(&one.commit)),
                key = escaped(key),
            )
        })
        .collect::<Vec<_>>()
        .concat();
    format!(
        "<h2>Documents</h2>\n<table>\n<tr><th>key</th><th>document</th><th>read</th><th>commit\
         </th></tr>\n{rows}</table>\n"
    )
}
