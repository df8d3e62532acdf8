//! The measuring programs: Python that runs on the environment's own PyTorch.

use rocmenv_resolver::bench::Bench;

/// A program with its file name.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// The file's name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl Program {
    /// The program of a measurement; serving is measured by others and imported.
    pub fn of(bench: Bench) -> Option<Self> {
        match bench {
            Bench::Memory => Some(MEMORY),
            Bench::Collectives => Some(COLLECTIVES),
            Bench::Matmul => Some(MATMUL),
            Bench::Serving => None,
        }
    }
}

const MEMORY: Program =
    Program { name: "memory.py", text: include_str!("../../../scripts/bench/memory.py") };
const COLLECTIVES: Program =
    Program { name: "collectives.py", text: include_str!("../../../scripts/bench/collectives.py") };
const MATMUL: Program =
    Program { name: "matmul.py", text: include_str!("../../../scripts/bench/matmul.py") };
