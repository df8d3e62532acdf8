//! Libraries and programs of the ROCm prefix find each other without any variable, and the copies
//! that do are kept like all that a store holds.

use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use fs_err as fs;
use insta::assert_snapshot;
use rocmenv_tests::channels::Internet;
use rocmenv_tests::{AptRepository, DebBuilder, Output, Sandbox, Suite};

use super::amd_apt::{PUBLISHED, key};
use super::{bare, connected, rocmenv};

const ROCM: &str = "opt/rocm-7.2.4";

/// AMD's repository with files that a compiler of this machine made: a program that needs a
/// library, which needs another one in another package and folder.
fn amd() -> (Internet, Sandbox) {
    let made = Sandbox::new();
    let cc = |name: &str, code: &str, words: &str| {
        made.write("source.c", code);
        let words = format!("-o {name} source.c -L. {words}");
        let output = made.command("cc").args(words.split_whitespace()).run();
        assert_eq!(output.code, 0, "{}", output.snapshot());
        fs::read(made.project().join(name)).expect("it was made")
    };
    let library = "-shared -fPIC -Wl,--no-as-needed,-soname";
    let low =
        cc("libhsa-runtime64.so.1", "int low() { return 7; }", library_of(library, 1).as_str());
    let high = cc(
        "libamdhip64.so.7",
        "int low(); int high() { return low() * 6; }",
        &format!("{} -l:libhsa-runtime64.so.1", library_of(library, 7)),
    );
    let program = cc(
        "rocminfo",
        "#include <stdio.h>\nint high(); int main() { printf(\"%d\\n\", high()); }",
        "-l:libamdhip64.so.7 -Wl,--allow-shlib-undefined,-rpath,/opt/rocm-7.2.4/lib",
    );
    let at = |path: &str| format!("/{ROCM}/{path}");
    let core = DebBuilder::new("rocm-core", "7.2.4.70204-1")
        .file(&at(".info/version"), "7.2.4\n")
        .file(&at("lib/hsa/libhsa-runtime64.so.1"), low)
        .symlink(&at("lib/libhsa-runtime64.so.1"), "hsa/libhsa-runtime64.so.1");
    let runtime = DebBuilder::new("hip-runtime-amd", "7.2.53211.70204-1")
        .depends("rocm-core (= 7.2.4.70204-1)")
        .file(&at("lib/libamdhip64.so.7.2"), high)
        .symlink(&at("lib/libamdhip64.so.7"), "libamdhip64.so.7.2");
    let info = DebBuilder::new("rocminfo", "1.0.0.70204-1")
        .depends("rocm-core, libc6 (>= 2.34)")
        .executable(&at("bin/rocminfo"), program);
    let meta = DebBuilder::new("rocm-hip-runtime", "7.2.4.70204-1")
        .depends("hip-runtime-amd (= 7.2.53211.70204-1), rocminfo (= 1.0.0.70204-1)");
    let suite = [core, runtime, info, meta]
        .iter()
        .fold(Suite::new("noble").signed_by(&key()), Suite::package);
    let repository = AptRepository::amd_classic("7.2.4").suite(suite);
    let (internet, sandbox) =
        connected(bare().apt(repository).file(PUBLISHED, key().armored().into_bytes()));
    ask(&sandbox, "\"runtime\"");
    (internet, sandbox)
}

fn library_of(words: &str, version: u32) -> String {
    let name = if version == 1 { "libhsa-runtime64" } else { "libamdhip64" };
    format!("{words},{name}.so.{version}")
}

fn ask(sandbox: &Sandbox, components: &str) {
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\nrocm = \"7.2.4\"\n[rocm]\nchannel = \"amd\"\n\
             components = [{components}]\n[targets.node]\nos = \"ubuntu-24.04\"\n\
             gpus = [\"MI300X\"]\ndriver = \"30.30.0\"\n\
             [indexes.\"amd-apt-classic-7.2.4\"]\nfingerprint = \"{}\"\n",
            key().fingerprint()
        ),
    );
}

fn call(sandbox: &Sandbox, words: &str) -> Output {
    let output = rocmenv(sandbox, words);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    output
}

/// A file of the prefix of the project's generation.
fn in_prefix(sandbox: &Sandbox, generation: u32, path: &str) -> PathBuf {
    let prefix = format!(".rocmenv/node/generations/{generation}/rocm/{ROCM}");
    sandbox.project().join(prefix).join(path)
}

