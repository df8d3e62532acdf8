//! Watched variables in any of their forms: `NAME=value`, `export NAME=value`, `set NAME=value`,
//! `-e NAME=value`, also several before a command.

use crate::diagnose::facts::Facts;
use crate::host::facts::{EnvironmentVariable, role_of};

pub(super) fn parse(text: &str, found: &mut Facts) {
    for line in text.lines() {
        // an advice or an echo of a program is no setting
        if line.contains("may be needed") || line.trim_start().starts_with('#') {
            continue;
        }
        let words = line.split_whitespace();
        for word in words {
            let Some((name, value)) = word.split_once('=') else { continue };
            let name = name.trim_start_matches(['"', '\'', '`', '(']);
            let Some(role) = role_of(name) else { continue };
            let value = value.trim_matches(['"', '\'', '`', ')', ';', ',']);
            if value.contains(['<', '$']) {
                continue;
            }
            let variable =
                EnvironmentVariable { name: name.to_owned(), value: value.to_owned(), role };
            let known = found.host.environment.iter().any(|one| one.name == variable.name);
            if !known {
                found.host.environment.push(variable);
            }
        }
    }
}
