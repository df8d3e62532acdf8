//! What the errors of the other crates mean for a call: exit code, stable code, what to try.

mod disk;
mod manifests;
mod store;

pub(crate) use store::exit_of_fetch;
