//! The texts of a dist-info folder.

use std::fmt::Write as _;

use super::WheelBuilder;

/// METADATA, core metadata 2.1.
pub(super) fn metadata(wheel: &WheelBuilder) -> String {
    let mut lines = vec![
        "Metadata-Version: 2.1".to_owned(),
        format!("Name: {}", wheel.name),
        format!("Version: {}", wheel.version),
    ];
    lines.extend(wheel.summary.iter().map(|text| format!("Summary: {text}")));
    lines.extend(wheel.headers.iter().map(|(name, value)| format!("{name}: {value}")));
    lines.extend(
        wheel.requires_python.iter().map(|specifier| format!("Requires-Python: {specifier}")),
    );
    lines.extend(wheel.requires.iter().map(|requirement| format!("Requires-Dist: {requirement}")));
    lines.extend(wheel.extras.iter().map(|extra| format!("Provides-Extra: {extra}")));
    lines.join("\n") + "\n"
}

/// `requirement` with the marker of `extra` added to whatever marker it has.
pub(crate) fn with_extra(requirement: &str, extra: &str) -> String {
    match requirement.split_once(';') {
        Some((plain, marker)) => {
            format!("{} ; ({}) and extra == \"{extra}\"", plain.trim(), marker.trim())
        }
        None => format!("{requirement} ; extra == \"{extra}\""),
    }
}

/// `entry_points.txt`: one section a group, in order of first appearance.
pub(super) fn entry_points(points: &[(String, String, String)]) -> String {
    let mut groups: Vec<&str> = Vec::new();
    for (group, _, _) in points {
        if !groups.contains(&group.as_str()) {
            groups.push(group);
        }
    }
    let mut text = String::new();
    for group in groups {
        let _ = writeln!(text, "[{group}]");
        for (_, name, object) in points.iter().filter(|point| point.0 == group) {
            let _ = writeln!(text, "{name} = {object}");
        }
        text.push('\n');
    }
    text
}

/// Every single tag of a compressed tag set (PEP 425).
pub(super) fn expand_tags(set: &str) -> Vec<String> {
    let parts: Vec<Vec<&str>> = set.split('-').map(|part| part.split('.').collect()).collect();
    let [pythons, abis, platforms] = parts.as_slice() else {
        return vec![set.to_owned()];
    };
    let mut tags = Vec::new();
    for python in pythons {
        for abi in abis {
            for platform in platforms {
                tags.push(format!("{python}-{abi}-{platform}"));
            }
        }
    }
    tags
}
