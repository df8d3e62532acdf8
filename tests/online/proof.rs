//! Real wheels read in parts: their targets are those that LLVM's own tool lists.
//!
//! The lists were written by `llvm-objdump --offloading` of LLVM 22 on 2026-11-30; a published
//! wheel never changes. The larger comparison is benches/prove_against_llvm.py.

use super::{rocmenv, sandbox};

/// Both plugins of JAX 0.12.0 hold code for the same targets in every file.
const JAX: [&str; 27] = [
    "gfx1010", "gfx1011", "gfx1012", "gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034",
    "gfx1035", "gfx1036", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151",
    "gfx1152", "gfx1153", "gfx1200", "gfx1201", "gfx1250", "gfx900", "gfx906", "gfx908", "gfx90a",
    "gfx942", "gfx950",
];

#[test]
fn targets_of_jaxs_plugins_are_those_that_llvm_lists() {
    let Some(sandbox) = sandbox("targets_of_jaxs_plugins_are_those_that_llvm_lists") else {
        return;
    };
    for series in ["7", "10"] {
        let wheel = format!("jax-rocm{series}-plugin==0.12.0");
        let call = ["prove", "--wheel", &wheel, "--gpu", "gfx1151", "--gpu", "gfx1013", "--json"];
        let output = rocmenv(&sandbox, &call);
        assert_eq!(output.code, 1, "{}", output.snapshot());
        let proved: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
        let files = proved["packages"][0]["files"].as_array().expect("files");
        let mut seen = Vec::new();
        for file in files {
            let targets = file["targets"].as_array().expect("targets");
            let mut targets: Vec<&str> = targets.iter().filter_map(|one| one.as_str()).collect();
            targets.sort_unstable();
            assert_eq!(targets, JAX, "{file}");
            let code = &file["code"][0];
            assert_eq!(code["bundles"], code["compressed"], "{file}");
            let name = file["path"].as_str().expect("a path").rsplit('/').next().expect("a name");
            seen.push((name.to_owned(), code["bundles"].as_u64().expect("a number")));
        }
        seen.sort();
        let seen: Vec<(&str, u64)> =
            seen.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        assert_eq!(seen, [("_linalg.so", 1), ("_prng.so", 1), ("_solver.so", 2)]);
        let verdicts: Vec<_> =
            (0..2).map(|at| &proved["coverage"]["gpus"][at]["verdict"]).collect();
        assert_eq!(verdicts, ["native", "not-covered"]);
        let read = &proved["reads"][0];
        assert!(read["fetched"].as_u64() < read["size"].as_u64(), "{read}");
    }
}
