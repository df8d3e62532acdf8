//! The time line: a line of releases each for classic, preview and TheRock, by their days.
//!
//! A release whose day was not found is hollow and drawn between its neighbours.

use std::fmt::Write as _;

use jiff::Unit;
use jiff::civil::Date;
use rocmenv_manifests::version::RocmVersion;
use rocmenv_resolver::upgrade::{Roadmap, RoadmapRelease};

use super::path::way;
use super::{RoadmapPage, escaped};

/// Where a release is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'r> {
    /// The release.
    pub(super) release: &'r RoadmapRelease,
    /// From the left.
    pub(super) x: f64,
    /// From the top.
    pub(super) y: f64,
    /// Whether its day was found.
    pub(super) is_dated: bool,
}

/// The days that the picture spans.
struct Span {
    first: Date,
    days: f64,
}

/// The picture.
pub(super) fn picture(page: &RoadmapPage<'_>) -> String {
    let Some(span) = Span::of(page.roadmap, page.today) else { return String::new() };
    let spots = spots(page.roadmap, &span);
    let mut drawing = String::new();
    drawing.push_str(&years(&span));
    drawing.push_str(&day_line(&span, page.today, "today"));
    for (line, y) in LANES {
        let own: Vec<&Spot<'_>> = spots.iter().filter(|spot| spot.release.line == line).collect();
        drawing.push_str(&lane(line, y, &own));
    }
    drawing.push_str(&continued(page.roadmap, &spots));
    drawing.push_str(&way(page.journey, &spots));
    format!(
        "<h2>Releases by their days</h2>\n<p class=\"soft\">Filled: production; grey: a tag \
         that the release history does not list; ring: preview; dashed: day not found, drawn \
         between its neighbours. <span class=\"gain\">+</span> and \
         <span class=\"loss\">−</span>: GPU targets that the release's table lists and the one \
         before did not, and the other way. <span class=\"here\">Red</span>: where this \
         environment is, and the way that is planned.</p>\n\
         <div class=\"scroll\"><svg id=\"timeline\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\" aria-label=\"ROCm releases by line and day\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         {drawing}</svg></div>\n"
    )
}

impl Span {
    /// From the first release that has a day to today, or to the last release.
    fn of(roadmap: &Roadmap, today: Date) -> Option<Self> {
        let days = roadmap.releases.iter().filter_map(day);
        let first = days.clone().min()?;
        let last = days.max()?.max(today);
        let days = days_between(first, last).max(1.0);
        Some(Self { first, days })
    }

    fn x(&self, day: Date) -> f64 {
        LEFT + days_between(self.first, day) / self.days * (WIDTH - LEFT - RIGHT)
    }
}

/// Every release of a drawn line, oldest first.
fn spots<'r>(roadmap: &'r Roadmap, span: &Span) -> Vec<Spot<'r>> {
    let mut releases: Vec<&RoadmapRelease> = roadmap.releases.iter().collect();
    releases.sort_by(|a, b| a.version.cmp(&b.version));
    let xs: Vec<Option<f64>> =
        releases.iter().map(|release| day(release).map(|day| span.x(day))).collect();
    let between = |at: usize| {
        let before = (0..at).rev().find_map(|at| Some((at, xs[at]?)));
        let after = (at + 1..xs.len()).find_map(|at| Some((at, xs[at]?)));
        match (before, after) {
            (Some((low, from)), Some((high, to))) => {
                let (step, steps) = (count(at - low), count(high - low));
                from + (to - from) * step / steps
            }
            (Some((_, x)), None) | (None, Some((_, x))) => x,
            (None, None) => LEFT,
        }
    };
    let one = |(at, release): (usize, &&'r RoadmapRelease)| {
        let y = LANES.iter().find(|lane| lane.0 == release.line)?.1;
        let x = xs[at].unwrap_or_else(|| between(at));
        Some(Spot { release, x, y, is_dated: xs[at].is_some() })
    };
    releases.iter().enumerate().filter_map(one).collect()
}

