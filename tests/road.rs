//! The whole road, driven from outside: lock, sync, run, against served worlds.

#![cfg(unix)] // also what is run for Windows is driven from here

#[path = "road/amd_apt.rs"]
mod amd_apt;
#[path = "road/answers.rs"]
mod answers;
#[path = "road/archives.rs"]
mod archives;
#[path = "road/bisecting.rs"]
mod bisecting;
#[path = "road/channels.rs"]
mod channels;
#[path = "road/costs.rs"]
mod costs;
#[path = "road/damage.rs"]
mod damage;
#[path = "road/disk.rs"]
mod disk;
#[path = "road/environments.rs"]
mod environments;
#[path = "road/exporting.rs"]
mod exporting;
#[path = "road/first.rs"]
mod first;
#[path = "road/importing.rs"]
mod importing;
#[path = "road/keeping.rs"]
mod keeping;
#[path = "road/materials.rs"]
mod materials;
#[path = "road/mending.rs"]
mod mending;
#[path = "road/moving.rs"]
mod moving;
#[path = "road/offline.rs"]
mod offline;
#[path = "road/on_windows.rs"]
mod on_windows;
#[path = "road/other_pythons.rs"]
mod other_pythons;
#[path = "road/own_wheels.rs"]
mod own_wheels;
#[path = "road/proving.rs"]
mod proving;
#[path = "road/proving_wheels.rs"]
mod proving_wheels;
#[path = "road/recipe.rs"]
mod recipe;
#[path = "road/refused_on_windows.rs"]
mod refused_on_windows;
#[path = "road/runpath.rs"]
mod runpath;
#[path = "road/scenarios.rs"]
mod scenarios;
#[path = "road/settled.rs"]
mod settled;
#[path = "road/sharing.rs"]
mod sharing;
#[path = "road/targets.rs"]
mod targets;
#[path = "road/templates.rs"]
mod templates;
#[path = "road/therock.rs"]
mod therock;
#[path = "road/vouching.rs"]
mod vouching;
#[path = "windows/mod.rs"]
mod windows;

use rocmenv_tests::channels::{Internet, general};
use rocmenv_tests::{Index, IndexServer, Output, Sandbox, WheelBuilder, World};

/// One call of the binary; the words are parted at blanks.
fn rocmenv(sandbox: &Sandbox, words: &str) -> Output {
    sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words.split_whitespace()).run()
}

/// As [`rocmenv`], as one snapshot.
fn snapshot(sandbox: &Sandbox, words: &str) -> String {
    rocmenv(sandbox, words).snapshot()
}

/// A small world of pure packages: `greet` needs `words` and has a program.
fn small() -> Index {
    let greet = WheelBuilder::new("greet", "1.0")
        .requires("words>=1")
        .without_module()
        .file(
            "greet/__init__.py",
            "import words\ndef main():\n    print(words.hello(), words.VERSION)\n",
        )
        .console_script("greet", "greet:main");
    Index::new("main").wheel(words("1.0")).wheel(words("1.1")).wheel(greet)
}

/// A pure package that says its version.
fn words(version: &str) -> WheelBuilder {
    let code = format!("VERSION = '{version}'\ndef hello():\n    return 'hello'\n");
    WheelBuilder::new("words", version).without_module().file("words/__init__.py", code)
}

/// A server of `index`, and a sandbox that takes it as the general index. Versions and paths of
/// the machine's own interpreter are left out of snapshots.
fn served(index: Index) -> (IndexServer, Sandbox) {
    let server = IndexServer::start(World::new().index(index));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    hide_python(&mut sandbox);
    (server, sandbox)
}

/// The small world, and a project that asks for `greet` after one call that must succeed.
fn greeting_after(words: &str) -> (IndexServer, Sandbox) {
    let (server, sandbox) = served(small());
    sandbox.write("rocm.toml", GREETING);
    let output = rocmenv(&sandbox, words);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    (server, sandbox)
}

/// A sandbox in front of every address of a world. What this machine lacks of a described target
/// is left out of snapshots, as are the versions and paths of its Python.
fn connected(world: World) -> (Internet, Sandbox) {
    let internet = Internet::start(world);
    let mut sandbox = Sandbox::new();
    sandbox.internet(&internet).filter("warning: fit: .*\n", "");
    hide_python(&mut sandbox);
    (internet, sandbox)
}

/// A world of nothing but the general index.
fn bare() -> World {
    World::new().index(general())
}

/// A target with these GPUs that this machine is not.
fn node(gpus: &str) -> String {
    format!("[targets.node]\nos = \"ubuntu-24.04\"\ngpus = [{gpus}]\ndriver = \"31.50.0\"\n")
}

fn hide_python(sandbox: &mut Sandbox) {
    sandbox.filter(r"Python 3\.\d+(\.\d+)?( \((host|managed|distribution)\))?", "Python [3]");
}

/// A project that asks for `greet` on whatever Python is here.
const GREETING: &str = "[project]\nname = \"greeting\"\n\n[python-packages]\ngreet = \"*\"\n";

/// What one run fetched counts as fresh for that run, which is told by its second.
fn pass_a_second() {
    std::thread::sleep(std::time::Duration::from_millis(1_100));
}
