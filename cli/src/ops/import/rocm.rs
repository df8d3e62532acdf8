//! A ROCm of the host, such as /opt/rocm: used where it is, nothing of it is installed again.
//!
//! Which there are is one of the host's facts, so that the machine is read in one place.

use std::path::Path;

use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::host::facts::RocmInstall;

use super::{Foreign, ImportError};

/// The ROCm at a path.
pub(super) fn find<'f>(facts: &'f HostFacts, path: &Path) -> Option<&'f RocmInstall> {
    facts.rocm.iter().find(|install| {
        Path::new(&install.path) == path
            || install.real_path.as_deref().is_some_and(|real| Path::new(real) == path)
    })
}

/// What a project on it asks for.
pub(super) fn read(facts: &HostFacts, path: &Path) -> Result<Foreign, ImportError> {
    let malformed = |problem: &str| ImportError::Malformed {
        what: "a ROCm of this host",
        problem: problem.to_owned(),
    };
    let install =
        find(facts, path).ok_or_else(|| ImportError::NotThere { path: path.to_owned() })?;
    let version = install.version.as_deref();
    let version = version.ok_or_else(|| malformed("its `.info/version` does not say a release"))?;
    let rocm = format!("=={version}").parse();
    Ok(Foreign {
        rocm: Some(rocm.map_err(|_| malformed("its `.info/version` is no release"))?),
        channel: Some("host".to_owned()),
        ..Foreign::default()
    })
}
