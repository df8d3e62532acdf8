//! Which faults can be mended without root inside of what rocmenv owns, and by which of its verbs.
//!
//! What changes the host, or the variables of a process that rocmenv does not start, is not among
//! them: `explain CODE` has the commands for that. docs/mending.md shows this table.

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
    /// Choose again by what is known now, and make it so (`lock`, `sync`).
    Relock,
    /// Wish for a version that does, choose again, make it so (`add`, `lock`, `sync`).
    Add(&'static str),
}

/// The faults that have a mend.
pub(super) const FIXES: &[(&str, Fix)] = &[
    ("D-disk-full", Fix::Collect),
    ("D-disk-low", Fix::Collect),
    ("D-hash-mismatch", Fix::CleanCache),
    ("D-archive-corrupt", Fix::CleanCache),
    // the lock is right and something else lies in the environment
    ("D-torch-cpu", Fix::Sync),
    ("D-torch-cuda", Fix::Sync),
    ("D-already-satisfied", Fix::Sync),
    ("D-triton-twice", Fix::Sync),
    ("D-amdsmi-missing", Fix::Sync),
    ("D-addon-cuda", Fix::Sync),
    ("D-vllm-two-platforms", Fix::Sync),
    ("D-rocm-library-missing", Fix::Sync),
    // `sync` sets the variable for the releases that need it, fetches again what is missing
    ("D-wsl-dxg-detection", Fix::Sync),
    ("D-wheel-url-name", Fix::Sync),
    ("D-download-slow", Fix::Sync),
    // the choice itself was another one than the registry would make
    ("D-vgpr-kernel", Fix::Relock),
    ("D-runtime-segfault", Fix::Relock),
    ("D-known-bad", Fix::Relock),
    ("D-known-risk", Fix::Relock),
    ("D-arch-not-in-build", Fix::Relock),
    ("D-arch-dropped", Fix::Relock),
    ("D-tensile-missing", Fix::Relock),
    ("D-device-package-missing", Fix::Relock),
    ("D-vllm-cuda", Fix::Relock),
    ("D-python-tag", Fix::Relock),
    ("D-torchvision-pair", Fix::Relock),
    ("D-jax-plugin", Fix::Relock),
    ("D-index-too-old", Fix::Relock),
    ("D-index-layout", Fix::Relock),
    ("D-index-incomplete", Fix::Relock),
    ("D-platform-wheel", Fix::Relock),
    ("D-triton-index", Fix::Relock),
    ("D-local-order", Fix::Relock),
    ("D-build-tools", Fix::Relock),
    ("D-bitsandbytes-name", Fix::Add("bitsandbytes>=0.50")),
    ("D-numpy-abi", Fix::Add("numpy<2")),
];

impl Fix {
    /// The verbs that it runs, in order.
    pub fn verbs(self) -> Vec<String> {
        let verbs: &[&str] = match self {
            Self::Collect => &["gc"],
            Self::CleanCache => &["cache clean"],
            Self::Sync => &["sync"],
            Self::Relock | Self::Add(_) => &["lock", "sync"],
        };
        let verbs = verbs.iter().map(|verb| (*verb).to_owned());
        match self {
            Self::Add(wish) => std::iter::once(format!("add \"{wish}\"")).chain(verbs).collect(),
            _ => verbs.collect(),
        }
    }
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
    if let Some((_, fix)) = FIXES.iter().find(|(own, _)| *own == code) {
        return Ok(*fix);
    }
    Err(DoctorError::NotOurs {
        code: code.to_owned(),
        what: match row.scope {
            Scope::Host => "the host has to change",
            Scope::Process => "the variables of the process have to change",
            Scope::Environment | Scope::Project => "the request has to change",
        },
        host: row.scope == Scope::Host,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mends_are_of_faults_that_exist_and_change_no_host() {
        let registry = Registry::embedded();
        for (code, _) in FIXES {
            let row = registry.faults().fault.iter().find(|row| row.code == *code);
            let row = row.unwrap_or_else(|| panic!("{code} is no fault"));
            assert!(row.scope != Scope::Host, "{code} changes the host");
        }
    }

    #[test]
    fn the_document_shows_the_table() {
        let document = include_str!("../../../../docs/mending.md");
        let rows: Vec<String> = FIXES
            .iter()
            .map(|(code, fix)| {
                let verbs: Vec<String> =
                    fix.verbs().iter().map(|verb| format!("`rocmenv {verb}`")).collect();
                format!("| {code} | {} |", verbs.join(", "))
            })
            .collect();
        let table = rows.join("\n");
        assert!(document.contains(&table), "docs/mending.md has to hold:\n{table}");
    }
}
