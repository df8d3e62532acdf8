//! Every command that the documents show is one that the program takes.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::command;

#[test]
fn commands_in_documents_are_read_as_they_are_shown() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for name in DOCUMENTS {
        let text = fs_err::read_to_string(folder.join(name)).expect("the document");
        for shown in shown(&text) {
            seen += 1;
            if let Err(why) = read(&shown) {
                wrong.push(format!("{name}: `{shown}`: {why}"));
            }
        }
    }
    assert!(seen > 100, "only {seen} commands were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_command_that_is_none_is_noticed() {
    for wrong in ["rocmenv instal", "rocmenv lock --upgrad", "rocmenv lock --fix many"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    let text = "a `rocmenv nonsense` and\n```sh\n$ rocmenv lock | cat # more\nls rocmenv\n```\n";
    assert_eq!(shown(text), ["rocmenv nonsense", "rocmenv lock"]);
}

/// What stands between backticks or on lines of code and begins with the program's name.
fn shown(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut prose = String::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if in_code {
            found.extend(command_of(line.trim_start().trim_start_matches("$ ")));
        } else {
            prose.push_str(line);
            prose.push(' ');
        }
    }
    let spans: Vec<String> = prose.split('`').skip(1).step_by(2).filter_map(command_of).collect();
    spans.into_iter().chain(found).collect()
}

/// The command itself, without comment, pipe and what follows it.
fn command_of(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.starts_with("rocmenv ").then_some(())?;
    let end = [" # ", " | ", " && ", " > ", "; "].iter().filter_map(|mark| text.find(mark)).min();
    Some(text[..end.unwrap_or(text.len())].trim_end_matches([',', '.']).to_owned())
}

/// Reads a command as the program would; one that only lacks what the prose goes on to say is
/// none that is wrong.
fn read(shown: &str) -> Result<(), String> {
    let words = words(shown);
    match command().try_get_matches_from(words) {
        Ok(_) => Ok(()),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::MissingRequiredArgument
            | ErrorKind::MissingSubcommand
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Ok(()),
            ErrorKind::InvalidValue if has_no_value(&error) => Ok(()),
            _ => Err(error.to_string().lines().next().unwrap_or_default().to_owned()),
        },
    }
}

/// Whether an option stands there without its value, as prose names it.
fn has_no_value(error: &clap::Error) -> bool {
    matches!(error.get(ContextKind::InvalidValue), Some(ContextValue::String(value)) if value.is_empty())
}

/// Words as a shell parts them, with an example in the place of a placeholder.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().expect("there is one").push(letter),
        }
    }
    let example = |word: String| match word.as_str() {
        "N" => "1".to_owned(),
        "NAME" => "name".to_owned(),
        "FORMAT" => "requirements".to_owned(),
        "STAGE" => "files".to_owned(),
        _ => word,
    };
    words.into_iter().filter(|word| word != "..." && word != "…").map(example).collect()
}

const DOCUMENTS: [&str; 13] = [
    "README.md",
    "README.zh-CN.md",
    "CONTRIBUTING.md",
    "docs/windows.md",
    "docs/old-guides.md",
    "docs/windows-checks.md",
    "docs/moving.md",
    "docs/ci.md",
    "docs/sharing.md",
    "docs/verify.md",
    "docs/capture.md",
    "docs/measuring.md",
    "docs/proof.md",
];
