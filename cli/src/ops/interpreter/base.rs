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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_that_is_gone_is_named_with_the_way_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("python3.12");
        fs_err::write(&path, "").unwrap();
        let interpreter = Interpreter {
            version: "3.12.1".to_owned(),
            path: path.display().to_string(),
            source: "host".to_owned(),
        };
        assert_eq!(check_base(&interpreter), Ok(()));
        fs_err::remove_file(&path).unwrap();
        let gone = check_base(&interpreter).unwrap_err();
        let expected =
            format!("Python 3.12.1 of this environment is gone: no `{}`", path.display());
        assert_eq!(gone.to_string(), expected);
        assert_eq!((gone.exit(), gone.help().as_deref()), (Exit::Stale, Some("rocmenv sync")));
    }
}
