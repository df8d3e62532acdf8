//! Stands for PowerShell where the programs for Windows are run on another system.
//!
//! Beside it lie `starts`, which gets a line for each time that it was started, and `answer.json`,
//! which it writes; without an answer it hangs, as PowerShell does over a broken WMI.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a small program of its own, which speaks as PowerShell does"
)]

use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;
use std::{env, fs, thread};

fn main() -> io::Result<()> {
    let program = env::current_exe()?;
    let folder = program.parent().unwrap_or(Path::new(""));
    let mut starts =
        fs::OpenOptions::new().create(true).append(true).open(folder.join("starts"))?;
    writeln!(starts, "started")?;
    drop(starts);
    match fs::read_to_string(folder.join("answer.json")) {
        Ok(answer) => println!("{answer}"),
        // Longer than anybody waits, and not for ever where nobody ends it.
        Err(_) => thread::sleep(Duration::from_mins(2)),
    }
    Ok(())
}
