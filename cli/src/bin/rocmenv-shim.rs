//! The `rocmenv-shim` program: what the names in the shim folder lead to.

use std::process::ExitCode;

fn main() -> ExitCode {
    rocmenv_shims::exec::main()
}
