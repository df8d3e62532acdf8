//! The interpreter that an environment is built on: which one fits, what is run for it, and what is
//! said of the others.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rocmenv_resolver::host::LiveSysroot;
use rocmenv_resolver::host::interpreters::{
    FoundInterpreter, InterpreterMemory, InterpreterWish, NoInterpreter, NoMemory, find_interpreter,
};
use rocmenv_resolver::host::sysroot::Stamp;

use crate::support::Machine;

#[test]
fn the_search_path_counts_and_pyenv_takes_the_place_of_its_shims() {
    let machine = Machine::named("rx7900xtx-with-igpu");
    insta::assert_snapshot!(shown(find(&machine, "3.12")), @"/usr/bin/python3.12 is 3.12.3 (Distribution)");
    insta::assert_snapshot!(
        shown(find(&machine, "3.10")),
        @"/home/me/.pyenv/versions/3.10.13/bin/python3.10 is 3.10.13 (Pyenv)"
    );
}

#[test]
fn what_does_not_fit_is_said_with_the_reason() {
    let machine = Machine::named("rx7900xtx-with-igpu");
    insta::assert_snapshot!(shown(find(&machine, "3.13")), @"
    this host has no CPython 3.13
    `/home/me/venv/bin/python` is Python 3.12 by its name
    `/home/me/.pyenv/versions/3.10.13/bin/python3` is Python 3.10 by its name
    `/home/me/.pyenv/versions/3.13.0t/bin/python3.13t` is free-threaded, and the locked wheels are not
    `/home/me/.pyenv/versions/3.9.18/bin/python3.9` is Python 3.9 by its name
    ");
    insta::assert_snapshot!(shown(find(&machine, "3.9")), @"
    this host has no CPython 3.9
    `/home/me/venv/bin/python` is Python 3.12 by its name
    `/home/me/.pyenv/versions/3.10.13/bin/python3` is Python 3.10 by its name
    `/home/me/.pyenv/versions/3.13.0t/bin/python3.13t` is free-threaded, and the locked wheels are not
    `/home/me/.pyenv/versions/3.9.18/bin/python3.9` does not work: the program ended with 127
    ");
}

#[test]
fn an_environment_stands_for_its_base_and_none_is_built_on_one_without() {
    let machine = Machine::empty();
    // copies instead of links, and an environment made by an environment
    machine
        .add("/e/one/bin/python", "ELF")
        .add("/e/one/pyvenv.cfg", "home = /e/two/bin\n")
        .add("/e/two/bin/python3", "ELF")
        .add("/e/two/pyvenv.cfg", "home = /opt/python/bin\n")
        .add("/e/lost/bin/python", "ELF")
        .add("/e/lost/pyvenv.cfg", "home = /gone/bin\n")
        .add("/e/circle/bin/python", "ELF")
        .add("/e/circle/pyvenv.cfg", "home = /e/circle/bin\n")
        .add("/opt/python/bin/python3 -> python3.12", "")
        .add("/opt/python/bin/python3.12", "ELF");
    let mut side = search_path("/e/lost/bin:/e/circle/bin:/e/one/bin");
    answers(&mut side, "/opt/python/bin/python3.12", "3.12.7", "cpython", false);
    machine.add(".rocmenv-capture.toml", &side);
    insta::assert_snapshot!(shown(find(&machine, "3.12")), @"/opt/python/bin/python3.12 is 3.12.7 (Path)");
    insta::assert_snapshot!(shown(find(&machine, "3.11")), @"
    this host has no CPython 3.11
    `/e/lost/bin/python` is of a virtual environment, and `/gone/bin` has no interpreter any more
    `/e/circle/bin/python` is of a virtual environment, and `/e/circle/bin` has no interpreter any more
    `/e/one/bin/python` is Python 3.12 by its name
    ");
}

#[test]
fn what_a_name_does_not_say_is_asked() {
    let machine = Machine::empty();
    for folder in ["a", "b", "c", "d", "e"] {
        machine.add(&format!("/{folder}/bin/python3"), "ELF");
    }
    machine.add("/f/bin/pypy3.15", "ELF").add("/f/bin/python2.7", "ELF");
    let mut side = search_path("/a/bin:/b/bin:/c/bin:/d/bin:/f/bin:/e/bin");
    answers(&mut side, "/a/bin/python3", "3.15.2", "graalpy", false);
    answers(&mut side, "/b/bin/python3", "3.15.0b2", "cpython", false);
    answers(&mut side, "/c/bin/python3", "3.14.1", "cpython", false);
    answers(&mut side, "/d/bin/python3", "3.15.1", "cpython", true);
    answers(&mut side, "/e/bin/python3", "3.15.1", "cpython", false);
    machine.add(".rocmenv-capture.toml", &side);
    insta::assert_snapshot!(shown(find(&machine, "3.15")), @"/e/bin/python3 is 3.15.1 (Path)");
    let wish = InterpreterWish { minimum: "3.15.3".parse().unwrap(), ..wish("3.15") };
    insta::assert_snapshot!(shown(find_interpreter(&machine.root(), &wish, &NoMemory)), @"
    this host has no CPython 3.15
    `/a/bin/python3` is graalpy, not CPython
    `/b/bin/python3` is Python 3.15.0b2, older than 3.15.3
    `/c/bin/python3` is Python 3.14.1
    `/d/bin/python3` is free-threaded, and the locked wheels are not
    `/f/bin/pypy3.15` is pypy3.15, not CPython
    `/f/bin/python2.7` is Python 2.7 by its name
    `/e/bin/python3` is Python 3.15.1, older than 3.15.3
    ");
}

#[test]
fn what_was_asked_once_is_not_run_again_until_its_file_changes() {
    let machine = Machine::empty();
    machine.add("/a/bin/python3", "ELF").add("/b/bin/python3", "ELF");
    let mut side = search_path("/a/bin:/b/bin");
    answers(&mut side, "/a/bin/python3", "3.11.2", "cpython", false);
    answers(&mut side, "/b/bin/python3", "3.12.1", "cpython", false);
    machine.add(".rocmenv-capture.toml", &side);
    let memory = Notebook::default();
    let search = || shown(find_interpreter(&machine.root(), &wish("3.12"), &memory));
    let first = search();
    assert_eq!(first, "/b/bin/python3 is 3.12.1 (Path)");
    assert_eq!(*memory.learned.borrow(), ["/a/bin/python3", "/b/bin/python3"]);
    // whatever is run from now on fails
    machine.add(".rocmenv-capture.toml", &search_path("/a/bin:/b/bin"));
    assert_eq!(search(), first);
    assert_eq!(memory.learned.borrow().len(), 2);
    machine.add("/b/bin/python3", "ELF of another size");
    insta::assert_snapshot!(search(), @"
    this host has no CPython 3.12
    `/a/bin/python3` is Python 3.11.2
    `/b/bin/python3` does not work: entity not found
    ");
    assert_eq!(memory.learned.borrow().len(), 2, "a failure is not remembered");
}

#[test]
fn words_that_were_damaged_are_asked_for_anew() {
    let machine = Machine::named("rx7900xtx-with-igpu");
    let memory = Notebook::default();
    let search = || shown(find_interpreter(&machine.root(), &wish("3.12"), &memory));
    let first = search();
    for words in memory.words.borrow_mut().values_mut() {
        "rocmenv-interpreter 1\n3.".clone_into(words);
    }
    assert_eq!(search(), first);
    assert_eq!(memory.learned.borrow().len(), 2);
}

#[test]
fn an_interpreter_of_this_machine_says_what_it_is() {
    let path = std::env::var("PATH").unwrap_or_default();
    let root = LiveSysroot::new(BTreeMap::from([("PATH".to_owned(), path)]));
    let memory = Notebook::default();
    for minor in 8..20 {
        let series = format!("3.{minor}");
        let Ok(found) = find_interpreter(&root, &wish(&series), &memory) else { continue };
        assert!(found.version.to_string().starts_with(&format!("{series}.")), "{found:?}");
        assert!(!found.path.is_symlink() && found.path.is_file(), "{found:?}");
        let runs = memory.learned.borrow().len();
        assert_eq!(find_interpreter(&root, &wish(&series), &memory), Ok(found));
        assert_eq!(memory.learned.borrow().len(), runs, "the second search runs nothing");
    }
}

/// A memory that says what it learned.
#[derive(Default)]
struct Notebook {
    words: RefCell<BTreeMap<(PathBuf, u64, u64), String>>,
    learned: RefCell<Vec<String>>,
}

impl InterpreterMemory for Notebook {
    fn recall(&self, real: &Path, stamp: Stamp) -> Option<String> {
        let key = (real.to_owned(), stamp.size, stamp.modified);
        self.words.borrow().get(&key).cloned()
    }

    fn remember(&self, real: &Path, stamp: Stamp, words: &str) {
        let key = (real.to_owned(), stamp.size, stamp.modified);
        self.words.borrow_mut().insert(key, words.to_owned());
        self.learned.borrow_mut().push(real.display().to_string());
    }
}

fn find(machine: &Machine, series: &str) -> Result<FoundInterpreter, NoInterpreter> {
    find_interpreter(&machine.root(), &wish(series), &NoMemory)
}

fn wish(series: &str) -> InterpreterWish {
    let minimum = format!("{series}.0").parse().unwrap();
    InterpreterWish { series: series.parse().unwrap(), minimum }
}

fn shown(found: Result<FoundInterpreter, NoInterpreter>) -> String {
    match found {
        Ok(found) => format!("{} is {} ({:?})", found.path.display(), found.version, found.origin),
        Err(none) => none.to_string(),
    }
}

fn search_path(folders: &str) -> String {
    format!("[environment]\nPATH = \"{folders}\"\n")
}

fn answers(side: &mut String, path: &str, version: &str, implementation: &str, threads: bool) {
    let threads = if threads { "True" } else { "False" };
    let words =
        format!("rocmenv-interpreter 1\\n{version}\\n{implementation}\\n{threads}\\n/usr\\n");
    writeln!(side, "[[program]]\npath = \"{path}\"\noutput = \"{words}\"").unwrap();
}