fn lane(line: &str, y: f64, spots: &[&Spot<'_>]) -> String {
    let mut text =
        format!("<text class=\"lane\" x=\"12\" y=\"{:.1}\">{}</text>\n", y + 4.0, escaped(line));
    let xs = || spots.iter().map(|spot| spot.x);
    let (low, high) = (xs().fold(WIDTH, f64::min), xs().fold(0.0, f64::max));
    if low <= high {
        let _ = writeln!(
            text,
            "<line class=\"lane\" x1=\"{low:.1}\" y1=\"{y:.1}\" x2=\"{high:.1}\" y2=\"{y:.1}\"/>"
        );
    }
    let mut by_x = spots.to_vec();
    by_x.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut last = f64::MIN;
    for spot in by_x {
        // labels stand side by side, each joined to its dot
        let label = spot.x.max(last + LABEL);
        last = label;
        text.push_str(&dot(spot, label));
    }
    text
}

fn dot(spot: &Spot<'_>, label: f64) -> String {
    let release = spot.release;
    let kind = crate::ops::matrix::word(&release.kind);
    let class = if spot.is_dated { kind.clone() } else { format!("{kind} undated") };
    let version = escaped(&release.version.to_string());
    let date = release.date.as_deref().unwrap_or("day not found");
    let (x, y) = (spot.x, spot.y);
    let mut text = format!(
        "<g class=\"release {class}\"><title>ROCm {version}, {kind}, {}; {} changes</title>\n\
         <path class=\"join\" d=\"M{x:.1} {:.1}L{label:.1} {:.1}\"/>\n\
         <text class=\"label\" transform=\"translate({:.1} {:.1}) rotate(-60)\">{version}</text>\n\
         <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>\n",
        escaped(date),
        release.changes.len(),
        y - 5.0,
        y - 16.0,
        label + 3.0,
        y - 19.0,
    );
    let marks = [("gain", "+", release.gained.len()), ("loss", "−", release.lost.len())];
    let mut below = y + 17.0;
    for (class, sign, number) in marks.into_iter().filter(|mark| mark.2 > 0) {
        let _ = writeln!(
            text,
            "<text class=\"mark {class}\" x=\"{x:.1}\" y=\"{below:.1}\">{sign}{number}</text>"
        );
        below += 11.0;
    }
    text.push_str("</g>\n");
    text
}

/// From the last release of a line to the first of the one that follows.
fn continued(roadmap: &Roadmap, spots: &[Spot<'_>]) -> String {
    let mut text = String::new();
    for line in &roadmap.lines {
        let Some(next) = &line.continues_at else { continue };
        let by_x = |a: &&Spot<'_>, b: &&Spot<'_>| a.x.total_cmp(&b.x);
        let last = spots.iter().filter(|spot| spot.release.line == line.name).max_by(by_x);
        let first = spots.iter().filter(|spot| spot.release.line == *next).min_by(by_x);
        let Some((from, to)) = last.zip(first) else { continue };
        let _ = writeln!(
            text,
            "<path class=\"continues\" d=\"M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}\"/>",
            from.x + 6.0,
            from.y,
            from.x + 34.0,
            from.y,
            to.x - 34.0,
            to.y,
            to.x - 6.0,
            to.y
        );
    }
    text
}

fn years(span: &Span) -> String {
    let mut text = String::new();
    for year in span.first.year()..=span.first.year() + 40 {
        let Ok(day) = Date::new(year, 1, 1) else { break };
        let x = span.x(day);
        if day > span.first && x < WIDTH - RIGHT {
            let _ = writeln!(
                text,
                "<line class=\"year\" x1=\"{x:.1}\" y1=\"24\" x2=\"{x:.1}\" y2=\"{:.1}\"/>\
                 <text class=\"year\" x=\"{x:.1}\" y=\"16\">{year}</text>",
                HEIGHT - 12.0
            );
        }
    }
    text
}

fn day_line(span: &Span, day: Date, name: &str) -> String {
    let x = span.x(day);
    format!(
        "<line class=\"today\" x1=\"{x:.1}\" y1=\"24\" x2=\"{x:.1}\" y2=\"{:.1}\"/>\
         <text class=\"year\" x=\"{x:.1}\" y=\"16\">{name}</text>\n",
        HEIGHT - 12.0
    )
}

/// The spot of a release.
pub(super) fn spot_of<'s, 'r>(
    spots: &'s [Spot<'r>],
    version: &RocmVersion,
) -> Option<&'s Spot<'r>> {
    spots.iter().find(|spot| spot.release.version == *version)
}

fn day(release: &RoadmapRelease) -> Option<Date> {
    release.date.as_deref()?.parse().ok()
}

fn days_between(from: Date, to: Date) -> f64 {
    from.until((Unit::Day, to)).map_or(0.0, |span| f64::from(span.get_days()))
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

const WIDTH: f64 = 1330.0;
const HEIGHT: f64 = 470.0;
const LEFT: f64 = 95.0;
const RIGHT: f64 = 60.0;
/// The room between two labels.
const LABEL: f64 = 15.0;
/// The drawn lines with their places from the top.
const LANES: [(&str, f64); 3] = [("classic", 125.0), ("preview", 265.0), ("therock", 385.0)];
