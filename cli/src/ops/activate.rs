//! `activate`: the activation file of the environment as text that a shell evaluates, with a
//! `rocmenv_deactivate` that puts every variable back.

mod cmd;

use std::fmt::Write as _;

use rocmenv_shims::activation::{Activation, Change};

/// The shells whose language is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// bash, zsh and other shells of their family.
    Posix,
    /// fish.
    Fish,
    /// PowerShell.
    PowerShell,
    /// The command prompt of Windows, as a batch file.
    Cmd,
}

/// The text that activates an environment.
pub fn script(activation: &Activation, dialect: Dialect) -> String {
    let names = names(activation);
    match dialect {
        Dialect::Posix => posix(activation, &names),
        Dialect::Fish => fish(activation, &names),
        Dialect::PowerShell => powershell(activation),
        Dialect::Cmd => cmd::script(activation, &names),
    }
}

fn posix(activation: &Activation, names: &[&str]) -> String {
    let mut text = String::from(
        "if command -v rocmenv_deactivate >/dev/null 2>&1; then rocmenv_deactivate; fi\n",
    );
    for name in names {
        let _ =
            writeln!(text, "if [ -n \"${{{name}+x}}\" ]; then _ROCMENV_OLD_{name}=\"${name}\"; fi");
    }
    for change in &activation.changes {
        let _ = match change {
            Change::Set(name, value) => writeln!(text, "export {name}={}", posix_quoted(value)),
            Change::Prepend(name, value) => {
                writeln!(text, "export {name}={}\"${{{name}:+:${name}}}\"", posix_quoted(value))
            }
            Change::Unset(name) => writeln!(text, "unset {name}"),
        };
    }
    text.push_str("rocmenv_deactivate() {\n");
    for name in names {
        let _ = writeln!(
            text,
            "  if [ -n \"${{_ROCMENV_OLD_{name}+x}}\" ]; then \
             export {name}=\"$_ROCMENV_OLD_{name}\"; unset _ROCMENV_OLD_{name}; \
             else unset {name}; fi"
        );
    }
    text.push_str("  hash -r 2>/dev/null\n  unset -f rocmenv_deactivate\n}\nhash -r 2>/dev/null\n");
    text
}

fn fish(activation: &Activation, names: &[&str]) -> String {
    let mut text = String::from("functions -q rocmenv_deactivate; and rocmenv_deactivate\n");
    for name in names {
        let _ = writeln!(text, "set -q {name}; and set -g _ROCMENV_OLD_{name} ${name}");
    }
    for change in &activation.changes {
        let _ = match change {
            Change::Set(name, value) => writeln!(text, "set -gx {name} {}", fish_quoted(value)),
            // fish keeps PATH as a list and every other variable as it is.
            Change::Prepend(name, value) if name == "PATH" => {
                writeln!(text, "set -gx PATH {} $PATH", fish_quoted(value))
            }
            Change::Prepend(name, value) => writeln!(
                text,
                "if set -q {name}; set -gx {name} {value}:\"${name}\"; \
                 else; set -gx {name} {value}; end",
                value = fish_quoted(value)
            ),
            Change::Unset(name) => writeln!(text, "set -e {name}"),
        };
    }
    text.push_str("function rocmenv_deactivate\n");
    for name in names {
        let _ = writeln!(
            text,
            "  if set -q _ROCMENV_OLD_{name}; set -gx {name} $_ROCMENV_OLD_{name}; \
             set -e _ROCMENV_OLD_{name}; else; set -e {name}; end"
        );
    }
    text.push_str("  functions -e rocmenv_deactivate\nend\n");
    text
}

fn powershell(activation: &Activation) -> String {
    let mut text = String::from(
        "if (Test-Path Function:\\rocmenv_deactivate) { rocmenv_deactivate }\n\
         $global:_rocmenv_old = @{}\n",
    );
    for name in names(activation) {
        let _ = writeln!(text, "$global:_rocmenv_old['{name}'] = $env:{name}");
    }
    for change in &activation.changes {
        let _ = match change {
            Change::Set(name, value) => writeln!(text, "$env:{name} = {}", ps_quoted(value)),
            Change::Prepend(name, value) => writeln!(
                text,
                "$env:{name} = if ($env:{name}) {{ {value} + [IO.Path]::PathSeparator + $env:{name} }} \
                 else {{ {value} }}",
                value = ps_quoted(value)
            ),
            Change::Unset(name) => {
                writeln!(text, "Remove-Item Env:{name} -ErrorAction SilentlyContinue")
            }
        };
    }
    text.push_str(
        "function global:rocmenv_deactivate {\n\
         \x20 foreach ($name in $global:_rocmenv_old.Keys) {\n\
         \x20   [Environment]::SetEnvironmentVariable($name, $global:_rocmenv_old[$name])\n\
         \x20 }\n\
         \x20 Remove-Item Function:\\rocmenv_deactivate\n\
         }\n",
    );
    text
}

/// The variables that change, each once, in their order.
fn names(activation: &Activation) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for change in &activation.changes {
        let (Change::Set(name, _) | Change::Prepend(name, _) | Change::Unset(name)) = change;
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

fn posix_quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', r"'\''"))
}

fn fish_quoted(value: &str) -> String {
    format!("'{}'", value.replace('\\', r"\\").replace('\'', r"\'"))
}

fn ps_quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_can_be_put_back() {
        let activation = Activation {
            root: "/p/.rocmenv/host/generations/1".into(),
            changes: vec![
                Change::Set("ROCM_PATH".into(), "/p/it's".into()),
                Change::Prepend("PATH".into(), "/p/bin".into()),
                Change::Unset("PYTHONHOME".into()),
            ],
        };
        insta::assert_snapshot!(script(&activation, Dialect::Posix), @r#"
        if command -v rocmenv_deactivate >/dev/null 2>&1; then rocmenv_deactivate; fi
        if [ -n "${ROCM_PATH+x}" ]; then _ROCMENV_OLD_ROCM_PATH="$ROCM_PATH"; fi
        if [ -n "${PATH+x}" ]; then _ROCMENV_OLD_PATH="$PATH"; fi
        if [ -n "${PYTHONHOME+x}" ]; then _ROCMENV_OLD_PYTHONHOME="$PYTHONHOME"; fi
        export ROCM_PATH='/p/it'\''s'
        export PATH='/p/bin'"${PATH:+:$PATH}"
        unset PYTHONHOME
        rocmenv_deactivate() {
          if [ -n "${_ROCMENV_OLD_ROCM_PATH+x}" ]; then export ROCM_PATH="$_ROCMENV_OLD_ROCM_PATH"; unset _ROCMENV_OLD_ROCM_PATH; else unset ROCM_PATH; fi
          if [ -n "${_ROCMENV_OLD_PATH+x}" ]; then export PATH="$_ROCMENV_OLD_PATH"; unset _ROCMENV_OLD_PATH; else unset PATH; fi
          if [ -n "${_ROCMENV_OLD_PYTHONHOME+x}" ]; then export PYTHONHOME="$_ROCMENV_OLD_PYTHONHOME"; unset _ROCMENV_OLD_PYTHONHOME; else unset PYTHONHOME; fi
          hash -r 2>/dev/null
          unset -f rocmenv_deactivate
        }
        hash -r 2>/dev/null
        "#);
    }
}
