//! Launchers: on Windows a script cannot be started by its name, so this program stands under the
//! name of each entry point, `NAME.exe`, with the script beside it: `NAME-script.py`, or
//! `NAME-script.pyw` for a program without a console. It starts the `python.exe` (`pythonw.exe`)
//! of the same folder with it.
//!
//! The names of the scripts are those that setuptools has used for its launchers.

use std::path::{Path, PathBuf};

/// A script to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// Its file.
    pub path: PathBuf,
    /// The interpreter for it.
    pub interpreter: PathBuf,
}

/// The script that belongs to the program file `program`, if it is a launcher. Elsewhere than on
/// Windows scripts start by themselves, and nothing is looked for.
pub fn script_beside(program: &Path) -> Option<Script> {
    if cfg!(windows) { find(program, &|path| path.is_file()) } else { None }
}

/// The file name of the script of an entry point.
pub fn script_name(entry_point: &str, has_console: bool) -> String {
    let [(console, _), (windowed, _)] = KINDS;
    format!("{entry_point}{}", if has_console { console } else { windowed })
}

fn find(program: &Path, is_file: &dyn Fn(&Path) -> bool) -> Option<Script> {
    let stem = program.file_stem()?.to_str()?;
    KINDS.iter().find_map(|(ending, interpreter)| {
        let path = program.with_file_name(format!("{stem}{ending}"));
        is_file(&path).then(|| Script { path, interpreter: program.with_file_name(interpreter) })
    })
}

/// Endings of scripts and the interpreters for them.
const KINDS: [(&str, &str); 2] = [("-script.py", "python.exe"), ("-script.pyw", "pythonw.exe")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_is_known_by_the_script_beside_it() {
        let there = Path::new("env/Scripts/f2py-script.py");
        let script = find(Path::new("env/Scripts/f2py.exe"), &|path| path == there).unwrap();
        assert_eq!(script.path, there);
        assert_eq!(script.interpreter, Path::new("env/Scripts/python.exe"));
        assert_eq!(find(Path::new("env/Scripts/hipcc.exe"), &|path| path == there), None);
        assert_eq!(script_name("gui", false), "gui-script.pyw");
    }
}
