//! A batch file for the command prompt. Called, it enters the environment; called with
//! `deactivate`, it leaves it. The prompt has no functions: `rocmenv_deactivate` is a macro that
//! calls the same file again, for as long as the file stays where it is.

use std::fmt::Write as _;

use rocmenv_shims::activation::{Activation, Change};

/// The batch file.
pub(super) fn script(activation: &Activation, names: &[&str]) -> String {
    let mut text = String::from(BEGIN);
    let body = body(activation, names);
    if body.is_ascii() {
        text.push_str(&body);
    } else {
        // A batch file is read in the prompt's code page, and this one is UTF-8.
        text.push_str(CODE_PAGE);
        text.push_str(&body);
        text.push_str(CODE_PAGE_BACK);
    }
    text.push_str(MIDDLE);
    for name in names {
        let _ = write!(
            text,
            "@if defined _ROCMENV_OLD_{name} (set \"{name}=%_ROCMENV_OLD_{name}%\") \
             else set \"{name}=\"\n@set \"_ROCMENV_OLD_{name}=\"\n"
        );
    }
    text.push_str(END);
    // Labels are found reliably in files with the line ends of Windows only.
    text.replace('\n', "\r\n")
}

fn body(activation: &Activation, names: &[&str]) -> String {
    let mut text = String::new();
    for name in names {
        let _ = writeln!(text, "@if defined {name} set \"_ROCMENV_OLD_{name}=%{name}%\"");
    }
    for change in &activation.changes {
        let _ = match change {
            Change::Set(name, value) => writeln!(text, "@set \"{name}={}\"", quoted(value)),
            Change::Prepend(name, value) => writeln!(
                text,
                "@if defined {name} (set \"{name}={value};%{name}%\") else set \"{name}={value}\"",
                value = quoted(value)
            ),
            Change::Unset(name) => writeln!(text, "@set \"{name}=\""),
        };
    }
    text
}

/// Between quotation marks only `%` means something, and no path holds a quotation mark.
fn quoted(value: &str) -> String {
    value.replace('%', "%%").replace('"', "")
}

const BEGIN: &str = "@if /i \"%~1\"==\"deactivate\" goto rocmenv_leave\n\
    @if defined _ROCMENV_ACTIVE call \"%~f0\" deactivate\n\
    @set \"_ROCMENV_ACTIVE=1\"\n";
const CODE_PAGE: &str = "@for /f \"tokens=2 delims=:.\" %%c in ('chcp') do \
    @set \"_ROCMENV_CODE_PAGE=%%c\"\n@chcp 65001 >nul\n";
const CODE_PAGE_BACK: &str = "@chcp %_ROCMENV_CODE_PAGE% >nul\n@set \"_ROCMENV_CODE_PAGE=\"\n";
const MIDDLE: &str = "@doskey rocmenv_deactivate=call \"%~f0\" deactivate >nul 2>nul\n\
    @goto :eof\n:rocmenv_leave\n@if not defined _ROCMENV_ACTIVE goto :eof\n\
    @set \"_ROCMENV_ACTIVE=\"\n";
const END: &str = "@doskey rocmenv_deactivate= >nul 2>nul\n";

#[cfg(test)]
mod tests {
    use super::*;

    fn example(folder: &str) -> Activation {
        let changes = vec![
            Change::Set("ROCM_PATH".into(), format!(r"{folder}\100%")),
            Change::Prepend("PATH".into(), format!(r"{folder}\bin")),
            Change::Unset("PYTHONHOME".into()),
        ];
        Activation { root: folder.into(), changes }
    }

    #[test]
    fn a_batch_file_enters_and_leaves() {
        let text = script(&example(r"C:\p"), &["ROCM_PATH", "PATH", "PYTHONHOME"]);
        insta::assert_snapshot!(text.replace("\r\n", "\n"), @r#"
            @if /i "%~1"=="deactivate" goto rocmenv_leave
            @if defined _ROCMENV_ACTIVE call "%~f0" deactivate
            @set "_ROCMENV_ACTIVE=1"
            @if defined ROCM_PATH set "_ROCMENV_OLD_ROCM_PATH=%ROCM_PATH%"
            @if defined PATH set "_ROCMENV_OLD_PATH=%PATH%"
            @if defined PYTHONHOME set "_ROCMENV_OLD_PYTHONHOME=%PYTHONHOME%"
            @set "ROCM_PATH=C:\p\100%%"
            @if defined PATH (set "PATH=C:\p\bin;%PATH%") else set "PATH=C:\p\bin"
            @set "PYTHONHOME="
            @doskey rocmenv_deactivate=call "%~f0" deactivate >nul 2>nul
            @goto :eof
            :rocmenv_leave
            @if not defined _ROCMENV_ACTIVE goto :eof
            @set "_ROCMENV_ACTIVE="
            @if defined _ROCMENV_OLD_ROCM_PATH (set "ROCM_PATH=%_ROCMENV_OLD_ROCM_PATH%") else set "ROCM_PATH="
            @set "_ROCMENV_OLD_ROCM_PATH="
            @if defined _ROCMENV_OLD_PATH (set "PATH=%_ROCMENV_OLD_PATH%") else set "PATH="
            @set "_ROCMENV_OLD_PATH="
            @if defined _ROCMENV_OLD_PYTHONHOME (set "PYTHONHOME=%_ROCMENV_OLD_PYTHONHOME%") else set "PYTHONHOME="
            @set "_ROCMENV_OLD_PYTHONHOME="
            @doskey rocmenv_deactivate= >nul 2>nul
            "#);
    }

    #[test]
    fn names_beyond_ascii_are_read_as_what_they_are() {
        let text = script(&example(r"C:\проект"), &["PATH"]);
        let lines: Vec<&str> = text.lines().collect();
        let before = lines.iter().position(|line| *line == "@chcp 65001 >nul").unwrap();
        let path = lines.iter().position(|line| line.contains("проект")).unwrap();
        let after = lines.iter().position(|line| line.starts_with("@chcp %")).unwrap();
        assert!(before < path && path < after, "{text}");
    }
}
