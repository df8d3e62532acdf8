//! The distribution, from os-release (freedesktop.org, os-release(5)).

use std::collections::BTreeMap;

use rocmenv_manifests::platform::{OsFamily, OsRelease};

use super::Reader;
use crate::host::facts::Os;

pub(super) fn read(reader: &mut Reader<'_>) -> Os {
    let text = reader.text("/etc/os-release").or_else(|| reader.text("/usr/lib/os-release"));
    let values = text.as_deref().map(parse).unwrap_or_default();
    let value = |key: &str| values.get(key).filter(|value| !value.is_empty()).cloned();
    let release =
        value("ID").map(|id| OsRelease { distribution: id, version: value("VERSION_ID") });
    Os {
        family: Some(OsFamily::Linux),
        // kept only if it can be written and read back
        release: release.filter(|release| release.to_string().parse().as_ref() == Ok(release)),
        like: value("ID_LIKE")
            .map(|like| like.split_whitespace().map(str::to_owned).collect())
            .unwrap_or_default(),
        codename: value("VERSION_CODENAME"),
        pretty_name: value("PRETTY_NAME"),
    }
}

fn parse(text: &str) -> BTreeMap<&str, String> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.trim(), unquote(value.trim())))
        .collect()
}

/// A value in the form of a shell assignment, without variable expansion.
fn unquote(value: &str) -> String {
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let inner = match quote {
        Some(quote) => value[1..].strip_suffix(quote).unwrap_or(&value[1..]),
        None => value,
    };
    if quote == Some('\'') {
        return inner.to_owned();
    }
    let mut plain = String::with_capacity(inner.len());
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.extend(letters.next()),
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_unquoted_as_a_shell_would() {
        let values = parse("# x\nID=debian\nNAME=\"A \\\"B\\\" C\"\nHOME='it is'\nEMPTY=\n");
        assert_eq!(values["ID"], "debian");
        assert_eq!(values["NAME"], "A \"B\" C");
        assert_eq!(values["HOME"], "it is");
        assert_eq!(values["EMPTY"], "");
    }
}