/// The copies of the store, by their paths in the prefix, with their places on the disk.
fn copies(sandbox: &Sandbox) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut ahead = vec![sandbox.path("home/data/rocmenv/store/v1/rewritten")];
    while let Some(folder) = ahead.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
            let path = entry.path();
            let text = path.display().to_string();
            match text.split_once("/tree/") {
                _ if path.is_dir() => ahead.push(path),
                Some((_, inside)) => found.push((inside.to_owned(), path)),
                None => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_program_of_the_prefix_runs_without_a_variable_from_copies_that_are_made_once() {
    let (_internet, sandbox) = amd();
    call(&sandbox, "lock");
    call(&sandbox, "sync --target node");
    let program = in_prefix(&sandbox, 1, "bin/rocminfo").display().to_string();
    let run = sandbox.command("env").args(["-i", &program]).run();
    assert_snapshot!(run.snapshot(), @r"
        exit: 0
        --- stdout ---
        42
        --- stderr ---
        ");
    let made = copies(&sandbox);
    let paths: Vec<&str> = made.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["opt/rocm-7.2.4/bin/rocminfo", "opt/rocm-7.2.4/lib/libamdhip64.so.7.2"]);
    let inode = |path: &PathBuf| fs::metadata(path).expect("it is there").ino();
    for (path, copy) in &made {
        let inside = path.strip_prefix("opt/rocm-7.2.4/").expect("in ROCm");
        assert_eq!(inode(&in_prefix(&sandbox, 1, inside)), inode(copy), "{path}");
    }
    // The variable stays for what is loaded by its bare name.
    let status = call(&sandbox, "status --json").stdout;
    let status: serde_json::Value = serde_json::from_str(&status).expect("JSON");
    let folder = in_prefix(&sandbox, 1, "lib").display().to_string();
    assert_eq!(status["environment"]["ld-library-path"], serde_json::json!([folder]));
    let findings = status["environment"]["findings"].as_array().expect("a list");
    assert!(findings.iter().all(|one| one["kind"] == "contract"), "{findings:?}");

    // Another generation of the same packages takes the copies that are there.
    let inodes: Vec<u64> = made.iter().map(|(_, copy)| inode(copy)).collect();
    call(&sandbox, "sync --target node");
    fs::remove_dir_all(sandbox.project().join(".rocmenv")).expect("removed");
    call(&sandbox, "sync --target node");
    let again: Vec<u64> = copies(&sandbox).iter().map(|(_, copy)| inode(copy)).collect();
    assert_eq!(again, inodes);
    assert_eq!(sandbox.command("env").args(["-i", &program]).run().stdout, "42\n");
}

#[test]
fn a_copy_that_was_written_to_is_told() {
    let (_internet, sandbox) = amd();
    call(&sandbox, "lock");
    call(&sandbox, "sync --target node");
    let library = in_prefix(&sandbox, 1, "lib/libamdhip64.so.7.2");
    let (before, time) = (fs::read(&library).expect("read"), modified(&library));
    let other = vec![0; before.len()];
    // As root goes through a hard link, or anybody who may write to its own files.
    write_over(&library, &other);
    let status = call(&sandbox, "status").stdout;
    let said = "files of hip-runtime-amd were written to since they were installed \
                (`opt/rocm-7.2.4/lib/libamdhip64.so.7.2`)";
    assert!(status.contains(said), "{status}");
    // With the size and the time of before, only reading tells.
    fs::File::options().write(true).open(&library).unwrap().set_modified(time).expect("set");
    assert_eq!(rocmenv(&sandbox, "verify files").code, 0);
    let deep = rocmenv(&sandbox, "verify files --deep").stdout;
    assert!(deep.contains("1 of 19: opt/rocm-7.2.4/lib/libamdhip64.so.7.2: changed"), "{deep}");
}

fn modified(path: &PathBuf) -> std::time::SystemTime {
    fs::metadata(path).and_then(|metadata| metadata.modified()).expect("a time")
}

fn write_over(path: &PathBuf, bytes: &[u8]) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).expect("ours");
    fs::write(path, bytes).expect("written");
}

#[test]
fn copies_stay_as_long_as_a_generation_has_them() {
    let (_internet, sandbox) = amd();
    call(&sandbox, "lock");
    call(&sandbox, "sync --target node");
    call(&sandbox, "gc");
    assert_eq!(copies(&sandbox).len(), 2);
    let size = || -> serde_json::Value {
        serde_json::from_str(&call(&sandbox, "cache size --json").stdout).expect("JSON")
    };
    assert!(size()["rewritten"].as_u64().is_some_and(|bytes| bytes > 0), "{}", size());
    fs::remove_dir_all(sandbox.project().join(".rocmenv")).expect("removed");
    call(&sandbox, "gc");
    assert_eq!(copies(&sandbox).len(), 2, "a disk that is not mounted may come back");
    call(&sandbox, "gc --forget .rocmenv");
    assert_eq!(copies(&sandbox), []);
    assert_eq!(size()["rewritten"], 0);
}
