//! Reads the request headers that choose a variant or a part of a resource.
//!
//! Source: RFC 9110, sections 12.5.1 (Accept) and 14.1.2 (byte ranges).

use std::ops::Range;

/// The index of the offered media type that `accept` likes best; the first where it likes none.
pub(super) fn choose(accept: Option<&str>, offered: &[&str]) -> usize {
    let Some(accept) = accept else { return 0 };
    let mut best = (0.0, 0);
    for item in accept.split(',') {
        let mut parts = item.split(';').map(str::trim);
        let wanted = parts.next().unwrap_or_default();
        let weight =
            parts.find_map(|parameter| parameter.strip_prefix("q=")?.parse().ok()).unwrap_or(1.0);
        let found = offered.iter().position(|media_type| matches(wanted, media_type));
        if let Some(position) = found.filter(|_| weight > best.0) {
            best = (weight, position);
        }
    }
    best.1
}

/// What a `Range` header asks of a body of `length` bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// No range, or a form that may be ignored, such as several ranges.
    Whole,
    /// These bytes.
    Part(Range<usize>),
    /// Nothing that is there (416).
    Outside,
}

/// Reads `bytes=A-B`, `bytes=A-` and `bytes=-N`.
pub(super) fn range(header: Option<&str>, length: usize) -> Asked {
    let Some((start, end)) = header
        .and_then(|header| header.strip_prefix("bytes="))
        .and_then(|range| range.split_once('-'))
    else {
        return Asked::Whole;
    };
    let (start, end) = match (start.parse::<usize>(), end.parse::<usize>()) {
        (Ok(start), Ok(end)) => (start, end.saturating_add(1).min(length)),
        (Ok(start), Err(_)) if end.is_empty() => (start, length),
        (Err(_), Ok(suffix)) if start.is_empty() => (length.saturating_sub(suffix), length),
        _ => return Asked::Whole,
    };
    if start < end { Asked::Part(start..end) } else { Asked::Outside }
}

fn matches(wanted: &str, offered: &str) -> bool {
    wanted == "*/*"
        || wanted == offered
        || wanted.strip_suffix("/*").is_some_and(|family| offered.split('/').next() == Some(family))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heavier_type_wins() {
        let offered = ["text/html", "application/json"];
        for (accept, expected) in [
            (None, 0),
            (Some("*/*"), 0),
            (Some("application/json"), 1),
            (Some("text/html;q=0.2, application/json"), 1),
            (Some("application/json;q=0.1, text/*;q=0.5"), 0),
            (Some("image/png"), 0),
        ] {
            assert_eq!(choose(accept, &offered), expected, "{accept:?}");
        }
    }

    #[test]
    fn ranges() {
        for (header, expected) in [
            (None, Asked::Whole),
            (Some("bytes=0-9"), Asked::Part(0..10)),
            (Some("bytes=90-"), Asked::Part(90..100)),
            (Some("bytes=-30"), Asked::Part(70..100)),
            (Some("bytes=-300"), Asked::Part(0..100)),
            (Some("bytes=0-300"), Asked::Part(0..100)),
            (Some("bytes=100-"), Asked::Outside),
            (Some("bytes=0-1,5-6"), Asked::Whole),
            (Some("lines=0-1"), Asked::Whole),
        ] {
            assert_eq!(range(header, 100), expected, "{header:?}");
        }
    }
}
