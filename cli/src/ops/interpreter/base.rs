//! The interpreter under an environment that was made before: is it still there?

use std::path::{Path, PathBuf};

use rocmenv_manifests::generation::Interpreter;

use crate::error::{Exit, Failure};

/// Checks that the interpreter of a generation is still there.
///
/// # Errors
/// It is gone: the environment's `bin/python` leads nowhere.
pub fn check_base(interpreter: &Interpreter) -> Result<(), BaseGone> {
    let path = Path::new(&interpreter.path);
    if path.is_file() {
        return Ok(());
    }
    Err(BaseGone { version: interpreter.version.clone(), path: path.to_owned() })
}

/// The interpreter that an environment was built on is gone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Python {version} of this environment is gone: no `{}`", path.display())]
pub struct BaseGone {
    /// What it was.
    pub version: String,
    /// Where it was.
    pub path: PathBuf,
}

impl Failure for BaseGone {
    fn exit(&self) -> Exit {
        Exit::Stale
    }

    fn code(&self) -> Option<&'static str> {
        Some("python-gone")
    }

    fn help(&self) -> Option<String> {
        Some("rocmenv sync".to_owned())
    }
}
