//! Licences of what is installed, as its own metadata says them: core metadata of Python packages,
//! machine-readable copyright files of Debian packages. Nothing is guessed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rocmenv_manifests::lock::ArtifactKind;

use super::subject::Subject;
use crate::context::Context;
use crate::ops::place::Place;

/// The licences of packages, by kind and name.
pub(super) type Licences = BTreeMap<(ArtifactKind, String), Vec<Licence>>;

/// One statement of a licence.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Licence {
    /// An identifier of the SPDX list.
    Id(String),
    /// An SPDX expression of several.
    Expression(String),
    /// A name that is neither.
    Named(String),
}

impl Licence {
    /// What a name is. Identifiers are taken as the list spells them.
    fn of(text: &str) -> Self {
        match spdx::license_id(text) {
            Some(id) => Self::Id(id.name.to_owned()),
            None if spdx::Expression::parse(text).is_ok() => Self::Expression(text.to_owned()),
            None => Self::Named(text.to_owned()),
        }
    }
}

/// The licences of the packages that the target's environment holds; nothing where it is not made.
pub(super) fn find(context: &Context, subject: &Subject) -> Licences {
    let mut found = Licences::new();
    let place = Place::find(context).ok();
    let place = place
        .filter(|place| place.target == subject.target.name && place.env == subject.target.env);
    let Some((_, layout)) = place.and_then(|place| place.current().ok()) else { return found };
    for library in folders(&layout.env().join("lib")).into_iter().chain([layout.env().join("Lib")])
    {
        for folder in folders(&library.join("site-packages")) {
            let Ok(text) = fs_err::read_to_string(folder.join("METADATA")) else { continue };
            let headers = headers(&text);
            let Some(name) = first(&headers, "Name") else { continue };
            let key = (ArtifactKind::Wheel, name.to_lowercase().replace(['_', '.'], "-"));
            found.insert(key, of_metadata(&headers));
        }
    }
    let debs = subject.artifacts.iter().filter(|one| one.kind == ArtifactKind::Deb);
    for deb in debs {
        let file = layout.rocm().join("usr/share/doc").join(&deb.name).join("copyright");
        if let Ok(text) = fs_err::read_to_string(file) {
            found.insert((ArtifactKind::Deb, deb.name.clone()), of_copyright(&text));
        }
    }
    found
}

/// PEP 639's expression; else the classifiers; else the old free text, where it is one short line.
fn of_metadata(headers: &[(String, String)]) -> Vec<Licence> {
    if let Some(expression) = first(headers, "License-Expression") {
        return vec![Licence::of(expression)];
    }
    let classifiers = headers.iter().filter(|(name, _)| name == "Classifier");
    let named: BTreeSet<Licence> = classifiers
        .filter_map(|(_, value)| value.strip_prefix("License :: "))
        .map(|value| value.rsplit(" :: ").next().unwrap_or(value))
        .filter(|name| *name != "OSI Approved")
        .map(Licence::of)
        .collect();
    if !named.is_empty() {
        return named.into_iter().collect();
    }
    let text = first(headers, "License").filter(|text| {
        !text.is_empty() && !text.contains('\n') && text.len() <= LONGEST_NAME && *text != "UNKNOWN"
    });
    text.map(Licence::of).into_iter().collect()
}

/// The short names of a copyright file in Debian's machine-readable format 1.0; a file in another
/// form says nothing that a program may read.
fn of_copyright(text: &str) -> Vec<Licence> {
    let is_machine_readable = text
        .lines()
        .next()
        .is_some_and(|line| line.starts_with("Format:") && line.contains("copyright-format/1.0"));
    if !is_machine_readable {
        return Vec::new();
    }
    let names = text.lines().filter_map(|line| line.strip_prefix("License:"));
    let names: BTreeSet<Licence> = names
        .map(str::trim)
        .filter(|name| !name.is_empty() && name.len() <= LONGEST_NAME)
        .map(Licence::of)
        .collect();
    names.into_iter().collect()
}

/// The headers of core metadata, up to the first empty line.
fn headers(text: &str) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::new();
    for line in text.lines().take_while(|line| !line.is_empty()) {
        if line.starts_with([' ', '\t', '|']) {
            if let Some((_, value)) = headers.last_mut() {
                value.push('\n');
                value.push_str(line.trim());
            }
        } else if let Some((name, value)) = line.split_once(':') {
            headers.push((name.to_owned(), value.trim().to_owned()));
        }
    }
    headers
}

fn first<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.map(|entry| entry.path()).collect()
}

const LONGEST_NAME: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    fn licences(text: &str) -> Vec<Licence> {
        of_metadata(&headers(text))
    }

    #[test]
    fn the_expression_stands_above_classifiers_and_those_above_free_text() {
        assert_eq!(
            licences("Name: a\nLicense-Expression: MIT OR Apache-2.0\nLicense: x\n"),
            vec![Licence::Expression("MIT OR Apache-2.0".to_owned())]
        );
        assert_eq!(
            licences("License: long\n text\nClassifier: License :: OSI Approved :: MIT License\n"),
            vec![Licence::Named("MIT License".to_owned())]
        );
        let named = vec![Licence::Named("BSD".to_owned())];
        assert_eq!(licences("License: BSD\n\nLicense: body\n"), named);
        assert_eq!(licences("License: MIT\n"), [Licence::Id("MIT".to_owned())]);
        assert!(licences("License: Copyright\n        of somebody\n").is_empty());
    }

    #[test]
    fn a_copyright_file_in_no_fixed_form_says_nothing() {
        let format = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n";
        let text =
            format!("{format}\nFiles: *\nLicense: Expat\n text\n\nFiles: x\nLicense: Expat\n");
        assert_eq!(of_copyright(&text), [Licence::Named("Expat".to_owned())]);
        assert!(of_copyright("This is free software.\nLicense: MIT\n").is_empty());
    }
}
