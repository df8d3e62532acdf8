//! The `rocmenv` program.

fn main() {}
