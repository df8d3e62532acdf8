//! Which faults can be mended without root inside of what rocmenv owns, and by which of its verbs.

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::faults::Scope;

use super::DoctorError;

/// A mend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fix {
    /// Remove from the store what no environment uses (`gc`).
    Collect,
    /// Empty the cache, so that files are fetched afresh (`cache clean`).
    CleanCache,
    /// Make the environment what the lock says (`sync`).
    Sync,
}

/// How a fault is mended.
///
/// # Errors
/// There is no such fault, or it is not rocmenv's to mend.
pub fn fix_of(code: &str, registry: &Registry) -> Result<Fix, DoctorError> {
    let rows = &registry.faults().fault;
    let Some(row) = rows.iter().find(|row| row.code == code) else {
        let names = rows.iter().map(|row| row.code.as_str());
        let nearest = rocmenv_manifests::project::nearest(code, names).map(str::to_owned);
        return Err(DoctorError::UnknownFault { code: code.to_owned(), nearest });
    };
    match (code, row.scope) {
        ("D-disk-full" | "D-disk-low", _) => Ok(Fix::Collect),
        ("D-hash-mismatch" | "D-archive-corrupt", _) => Ok(Fix::CleanCache),
        (_, Scope::Environment) => Ok(Fix::Sync),
        (_, scope) => Err(DoctorError::NotOurs {
            code: code.to_owned(),
            what: match scope {
                Scope::Host => "the host has to change",
                Scope::Process => "the variables of the process have to change",
                Scope::Environment | Scope::Project => "the request has to change",
            },
            host: scope == Scope::Host,
        }),
    }
}
