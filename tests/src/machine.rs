//! The one program of the machine that tests really run: its Python.

use std::path::PathBuf;
use std::process::Command;

/// The interpreter that the machine's own `python3` is, and its series (`3.11`).
pub fn machine_python() -> (PathBuf, String) {
    let question = "import sys; print(sys.executable); print('%d.%d' % sys.version_info[:2])";
    let output = Command::new("/usr/bin/python3").args(["-E", "-S", "-c", question]).output();
    let output = output.expect("these tests need /usr/bin/python3");
    let text = String::from_utf8(output.stdout).expect("Python prints UTF-8");
    let (program, series) = text.trim().split_once('\n').expect("Python prints two lines");
    (PathBuf::from(program), series.to_owned())
}
