//! The `rocmenv-shim` program.

fn main() {}
