//! The shim program, for the tests of this crate; the real one is built by the cli crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    rocmenv_shims::exec::main()
}
