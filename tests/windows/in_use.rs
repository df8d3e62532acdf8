//! Files that somebody has open.

use std::io::{BufRead as _, BufReader};
use std::process::Child;

use super::Desk;

#[test]
fn a_generation_in_use_stays_whole_and_goes_later() {
    let Some(desk) = Desk::new("a_generation_in_use_stays_whole_and_goes_later") else { return };
    desk.ask("words = \"==1.0\"");
    desk.wine.must("sync");
    let file = desk.generation(1, "env/Lib/site-packages/words/weights.bin");
    let holder = hold(&desk, &file);
    for version in ["1.1", "1.0", "1.1"] {
        desk.ask(&format!("words = \"=={version}\""));
        desk.wine.must("sync");
    }
    let output = desk.wine.must("gc --keep 1");
    assert!(output.stderr.contains("is in use"), "{}", output.snapshot());
    // Windows would have refused to touch the generation; Wine gives its folder another name, and
    // refuses what Windows refuses then: to remove the file.
    let aside = desk.wine.project(".rocmenv/host/generations/1.removed");
    let aside = aside.join("env/Lib/site-packages/words/weights.bin");
    assert!(file.exists() || aside.exists(), "what is in use stays: {}", output.snapshot());
    assert!(!desk.generation(2, "").exists(), "the others go");
    end(holder);
    desk.ask("words = \"==1.0\"");
    desk.wine.must("sync");
    assert!(!file.exists() && !aside.exists(), "the next change of the environment removes it");
    let left: Vec<_> = fs_err::read_dir(desk.wine.project(".rocmenv/host/generations"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().contains("removed"))
        .collect();
    assert_eq!(left.len(), 0, "{left:?}");
}

#[test]
fn a_file_that_is_open_for_a_moment_is_waited_for() {
    let Some(desk) = Desk::new("a_file_that_is_open_for_a_moment_is_waited_for") else { return };
    for version in ["1.0", "1.1"] {
        desk.ask(&format!("words = \"=={version}\""));
        desk.wine.must("sync");
    }
    let current = desk.wine.project(".rocmenv/host/current");
    let holder = hold(&desk, &current);
    let waiting = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(600));
        end(holder);
    });
    desk.wine.must("rollback");
    waiting.join().unwrap();
    assert_eq!(desk.words(), "1.0");
    // One that stays open is told, and nothing has changed.
    let holder = hold(&desk, &current);
    let output = desk.wine.rocmenv("rollback 2").run();
    assert_eq!(output.code, 1, "{}", output.snapshot());
    end(holder);
    assert_eq!(desk.words(), "1.0");
}

/// A program that has the file open, once it really has.
fn hold(desk: &Desk, file: &std::path::Path) -> Child {
    let file = rocmenv_tests::windows_path(file);
    let mut child = desk.wine.spawn("python/python.exe", &["-c", &format!("hold('{file}')")]);
    let output = child.stdout.take().expect("its output is piped");
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).unwrap();
    assert_eq!(line.trim(), "holding");
    child
}

/// Lets it end by itself: a killed program leaves Wine's server in a state of its own.
fn end(mut holder: Child) {
    drop(holder.stdin.take());
    holder.wait().unwrap();
}
