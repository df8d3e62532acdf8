//! Scripts that can be started by their names: files with a `#!` line, and on Windows, which knows
//! no such line, a launcher with the script beside it.

use rocmenv_manifests::platform::OsFamily;
use rocmenv_shims::launcher::script_name;

use super::install::written;
use super::{EntryPoint, EntryPoints, FileSource, InstalledFile, Scheme, WheelError, launcher};
use crate::unpack::windows_can_hold;

/// The scripts of entry points.
pub(super) fn launchers(
    points: &EntryPoints,
    scheme: &Scheme,
    python: &str,
) -> Result<Vec<InstalledFile>, WheelError> {
    let mut files = Vec::new();
    for (group, has_console) in [(&points.console, true), (&points.gui, false)] {
        for point in group {
            files.extend(of_entry_point(point, scheme, python, has_console)?);
        }
    }
    Ok(files)
}

/// The script of one entry point.
pub(crate) fn of_entry_point(
    point: &EntryPoint,
    scheme: &Scheme,
    python: &str,
    has_console: bool,
) -> Result<Vec<InstalledFile>, WheelError> {
    startable(scheme, &point.name, launcher(point, python).into_bytes(), has_console)
}

/// A Python script under a name by which it can be started.
pub(super) fn startable(
    scheme: &Scheme,
    name: &str,
    script: Vec<u8>,
    has_console: bool,
) -> Result<Vec<InstalledFile>, WheelError> {
    let path = format!("{}/{name}", scheme.scripts);
    if scheme.system == OsFamily::Linux {
        return Ok(vec![InstalledFile { executable: true, ..written(path, script) }]);
    }
    if !windows_can_hold(name) {
        return Err(WheelError::WindowsName(name.to_owned()));
    }
    let name = name.strip_suffix(".py").unwrap_or(name);
    let path = format!("{}/{name}", scheme.scripts);
    let script = written(format!("{}/{}", scheme.scripts, script_name(name, has_console)), script);
    let start = match &scheme.launcher {
        Some(launcher) => InstalledFile {
            path: format!("{path}.exe"),
            source: FileSource::Stored(launcher.path.clone()),
            sha256: launcher.sha256,
            size: launcher.size,
            executable: true,
        },
        None => written(format!("{path}.cmd"), COMMAND_FILE),
    };
    Ok(vec![script, start])
}

const COMMAND_FILE: &str = "@\"%~dp0python.exe\" \"%~dp0\\%~n0-script.py\" %*\r\n";

#[cfg(test)]
mod tests {
    use rocmenv_manifests::digest::Sha256;

    use super::*;
    use crate::wheel::Launcher;

    fn paths(name: &str, gui: bool, scheme: &Scheme) -> Result<Vec<String>, String> {
        let group = if gui { "gui_scripts" } else { "console_scripts" };
        let points = EntryPoints::parse(&format!("[{group}]\n{name} = a:b\n")).unwrap();
        let files = launchers(&points, scheme, r"C:\p\env\Scripts\python.exe");
        files
            .map(|files| files.into_iter().map(|file| file.path).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn on_windows_a_launcher_stands_beside_each_script() {
        let bare = Scheme::of_venv(OsFamily::Windows, 3, 12);
        let launcher = Launcher { path: "x".into(), sha256: Sha256::of(b""), size: 0 };
        let scheme = Scheme { launcher: Some(launcher), ..bare.clone() };
        let both = ["Scripts/f2py-script.py".to_owned(), "Scripts/f2py.exe".to_owned()];
        assert_eq!(paths("f2py", false, &scheme), Ok(both.to_vec()));
        let windowed = ["Scripts/idle-script.pyw".to_owned(), "Scripts/idle.exe".to_owned()];
        assert_eq!(paths("idle", true, &scheme), Ok(windowed.to_vec()));
        let command = ["Scripts/f2py-script.py".to_owned(), "Scripts/f2py.cmd".to_owned()];
        assert_eq!(paths("f2py", false, &bare), Ok(command.to_vec()));
        let linux = Scheme::of_venv(OsFamily::Linux, 3, 12);
        assert_eq!(paths("f2py", false, &linux), Ok(vec!["bin/f2py".to_owned()]));
    }

    #[test]
    fn names_of_devices_are_no_scripts_on_windows() {
        let scheme = Scheme::of_venv(OsFamily::Windows, 3, 12);
        let refused = "its script `aux` has a name that Windows cannot hold".to_owned();
        assert_eq!(paths("aux", false, &scheme), Err(refused));
        let linux = Scheme::of_venv(OsFamily::Linux, 3, 12);
        assert_eq!(paths("aux", false, &linux), Ok(vec!["bin/aux".to_owned()]));
    }
}
