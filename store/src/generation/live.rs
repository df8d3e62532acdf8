//! Which generations live processes use.
//!
//! Linux only: a process uses a generation if its path stands in the process's environment
//! (activated shells, everything that a shim started), its command line, or the files that it
//! has mapped. Processes of other users that cannot be looked into are not known. Elsewhere
//! nothing is known, and open files cannot be removed there anyway.

use std::path::Path;

use fs_err as fs;

use super::read::numbers;
use crate::fs::canonical;
use crate::layout::EnvLayout;

/// The generations of an environment that some process uses; `proc` is where the process file
/// system is mounted. What cannot be read counts as not used.
pub fn generations_in_use(env: &EnvLayout, proc: &Path) -> Vec<u32> {
    if cfg!(windows) {
        return Vec::new();
    }
    let Ok(root) = canonical(&env.generations()) else { return Vec::new() };
    let mut waiting = numbers(env).unwrap_or_default();
    let mut found = Vec::new();
    let Ok(processes) = fs::read_dir(proc) else { return found };
    for process in processes.filter_map(Result::ok) {
        if waiting.is_empty() {
            break;
        }
        let name = process.file_name();
        if !name.as_encoded_bytes().iter().all(u8::is_ascii_digit) {
            continue;
        }
        let texts = ["environ", "cmdline", "maps"]
            .map(|file| fs::read(process.path().join(file)).unwrap_or_default());
        waiting.retain(|number| {
            let place = root.join(number.to_string());
            let place = place.as_os_str().as_encoded_bytes();
            let used = texts.iter().any(|text| mentions(text, place));
            if used {
                found.push(*number);
            }
            !used
        });
    }
    found.sort_unstable();
    found
}

/// Whether `path` stands in `text` as a whole path or with something below it (generation 1 is
/// not generation 12).
fn mentions(text: &[u8], path: &[u8]) -> bool {
    let mut rest = text;
    while rest.len() >= path.len() {
        let Some(at) = rest.windows(path.len()).position(|window| window == path) else {
            return false;
        };
        rest = &rest[at + path.len()..];
        if rest.first().is_none_or(|next| !next.is_ascii_digit()) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_not_taken_for_each_other() {
        assert!(mentions(b"A=1\0VIRTUAL_ENV=/p/generations/1/env\0", b"/p/generations/1"));
        assert!(!mentions(b"VIRTUAL_ENV=/p/generations/12/env", b"/p/generations/1"));
        assert!(mentions(b"/p/generations/12:/p/generations/1", b"/p/generations/1"));
    }
}
