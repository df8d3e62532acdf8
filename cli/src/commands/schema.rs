//! `schema`: the JSON schema of rocm.toml, for editors.

use crate::error::{Error, Exit};
use crate::render::Output;

/// Prints it.
pub fn run(out: &mut Output) -> Result<Exit, Error> {
    out.json(&rocmenv_manifests::project::json_schema())?;
    Ok(Exit::Done)
}
