//! The host's place and the planned way, drawn over the time line.

use super::escaped;
use super::timeline::{Spot, spot_of};
use crate::ops::journey::Journey;

/// A ring where the environment is, a bow for each move to another release with the numbers of its
/// stages, and a double ring where the way ends.
pub(super) fn way(journey: &Journey, spots: &[Spot<'_>]) -> String {
    let plan = &journey.plan;
    let here = plan.from.rocm.as_ref().and_then(|rocm| spot_of(spots, rocm));
    let end = plan.to.rocm.as_ref().and_then(|rocm| spot_of(spots, rocm));
    let mut text = String::new();
    let mut stacks: Vec<(f64, f64, Vec<u32>)> = Vec::new();
    for stage in &plan.stages {
        let from = stage.from.rocm.as_ref().and_then(|rocm| spot_of(spots, rocm));
        let to = stage.to.rocm.as_ref().and_then(|rocm| spot_of(spots, rocm));
        let (x, y) = match (from, to) {
            (Some(from), Some(to)) if from.release.version != to.release.version => {
                let (bow, x, y) = bow(from, to);
                text.push_str(&bow);
                (x, y)
            }
            (_, Some(at)) | (Some(at), None) => (at.x, at.y + 22.0),
            (None, None) => match here.or(end) {
                Some(at) => (at.x, at.y + 22.0),
                None => continue,
            },
        };
        let is_near = |stack: &&mut (f64, f64, Vec<u32>)| {
            (stack.0 - x).abs() < 1.0 && (stack.1 - y).abs() < 1.0
        };
        match stacks.iter_mut().find(is_near) {
            Some(stack) => stack.2.push(stage.number),
            None => stacks.push((x, y, vec![stage.number])),
        }
    }
    for (x, y, numbers) in stacks {
        text.push_str(&bubble(x, y, &numbers));
    }
    if let Some(spot) = end.filter(|_| !plan.stages.is_empty()) {
        text.push_str(&ring(spot, "end", &format!("planned: {}", spot.release.version)));
    }
    if let Some(spot) = here {
        text.push_str(&ring(spot, "start", &format!("here: {}", spot.release.version)));
    }
    text
}

/// A bow below the releases, with its lowest point.
fn bow(from: &Spot<'_>, to: &Spot<'_>) -> (String, f64, f64) {
    let low = from.y.max(to.y) + if (from.y - to.y).abs() < 1.0 { 46.0 } else { 18.0 };
    let (x1, y1, x2, y2) = (from.x, from.y + 9.0, to.x - 7.0, to.y + 8.0);
    let text = format!(
        "<path class=\"way\" d=\"M{x1:.1} {y1:.1}C{x1:.1} {low:.1} {:.1} {low:.1} {x2:.1} \
         {y2:.1}\" marker-end=\"url(#tip)\"/>\n",
        f64::midpoint(x1, x2)
    );
    // the point at half of the curve
    let at = |a: f64, b: f64, c: f64, d: f64| (a + 3.0 * b + 3.0 * c + d) / 8.0;
    (text, at(x1, x1, f64::midpoint(x1, x2), x2), at(y1, low, low, y2))
}

/// The stages at a place.
fn bubble(x: f64, y: f64, numbers: &[u32]) -> String {
    let text = match (numbers.first(), numbers.last()) {
        (Some(first), Some(last)) if first != last => format!("{first}–{last}"),
        (Some(first), _) => first.to_string(),
        (None, _) => return String::new(),
    };
    let half = if text.len() > 2 { 15.0 } else { 9.0 };
    format!(
        "<a href=\"#stage-{}\"><rect class=\"bubble\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" \
         height=\"18\" rx=\"9\"/><text class=\"bubble\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text></a>\n",
        numbers.first().copied().unwrap_or_default(),
        x - half,
        y - 9.0,
        half * 2.0,
        y + 4.0
    )
}

fn ring(spot: &Spot<'_>, class: &str, words: &str) -> String {
    let double = if class == "end" {
        format!("<circle class=\"ring\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"12\"/>", spot.x, spot.y)
    } else {
        String::new()
    };
    format!(
        "<g class=\"{class}\" id=\"{class}\"><circle class=\"ring\" cx=\"{x:.1}\" cy=\"{y:.1}\" \
         r=\"8.5\"/>{double}<text class=\"place\" x=\"{x:.1}\" y=\"{:.1}\">{}</text></g>\n",
        spot.y + 62.0,
        escaped(words),
        x = spot.x,
        y = spot.y,
    )
}
