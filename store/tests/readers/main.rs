//! The fuzz targets' own entries over the committed seeds and bounded, deterministic damage of
//! them: no reader of foreign bytes panics, and none asks for more memory than its input explains.
//!
//! `fuzz/` looks further with the same entries; what it finds becomes a seed here.

mod damage;
mod measure;

#[path = "../../../fuzz/entries/bundle.rs"]
mod bundle;
#[path = "../../../fuzz/entries/elf.rs"]
mod elf;
#[path = "../../../fuzz/entries/kpack.rs"]
mod kpack;
#[path = "../../../fuzz/entries/pe.rs"]
mod pe;
#[path = "../../../fuzz/entries/zip_ends.rs"]
mod zip_ends;

use std::path::Path;

use fs_err as fs;

/// Every seed of a target and so many damaged forms of each.
fn hold(target: &str, look: fn(&[u8])) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "fuzz/seeds/{target} holds nothing");
    for (at, (name, seed)) in seeds.iter().enumerate() {
        check(&format!("{target}/{name}"), seed, look);
        let others: Vec<&[u8]> = seeds.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        for round in 0..ROUNDS {
            let bytes = damage::damaged(seed, &others, (at as u64) << 32 | round);
            check(&format!("{target}/{name} damaged {round}"), &bytes, look);
        }
    }
}

fn check(what: &str, bytes: &[u8], look: fn(&[u8])) {
    let most = measure::most_memory(|| look(bytes));
    let limit = ROOM + TIMES * bytes.len();
    assert!(most <= limit, "{what}: {most} bytes of memory for {} of input", bytes.len());
}

fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
    let entries = fs::read_dir(folder).expect("seeds of every target");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a seed").path()).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read(path).expect("a seed"))).collect()
}

/// Damaged forms of each seed.
const ROUNDS: u64 = 120;
/// What a reader may take whatever comes: chunks, windows of unpackers, tables of its own.
const ROOM: usize = 2 * 1024 * 1024;
/// What it may take beside that for each byte that it was given.
const TIMES: usize = 64;

#[test]
fn elf_files_stop_no_reader() {
    hold("elf", elf::look);
}

#[test]
fn bundles_stop_no_reader() {
    hold("bundle", bundle::look);
}

#[test]
fn windows_files_stop_no_reader() {
    hold("pe", pe::look);
}

#[test]
fn kernel_archives_stop_no_reader() {
    hold("kpack", kpack::look);
}

#[test]
fn zip_ends_stop_no_reader() {
    hold("zip_ends", zip_ends::look);
}

#[test]
fn memory_that_is_asked_for_is_seen() {
    let most = measure::most_memory(|| drop(std::hint::black_box(vec![1_u8; 5_000_000])));
    assert!((5_000_000..5_100_000).contains(&most), "{most}");
}
