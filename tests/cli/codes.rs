//! Every code that the program can show has a page, and every page a code.

use std::collections::BTreeSet;
use std::path::Path;

use rocmenv_tests::Sandbox;

use crate::{repository, rocmenv, snapshot};

#[test]
fn every_code_of_the_sources_has_a_page() {
    let mut shown = BTreeSet::new();
    for folder in ["cli/src", "resolver/src", "store/src", "manifests/src"] {
        collect(&repository(folder), &mut shown);
    }
    let pages: BTreeSet<String> = fs_err::read_dir(repository("docs/codes"))
        .expect("the pages are there")
        .map(|entry| entry.expect("a page").path())
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    let missing: Vec<_> = shown.difference(&pages).collect();
    assert!(missing.is_empty(), "codes without a page in docs/codes: {missing:?}");
    let unused: Vec<_> = pages.difference(&shown).collect();
    assert!(unused.is_empty(), "pages of codes that nothing shows: {unused:?}");
}

/// Codes are the literals in functions named `code`.
fn collect(folder: &Path, shown: &mut BTreeSet<String>) {
    for entry in fs_err::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, shown);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs_err::read_to_string(&path).expect("a source file");
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            for (at, _) in text.match_indices("fn code(") {
                shown.extend(literals(body(&text[at..])));
            }
            // Refusals and notes of the solve and faults of doctor carry theirs as data.
            let marked =
                |word: &String| ["R-", "N-", "D-"].iter().any(|mark| word.starts_with(mark));
            shown.extend(literals(text).into_iter().filter(is_code).filter(marked));
        }
    }
}

#[expect(clippy::ptr_arg, reason = "it filters owned words")]
fn is_code(word: &String) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The text up to the line that closes the function.
fn body(text: &str) -> &str {
    let start = text.find('{').unwrap_or(0);
    let mut depth = 0;
    for (at, character) in text[start..].char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..start + at];
        }
    }
    text
}

fn literals(text: &str) -> Vec<String> {
    let parts = text.split('"').skip(1).step_by(2);
    parts.map(str::to_owned).collect()
}

#[test]
fn a_page_is_printed_whole() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "explain project-not-found"), @r#"
        exit: 0
        --- stdout ---
        # No rocm.toml was found

        rocmenv looked for `rocm.toml` in the current folder and in every folder above it, and found none. With `--project DIR` (or `ROCMENV_PROJECT`) it looks in that folder and above it.

        What to do: go into the project's folder, or make one with `rocmenv init`.
        --- stderr ---
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "explain project-not-fond"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error: no code is named `project-not-fond`
        help: rocmenv explain project-not-found
        "#);
}

#[test]
fn the_list_of_codes_is_sorted_and_has_titles() {
    let output = rocmenv(&Sandbox::new(), "explain");
    let codes: Vec<&str> =
        output.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(codes.is_sorted() && codes.contains(&"lock-missing"));
    assert!(output.stdout.lines().all(|line| line.split_whitespace().count() > 2));
}
