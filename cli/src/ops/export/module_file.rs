//! A module file: what activation does to the variables, for Environment Modules (Tcl) and Lmod
//! (Lua), which undo it themselves.

use std::fmt::Write as _;

use rocmenv_manifests::generation::Generation;
use rocmenv_shims::activation::{Activation, Change};
use rocmenv_store::layout::GenerationLayout;

use super::ExportError;
use super::subject::Subject;
use crate::error::Error;
use crate::ops::files;

/// The language of a module file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Environment Modules and Lmod.
    Tcl,
    /// Lmod alone.
    Lua,
}

/// The text.
pub(super) fn text(
    subject: &Subject,
    generation: &Generation,
    layout: &GenerationLayout,
    language: Language,
) -> Result<String, Error> {
    let activation =
        Activation::parse(&files::read(&layout.activation())?).map_err(ExportError::Activation)?;
    let what = format!("{} ({})", subject.project.name, subject.title());
    let head = format!(
        "Written by `rocmenv export module` from generation {} of {}.",
        generation.number, subject.project.name
    );
    Ok(match language {
        Language::Tcl => tcl(&activation, &head, &what),
        Language::Lua => lua(&activation, &head, &what),
    })
}

fn tcl(activation: &Activation, head: &str, what: &str) -> String {
    let mut text = format!("#%Module1.0\n# {head}\n");
    let _ = writeln!(text, "module-whatis {}", tcl_quoted(what));
    for change in &activation.changes {
        let _ = match change {
            Change::Set(name, value) => writeln!(text, "setenv {name} {}", tcl_quoted(value)),
            Change::Prepend(name, value) => {
                writeln!(text, "prepend-path {name} {}", tcl_quoted(value))
            }
            Change::Unset(name) => writeln!(text, "unsetenv {name}"),
        };
    }
    text
}

fn lua(activation: &Activation, head: &str, what: &str) -> String {
    let mut text = format!("-- {head}\n");
    let _ = writeln!(text, "whatis({})", lua_quoted(what));
    for change in &activation.changes {
        let _ = match change {
            Change::Set(name, value) => writeln!(text, "setenv(\"{name}\", {})", lua_quoted(value)),
            Change::Prepend(name, value) => {
                writeln!(text, "prepend_path(\"{name}\", {})", lua_quoted(value))
            }
            Change::Unset(name) => writeln!(text, "unsetenv(\"{name}\")"),
        };
    }
    text
}

/// A word in double quotes in which nothing is substituted (Tcl(n), rules 4, 7 to 9).
fn tcl_quoted(value: &str) -> String {
    let mut quoted = String::from("\"");
    for character in value.chars() {
        match character {
            '\n' => quoted.push_str("\\n"),
            '"' | '\\' | '$' | '[' | ']' | '{' | '}' => {
                quoted.push('\\');
                quoted.push(character);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// A short literal string (Lua 5.1 manual, 2.1).
fn lua_quoted(value: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_substituted() {
        assert_eq!(tcl_quoted("/a $b [c] \"d\" {e}"), r#""/a \$b \[c\] \"d\" \{e\}""#);
        assert_eq!(lua_quoted("a\\b \"c\""), r#""a\\b \"c\"""#);
    }
}
